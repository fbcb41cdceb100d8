#include "io/log/file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace stiction {
namespace {

std::runtime_error CannotWrite(const std::string& path, int error) {
  return std::runtime_error("cannot write " + path + ": " + std::strerror(error));
}

}  // namespace

LogFile::LogFile(std::string path) : path_(std::move(path)) {
  descriptor_ = open(path_.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor_ < 0) throw CannotWrite(path_, errno);
}

LogFile::~LogFile() {
  close(descriptor_);
}

std::size_t LogFile::WriteDisk(std::int64_t offset, const char* data, std::size_t size) {
  std::size_t done = 0;
  while (done < size) {
    errno = 0;
    const ssize_t written = pwrite(descriptor_, data + done, size - done, offset + static_cast<off_t>(done));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) break;
    done += static_cast<std::size_t>(written);
  }
  return done;
}

void LogFile::Write(std::int64_t offset, const void* data, std::size_t size) {
  const char* bytes = static_cast<const char*>(data);
  std::size_t done = 0;
  if (error_ == 0) {
    done = WriteDisk(offset, bytes, size);
    if (done < size) error_ = errno != 0 ? errno : ENOSPC;
    end_ = std::max(end_, offset + static_cast<std::int64_t>(done));
  }
  if (done < size) WriteMemory(offset + static_cast<std::int64_t>(done), bytes + done, size - done);
}

void LogFile::WriteMemory(std::int64_t offset, const char* data, std::size_t size) {
  memory_end_ = std::max(memory_end_, offset + static_cast<std::int64_t>(size));
  while (size > 0) {
    const std::int64_t number = offset / kPage, start = number * kPage;
    const auto [page, is_new] = pages_.try_emplace(number);
    if (is_new) ReadDisk(start, page->second.data(), kPage);
    const std::size_t count = std::min(size, static_cast<std::size_t>(start + kPage - offset));
    std::memcpy(page->second.data() + (offset - start), data, count);
    offset += static_cast<std::int64_t>(count);
    data += count;
    size -= count;
  }
}

void LogFile::Read(std::int64_t offset, void* data, std::size_t size) const {
  ReadDisk(offset, data, size);
  const std::int64_t end = offset + static_cast<std::int64_t>(size);
  for (auto page = pages_.lower_bound(offset / kPage); page != pages_.end(); ++page) {
    const std::int64_t start = page->first * kPage;
    if (start >= end) break;
    const std::int64_t from = std::max(offset, start), to = std::min(end, start + kPage);
    std::memcpy(static_cast<char*>(data) + (from - offset), page->second.data() + (from - start),
                static_cast<std::size_t>(to - from));
  }
}

void LogFile::Overwrite(std::int64_t offset, const void* data, std::size_t size) {
  WriteDisk(offset, static_cast<const char*>(data), size);
}

void LogFile::ReadDisk(std::int64_t offset, void* data, std::size_t size) const {
  char* next = static_cast<char*>(data);
  while (size > 0) {
    const ssize_t count = pread(descriptor_, next, size, offset);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    next += count;
    offset += count;
    size -= static_cast<std::size_t>(count);
  }
  std::memset(next, 0, size);
}

bool LogFile::Resize(std::int64_t size) {
  if (ftruncate(descriptor_, size) != 0) return false;
  end_ = std::min(end_, size);
  return true;
}

void LogFile::ThrowIfFailed() const {
  if (error_ != 0) throw CannotWrite(path_, error_);
}

}  // namespace stiction

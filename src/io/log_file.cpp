#include "io/log_file.h"

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

void LogFile::Write(std::int64_t offset, const void* data, std::size_t size) {
  const char* next = static_cast<const char*>(data);
  while (size > 0 && error_ == 0) {
    const ssize_t written = pwrite(descriptor_, next, size, offset);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      error_ = written < 0 ? errno : ENOSPC;
      return;
    }
    next += written;
    offset += written;
    size -= static_cast<std::size_t>(written);
    end_ = std::max(end_, offset);
  }
}

void LogFile::Overwrite(std::int64_t offset, const void* data, std::size_t size) {
  const int error = std::exchange(error_, 0);
  Write(offset, data, size);
  error_ = error;
}

void LogFile::Read(std::int64_t offset, void* data, std::size_t size) const {
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

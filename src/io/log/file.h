// The file under a log: remembers its first error, and writes nothing more after it. Private to io.
//
// HDF5 loses its way on a full disk: 1.10 writes a header that no reader accepts, and crashes while closing.
// So for HDF5 every write succeeds: after an error it goes to memory, from where it is read again, and the
// log asks for the error itself.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>

namespace stiction {

class LogFile {
 public:
  // Creates or empties the file. Throws std::runtime_error with path and reason.
  explicit LogFile(std::string path);
  ~LogFile();
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;

  void Write(std::int64_t offset, const void* data, std::size_t size);
  // Bytes beyond the end read as zero.
  void Read(std::int64_t offset, void* data, std::size_t size) const;

  // The same on the disk alone, after an error too; overwriting needs no space. Nobody is told of a failure.
  void Overwrite(std::int64_t offset, const void* data, std::size_t size);
  void ReadDisk(std::int64_t offset, void* data, std::size_t size) const;
  // Cuts or extends the file; false, without being an error of the log, where the system refuses.
  bool Resize(std::int64_t size);

  std::int64_t end() const { return end_; }  // of what was written to the disk [bytes]
  std::int64_t end_with_memory() const { return end_ > memory_end_ ? end_ : memory_end_; }
  bool failed() const { return error_ != 0; }
  // Throws std::runtime_error with path and reason if a write has failed.
  void ThrowIfFailed() const;

 private:
  static constexpr std::int64_t kPage = 4096;
  // Returns how much was written; less than `size` after an error, which is in errno.
  std::size_t WriteDisk(std::int64_t offset, const char* data, std::size_t size);
  void WriteMemory(std::int64_t offset, const char* data, std::size_t size);

  std::string path_;
  int descriptor_ = -1;
  int error_ = 0;  // errno of the first failure
  std::int64_t end_ = 0;
  std::map<std::int64_t, std::array<char, kPage>> pages_;  // by page number, after an error
  std::int64_t memory_end_ = 0;
};

}  // namespace stiction

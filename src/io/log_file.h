// The file under a log: remembers its first error, and does nothing more after it. Private to io.
//
// HDF5 loses its way on a full disk: 1.10 writes a header that no reader accepts, and may crash while
// closing. So what it calls always succeeds, and the log asks for the error itself.
#pragma once

#include <cstdint>
#include <string>

namespace stiction {

class LogFile {
 public:
  // Creates or empties the file. Throws std::runtime_error with path and reason.
  explicit LogFile(std::string path);
  ~LogFile();
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;

  // After an error nothing is written, and the position where data would end does not move.
  void Write(std::int64_t offset, const void* data, std::size_t size);
  // Bytes beyond the end read as zero.
  void Read(std::int64_t offset, void* data, std::size_t size) const;
  // Overwrites bytes before the end, after an error too: that needs no space. Nobody is told of a failure.
  void Overwrite(std::int64_t offset, const void* data, std::size_t size);
  // Cuts or extends the file; false, without being an error of the log, where the system refuses.
  bool Resize(std::int64_t size);

  std::int64_t end() const { return end_; }  // of what was written [bytes]
  bool failed() const { return error_ != 0; }
  // Throws std::runtime_error with path and reason if a write has failed.
  void ThrowIfFailed() const;

 private:
  std::string path_;
  int descriptor_ = -1;
  int error_ = 0;  // errno of the first failure
  std::int64_t end_ = 0;
};

}  // namespace stiction

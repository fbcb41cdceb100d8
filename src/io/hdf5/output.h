// Writing small HDF5 files as a whole. Private to io. (Logs, which grow, are written by log/hdf5_table.h.)
#pragma once

#include <hdf5.h>

#include <span>
#include <string>
#include <vector>

#include "stiction/math/types.h"

namespace stiction {

// Groups on the way to a dataset are created. Every function throws std::runtime_error with the path of the
// file where HDF5 fails.
class Hdf5Output {
 public:
  // kCreate: in the format of HDF5 1.10, whose metadata have checksums: a damaged file is noticed.
  // kCreateOld: for readers that are older.
  enum class Mode { kCreate, kCreateOld, kAppend };
  Hdf5Output(std::string path, Mode mode);
  ~Hdf5Output();
  Hdf5Output(const Hdf5Output&) = delete;
  Hdf5Output& operator=(const Hdf5Output&) = delete;

  void WriteInteger(const std::string& dataset, int value) { WriteIntegers(dataset, {&value, 1}); }
  void WriteIntegers(const std::string& dataset, std::span<const int> values);
  void WriteNumbers(const std::string& dataset, std::span<const double> values);
  void WriteNumbers(const std::string& dataset, const VectorXd& values) {
    WriteNumbers(dataset, std::span<const double>(values.data(), static_cast<std::size_t>(values.size())));
  }
  void WriteText(const std::string& dataset, const std::string& text);
  // An array of texts, padded with zeros to the longest.
  void WriteTexts(const std::string& dataset, std::span<const std::string> texts);
  void SetAttribute(const char* name, const std::string& text);
  void SetAttribute(const char* name, int value);
  // Not done by the destructor where it could fail unseen: a full disk shows here.
  void Close();

 private:
  void Write(const std::string& dataset, hid_t file_type, hid_t memory_type, hid_t space, const void* values);
  template <typename T>
  T Check(T result) const {
    if (result < 0) Fail();
    return result;
  }
  [[noreturn]] void Fail() const;

  std::string path_;
  hid_t id_ = -1;
};

}  // namespace stiction

// The HDF5 file of a log, and its growing datasets. Private to io.
#pragma once

#include <hdf5.h>

#include <string>
#include <utility>
#include <vector>

#include "io/hdf5/handle.h"
#include "io/log/file.h"

namespace stiction {

// Every function throws std::runtime_error with the path where HDF5 fails.
class Hdf5File {
 public:
  Hdf5File(std::string path, LogFile& disk);
  ~Hdf5File() { Close(); }
  Hdf5File(const Hdf5File&) = delete;
  Hdf5File& operator=(const Hdf5File&) = delete;

  void SetAttribute(const char* name, const std::string& text, const char* object = "/");
  void SetAttribute(const char* name, double value, const char* object = "/");
  void SetAttribute(const char* name, int value, const char* object = "/");
  void WriteNames(const char* path, const std::vector<std::string>& names, const char* description);
  void WriteIntegers(const char* path, const std::vector<int>& values, const char* description);
  hid_t CreateDataset(const char* path, hid_t type, hid_t space, hid_t creation = H5P_DEFAULT);
  // After this nothing can be created, and readers may come.
  void StartSwmr();
  void Close();
  bool is_open() const { return id_ >= 0; }

  // `result` of a call, unless it is negative.
  template <typename T>
  T Check(T result) const {
    if (result < 0) Fail();
    return result;
  }

 private:
  [[noreturn]] void Fail() const;
  void SetAttribute(const char* name, hid_t type, const void* value, const char* object);

  std::string path_;
  LogFile& disk_;
  hid_t id_ = -1;
};

// A dataset of numbers that grows along its first axis: entries are collected, then written at once.
class Hdf5Table {
 public:
  //   shape  of one entry, empty for a single number
  //   type   in the file; in memory everything is a double
  //   chunk  entries that are stored together: few keep a short log small, many cost less an entry
  Hdf5Table(Hdf5File& file, const char* path, std::vector<hsize_t> shape, hid_t type, std::size_t chunk);
  ~Hdf5Table();
  Hdf5Table(Hdf5Table&& other) noexcept;
  Hdf5Table& operator=(Hdf5Table&&) = delete;

  void Describe(const char* unit, const char* description);
  void SetAttribute(const char* name, const std::string& text);

  void Reserve(std::size_t entries) { pending_.reserve(entries * width_); }
  void Add(double value) { pending_.push_back(value); }
  void Add(const double* values, std::ptrdiff_t size) {
    pending_.insert(pending_.end(), values, values + size);
  }
  //   entries  how many were added since the last time
  void Write(std::size_t entries);
  void Write() { Write(pending_.size() / width_); }  // not for entries without numbers

  std::size_t entry_bytes() const { return width_ * sizeof(double); }
  std::size_t pending_bytes() const { return pending_.size() * sizeof(double); }
  // What Write can add to the file at most.
  std::int64_t pending_file_bytes() const;

 private:
  Hdf5File* file_;
  std::string path_;
  hid_t id_ = -1;
  std::vector<hsize_t> shape_;  // of the whole: written entries first
  std::size_t width_ = 1;       // numbers an entry
  std::size_t chunk_entries_ = 1;
  std::vector<double> pending_;
};

}  // namespace stiction

// Reading HDF5 files that may lie: every size is checked against what the caller expects before memory is
// taken, and every error is a LoadError that names file and dataset. Private to io.
//
// Only data inside the file itself is read: soft and external links, external storage and virtual datasets
// are refused, since they reach other files.
//
// What HDF5 1.10.8 makes of damaged metadata is its own affair. Files of random bytes changed, read 3000
// times and more: attributes of the older file format, which has no checksums, once sent it out of bounds;
// files without attributes (FCLib's) and those of the format of 1.10, which we write, never.
#pragma once

#include <hdf5.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "stiction/math/types.h"

namespace stiction {

class Hdf5Group {
 public:
  // The root of a file. Throws LoadError: not an HDF5 file, or a truncated one.
  explicit Hdf5Group(const std::string& path);

  bool Has(const char* key) const;
  Hdf5Group GetGroup(const char* key) const;
  // Names of the groups in this one, in the order of their bytes.
  std::vector<std::string> ListGroups() const;
  std::vector<std::string> ListDatasets() const;
  // Attribute of this group; empty where it has none, or not a short text.
  std::string GetAttribute(const char* name) const;
  // The same of a number.
  std::optional<double> GetNumberAttribute(const char* name) const;

  // Throws LoadError where the attribute format_version is above the one that this engine knows.
  void CheckVersion(int newest) const;

  std::int64_t GetInteger(const char* key, std::int64_t minimum, std::int64_t maximum) const;
  std::string GetText(const char* key) const;
  // A list of any length, every number in [minimum, maximum].
  std::vector<int> GetIntegers(const char* key, int minimum, int maximum) const;
  // Numbers, infinities and NaN among them.
  std::vector<double> GetNumbers(const char* key) const;
  // Finite numbers: any length, or exactly `size` of them.
  VectorXd GetVector(const char* key) const;
  VectorXd GetVector(const char* key, int size) const;
  // Finite numbers of a dataset of two dimensions: rows x columns.
  MatrixXd GetTable(const char* key) const;
  // Numbers of a dataset of up to three dimensions, row-major; infinities and NaN among them.
  std::vector<double> GetArray(const char* key, std::vector<std::size_t>& extents) const;
  // A list of texts of a fixed length.
  std::vector<std::string> GetNames(const char* key) const;
  // Exactly `size` numbers, none of them NaN.
  VectorXd GetBounds(const char* key, int size) const;

  // Throws a LoadError about the dataset or group `key` of this one.
  [[noreturn]] void Fail(const std::string& key, const std::string& message) const;
  const std::string& file() const { return *file_; }

 private:
  Hdf5Group(const Hdf5Group& parent, const char* key);

  std::vector<std::string> List(H5O_type_t type) const;
  // Whether `key` is here and part of this file.
  bool FindLink(const char* key) const;
  // Opens a dataset of numbers of one of the classes, of `dimensions` dimensions or none, or with 0 of up to
  // three, and returns how many it holds.
  std::shared_ptr<hid_t> OpenNumbers(const char* key, bool integers_only, std::size_t& count,
                                     int dimensions = 1) const;
  std::vector<double> ReadDoubles(const char* key, int dimensions = 1, hsize_t* extents = nullptr) const;
  void CheckFinite(const char* key, const std::vector<double>& values) const;
  std::vector<std::int64_t> ReadIntegers(const char* key) const;

  std::shared_ptr<const std::string> file_;
  std::string prefix_;         // "fclib_global/H/": before keys in messages
  std::shared_ptr<hid_t> id_;  // of the group; keeps the file open
};

}  // namespace stiction

#ifdef STICTION_WITH_HDF5
#include "io/log/hdf5_table.h"

#include <algorithm>
#include <stdexcept>

#include "io/log/hdf5_driver.h"

namespace stiction {
namespace {

constexpr std::size_t kLargestChunk = std::size_t{1} << 18;
// Bound of what a table's index grows by when it is written, blocks of doubling size included.
constexpr std::int64_t kIndexBytes = std::int64_t{1} << 16;

// Of at most so many bytes, padded with zeros, or of H5T_VARIABLE length.
hid_t MakeTextType(std::size_t length) {
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, std::max<std::size_t>(length, 1));
  if (length != H5T_VARIABLE) H5Tset_strpad(type, H5T_STR_NULLPAD);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return type;
}

}  // namespace

Hdf5File::Hdf5File(std::string path, LogFile& disk) : path_(std::move(path)), disk_(disk) {
  const QuietHdf5 quiet;
  const Hdf5Handle access(MakeLogFileAccess(disk), H5Pclose);
  Check<hid_t>(access);
  id_ = Check(H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
}

void Hdf5File::Fail() const {
  disk_.ThrowIfFailed();
  throw std::runtime_error("cannot write " + path_ + ": an error inside the HDF5 library");
}

void Hdf5File::SetAttribute(const char* name, hid_t type, const void* value, const char* object) {
  const Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const Hdf5Handle attribute(
      H5Acreate_by_name(id_, object, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  Check<hid_t>(attribute);
  Check(H5Awrite(attribute, type, value));
}

void Hdf5File::SetAttribute(const char* name, const std::string& text, const char* object) {
  const Hdf5Handle type(MakeTextType(H5T_VARIABLE), H5Tclose);
  const char* const characters = text.c_str();
  SetAttribute(name, type, &characters, object);
}

void Hdf5File::SetAttribute(const char* name, double value, const char* object) {
  SetAttribute(name, H5T_NATIVE_DOUBLE, &value, object);
}

void Hdf5File::SetAttribute(const char* name, int value, const char* object) {
  SetAttribute(name, H5T_NATIVE_INT, &value, object);
}

hid_t Hdf5File::CreateDataset(const char* path, hid_t type, hid_t space, hid_t creation) {
  const Hdf5Handle link(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  Check(H5Pset_create_intermediate_group(link, 1));
  return Check(H5Dcreate2(id_, path, type, space, link, creation, H5P_DEFAULT));
}

void Hdf5File::WriteNames(const char* path, const std::vector<std::string>& names, const char* description) {
  std::size_t length = 1;
  for (const std::string& name : names) length = std::max(length, name.size());
  std::string block(length * names.size(), '\0');
  for (std::size_t i = 0; i < names.size(); ++i) names[i].copy(&block[i * length], length);
  const hsize_t size = names.size();
  const Hdf5Handle type(MakeTextType(length), H5Tclose);
  const Hdf5Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose);
  const Hdf5Handle dataset(CreateDataset(path, type, space), H5Dclose);
  if (size > 0) Check(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, block.data()));
  SetAttribute("description", description, path);
  SetAttribute("unit", "1", path);
}

void Hdf5File::WriteIntegers(const char* path, const std::vector<int>& values, const char* description) {
  const hsize_t size = values.size();
  const Hdf5Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose);
  const Hdf5Handle dataset(CreateDataset(path, H5T_STD_I32LE, space), H5Dclose);
  if (size > 0) Check(H5Dwrite(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()));
  SetAttribute("description", description, path);
  SetAttribute("unit", "1", path);
}

void Hdf5File::StartSwmr() {
  Check(H5Fstart_swmr_write(id_));
}

void Hdf5File::Close() {
  if (id_ < 0) return;
  H5Fclose(std::exchange(id_, -1));
}

Hdf5Table::Hdf5Table(Hdf5File& file, const char* path, std::vector<hsize_t> shape, hid_t type,
                     std::size_t chunk)
    : file_(&file), path_(path), shape_(std::move(shape)) {
  for (const hsize_t size : shape_) width_ *= size;
  chunk_entries_ = std::clamp<std::size_t>(kLargestChunk / std::max<std::size_t>(entry_bytes(), 1), 1, chunk);
  shape_.insert(shape_.begin(), 0);
  std::vector<hsize_t> largest = shape_, chunk_shape = shape_;
  largest[0] = H5S_UNLIMITED;
  chunk_shape[0] = chunk_entries_;
  for (hsize_t& size : chunk_shape) size = std::max<hsize_t>(size, 1);  // HDF5 has no chunks without numbers
  const int rank = static_cast<int>(shape_.size());
  const Hdf5Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  file.Check(H5Pset_chunk(creation, rank, chunk_shape.data()));
  const Hdf5Handle space(H5Screate_simple(rank, shape_.data(), largest.data()), H5Sclose);
  id_ = file.CreateDataset(path, type, space, creation);
}

Hdf5Table::~Hdf5Table() {
  if (id_ >= 0) H5Dclose(id_);
}

Hdf5Table::Hdf5Table(Hdf5Table&& other) noexcept
    : file_(other.file_),
      path_(std::move(other.path_)),
      id_(std::exchange(other.id_, -1)),
      shape_(std::move(other.shape_)),
      width_(other.width_),
      chunk_entries_(other.chunk_entries_),
      pending_(std::move(other.pending_)) {}

void Hdf5Table::Describe(const char* unit, const char* description) {
  SetAttribute("unit", unit);
  SetAttribute("description", description);
}

void Hdf5Table::SetAttribute(const char* name, const std::string& text) {
  file_->SetAttribute(name, text, path_.c_str());
}

void Hdf5Table::Write(std::size_t entries) {
  if (entries == 0) return;
  std::vector<hsize_t> start(shape_.size(), 0), count = shape_;
  start[0] = shape_[0];
  count[0] = entries;
  shape_[0] += entries;
  file_->Check(H5Dset_extent(id_, shape_.data()));
  if (width_ > 0) {
    const Hdf5Handle in_file(H5Dget_space(id_), H5Sclose);
    const Hdf5Handle in_memory(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr),
                               H5Sclose);
    file_->Check(H5Sselect_hyperslab(in_file, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr));
    file_->Check(H5Dwrite(id_, H5T_NATIVE_DOUBLE, in_memory, in_file, H5P_DEFAULT, pending_.data()));
  }
  file_->Check(H5Dflush(id_));
  pending_.clear();
}

std::int64_t Hdf5Table::pending_file_bytes() const {
  if (pending_.empty()) return kIndexBytes;
  const std::size_t chunk_bytes = chunk_entries_ * entry_bytes();
  const std::size_t chunks = pending_bytes() / chunk_bytes + 2;
  return static_cast<std::int64_t>(chunks * chunk_bytes) + kIndexBytes;
}

}  // namespace stiction
#endif

#ifdef STICTION_WITH_HDF5
#include "io/hdf5/group.h"

#include <algorithm>
#include <cmath>

#include "io/hdf5/handle.h"
#include "io/problem/parts.h"
#include "stiction/model/load_error.h"

namespace stiction {
namespace {

// A dataset may hold this many times the bytes that it takes in the file: zeros compress 1000-fold at most.
constexpr double kLargestCompression = 2000.0;
constexpr std::size_t kLongestText = 4096;
constexpr int kMostDimensions = 3;

// Closes the id with its last owner; keeps `parent` open until then.
std::shared_ptr<hid_t> Own(hid_t id, herr_t (*close)(hid_t), std::shared_ptr<hid_t> parent = nullptr) {
  return {new hid_t(id), [close, parent = std::move(parent)](hid_t* owned) {
            const QuietHdf5 quiet;
            close(*owned);
            delete owned;
          }};
}

// The text of a scalar string of fixed or variable length; empty if it is none, or too long.
template <typename Read>
std::string ReadText(hid_t type, hid_t space, const Read& read) {
  if (H5Tget_class(type) != H5T_STRING || H5Sget_simple_extent_npoints(space) != 1) return {};
  const Hdf5Handle memory(H5Tcopy(H5T_C_S1), H5Tclose);
  if (H5Tset_cset(memory, H5Tget_cset(type)) < 0) return {};
  if (H5Tis_variable_str(type) > 0) {
    char* text = nullptr;
    if (H5Tset_size(memory, H5T_VARIABLE) < 0 || read(memory, &text) < 0 || !text) return {};
    std::string out(text);
    H5Dvlen_reclaim(memory, space, H5P_DEFAULT, &text);
    return out.size() > kLongestText ? std::string() : out;
  }
  const std::size_t size = H5Tget_size(type);
  if (size == 0 || size > kLongestText) return {};
  std::vector<char> text(size + 1, '\0');
  if (H5Tset_size(memory, size + 1) < 0 || read(memory, text.data()) < 0) return {};
  return text.data();
}

}  // namespace

Hdf5Group::Hdf5Group(const std::string& path) : file_(std::make_shared<const std::string>(path)) {
  const QuietHdf5 quiet;
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file < 0) throw LoadError(path, 0, "", "is not a whole HDF5 file; it may be truncated");
  const std::shared_ptr<hid_t> owner = Own(file, H5Fclose);
  const hid_t root = H5Gopen2(file, "/", H5P_DEFAULT);
  if (root < 0) throw LoadError(path, 0, "", "cannot be read: HDF5 finds no root group");
  id_ = Own(root, H5Gclose, owner);
}

Hdf5Group::Hdf5Group(const Hdf5Group& parent, const char* key)
    : file_(parent.file_), prefix_(parent.prefix_ + key + "/") {
  const QuietHdf5 quiet;
  if (!parent.FindLink(key)) parent.Fail(key, "is missing");
  const hid_t group = H5Gopen2(*parent.id_, key, H5P_DEFAULT);
  if (group < 0) parent.Fail(key, "has to be a group");
  id_ = Own(group, H5Gclose, parent.id_);
}

void Hdf5Group::Fail(const std::string& key, const std::string& message) const {
  throw LoadError(*file_, 0, "", "\"" + prefix_ + key + "\" " + message);
}

bool Hdf5Group::FindLink(const char* key) const {
  const QuietHdf5 quiet;
  H5L_info_t info;
  if (H5Lexists(*id_, key, H5P_DEFAULT) <= 0 || H5Lget_info(*id_, key, &info, H5P_DEFAULT) < 0) return false;
  if (info.type != H5L_TYPE_HARD) Fail(key, "is a link; only what is in the file itself is read");
  return true;
}

bool Hdf5Group::Has(const char* key) const {
  return FindLink(key);
}

Hdf5Group Hdf5Group::GetGroup(const char* key) const {
  return Hdf5Group(*this, key);
}

std::vector<std::string> Hdf5Group::ListGroups() const {
  return List(H5O_TYPE_GROUP);
}

std::vector<std::string> Hdf5Group::ListDatasets() const {
  return List(H5O_TYPE_DATASET);
}

std::vector<std::string> Hdf5Group::List(H5O_type_t type) const {
  const QuietHdf5 quiet;
  std::vector<std::string> names;
  const auto add = [](hid_t, const char* name, const H5L_info_t*, void* out) -> herr_t {
    static_cast<std::vector<std::string>*>(out)->push_back(name);
    return 0;
  };
  if (H5Literate(*id_, H5_INDEX_NAME, H5_ITER_INC, nullptr, add, &names) < 0)
    throw LoadError(*file_, 0, "", "its contents cannot be listed");
  std::erase_if(names, [&](const std::string& name) {
    H5O_info_t info;
    return !FindLink(name.c_str()) ||
           H5Oget_info_by_name2(*id_, name.c_str(), &info, H5O_INFO_BASIC, H5P_DEFAULT) < 0 ||
           info.type != type;
  });
  return names;
}

std::string Hdf5Group::GetAttribute(const char* name) const {
  const QuietHdf5 quiet;
  if (H5Aexists(*id_, name) <= 0) return {};
  const Hdf5Handle attribute(H5Aopen(*id_, name, H5P_DEFAULT), H5Aclose);
  const Hdf5Handle type(H5Aget_type(attribute), H5Tclose), space(H5Aget_space(attribute), H5Sclose);
  return ReadText(type, space, [&](hid_t memory, void* out) { return H5Aread(attribute, memory, out); });
}

std::optional<double> Hdf5Group::GetNumberAttribute(const char* name) const {
  const QuietHdf5 quiet;
  if (H5Aexists(*id_, name) <= 0) return {};
  const Hdf5Handle attribute(H5Aopen(*id_, name, H5P_DEFAULT), H5Aclose);
  const Hdf5Handle type(H5Aget_type(attribute), H5Tclose), space(H5Aget_space(attribute), H5Sclose);
  double value = 0.0;
  const H5T_class_t kind = H5Tget_class(type);
  if ((kind != H5T_FLOAT && kind != H5T_INTEGER) || H5Sget_simple_extent_npoints(space) != 1 ||
      H5Aread(attribute, H5T_NATIVE_DOUBLE, &value) < 0)
    return {};
  return value;
}

void Hdf5Group::CheckVersion(int newest) const {
  const double version = GetNumberAttribute("format_version").value_or(0.0);
  if (!(version > newest)) return;
  throw LoadError(*file_, 0, "",
                  "is of format version " + std::to_string(static_cast<long long>(std::min(version, 1e9))) +
                      ", and this engine reads up to " + std::to_string(newest) +
                      ": open it with the engine that wrote it, or a later one");
}

std::string Hdf5Group::GetText(const char* key) const {
  const QuietHdf5 quiet;
  if (!FindLink(key)) Fail(key, "is missing");
  const Hdf5Handle dataset(H5Dopen2(*id_, key, H5P_DEFAULT), H5Dclose);
  const Hdf5Handle type(H5Dget_type(dataset), H5Tclose), space(H5Dget_space(dataset), H5Sclose);
  if (H5Tget_class(type) != H5T_STRING) Fail(key, "has to be a text");
  return ReadText(type, space, [&](hid_t memory, void* out) {
    return H5Dread(dataset, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, out);
  });
}

std::shared_ptr<hid_t> Hdf5Group::OpenNumbers(const char* key, bool integers_only, std::size_t& count,
                                              int dimensions) const {
  if (!FindLink(key)) Fail(key, "is missing");
  const hid_t id = H5Dopen2(*id_, key, H5P_DEFAULT);
  if (id < 0) Fail(key, "has to be a dataset");
  std::shared_ptr<hid_t> dataset = Own(id, H5Dclose);
  const Hdf5Handle type(H5Dget_type(id), H5Tclose), space(H5Dget_space(id), H5Sclose);
  const Hdf5Handle creation(H5Dget_create_plist(id), H5Pclose);
  const H5T_class_t kind = H5Tget_class(type);
  if (kind != H5T_INTEGER && (integers_only || kind != H5T_FLOAT))
    Fail(key, integers_only ? "has to hold integers" : "has to hold numbers");
  if (H5Pget_external_count(creation) != 0 || H5Pget_layout(creation) == H5D_VIRTUAL)
    Fail(key, "is stored in another file; only what is in the file itself is read");
  if (H5Sget_simple_extent_ndims(space) > 1 && dimensions == 1)
    Fail(key, "has to be a list, of one dimension");
  if (H5Sget_simple_extent_ndims(space) != 2 && dimensions == 2)
    Fail(key, "has to be a table, of two dimensions");
  if (H5Sget_simple_extent_ndims(space) > kMostDimensions)
    Fail(key, "has more than " + std::to_string(kMostDimensions) + " dimensions");
  const hssize_t points = H5Sget_simple_extent_npoints(space);
  if (points < 0 || points > kMaxEntries) Fail(key, "is too large");
  count = static_cast<std::size_t>(points);
  const double bytes = static_cast<double>(count) * static_cast<double>(H5Tget_size(type));
  if (bytes > 1e6 && bytes > kLargestCompression * static_cast<double>(H5Dget_storage_size(id)))
    Fail(key, "is larger than what the file holds of it");
  return dataset;
}

std::vector<double> Hdf5Group::ReadDoubles(const char* key, int dimensions, hsize_t* extents) const {
  const QuietHdf5 quiet;
  std::size_t count = 0;
  const std::shared_ptr<hid_t> dataset = OpenNumbers(key, false, count, dimensions);
  if (extents != nullptr) {
    const Hdf5Handle space(H5Dget_space(*dataset), H5Sclose);
    H5Sget_simple_extent_dims(space, extents, nullptr);
  }
  std::vector<double> values(count);
  if (count > 0 && H5Dread(*dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
    Fail(key, "cannot be read");
  return values;
}

std::vector<std::int64_t> Hdf5Group::ReadIntegers(const char* key) const {
  const QuietHdf5 quiet;
  std::size_t count = 0;
  const std::shared_ptr<hid_t> dataset = OpenNumbers(key, true, count);
  std::vector<std::int64_t> values(count);
  if (count > 0 && H5Dread(*dataset, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
    Fail(key, "cannot be read");
  return values;
}

std::int64_t Hdf5Group::GetInteger(const char* key, std::int64_t minimum, std::int64_t maximum) const {
  const std::vector<std::int64_t> values = ReadIntegers(key);
  if (values.size() != 1) Fail(key, "has to be a single integer");
  if (values[0] < minimum || values[0] > maximum)
    Fail(key, "is " + std::to_string(values[0]) + "; it has to be from " + std::to_string(minimum) + " to " +
                  std::to_string(maximum));
  return values[0];
}

std::vector<int> Hdf5Group::GetIntegers(const char* key, int minimum, int maximum) const {
  const std::vector<std::int64_t> values = ReadIntegers(key);
  for (const std::int64_t value : values) {
    if (value < minimum || value > maximum)
      Fail(key, "holds " + std::to_string(value) + "; its numbers have to be from " +
                    std::to_string(minimum) + " to " + std::to_string(maximum));
  }
  return {values.begin(), values.end()};
}

void Hdf5Group::CheckFinite(const char* key, const std::vector<double>& values) const {
  if (!std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); }))
    Fail(key, "holds something that is not a finite number");
}

std::vector<double> Hdf5Group::GetNumbers(const char* key) const {
  return ReadDoubles(key);
}

VectorXd Hdf5Group::GetVector(const char* key) const {
  const std::vector<double> values = ReadDoubles(key);
  CheckFinite(key, values);
  return Eigen::Map<const VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

std::vector<double> Hdf5Group::GetArray(const char* key, std::vector<std::size_t>& extents) const {
  hsize_t sizes[kMostDimensions] = {0, 0, 0};
  std::vector<double> values = ReadDoubles(key, 0, sizes);
  const QuietHdf5 quiet;
  const Hdf5Handle dataset(H5Dopen2(*id_, key, H5P_DEFAULT), H5Dclose);
  const Hdf5Handle space(H5Dget_space(dataset), H5Sclose);
  extents.assign(sizes, sizes + std::max(0, H5Sget_simple_extent_ndims(space)));
  return values;
}

std::vector<std::string> Hdf5Group::GetNames(const char* key) const {
  const QuietHdf5 quiet;
  if (!FindLink(key)) Fail(key, "is missing");
  const Hdf5Handle dataset(H5Dopen2(*id_, key, H5P_DEFAULT), H5Dclose);
  const Hdf5Handle type(H5Dget_type(dataset), H5Tclose), space(H5Dget_space(dataset), H5Sclose);
  if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) > 0)
    Fail(key, "has to be a list of texts of a fixed length");
  const std::size_t length = H5Tget_size(type);
  const hssize_t count = H5Sget_simple_extent_npoints(space);
  const double bytes = static_cast<double>(count) * static_cast<double>(length);
  if (count < 0 || length == 0 || length > kLongestText ||
      (bytes > 1e6 && bytes > kLargestCompression * static_cast<double>(H5Dget_storage_size(dataset))))
    Fail(key, "is larger than what the file holds of it");
  std::string block(static_cast<std::size_t>(count) * length, '\0');
  if (count > 0 && H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, block.data()) < 0)
    Fail(key, "cannot be read");
  std::vector<std::string> names;
  for (std::size_t at = 0; at < block.size(); at += length) {
    const std::string name = block.substr(at, length);
    names.push_back(name.substr(0, name.find('\0')));
  }
  return names;
}

MatrixXd Hdf5Group::GetTable(const char* key) const {
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  hsize_t extents[2] = {0, 0};
  const std::vector<double> values = ReadDoubles(key, 2, extents);
  CheckFinite(key, values);
  return Eigen::Map<const RowMajor>(values.data(), static_cast<Eigen::Index>(extents[0]),
                                    static_cast<Eigen::Index>(extents[1]));
}

VectorXd Hdf5Group::GetVector(const char* key, int size) const {
  VectorXd values = GetVector(key);
  if (values.size() != size)
    Fail(key, "holds " + std::to_string(values.size()) + " values; it needs " + std::to_string(size));
  return values;
}

VectorXd Hdf5Group::GetBounds(const char* key, int size) const {
  const std::vector<double> values = ReadDoubles(key);
  if (values.size() != static_cast<std::size_t>(size))
    Fail(key, "holds " + std::to_string(values.size()) + " values; it needs " + std::to_string(size));
  return Eigen::Map<const VectorXd>(values.data(), size);
}

}  // namespace stiction
#endif

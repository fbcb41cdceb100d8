#ifdef STICTION_WITH_HDF5
#include "io/hdf5/output.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "io/hdf5/handle.h"

namespace stiction {
namespace {

// Of texts of up to `length` bytes.
hid_t MakePaddedType(std::size_t length) {
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, length + 1);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return type;
}

}  // namespace

Hdf5Output::Hdf5Output(std::string path, Mode mode) : path_(std::move(path)) {
  const QuietHdf5 quiet;
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  Check<hid_t>(access);
  if (mode != Mode::kCreateOld) Check(H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110));
  id_ = Check(mode == Mode::kAppend ? H5Fopen(path_.c_str(), H5F_ACC_RDWR, access)
                                    : H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
}

Hdf5Output::~Hdf5Output() {
  const QuietHdf5 quiet;
  if (id_ >= 0) H5Fclose(id_);
}

void Hdf5Output::Fail() const {
  throw std::runtime_error(path_ + ": cannot be written: an error inside the HDF5 library");
}

void Hdf5Output::Write(const std::string& dataset, hid_t file_type, hid_t memory_type, hid_t space,
                       const void* values) {
  const QuietHdf5 quiet;
  const Hdf5Handle link(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  Check(H5Pset_create_intermediate_group(link, 1));
  const Hdf5Handle id(H5Dcreate2(id_, dataset.c_str(), file_type, space, link, H5P_DEFAULT, H5P_DEFAULT),
                      H5Dclose);
  Check<hid_t>(id);
  if (H5Sget_simple_extent_npoints(space) > 0)
    Check(H5Dwrite(id, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
}

void Hdf5Output::WriteIntegers(const std::string& dataset, std::span<const int> values) {
  const hsize_t size = values.size();
  const Hdf5Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose);
  Write(dataset, H5T_STD_I32LE, H5T_NATIVE_INT, space, values.data());
}

void Hdf5Output::WriteNumbers(const std::string& dataset, std::span<const double> values) {
  const hsize_t size = values.size();
  const Hdf5Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose);
  Write(dataset, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, space, values.data());
}

void Hdf5Output::WriteText(const std::string& dataset, const std::string& text) {
  const Hdf5Handle type(MakePaddedType(text.size()), H5Tclose), space(H5Screate(H5S_SCALAR), H5Sclose);
  Write(dataset, type, type, space, text.c_str());
}

void Hdf5Output::WriteTexts(const std::string& dataset, std::span<const std::string> texts) {
  std::size_t longest = 0;
  for (const std::string& text : texts) longest = std::max(longest, text.size());
  std::vector<char> packed(texts.size() * (longest + 1), '\0');
  for (std::size_t i = 0; i < texts.size(); ++i)
    std::copy(texts[i].begin(), texts[i].end(),
              packed.begin() + static_cast<std::ptrdiff_t>(i * (longest + 1)));
  const hsize_t size = texts.size();
  const Hdf5Handle type(MakePaddedType(longest), H5Tclose),
      space(H5Screate_simple(1, &size, nullptr), H5Sclose);
  Write(dataset, type, type, space, packed.data());
}

void Hdf5Output::SetAttribute(const char* name, const std::string& text) {
  const QuietHdf5 quiet;
  const Hdf5Handle type(MakePaddedType(text.size()), H5Tclose), space(H5Screate(H5S_SCALAR), H5Sclose);
  const Hdf5Handle id(H5Acreate2(id_, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  Check<hid_t>(id);
  Check(H5Awrite(id, type, text.c_str()));
}

void Hdf5Output::SetAttribute(const char* name, int value) {
  const QuietHdf5 quiet;
  const Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const Hdf5Handle id(H5Acreate2(id_, name, H5T_STD_I32LE, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  Check<hid_t>(id);
  Check(H5Awrite(id, H5T_NATIVE_INT, &value));
}

void Hdf5Output::Close() {
  const QuietHdf5 quiet;
  Check(H5Fclose(std::exchange(id_, -1)));
}

}  // namespace stiction
#endif

// HDF5 files changed by hand, for tests of readers: with the C library itself.
#pragma once

#include <gtest/gtest.h>
#include <hdf5.h>

#include <string>
#include <vector>

namespace stiction {

class Hdf5Edit {
 public:
  explicit Hdf5Edit(const std::string& path) : file_(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT)) {
    EXPECT_GE(file_, 0);
  }
  ~Hdf5Edit() { H5Fclose(file_); }
  Hdf5Edit(const Hdf5Edit&) = delete;
  Hdf5Edit& operator=(const Hdf5Edit&) = delete;

  void Remove(const std::string& name) { EXPECT_GE(H5Ldelete(file_, name.c_str(), H5P_DEFAULT), 0); }
  void Replace(const std::string& name, const std::vector<int>& values) {
    Write(name, H5T_NATIVE_INT, {values.size()}, values.data());
  }
  void Replace(const std::string& name, const std::vector<double>& values) {
    Write(name, H5T_NATIVE_DOUBLE, {values.size()}, values.data());
  }
  // One column.
  void ReplaceTable(const std::string& name, const std::vector<double>& values) {
    Write(name, H5T_NATIVE_DOUBLE, {values.size(), 1}, values.data());
  }
  void ReplaceText(const std::string& name, const std::string& text) {
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, text.size() + 1);
    Write(name, type, {}, text.c_str());
    H5Tclose(type);
  }
  // Of the file itself.
  void ReplaceAttribute(const std::string& name, int value) {
    H5Adelete(file_, name.c_str());
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t id = H5Acreate2(file_, name.c_str(), H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT);
    EXPECT_GE(H5Awrite(id, H5T_NATIVE_INT, &value), 0) << name;
    H5Aclose(id);
    H5Sclose(space);
  }
  // `size` numbers that the file says it has, and does not.
  void ReplaceHollow(const std::string& name, hsize_t size) {
    Unlink(name);
    const hid_t space = H5Screate_simple(1, &size, nullptr);
    H5Dclose(H5Dcreate2(file_, name.c_str(), H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Sclose(space);
  }
  void ReplaceByLink(const std::string& name, const std::string& other_file) {
    Unlink(name);
    EXPECT_GE(H5Lcreate_external(other_file.c_str(), "/x", file_, name.c_str(), H5P_DEFAULT, H5P_DEFAULT), 0);
  }

 private:
  void Unlink(const std::string& name) {
    if (H5Lexists(file_, name.c_str(), H5P_DEFAULT) > 0) H5Ldelete(file_, name.c_str(), H5P_DEFAULT);
  }
  void Write(const std::string& name, hid_t type, const std::vector<hsize_t>& shape, const void* values) {
    Unlink(name);
    const hid_t space = shape.empty()
                            ? H5Screate(H5S_SCALAR)
                            : H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
    const hid_t id = H5Dcreate2(file_, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    EXPECT_GE(id, 0) << name;
    if (H5Sget_simple_extent_npoints(space) > 0) H5Dwrite(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    H5Dclose(id);
    H5Sclose(space);
  }

  hid_t file_;
};

}  // namespace stiction

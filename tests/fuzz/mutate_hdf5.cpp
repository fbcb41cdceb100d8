#ifdef STICTION_WITH_HDF5
#include <hdf5.h>

#include <array>

#include "io/hdf5/handle.h"
#include "tests/fuzz/mutate.h"

namespace stiction::fuzz {
namespace {

struct Object {
  std::string path;
  bool is_dataset;
};

herr_t ListObject(hid_t, const char* name, const H5O_info_t* info, void* out) {
  if (std::string_view(name) != ".")
    static_cast<std::vector<Object>*>(out)->push_back({name, info->type == H5O_TYPE_DATASET});
  return 0;
}

// A few of its numbers, or all.
void ChangeNumbers(hid_t file, const std::string& path, RandomNumbers& random) {
  const Hdf5Handle dataset(H5Dopen2(file, path.c_str(), H5P_DEFAULT), H5Dclose);
  const Hdf5Handle space(H5Dget_space(dataset), H5Sclose);
  const hssize_t count = H5Sget_simple_extent_npoints(space);
  if (count <= 0 || count > 100'000) return;
  const Hdf5Handle type(H5Dget_type(dataset), H5Tclose);
  if (H5Tget_class(type) == H5T_STRING) return;
  std::vector<double> values(static_cast<std::size_t>(count));
  if (H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0) return;
  const int changes = 1 + random.Index(3);
  for (int k = 0; k < changes; ++k) {
    double& value = values[static_cast<std::size_t>(random.Index(static_cast<int>(count)))];
    value = random.Index(3) == 0 ? value + random.Index(7) - 3 : MakeHostileNumber(random);
  }
  H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
}

// A dataset in its place of another type and shape, or one that claims more than it holds.
void ReplaceDataset(hid_t file, const std::string& path, RandomNumbers& random) {
  if (H5Ldelete(file, path.c_str(), H5P_DEFAULT) < 0) return;
  const int rank = random.Index(4);
  std::array<hsize_t, 3> extents{};
  for (hsize_t& extent : extents) extent = static_cast<hsize_t>(random.Index(5));
  if (random.Index(8) == 0) extents[0] = hsize_t{1} << random.Index(40);
  const Hdf5Handle space(rank == 0 ? H5Screate(random.Index(2) == 0 ? H5S_SCALAR : H5S_NULL)
                                   : H5Screate_simple(rank, extents.data(), nullptr),
                         H5Sclose);
  const std::array<hid_t, 6> types{H5T_NATIVE_DOUBLE, H5T_NATIVE_FLOAT, H5T_STD_I8BE,
                                   H5T_STD_U64LE,     H5T_C_S1,         H5T_STD_REF_OBJ};
  const Hdf5Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  if (extents[0] > 1000 && rank > 0) {  // chunked, so that what is not written takes no place
    const std::array<hsize_t, 3> chunk{16, 1, 1};
    H5Pset_chunk(properties, rank, chunk.data());
  }
  const hid_t type = types[static_cast<std::size_t>(random.Index(6))];
  const Hdf5Handle made(H5Dcreate2(file, path.c_str(), type, space, H5P_DEFAULT, properties, H5P_DEFAULT),
                        H5Dclose);
}

void ChangeLink(hid_t file, const std::vector<Object>& objects, const std::string& path,
                RandomNumbers& random) {
  if (H5Ldelete(file, path.c_str(), H5P_DEFAULT) < 0) return;
  const std::string& other =
      objects[static_cast<std::size_t>(random.Index(static_cast<int>(objects.size())))].path;
  switch (random.Index(5)) {
    case 0:
      H5Lcreate_hard(file, other.c_str(), file, path.c_str(), H5P_DEFAULT, H5P_DEFAULT);
      return;
    case 1:
      H5Lcreate_soft(("/" + other).c_str(), file, path.c_str(), H5P_DEFAULT, H5P_DEFAULT);
      return;
    case 2:
      H5Lcreate_external("/etc/passwd", "/x", file, path.c_str(), H5P_DEFAULT, H5P_DEFAULT);
      return;
    case 3: {
      const Hdf5Handle group(H5Gcreate2(file, path.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
      return;
    }
    default:
      return;
  }
}

void ChangeFile(hid_t file, RandomNumbers& random) {
  std::vector<Object> objects;
  H5Ovisit(file, H5_INDEX_NAME, H5_ITER_INC, ListObject, &objects);
  if (objects.empty()) return;
  const Object& object = objects[static_cast<std::size_t>(random.Index(static_cast<int>(objects.size())))];
  const int kind = random.Index(6);
  if (object.is_dataset && kind <= 3)
    ChangeNumbers(file, object.path, random);
  else if (object.is_dataset && kind == 4)
    ReplaceDataset(file, object.path, random);
  else if (object.is_dataset || kind == 0)
    ChangeLink(file, objects, object.path, random);
}

}  // namespace

std::string MutateHdf5(const std::string& image, RandomNumbers& random, const ByteMutation& mutate_bytes,
                       std::size_t max_bytes) {
  const QuietHdf5 quiet;
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_fapl_core(access, std::size_t{1} << 16, false);
  H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110);
  H5Pset_file_image(access, const_cast<char*>(image.data()), image.size());
  const Hdf5Handle file(H5Fopen("fuzzed.h5", H5F_ACC_RDWR, access), H5Fclose);
  if (file < 0) return mutate_bytes(image, max_bytes);
  const int changes = 1 + random.Index(8);
  for (int k = 0; k < changes; ++k) ChangeFile(file, random);
  H5Fflush(file, H5F_SCOPE_LOCAL);
  const ssize_t size = H5Fget_file_image(file, nullptr, 0);
  if (size <= 0) return image;
  std::string out(static_cast<std::size_t>(size), '\0');
  H5Fget_file_image(file, out.data(), out.size());
  return out;
}

}  // namespace stiction::fuzz
#endif

#ifdef STICTION_WITH_HDF5
#include "io/log/hdf5_driver.h"

#include <algorithm>
#include <array>
#include <bit>
#include <memory>

namespace stiction {
namespace {

// What HDF5 holds of an open file. The public part comes first: HDF5 knows nothing of the rest.
struct DriverFile {
  H5FD_t shared{};
  LogFile* file = nullptr;
  haddr_t allocated_end = 0;
};

DriverFile& Cast(H5FD_t* file) {
  return *reinterpret_cast<DriverFile*>(file);
}
const DriverFile& Cast(const H5FD_t* file) {
  return *reinterpret_cast<const DriverFile*>(file);
}

H5FD_t* Open(const char*, unsigned, hid_t access, haddr_t) {
  const auto* target = static_cast<LogFile* const*>(H5Pget_driver_info(access));
  if (!target) return nullptr;
  auto file = std::make_unique<DriverFile>();
  file->file = *target;
  return &file.release()->shared;
}

herr_t Close(H5FD_t* file) {
  delete &Cast(file);
  return 0;
}

herr_t Query(const H5FD_t*, unsigned long* flags) {
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
           H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_SUPPORTS_SWMR_IO | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

haddr_t GetAllocatedEnd(const H5FD_t* file, H5FD_mem_t) {
  return Cast(file).allocated_end;
}

herr_t SetAllocatedEnd(H5FD_t* file, H5FD_mem_t, haddr_t end) {
  Cast(file).allocated_end = end;
  return 0;
}

haddr_t GetEnd(const H5FD_t* file, H5FD_mem_t) {
  return static_cast<haddr_t>(Cast(file).file->end_with_memory());
}

herr_t Read(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t offset, std::size_t size, void* data) {
  Cast(file).file->Read(static_cast<std::int64_t>(offset), data, size);
  return 0;
}

herr_t Write(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t offset, std::size_t size, const void* data) {
  Cast(file).file->Write(static_cast<std::int64_t>(offset), data, size);
  return 0;
}

// At the end of a file that is closed: the size that its superblock names.
herr_t Truncate(H5FD_t* file, hid_t, hbool_t is_closing) {
  LogFile& log = *Cast(file).file;
  if (is_closing && !log.failed()) log.Resize(static_cast<std::int64_t>(Cast(file).allocated_end));
  return 0;
}

H5FD_class_t MakeDriver() {
  H5FD_class_t driver{};
  driver.name = "stiction_log";
  driver.maxaddr = static_cast<haddr_t>(INT64_MAX);
  driver.fc_degree = H5F_CLOSE_STRONG;
  driver.fapl_size = sizeof(LogFile*);
  driver.open = Open;
  driver.close = Close;
  driver.query = Query;
  driver.get_eoa = GetAllocatedEnd;
  driver.set_eoa = SetAllocatedEnd;
  driver.get_eof = GetEnd;
  driver.read = Read;
  driver.write = Write;
  driver.truncate = Truncate;
  const H5FD_mem_t map[] = H5FD_FLMAP_DICHOTOMY;
  std::copy(std::begin(map), std::end(map), driver.fl_map);
  return driver;
}

constexpr int kSuperblockSize = 48;
constexpr int kVersionAt = 8, kFlagsAt = 11, kEndAt = 28, kChecksumAt = 44;
using Superblock = std::array<unsigned char, kSuperblockSize>;

std::uint32_t LoadWord(const unsigned char* bytes, int size = 4) {
  std::uint32_t word = 0;
  for (int i = 0; i < size; ++i) word |= static_cast<std::uint32_t>(bytes[i]) << (8 * i);
  return word;
}

// lookup3 of the bytes before the checksum: 3 full blocks of 12 and a last one of 8.
std::uint32_t CalcChecksum(const Superblock& block) {
  std::uint32_t a = 0xdeadbeef + kChecksumAt, b = a, c = a;
  const auto mix = [](std::uint32_t& x, std::uint32_t& y, std::uint32_t& z, int bits) {
    x -= z;
    x ^= std::rotl(z, bits);
    z += y;
  };
  int at = 0;
  for (; kChecksumAt - at > 12; at += 12) {
    a += LoadWord(&block[at]), b += LoadWord(&block[at + 4]), c += LoadWord(&block[at + 8]);
    mix(a, b, c, 4), mix(b, c, a, 6), mix(c, a, b, 8), mix(a, b, c, 16), mix(b, c, a, 19), mix(c, a, b, 4);
  }
  a += LoadWord(&block[at]), b += LoadWord(&block[at + 4]);
  const auto final_mix = [](std::uint32_t& x, std::uint32_t y, int bits) {
    x ^= y;
    x -= std::rotl(y, bits);
  };
  final_mix(c, b, 14), final_mix(a, c, 11), final_mix(b, a, 25), final_mix(c, b, 16);
  final_mix(a, c, 4), final_mix(b, a, 14), final_mix(c, b, 24);
  return c;
}

void StoreBytes(std::uint64_t value, int size, unsigned char* bytes) {
  for (int i = 0; i < size; ++i) bytes[i] = static_cast<unsigned char>(value >> (8 * i));
}

// Kept as long as the process runs: HDF5 1.10 closes a file through its driver after it has let go of that,
// and the last file would find it freed. Anew after the library was closed.
hid_t FindDriver() {
  static const H5FD_class_t driver = MakeDriver();
  static hid_t id = -1;
  if (id < 0 || H5Iis_valid(id) <= 0) id = H5FDregister(&driver);
  return id;
}

}  // namespace

hid_t MakeLogFileAccess(LogFile& file) {
  const hid_t driver_id = FindDriver();
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  LogFile* const target = &file;
  const bool ok = H5Pset_driver(access, driver_id, &target) >= 0 &&
                  H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110) >= 0;
  if (ok) return access;
  if (access >= 0) H5Pclose(access);
  return -1;
}

void Seal(LogFile& file, std::int64_t end) {
  Superblock block;
  file.ReadDisk(0, block.data(), block.size());
  if (block[kVersionAt] != 3 || CalcChecksum(block) != LoadWord(&block[kChecksumAt])) return;
  // Refused, for example by a limit on the size of files: then up to what is there.
  if (!file.Resize(end)) end = file.end();
  block[kFlagsAt] = 0;
  StoreBytes(static_cast<std::uint64_t>(end), 8, &block[kEndAt]);
  StoreBytes(CalcChecksum(block), 4, &block[kChecksumAt]);
  file.Overwrite(0, block.data(), block.size());
}

}  // namespace stiction
#endif

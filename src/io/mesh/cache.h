// Mesh shapes kept on disk between runs. Nothing here throws: a cache that cannot be used is done without.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "io/mesh/mesh_file.h"

namespace stiction::mesh_cache {

// 128 bits over data in blocks of 8 bytes: multiply, rotate, mix. Two lanes with different constants, so that
// unequal files meet with odds of about 2^-128; not meant against an adversary, who would need to write into
// the user's own folder.
class Hash {
 public:
  void Add(std::string_view bytes);
  // After everything is added.
  std::array<std::uint64_t, 2> Finish() const;

 private:
  void AddWord(std::uint64_t word);
  std::uint64_t a_ = 0x243F6A8885A308D3u, b_ = 0x13198A2E03707344u;  // digits of pi
};

// The name of the entry for what this version of the engine makes of these bytes and three numbers.
//   kind  the end of the name: "hull", "sdf"
std::string EntryName(std::string_view bytes, const Vector3d& numbers, std::string_view kind = "hull");

// The bytes stored under the name, if they are there and whole; and a way to put them there, beside the place
// and renamed into it, so that nobody ever reads half of them.
std::optional<std::string> FindBytes(const std::string& entry);
void StoreBytes(const std::string& entry, std::string_view content);

// The same for shapes.
std::optional<MeshShape> Find(const std::string& entry);
void Store(const std::string& entry, const MeshShape& shape);

}  // namespace stiction::mesh_cache

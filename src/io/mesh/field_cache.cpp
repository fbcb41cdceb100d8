#include "io/mesh/field_cache.h"

#include <cstring>
#include <optional>

#include "geometry/sampled_grid.h"
#include "io/mesh/cache.h"
#include "io/mesh/format.h"

namespace stiction {
namespace {

// What stands before the samples.
struct Head {
  double origin[3], spacing, lower[3], upper[3];
  std::int32_t counts[3];
  std::int32_t unused = 0;
};

std::string Encode(const SampledGrid& grid) {
  Head head{};
  Eigen::Map<Vector3d>(head.origin) = grid.origin;
  Eigen::Map<Vector3d>(head.lower) = grid.solid_bounds.min();
  Eigen::Map<Vector3d>(head.upper) = grid.solid_bounds.max();
  head.spacing = grid.spacing;
  for (int i = 0; i < 3; ++i) head.counts[i] = grid.counts[i];
  std::string bytes(reinterpret_cast<const char*>(&head), sizeof head);
  bytes.append(reinterpret_cast<const char*>(grid.values.data()), grid.values.size() * sizeof(float));
  return bytes;
}

// None unless there are as many samples as the head says.
std::optional<SampledGrid> Decode(const std::string& bytes) {
  Head head;
  if (bytes.size() < sizeof head) return std::nullopt;
  std::memcpy(&head, bytes.data(), sizeof head);
  SampledGrid grid;
  grid.origin = Eigen::Map<Vector3d>(head.origin);
  grid.spacing = head.spacing;
  grid.solid_bounds = {Vector3d(head.lower), Vector3d(head.upper)};
  double nodes = 1.0;
  for (int i = 0; i < 3; ++i) {
    if (head.counts[i] < 2) return std::nullopt;
    grid.counts[i] = head.counts[i];
    nodes *= head.counts[i];
  }
  const std::size_t count = (bytes.size() - sizeof head) / sizeof(float);
  if (nodes != static_cast<double>(count) || bytes.size() != sizeof head + count * sizeof(float))
    return std::nullopt;
  grid.values.resize(count);
  std::memcpy(grid.values.data(), bytes.data() + sizeof head, count * sizeof(float));
  return grid;
}

}  // namespace

DistanceField LoadSampledField(const TriangleMesh& mesh, double spacing) {
  const std::string entry =
      mesh_cache::EntryName(mesh_format::PackMesh(mesh), Vector3d(spacing, 0, 0), "sdf");
  if (const auto bytes = mesh_cache::FindBytes(entry)) {
    if (std::optional<SampledGrid> grid = Decode(*bytes)) {
      grid->mesh = std::make_shared<const TriangleMesh>(mesh);
      return MakeSampledField(*std::move(grid));
    }
  }
  SampledGrid grid = SampleMesh(mesh, spacing);
  mesh_cache::StoreBytes(entry, Encode(grid));
  return MakeSampledField(std::move(grid));
}

}  // namespace stiction

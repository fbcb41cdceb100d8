// Sensors of the least distance between two geoms or bodies.
#include <algorithm>
#include <variant>

#include "sim/sensor_values.h"
#include "stiction/collision/scene_query.h"

namespace stiction {
namespace {

// Two planes meet somewhere: that is no distance to measure.
bool HaveDistance(const Geom& a, const Geom& b) {
  return !(std::holds_alternative<Plane>(a.shape) && std::holds_alternative<Plane>(b.shape));
}

bool IsOn(const Geom& geom, int index, const ContactSide& side) {
  return side.geom >= 0 ? index == side.geom : geom.body == side.body;
}

// The nearest points of the two sides that are less than the cutoff apart.
std::optional<Distance> FindNearest(const SensorContext& in, const Sensor& sensor) {
  const std::vector<Geom>& geoms = in.model.geoms;
  const std::vector<RigidTransform>& X_WG = in.kin.X_WG;
  std::optional<Distance> nearest;
  double reach = sensor.cutoff;
  for (int a = 0; a < in.model.num_geoms(); ++a) {
    if (!IsOn(geoms[a], a, sensor.side_a)) continue;
    for (int b = 0; b < in.model.num_geoms(); ++b) {
      if (a == b || !IsOn(geoms[b], b, sensor.side_b) || !HaveDistance(geoms[a], geoms[b])) continue;
      const Distance distance = CalcDistance(geoms[a].shape, X_WG[a], geoms[b].shape, X_WG[b], reach);
      if (distance.distance >= reach) continue;
      reach = distance.distance;
      nearest = distance;
    }
  }
  return nearest;
}

}  // namespace

void CalcNearest(const SensorContext& in, const Sensor& sensor, double* out) {
  const std::optional<Distance> nearest = FindNearest(in, sensor);
  const auto write = [out](int place, const Vector3d& vector) { std::copy_n(vector.data(), 3, out + place); };
  switch (sensor.type) {
    case SensorType::kNearestDistance:
      *out = nearest ? nearest->distance : sensor.cutoff;
      return;
    case SensorType::kNearestNormal:
      if (!nearest) return write(0, Vector3d::Zero());
      return write(0, nearest->distance < 0.0 ? Vector3d(-nearest->n_W) : nearest->n_W);
    default:
      write(0, nearest ? nearest->p_WA : Vector3d::Zero());
      write(3, nearest ? nearest->p_WB : Vector3d::Zero());
  }
}

}  // namespace stiction

#include "geometry/sampled_grid.h"

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

// The interpolant within a cell and its gradient, from the eight values; at `t` in [0, 1]³ of the cell.
FieldSample Interpolate(const SampledGrid& grid, const std::array<int, 3>& cell, const Vector3d& t) {
  const auto at = [&](int i, int j, int k) {
    return static_cast<double>(grid.values[grid.Index(cell[0] + i, cell[1] + j, cell[2] + k)]);
  };
  double faces[2], faces_x[2], faces_y[2];  // at z = 0 and 1: value and derivatives
  for (int k = 0; k < 2; ++k) {
    const double dx0 = at(1, 0, k) - at(0, 0, k), dx1 = at(1, 1, k) - at(0, 1, k);
    const double row0 = at(0, 0, k) + t.x() * dx0, row1 = at(0, 1, k) + t.x() * dx1;
    faces_x[k] = dx0 + t.y() * (dx1 - dx0);
    faces_y[k] = row1 - row0;
    faces[k] = row0 + t.y() * faces_y[k];
  }
  const double z = t.z();
  const Vector3d slope(faces_x[0] + z * (faces_x[1] - faces_x[0]), faces_y[0] + z * (faces_y[1] - faces_y[0]),
                       faces[1] - faces[0]);
  return {faces[0] + z * slope.z(), slope / grid.spacing};
}

}  // namespace

FieldSample SampledGrid::Evaluate(const Vector3d& p) const {
  Vector3d t;
  Vector3d beyond = Vector3d::Zero();  // from the grid's nearest point to p
  std::array<int, 3> cell;
  for (int i = 0; i < 3; ++i) {
    const double inside = std::clamp(p[i], origin[i], origin[i] + spacing * (counts[i] - 1));
    beyond[i] = p[i] - inside;
    const double x = (inside - origin[i]) / spacing;
    cell[i] = std::min(static_cast<int>(x), counts[i] - 2);
    t[i] = x - cell[i];
  }
  FieldSample sample = Interpolate(*this, cell, t);
  if (!beyond.isZero(0.0)) {
    // φ² = |p - c|² + b(c)² with c the grid's nearest point, which moves with p only along the grid's face.
    const double value = std::hypot(beyond.stableNorm(), sample.value);
    for (int i = 0; i < 3; ++i) {
      sample.gradient[i] = (beyond[i] == 0.0 ? sample.value * sample.gradient[i] : beyond[i]) / value;
    }
    sample.value = value;
  }
  const double steepness = sample.gradient.norm();
  sample.gradient = steepness > 0.0 ? Vector3d(sample.gradient / steepness) : Vector3d::UnitZ();
  return sample;
}

}  // namespace stiction

// Builds field programs: leaves with checked sizes, and operations that join programs.
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "geometry/field_program.h"
#include "geometry/point_range.h"

namespace stiction {
namespace {

void CheckDepth(const FieldProgram& program) {
  if (std::max(program.sample_depth, program.frame_depth) <= kMaxFieldDepth) return;
  throw std::invalid_argument("distance field: operations are nested deeper than " +
                              std::to_string(kMaxFieldDepth) +
                              "; unite many fields one after another, as unite(unite(a, b), c)");
}

DistanceField Finish(FieldProgram program) {
  CheckDepth(program);
  const EnterFrame* enter = std::get_if<EnterFrame>(&program.nodes.front());
  program.is_shifted_leaf = program.nodes.size() == 3 && enter && enter->is_shift;
  return DistanceField(std::make_shared<const FieldProgram>(std::move(program)));
}

DistanceField Join(const DistanceField& a, const DistanceField& b, FieldNode operation,
                   const Eigen::AlignedBox3d& bounds) {
  FieldProgram program = a.program();
  const FieldProgram& second = b.program();
  program.nodes.insert(program.nodes.end(), second.nodes.begin(), second.nodes.end());
  program.nodes.push_back(std::move(operation));
  program.bounds = bounds;
  program.sample_depth = std::max(program.sample_depth, 1 + second.sample_depth);
  program.frame_depth = std::max(program.frame_depth, second.frame_depth);
  return Finish(std::move(program));
}

DistanceField Append(const DistanceField& field, FieldNode operation, const Eigen::AlignedBox3d& bounds) {
  FieldProgram program = field.program();
  program.nodes.push_back(std::move(operation));
  program.bounds = bounds;
  return Finish(std::move(program));
}

Eigen::AlignedBox3d Grow(Eigen::AlignedBox3d box, double distance) {
  if (box.isEmpty()) return box;
  box.min().array() -= distance;
  box.max().array() += distance;
  return box.isEmpty() ? Eigen::AlignedBox3d() : box;
}

DistanceField MoveAndScale(const RigidTransform& X_GF, double scale, const DistanceField& field,
                           const Eigen::AlignedBox3d& bounds) {
  FieldProgram program = field.program();
  const bool is_shift = scale == 1.0 && X_GF.R.isIdentity(0.0);
  program.nodes.insert(program.nodes.begin(), EnterFrame{X_GF, scale, is_shift});
  program.nodes.push_back(LeaveFrame{X_GF.R, scale, is_shift});
  program.bounds = bounds;
  ++program.frame_depth;
  return Finish(std::move(program));
}

// Box of the moved box; an infinite one moves to all of space, where 0 · ∞ would have no value.
Eigen::AlignedBox3d MoveBounds(const RigidTransform& X_GF, const Eigen::AlignedBox3d& box) {
  if (box.isEmpty()) return box;
  if (X_GF.R.isIdentity(0.0)) return {box.min() + X_GF.p, box.max() + X_GF.p};
  if (!box.sizes().allFinite()) {
    const Vector3d infinite = Vector3d::Constant(std::numeric_limits<double>::infinity());
    return {-infinite, infinite};
  }
  const Vector3d center = X_GF * box.center(), half = X_GF.R.cwiseAbs() * box.sizes() / 2.0;
  return {center - half, center + half};
}

}  // namespace

DistanceField MakeField(FieldNode leaf, const Eigen::AlignedBox3d& bounds) {
  FieldProgram program;
  program.nodes.push_back(std::move(leaf));
  program.bounds = bounds;
  return Finish(std::move(program));
}

DistanceField Unite(const DistanceField& a, const DistanceField& b) {
  return Join(a, b, UniteNode{}, a.bounds().merged(b.bounds()));
}

DistanceField Intersect(const DistanceField& a, const DistanceField& b) {
  const Eigen::AlignedBox3d both = a.bounds().intersection(b.bounds());
  return Join(a, b, IntersectNode{}, both.isEmpty() ? Eigen::AlignedBox3d() : both);
}

DistanceField Subtract(const DistanceField& a, const DistanceField& b) {
  return Join(a, b, SubtractNode{}, a.bounds());
}

DistanceField Offset(const DistanceField& field, double distance) {
  if (!std::isfinite(distance)) throw std::invalid_argument("distance field: an offset must be finite");
  return Append(field, OffsetNode{distance}, Grow(field.bounds(), distance));
}

DistanceField MakeShellField(const DistanceField& field, double thickness) {
  if (!(thickness > 0.0 && std::isfinite(thickness))) {
    throw std::invalid_argument("distance field: a shell's thickness must be positive and finite, got " +
                                std::to_string(thickness));
  }
  return Append(field, ShellNode{thickness}, Grow(field.bounds(), thickness));
}

DistanceField Transform(const RigidTransform& X_GF, const DistanceField& field) {
  if (!X_GF.R.isUnitary(1e-9) || !X_GF.p.allFinite()) {
    throw std::invalid_argument("distance field: a pose must be a rotation and a finite position");
  }
  return MoveAndScale(X_GF, 1.0, field, MoveBounds(X_GF, field.bounds()));
}

DistanceField Scale(const DistanceField& field, double factor) {
  // Its inverse, too, has to be a number.
  if (!(factor >= kSmallestExtent && factor <= kLargestCoordinate))
    throw std::invalid_argument("distance field: a scale must be positive, between 1e-50 and 1e50");
  Eigen::AlignedBox3d bounds = field.bounds();
  if (!bounds.isEmpty()) bounds = {factor * bounds.min(), factor * bounds.max()};
  return MoveAndScale({}, factor, field, bounds);
}

}  // namespace stiction

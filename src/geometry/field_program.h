// A distance field as a flat program in postfix order. Private to the library.
//
//   difference(box, move(X, cylinder))  =  [ box | enter X | cylinder | leave X | subtract ]
//
// A leaf pushes its sample, an operation replaces the top of the stack of samples. `enter` pushes the point
// in the moved frame onto a second stack, `leave` pops it and brings the sample back.
#pragma once

#include <memory>
#include <variant>
#include <vector>

#include "geometry/field_leaves.h"
#include "geometry/sampled_grid.h"

namespace stiction {

// A grid is large: fields share it.
struct SampledLeaf {
  std::shared_ptr<const SampledGrid> grid;
  FieldSample Evaluate(const Vector3d& p) const { return grid->Evaluate(p); }
  Eigen::AlignedBox3d CalcBounds() const { return grid->solid_bounds; }
};

struct UniteNode {};
struct IntersectNode {};
struct SubtractNode {};
struct OffsetNode {
  double distance;
};
struct ShellNode {
  double thickness;
};
// Frame F, at pose X_GF and magnified: p_G = X_GF (scale p_F).
struct EnterFrame {
  RigidTransform X_GF;
  double scale;
  bool is_shift;  // neither turned nor magnified
};
struct LeaveFrame {
  Matrix3d R_GF;
  double scale;
  bool is_shift;
};

using FieldNode =
    std::variant<SphereField, BoxField, CapsuleField, CylinderField, EllipsoidField, TorusField,
                 HalfSpaceField, HexagonField, RevolvedField, ThreadField, NutField, SampledLeaf, UniteNode,
                 IntersectNode, SubtractNode, OffsetNode, ShellNode, EnterFrame, LeaveFrame>;

struct FieldProgram {
  std::vector<FieldNode> nodes;
  Eigen::AlignedBox3d bounds;
  int sample_depth = 1;  // largest size of either stack while it runs
  int frame_depth = 1;
  bool is_shifted_leaf = false;  // enter by a shift, a leaf, leave: run without stacks
};

constexpr int kMaxFieldDepth = 32;

// One leaf.
DistanceField MakeField(FieldNode leaf, const Eigen::AlignedBox3d& bounds);

}  // namespace stiction

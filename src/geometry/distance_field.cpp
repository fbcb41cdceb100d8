#include "stiction/geometry/distance_field.h"

#include "geometry/field_program.h"

namespace stiction {
namespace {

FieldSample Negate(const FieldSample& sample) {
  return {-sample.value, -sample.gradient};
}

// Runs a program: the two stacks, and what each node does to them.
class FieldMachine {
 public:
  explicit FieldMachine(const Vector3d& p) { points_[0] = p; }

  template <typename Leaf>
  requires requires(const Leaf& leaf, const Vector3d& p) { leaf.Evaluate(p); }
  void operator()(const Leaf& leaf) { samples_[num_samples_++] = leaf.Evaluate(points_[num_frames_]); }
  void operator()(const UniteNode&) {
    const FieldSample& b = Pop();
    if (b.value < Top().value) Top() = b;
  }
  void operator()(const IntersectNode&) {
    const FieldSample& b = Pop();
    if (b.value > Top().value) Top() = b;
  }
  void operator()(const SubtractNode&) {
    const FieldSample outside = Negate(Pop());
    if (outside.value > Top().value) Top() = outside;
  }
  void operator()(const OffsetNode& offset) { Top().value -= offset.distance; }
  void operator()(const ShellNode& shell) {
    if (Top().value < 0.0) Top() = Negate(Top());
    Top().value -= shell.thickness;
  }
  void operator()(const EnterFrame& enter) {
    const Vector3d from_F = points_[num_frames_] - enter.X_GF.p;
    points_[++num_frames_] =
        enter.is_shift ? from_F : Vector3d(enter.X_GF.R.transpose() * from_F / enter.scale);
  }
  void operator()(const LeaveFrame& leave) {
    --num_frames_;
    if (!leave.is_shift) Top() = {leave.scale * Top().value, leave.R_GF * Top().gradient};
  }

  const FieldSample& result() const { return samples_[0]; }

 private:
  FieldSample& Top() { return samples_[num_samples_ - 1]; }
  const FieldSample& Pop() { return samples_[--num_samples_]; }

  Vector3d points_[kMaxFieldDepth];
  FieldSample samples_[kMaxFieldDepth];
  int num_frames_ = 0, num_samples_ = 0;
};

struct LeafAlone {
  const Vector3d& p;

  template <typename Node>
  FieldSample operator()(const Node& node) const {
    if constexpr (requires { node.Evaluate(p); }) {
      return node.Evaluate(p);
    } else {
      return {0.0, Vector3d::UnitX()};  // no leaf
    }
  }
};

}  // namespace

FieldSample DistanceField::Evaluate(const Vector3d& p) const {
  if (program_->is_shifted_leaf) {
    const Vector3d p_F = p - std::get_if<EnterFrame>(&program_->nodes[0])->X_GF.p;
    return std::visit(LeafAlone{p_F}, program_->nodes[1]);
  }
  FieldMachine machine(p);
  for (const FieldNode& node : program_->nodes) std::visit(machine, node);
  return machine.result();
}

const Eigen::AlignedBox3d& DistanceField::bounds() const {
  return program_->bounds;
}

}  // namespace stiction

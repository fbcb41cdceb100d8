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
    const Vector3d& p_G = points_[num_frames_];
    points_[num_frames_ + 1] = enter.X_GF.R.transpose() * (p_G - enter.X_GF.p) / enter.scale;
    ++num_frames_;
  }
  void operator()(const LeaveFrame& leave) {
    --num_frames_;
    Top() = {leave.scale * Top().value, leave.R_GF * Top().gradient};
  }

  const FieldSample& result() const { return samples_[0]; }

 private:
  FieldSample& Top() { return samples_[num_samples_ - 1]; }
  const FieldSample& Pop() { return samples_[--num_samples_]; }

  Vector3d points_[kMaxFieldDepth];
  FieldSample samples_[kMaxFieldDepth];
  int num_frames_ = 0, num_samples_ = 0;
};

}  // namespace

FieldSample DistanceField::Evaluate(const Vector3d& p) const {
  FieldMachine machine(p);
  for (const FieldNode& node : program_->nodes) std::visit(machine, node);
  return machine.result();
}

const Eigen::AlignedBox3d& DistanceField::bounds() const {
  return program_->bounds;
}

}  // namespace stiction

// Runs a field's program: the two stacks, and what each node does to them. For one point, or a pack of them.
// Private to the library.
#pragma once

#include <variant>

#include "geometry/field_pack.h"
#include "geometry/field_program.h"

namespace stiction {

inline FieldSample Negate(const FieldSample& sample) {
  return {-sample.value, -sample.gradient};
}
inline FieldSamplePack Negate(const FieldSamplePack& sample) {
  return {-sample.value, {-sample.gradient.x, -sample.gradient.y, -sample.gradient.z}};
}

// b where `is_b`, else a.
inline const FieldSample& Choose(bool is_b, const FieldSample& b, const FieldSample& a) {
  return is_b ? b : a;
}
inline FieldSamplePack Choose(const PackMask& is_b, const FieldSamplePack& b, const FieldSamplePack& a) {
  return {Select(is_b, b.value, a.value),
          {Select(is_b, b.gradient.x, a.gradient.x), Select(is_b, b.gradient.y, a.gradient.y),
           Select(is_b, b.gradient.z, a.gradient.z)}};
}

inline Vector3d Shift(const Vector3d& p, const Vector3d& origin) {
  return p - origin;
}

inline Vector3d Divide(const Vector3d& v, double scale) {
  return v / scale;
}
inline VectorPack Divide(const VectorPack& v, double scale) {
  return {v.x / scale, v.y / scale, v.z / scale};
}

inline Vector3d Rotate(const Matrix3d& R, const Vector3d& v) {
  return R * v;
}

template <typename Leaf>
concept IsFieldLeaf = requires(const Leaf& leaf, const Vector3d& p) {
  leaf.Evaluate(p);
};

template <typename Leaf>
FieldSample EvaluateLeaf(const Leaf& leaf, const Vector3d& p) {
  return leaf.Evaluate(p);
}
// One after the other where the leaf knows no better.
template <typename Leaf>
FieldSamplePack EvaluateLeaf(const Leaf& leaf, const VectorPack& p) {
  if constexpr (requires { leaf.EvaluatePack(p); }) {
    return leaf.EvaluatePack(p);
  } else {
    FieldSamplePack out;
    for (int k = 0; k < kPackSize; ++k) {
      const FieldSample one = leaf.Evaluate(p[k]);
      out.value[k] = one.value;
      out.gradient.x[k] = one.gradient.x();
      out.gradient.y[k] = one.gradient.y();
      out.gradient.z[k] = one.gradient.z();
    }
    return out;
  }
}

//   Point, Sample  Vector3d and FieldSample, or packs of them
template <typename Point, typename Sample>
class FieldMachine {
 public:
  static Sample Run(const FieldProgram& program, const Point& p) {
    if (program.is_shifted_leaf) {
      const Point p_F = Shift(p, std::get_if<EnterFrame>(&program.nodes[0])->X_GF.p);
      return std::visit(LeafAlone{p_F}, program.nodes[1]);
    }
    FieldMachine machine(p);
    for (const FieldNode& node : program.nodes) std::visit(machine, node);
    return machine.samples_[0];
  }

  template <IsFieldLeaf Leaf>
  void operator()(const Leaf& leaf) {
    samples_[num_samples_++] = EvaluateLeaf(leaf, points_[num_frames_]);
  }
  void operator()(const UniteNode&) {
    const Sample& b = Pop();
    Top() = Choose(b.value < Top().value, b, Top());
  }
  void operator()(const IntersectNode&) {
    const Sample& b = Pop();
    Top() = Choose(b.value > Top().value, b, Top());
  }
  void operator()(const SubtractNode&) {
    const Sample outside = Negate(Pop());
    Top() = Choose(outside.value > Top().value, outside, Top());
  }
  void operator()(const OffsetNode& offset) { Top().value -= offset.distance; }
  void operator()(const ShellNode& shell) {
    Top() = Choose(Top().value < 0.0, Negate(Top()), Top());
    Top().value -= shell.thickness;
  }
  void operator()(const EnterFrame& enter) {
    const Point from_F = Shift(points_[num_frames_], enter.X_GF.p);
    points_[++num_frames_] =
        enter.is_shift ? from_F : Divide(Rotate(enter.X_GF.R.transpose(), from_F), enter.scale);
  }
  void operator()(const LeaveFrame& leave) {
    --num_frames_;
    if (leave.is_shift) return;
    Top().value *= leave.scale;
    Top().gradient = Rotate(leave.R_GF, Top().gradient);
  }

 private:
  struct LeafAlone {
    const Point& p;

    template <typename Node>
    Sample operator()(const Node& node) const {
      if constexpr (IsFieldLeaf<Node>) {
        return EvaluateLeaf(node, p);
      } else {
        return Sample();  // no leaf
      }
    }
  };

  explicit FieldMachine(const Point& p) { points_[0] = p; }
  Sample& Top() { return samples_[num_samples_ - 1]; }
  const Sample& Pop() { return samples_[--num_samples_]; }

  Point points_[kMaxFieldDepth];
  Sample samples_[kMaxFieldDepth];
  int num_frames_ = 0, num_samples_ = 0;
};

}  // namespace stiction

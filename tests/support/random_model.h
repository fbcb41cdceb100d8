// Random mechanisms for tests that compare two routes to one number. Equal seeds give equal models.
#pragma once

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "stiction/math/rotation.h"
#include "stiction/model/model_builder.h"

namespace stiction::testing {

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}

  // 53 bits by hand: the standard leaves the distributions' output to the library.
  double Uniform(double lower, double upper) {
    return lower + (upper - lower) * std::ldexp(static_cast<double>(engine_() >> 11), -53);
  }
  // In [0, count).
  int Index(int count) { return static_cast<int>(engine_() % static_cast<unsigned>(count)); }
  Vector3d Vector(double bound) {
    return {Uniform(-bound, bound), Uniform(-bound, bound), Uniform(-bound, bound)};
  }
  VectorXd Vector(int size, double bound) {
    VectorXd out(size);
    for (double& x : out) x = Uniform(-bound, bound);
    return out;
  }
  RigidTransform Pose(double bound) { return {QuaternionExp(Vector(2.0)).toRotationMatrix(), Vector(bound)}; }
  // Of a solid box, somewhere in the body.
  MassProperties Inertia() {
    const Vector3d half_extents = Vector(0.1) + Vector3d::Constant(0.15);
    return Transform(Pose(0.2), CalcSolidMassProperties(Box{half_extents}, Uniform(0.5, 3.0)));
  }

 private:
  std::mt19937_64 engine_;
};

// Which joints a random model may have.
enum class JointSet { kAll, kScalar };

inline Joint MakeRandomJoint(Random& random, const JointKind& kind) {
  Joint joint{.kind = kind};
  const Vector3d p_BJ = random.Vector(0.3), axis_B = random.Vector(1.0);
  struct SetFields {
    Random& random;
    const Vector3d &p_BJ, &axis_B;

    void operator()(FreeJoint&) const {}
    void operator()(BallJoint& ball) const { ball = {p_BJ}; }
    void operator()(SlideJoint& slide) const { slide = {axis_B, p_BJ, random.Uniform(-0.5, 0.5)}; }
    void operator()(HingeJoint& hinge) const { hinge = {axis_B, p_BJ, random.Uniform(-0.5, 0.5)}; }
    void operator()(UniversalJoint& joint) const { joint = {axis_B, axis_B.unitOrthogonal(), p_BJ}; }
    void operator()(ScrewJoint& screw) const {
      screw = {axis_B, p_BJ, random.Uniform(-0.5, 0.5), random.Uniform(0.1, 2.0)};
    }
  };
  std::visit(SetFields{random, p_BJ, axis_B}, joint.kind);
  if (random.Index(2) == 0) joint.armature = random.Uniform(0.01, 0.5);
  return joint;
}

// Gives the body no joint, one, or a stack of several.
inline void AddRandomJoints(Random& random, JointSet set, int body, ModelBuilder& builder) {
  const bool any = set == JointSet::kAll;
  std::vector<JointKind> kinds;
  switch (random.Index(9)) {
    case 0:
      break;
    case 1:
      kinds = {HingeJoint{}};
      break;
    case 2:
      kinds = {SlideJoint{}};
      break;
    case 3:
      kinds = {HingeJoint{}, HingeJoint{}};
      break;
    case 4:
      kinds = {SlideJoint{}, HingeJoint{}, SlideJoint{}};
      break;
    case 5:
      kinds = {any ? JointKind(BallJoint{}) : JointKind(HingeJoint{})};
      break;
    case 6:
      if (any && builder.body(body).parent == 0)
        kinds = {FreeJoint{}};
      else if (any)
        kinds = {SlideJoint{}, BallJoint{}};
      else
        kinds = {HingeJoint{}, SlideJoint{}};
      break;
    case 7:
      kinds = {ScrewJoint{}};
      break;
    case 8:
      kinds = {any ? JointKind(UniversalJoint{}) : JointKind(ScrewJoint{})};
      break;
  }
  for (const JointKind& kind : kinds) builder.AddJoint(body, MakeRandomJoint(random, kind));
}

// Branched trees, several of them, with fixed bodies at the world and inside.
inline Model MakeRandomModel(unsigned seed, int num_bodies, JointSet set = JointSet::kAll) {
  Random random(seed);
  ModelBuilder builder;
  builder.options().gravity = random.Vector(10.0);
  for (int i = 1; i <= num_bodies; ++i) {
    Body body;
    // Mostly under one of the last few bodies, so that branches grow long.
    body.parent = random.Index(6) == 0 ? 0 : std::max(0, i - 1 - random.Index(3));
    body.X_PB = random.Pose(0.5);
    const int b = builder.AddBody(body);
    builder.SetInertia(b, random.Inertia());
    AddRandomJoints(random, set, b, builder);
  }
  return builder.Build();
}

inline VectorXd MakeRandomConfiguration(const Model& model, unsigned seed) {
  Random random(seed + 1000);
  VectorXd q = model.q0;
  IntegrateConfiguration(model, random.Vector(model.nv(), 1.5), 1.0, q);
  return q;
}

inline VectorXd MakeRandomVelocity(const Model& model, unsigned seed) {
  return Random(seed + 2000).Vector(model.nv(), 2.0);
}

}  // namespace stiction::testing

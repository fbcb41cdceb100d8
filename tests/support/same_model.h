// Whether a model that went through a file is the same, element by element. Numbers are the same to the last
// bit; rotations, and what depends on them, to `kRotation`.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "stiction/geometry/convex_hull.h"
#include "stiction/geometry/field_solid.h"
#include "stiction/geometry/mesh_surface.h"
#include "stiction/model/model.h"

namespace stiction::testing {

// Quaternions are written with 15 decimal places.
inline constexpr double kRotation = 1e-14;

// A name that is there stays; one that is not may be given.
inline void ExpectSameName(const std::string& before, const std::string& after) {
  if (!before.empty()) {
    EXPECT_EQ(after, before);
  }
}

inline void ExpectSamePose(const RigidTransform& before, const RigidTransform& after, double p_error = 0.0) {
  EXPECT_LE((after.p - before.p).norm(), p_error) << before.p.transpose();
  EXPECT_LE((after.R - before.R).norm(), kRotation);
}

inline void ExpectSameFrame(const Frame& before, const Frame& after) {
  EXPECT_EQ(after.body, before.body);
  ExpectSamePose(before.X_BF, after.X_BF);
}

inline void ExpectSameSoftness(const Softness& before, const Softness& after) {
  EXPECT_EQ(after.reference, before.reference);
  EXPECT_EQ(after.impedance, before.impedance);
}

inline void ExpectSameSoftness(const std::optional<Softness>& before, const std::optional<Softness>& after) {
  ASSERT_EQ(after.has_value(), before.has_value());
  if (before) ExpectSameSoftness(*before, *after);
}

// How far a hull reaches along each of some directions of the body: exactly, but where vertices were lost
// that lie in its faces. Its frame may stand elsewhere: the centre of volume depends on how vertices share
// faces.
inline void ExpectSameReach(const Geom& before, const Geom& after) {
  const auto reach = [](const Geom& geom, const Vector3d& d) {
    const ConvexHull& hull = *std::get<Hull>(geom.shape).polytope;
    double height = -std::numeric_limits<double>::infinity();
    for (const Vector3d& p : hull.vertices) height = std::max(height, d.dot(geom.X_BG * p));
    return height;
  };
  const ConvexHull& hull = *std::get<Hull>(before.shape).polytope;
  const bool is_whole = std::get<Hull>(after.shape).polytope->vertices.size() == hull.vertices.size();
  const double tolerance = is_whole ? 1e-14 : 2e-6 * (hull.upper - hull.lower).norm();
  for (int i = 1; i < 27; ++i) {
    const Vector3d d = Vector3d(i / 9 - 1, i / 3 % 3 - 1, i % 3 - 1).normalized();
    if (i != 13) {
      EXPECT_NEAR(reach(after, d), reach(before, d), tolerance);
    }
  }
}

struct SameShape {
  const Shape& after;

  void operator()(const Plane&) const { EXPECT_TRUE(std::holds_alternative<Plane>(after)); }
  void operator()(const Sphere& s) const { EXPECT_EQ(std::get<Sphere>(after).radius, s.radius); }
  void operator()(const Capsule& s) const {
    EXPECT_EQ(std::get<Capsule>(after).radius, s.radius);
    EXPECT_EQ(std::get<Capsule>(after).half_length, s.half_length);
  }
  void operator()(const Ellipsoid& s) const { EXPECT_EQ(std::get<Ellipsoid>(after).radii, s.radii); }
  void operator()(const Cylinder& s) const {
    EXPECT_EQ(std::get<Cylinder>(after).radius, s.radius);
    EXPECT_EQ(std::get<Cylinder>(after).half_length, s.half_length);
  }
  void operator()(const Box& s) const { EXPECT_EQ(std::get<Box>(after).half_extents, s.half_extents); }
  void operator()(const Hull& s) const {
    EXPECT_LE(std::get<Hull>(after).polytope->vertices.size(), s.polytope->vertices.size());
  }
  void operator()(const Mesh& s) const {
    EXPECT_EQ(std::get<Mesh>(after).surface->mesh.vertices, s.surface->mesh.vertices);
    EXPECT_EQ(std::get<Mesh>(after).surface->mesh.triangles, s.surface->mesh.triangles);
  }
  void operator()(const Field& s) const {
    const FieldSolid &one = *s.solid, &two = *std::get<Field>(after).solid;
    EXPECT_EQ(two.spacing, one.spacing);
    EXPECT_EQ(two.surface.surface->mesh.vertices, one.surface.surface->mesh.vertices);
    const Vector3d p = 0.3 * one.surface.surface->upper;
    EXPECT_EQ(two.field.CalcValue(p), one.field.CalcValue(p));
  }
};

inline void ExpectSameTexture(const SharedTexture& before, const SharedTexture& after) {
  ASSERT_EQ(after != nullptr, before != nullptr);
  if (!before) return;
  ExpectSameName(before->name, after->name);
  EXPECT_EQ(after->kind, before->kind);
  EXPECT_EQ(after->width, before->width);
  EXPECT_EQ(after->height, before->height);
  EXPECT_TRUE(after->pixels == before->pixels);
}

inline void ExpectSameMaterial(const SharedMaterial& before, const SharedMaterial& after) {
  ASSERT_EQ(after != nullptr, before != nullptr);
  if (!before) return;
  ExpectSameName(before->name, after->name);
  ExpectSameTexture(before->texture, after->texture);
  Material was = *before, is = *after;
  for (Material* material : {&was, &is}) material->name.clear(), material->texture.reset();
  EXPECT_TRUE(is == was) << before->name;
}

inline void ExpectSameLight(const Light& before, const Light& after) {
  ExpectSameName(before.name, after.name);
  EXPECT_EQ(after.body, before.body);
  EXPECT_EQ(after.p_BL, before.p_BL);
  EXPECT_LE((after.direction_B - before.direction_B).norm(), kRotation);
  EXPECT_EQ(after.is_directional, before.is_directional);
  EXPECT_EQ(after.casts_shadow, before.casts_shadow);
  EXPECT_EQ(after.is_on, before.is_on);
  EXPECT_EQ(after.diffuse, before.diffuse);
  EXPECT_EQ(after.ambient, before.ambient);
  EXPECT_EQ(after.specular, before.specular);
  EXPECT_EQ(after.attenuation, before.attenuation);
  EXPECT_NEAR(after.cutoff, before.cutoff, 1e-15);
  EXPECT_EQ(after.exponent, before.exponent);
  EXPECT_EQ(after.mode, before.mode);
  EXPECT_EQ(after.target, before.target);
}

inline void ExpectSameSurroundings(const Surroundings& before, const Surroundings& after) {
  EXPECT_EQ(after.headlight, before.headlight);
  EXPECT_EQ(after.haze, before.haze);
  EXPECT_EQ(after.fog, before.fog);
  EXPECT_EQ(after.fog_range, before.fog_range);
  EXPECT_EQ(after.extent, before.extent);
  EXPECT_EQ(after.center, before.center);
  ExpectSameTexture(before.sky, after.sky);
}

inline void ExpectSameGeom(const Geom& before, const Geom& after) {
  ExpectSameName(before.name, after.name);
  EXPECT_EQ(after.body, before.body);
  ASSERT_EQ(after.shape.index(), before.shape.index());
  std::visit(SameShape{after.shape}, before.shape);
  if (std::holds_alternative<Hull>(before.shape)) {
    ExpectSameReach(before, after);
  } else {
    ExpectSamePose(before.X_BG, after.X_BG, 1e-16);
  }
  EXPECT_EQ(after.friction, before.friction);
  EXPECT_EQ(after.torsional_friction, before.torsional_friction);
  EXPECT_EQ(after.rolling_friction, before.rolling_friction);
  EXPECT_EQ(after.condim, before.condim);
  EXPECT_EQ(after.priority, before.priority);
  EXPECT_EQ(after.restitution, before.restitution);
  ExpectSameSoftness(before.softness, after.softness);
  EXPECT_EQ(after.softness_weight, before.softness_weight);
  EXPECT_EQ(after.stiffness, before.stiffness);
  EXPECT_EQ(after.dissipation_time, before.dissipation_time);
  EXPECT_EQ(after.hydroelastic.modulus, before.hydroelastic.modulus);
  EXPECT_EQ(after.hydroelastic.dissipation_time, before.hydroelastic.dissipation_time);
  EXPECT_EQ(after.hydroelastic.max_polygons, before.hydroelastic.max_polygons);
  ASSERT_EQ(after.fluid.has_value(), before.fluid.has_value());
  if (before.fluid) {
    for (const auto member : {&FluidEllipsoid::blunt, &FluidEllipsoid::slender, &FluidEllipsoid::angular,
                              &FluidEllipsoid::kutta, &FluidEllipsoid::magnus})
      EXPECT_EQ((*after.fluid).*member, (*before.fluid).*member);
  }
  EXPECT_EQ(after.margin, before.margin);
  EXPECT_EQ(after.gap, before.gap);
  EXPECT_EQ(after.contype, before.contype);
  EXPECT_EQ(after.conaffinity, before.conaffinity);
  EXPECT_EQ(after.color, before.color);
  ExpectSameMaterial(before.material, after.material);
  EXPECT_EQ(after.seen_half_size, before.seen_half_size);
}

// has_fluid: inertia is written along its axes, which have a rounding, so that the box comes back that the
// fluid drags at.
inline void ExpectSameBody(const Body& before, const Body& after, bool has_fluid) {
  ExpectSameName(before.name, after.name);
  EXPECT_EQ(after.parent, before.parent);
  ExpectSamePose(before.X_PB, after.X_PB);
  EXPECT_EQ(after.inertia.mass, before.inertia.mass);
  EXPECT_EQ(after.inertia.p_BBcm, before.inertia.p_BBcm);
  const Matrix3d &I = before.inertia.I_BBcm_B, symmetric = 0.5 * (I + I.transpose());
  if (has_fluid) {
    EXPECT_LT((after.inertia.I_BBcm_B - symmetric).norm(), 1e-13 * symmetric.norm() + 1e-300);
    const auto box = [](const Body& b) {
      return Matrix3d(b.R_BI * b.inertia_box.asDiagonal() * b.R_BI.transpose());
    };
    EXPECT_LT((box(after) - box(before)).norm(), 1e-6 * box(before).norm() + 1e-300);
  } else {
    EXPECT_EQ(after.inertia.I_BBcm_B, symmetric);
  }
  EXPECT_EQ(after.gravity_compensation, before.gravity_compensation);
  EXPECT_EQ(after.may_sleep, before.may_sleep);
  EXPECT_EQ(after.is_mocap, before.is_mocap);
}

// Type and data; axes but for their rounding.
inline void ExpectSameKind(const Joint& before, const Joint& after) {
  ASSERT_EQ(after.kind.index(), before.kind.index());
  const auto compare = [&]<typename Kind>(const Kind& was) {
    const Kind& is = std::get<Kind>(after.kind);
    if constexpr (requires { was.axis_B; }) {
      EXPECT_LE((is.axis_B - was.axis_B).norm(), kRotation);
    }
    if constexpr (requires { was.axis2_B; }) {
      EXPECT_LE((is.axis1_B - was.axis1_B).norm(), kRotation);
      EXPECT_LE((is.axis2_B - was.axis2_B).norm(), kRotation);
    }
    if constexpr (requires { was.pitch; }) {
      EXPECT_EQ(is.pitch, was.pitch);
    }
    if constexpr (requires { was.p_BJ; }) {
      EXPECT_EQ(is.p_BJ, was.p_BJ);
    }
  };
  std::visit(compare, before.kind);
  EXPECT_EQ(after.reference(), before.reference());
}

inline void ExpectSameJoint(const Joint& before, const Joint& after) {
  ExpectSameName(before.name, after.name);
  EXPECT_EQ(after.body, before.body);
  ExpectSameKind(before, after);
  EXPECT_EQ(after.stiffness, before.stiffness);
  if (before.num_coordinates() > 0) {
    EXPECT_EQ(after.spring_reference, before.spring_reference);
  }
  EXPECT_EQ(after.damping, before.damping);
  EXPECT_EQ(after.stiffness_polynomial, before.stiffness_polynomial);
  EXPECT_EQ(after.damping_polynomial, before.damping_polynomial);
  EXPECT_EQ(after.armature, before.armature);
  EXPECT_EQ(after.friction_loss, before.friction_loss);
  if (before.traits().limits != JointLimitKind::kCone || std::isfinite(before.lower)) {
    EXPECT_EQ(after.lower, before.lower);
  }
  // A range that is a point is written with the last bit apart.
  if (before.lower == before.upper) {
    EXPECT_NEAR(after.upper, before.upper, 2e-15);
  } else {
    EXPECT_EQ(after.upper, before.upper);
  }
  ExpectSameSoftness(before.limit_softness, after.limit_softness);
  EXPECT_EQ(after.actuator_force_lower, before.actuator_force_lower);
  EXPECT_EQ(after.actuator_force_upper, before.actuator_force_upper);
  EXPECT_EQ(after.actuators_compensate_gravity, before.actuators_compensate_gravity);
}

inline void ExpectSameTendon(const Tendon& before, const Tendon& after) {
  ExpectSameName(before.name, after.name);
  EXPECT_EQ(after.stiffness, before.stiffness);
  EXPECT_EQ(after.damping, before.damping);
  EXPECT_EQ(after.stiffness_polynomial, before.stiffness_polynomial);
  EXPECT_EQ(after.damping_polynomial, before.damping_polynomial);
  EXPECT_EQ(after.armature, before.armature);
  EXPECT_EQ(after.friction_loss, before.friction_loss);
  EXPECT_EQ(after.rest_range, before.rest_range);
  EXPECT_EQ(after.lower, before.lower);
  EXPECT_EQ(after.upper, before.upper);
  EXPECT_EQ(after.actuator_force_lower, before.actuator_force_lower);
  EXPECT_EQ(after.actuator_force_upper, before.actuator_force_upper);
  ExpectSameSoftness(before.limit_softness, after.limit_softness);
  ASSERT_EQ(after.path.index(), before.path.index());
  if (const auto* fixed = std::get_if<FixedTendon>(&before.path)) {
    EXPECT_EQ(std::get<FixedTendon>(after.path).terms.size(), fixed->terms.size());
  } else {
    EXPECT_EQ(std::get<SpatialTendon>(after.path).path.size(),
              std::get<SpatialTendon>(before.path).path.size());
  }
}

inline void ExpectSameMuscle(const std::optional<Muscle>& before, const std::optional<Muscle>& after) {
  ASSERT_EQ(after.has_value(), before.has_value());
  if (!before) return;
  EXPECT_EQ(after->range, before->range);
  for (const auto member : {&Muscle::force, &Muscle::scale, &Muscle::lmin, &Muscle::lmax, &Muscle::vmax,
                            &Muscle::fpmax, &Muscle::fvmax})
    EXPECT_EQ((*after).*member, (*before).*member);
}

inline void ExpectSameActuator(const Actuator& before, const Actuator& after) {
  ExpectSameName(before.name, after.name);
  EXPECT_EQ(after.joint, before.joint);
  EXPECT_EQ(after.tendon, before.tendon);
  EXPECT_EQ(after.body, before.body);
  ASSERT_EQ(after.frame.has_value(), before.frame.has_value());
  if (before.frame) ExpectSameFrame(*before.frame, *after.frame);
  ASSERT_EQ(after.reference.has_value(), before.reference.has_value());
  if (before.reference) ExpectSameFrame(*before.reference, *after.reference);
  EXPECT_EQ(after.in_parent, before.in_parent);
  EXPECT_EQ(after.gear, before.gear);
  if (!before.muscle_gain) {
    EXPECT_EQ(after.gain, before.gain);
  }
  if (!before.muscle_bias) {
    EXPECT_EQ(after.bias, before.bias);
  }
  ExpectSameMuscle(before.muscle_gain, after.muscle_gain);
  ExpectSameMuscle(before.muscle_bias, after.muscle_bias);
  EXPECT_EQ(after.length_range, before.length_range);
  EXPECT_EQ(after.dynamics, before.dynamics);
  const bool is_muscle = before.dynamics == ActuatorDynamics::kMuscle;
  if (is_muscle || before.dynamics == ActuatorDynamics::kFilter ||
      before.dynamics == ActuatorDynamics::kFilterExact) {
    EXPECT_EQ(after.time_constant, before.time_constant);
  }
  if (is_muscle) {
    EXPECT_EQ(after.deactivation_time, before.deactivation_time);
  }
  for (const auto member :
       {&Actuator::crank_length, &Actuator::damping_ratio, &Actuator::ctrl_lower, &Actuator::ctrl_upper,
        &Actuator::force_lower, &Actuator::force_upper, &Actuator::activation_smoothing,
        &Actuator::activation_lower, &Actuator::activation_upper})
    EXPECT_EQ(after.*member, before.*member);
  EXPECT_EQ(after.acts_early, before.acts_early);
  EXPECT_TRUE(after.motor == before.motor);
}

inline void ExpectSameEquality(const Equality& before, const Equality& after) {
  ExpectSameName(before.name, after.name);
  EXPECT_EQ(after.is_active, before.is_active);
  ExpectSameSoftness(before.softness, after.softness);
  ASSERT_EQ(after.kind.index(), before.kind.index());
  EXPECT_EQ(after.num_rows, before.num_rows);
  if (const auto* lock = std::get_if<FrameLock>(&before.kind)) {
    const auto& same = std::get<FrameLock>(after.kind);
    EXPECT_EQ(same.locked, lock->locked);
    ExpectSameFrame(lock->a, same.a);
    ExpectSameFrame(lock->b, same.b);
  }
}

inline void ExpectSameSensor(const Sensor& before, const Sensor& after) {
  ExpectSameName(before.name, after.name);
  EXPECT_EQ(after.type, before.type);
  EXPECT_EQ(after.index, before.index);
  ExpectSameFrame(before.frame, after.frame);
  ASSERT_EQ(after.reference.has_value(), before.reference.has_value());
  if (before.reference) ExpectSameFrame(*before.reference, *after.reference);
  EXPECT_LE((after.region - before.region).norm(), 0.0);
  if (!before.region.isZero(0.0)) {
    EXPECT_EQ(after.region_shape, before.region_shape);
  }
  EXPECT_EQ(after.side_a.body, before.side_a.body);
  EXPECT_EQ(after.side_b.body, before.side_b.body);
  EXPECT_EQ(after.side_a.geom >= 0, before.side_a.geom >= 0);
  EXPECT_EQ(after.side_b.geom >= 0, before.side_b.geom >= 0);
  EXPECT_EQ(after.side_a.is_subtree, before.side_a.is_subtree);
  EXPECT_EQ(after.count, before.count);
  EXPECT_EQ(after.slots.order, before.slots.order);
  EXPECT_EQ(after.slots.count, before.slots.count);
  EXPECT_EQ(after.slots.fields, before.slots.fields);
  EXPECT_EQ(after.cutoff, before.cutoff);
  EXPECT_EQ(after.noise, before.noise);
}

inline void ExpectSameKeyframe(const Keyframe& before, const Keyframe& after) {
  EXPECT_EQ(after.name, before.name);
  EXPECT_EQ(after.time, before.time);
  EXPECT_LE((after.q - before.q).norm(), kRotation);
  EXPECT_EQ(after.v, before.v);
  EXPECT_EQ(after.ctrl, before.ctrl);
  EXPECT_EQ(after.activation, before.activation);
  EXPECT_LE((after.mocap - before.mocap).norm(), kRotation);
}

// A quaternion and its negative are one rotation.
inline void ExpectSameConfiguration(const Model& model, const VectorXd& before, const VectorXd& after) {
  ASSERT_EQ(after.size(), before.size());
  for (const Joint& joint : model.joints) {
    VectorXd a = before.segment(joint.q_address, joint.nq()), b = after.segment(joint.q_address, joint.nq());
    if (joint.nq() >= 4 && a.tail<4>().dot(b.tail<4>()) < 0.0) b.tail<4>() *= -1.0;
    EXPECT_LE((b - a).norm(), kRotation) << joint.name;
  }
}

inline void ExpectSameOptions(const Options& before, const Options& after) {
  EXPECT_EQ(after.timestep, before.timestep);
  EXPECT_EQ(after.gravity, before.gravity);
  EXPECT_EQ(after.integrator, before.integrator);
  EXPECT_EQ(after.density, before.density);
  EXPECT_EQ(after.viscosity, before.viscosity);
  EXPECT_EQ(after.wind, before.wind);
  EXPECT_EQ(after.magnetic_field, before.magnetic_field);
  EXPECT_EQ(after.filter_parent, before.filter_parent);
  EXPECT_EQ(after.contact_model, before.contact_model);
  EXPECT_EQ(after.sleep, before.sleep);
  EXPECT_EQ(after.sleep_tolerance, before.sleep_tolerance);
  EXPECT_EQ(after.sleep_time, before.sleep_time);
}

// The place of every geom: those that were added stand behind those of the same body.
inline std::vector<int> MatchGeoms(const Model& before, const Model& after) {
  std::vector<int> place(before.geoms.size(), -1);
  std::vector<std::vector<int>> geoms_of(after.bodies.size());
  for (int g = 0; g < after.num_geoms(); ++g) geoms_of[after.geoms[g].body].push_back(g);
  std::vector<std::size_t> next(after.bodies.size(), 0);
  for (int g = 0; g < before.num_geoms(); ++g) {
    const std::vector<int>& of_body = geoms_of[before.geoms[g].body];
    std::size_t& k = next[before.geoms[g].body];
    if (k < of_body.size()) place[g] = of_body[k++];
  }
  return place;
}

inline void ExpectSamePairs(const Model& before, const Model& after, const std::vector<int>& place) {
  int differences = 0;
  for (int g = 0; g < before.num_geoms(); ++g) {
    for (int h = g + 1; h < before.num_geoms(); ++h) {
      const bool collides = before.PairCollides(g, h);
      if (after.PairCollides(place[g], place[h]) != collides) ++differences;
    }
  }
  EXPECT_EQ(differences, 0);
  ASSERT_EQ(after.contact_pairs.size(), before.contact_pairs.size());
  for (std::size_t i = 0; i < before.contact_pairs.size(); ++i) {
    const ContactPair& a = before.contact_pairs[i];
    const ContactPair* b = FindContactPair(after, place[a.geom_a], place[a.geom_b]);
    ASSERT_NE(b, nullptr);
    EXPECT_EQ(b->friction.sliding, a.friction.sliding);
    EXPECT_EQ(b->friction.torsional, a.friction.torsional);
    EXPECT_EQ(b->friction.rolling, a.friction.rolling);
    EXPECT_EQ(b->restitution, a.restitution);
    EXPECT_EQ(b->margin, a.margin);
    EXPECT_EQ(b->gap, a.gap);
    ExpectSameSoftness(a.softness, b->softness);
  }
}

template <typename Element, typename Compare>
void ExpectSameList(const std::vector<Element>& before, const std::vector<Element>& after, Compare compare,
                    const char* what) {
  ASSERT_EQ(after.size(), before.size()) << what;
  for (std::size_t i = 0; i < before.size(); ++i) {
    SCOPED_TRACE(std::string(what) + " " + std::to_string(i) + " " + before[i].name);
    compare(before[i], after[i]);
  }
}

// What is looked at is compared by what has a mesh; shapes have become geoms.
inline void ExpectSameModel(const Model& before, const Model& after) {
  EXPECT_EQ(after.name, before.name);
  ExpectSameOptions(before.options, after.options);
  const bool has_fluid = before.options.density > 0.0 || before.options.viscosity > 0.0;
  ExpectSameList(
      before.bodies, after.bodies, [&](const Body& b, const Body& a) { ExpectSameBody(b, a, has_fluid); },
      "body");
  ExpectSameList(before.joints, after.joints, ExpectSameJoint, "joint");
  ExpectSameList(before.tendons, after.tendons, ExpectSameTendon, "tendon");
  ExpectSameList(before.actuators, after.actuators, ExpectSameActuator, "actuator");
  ExpectSameList(before.equalities, after.equalities, ExpectSameEquality, "equality");
  ExpectSameList(before.sensors, after.sensors, ExpectSameSensor, "sensor");
  ExpectSameList(before.keyframes, after.keyframes, ExpectSameKeyframe, "keyframe");
  ExpectSameConfiguration(before, before.q0, after.q0);
  ExpectSameList(before.lights, after.lights, ExpectSameLight, "light");
  ExpectSameSurroundings(before.surroundings, after.surroundings);
  ASSERT_EQ(after.cameras.size(), before.cameras.size());
  for (std::size_t i = 0; i < before.cameras.size(); ++i) {
    ExpectSameName(before.cameras[i].name, after.cameras[i].name);
    EXPECT_EQ(after.cameras[i].body, before.cameras[i].body);
    ExpectSamePose(before.cameras[i].X_BC, after.cameras[i].X_BC);
    EXPECT_EQ(after.cameras[i].mode, before.cameras[i].mode);
    EXPECT_EQ(after.cameras[i].target, before.cameras[i].target);
    EXPECT_NEAR(after.cameras[i].field_of_view, before.cameras[i].field_of_view, 1e-15);
    EXPECT_EQ(after.cameras[i].resolution, before.cameras[i].resolution);
    EXPECT_EQ(after.cameras[i].focal, before.cameras[i].focal);
  }
  for (const Frame& frame : before.frames) {
    const int same = after.FindFrame(frame.name);
    ASSERT_GE(same, 0) << frame.name;
    ExpectSameFrame(frame, after.frames[same]);
  }
  ASSERT_GE(after.num_geoms(), before.num_geoms());
  const std::vector<int> place = MatchGeoms(before, after);
  for (int g = 0; g < before.num_geoms(); ++g) {
    SCOPED_TRACE("geom " + std::to_string(g) + " " + before.geoms[g].name);
    ASSERT_GE(place[g], 0);
    ExpectSameGeom(before.geoms[g], after.geoms[place[g]]);
  }
  ExpectSamePairs(before, after, place);
}

}  // namespace stiction::testing

#include "model/mechanisms.h"

#include <algorithm>
#include <cmath>

#include "model/builder_checks.h"

namespace stiction {
namespace {

using Kind = ModelError::Kind;

bool IsScalarJoint(const Model& model, int joint) {
  return joint >= 0 && joint < model.num_joints() && model.joints[joint].is_scalar();
}

bool HasBody(const Model& model, int body) {
  return body >= 0 && body < model.num_bodies();
}

bool IsPose(const RigidTransform& X) {
  return X.p.allFinite() && X.R.isUnitary(1e-6) && X.R.determinant() > 0.0;
}

bool IsNotNegative(double x) {
  return std::isfinite(x) && x >= 0.0;
}

// What is wrong with a path; empty: nothing.
struct PathCheck {
  const Model& model;

  std::string operator()(const FixedTendon& path) const {
    if (path.terms.empty()) return "it moves no joint";
    for (const FixedTendon::Term& term : path.terms) {
      if (!IsScalarJoint(model, term.joint))
        return "a joint of it does not exist, or has more than one coordinate";
      if (!std::isfinite(term.coefficient)) return "its coefficients must be finite";
    }
    return "";
  }

  // Branches, split by pulleys, begin and end with a site, and a wrap stands between two of them.
  std::string operator()(const SpatialTendon& path) const {
    bool after_site = false, after_wrap = false;
    int sites = 0;
    for (const SpatialTendon::Element& element : path.path) {
      if (const auto* site = std::get_if<SpatialTendon::Site>(&element)) {
        if (!HasBody(model, site->body)) return "a body of its path does not exist";
        if (!site->p_B.allFinite()) return "the points of its path must be finite";
        after_site = true, after_wrap = false;
        ++sites;
      } else if (const auto* wrap = std::get_if<SpatialTendon::Wrap>(&element)) {
        if (!after_site || after_wrap) return "a shape of its path needs a site before and after it";
        if (!HasBody(model, wrap->center.body) || (wrap->side && !HasBody(model, wrap->side->body)))
          return "a body of its path does not exist";
        if (!IsPose(wrap->center.X_BF) || !(wrap->radius > 0.0))
          return "a shape of its path has no size or pose";
        after_wrap = true;
      } else {
        if (after_wrap) return "a shape of its path needs a site before and after it";
        if (!(std::get<SpatialTendon::Pulley>(element).divisor > 0.0)) return "a divisor must be positive";
        if (sites == 1) return "a branch of its path needs at least two sites";
        after_site = false, sites = 0;
      }
    }
    if (after_wrap) return "a shape of its path needs a site before and after it";
    return sites < 2 ? "its path needs at least two sites" : "";
  }
};

// Whether what the sensor counts exists; empty: it does.
std::string CheckTarget(const Model& model, const Sensor& sensor) {
  const auto exists = [&](int count, const char* what) {
    return sensor.index >= 0 && sensor.index < count ? "" : std::string("its ") + what + " does not exist";
  };
  switch (FamilyOf(sensor.type)) {
    case SensorFamily::kJoint:
    case SensorFamily::kBall:
      return exists(model.num_joints(), "joint");
    case SensorFamily::kTendon:
      return exists(model.num_tendons(), "tendon");
    case SensorFamily::kActuator:
      return exists(model.nu(), "actuator");
    case SensorFamily::kSubtree:
      return exists(model.num_bodies(), "body");
    case SensorFamily::kCamera:
      return exists(static_cast<int>(model.cameras.size()), "camera");
    case SensorFamily::kFrame:
    case SensorFamily::kSite:
    case SensorFamily::kContact:
    case SensorFamily::kNearest:
    case SensorFamily::kModel:
      return "";
  }
  return "";
}

// Whether the sensor's joint, if it is one of a joint, has the coordinates that it reads.
bool SuitsJoint(const Model& model, const Sensor& sensor) {
  switch (sensor.type) {
    case SensorType::kJointPosition:
    case SensorType::kJointVelocity:
    case SensorType::kJointActuatorForce:
      return IsScalarJoint(model, sensor.index);
    case SensorType::kBallQuaternion:
    case SensorType::kBallAngularVelocity:
      return model.joints[sensor.index].is_rotation();
    default:
      return true;
  }
}

bool SideExists(const Model& model, const ContactSide& side) {
  return side.geom >= -1 && side.geom < model.num_geoms() && side.body >= -1 &&
         side.body < model.num_bodies();
}

bool IsNamed(const ContactSide& side) {
  return side.geom >= 0 || side.body >= 0;
}

struct EqualityCheck {
  const Model& model;

  std::string operator()(const FrameLock& lock) const {
    if (!HasBody(model, lock.a.body) || !HasBody(model, lock.b.body)) return "its body does not exist";
    if (lock.a.body == lock.b.body) return "joins a body to itself; name two different bodies";
    if (!IsPose(lock.a.X_BF) || !IsPose(lock.b.X_BF)) return "its frames must be finite and orthonormal";
    if (std::none_of(lock.locked.begin(), lock.locked.end(), [](bool is) { return is; }))
      return "locks nothing";
    return "";
  }
  std::string operator()(const JointPolynomial& couple) const {
    if (!IsScalarJoint(model, couple.joint))
      return "its joint does not exist, or has more than one coordinate";
    if (couple.of_joint != -1 && !IsScalarJoint(model, couple.of_joint))
      return "its second joint does not exist, or has more than one coordinate";
    if (couple.joint == couple.of_joint) return "a joint cannot follow itself";
    if (!std::isfinite(couple.reference) || !std::isfinite(couple.of_reference))
      return "its numbers must be finite";
    return Coefficients(couple.coefficients);
  }
  std::string operator()(const TendonPolynomial& couple) const {
    if (couple.tendon < 0 || couple.tendon >= model.num_tendons()) return "its tendon does not exist";
    if (couple.of_tendon < -1 || couple.of_tendon >= model.num_tendons())
      return "its second tendon does not exist";
    if (couple.tendon == couple.of_tendon) return "a tendon cannot follow itself";
    return Coefficients(couple.coefficients);
  }
  std::string operator()(const PointDistance& points) const {
    if (!HasBody(model, points.a.body) || !HasBody(model, points.b.body)) return "its body does not exist";
    if (points.a.body == points.b.body) return "joins a body to itself; name two different bodies";
    if (!IsPose(points.a.X_BF) || !IsPose(points.b.X_BF)) return "its points must be finite";
    if (!(std::isfinite(points.distance) && points.distance > 0.0))
      return "the distance must be positive; lock the two points together where it is zero";
    return "";
  }
  static std::string Coefficients(const std::array<double, 5>& c) {
    return std::all_of(c.begin(), c.end(), [](double x) { return std::isfinite(x); })
               ? ""
               : "its numbers must be finite";
  }
};

}  // namespace

void ReferenceMap::RenameFrame(Frame& frame) const {
  if (frame.body == 0) frame.X_BF = X_WM * frame.X_BF;
  frame.body = bodies[frame.body];
}

void ReferenceMap::RenameSide(ContactSide& side) const {
  if (side.geom >= 0) side.geom = geoms[side.geom];
  if (side.body >= 0) side.body = bodies[side.body];
}

bool ReferenceMap::Rename(Actuator& actuator) const {
  if (!HasJoint(actuator.joint)) return false;
  if (actuator.joint >= 0) actuator.joint = joints[actuator.joint];
  if (actuator.tendon >= 0) actuator.tendon += first_tendon;
  if (actuator.body >= 0) actuator.body = bodies[actuator.body];
  if (actuator.frame) RenameFrame(*actuator.frame);
  if (actuator.reference) RenameFrame(*actuator.reference);
  return true;
}

bool ReferenceMap::Rename(Tendon& tendon) const {
  if (auto* fixed = std::get_if<FixedTendon>(&tendon.path)) {
    for (const FixedTendon::Term& term : fixed->terms) {
      if (!HasJoint(term.joint)) return false;
    }
    for (FixedTendon::Term& term : fixed->terms) term.joint = joints[term.joint];
    return true;
  }
  const auto rename_site = [&](SpatialTendon::Site& site) {
    if (site.body == 0) site.p_B = X_WM * site.p_B;
    site.body = bodies[site.body];
  };
  for (SpatialTendon::Element& element : std::get<SpatialTendon>(tendon.path).path) {
    if (auto* site = std::get_if<SpatialTendon::Site>(&element)) rename_site(*site);
    if (auto* wrap = std::get_if<SpatialTendon::Wrap>(&element)) {
      RenameFrame(wrap->center);
      if (wrap->side) rename_site(*wrap->side);
    }
  }
  return true;
}

bool ReferenceMap::Rename(Equality& equality) const {
  if (auto* lock = std::get_if<FrameLock>(&equality.kind)) {
    RenameFrame(lock->a);
    RenameFrame(lock->b);
  } else if (auto* points = std::get_if<PointDistance>(&equality.kind)) {
    RenameFrame(points->a);
    RenameFrame(points->b);
  } else if (auto* couple = std::get_if<JointPolynomial>(&equality.kind)) {
    if (!HasJoint(couple->joint) || !HasJoint(couple->of_joint)) return false;
    couple->joint = joints[couple->joint];
    if (couple->of_joint >= 0) couple->of_joint = joints[couple->of_joint];
  } else {
    auto& tendons = std::get<TendonPolynomial>(equality.kind);
    tendons.tendon += first_tendon;
    if (tendons.of_tendon >= 0) tendons.of_tendon += first_tendon;
  }
  return true;
}

bool ReferenceMap::Rename(Sensor& sensor) const {
  switch (FamilyOf(sensor.type)) {
    case SensorFamily::kJoint:
    case SensorFamily::kBall:
      if (!HasJoint(sensor.index)) return false;
      sensor.index = joints[sensor.index];
      break;
    case SensorFamily::kTendon:
      sensor.index += first_tendon;
      break;
    case SensorFamily::kActuator:
      sensor.index += first_actuator;
      break;
    case SensorFamily::kSubtree:
      sensor.index = bodies[sensor.index];
      break;
    case SensorFamily::kCamera:
      sensor.index = cameras[sensor.index];
      break;
    case SensorFamily::kFrame:
    case SensorFamily::kSite:
    case SensorFamily::kContact:
    case SensorFamily::kNearest:
    case SensorFamily::kModel:
      break;
  }
  RenameFrame(sensor.frame);
  if (sensor.reference) RenameFrame(*sensor.reference);
  RenameSide(sensor.side_a);
  RenameSide(sensor.side_b);
  return true;
}

namespace {

bool HasWrap(const Tendon& tendon) {
  const auto* spatial = std::get_if<SpatialTendon>(&tendon.path);
  return spatial && std::any_of(spatial->path.begin(), spatial->path.end(), [](const auto& element) {
           return std::holds_alternative<SpatialTendon::Wrap>(element);
         });
}

}  // namespace

void CheckTendon(const Model& model, const Tendon& tendon) {
  const int index = model.num_tendons();
  const auto refuse = [&](const std::string& why) {
    throw ModelError(Kind::kTendon, index, Quote("tendon", tendon.name, index) + ": " + why);
  };
  const std::string wrong = std::visit(PathCheck{model}, tendon.path);
  if (!wrong.empty()) refuse(wrong);
  if (!IsNotNegative(tendon.stiffness)) refuse("the stiffness must not be negative");
  if (!IsNotNegative(tendon.damping)) refuse("the damping must not be negative");
  if (!IsNotNegative(tendon.friction_loss)) refuse("the friction loss must not be negative");
  if (!(tendon.lower <= tendon.upper)) refuse("the lower limit is above the upper limit");
  if (!(tendon.actuator_force_lower <= tendon.actuator_force_upper))
    refuse("the range of its actuators' force is reversed");
  if (tendon.rest_range && !(tendon.rest_range->first <= tendon.rest_range->second))
    refuse("the rest range is reversed");
  if (!IsNotNegative(tendon.armature)) refuse("the armature must not be negative");
  if (tendon.armature > 0.0 && HasWrap(tendon)) {
    refuse("a tendon that wraps around a geom cannot have an armature: leave one of the two out");
  }
  for (const double coefficient : {tendon.stiffness_polynomial[0], tendon.stiffness_polynomial[1],
                                   tendon.damping_polynomial[0], tendon.damping_polynomial[1]}) {
    if (!std::isfinite(coefficient)) refuse("the coefficients of its force must be finite");
  }
}

void FillTendonInertia(Model& model) {
  TendonInertia& inertia = model.tendon_inertia;
  std::vector<char> is_marked(model.nv(), 0);
  for (int t = 0; t < model.num_tendons(); ++t) {
    const Tendon& tendon = model.tendons[t];
    if (tendon.armature == 0.0) continue;
    const auto mark = [&](int dof) {
      for (int k = dof; k >= 0; k = model.dof_parent[k]) is_marked[k] = 1;
    };
    if (const auto* fixed = std::get_if<FixedTendon>(&tendon.path)) {
      for (const FixedTendon::Term& term : fixed->terms) mark(model.joints[term.joint].v_address);
    } else {
      for (const SpatialTendon::Element& element : std::get<SpatialTendon>(tendon.path).path) {
        const auto* site = std::get_if<SpatialTendon::Site>(&element);
        if (site) mark(model.bodies[site->body].last_dof);
      }
    }
    const std::size_t first_block = inertia.blocks.size();
    for (int k = 0; k < model.nv(); ++k) {
      if (!is_marked[k]) continue;
      is_marked[k] = 0;
      const int tree = model.dof_tree[k];
      if (inertia.blocks.size() == first_block || inertia.blocks.back().tree != tree) {
        inertia.blocks.push_back({t, tree, static_cast<int>(inertia.dofs.size()), 0});
        model.trees[tree].has_tendon_inertia = true;
      }
      inertia.dofs.push_back(k);
      ++inertia.blocks.back().num_dofs;
    }
  }
}

void CheckEquality(const Model& model, const Equality& equality) {
  const int index = model.num_equalities();
  const std::string wrong = std::visit(EqualityCheck{model}, equality.kind);
  if (!wrong.empty())
    throw ModelError(Kind::kEquality, index, Quote("equality", equality.name, index) + ": " + wrong);
}

void CheckSensors(const Model& model) {
  for (std::size_t s = 0; s < model.sensors.size(); ++s) {
    const Sensor& sensor = model.sensors[s];
    const int index = static_cast<int>(s);
    const auto refuse = [&](const std::string& why) {
      throw ModelError(Kind::kSensor, index, Quote("sensor", sensor.name, index) + ": " + why);
    };
    const std::string wrong = CheckTarget(model, sensor);
    if (!wrong.empty()) refuse(wrong);
    if (!SuitsJoint(model, sensor)) refuse("its joint is of another kind than it measures");
    if (!HasBody(model, sensor.frame.body) || !IsPose(sensor.frame.X_BF)) refuse("its frame does not exist");
    if (sensor.reference && (!HasBody(model, sensor.reference->body) || !IsPose(sensor.reference->X_BF)))
      refuse("its reference frame does not exist");
    if (!SideExists(model, sensor.side_a) || !SideExists(model, sensor.side_b))
      refuse("its geom or body does not exist");
    if (FamilyOf(sensor.type) == SensorFamily::kNearest &&
        !(IsNamed(sensor.side_a) && IsNamed(sensor.side_b)))
      refuse("a distance is that of two geoms or bodies");
    if (sensor.type == SensorType::kContactSlots && (sensor.slots.count < 1 || sensor.slots.count > 10000))
      refuse("it has 1 to 10000 slots");
    if (sensor.type == SensorType::kContactSlots && NumValues(sensor) == 0) refuse("its slots are empty");
    if (sensor.type == SensorType::kUser && (sensor.count < 0 || sensor.count > 10000))
      refuse("it has up to 10000 numbers");
    if (sensor.type == SensorType::kInsideRegion && !sensor.reference)
      refuse("the frame of its region is its reference, which is missing");
    if (!sensor.region.allFinite() || sensor.region.minCoeff() < 0.0)
      refuse("the extents of its region must not be negative");
    if (!IsNotNegative(sensor.cutoff)) refuse("the cutoff must not be negative");
    if (!IsNotNegative(sensor.noise)) refuse("the noise must not be negative");
  }
}

void NumberMechanisms(Model& model) {
  model.num_activations = model.num_equality_rows = model.num_sensor_values = 0;
  for (Actuator& actuator : model.actuators) {
    const int count = NumStates(actuator);
    actuator.activation = count == 0 ? -1 : model.num_activations;
    model.num_activations += count;
  }
  for (Equality& equality : model.equalities) {
    equality.first_row = model.num_equality_rows;
    equality.num_rows = NumRows(equality.kind);
    model.num_equality_rows += equality.num_rows;
  }
  for (Sensor& sensor : model.sensors) {
    sensor.first = model.num_sensor_values;
    sensor.size = NumValues(sensor);
    model.num_sensor_values += sensor.size;
  }
}

DcMotorStates FindMotorStates(const DcMotor& motor) {
  DcMotorStates at;
  const bool has_current = motor.constant > 0.0;
  if (has_current && motor.slew_max > 0.0) at.set_point = at.count++;
  if (has_current && motor.ki != 0.0) at.integral = at.count++;
  if (has_current && motor.thermal_time > 0.0) at.temperature = at.count++;
  if (motor.bristle_stiffness > 0.0) at.bristle = at.count++;
  if (has_current && motor.lag > 0.0) at.current = at.count++;
  return at;
}

int NumStates(const Actuator& actuator) {
  if (actuator.motor) return FindMotorStates(*actuator.motor).count;
  return actuator.dynamics == ActuatorDynamics::kNone ? 0 : 1;
}

int NumRows(const EqualityKind& kind) {
  const auto* lock = std::get_if<FrameLock>(&kind);
  return lock ? static_cast<int>(std::count(lock->locked.begin(), lock->locked.end(), true)) : 1;
}

SensorFamily FamilyOf(SensorType type) {
  switch (type) {
    case SensorType::kJointPosition:
    case SensorType::kJointVelocity:
    case SensorType::kJointActuatorForce:
    case SensorType::kJointLimitPosition:
    case SensorType::kJointLimitVelocity:
    case SensorType::kJointLimitForce:
      return SensorFamily::kJoint;
    case SensorType::kBallQuaternion:
    case SensorType::kBallAngularVelocity:
      return SensorFamily::kBall;
    case SensorType::kTendonPosition:
    case SensorType::kTendonVelocity:
    case SensorType::kTendonActuatorForce:
    case SensorType::kTendonLimitPosition:
    case SensorType::kTendonLimitVelocity:
    case SensorType::kTendonLimitForce:
      return SensorFamily::kTendon;
    case SensorType::kActuatorPosition:
    case SensorType::kActuatorVelocity:
    case SensorType::kActuatorForce:
      return SensorFamily::kActuator;
    case SensorType::kFramePosition:
    case SensorType::kFrameQuaternion:
    case SensorType::kFrameXAxis:
    case SensorType::kFrameYAxis:
    case SensorType::kFrameZAxis:
    case SensorType::kFrameLinearVelocity:
    case SensorType::kFrameAngularVelocity:
    case SensorType::kFrameLinearAcceleration:
    case SensorType::kFrameAngularAcceleration:
    case SensorType::kInsideRegion:
      return SensorFamily::kFrame;
    case SensorType::kAccelerometer:
    case SensorType::kVelocimeter:
    case SensorType::kGyro:
    case SensorType::kMagnetometer:
    case SensorType::kForce:
    case SensorType::kTorque:
    case SensorType::kTouch:
    case SensorType::kRangefinder:
      return SensorFamily::kSite;
    case SensorType::kSubtreeCenterOfMass:
    case SensorType::kSubtreeLinearVelocity:
    case SensorType::kSubtreeAngularMomentum:
      return SensorFamily::kSubtree;
    case SensorType::kContactCount:
    case SensorType::kContactForce:
    case SensorType::kContactSlots:
      return SensorFamily::kContact;
    case SensorType::kNearestDistance:
    case SensorType::kNearestNormal:
    case SensorType::kNearestPoints:
      return SensorFamily::kNearest;
    case SensorType::kCameraProjection:
      return SensorFamily::kCamera;
    case SensorType::kPotentialEnergy:
    case SensorType::kKineticEnergy:
    case SensorType::kUser:
    case SensorType::kClock:
      return SensorFamily::kModel;
  }
  return SensorFamily::kModel;
}

int NumValues(ContactSlots::Field field) {
  return field == ContactSlots::kFound || field == ContactSlots::kDistance ? 1 : 3;
}

const char* ToString(ContactSlots::Field field) {
  constexpr const char* kWords[] = {"found", "force", "torque", "dist", "pos", "normal", "tangent"};
  static_assert(std::size(kWords) == ContactSlots::kNumFields);
  return kWords[field];
}

int NumValues(const Sensor& sensor) {
  const SensorType type = sensor.type;
  switch (FamilyOf(type)) {
    case SensorFamily::kBall:
      return type == SensorType::kBallQuaternion ? 4 : 3;
    case SensorFamily::kFrame:
      if (type == SensorType::kInsideRegion) return 1;
      return type == SensorType::kFrameQuaternion ? 4 : 3;
    case SensorFamily::kSite:
      return type == SensorType::kTouch || type == SensorType::kRangefinder ? 1 : 3;
    case SensorFamily::kSubtree:
      return 3;
    case SensorFamily::kContact: {
      if (type != SensorType::kContactSlots) return type == SensorType::kContactForce ? 3 : 1;
      int size = 0;
      for (int f = 0; f < ContactSlots::kNumFields; ++f)
        if (sensor.slots.fields[f]) size += NumValues(static_cast<ContactSlots::Field>(f));
      return size * sensor.slots.count;
    }
    case SensorFamily::kNearest:
      if (type == SensorType::kNearestDistance) return 1;
      return type == SensorType::kNearestNormal ? 3 : 6;
    case SensorFamily::kCamera:
      return 2;
    case SensorFamily::kModel:
      return type == SensorType::kUser ? sensor.count : 1;
    case SensorFamily::kJoint:
    case SensorFamily::kTendon:
    case SensorFamily::kActuator:
      return 1;
  }
  return 1;
}

}  // namespace stiction

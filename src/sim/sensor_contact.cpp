// Sensors of contacts: touch in a region of a body, and what two bodies do to one another. What is in a
// region.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "math/constants.h"
#include "sim/measurement.h"
#include "sim/sensor_values.h"

namespace stiction {
namespace {

// Contacts at the rim of a region count in spite of rounding [m].
constexpr double kRim = 1e-6;

// The part of a line p + s d that lies in something convex; empty where begin > end.
struct Interval {
  double begin = -kInfinity, end = kInfinity;

  Interval And(const Interval& other) const {
    return {std::max(begin, other.begin), std::min(end, other.end)};
  }
  bool IsEmpty() const { return !(begin <= end); }
};
constexpr Interval kNothing{kInfinity, -kInfinity};

// |p + s d| <= h in one dimension.
Interval CrossSlab(double h, double p, double d) {
  if (std::abs(d) < 1e-12) return std::abs(p) <= h ? Interval{} : kNothing;
  const double s1 = (-h - p) / d, s2 = (h - p) / d;
  return {std::min(s1, s2), std::max(s1, s2)};
}

// ‖p + s d‖ <= r in any number of dimensions.
template <typename Vector>
Interval CrossBall(double r, const Vector& p, const Vector& d) {
  const double a = d.squaredNorm(), b = p.dot(d), c = p.squaredNorm() - r * r;
  if (a < 1e-24) return c <= 0.0 ? Interval{} : kNothing;
  const double discriminant = b * b - a * c;
  if (discriminant < 0.0) return kNothing;
  const double root = std::sqrt(discriminant);
  return {(-b - root) / a, (-b + root) / a};
}

Interval CrossCylinder(double radius, double half_length, const Vector3d& p, const Vector3d& d) {
  return CrossBall<Vector2d>(radius, p.head<2>(), d.head<2>()).And(CrossSlab(half_length, p[2], d[2]));
}

// Whether the line, from s = 0 to `end`, comes into the region about the origin, or as near to it as `rim`.
bool MeetsRegion(const Sensor& sensor, const Vector3d& p, const Vector3d& d, double end, double rim = kRim) {
  const Interval way{0.0, end};
  const Vector3d h = sensor.region.array() + rim;
  const auto meets = [&way](const Interval& part) { return !part.And(way).IsEmpty(); };
  switch (sensor.region_shape) {
    case RegionShape::kBox:
      return meets(
          CrossSlab(h[0], p[0], d[0]).And(CrossSlab(h[1], p[1], d[1])).And(CrossSlab(h[2], p[2], d[2])));
    case RegionShape::kEllipsoid:
      return meets(CrossBall<Vector3d>(1.0, p.cwiseQuotient(h), d.cwiseQuotient(h)));
    case RegionShape::kCylinder:
      return meets(CrossCylinder(h[0], h[2], p, d));
    case RegionShape::kCapsule: {
      const double half_length = sensor.region[2] - sensor.region[0];
      const Vector3d cap = half_length * Vector3d::UnitZ();
      return meets(CrossCylinder(h[0], half_length, p, d)) || meets(CrossBall<Vector3d>(h[0], p - cap, d)) ||
             meets(CrossBall<Vector3d>(h[0], p + cap, d));
    }
  }
  return false;
}

bool IsOn(const Model& model, const ContactSide& side, int geom) {
  if (side.geom >= 0 && side.geom != geom) return false;
  if (side.body < 0) return true;
  int body = model.geoms[geom].body;
  while (side.is_subtree && body > side.body) body = model.bodies[body].parent;
  return body == side.body;
}

// +1 if the impulse as it stands acts on the sensor's side b, from a; -1 if its opposite does; 0: the contact
// is another's.
double SideOf(const SensorContext& in, const Sensor& sensor, const Contact& contact) {
  const int a = contact.geom_a, b = contact.geom_b;
  const bool as_it_is = IsOn(in.model, sensor.side_a, a) && IsOn(in.model, sensor.side_b, b);
  if (!as_it_is && !(IsOn(in.model, sensor.side_a, b) && IsOn(in.model, sensor.side_b, a))) return 0.0;
  if (!sensor.region.isZero(0.0)) {
    const RigidTransform X_WF = in.kin.X_WB[sensor.frame.body] * sensor.frame.X_BF;
    const Vector3d p_F = X_WF.R.transpose() * (contact.p_W - X_WF.p);
    if (!MeetsRegion(sensor, p_F, Vector3d::Zero(), 0.0)) return 0.0;
  }
  return as_it_is ? 1.0 : -1.0;
}

// SideOf of contacts that carry load; 0 of others.
double LoadedSideOf(const SensorContext& in, const Sensor& sensor, const Contact& contact) {
  return contact.impulse_W.dot(contact.n_W) >= kLoadedImpulse ? SideOf(in, sensor, contact) : 0.0;
}

// A contact as its slot shows it: force and torque on side b, frame [n t1 t2].
struct SensedContact {
  Matrix3d R_WC = Matrix3d::Identity();
  Vector3d force_W = Vector3d::Zero(), torque_W = Vector3d::Zero(), p_W = Vector3d::Zero();
  double gap = 0.0;
};

SensedContact Sense(const Contact& contact, double side, double dt) {
  const Matrix3d R = MakeContactFrame(side * contact.n_W);  // [t1 t2 n]
  SensedContact sensed{.force_W = side / dt * contact.impulse_W,
                       .torque_W = side / dt * contact.moment_W,
                       .p_W = contact.p_W,
                       .gap = contact.gap};
  sensed.R_WC << R.col(2), R.col(0), R.col(1);
  return sensed;
}

// One contact with the wrench of all, at the mean of their places by force; its gap is their mean likewise.
SensedContact SenseNet(const SensorContext& in, const Sensor& sensor) {
  SensedContact net;
  double sum = 0.0;
  const auto visit = [&](const auto& add) {
    for (const Contact& contact : in.step->contacts) {
      const double side = LoadedSideOf(in, sensor, contact);
      if (side != 0.0) add(Sense(contact, side, in.step->dt));
    }
  };
  visit([&](const SensedContact& part) {
    const double weight = part.force_W.norm();
    sum += weight;
    net.force_W += part.force_W;
    net.p_W += weight * part.p_W;
    net.gap += weight * part.gap;
  });
  net.p_W /= sum;
  net.gap /= sum;
  visit([&](const SensedContact& part) {
    net.torque_W += part.torque_W + (part.p_W - net.p_W).cross(part.force_W);
  });
  return net;
}

// What contacts are put in order by, ascending.
double RankOf(ContactSlots::Order order, const Contact& contact) {
  if (order == ContactSlots::Order::kDeepest) return contact.gap;
  return order == ContactSlots::Order::kStrongest ? -contact.impulse_W.squaredNorm() : 0.0;
}

// Writes the fields that are asked for; what follows them.
double* WriteSlot(const SensedContact& contact, double found, const ContactSlots& slots, double* out) {
  const auto write = [&](ContactSlots::Field field, const auto& values) {
    if (slots.fields[field]) out = std::copy_n(values.data(), values.size(), out);
  };
  write(ContactSlots::kFound, std::array{found});
  write(ContactSlots::kForce, Vector3d(contact.R_WC.transpose() * contact.force_W));
  write(ContactSlots::kTorque, Vector3d(contact.R_WC.transpose() * contact.torque_W));
  write(ContactSlots::kDistance, std::array{contact.gap});
  write(ContactSlots::kPosition, contact.p_W);
  write(ContactSlots::kNormal, Vector3d(contact.R_WC.col(0)));
  write(ContactSlots::kTangent, Vector3d(contact.R_WC.col(1)));
  return out;
}

}  // namespace

double CalcTouch(const SensorContext& in, const Sensor& sensor) {
  if (!in.step) return 0.0;
  const int body = sensor.frame.body;
  const RigidTransform X_WF = in.kin.X_WB[body] * sensor.frame.X_BF;
  double impulse = 0.0;
  for (const Contact& contact : in.step->contacts) {
    const bool is_b = in.model.geoms[contact.geom_b].body == body;
    if (!is_b && in.model.geoms[contact.geom_a].body != body) continue;
    // The point moves along with the body to the end of the step.
    const Vector3d p_W =
        contact.p_W + in.step->duration * CalcPointVelocity(in.model, in.kin, body, contact.p_W);
    const Vector3d inwards_W = is_b ? contact.n_W : Vector3d(-contact.n_W);
    const bool is_met = sensor.region.isZero(0.0) || MeetsRegion(sensor, X_WF.R.transpose() * (p_W - X_WF.p),
                                                                 X_WF.R.transpose() * inwards_W, kInfinity);
    if (is_met) impulse += std::max(0.0, contact.impulse_W.dot(contact.n_W));
  }
  return impulse / in.step->dt;
}

bool IsInsideRegion(const SensorContext& in, const Sensor& sensor) {
  const Frame& region = *sensor.reference;
  const RigidTransform X_WR = in.kin.X_WB[region.body] * region.X_BF;
  const Vector3d p_WF = in.kin.X_WB[sensor.frame.body] * sensor.frame.X_BF.p;
  return MeetsRegion(sensor, X_WR.R.transpose() * (p_WF - X_WR.p), Vector3d::Zero(), 0.0, 0.0);
}

double CountSensedContacts(const SensorContext& in, const Sensor& sensor) {
  if (!in.step) return 0.0;
  return static_cast<double>(
      std::count_if(in.step->contacts.begin(), in.step->contacts.end(),
                    [&](const Contact& contact) { return LoadedSideOf(in, sensor, contact) != 0.0; }));
}

Vector3d CalcSensedForce(const SensorContext& in, const Sensor& sensor) {
  Vector3d impulse_W = Vector3d::Zero();
  if (!in.step) return impulse_W;
  for (const Contact& contact : in.step->contacts)
    impulse_W += SideOf(in, sensor, contact) * contact.impulse_W;
  return impulse_W / in.step->dt;
}

// Slot by slot, the contact that follows the one before in order: there is nowhere to sort them.
void CalcContactSlots(const SensorContext& in, const Sensor& sensor, double* out) {
  const ContactSlots& slots = sensor.slots;
  double* const end = std::fill_n(out, sensor.size, 0.0);
  const double found = CountSensedContacts(in, sensor);
  if (found == 0.0) return;
  if (slots.order == ContactSlots::Order::kNet) {
    WriteSlot(SenseNet(in, sensor), found, slots, out);
    return;
  }
  using Place = std::pair<double, std::size_t>;  // rank, then as found
  Place last{-kInfinity, 0};
  for (bool is_first = true; out < end; is_first = false) {
    Place next{kInfinity, 0};
    double next_side = 0.0;
    for (std::size_t i = 0; i < in.step->contacts.size(); ++i) {
      const Place place{RankOf(slots.order, in.step->contacts[i]), i};
      if (!(place < next) || (!is_first && !(last < place))) continue;
      const double side = LoadedSideOf(in, sensor, in.step->contacts[i]);
      if (side == 0.0) continue;
      next = place;
      next_side = side;
    }
    if (next_side == 0.0) return;
    out = WriteSlot(Sense(in.step->contacts[next.second], next_side, in.step->dt), found, slots, out);
    last = next;
  }
}

}  // namespace stiction

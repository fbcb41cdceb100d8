// Sensors of contacts: touch in a region of a body, and what two bodies do to one another.
#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/measurement.h"
#include "sim/sensor_values.h"

namespace stiction {
namespace {

// Contacts at the rim of a region count in spite of rounding [m].
constexpr double kRim = 1e-6;

// Whether the ray p + s d, s >= 0, comes into the box of these half extents about the origin. Slab by slab:
// the part of the ray within all of them is not empty.
bool MeetsRegion(const Vector3d& half_extents, const Vector3d& p, const Vector3d& d) {
  double begin = 0.0, end = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 3; ++i) {
    const double h = half_extents[i] + kRim;
    if (std::abs(d[i]) < 1e-12) {
      if (std::abs(p[i]) > h) return false;
      continue;
    }
    const double s1 = (-h - p[i]) / d[i], s2 = (h - p[i]) / d[i];
    begin = std::max(begin, std::min(s1, s2));
    end = std::min(end, std::max(s1, s2));
  }
  return begin <= end;
}

// +1 if the impulse as it stands acts on the sensor's body b, from a; -1 if its opposite does; 0: the contact
// is another's.
double SideOf(const Model& model, const Sensor& sensor, const Contact& contact) {
  const int a = model.geoms[contact.geom_a].body, b = model.geoms[contact.geom_b].body;
  const auto is = [](int wanted, int body) { return wanted < 0 || wanted == body; };
  if (is(sensor.side_a.body, a) && is(sensor.side_b.body, b)) return 1.0;
  return is(sensor.side_a.body, b) && is(sensor.side_b.body, a) ? -1.0 : 0.0;
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
    const Vector3d p_W = contact.p_W + in.step->dt * CalcPointVelocity(in.model, in.kin, body, contact.p_W);
    const Vector3d inwards_W = is_b ? contact.n_W : Vector3d(-contact.n_W);
    const bool is_met =
        sensor.region.isZero(0.0) ||
        MeetsRegion(sensor.region, X_WF.R.transpose() * (p_W - X_WF.p), X_WF.R.transpose() * inwards_W);
    if (is_met) impulse += std::max(0.0, contact.impulse_W.dot(contact.n_W));
  }
  return impulse / in.step->dt;
}

double CountSensedContacts(const SensorContext& in, const Sensor& sensor) {
  if (!in.step) return 0.0;
  return static_cast<double>(
      std::count_if(in.step->contacts.begin(), in.step->contacts.end(), [&](const Contact& contact) {
        return SideOf(in.model, sensor, contact) != 0.0 &&
               contact.impulse_W.dot(contact.n_W) >= kLoadedImpulse;
      }));
}

Vector3d CalcSensedForce(const SensorContext& in, const Sensor& sensor) {
  Vector3d impulse_W = Vector3d::Zero();
  if (!in.step) return impulse_W;
  for (const Contact& contact : in.step->contacts)
    impulse_W += SideOf(in.model, sensor, contact) * contact.impulse_W;
  return impulse_W / in.step->dt;
}

}  // namespace stiction

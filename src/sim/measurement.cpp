#include "sim/measurement.h"

#include <algorithm>

namespace stiction {
namespace {

RigidTransform CalcPose(const World& world, const Frame& F) {
  return F.body < 0 ? RigidTransform{} : world.body_poses()[F.body] * F.X_BF;
}

bool Involves(const Model& model, const Contact& contact, const Frame& F) {
  return F.body < 0 || model.geoms[contact.geom_a].body == F.body ||
         model.geoms[contact.geom_b].body == F.body;
}

}  // namespace

bool IsOfStep(Quantity quantity) {
  switch (quantity) {
    case Quantity::kPosition:
    case Quantity::kDrift:
    case Quantity::kSpeed:
    case Quantity::kEnergyDrift:
      return false;
    case Quantity::kPenetration:
    case Quantity::kNcp:
    case Quantity::kLoop:
    case Quantity::kContacts:
      return true;
  }
  return true;
}

Vector3d MeasurePosition(const World& world, const Frame& F, const Frame& I) {
  return CalcPose(world, I).Inverse() * CalcPose(world, F).p;
}

// Seen from I, what moves is F's origin against the point of I's body that it stands at.
Vector3d MeasureVelocity(const World& world, const Frame& F, const Frame& I) {
  const Kinematics& kin = world.kinematics();
  const Vector3d p_WF = CalcPose(world, F).p;
  Vector3d v_IF_W = CalcPointVelocity(world.model(), kin, F.body, p_WF);
  if (I.body >= 0) v_IF_W -= CalcPointVelocity(world.model(), kin, I.body, p_WF);
  return CalcPose(world, I).R.transpose() * v_IF_W;
}

double MeasureLargestSpeed(const World& world) {
  const Kinematics& kin = world.kinematics();
  double speed = 0.0;
  for (int b = 1; b < world.model().num_bodies(); ++b)
    speed = std::max(speed, CalcPointVelocity(world.model(), kin, b, kin.X_WB[b].p).norm());
  return speed;
}

double MeasurePenetration(const World& world, const Frame& F) {
  if (F.body < 0) return world.report().penetration;
  double penetration = 0.0;
  for (const Contact& contact : world.contacts()) {
    if (Involves(world.model(), contact, F)) penetration = std::max(penetration, -contact.gap);
  }
  return penetration;
}

int CountLoadedContacts(const World& world, const Frame& F) {
  return static_cast<int>(
      std::count_if(world.contacts().begin(), world.contacts().end(), [&](const Contact& contact) {
        return Involves(world.model(), contact, F) && contact.impulse_W.dot(contact.n_W) >= kLoadedImpulse;
      }));
}

}  // namespace stiction

#include "sim/measurement.h"

#include <algorithm>

namespace stiction {
namespace {

RigidTransform CalcPose(const World& world, const Frame& F) {
  return F.body < 0 ? RigidTransform{} : world.body_poses()[F.body] * F.X_BF;
}

template <typename AnyContact>
bool Involves(const Model& model, const AnyContact& contact, const Frame& F) {
  return F.body < 0 || model.geoms[contact.geom_a].body == F.body ||
         model.geoms[contact.geom_b].body == F.body;
}

template <typename Visit>
void ForEachLoad(const World& world, const std::vector<Contact>* recorded, const Visit& visit) {
  if (recorded) return (void)std::for_each(recorded->begin(), recorded->end(), visit);
  for (const ContactMemory& contact : world.state().contacts) visit(contact);
  for (const ContactMemory& contact : world.state().sleep.contacts) visit(contact);
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
    case Quantity::kForce:
    case Quantity::kTime:
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

double MeasurePenetration(const Model& model, const std::vector<Contact>& contacts, const Frame& F) {
  double penetration = 0.0;
  for (const Contact& contact : contacts) {
    if (Involves(model, contact, F)) penetration = std::max(penetration, -contact.gap);
  }
  return penetration;
}

int CountLoadedContacts(const World& world, const Frame& F, const Frame& by,
                        const std::vector<Contact>* recorded) {
  int count = 0;
  ForEachLoad(world, recorded, [&](const auto& contact) {
    count += Involves(world.model(), contact, F) && Involves(world.model(), contact, by) &&
             contact.impulse_W.norm() >= kLoadedImpulse;
  });
  return count;
}

Vector3d MeasureImpulse(const World& world, const Frame& F, const Frame& I, const Frame& by,
                        const std::vector<Contact>* recorded) {
  const Model& model = world.model();
  Vector3d impulse_W = Vector3d::Zero();
  ForEachLoad(world, recorded, [&](const auto& contact) {
    if (!Involves(model, contact, by)) return;
    if (model.geoms[contact.geom_b].body == F.body) impulse_W += contact.impulse_W;
    if (model.geoms[contact.geom_a].body == F.body) impulse_W -= contact.impulse_W;
  });
  return CalcPose(world, I).R.transpose() * impulse_W;
}

Vector3d MeasureForce(const World& world, const Frame& F, const Frame& I, const Frame& by) {
  return MeasureImpulse(world, F, I, by) / world.timestep();
}

}  // namespace stiction

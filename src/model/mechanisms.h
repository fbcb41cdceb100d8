// What refers to bodies and joints by index: actuators, tendons, equalities and sensors, while a model is
// built or becomes part of another.
#pragma once

#include <vector>

#include "stiction/model/model_builder.h"

namespace stiction {

// Where bodies, joints, geoms, cameras, tendons and actuators went.
struct ReferenceMap {
  const std::vector<int>& bodies;
  const std::vector<int>& joints;  // -1: left out
  const std::vector<int>& geoms;
  const std::vector<int>& cameras;
  int first_tendon = 0;
  int first_actuator = 0;
  RigidTransform X_WM{};  // of what is fixed to the world

  // False, and nothing is changed, if it refers to a joint that is left out.
  bool Rename(Actuator& actuator) const;
  bool Rename(Tendon& tendon) const;
  bool Rename(Equality& equality) const;
  bool Rename(Sensor& sensor) const;

 private:
  bool HasJoint(int joint) const { return joint < 0 || joints[joint] >= 0; }
  void RenameFrame(Frame& frame) const;
  void RenameSide(ContactSide& side) const;
};

// At the door of Add...; see there. Indices are the builder's.
void CheckTendon(const Model& model, const Tendon& tendon);
void CheckEquality(const Model& model, const Equality& equality);
// At Build.
void CheckSensors(const Model& model);

// Tendons with an armature: their dofs, by tree. Needs the topology.
void FillTendonInertia(Model& model);
// Numbers activations, equality rows and sensor values.
void NumberMechanisms(Model& model);

}  // namespace stiction

// World's queries: each hands model, state and kinematics to a free function.
#include "stiction/dynamics/aba.h"
#include "stiction/dynamics/center_of_mass.h"
#include "stiction/dynamics/crba.h"
#include "stiction/dynamics/forces.h"
#include "stiction/dynamics/jacobian.h"
#include "stiction/dynamics/rnea.h"
#include "stiction/io/state_file.h"
#include "stiction/sim/world.h"

namespace stiction {
namespace {

JointForces CalcForces(const World& world) {
  JointForces forces;
  CalcJointForces(world.model(), world.kinematics(), world.q(), world.v(), world.input(), forces);
  return forces;
}

}  // namespace

void World::SaveState(const std::string& path) const {
  WriteState(path, model(), state());
}

void World::LoadState(const std::string& path) {
  set_state(ReadState(path, model()));
}

const std::vector<RigidTransform>& World::body_poses() const {
  return kinematics().X_WB;
}

std::vector<Contact> World::FindContacts(int body) const {
  return stiction::FindContacts(model(), contacts(), body);
}

std::vector<Contact> World::FindContacts(int body_a, int body_b) const {
  return stiction::FindContacts(model(), contacts(), body_a, body_b);
}

Vector6d World::CalcContactWrench(int body, const Vector3d& p_WQ) const {
  return stiction::CalcContactWrench(model(), contacts(), timestep(), body, p_WQ);
}

Energy World::CalcEnergy() const {
  return stiction::CalcEnergy(model(), kinematics(), q(), v());
}

MatrixXd World::CalcMassMatrix() const {
  CrbaWorkspace ws;
  BranchSparseMatrix M(MakeMassMatrixPattern(model()));
  stiction::CalcMassMatrix(model(), kinematics(), ws, M);
  return M.ToDense();
}

VectorXd World::CalcBias() const {
  RneaWorkspace ws;
  VectorXd h;
  stiction::CalcBias(model(), kinematics(), v(), model().options.gravity, ws, h);
  return h;
}

VectorXd World::CalcPassive() const {
  return CalcForces(*this).passive;
}

Vector3d World::CalcCenterOfMass() const {
  return stiction::CalcCenterOfMass(model(), kinematics());
}

std::pair<Vector3d, Vector3d> World::CalcMomentum() const {
  std::pair<Vector3d, Vector3d> momentum;
  stiction::CalcMomentum(model(), kinematics(), momentum.first, momentum.second);
  return momentum;
}

RigidTransform World::CalcFramePose(int frame) const {
  return stiction::CalcFramePose(model(), kinematics(), frame);
}

Vector6d World::CalcFrameVelocity(int frame) const {
  return stiction::CalcFrameVelocity(model(), kinematics(), frame);
}

Matrix6Xd World::CalcFrameJacobian(int frame) const {
  Matrix6Xd J;
  stiction::CalcFrameJacobian(model(), kinematics(), frame, J);
  return J;
}

Vector6d World::CalcPointVelocity(int body, const Vector3d& p_WQ) const {
  return CalcSpatialVelocity(model(), kinematics(), body, p_WQ);
}

Matrix6Xd World::CalcPointJacobian(int body, const Vector3d& p_WQ) const {
  Matrix6Xd J;
  CalcSpatialJacobian(model(), kinematics(), body, p_WQ, J);
  return J;
}

VectorXd World::CalcForwardDynamics() const {
  const JointForces forces = CalcForces(*this);
  AbaWorkspace ws;
  VectorXd vdot;
  stiction::CalcForwardDynamics(model(), kinematics(), v(),
                                forces.passive + forces.actuation + forces.applied, model().options.gravity,
                                ws, vdot);
  return vdot;
}

VectorXd World::CalcInverseDynamics(const VectorXd& vdot) const {
  RneaWorkspace ws;
  VectorXd tau;
  stiction::CalcInverseDynamics(model(), kinematics(), v(), vdot, model().options.gravity,
                                input().applied_wrench, ws, tau);
  return tau - CalcPassive();
}

}  // namespace stiction

// World's queries: each hands model, state and kinematics to a free function.
#include <stdexcept>
#include <string>

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
  forces.dt = world.model().options.timestep;
  CalcJointForces(world.model(), world.kinematics(), world.q(), world.v(), world.state().activation,
                  world.input(), forces);
  return forces;
}

// The index itself, if it is one of `count`.
int Check(int index, int count, const char* what) {
  if (index >= 0 && index < count) return index;
  throw std::out_of_range("no " + std::string(what) + " " + std::to_string(index) + ": the model has " +
                          std::to_string(count));
}
int CheckBody(const World& world, int body) {
  return Check(body, world.model().num_bodies(), "body");
}
int CheckGeom(const World& world, int geom) {
  return Check(geom, world.model().num_geoms(), "geom");
}
int CheckFrame(const World& world, int frame) {
  return Check(frame, static_cast<int>(world.model().frames.size()), "frame");
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
  return stiction::FindContacts(model(), contacts(), CheckBody(*this, body));
}

std::vector<Contact> World::FindContacts(int body_a, int body_b) const {
  return stiction::FindContacts(model(), contacts(), CheckBody(*this, body_a), CheckBody(*this, body_b));
}

Vector6d World::CalcContactWrench(int body, const Vector3d& p_WQ) const {
  return stiction::CalcContactWrench(model(), contacts(), timestep(), CheckBody(*this, body), p_WQ);
}

Energy World::CalcEnergy() const {
  Energy energy = stiction::CalcEnergy(model(), kinematics(), q(), v());
  if (model().num_tendons() > 0) energy.potential += CalcTendonEnergy(model(), tendons());
  return energy;
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
  return stiction::CalcFramePose(model(), kinematics(), CheckFrame(*this, frame));
}

Vector6d World::CalcFrameVelocity(int frame) const {
  return stiction::CalcFrameVelocity(model(), kinematics(), CheckFrame(*this, frame));
}

Matrix6Xd World::CalcFrameJacobian(int frame) const {
  Matrix6Xd J;
  stiction::CalcFrameJacobian(model(), kinematics(), CheckFrame(*this, frame), J);
  return J;
}

Vector6d World::CalcPointVelocity(int body, const Vector3d& p_WQ) const {
  return CalcSpatialVelocity(model(), kinematics(), CheckBody(*this, body), p_WQ);
}

Matrix6Xd World::CalcPointJacobian(int body, const Vector3d& p_WQ) const {
  Matrix6Xd J;
  CalcSpatialJacobian(model(), kinematics(), CheckBody(*this, body), p_WQ, J);
  return J;
}

std::optional<RayHit> World::CastRay(const Vector3d& p_W, const Vector3d& d_W,
                                     const RayFilter& filter) const {
  return stiction::CastRay(model(), kinematics().X_WG, p_W, d_W, filter);
}

std::vector<int> World::FindGeomsAt(const Vector3d& p_W) const {
  return stiction::FindGeomsAt(model(), kinematics().X_WG, p_W);
}

ClosestPoints World::CalcGeomDistance(int geom_a, int geom_b) const {
  return stiction::CalcGeomDistance(model(), kinematics().X_WG, CheckGeom(*this, geom_a),
                                    CheckGeom(*this, geom_b));
}

std::optional<ClosestPoints> World::CalcBodyDistance(int body_a, int body_b) const {
  return stiction::CalcBodyDistance(model(), kinematics().X_WG, CheckBody(*this, body_a),
                                    CheckBody(*this, body_b));
}

VectorXd World::CalcForwardDynamics() const {
  CheckInputFits();
  const JointForces forces = CalcForces(*this);
  AbaWorkspace ws;
  VectorXd vdot;
  stiction::CalcForwardDynamics(model(), kinematics(), v(),
                                forces.passive + forces.actuation + forces.applied, model().options.gravity,
                                ws, vdot);
  return vdot;
}

VectorXd World::CalcInverseDynamics(const VectorXd& vdot) const {
  if (vdot.size() != model().nv()) throw std::invalid_argument("the acceleration has another size than v");
  CheckInputFits();
  RneaWorkspace ws;
  VectorXd tau;
  stiction::CalcInverseDynamics(model(), kinematics(), v(), vdot, model().options.gravity,
                                input().applied_wrench, ws, tau);
  return tau - CalcPassive();
}

}  // namespace stiction

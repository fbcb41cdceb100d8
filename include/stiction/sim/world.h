// A simulation: a constant Model, a State, an Input, and the scratch of the step.
//
//   stiction::World world(stiction::LoadModel("arm.urdf"));
//   while (world.time() < 5.0) {
//     const stiction::StepReport& report = world.Step();
//     if (report.certificate.ncp_max > 1e-8) Log(report);
//   }
//
// World is a thin owner: underneath stands the free function Step (sim/step.h) over Model, Input, State and
// StepWorkspace. Its queries are thin too: each calls the free function named beside it at kinematics().
// Indices are the model's (Model::FindBody, FindFrame, FindGeom); one that the model does not have, such as
// the -1 of a name not found, throws std::out_of_range. One World belongs to one thread at a time,
// const members included: they share scratch.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "stiction/collision/scene_query.h"
#include "stiction/contact/problem.h"
#include "stiction/dynamics/energy.h"
#include "stiction/dynamics/frame.h"
#include "stiction/dynamics/tendon.h"
#include "stiction/model/input.h"
#include "stiction/model/model.h"
#include "stiction/model/state.h"
#include "stiction/sim/contact.h"
#include "stiction/sim/step_report.h"
#include "stiction/sim/world_options.h"

namespace stiction {

class World {
 public:
  // Throws std::invalid_argument: unknown solver or solver option, timestep or budget not positive.
  explicit World(Model model, WorldOptions options = {});
  ~World();
  World(World&&) noexcept;
  World& operator=(World&&) noexcept;

  const Model& model() const;
  double time() const;
  double timestep() const;
  Integrator integrator() const;
  const Budget& budget() const;  // that steps are held to
  // They stay where they are in memory as long as the World lives.
  const VectorXd& q() const;
  const VectorXd& v() const;
  const WorldOptions& options() const;
  // WorldOptions::num_threads, from the next step on. Throws std::invalid_argument: not 1 ... kMaxThreads.
  void set_num_threads(int num_threads);

  const State& state() const;
  // Throws std::invalid_argument if the sizes are not the model's or a number is not finite.
  void set_state(const State& state);
  // q, v, ctrl and mocap poses of a keyframe.
  void SetKeyframe(const Keyframe& keyframe);

  Input& input();
  const Input& input() const;
  // Called at the start of every step, before the input is used. What it writes stays in the input until it
  // is overwritten; what it throws leaves Step(), which has done nothing then.
  void set_controller(std::function<void(const World&, Input&)> controller);
  // Adds a force [N] that acts on `body` at the point p_WQ [m], world axes, during the next step only;
  // several add up, and stay where the state is set. What acts for longer belongs into
  // input().applied_wrench: AddForceAtPoint (dynamics/forces.h).
  void AddForce(int body, const Vector3d& p_WQ, const Vector3d& f_W);
  // What that has come to for the next step, as Input::applied_wrench.
  const Matrix6Xd& next_wrench() const;
  void set_next_wrench(const Matrix6Xd& wrench);

  // Whether the body's tree sleeps (sim/sleep.h); false for what is fixed to the world.
  bool IsAsleep(int body) const;
  // Wakes the body's island, if it sleeps, and lets its tree count its time at rest anew.
  void Wake(int body);

  // Advances by one timestep. Never throws, never prints; after a status of kDiverged, kSingularMass or
  // kInvalidInput the state is that from before the step.
  const StepReport& Step();
  const StepReport& report() const;

  // Saves q, v, time, warm start and slip memory, every bit of them (io/state_file.h): the loaded state
  // continues as the saved one would have, given equal input. SaveState throws std::runtime_error if the file
  // cannot be written, LoadState a LoadError: not a state, or one of a model of another size.
  void SaveState(const std::string& path) const;
  void LoadState(const std::string& path);

  // Poses, motion columns and velocities of all bodies at the current q, v and mocap poses, whatever set
  // them. Computed when first asked for after a change; valid until the next one.
  const Kinematics& kinematics() const;
  const std::vector<RigidTransform>& body_poses() const;  // kinematics().X_WB
  // Lengths of all tendons at kinematics(), and their Jacobians (dynamics/tendon.h).
  const TendonWorkspace& tendons() const;

  // Contacts of the last step. After Refresh(): those of the current state, without impulses.
  const std::vector<Contact>& contacts() const;
  // Finds the contacts of the current state without a step.
  void Refresh();
  // Of contacts(), each turned so that its impulse acts on `body`; or between two bodies, from a to b
  // (sim/contact.h).
  std::vector<Contact> FindContacts(int body) const;
  std::vector<Contact> FindContacts(int body_a, int body_b) const;
  // Mean wrench of all contacts on `body` in the last step, or the last part of one that was divided
  // (sim/contact.h): moment about p_WQ, world axes [N·m, N].
  Vector6d CalcContactWrench(int body, const Vector3d& p_WQ) const;

  Energy CalcEnergy() const;          // dynamics/energy.h
  MatrixXd CalcMassMatrix() const;    // M(q), nv x nv
  VectorXd CalcBias() const;          // h(q, v): Coriolis, centrifugal, gravity; size nv
  VectorXd CalcPassive() const;       // springs and dampers, size nv
  Vector3d CalcCenterOfMass() const;  // of all bodies that can move [m]
  // Linear momentum [N·s] and angular momentum about the world origin [N·m·s].
  std::pair<Vector3d, Vector3d> CalcMomentum() const;

  // Pose, velocity (angular first) and Jacobian (6 x nv) of a frame (dynamics/frame.h), and the same of the
  // material point of a body at p_WQ.
  RigidTransform CalcFramePose(int frame) const;
  Vector6d CalcFrameVelocity(int frame) const;
  Matrix6Xd CalcFrameJacobian(int frame) const;
  Vector6d CalcPointVelocity(int body, const Vector3d& p_WQ) const;
  Matrix6Xd CalcPointJacobian(int body, const Vector3d& p_WQ) const;

  // The first geom that a ray meets, the geoms that hold a point, and the closest points of two geoms or
  // bodies (collision/scene_query.h).
  std::optional<RayHit> CastRay(const Vector3d& p_W, const Vector3d& d_W, const RayFilter& filter = {}) const;
  std::vector<int> FindGeomsAt(const Vector3d& p_W) const;
  ClosestPoints CalcGeomDistance(int geom_a, int geom_b) const;
  std::optional<ClosestPoints> CalcBodyDistance(int body_a, int body_b) const;

  // v̇ [m/s² or rad/s²] that the input, springs and dampers cause where no contact and no joint limit acts;
  // actuators follow the input as it stands, without the controller. Size nv.
  VectorXd CalcForwardDynamics() const;
  // τ = M v̇ + h − passive − Jᵀ applied_wrench: what actuators and applied_generalized together must supply
  // for the given v̇, again without contacts and limits. Size nv [N or N·m]. Symplectic Euler takes h as the
  // mean of those of both ends of a step (src/sim/mean_bias.h): by these forces v̇ is met to the order of dt.
  VectorXd CalcInverseDynamics(const VectorXd& vdot) const;

  // What the model's sensors read, size num_sensor_values; sim/sensors.h says what each value is, in which
  // unit and axes. Computed when first asked for after a step, a new state or a keyframe, and kept until the
  // next; a model whose sensors nobody asks pays for a copy of q, v and the applied forces per step, one
  // without sensors nothing. After a step that failed they read as after set_state: as if none was taken.
  const VectorXd& sensors() const;
  // The values of one sensor (Model::FindSensor) within sensors().
  Eigen::Map<const VectorXd> sensor(int index) const;

  // The contact problem of the last step, with the impulses that solved it; of its last part, where it was
  // taken in several (StepReport::num_parts). It has no rows of trees that sleep, nor of islands that
  // did not have to be computed (WorldOptions::skips_still); contacts() holds theirs too.
  const ContactProblem& problem() const;
  // A copy of it that also holds what solvers that split by body want (ContactProblem::motion), whether or
  // not the world's own is one: for files, and for solvers beside it.
  ContactProblem MakeProblem() const;
  const Solution& solution() const;
  // The impulses from which the solver started the last step, rows as in problem(): those of the step before
  // at contacts and limits that persist, zero at new ones, with their trend. Without a velocity and without
  // penalties.
  Solution warm_start() const;

 private:
  void CheckInputFits() const;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace stiction

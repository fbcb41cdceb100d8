// What a step knows of its start: the arguments that its stages have in common. Constant from the end of
// detection to the end of the step.
#pragma once

#include "math/task_pool.h"
#include "sim/assembly.h"
#include "sim/detection.h"
#include "sim/geom_chain.h"
#include "sim/mocap_motion.h"
#include "sim/sleep.h"
#include "stiction/dynamics/kinematics.h"
#include "stiction/dynamics/tendon.h"
#include "stiction/model/integrator.h"

namespace stiction {

struct StepFrame {
  const Kinematics& kin;  // mocap bodies are where the step takes them
  const TendonWorkspace& tendons;
  const std::vector<DetectedContact>& contacts;
  const std::vector<Matrix3d>& R_WC;     // one per contact: MakeContactFrame
  const std::vector<GeomChain>& chains;  // one per geom
  const std::vector<LimitRow>& limits;
  const MocapMotion& mocap;
  const SleepStage& sleep;       // who takes part
  const BranchPattern& pattern;  // of the mass matrix
  const TaskPool& pool;          // who shares the work
  const double& dt;              // [s]
  const Integrator& scheme;
};

// What mocap bodies alone move of B at the contact point against A in the step, world axes
// (sim/mocap_motion.h); zero where they jump.
struct MocapStep {
  Vector3d displacement = Vector3d::Zero();  // d [m]
  Vector3d travel = Vector3d::Zero();        // u, by their velocities [m]
  Vector3d turn = Vector3d::Zero();          // rotation vector [rad]
};
MocapStep CalcMocapStep(const StepFrame& frame, const DetectedContact& contact);

// Velocity of B relative to A along the normal of a contact, for generalised velocity v [m/s].
double CalcNormalVelocity(const StepFrame& frame, const TrackedContact& contact, const VectorXd& v);

// Angular velocity of geom B against geom A, world frame [rad/s].
Vector3d CalcRelativeTurn(const StepFrame& frame, const TrackedContact& contact, const VectorXd& v);

// How deep bodies are in one another at the start of the step, at most; 0: they are not [m].
double CalcPenetration(const StepFrame& frame);

// StepFrame::R_WC.
void CalcContactFrames(const std::vector<DetectedContact>& contacts, const TaskPool& pool,
                       std::vector<Matrix3d>& R_WC);

// Fewer contacts than so many are not worth handing to another thread; nor fewer than so many of which all
// that the problem or the next step has of them is worked out.
inline constexpr int kLeastContacts = 64;
inline constexpr int kLeastWholeContacts = 16;

}  // namespace stiction

// The controllers of a World, with what they are led by: sim/controller.h has their equations.
#pragma once

#include <optional>
#include <vector>

#include "dynamics/tree_bias.h"
#include "stiction/dynamics/inverse_kinematics.h"
#include "stiction/dynamics/rnea.h"
#include "stiction/sim/controller.h"
#include "stiction/sim/task.h"

namespace stiction {

class ControllerSet {
 public:
  // Throws LoadError as FindControllerTasks and FindTask do.
  ControllerSet(const Model& model, const std::vector<ControllerDescription>& descriptions,
                const std::vector<TaskDescription>& tasks = {});

  // At the start of a step of a World with that model. Allocates at the first call only.
  void Update(const World& world, Input& input);

 private:
  struct Entry {
    ControllerTask task;
    int led = -1;                           // its index among the tasks' controllers
    std::optional<InverseKinematics> ik{};  // reach
    int memory = -1;  // reach: address of q_d, its rate and the posture, one per joint each
    VectorXd value{}, rate{}, rate_change{}, unused{};  // of the target's channels
    VectorXd carried_load{};     // part of c, one per joint; empty where nothing is to be carried
    VectorXd start{}, middle{};  // scratch
  };
  void ClearOwned(const Model& model, Input& input) const;
  void BeginMemory(const World& world, VectorXd& memory) const;
  void SampleAt(const Entry& entry, const VectorXd& memory, double t, VectorXd& value, VectorXd& rate) const;
  PoseSample SamplePoseAt(const Entry& entry, const VectorXd& memory, double t) const;
  void SampleTarget(const World& world, const VectorXd& memory, Entry& entry) const;
  void SampleMean(const World& world, const VectorXd& memory, Entry& entry) const;
  void Reach(const World& world, VectorXd& memory, Entry& entry);
  void CalcTargetAcceleration(const World& world);
  void AverageDynamicsLoad(const World& world);
  void CalcLoads(const World& world);
  void CalcCarriedLoad(const World& world, Entry& entry);
  double LoadOf(const Entry& entry, std::size_t i, int dof) const;  // c on its i-th joint
  void UpdateJointPd(const World& world, const Entry& entry, Input& input) const;
  void UpdatePose(const World& world, const VectorXd& memory, const Entry& entry, Input& input);
  void UpdateGrip(const World& world, const Entry& entry, Input& input) const;
  void UpdateMocap(const World& world, const VectorXd& memory, const Entry& entry, Input& input) const;

  TaskSet tasks_;
  std::vector<Entry> entries_;
  std::vector<int> dofs_, bodies_;  // whose forces belong to the controllers
  int memory_size_ = 0;             // of State::memory: the tasks', then that of each reach
  bool needs_gravity_ = false, needs_bias_ = false, needs_dynamics_ = false;

  // Scratch.
  RneaWorkspace rnea_;
  std::optional<TreeBiasWorkspace> tree_bias_;
  // Size nv: c by gravity, and what the velocities, or they and v̇_d, add [N or N·m].
  VectorXd gravity_load_, motion_load_, dynamics_load_;
  VectorXd vdot_;      // size nv: v̇_d
  Kinematics middle_;  // half a step ahead
  VectorXd middle_q_, middle_v_, start_bias_, end_bias_;
  Matrix6Xd J_, GJ_;  // 6 x nv
};

}  // namespace stiction

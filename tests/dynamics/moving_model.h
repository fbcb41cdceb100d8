// A model with its configuration, velocity and up-to-date kinematics, for the tests of this folder.
#pragma once

#include "stiction/dynamics/crba.h"
#include "stiction/dynamics/kinematics.h"
#include "stiction/dynamics/rnea.h"
#include "tests/support/random_model.h"

namespace stiction::testing {

// Enough random mechanisms to meet every pairing of joints on parent and child.
inline constexpr int kNumSeeds = 50;
inline constexpr int kNumBodies = 12;

struct MovingModel {
  Model model;
  VectorXd q, v;
  Input input;
  Kinematics kin;

  MovingModel(Model model_in, const VectorXd& q_in, const VectorXd& v_in)
      : model(std::move(model_in)), q(q_in), v(v_in), input(Input::Default(model)) {
    kin.Resize(model);
    Update();
  }
  static MovingModel MakeRandom(unsigned seed, JointSet set = JointSet::kAll) {
    const Model model = MakeRandomModel(seed, kNumBodies, set);
    return {model, MakeRandomConfiguration(model, seed), MakeRandomVelocity(model, seed)};
  }

  void Update() {
    CalcPositionKinematics(model, q, input.mocap, kin);
    CalcVelocityKinematics(model, v, kin);
  }
  // The same at q ⊕ dt v, v + dt vdot.
  MovingModel Advanced(double dt, const VectorXd& vdot) const {
    MovingModel moved = *this;
    IntegrateConfiguration(model, v, dt, moved.q);
    moved.v += dt * vdot;
    moved.Update();
    return moved;
  }
  MovingModel Advanced(double dt) const { return Advanced(dt, VectorXd::Zero(model.nv())); }
};

inline MatrixXd DenseMassMatrix(const MovingModel& moving) {
  CrbaWorkspace ws;
  BranchSparseMatrix M(MakeMassMatrixPattern(moving.model));
  CalcMassMatrix(moving.model, moving.kin, ws, M);
  return M.ToDense();
}

inline VectorXd Bias(const MovingModel& moving) {
  RneaWorkspace ws;
  VectorXd h;
  CalcBias(moving.model, moving.kin, moving.v, moving.model.options.gravity, ws, h);
  return h;
}

// Largest entry of a - b, over the largest of b (or over one, if b is smaller).
template <typename A, typename B>
double RelativeError(const A& a, const B& b) {
  if (b.size() == 0) return 0.0;
  return (a - b).cwiseAbs().maxCoeff() / std::max(1.0, b.cwiseAbs().maxCoeff());
}

}  // namespace stiction::testing

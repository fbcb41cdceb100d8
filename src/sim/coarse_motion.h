// Trees with joints that turn further in a step than it resolves.
//
// Coriolis and centrifugal forces change with the square of the velocities. Where a body turns by a quarter
// of a radian or more in a step, v⁺ = v − dt M⁻¹ h goes far beyond the motion that they bend, and every step
// adds ½ dt² hᵀ M⁻¹ h to its energy: two links of a few millimetres that a blow turns at 300 rad/s fly apart
// within a dozen steps of 5 ms. No answer of such a step is right, but one that gains energy from nowhere is
// worse than others. What the tree may end with is what it began with and what was done to it,
//
//   E ≤ E₀ + (M (v⁺ − v) + dt h)ᵀ (v + v⁺)/2
//
// M, h and v⁺ those of the step: M (v⁺ − v) + dt h is what forces and impulses do, once the weight is taken
// out of h. Where bodies turn by no more than a radian, a hundredth more may come in a step, and goes again.
// If it ends with more, velocities become smaller: all of them where it stands on something or something
// touches it, so that what stands stands and what sticks sticks; in flight those about the mass centre, which
// moves as a point does, whatever turns about it.
//
// Trees that a contact or a limit presses take h of the start alone (sim/mean_bias.h), by which they gain
// energy at any turn: where light links carry much, as those of a rope with a weight, as much as they have at
// a twentieth of a radian. So from there on these are let gain no more than a hundredth of it, either, and
// from a hundredth of a radian on a tenth. The same holds where the position stage moves a joint as far: M is
// another one there, and velocities that stay as they are another energy.
//
// For symplectic Euler alone, whose M and h are those of the start. Single bodies conserve energy as they are
// (sim/free_body.h), and a single axis has no h but its weight.
#pragma once

#include "math/task_pool.h"
#include "sim/floating_momentum.h"

namespace stiction {

class CoarseMotion {
 public:
  static constexpr double kTurn = 0.25;  // of a body in a step that hardly resolves its motion [rad]

  explicit CoarseMotion(const Model& model);

  //   probe  overwritten
  //   q, v   the step's end; v in and out
  void Limit(const Model& model, const SolvedStep& step, const VectorXd& q, Kinematics& probe, VectorXd& v);

 private:
  struct Jointed {
    int tree = 0;
    IndexRange bodies, dofs;
    bool floats = false;  // on a free joint
  };
  struct Sum {
    double mass = 0.0, energy = 0.0, turning = 0.0;  // the last of the fastest [rad/s]
    Vector3d p_cm = Vector3d::Zero(), linear = Vector3d::Zero();
  };

  // Of some of those in coarse_, which a thread works on by itself.
  struct Part {
    std::vector<char> contains;
    TreeSet trees;
  };
  void AddPart(const Model& model);
  void FindCoarse(const SolvedStep& step, const VectorXd& v);
  // Of coarse_ from `begin` to `end`.
  void LimitTrees(const Model& model, const SolvedStep& step, IndexRange coarse, const VectorXd& q,
                  Part& part, Kinematics& probe, VectorXd& v) const;
  void MarkTouched(const SolvedStep& step);
  static Sum AddUp(const Model& model, const Kinematics& kin, const Jointed& jointed);
  static double CalcWork(const SolvedStep& step, const Jointed& jointed);
  // Of the mass centre at the step's end, of a tree that nothing touches.
  static Vector3d CalcCentreVelocity(const Model& model, const SolvedStep& step, const Jointed& jointed,
                                     const Sum& before);
  void LimitTree(const Model& model, const SolvedStep& step, const Jointed& jointed, const Kinematics& end,
                 VectorXd& v) const;

  std::vector<Jointed> jointed_;
  std::vector<int> coarse_;    // in this step: into jointed_
  std::vector<char> touched_;  // one per tree: by what is not of it
  std::vector<char> pressed_;  // one per tree: by a contact or a limit
  std::vector<char> tied_;     // one per tree: by loops to others, which move as one
  std::vector<Part> parts_;
};

}  // namespace stiction

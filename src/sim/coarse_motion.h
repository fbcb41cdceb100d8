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
// Trees that loops tie to one another are looked at as one, and what loops hold from a tenth of a radian on,
// from where it may gain a tenth. What loops do themselves, where no input moves them, is no work that was
// done to it: near singular places their bends ask for velocities of any size.
//
// For symplectic Euler, whose M and h are those of the start, and the midpoint rule, whose are those of the
// middle: where its equations have hardly a solution it finds one that gains energy. Single bodies conserve
// theirs as they are (sim/free_body.h), and a single axis has no h but its weight.
#pragma once

#include <span>
#include <vector>

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
  struct Moving {
    IndexRange bodies, dofs;
    bool floats = false;            // on a free joint
    int free_body = -1;             // into FreeMotion::flights; -1: not one
    bool is_exact = false;          // alone it needs nothing
    bool has_more_inertia = false;  // than that of its bodies and armatures
  };
  struct Sum {
    double mass = 0.0, energy = 0.0, turning = 0.0;  // the last of the fastest [rad/s]
    Vector3d p_cm = Vector3d::Zero(), linear = Vector3d::Zero();
  };
  using Unit = std::span<const int>;  // trees

  // Of some units in coarse_, which a thread works on by itself.
  struct Part {
    std::vector<char> contains;
    TreeSet trees;
  };
  void AddPart(const Model& model);
  int FindRoot(int tree);
  // The trees of each unit; without ties, those that are not exact.
  void FindUnits();
  void FindCoarse(const SolvedStep& step, const VectorXd& v);
  // Of coarse_ from `begin` to `end`.
  void LimitUnits(const Model& model, const SolvedStep& step, IndexRange coarse, const VectorXd& q,
                  Part& part, Kinematics& probe, VectorXd& v) const;
  void MarkTouched(const SolvedStep& step);
  static bool Any(Unit unit, const std::vector<char>& marks);
  bool Turns(const SolvedStep& step, Unit unit, const VectorXd& v, double turn) const;
  bool IsDisplaced(const SolvedStep& step, Unit unit, double most) const;
  Sum AddUp(const Model& model, const Kinematics& kin, Unit unit) const;
  double CalcWork(const Model& model, const SolvedStep& step, Unit unit) const;
  double CalcWorkOfLoops(const SolvedStep& step, Unit unit) const;
  // Of the mass centre at the step's end, of a tree that nothing touches.
  static Vector3d CalcCentreVelocity(const Model& model, const SolvedStep& step, const Moving& tree,
                                     const Sum& before);
  void LimitUnit(const Model& model, const SolvedStep& step, Unit unit, const Kinematics& end,
                 VectorXd& v) const;
  Unit unit(int i) const {
    return Unit(members_).subspan(first_member_[i], first_member_[i + 1] - first_member_[i]);
  }

  std::vector<Moving> trees_;
  TreeSet fixed_;             // nothing that moves
  bool are_carried_ = false;  // some trees, by bodies that are fixed to the world
  std::vector<int> members_, first_member_;      // of the units
  std::vector<int> place_;                       // scratch, one per root
  bool may_be_tied_ = false, has_ties_ = false;  // some trees, in this step
  std::vector<int> parent_;                      // one per tree, of a forest whose roots stand for units
  std::vector<int> coarse_;                      // in this step: units
  std::vector<char> touched_;                    // one per tree: by what is not of it
  std::vector<char> pressed_;                    // one per tree: by a contact or a limit
  std::vector<char> looped_;                     // one per tree: by loops
  std::vector<char> held_;                       // one per tree: by loops, to the world or to itself
  std::vector<Part> parts_;
};

}  // namespace stiction

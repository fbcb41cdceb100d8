// Momentum of islands that float: kept to rounding where coordinates and integrator would let it drift.
//
// An island is a set of trees on free joints that the impulses of a step tie together, and nothing to the
// world or to what stands on it: a robot in flight, linked satellites, two bodies that collide in the air.
// Forces and impulses within it are equal and opposite at one configuration, so that J v⁺ has no momentum
// that they gave it; but v⁺ then stands for another momentum at the configuration of the step's end. With P,
// L of the start, about the centre of mass C, and the impulse and its moment (f, m) of what acts from
// outside,
//
//   P⁺ = P + f,   C⁺ = C + dt (θ P⁺ + (1 − θ) P)/mass,   L⁺ = L + m
//
// hold at the end of the step by a shift of the island, and a twist of it as one rigid body:
//
//   V = (P⁺ − P_end)/mass,   ω = I⁻¹ (L⁺ − L_end)       I: of the whole island about C⁺
//
// of the size of the integrator's own error, dt² for Euler's methods, so that their order stays. A rigid
// twist changes no velocity within the island: joint rates, and what the laws of contacts, limits and loops
// within it were solved for, stay as they are. That is why islands that touch something fixed are left alone:
// there the law is about the end-of-step velocity itself, and momentum is not conserved anyway.
//
// What is conserved, of an island that nothing acts on from outside:
//
//                       bodies without joints          trees with joints
//   euler, implicit     P, L, path of C to rounding    the same
//   midpoint            P, L, path of C to rounding    to second order
//   explicit, rk4       to the order of the scheme
//
// What is taken out is the integrator's error, which is small against the motion. Where the twist is not (its
// energy is more than a thousandth of the island's, about C) the step did not resolve the motion, or there is
// nearly no inertia about some axis, and any energy could come of it. Where a mechanism that does not fit
// together is drawn together (sim/equality_stage.h) the change is not the integrator's: L changes as for a
// skater who draws in the arms without work, and to give it back would take energy from nowhere. Such islands
// keep v⁺ as solved. So do those which the position stage pushes apart, where the twist would end with more
// energy than the step began with, and bodies without joints where it would end with more than v* has: what
// bodies that meet in the course of a step lose is what they lose where they were at its start, and to give
// them back the moment of that would give back more than it took. Loops take nothing: what their bends ask
// for comes and goes, and momentum is kept with it, unless the twist adds more than a hundredth of the energy
// about C. Where a step goes too far for bends to be foreseen there are none, and no more than v* has.
//
// With gravity P and C move as those of a point mass by the same rule. A body without joints and without
// impulses needs nothing: it conserves energy too (sim/free_body.h). By the midpoint rule the errors of a
// tree's momentum come back, because the rule is symmetric in time; a correction at the end of each step is
// not, and would cost more in energy than it gives: 0.06 J of the 3.24 J of
// assets/scenarios/floating_four_bar.xml, in place of 0.001. By Euler's method it saves energy there: 0.05
// J, in place of 0.70. Armature, which is inertia that moves nothing (reflected rotors), counts in joint
// rates and not in momentum.
//
// References: Featherstone 2008, §2.13 (momentum of composites). J. C. Simo, N. Tarnow, K. Wong, Exact
// energy-momentum conserving algorithms and symplectic schemes for nonlinear dynamics, 1992.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "sim/free_motion.h"

namespace stiction {

// A step at its end, before it is taken over.
struct SolvedStep {
  double theta = 1.0;       // positions moved by dt (θ v⁺ + (1 − θ) v)
  const VectorXd& mocap;    // Input::mocap
  const VectorXd& v_start;  // size nv
  const StepFrame& frame;
  const FreeMotion& motion;
  const ContactProblem& problem;  // v_star and rows
  const Solution& solution;       // of it: impulses, and v⁺ as the laws have it
  const VectorXd& displacement;   // of the position stage, size nv
  const EqualityStage& loops;     // whose rows are the first of the problem
};

class FloatingMomentum {
 public:
  explicit FloatingMomentum(const Model& model);

  // Shifts and twists the islands that float.
  //   probe  overwritten
  //   q, v   the step's end, in and out
  void Restore(const Model& model, const SolvedStep& step, Kinematics& probe, VectorXd& q, VectorXd& v);

 private:
  // A tree on a free joint.
  struct Floating {
    int tree = -1;
    int joint = -1;      // the free one
    int free_body = -1;  // into FindFreeBodies, -1: not one
    IndexRange bodies;
  };
  // Of some bodies: mass, its centre, momentum and, where asked for, inertia about it, and kinetic energy.
  struct Sum {
    double mass = 0.0;
    Vector3d p_cm = Vector3d::Zero();
    Vector3d linear = Vector3d::Zero(), angular = Vector3d::Zero();
    Matrix3d I_cm = Matrix3d::Zero();
    double energy = 0.0;  // [J]
    // Of the motion about the centre [J].
    double CalcInnerEnergy() const { return std::max(0.0, energy - 0.5 * linear.squaredNorm() / mass); }
  };
  // An impulse and its moment about a point.
  struct Impulse {
    Vector3d f = Vector3d::Zero(), m = Vector3d::Zero();
  };
  using Island = std::span<const Floating>;

  // Fills members_, one island after another.
  void FindMembers(const Model& model, const SolvedStep& step);
  //   is_displaced  the position stage moved anything
  static bool Acts(const SolvedStep& step, const Constraint& c, bool is_displaced);
  void JoinTrees(const SolvedStep& step, const Constraint& c);
  bool IsTying(const Model& model, const SolvedStep& step, const Constraint& c) const;
  void MarkRow(const SolvedStep& step, const Constraint& c, int root);
  static bool IsWithin(const Model& model, const SolvedStep& step, const Constraint& c,
                       const Kinematics& kin);
  int FindRoot(int tree);
  template <bool kWithInertia>
  static Sum AddUp(const Model& model, const Kinematics& kin, Island island);
  // What acts from outside but gravity, about p.
  Impulse CalcOutside(const Model& model, const SolvedStep& step, Island island, const Vector3d& p);
  double CalcFreeEnergy(const Model& model, const SolvedStep& step, Island island);
  double CalcMostGain(const Model& model, const SolvedStep& step, const Sum& after, Island island);
  static bool IsDisplaced(const Model& model, const SolvedStep& step, Island island);
  // Of some of the islands, which a thread restores by itself.
  struct Part {
    std::vector<char> contains;  // one per tree: has a member
    TreeSet trees;
  };
  void RestoreIslands(const Model& model, const SolvedStep& step, IndexRange islands, Part& part,
                      Kinematics& probe, VectorXd& q, VectorXd& v);
  void RestoreIsland(const Model& model, const SolvedStep& step, const Kinematics& end, Island island,
                     VectorXd& q, VectorXd& v);

  std::vector<Floating> floating_;
  bool has_joints_ = false;            // some of them do
  std::vector<Floating> members_;      // of the islands to restore
  std::vector<int> floating_of_tree_;  // into floating_, -1: stands on something
  std::vector<int> parent_;            // of union-find over trees
  std::vector<char> acts_;             // one per constraint
  std::vector<char> is_tied_;          // one per root: to something fixed, or to be left alone
  std::vector<char> has_impulse_;      // one per tree
  std::vector<char> is_pressed_;       // one per root: by contacts or limits
  std::vector<char> is_bent_;          // one per root: by loops whose bends are foreseen
  std::vector<int> first_member_;      // of each island, and their number
  std::vector<Part> parts_;
  VectorXd change_;  // of a velocity, size nv
};

}  // namespace stiction

// What overlaps where the step leads, though no row foresees it.
//
// A row says how a gap changes along the normal that it has at the start. A body that turns by θ in the step,
// or goes a way s along a round surface, comes nearer by θ² r / 2 or s² / 2r besides: boxes that tumble,
// balls that roll in a bowl. What overlaps by that is removed in the same step, all of it: by a share in each
// step fast bodies would go in further than they are pushed out.
//
// So pairs whose bodies turn or slide far enough are looked at where the step leads. What is deeper there
// than it was at the start becomes a row of the position stage, with the normal and the place that it has
// there, and once these rows have moved the bodies they are looked at again, with all that was moved. What is
// deeper by more than the bodies can have turned is a flaw of the shapes' overlap, as under the rim of a
// mesh's hole, and is let be. What hardly moves is not asked for. Fields among themselves have such contacts
// already (sim/unseen_contacts.h).
//
// Boxes that cross with an edge each have one point. One that turns about it by a tenth of a radian comes
// down on the other's face, in the same step, by a tenth of its size. That is no bend: the velocity itself
// drives points into one another that were apart, where no row is. They become contacts of this step, and it
// is solved on.
//
// Most of what is looked at is there when the next step begins: its kinematics is that step's.
#pragma once

#include <vector>

#include "sim/position_stage.h"
#include "sim/step_frame.h"
#include "sim/step_rows.h"
#include "sim/tree_parts.h"
#include "sim/unseen_contacts.h"
#include "stiction/collision/manifold.h"
#include "stiction/model/input.h"
#include "stiction/model/tree_set.h"

namespace stiction {

class EndGaps {
 public:
  explicit EndGaps(const Model& model);

  // After the kinematics of those who sleep was computed: here they stay as they are.
  void Refresh(const Kinematics& kin) { probe_ = kin; }

  // Position kinematics at the start of a step, of trees: what the last look has found is taken over.
  void CalcStart(const Model& model, const VectorXd& q, const VectorXd& mocap, const TreeSet& trees,
                 const TaskPool& pool, Kinematics& kin);
  // Whether any row of the step may be wrong by more than what positions may be. No rows are left.
  //   advance  displacement of the step, size nv [m or rad]
  [[nodiscard]] bool MayBend(const Model& model, const StepFrame& frame, const StepRows& rows,
                             const VectorXd& advance);
  // Appends rows to the problem, for what overlaps at q. False if nothing does that has not done so before.
  //   advance  displacement that leads to q, size nv [m or rad]
  [[nodiscard]] bool AddRows(const Model& model, const Input& input, const StepFrame& frame,
                             const VectorXd& advance, const VectorXd& q, ContactProblem& problem);
  // What the last AddRows has found of this that is no bend, or deeper than a share of the pair's thickness,
  // by ascending place: points that were apart, and that the displacement drives into one another.
  //   advance  that of AddRows
  const std::vector<LateContact>& FindUnseen(const StepFrame& frame, const VectorXd& advance);
  // Looks at all that the displacement moves, too, from now on.
  void AddMoved(const StepFrame& frame, const VectorXd& displacement, const ContactProblem& problem);
  // The problem is as it was.
  void RemoveRows(ContactProblem& problem);

  const std::vector<GapRow>& rows() const { return rows_; }

 private:
  // Of one geom.
  struct Size {
    double reach = 0.0;   // bounding radius about the body's frame; 0 of a plane [m]
    double radius = 0.0;  // a lower bound of that of curvature; infinite where all sides are flat [m]
    bool is_field = false;
  };
  // The contacts of a pair of geoms.
  struct Pair {
    int begin, end;
    bool is_looked_at = false;
    double bend =
        0.0;  // no more than this, but for a factor of order one, it is deeper than its rows say [m]
  };

  void ListPairs(const StepFrame& frame);
  void FindTurns(const Model& model, const StepFrame& frame, const VectorXd& advance);
  double BoundBend(const StepFrame& frame, const StepRows& rows, const VectorXd& advance, int contact) const;
  // Sets Pair::bend and is_looked_at.
  void BoundBend(const StepFrame& frame, const StepRows& rows, const VectorXd& advance, Pair& pair) const;
  void MovePairs(const Model& model, const Input& input, const StepFrame& frame, const VectorXd& q);
  bool IsThere(const Model& model, const VectorXd& q, int tree) const;
  void FindThere(const Model& model, const VectorXd& q, const TreeSet& trees);
  // A point that is deeper than its pair was at the start.
  struct Deeper {
    int pair;
    ManifoldPoint point;
    double before;  // how deep that was [m]
  };
  // Of some of the pairs, which a thread looks at by itself.
  struct Look {
    Manifold manifold;  // scratch
    std::vector<Deeper> deeper, deep;
  };
  void FindDeeper(const Model& model, const StepFrame& frame, int pair, Look& look) const;
  void LookAtPairs(const Model& model, const StepFrame& frame);

  std::vector<Size> sizes_;
  std::vector<double> way_;   // the largest displacement of a dof, one per tree [m or rad]
  std::vector<double> turn_;  // of no body of the tree more than that, one per tree [rad]
  std::vector<Pair> pairs_;
  std::vector<char> contains_;
  TreeSet trees_;  // of pairs that are looked at
  TreeParts look_parts_;
  Kinematics probe_;  // where the step leads
  // What probe_ holds of the trees in contains_, until the next step begins.
  bool has_looked_ = false;
  VectorXd looked_q_, looked_mocap_;
  std::vector<char> is_there_, is_elsewhere_;  // one per tree
  TreeSet there_, elsewhere_;
  TreeParts start_parts_;
  std::vector<int> looked_at_;  // of pairs_
  std::vector<Look> looks_;
  // What was found, row by row.
  std::vector<DetectedContact> contacts_;
  std::vector<Matrix3d> R_WC_;
  std::vector<GapRow> rows_;
  int first_constraint_ = 0;
  std::vector<Deeper> deep_;  // no bends, or deeper than a share of their pair's thickness
  std::vector<LateContact> unseen_;
};

}  // namespace stiction

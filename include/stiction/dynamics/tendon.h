// Lengths of tendons, their Jacobians and the forces along them.
//
//   fixed     L = Σ cᵢ qᵢ,  ∂L/∂vᵢ = cᵢ
//   spatial   L = Σ wⱼ ℓⱼ over straight segments and the arcs on wrapped shapes, w = 1/divisor of the branch
//   rate      L̇ = J v;  a tension t (force f = −t along L) is the generalised force τ = Jᵀ f
//
// A straight segment from Q on body A to R on body B, with unit vector u from Q to R, has ℓ̇ = u·(v_R − v_Q).
// At a wrapped shape Q or R is where the tangent touches, taken as fixed to the shape's body: the path is the
// shortest, so that its length does not change to first order when these points slide along it, and the arc
// between two points of one body has constant length. Hence J is exact, without derivatives of the points.
//
// The dofs of a tendon's rows do not depend on the configuration: all those between the bodies on its path
// and their roots, also of a shape that the path does not touch at present (its values then are zero).
//
// L is continuous, with a continuous gradient, where a path begins to touch a shape. It jumps where the
// model makes it: a site enters a shape; or the straight line changes sides of a shape that has a side site
// while one way around is longer than the other (beside a cylinder, and past a sphere but through its
// centre).
//
// References: MuJoCo's documentation, "Tendon" (meaning of paths, side sites and pulleys).
#pragma once

#include <utility>
#include <vector>

#include "stiction/dynamics/kinematics.h"

namespace stiction {

// Lengths and Jacobians of all tendons of a model at one configuration.
struct TendonWorkspace {
  // The columns of a tendon in one tree: the dofs ascending and closed under "parent of", as
  // ContactProblem::AddBlock takes them.
  struct Block {
    int tree = 0;
    int first = 0;  // into dofs and values
    int num_dofs = 0;
  };

  // Of the model; from Resize.
  std::vector<int> first_block;  // size num_tendons + 1, into blocks; those of a tendon ascend by tree
  std::vector<Block> blocks;
  std::vector<int> dofs;
  VectorXd length0;                 // size num_tendons: L at q0 [m; fixed: unit of L]
  VectorXd rest_lower, rest_upper;  // size num_tendons: the spring is slack between them [as L]

  // From CalcTendons.
  VectorXd length;             // size num_tendons: L [m; fixed: unit of L]
  std::vector<double> values;  // ∂L/∂v of the dofs in `dofs`

  VectorXd row;  // size nv: scratch, zero between calls

  int num_tendons() const { return static_cast<int>(length.size()); }
  // Sizes everything, and computes the lengths at q0; allocates.
  void Resize(const Model& model);
};

// Fills length and values; does not allocate. Needs position kinematics at q, and Resize.
void CalcTendons(const Model& model, const Kinematics& kin, const VectorXd& q, TendonWorkspace& ws);

// L̇ = J v of one tendon [m/s]. Needs CalcTendons.
double CalcTendonRate(const TendonWorkspace& ws, int tendon, const VectorXd& v);

// τ += Jᵀ f of one tendon; f > 0 lengthens it [N]. Needs CalcTendons.
void AddTendonForce(const TendonWorkspace& ws, int tendon, double f, VectorXd& tau);

// Springs and dampers, size num_tendons each: f = −k stretch − b L̇.
struct TendonForces {
  VectorXd rate;       // L̇ [m/s]
  VectorXd stretch;    // beyond the rest range: > 0 too long, < 0 too short, 0 slack [m]
  VectorXd force;      // f, > 0 lengthens [N]
  VectorXd stiffness;  // −∂f/∂L: k, and 0 where the spring is slack [N/m]
  VectorXd damping;    // −∂f/∂L̇: b [N·s/m]

  void Resize(const Model& model);
};

// Needs CalcTendons. Allocates only where the size changes.
void CalcTendonForces(const Model& model, const TendonWorkspace& ws, const VectorXd& v, TendonForces& forces);

// Σ k stretch² / 2 [J]. Needs CalcTendons.
double CalcTendonEnergy(const Model& model, const TendonWorkspace& ws);

// The path of a spatial tendon as straight pieces in world axes, appended; arcs in pieces of at most 10
// degrees. A fixed tendon has none.
//   X_WB  one per body
using TendonSegments = std::vector<std::pair<Vector3d, Vector3d>>;
void AppendTendonPath(const Tendon& tendon, const std::vector<RigidTransform>& X_WB,
                      TendonSegments& segments);

}  // namespace stiction

// One contact problem, the same for every solver: plain arrays that know neither robots nor shapes.
//
//   A (v − v*) = Jᵀ λ,     g = J v + e,     one law per constraint between g and λ:
//
//   contact     K* ∋ g + Γ(g) ⊥ λ ∈ K, K = {‖λ_t‖ ≤ μ λ_n}, Γ = (0, 0, μ‖g_t‖)      rows t1, t2, n
//               (Signorini and Coulomb's laws in De Saxcé's form)
//   unilateral  0 ≤ λ ⊥ g ≥ 0
//   bilateral   g = 0, λ free
//   bounded     λ = clamp(λ − g, lower, upper): g = 0 inside, g ≥ 0 at the lower bound, ≤ 0 at the upper
//               (dry friction, effort limits)
//   soft        λ = −k e − b J v                                              (an implicit spring and damper)
//   torsional   λ = clamp(λ − g, ∓μ λ_n): friction about the normal of another constraint, a contact whose
//               normal impulse λ_n bounds it; μ is a length, g and λ are about one axis
//   rolling     λ = P(λ − g), P onto the disc ‖λ‖ ≤ μ λ_n: the same about the two axes t1 and t2
//
// A constraint with compliance R [m/s per N·s] obeys its law with g + R λ instead of g: contacts R_t in both
// tangential rows and R_n in the normal one, one-row constraints R_n (a spring in series).
//
// Solvers know neither of friction moments nor of compliance: contact/auxiliary_dofs.h expresses both by
// contacts and additional dofs.
//
// A is symmetric positive definite, one block a subsystem: branch-sparse (math/branch_sparse.h) where a
// subsystem is a kinematic tree, or sparse in any way (math/compressed_matrix.h) where it is a deformable
// body. v [m/s or rad/s], λ [N·s or N·m·s], e [m/s or rad/s].
//
// References: specification of the laws in [Acary 2018]: V. Acary, M. Brémond, O. Huber, On solving contact
// problems with Coulomb friction: formulations and numerical comparisons, 2018, §2. De Saxcé: G. De Saxcé,
// Z.-Q. Feng, The bipotential method, 1998.
#pragma once

#include <string>
#include <vector>

#include "stiction/math/branch_sparse.h"
#include "stiction/math/compressed_matrix.h"
#include "stiction/math/raw_vector.h"

namespace stiction {

enum class ConstraintType : unsigned char {
  kContact,
  kUnilateral,
  kBilateral,
  kSoft,
  kBounded,
  kTorsional,
  kRolling
};

// "contact", "unilateral", "bilateral", "soft", "bounded", "torsional", "rolling".
const char* ToString(ConstraintType type);
constexpr int NumRows(ConstraintType type) {
  return type == ConstraintType::kContact ? 3 : type == ConstraintType::kRolling ? 2 : 1;
}

// The columns of one constraint in one subsystem: dim x num_dofs values, column-major, the dofs ascending
// and, where A is branch-sparse, closed under "parent of" (a body's motion depends on all joints between it
// and the root).
struct JacobianBlock {
  int subsystem = 0;
  int num_dofs = 0;
  int first_dof = 0;    // into ContactProblem::block_dofs
  int first_value = 0;  // into ContactProblem::jacobian
};

struct Constraint {
  ConstraintType type = ConstraintType::kContact;
  int row = 0;             // first row in e, λ and J v
  int first_block = 0;     // into ContactProblem::blocks
  int num_blocks = 0;      // one per touched subsystem: two between two trees, one against the world
  double mu = 0.0;         // contact: friction coefficient; torsional, rolling: a length [m]
  double stiffness = 0.0;  // soft: k, already times dt [N·s per unit of e]
  double damping = 0.0;    // soft: b, already times dt [N·s per unit of J v]
  double lower = 0.0;      // impulses allowed to a one-row constraint [N·s or N·m·s]: [0, ∞) unilateral,
  double upper = 0.0;      // (−∞, ∞) bilateral and soft; bounded: set by the caller
  int contact = -1;        // torsional, rolling: the constraint whose normal impulse bounds it, before it
  double compliance_n = 0.0;  // R_n, not of soft, torsional and rolling rows [m/s per N·s]
  double compliance_t = 0.0;  // contact: R_t
  int dim() const { return NumRows(type); }
};

// A constraint that has its place in no problem yet. A bounded one starts with λ = 0 allowed alone, a
// friction moment with any λ: its contact bounds it.
Constraint MakeConstraint(ConstraintType type, double mu = 0.0, double k = 0.0, double b = 0.0);

// A contact on the bodies themselves, for methods that split it by body: a block of its rows is
// ± R_CW (S_lin + S_ang × p) over the dofs at and above the body's last one, with S from
// ContactProblem::motion.
struct BodyContact {
  int constraint = 0;
  int dof_A = -1;  // last dof above body A; -1: fixed to the world
  int dof_B = -1;
  Vector3d p_A = Vector3d::Zero();  // the contact point from the reference point of A's subsystem [m]
  Vector3d p_B = Vector3d::Zero();
  Matrix3d R_CW = Matrix3d::Identity();
};

struct Subsystem {
  int first_dof = 0;
  int num_dofs = 0;
};

struct ContactProblem {
  std::string name;
  std::vector<Subsystem> subsystems;
  BranchSparseMatrix A;       // nv x nv; empty where A is in A_sparse
  CompressedMatrix A_sparse;  // nv x nv, both triangles, no entry between subsystems; or no matrix
  VectorXd v_star;            // size nv: velocity without impulses
  std::vector<Constraint> constraints;
  std::vector<JacobianBlock> blocks;
  std::vector<int> block_dofs;
  RawVector<double> jacobian;
  std::vector<double> e;  // size rows: bias

  // Optional, for methods that use the kinematic structure (ContactSolver::uses_bodies): the motion column
  // (angular, linear) of every dof in world axes at the reference point of its subsystem, 6 x nv or empty,
  // and the contacts on bodies, ascending by constraint. A's pattern then is that of the trees.
  Matrix6Xd motion;
  std::vector<BodyContact> body_contacts;

  int nv() const { return static_cast<int>(v_star.size()); }
  bool is_sparse() const { return !A_sparse.row_begin.empty(); }
  // A by either form: out = A v, both of size nv; its diagonal; and all of it, nv x nv.
  void MultiplyA(const double* v, double* out) const;
  double DiagonalA(int dof) const;
  MatrixXd DenseA() const;
  int num_rows() const { return static_cast<int>(e.size()); }
  int num_constraints() const { return static_cast<int>(constraints.size()); }

  // out = J v (out of size num_rows, v of size nv).
  void MultiplyJ(const double* v, double* out) const;
  // out = J_c v of one constraint (out of size c.dim()).
  void MultiplyRows(const Constraint& c, const double* v, double* out) const;
  // The last row of it alone: the normal velocity of a contact.
  double MultiplyLastRow(const Constraint& c, const double* v) const;
  // out += Jᵀ λ (out of size nv).
  void AddJTransposed(const double* lambda, double* out) const;
  // out += J_cᵀ λ of one constraint (λ of size c.dim()).
  void AddRowsTransposed(const Constraint& c, const double* lambda, double* out) const;
  // J as a dense matrix, num_rows x nv: for tests and files.
  MatrixXd DenseJ() const;

  // Empties constraints, blocks and rows; keeps capacity.
  void ClearConstraints();
  // Appends a constraint without blocks; its row is the current number of rows. Returns its index. A bounded
  // one starts with λ = 0 allowed alone: see SetBounds.
  int AddConstraint(ConstraintType type, double mu = 0.0, double k = 0.0, double b = 0.0);
  // Appends a block to the last constraint and returns where its dim x num_dofs values go, column-major,
  // zeroed.
  double* AddBlock(int subsystem, const int* dofs, int num_dofs);
  // Sets the impulses allowed to the last constraint, lower ≤ upper.
  void SetBounds(double lower, double upper) {
    constraints.back().lower = lower;
    constraints.back().upper = upper;
  }
  // Appends a friction moment of constraint `contact`, rows about the normal (kTorsional) or about t1 and t2
  // (kRolling).
  int AddFrictionMoment(ConstraintType type, int contact, double mu);
  // Sets the bias of the last constraint's row i.
  void SetBias(int i, double value) { e[constraints.back().row + i] = value; }
};

// v = A⁻¹ b, in place, with either form of A: v* of the impulses b = A v*, for example. False, and v
// undefined, if A is not positive definite. Factors A afresh.
[[nodiscard]] bool SolveDynamics(const ContactProblem& problem, VectorXd& v);

}  // namespace stiction

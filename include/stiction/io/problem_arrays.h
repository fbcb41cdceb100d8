// A contact problem as dense arrays: what somebody types in, or another language holds.
//
//   A (v − v*) = Jᵀ λ,     g = J v + e
//
// with the rows of J and e in the order contacts (t1, t2, n each), limits (λ ≥ 0), equalities, soft rows
// (λ = −k e − b J v), bounded rows (λ in [lower, upper]); contact/problem.h has the laws. For problems of
// robots contact/problem.h itself, whose A knows trees, is faster and smaller.
#pragma once

#include <string>
#include <vector>

#include "stiction/contact/problem.h"
#include "stiction/contact/solution.h"

namespace stiction {

struct ProblemArrays {
  std::string name{};
  MatrixXd A{};                         // nv x nv, symmetric positive definite
  VectorXd v_star{};                    // size nv: velocity without impulses
  MatrixXd J{};                         // num_rows x nv
  VectorXd e{};                         // size num_rows: bias; empty: zero
  VectorXd mu{};                        // one per contact: friction coefficient
  int num_limits = 0;                   // rows after the contacts'
  int num_equalities = 0;               // rows after the limits
  VectorXd stiffness{}, damping{};      // one per soft row: k and b, already times the timestep
  VectorXd lower{}, upper{};            // one per bounded row [N·s or N·m·s]; may be infinite
  std::vector<int> subsystem_of_dof{};  // size nv, ascending; empty: the finest blocks of A
  VectorXd warm_start{};                // impulses, size num_rows; empty: none

  int num_rows() const;
};

// Throws std::invalid_argument, which names the array: sizes that do not agree, numbers that are not finite,
// negative friction, an A that is not symmetric (within 1e-9), couples two subsystems, or is not positive
// definite.
ContactProblem MakeProblem(const ProblemArrays& arrays);

// The reverse, rows put into that order; friction moments and compliance become the contacts and auxiliary
// dofs that express them (contact/auxiliary_dofs.h).
//   warm_start  impulses with rows as in the problem; none if the size is another one
ProblemArrays MakeArrays(const ContactProblem& problem, const Solution& warm_start = {});

}  // namespace stiction

#include "contact/stress.h"

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

constexpr double kStressOfOne = 1e3, kStressOfAll = 30.0;  // times the momentum of a dof, and of all of them

}  // namespace

bool IsStressed(const ContactProblem& problem, std::span<const int> constraints,
                std::span<const int> subsystems, const GrowingVector& lambda, const VectorXd& v) {
  double pressure = 0.0, largest = 0.0, sum = 0.0;  // of contacts; of a dof or a joint's row; of all dofs
  for (const int i : constraints) {
    const Constraint& c = problem.constraints[i];
    const auto impulse = lambda.segment(c.row, c.dim());
    double& most = c.type == ConstraintType::kContact ? pressure : largest;
    most = std::max(most, impulse.lpNorm<Eigen::Infinity>());
  }
  for (const int s : subsystems) {
    const Subsystem& dofs = problem.subsystems[s];
    for (int k = dofs.first_dof; k < dofs.first_dof + dofs.num_dofs; ++k) {
      const double speed = std::min(std::abs(problem.v_star[k]), std::abs(v[k] - problem.v_star[k]));
      const double momentum = problem.DiagonalA(k) * speed;
      largest = std::max(largest, momentum);
      sum += momentum;
    }
  }
  return pressure > kStressOfOne * largest + kStressOfAll * sum;
}

}  // namespace stiction

#include "stiction/io/problem_arrays.h"

#include <map>
#include <stdexcept>
#include <string_view>

#include "io/problem/parts.h"

namespace stiction {
namespace {

// Names the arrays as ProblemArrays does, where files have other keys.
class ArrayErrors final : public PartErrors {
 public:
  void Fail(const char* key, const std::string& message) const override {
    static const std::map<std::string_view, const char*> names{{"k_soft", "stiffness"},
                                                               {"b_soft", "damping"}};
    const auto name = names.find(key);
    throw std::invalid_argument((name == names.end() ? key : name->second) + (" " + message));
  }
};

void CheckSize(const char* name, Eigen::Index size, Eigen::Index needed) {
  if (size != needed) {
    throw std::invalid_argument(std::string(name) + " holds " + std::to_string(size) + " numbers; it needs " +
                                std::to_string(needed));
  }
}

void CheckSizes(const ProblemArrays& a) {
  const auto check_matrix = [](const char* name, const MatrixXd& matrix, Eigen::Index rows,
                               Eigen::Index cols) {
    if (matrix.rows() == rows && matrix.cols() == cols) return;
    throw std::invalid_argument(std::string(name) + " is " + std::to_string(matrix.rows()) + " x " +
                                std::to_string(matrix.cols()) + "; it has to be " + std::to_string(rows) +
                                " x " + std::to_string(cols));
  };
  const Eigen::Index nv = a.v_star.size();
  if (a.num_limits < 0 || a.num_equalities < 0)
    throw std::invalid_argument("num_limits and num_equalities have to be >= 0");
  CheckSize("damping", a.damping.size(), a.stiffness.size());
  CheckSize("upper", a.upper.size(), a.lower.size());
  check_matrix("A", a.A, nv, nv);
  check_matrix("J", a.J, a.num_rows(), nv);
  if (a.e.size() > 0) CheckSize("e", a.e.size(), a.num_rows());
  if (!a.subsystem_of_dof.empty())
    CheckSize("subsystem_of_dof", static_cast<Eigen::Index>(a.subsystem_of_dof.size()), nv);
  if (a.warm_start.size() > 0) CheckSize("warm_start", a.warm_start.size(), a.num_rows());
}

std::vector<Triplet> ListNonZeros(const MatrixXd& matrix) {
  std::vector<Triplet> out;
  for (Eigen::Index i = 0; i < matrix.rows(); ++i)
    for (Eigen::Index j = 0; j < matrix.cols(); ++j)
      if (matrix(i, j) != 0.0) out.push_back({static_cast<int>(i), static_cast<int>(j), matrix(i, j)});
  return out;
}

MatrixXd ToDense(const std::vector<Triplet>& entries, int rows, int cols) {
  MatrixXd out = MatrixXd::Zero(rows, cols);
  for (const Triplet& t : entries) out(t.row, t.col) = t.value;
  return out;
}

}  // namespace

int ProblemArrays::num_rows() const {
  return static_cast<int>(3 * mu.size() + stiffness.size() + lower.size()) + num_limits + num_equalities;
}

ContactProblem MakeProblem(const ProblemArrays& arrays) {
  CheckSizes(arrays);
  if (!arrays.A.allFinite() || !arrays.v_star.allFinite())
    throw std::invalid_argument("A or v_star holds a number that is not finite");
  ProblemParts parts;
  parts.name = arrays.name;
  parts.A = ListNonZeros(arrays.A);
  const int nv = static_cast<int>(arrays.v_star.size());
  parts.subsystem_of_dof =
      arrays.subsystem_of_dof.empty() ? FindSubsystems(nv, parts.A) : arrays.subsystem_of_dof;
  parts.b = arrays.A * arrays.v_star;
  parts.v_star = arrays.v_star;
  parts.count = {static_cast<int>(arrays.mu.size()), arrays.num_limits, arrays.num_equalities,
                 static_cast<int>(arrays.stiffness.size()), static_cast<int>(arrays.lower.size())};
  parts.J = ListNonZeros(arrays.J);
  parts.e = arrays.e.size() > 0 ? arrays.e : VectorXd::Zero(arrays.num_rows());
  parts.mu = arrays.mu;
  parts.k_soft = arrays.stiffness, parts.b_soft = arrays.damping;
  parts.lower = arrays.lower, parts.upper = arrays.upper;
  return BuildProblem(std::move(parts), ArrayErrors()).problem;
}

ProblemArrays MakeArrays(const ContactProblem& problem, const Solution& warm_start) {
  const ProblemParts parts = SplitProblem(problem, warm_start);
  ProblemArrays out;
  out.name = parts.name;
  out.A = ToDense(parts.A, parts.nv(), parts.nv());
  out.v_star = parts.v_star;
  out.J = ToDense(parts.J, parts.num_rows(), parts.nv());
  out.e = parts.e;
  out.mu = parts.mu;
  out.num_limits = parts.count[1], out.num_equalities = parts.count[2];
  out.stiffness = parts.k_soft, out.damping = parts.b_soft;
  out.lower = parts.lower, out.upper = parts.upper;
  out.subsystem_of_dof = parts.subsystem_of_dof;
  out.warm_start = parts.warm_lambda;
  return out;
}

}  // namespace stiction

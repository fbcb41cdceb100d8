// Writing; problem_file.cpp reads.
#include <algorithm>

#include "io/json_file.h"
#include "io/problem_rows.h"
#include "stiction/io/problem_file.h"

namespace stiction {
namespace {

using nlohmann::ordered_json;

// Constraints in the file's order: by kind, else as they stand.
std::vector<int> SortByKind(const ContactProblem& problem) {
  std::vector<int> order;
  order.reserve(problem.constraints.size());
  for (const RowKind& kind : kRowKinds) {
    for (int i = 0; i < problem.num_constraints(); ++i)
      if (problem.constraints[i].type == kind.type) order.push_back(i);
  }
  return order;
}

// A matrix as parallel arrays.
class TripletWriter {
 public:
  void Add(int row, int col, double value) {
    if (value == 0.0) return;
    rows_.push_back(row), cols_.push_back(col), values_.push_back(value);
  }
  ordered_json ToObject() && {
    return {{"rows", std::move(rows_)}, {"cols", std::move(cols_)}, {"values", std::move(values_)}};
  }

 private:
  std::vector<int> rows_, cols_;
  std::vector<double> values_;
};

void WriteDynamics(const ContactProblem& problem, ordered_json& out) {
  std::vector<int> of_dof(problem.nv());
  for (size_t s = 0; s < problem.subsystems.size(); ++s) {
    const Subsystem& subsystem = problem.subsystems[s];
    for (int k = 0; k < subsystem.num_dofs; ++k) of_dof[subsystem.first_dof + k] = static_cast<int>(s);
  }
  out["subsystem_of_dof"] = of_dof;
  TripletWriter A;
  const BranchPattern& pattern = problem.A.pattern();
  for (int i = 0; i < problem.nv(); ++i) {
    for (int k = 0; k < pattern.row_length(i); ++k) {
      const int j = pattern.columns(i)[k];
      A.Add(i, j, problem.A.row(i)[k]);
      if (j != i) A.Add(j, i, problem.A.row(i)[k]);
    }
  }
  out["A"] = std::move(A).ToObject();
  VectorXd b(problem.nv());
  problem.A.Multiply(problem.v_star.data(), b.data());
  out["b"] = ToJson(b);
  out["v_star"] = ToJson(problem.v_star);
}

void WriteConstraints(const ContactProblem& problem, const std::vector<int>& order, ordered_json& out) {
  TripletWriter J;
  std::vector<double> mu, e, k_soft, b_soft, lower, upper;
  for (const int index : order) {
    const Constraint& c = problem.constraints[index];
    const int row = static_cast<int>(e.size());
    if (c.type == ConstraintType::kContact) mu.push_back(c.mu);
    if (c.type == ConstraintType::kSoft) k_soft.push_back(c.stiffness), b_soft.push_back(c.damping);
    if (c.type == ConstraintType::kBounded) lower.push_back(c.lower), upper.push_back(c.upper);
    for (int r = 0; r < c.dim(); ++r) e.push_back(problem.e[c.row + r]);
    for (int b = c.first_block; b < c.first_block + c.num_blocks; ++b) {
      const JacobianBlock& block = problem.blocks[b];
      const double* value = problem.jacobian.data() + block.first_value;
      for (int k = 0; k < block.num_dofs; ++k)
        for (int r = 0; r < c.dim(); ++r) J.Add(row + r, problem.block_dofs[block.first_dof + k], *value++);
    }
  }
  out["J"] = std::move(J).ToObject();
  out["mu"] = mu;
  out["e"] = e;
  out["k_soft"] = k_soft;
  out["b_soft"] = b_soft;
  out["lower"] = lower;
  out["upper"] = upper;
}

}  // namespace

void WriteProblemJson(const std::string& path, const ContactProblem& problem, const Solution& warm_start) {
  const std::vector<int> order = SortByKind(problem);
  ordered_json out;
  out["name"] = problem.name;
  out["nv"] = problem.nv();
  for (const RowKind& kind : kRowKinds)
    out[kind.count_key] = std::count_if(problem.constraints.begin(), problem.constraints.end(),
                                        [&](const Constraint& c) { return c.type == kind.type; });
  WriteDynamics(problem, out);
  WriteConstraints(problem, order, out);
  if (warm_start.lambda.size() == problem.num_rows()) {
    std::vector<double> lambda;
    for (const int index : order) {
      const Constraint& c = problem.constraints[index];
      for (int r = 0; r < c.dim(); ++r) lambda.push_back(warm_start.lambda[c.row + r]);
    }
    if (warm_start.v.size() == problem.nv()) out["warm_start"]["v"] = ToJson(warm_start.v);
    out["warm_start"]["lambda"] = lambda;
  }
  WriteJsonObject(path, out);
}

}  // namespace stiction

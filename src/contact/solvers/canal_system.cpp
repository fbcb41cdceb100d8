#include "stiction/contact/solvers/canal_system.h"

#include <algorithm>
#include <cmath>

#include "stiction/contact/laws.h"
#include "stiction/math/cone.h"

namespace stiction {
namespace {

constexpr double kSufficientDecrease =
    0.1;  // of ‖r‖ for a full strict step; keeps halving from accepting stagnation
constexpr int kMaxHalvings = 5;
constexpr double kMachineEpsilon = 2.2e-16;
constexpr double kLineSearchTolerance =
    0.1;  // tighter costs evaluations and saves no Newton step [spec. measurements]

double Norm(const std::vector<double>& x) {
  double sum = 0.0;
  for (double value : x) sum += value * value;
  return std::sqrt(sum);
}

// End of the run of consecutive rows that begins at `first`.
int FindRunEnd(const int* rows, int first, int count) {
  int end = first + 1;
  while (end < count && rows[end] == rows[end - 1] + 1) ++end;
  return end;
}

// C += Aᵀ S B for 3-row blocks A, B (row-major, na and nb columns), scattered to rows `ra` and columns `rb`
// of C (leading dimension ldc). Rows come in runs: a tree's base, one leg.
void AddWeighted(double* __restrict C, int ldc, const double* __restrict A, const int* ra, int na,
                 const double* __restrict B, const int* rb, int nb, const double* S, bool transpose) {
  for (int first = 0, end = 0; first < na; first = end) {
    end = FindRunEnd(ra, first, na);
    const int length = end - first;
    const double *a0 = A + first, *a1 = a0 + na, *a2 = a1 + na;
    for (int j = 0; j < nb; ++j) {
      const double b0 = B[j], b1 = B[nb + j], b2 = B[2 * nb + j];
      double t[3];
      for (int r = 0; r < 3; ++r) {
        t[r] = transpose ? S[r] * b0 + S[3 + r] * b1 + S[6 + r] * b2
                         : S[3 * r] * b0 + S[3 * r + 1] * b1 + S[3 * r + 2] * b2;
      }
      double* column = C + static_cast<std::ptrdiff_t>(rb[j]) * ldc + ra[first];
      for (int i = 0; i < length; ++i) column[i] += a0[i] * t[0] + a1[i] * t[1] + a2[i] * t[2];
    }
  }
}

void AddWeightedRow(double* C, int ldc, const double* A, const int* ra, int na, const double* B,
                    const int* rb, int nb, double s) {
  for (int j = 0; j < nb; ++j) {
    double* column = C + static_cast<std::ptrdiff_t>(rb[j]) * ldc;
    const double t = s * B[j];
    for (int i = 0; i < na; ++i) column[ra[i]] += A[i] * t;
  }
}

}  // namespace

void CanalSystem::Assign(const Island& island) {
  const int rows = island.num_rows(), count = island.num_constraints(), n = island.num_dofs();
  multiplier.assign(rows, 0.0);
  penalty.assign(count, 1.0);
  shift.assign(count, 0.0);
  delta.assign(n, 0.0);
  lambda.assign(rows, 0.0);
  g.assign(rows, 0.0);
  x_.assign(rows, 0.0);
  r_.assign(n, 0.0);
  step_.assign(n, 0.0);
  trial_.assign(n, 0.0);
  g_step_.assign(rows, 0.0);
  origin_.assign(n, 0.0);
  origin_g_ = island.g0;
  from_origin_.assign(n, 0.0);
  weight_.assign(9 * static_cast<std::size_t>(count), 0.0);
  is_active_.assign(count, 0);
  node_sizes_.clear();
  for (const Subsystem& node : island.nodes) node_sizes_.push_back(node.num_dofs);

  // Number the distinct node pairs.
  sorting_.clear();
  first_pair_.assign(count + 1, 0);
  for (int i = 0; i < count; ++i) {
    const IslandConstraint& c = island.constraints[i];
    first_pair_[i] = static_cast<int>(sorting_.size());
    for (int a = 0; a < c.num_blocks; ++a) {
      for (int b = a + 1; b < c.num_blocks; ++b) {
        const int p = island.blocks[c.first_block + a].node, q = island.blocks[c.first_block + b].node;
        sorting_.push_back({{std::min(p, q), std::max(p, q)}, static_cast<int>(sorting_.size())});
      }
    }
  }
  first_pair_[count] = static_cast<int>(sorting_.size());
  constraint_pairs_.assign(sorting_.size(), 0);
  std::sort(sorting_.begin(), sorting_.end());
  pairs_.clear();
  for (const auto& [pair, slot] : sorting_) {
    if (pairs_.empty() || pairs_.back() != pair) pairs_.push_back(pair);
    constraint_pairs_[slot] = static_cast<int>(pairs_.size()) - 1;
  }
  pair_in_pattern_.assign(pairs_.size(), 0);
  pair_edge_.resize(pairs_.size());
  pattern_.clear();
  matrix_.Analyze(node_sizes_, pattern_);
}

void CanalSystem::Recentre(const Island& island) {
  origin_ = delta;
  island.MapVelocities(delta.data(), origin_g_.data());
  rounding_ = 0.0;
  for (int i = 0; i < island.num_constraints(); ++i) {
    if (island.constraints[i].type == ConstraintType::kSoft) continue;
    rounding_ = std::max(rounding_, kMachineEpsilon * penalty[i] * std::sqrt(island.constraints[i].scale));
  }
}

double CanalSystem::Evaluate(const Island& island, ContactLaw law, const std::vector<double>& point) {
  r_ = point;
  for (std::size_t k = 0; k < point.size(); ++k) from_origin_[k] = point[k] - origin_[k];
  largest_change_ = 0.0;
  for (int i = 0; i < island.num_constraints(); ++i) {
    const IslandConstraint& c = island.constraints[i];
    double* gi = g.data() + c.row;
    double* xi = x_.data() + c.row;
    double* li = lambda.data() + c.row;
    island.ReadChange(c, from_origin_.data(), gi);
    for (int r = 0; r < c.dim(); ++r) {
      largest_change_ = std::max(largest_change_, std::abs(gi[r]));
      gi[r] += origin_g_[c.row + r];
    }
    const double beta = penalty[i];
    switch (c.type) {
      case ConstraintType::kContact: {
        for (int r = 0; r < 3; ++r) xi[r] = multiplier[c.row + r] - beta * gi[r];
        if (law == ContactLaw::kConvex) xi[2] -= beta * shift[i];
        const Vector3d x(xi[0], xi[1], xi[2]);
        const Vector3d y = law == ContactLaw::kStrict ? ClampCone(x, c.mu) : ProjectCone(x, c.mu);
        for (int r = 0; r < 3; ++r) li[r] = y[r];
        break;
      }
      case ConstraintType::kSoft:
        li[0] = xi[0] = -c.offset - c.damping * gi[0];
        break;
      default:
        xi[0] = multiplier[c.row] - beta * gi[0];
        li[0] = ClampImpulse(c, xi[0]);
        break;
    }
    double change[3];
    for (int r = 0; r < c.dim(); ++r) change[r] = -li[r];
    island.AddImpulse(c, change, r_.data());
  }
  return Norm(r_);
}

void CanalSystem::CalcWeights(const Island& island, ContactLaw law) {
  for (int i = 0; i < island.num_constraints(); ++i) {
    const IslandConstraint& c = island.constraints[i];
    double* weight = weight_.data() + 9 * i;
    switch (c.type) {
      case ConstraintType::kContact: {
        const Vector3d x(x_[c.row], x_[c.row + 1], x_[c.row + 2]);
        Vector3d y;
        Matrix3d D;
        is_active_[i] = law == ContactLaw::kStrict ? ClampCone(x, c.mu, y, D) : ProjectCone(x, c.mu, y, D);
        if (!is_active_[i]) break;
        for (int r = 0; r < 3; ++r) {
          for (int s = 0; s < 3; ++s) weight[3 * r + s] = penalty[i] * D(r, s);
        }
        break;
      }
      case ConstraintType::kSoft:
        is_active_[i] = c.damping > 0.0;
        weight[0] = c.damping;
        break;
      default:
        is_active_[i] = c.lower < x_[c.row] && x_[c.row] < c.upper;
        weight[0] = penalty[i];
        break;
    }
  }
}

// Open contacts put nothing into K, so the pattern holds only pairs that have been active since Assign.
void CanalSystem::ExtendPattern(const Island& island) {
  bool grown = false;
  for (int i = 0; i < island.num_constraints(); ++i) {
    if (!is_active_[i]) continue;
    for (int p = first_pair_[i]; p < first_pair_[i + 1]; ++p) {
      char& present = pair_in_pattern_[constraint_pairs_[p]];
      if (present) continue;
      present = 1;
      grown = true;
      pattern_.push_back(pairs_[constraint_pairs_[p]]);
    }
  }
  if (!grown) return;
  matrix_.Analyze(node_sizes_, pattern_);
  for (std::size_t p = 0; p < pairs_.size(); ++p) {
    if (pair_in_pattern_[p]) pair_edge_[p] = matrix_.FindEdge(pairs_[p].first, pairs_[p].second);
  }
}

void CanalSystem::AssembleMatrix(const Island& island, ContactLaw law) {
  matrix_.SetIdentity();
  for (int i = 0; i < island.num_constraints(); ++i) {
    if (!is_active_[i]) continue;
    const IslandConstraint& c = island.constraints[i];
    const double* S = weight_.data() + 9 * i;
    const bool is_contact = c.type == ConstraintType::kContact;
    int pair = first_pair_[i];
    for (int a = 0; a < c.num_blocks; ++a) {
      const IslandBlock& A = island.blocks[c.first_block + a];
      const double* YA = island.Y.data() + A.first_value;
      const int* rows_A = island.block_node_dofs.data() + A.first_dof;
      const int nA = node_sizes_[A.node];
      double* D = matrix_.Diagonal(A.node);
      if (is_contact) {
        AddWeighted(D, nA, YA, rows_A, A.num_dofs, YA, rows_A, A.num_dofs, S, false);
      } else {
        AddWeightedRow(D, nA, YA, rows_A, A.num_dofs, YA, rows_A, A.num_dofs, S[0]);
      }
      for (int b = a + 1; b < c.num_blocks; ++b, ++pair) {
        const IslandBlock& B = island.blocks[c.first_block + b];
        const BlockSparseSolver::Edge& edge = pair_edge_[constraint_pairs_[pair]];
        // The edge was asked for as (smaller node, larger node).
        const bool A_is_row = (A.node < B.node) == edge.i_is_row;
        const IslandBlock& R = A_is_row ? A : B;
        const IslandBlock& C = A_is_row ? B : A;
        const double* YR = island.Y.data() + R.first_value;
        const double* YC = island.Y.data() + C.first_value;
        const int* rows_R = island.block_node_dofs.data() + R.first_dof;
        const int* rows_C = island.block_node_dofs.data() + C.first_dof;
        const int nR = node_sizes_[R.node];
        if (is_contact) {
          AddWeighted(matrix_.Lower(edge), nR, YR, rows_R, R.num_dofs, YC, rows_C, C.num_dofs, S, false);
          if (law == ContactLaw::kStrict) {
            AddWeighted(matrix_.Upper(edge), nR, YR, rows_R, R.num_dofs, YC, rows_C, C.num_dofs, S, true);
          }
        } else {
          AddWeightedRow(matrix_.Lower(edge), nR, YR, rows_R, R.num_dofs, YC, rows_C, C.num_dofs, S[0]);
          if (law == ContactLaw::kStrict) {
            AddWeightedRow(matrix_.Upper(edge), nR, YR, rows_R, R.num_dofs, YC, rows_C, C.num_dofs, S[0]);
          }
        }
      }
    }
  }
}

bool CanalSystem::CalcStep(const Island& island, ContactLaw law) {
  CalcWeights(island, law);
  ExtendPattern(island);
  AssembleMatrix(island, law);
  if (!(law == ContactLaw::kStrict ? matrix_.FactorLu() : matrix_.FactorCholesky())) return false;
  step_ = r_;
  matrix_.Solve(step_.data());
  return std::isfinite(Norm(step_));
}

CanalSystem::Outcome CanalSystem::SolveStrict(const Island& island, double tolerance, int max_steps) {
  Outcome outcome;
  double norm = Evaluate(island, ContactLaw::kStrict, delta);
  while (norm >= std::max(tolerance, CalcRoundingFloor()) && outcome.newton_steps < max_steps) {
    ++outcome.newton_steps;
    if (!CalcStep(island, ContactLaw::kStrict)) return outcome;
    double a = 1.0;
    bool accepted = false;
    for (int halving = 0; halving < kMaxHalvings && !accepted; ++halving, a *= 0.5) {
      for (std::size_t k = 0; k < delta.size(); ++k) trial_[k] = delta[k] - a * step_[k];
      const double trial_norm = Evaluate(island, ContactLaw::kStrict, trial_);
      if (trial_norm < (1.0 - kSufficientDecrease * a) * norm) {
        norm = trial_norm;
        delta.swap(trial_);
        accepted = true;
      }
    }
    if (!accepted) {
      Evaluate(island, ContactLaw::kStrict, delta);
      return outcome;
    }
  }
  outcome.converged = norm < std::max(tolerance, CalcRoundingFloor());
  return outcome;
}

// h'(a) and h''(a) along δ + a d, from the rows alone.
void CanalSystem::CalcSlopes(const Island& island, double a, double& first, double& second) const {
  double d_delta = 0.0, d_d = 0.0;
  for (std::size_t k = 0; k < delta.size(); ++k) {
    d_delta += step_[k] * delta[k];
    d_d += step_[k] * step_[k];
  }
  first = d_delta + a * d_d;
  second = d_d;
  for (int i = 0; i < island.num_constraints(); ++i) {
    const IslandConstraint& c = island.constraints[i];
    const double* dg = g_step_.data() + c.row;
    const double* x = x_.data() + c.row;
    const double beta = penalty[i];
    switch (c.type) {
      case ConstraintType::kContact: {
        const Vector3d Jd(dg[0], dg[1], dg[2]);
        Vector3d y;
        Matrix3d D;
        const bool active = ProjectCone(Vector3d(x[0], x[1], x[2]) - a * beta * Jd, c.mu, y, D);
        first -= Jd.dot(y);
        if (active) second += beta * Jd.dot(D * Jd);
        break;
      }
      case ConstraintType::kSoft:
        first -= dg[0] * (x[0] - a * c.damping * dg[0]);
        second += c.damping * dg[0] * dg[0];
        break;
      default: {
        const double xa = x[0] - a * beta * dg[0];
        first -= dg[0] * ClampImpulse(c, xa);
        if (c.lower < xa && xa < c.upper) second += beta * dg[0] * dg[0];
        break;
      }
    }
  }
}

// Exact minimiser of h along the step: h' is continuous and increasing, so a safeguarded Newton iteration
// brackets its root.
double CanalSystem::SearchLine(const Island& island, double slope0) {
  island.Multiply(step_.data(), g_step_.data());
  const double target = kLineSearchTolerance * std::abs(slope0);
  double low = 0.0, high = 1.0, first, second;
  CalcSlopes(island, high, first, second);
  for (int i = 0; first < -target && i < 40; ++i) {
    low = high;
    high *= 2.0;
    CalcSlopes(island, high, first, second);
  }
  double a = high;
  for (int i = 0; std::abs(first) > target && i < 60; ++i) {
    if (first < 0.0) {
      low = a;
    } else {
      high = a;
    }
    double next = second > 0.0 ? a - first / second : low;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (std::abs(next - a) < 1e-15) break;
    a = next;
    CalcSlopes(island, a, first, second);
  }
  return a;
}

CanalSystem::Outcome CanalSystem::SolveConvex(const Island& island, double tolerance, int max_steps) {
  Outcome outcome;
  double norm = Evaluate(island, ContactLaw::kConvex, delta);
  while (norm >= std::max(tolerance, CalcRoundingFloor()) && outcome.newton_steps < max_steps) {
    ++outcome.newton_steps;
    if (!CalcStep(island, ContactLaw::kConvex)) return outcome;
    double slope0 = 0.0;
    for (std::size_t k = 0; k < delta.size(); ++k) {
      step_[k] = -step_[k];
      slope0 += step_[k] * r_[k];
    }
    if (!(slope0 < 0.0)) break;  // at the rounding floor
    const double a = SearchLine(island, slope0);
    double moved = 0.0, size = 0.0;
    for (std::size_t k = 0; k < delta.size(); ++k) {
      moved += a * step_[k] * a * step_[k];
      delta[k] += a * step_[k];
      size += delta[k] * delta[k];
    }
    norm = Evaluate(island, ContactLaw::kConvex, delta);
    if (moved <= 1e-30 * size) break;
  }
  outcome.converged = norm < std::max(tolerance, CalcRoundingFloor());
  return outcome;
}

}  // namespace stiction

#include "math/block_sparse.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "math/task_pool.h"
#include "tests/support/dense_algebra.h"
#include "tests/support/random_numbers.h"

namespace stiction {
namespace {

using stiction::testing::RandomNumbers;
using stiction::testing::SolveDense;
using Edges = std::vector<std::pair<int, int>>;

int FirstRow(const std::vector<int>& sizes, int node) {
  return std::accumulate(sizes.begin(), sizes.begin() + node, 0);
}

// Adds the blocks of K − 1 to the solver, whose matrix is the identity. The caller's order decides nothing:
// an edge may be named either way.
void Assemble(const MatrixXd& K, const std::vector<int>& sizes, const Edges& edges,
              BlockSparseSolver& solver) {
  const auto block = [&](int i, int j) {
    return K.block(FirstRow(sizes, i), FirstRow(sizes, j), sizes[i], sizes[j]);
  };
  solver.SetIdentity();
  for (int i = 0; i < solver.num_nodes(); ++i) {
    Eigen::Map<MatrixXd>(solver.Diagonal(i), sizes[i], sizes[i]) +=
        block(i, i) - MatrixXd::Identity(sizes[i], sizes[i]);
  }
  for (const auto& [i, j] : edges) {
    const BlockSparseSolver::Edge edge = solver.FindEdge(i, j);
    const int r = edge.i_is_row ? i : j, c = edge.i_is_row ? j : i;
    Eigen::Map<MatrixXd>(solver.Lower(edge), sizes[r], sizes[c]) = block(r, c);
    Eigen::Map<MatrixXd>(solver.Upper(edge), sizes[r], sizes[c]) = block(c, r).transpose();
  }
}

// A random graph, and a matrix with its blocks.
struct Case {
  std::vector<int> sizes;
  Edges edges;
  MatrixXd K;
};

Case MakeCase(RandomNumbers& random, int nodes, double density, bool is_symmetric) {
  const int choices[] = {1, 2, 3, 6, 6, 7, 18};
  Case out;
  for (int i = 0; i < nodes; ++i) out.sizes.push_back(choices[random.Index(7)]);
  const int n = FirstRow(out.sizes, nodes);
  out.K = MatrixXd::Zero(n, n);
  const auto block = [&](int i, int j) {
    return out.K.block(FirstRow(out.sizes, i), FirstRow(out.sizes, j), out.sizes[i], out.sizes[j]);
  };
  for (int i = 0; i < nodes; ++i) {
    block(i, i) = random.Matrix(out.sizes[i], out.sizes[i]);
    for (int j = 0; j < i; ++j) {
      if (random.Uniform(0, 1) > density) continue;
      out.edges.emplace_back(random.Index(2) ? std::pair(i, j) : std::pair(j, i));
      block(i, j) = random.Matrix(out.sizes[i], out.sizes[j]);
      block(j, i) = random.Matrix(out.sizes[j], out.sizes[i]);
    }
  }
  if (is_symmetric) out.K = 0.5 * (out.K + out.K.transpose()).eval();
  // Diagonal dominance by rows, less than strict where the matrix need not be definite.
  out.K.diagonal().array() += (is_symmetric ? 1.0 : 0.3) * out.K.cwiseAbs().rowwise().sum().maxCoeff();
  return out;
}

void ExpectSolves(const Case& problem, bool is_symmetric, RandomNumbers& random) {
  BlockSparseSolver solver;
  solver.Analyze(problem.sizes, problem.edges);
  Assemble(problem.K, problem.sizes, problem.edges, solver);
  ASSERT_TRUE(is_symmetric ? solver.FactorCholesky() : solver.FactorLu());
  const VectorXd b = random.Vector(static_cast<int>(problem.K.rows()));
  VectorXd x = b;
  solver.Solve(x.data());
  const VectorXd expected = SolveDense(problem.K, b);
  // Condition numbers below 1e3, a few hundred rows.
  EXPECT_LT((x - expected).norm(), 1e-11 * expected.norm());
}

TEST(BlockSparseSolver, LuSolvesLikeDense) {
  RandomNumbers random(1);
  for (int nodes : {1, 2, 3, 8, 20, 70}) {
    for (double density : {0.0, 0.05, 0.3, 1.0}) {
      if (nodes > 20 && density > 0.1) continue;
      ExpectSolves(MakeCase(random, nodes, density, false), false, random);
    }
  }
}

TEST(BlockSparseSolver, CholeskySolvesLikeDense) {
  RandomNumbers random(2);
  for (int nodes : {1, 2, 3, 8, 20, 70}) {
    for (double density : {0.0, 0.05, 0.3, 1.0}) {
      if (nodes > 20 && density > 0.1) continue;
      ExpectSolves(MakeCase(random, nodes, density, true), true, random);
    }
  }
}

// R K⁻¹ Rᵀ of rows, three by three in one node or two of their own.
void ExpectCouples(const Case& problem, bool is_symmetric, int count, bool is_arranged,
                   RandomNumbers& random) {
  BlockSparseSolver solver;
  solver.Analyze(problem.sizes, problem.edges);
  Assemble(problem.K, problem.sizes, problem.edges, solver);
  ASSERT_TRUE(is_symmetric ? solver.FactorCholesky() : solver.FactorLu());
  const int num_nodes = static_cast<int>(problem.sizes.size());
  std::vector<std::pair<int, int>> pairs;  // of nodes
  for (int row = 0; row < count; row += 3)
    pairs.emplace_back(random.Index(num_nodes), random.Index(num_nodes));
  const auto first_place = [&](const std::pair<int, int>& pair) {
    return std::min(solver.place(pair.first), solver.place(pair.second));
  };
  if (is_arranged)
    std::sort(pairs.begin(), pairs.end(),
              [&](const auto& a, const auto& b) { return first_place(a) < first_place(b); });
  std::vector<BlockSparseSolver::NodeRows> nodes;
  for (std::size_t g = 0; g < pairs.size(); ++g) {
    const int begin = static_cast<int>(3 * g), end = std::min(begin + 3, count);
    nodes.push_back({pairs[g].first, begin, end});
    nodes.push_back({pairs[g].second, begin, end});
  }
  MatrixXd R_transposed = MatrixXd::Zero(problem.K.rows(), count);
  solver.BeginRows(nodes, count);
  for (const auto& [node, begin, end] : nodes) {
    for (int i = 0; i < problem.sizes[node]; ++i) {
      for (int row = begin; row < end; ++row) {
        const double value = random.Uniform(-1, 1);
        solver.Rows(node)[i * solver.row_stride() + row] = value;
        R_transposed(FirstRow(problem.sizes, node) + i, row) = value;
      }
    }
  }
  MatrixXd C(count, count);
  std::vector<int> rows(count);
  std::iota(rows.rbegin(), rows.rend(), 0);  // the last first
  solver.CalcCoupling(rows, C.data());
  MatrixXd solved = R_transposed;
  for (int row = 0; row < count; ++row) solved.col(row) = SolveDense(problem.K, R_transposed.col(row));
  const MatrixXd expected = (R_transposed.transpose() * solved).reverse();
  EXPECT_LT((C - expected).norm(), 1e-11 * expected.norm());
}

// Every node has a place of its own, behind those of its subtree.
TEST(BlockSparseSolver, NodesOfASubtreeStandTogether) {
  // Two paths of three nodes that meet in a seventh.
  const Edges edges{{0, 1}, {1, 2}, {2, 6}, {3, 4}, {4, 5}, {5, 6}};
  BlockSparseSolver solver;
  solver.Analyze(std::vector<int>(7, 1), edges);
  std::vector<int> places;
  for (int node = 0; node < 7; ++node) places.push_back(solver.place(node));
  const auto [low, high] = std::minmax({places[0], places[1], places[2]});
  EXPECT_EQ(high - low, 2);
  std::sort(places.begin(), places.end());
  for (int i = 0; i < 7; ++i) EXPECT_EQ(places[i], i);
}

TEST(BlockSparseSolver, CouplingOfSparseRowsIsThatOfTheInverse) {
  RandomNumbers random(5);
  for (const bool is_symmetric : {true, false}) {
    for (int nodes : {1, 2, 8, 40}) {
      const Case problem = MakeCase(random, nodes, 0.2, is_symmetric);
      for (int count : {1, 3, 8, 24, 50}) {
        for (const bool is_arranged : {true, false})
          ExpectCouples(problem, is_symmetric, count, is_arranged, random);
      }
    }
  }
}

// Cholesky promises not to read the upper blocks.
TEST(BlockSparseSolver, CholeskyIgnoresUpperBlocks) {
  RandomNumbers random(3);
  const Case problem = MakeCase(random, 6, 0.5, true);
  BlockSparseSolver clean, poisoned;
  for (BlockSparseSolver* solver : {&clean, &poisoned}) {
    solver->Analyze(problem.sizes, problem.edges);
    Assemble(problem.K, problem.sizes, problem.edges, *solver);
  }
  for (const auto& [i, j] : problem.edges) {
    double* upper = poisoned.Upper(poisoned.FindEdge(i, j));
    std::fill(upper, upper + problem.sizes[i] * problem.sizes[j], std::numeric_limits<double>::quiet_NaN());
  }
  VectorXd x = VectorXd::Ones(problem.K.rows()), y = x;
  ASSERT_TRUE(clean.FactorCholesky() && poisoned.FactorCholesky());
  clean.Solve(x.data());
  poisoned.Solve(y.data());
  EXPECT_EQ(x, y);
}

TEST(BlockSparseSolver, PivotsInsideDiagonalBlocks) {
  const std::vector<int> sizes{3, 2};
  const Edges edges{{0, 1}};
  MatrixXd K(5, 5);
  K << 0, 2, 1, 0.1, 0.2,   //
      1, 0, 3, -0.1, 0.3,   //
      2, 1, 0, 0.2, -0.2,   //
      0.3, 0.1, 0.2, 0, 1,  //
      0.1, 0.2, 0.1, 4, 0;
  BlockSparseSolver solver;
  solver.Analyze(sizes, edges);
  Assemble(K, sizes, edges, solver);
  ASSERT_TRUE(solver.FactorLu());
  VectorXd x = VectorXd::LinSpaced(5, 1, 2);
  const VectorXd expected = SolveDense(K, x);
  solver.Solve(x.data());
  EXPECT_LT((x - expected).norm(), 1e-14);  // five rows, condition number about ten
}

TEST(BlockSparseSolver, RefusesSingularIndefiniteAndNonFinite) {
  const std::vector<int> sizes{2, 1};
  const Edges edges{{0, 1}};
  MatrixXd singular(3, 3), indefinite(3, 3), broken = MatrixXd::Identity(3, 3);
  singular << 1, 0, 1, 0, 1, 1, 1, 1, 2;    // the last row is the sum of the others
  indefinite << 1, 0, 2, 0, 1, 0, 2, 0, 1;  // eigenvalues 3, 1, -1
  broken(1, 1) = std::numeric_limits<double>::quiet_NaN();
  BlockSparseSolver solver;
  solver.Analyze(sizes, edges);
  for (const MatrixXd& K : {singular, broken}) {
    Assemble(K, sizes, edges, solver);
    EXPECT_FALSE(solver.FactorLu());
    Assemble(K, sizes, edges, solver);
    EXPECT_FALSE(solver.FactorCholesky());
  }
  Assemble(indefinite, sizes, edges, solver);
  EXPECT_FALSE(solver.FactorCholesky());
  Assemble(indefinite, sizes, edges, solver);
  EXPECT_TRUE(solver.FactorLu());
}

// Graphs without cycles are eliminated from the leaves: one 6 x 6 block an edge and no other.
TEST(BlockSparseSolver, TreesHaveNoFill) {
  RandomNumbers random(4);
  const int n = 300;
  const std::vector<int> sizes(n, 6);
  Edges chain, star, tree;
  for (int i = 1; i < n; ++i) {
    chain.emplace_back(i - 1, i);
    star.emplace_back(0, i);
    tree.emplace_back(random.Index(i), i);
  }
  for (const Edges& edges : {chain, star, tree}) {
    BlockSparseSolver solver;
    solver.Analyze(sizes, edges);
    EXPECT_EQ(solver.num_values(), 36u * edges.size());
  }
}

TEST(BlockSparseSolver, RepeatedEdgesCountOnce) {
  BlockSparseSolver solver;
  solver.Analyze({2, 3, 1}, {{0, 1}, {1, 0}, {0, 1}, {2, 1}});
  EXPECT_EQ(solver.num_values(), 6u + 3u);
}

// A cycle of n nodes fills in n − 3 blocks whatever the order.
TEST(BlockSparseSolver, CyclesFillAsLittleAsPossible) {
  const int n = 10;
  Edges cycle;
  for (int i = 0; i < n; ++i) cycle.emplace_back(i, (i + 1) % n);
  BlockSparseSolver solver;
  solver.Analyze(std::vector<int>(n, 1), cycle);
  EXPECT_EQ(solver.num_values(), static_cast<std::size_t>(n + n - 3));
}

TEST(BlockSparseSolver, ReusedForAnotherGraphGivesTheSameBits) {
  RandomNumbers random(5);
  const Case large = MakeCase(random, 12, 0.3, false), small = MakeCase(random, 5, 0.5, false);
  BlockSparseSolver fresh, reused;
  reused.Analyze(large.sizes, large.edges);
  Assemble(large.K, large.sizes, large.edges, reused);
  ASSERT_TRUE(reused.FactorLu());
  VectorXd x = VectorXd::Ones(small.K.rows()), y = x;
  for (auto [solver, out] : {std::pair(&fresh, &x), std::pair(&reused, &y)}) {
    solver->Analyze(small.sizes, small.edges);
    Assemble(small.K, small.sizes, small.edges, *solver);
    ASSERT_TRUE(solver->FactorLu());
    solver->Solve(out->data());
  }
  EXPECT_EQ(x, y);
}

// Bodies of a pile touch their neighbours in a lattice: subtrees for the threads, and a good many common
// columns. Where the graph falls apart there are none.
TEST(BlockSparseSolver, ThreadsGiveTheBitsOfOne) {
  RandomNumbers random(6);
  for (const int height : {4, 7}) {
    Case problem;
    constexpr int kSide = 6;
    const auto node = [](int x, int y, int z) { return (z * kSide + y) * kSide + x; };
    for (int z = 0; z < height; ++z) {
      for (int y = 0; y < kSide; ++y) {
        for (int x = 0; x < kSide; ++x) {
          problem.sizes.push_back(random.Index(4) == 0 ? 3 : 6);
          if (x > 0) problem.edges.emplace_back(node(x - 1, y, z), node(x, y, z));
          if (y > 0 && height > 4) problem.edges.emplace_back(node(x, y, z), node(x, y - 1, z));
          if (z > 0) problem.edges.emplace_back(node(x, y, z - 1), node(x, y, z));
        }
      }
    }
    problem.sizes.insert(problem.sizes.end(), 20, 1);  // that touch nothing
    const int n = FirstRow(problem.sizes, static_cast<int>(problem.sizes.size()));
    problem.K = MatrixXd::Zero(n, n);
    for (const auto& [i, j] : problem.edges) {
      const int a = FirstRow(problem.sizes, i), b = FirstRow(problem.sizes, j);
      problem.K.block(a, b, problem.sizes[i], problem.sizes[j]) =
          random.Matrix(problem.sizes[i], problem.sizes[j]);
      problem.K.block(b, a, problem.sizes[j], problem.sizes[i]) =
          problem.K.block(a, b, problem.sizes[i], problem.sizes[j]).transpose();
    }
    problem.K.diagonal().array() += 1.0 + problem.K.cwiseAbs().rowwise().sum().maxCoeff();
    for (const bool is_symmetric : {true, false}) {
      ExpectSolves(problem, is_symmetric, random);
      VectorXd expected;
      for (const int threads : {1, 2, 3, 5}) {
        const TaskPool pool(threads);
        BlockSparseSolver solver;
        solver.Analyze(problem.sizes, problem.edges);
        Assemble(problem.K, problem.sizes, problem.edges, solver);
        ASSERT_TRUE(is_symmetric ? solver.FactorCholesky(&pool) : solver.FactorLu(&pool));
        VectorXd x = VectorXd::LinSpaced(n, -1.0, 2.0);
        solver.Solve(x.data(), &pool);
        if (threads == 1) expected = x;
        EXPECT_EQ(x, expected) << threads << " threads, height " << height;
      }
    }
  }
}

TEST(BlockSparseSolver, ThreadsRefuseSingularMatrices) {
  constexpr int kNodes = 150;
  Edges chain;
  for (int i = 1; i < kNodes; ++i) chain.emplace_back(i - 1, i);
  const TaskPool pool(3);
  for (const int bad : {0, 17, kNodes - 1}) {
    MatrixXd K = MatrixXd::Identity(kNodes, kNodes);
    K(bad, bad) = 0.0;
    BlockSparseSolver solver;
    solver.Analyze(std::vector<int>(kNodes, 1), chain);
    Assemble(K, std::vector<int>(kNodes, 1), chain, solver);
    EXPECT_FALSE(solver.FactorLu(&pool)) << bad;
    Assemble(K, std::vector<int>(kNodes, 1), chain, solver);
    EXPECT_FALSE(solver.FactorCholesky(&pool)) << bad;
  }
}

TEST(BlockSparseSolver, EmptyGraphIsSolved) {
  BlockSparseSolver solver;
  solver.Analyze({}, {});
  solver.SetIdentity();
  EXPECT_TRUE(solver.FactorLu());
  EXPECT_TRUE(solver.FactorCholesky());
  solver.Solve(nullptr);
}

}  // namespace
}  // namespace stiction

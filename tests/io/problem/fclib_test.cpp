// FCLib files against libfclib itself, which is an independent reader and writer.
#ifdef STICTION_WITH_FCLIB
extern "C" {
#include <fclib.h>
}
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>
#include <stdexcept>

#include "stiction/contact/certificate.h"
#include "stiction/contact/registry.h"
#include "stiction/contact/solve.h"
#include "stiction/io/problem_file.h"
#include "stiction/model/load_error.h"
#include "tests/io/hdf5_edit.h"
#include "tests/io/temporary_file.h"
#include "tests/support/contact_problems.h"
#include "tests/support/shared_files.h"

namespace stiction {
namespace {

using stiction::testing::MakeStack;
using stiction::testing::RandomNumbers;

enum class Storage { kColumns, kRows, kTriplets };

// A dense matrix in one of FCLib's forms; triplets give every entry in two halves.
struct Matrix {
  Matrix(const MatrixXd& dense, Storage storage) {
    const bool by_columns = storage == Storage::kColumns, is_triplet = storage == Storage::kTriplets;
    const int rows = static_cast<int>(dense.rows()), cols = static_cast<int>(dense.cols());
    const int outer_size = by_columns ? cols : rows, inner_size = by_columns ? rows : cols;
    if (!is_triplet) p.push_back(0);
    for (int outer = 0; outer < outer_size; ++outer) {
      for (int inner = 0; inner < inner_size; ++inner) {
        const double value = by_columns ? dense(inner, outer) : dense(outer, inner);
        if (value == 0.0) continue;
        for (int half = 0; half < (is_triplet ? 2 : 1); ++half) {
          if (is_triplet) p.push_back(outer);
          i.push_back(inner);
          x.push_back(is_triplet ? 0.5 * value : value);
        }
      }
      if (!is_triplet) p.push_back(static_cast<int>(x.size()));
    }
    const int size = static_cast<int>(x.size());
    view = {.nzmax = size,
            .m = rows,
            .n = cols,
            .p = p.data(),
            .i = i.data(),
            .x = x.data(),
            .nz = is_triplet ? size : (by_columns ? -1 : -2),
            .info = nullptr};
  }
  std::vector<int> p, i;
  std::vector<double> x;
  fclib_matrix view;
};

// Contacts normal first, as FCLib wants its rows.
MatrixXd NormalFirst(int num_rows) {
  MatrixXd P = MatrixXd::Zero(num_rows, num_rows);
  for (int i = 0; i < num_rows; i += 3) P(i, i + 2) = P(i + 1, i) = P(i + 2, i + 1) = 1.0;
  return P;
}

// Two bodies, two contacts, two bilateral rows: full of numbers.
struct Sample {
  explicit Sample(unsigned seed = 1) {
    RandomNumbers random(seed);
    M = MatrixXd::Zero(12, 12);
    M.topLeftCorner(6, 6) = random.PositiveDefinite(6);
    M.bottomRightCorner(6, 6) = random.PositiveDefinite(6);
    M = (0.5 * (M + M.transpose())).eval();  // to the last bit
    H = random.Matrix(12, 6), G = random.Matrix(12, 2);
    f = random.Vector(12), w = random.Vector(6), b = random.Vector(2);
  }
  MatrixXd M, H, G;
  VectorXd f, w, b;
  VectorXd mu = Eigen::Vector2d(0.3, 0.8);

  void Write(const std::string& path, Storage storage) {
    Matrix M_file(M, storage), H_file(H, storage), G_file(G, storage);
    fclib_info info{.title = const_cast<char*>("sample"),
                    .description = const_cast<char*>(""),
                    .math_info = const_cast<char*>("")};
    fclib_global problem{.M = &M_file.view,
                         .H = &H_file.view,
                         .G = &G_file.view,
                         .mu = mu.data(),
                         .f = f.data(),
                         .b = b.data(),
                         .w = w.data(),
                         .spacedim = 3,
                         .info = &info};
    std::remove(path.c_str());
    ASSERT_EQ(fclib_write_global(&problem, path.c_str()), 1);
  }
  // Condensed on the contacts and bilateral rows.
  void WriteLocal(const std::string& path, Storage storage) {
    const MatrixXd M_inverse = M.inverse();
    Matrix W_file(H.transpose() * M_inverse * H, storage), V_file(H.transpose() * M_inverse * G, storage);
    Matrix R_file(G.transpose() * M_inverse * G, storage);
    VectorXd q = w + H.transpose() * M_inverse * f, s = b + G.transpose() * M_inverse * f;
    fclib_local problem{.W = &W_file.view,
                        .V = &V_file.view,
                        .R = &R_file.view,
                        .mu = mu.data(),
                        .q = q.data(),
                        .s = s.data(),
                        .spacedim = 3,
                        .info = nullptr};
    std::remove(path.c_str());
    ASSERT_EQ(fclib_write_local(&problem, path.c_str()), 1);
  }
};

ContactProblem ReadOne(const std::string& path) {
  std::vector<ProblemFile> problems = ReadProblems(path);
  EXPECT_EQ(problems.size(), 1u);
  return problems[0].problem;
}

TEST(ProblemFclib, ReadsEveryStorageOfAGlobalProblem) {
  Sample sample;
  for (const Storage storage : {Storage::kColumns, Storage::kRows, Storage::kTriplets}) {
    const TemporaryFile file("", ".hdf5");
    sample.Write(file.path(), storage);
    const ContactProblem p = ReadOne(file.path());
    EXPECT_EQ(p.name, "sample");
    EXPECT_EQ(p.subsystems.size(), 2u);
    EXPECT_EQ(p.A.ToDense(), sample.M);
    EXPECT_LT((sample.M * p.v_star - sample.f).norm(), 1e-12);
    MatrixXd J(8, 12);
    J << NormalFirst(6).transpose() * sample.H.transpose(), sample.G.transpose();
    EXPECT_EQ(p.DenseJ(), J);
    const VectorXd e = NormalFirst(6).transpose() * sample.w;
    for (int i = 0; i < 6; ++i) EXPECT_EQ(p.e[i], e[i]);
    EXPECT_EQ(p.e[6], sample.b[0]);
    EXPECT_EQ(p.e[7], sample.b[1]);
    ASSERT_EQ(p.num_constraints(), 4);
    EXPECT_EQ(p.constraints[1].mu, 0.8);
    EXPECT_EQ(p.constraints[3].type, ConstraintType::kBilateral);
  }
}

// The impulses of a local problem solve the global one it came from.
TEST(ProblemFclib, LocalProblemsHaveTheSolutionsOfTheirGlobalOnes) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    Sample sample(seed);
    const TemporaryFile global("", ".hdf5"), local("", ".hdf5");
    sample.Write(global.path(), Storage::kColumns);
    sample.WriteLocal(local.path(), static_cast<Storage>(seed % 3));
    const ContactProblem p = ReadOne(global.path()), q = ReadOne(local.path());
    EXPECT_EQ(q.nv(), 8);  // the rank of D
    EXPECT_EQ(q.A.ToDense(), MatrixXd(MatrixXd::Identity(8, 8)));
    const MatrixXd D = p.DenseJ() * p.A.ToDense().inverse() * p.DenseJ().transpose();
    EXPECT_LT((q.DenseJ() * q.DenseJ().transpose() - D).norm(), 1e-12 * D.norm());
    Solution solution;
    ProblemSolver solver;
    EXPECT_EQ(solver.Solve(q, *MakeSolver("auto"), solution).solve.status, SolveStatus::kConverged);
    BranchSparseFactor factor;
    EXPECT_LT(factor.Factor(p.A), 0);
    EXPECT_LT(Certifier().Certify(p, factor, CalcDelassusScales(p, factor), solution.lambda).ncp_max, 1e-8);
  }
}

TEST(ProblemFclib, LocalProblemsMayLackRank) {
  // 20 contacts on one body: rank 6 of 60 rows. A second, separate one has W = 0.
  RandomNumbers random(3);
  const MatrixXd J = random.Matrix(60, 6);
  MatrixXd W = MatrixXd::Zero(63, 63);
  W.topLeftCorner(60, 60) = J * J.transpose();
  Matrix W_file(W, Storage::kColumns);
  std::vector<double> q(63, 0.25), mu(21, 0.5);
  fclib_local problem{.W = &W_file.view,
                      .V = nullptr,
                      .R = nullptr,
                      .mu = mu.data(),
                      .q = q.data(),
                      .s = nullptr,
                      .spacedim = 3,
                      .info = nullptr};
  const TemporaryFile file("", ".hdf5");
  std::remove(file.path().c_str());
  ASSERT_EQ(fclib_write_local(&problem, file.path().c_str()), 1);
  const ContactProblem p = ReadOne(file.path());
  EXPECT_EQ(p.nv(), 6);
  EXPECT_EQ(p.subsystems.size(), 1u);
  EXPECT_EQ(p.constraints[20].num_blocks, 0);
  const MatrixXd P = NormalFirst(63);
  EXPECT_LT((P * p.DenseJ() * (P * p.DenseJ()).transpose() - W).cwiseAbs().maxCoeff(), 1e-11);
}

TEST(ProblemFclib, LibfclibReadsWhatIsWritten) {
  const ContactProblem p = MakeStack(4, 10.0);
  const Solution warm_start{p.v_star, VectorXd::LinSpaced(p.num_rows(), 1.0, 2.0)};
  const TemporaryFile file("", ".hdf5");
  WriteProblemFclib(file.path(), p, warm_start);
  fclib_global* read = fclib_read_global(file.path().c_str());
  ASSERT_NE(read, nullptr);
  EXPECT_EQ(read->spacedim, 3);
  EXPECT_EQ(read->M->m, p.nv());
  EXPECT_EQ(read->H->n, p.num_rows());
  EXPECT_EQ(read->H->nz, -1);
  EXPECT_EQ(read->mu[2], 0.5);
  int count = 0;
  fclib_solution* guesses = fclib_read_guesses(file.path().c_str(), &count);
  ASSERT_EQ(count, 1);
  EXPECT_EQ(guesses->r[0], warm_start.lambda[2]);
  EXPECT_EQ(guesses->r[1], warm_start.lambda[0]);
  EXPECT_EQ(guesses->v[2], p.v_star[2]);
  fclib_delete_solutions(guesses, count), fclib_delete_global(read);
  std::free(read);  // the others free what they were given

  const ProblemFile back = ReadProblems(file.path())[0];
  EXPECT_EQ(back.problem.A.ToDense(), p.A.ToDense());
  EXPECT_EQ(back.problem.DenseJ(), p.DenseJ());
  EXPECT_EQ(back.problem.e, p.e);
  EXPECT_EQ(back.problem.subsystems.size(), p.subsystems.size());
  EXPECT_EQ(back.warm_start.lambda, warm_start.lambda);
  EXPECT_EQ(back.warm_start.v, warm_start.v);
}

TEST(ProblemFclib, BilateralRowsSurviveAndOthersAreRefused) {
  Sample sample;
  const TemporaryFile file("", ".hdf5"), again("", ".hdf5");
  sample.Write(file.path(), Storage::kColumns);
  ContactProblem p = ReadOne(file.path());
  const Solution warm_start{{}, VectorXd::LinSpaced(8, 1.0, 2.0)};
  WriteProblemFclib(again.path(), p, warm_start);
  const ProblemFile back = ReadProblems(again.path())[0];
  EXPECT_EQ(back.problem.DenseJ(), p.DenseJ());
  EXPECT_EQ(back.problem.e, p.e);
  EXPECT_EQ(back.warm_start.lambda, warm_start.lambda);
  // v = v* + A⁻¹ Jᵀ λ where none was given.
  EXPECT_LT(
      (p.A.ToDense() * (back.warm_start.v - p.v_star) - p.DenseJ().transpose() * warm_start.lambda).norm(),
      1e-11);
  p.AddConstraint(ConstraintType::kUnilateral);
  EXPECT_THROW(WriteProblemFclib(again.path(), p, {}), std::runtime_error);
}

TEST(ProblemFclib, ReferenceFilesEqualTheirJson) {
  const std::filesystem::path folder = SharedPath("problems");
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no reference problems";
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".hdf5") continue;
    const ContactProblem p = ReadOne(entry.path());
    const ContactProblem json = ReadOne(std::filesystem::path(entry.path()).replace_extension(".json"));
    EXPECT_EQ(p.name, json.name);
    EXPECT_EQ(p.subsystems.size(), json.subsystems.size()) << entry.path();
    EXPECT_LT((p.A.ToDense() - json.A.ToDense()).norm(), 1e-15 * json.A.ToDense().norm()) << entry.path();
    EXPECT_EQ(p.DenseJ(), json.DenseJ()) << entry.path();
    EXPECT_EQ(p.e, json.e) << entry.path();
    EXPECT_LT((p.v_star - json.v_star).norm(), 1e-12 * (1.0 + json.v_star.norm())) << entry.path();
    // The solution inside, read by libfclib.
    fclib_solution* solution = fclib_read_solution(entry.path().c_str());
    ASSERT_NE(solution, nullptr);
    Solution inside;
    inside.lambda = NormalFirst(p.num_rows()).transpose() * Eigen::Map<VectorXd>(solution->r, p.num_rows());
    fclib_delete_solutions(solution, 1);

    BranchSparseFactor factor;
    EXPECT_LT(factor.Factor(p.A), 0);
    EXPECT_LT(Certifier().Certify(p, factor, CalcDelassusScales(p, factor), inside.lambda).ncp_max, 1e-10);
    ++count;
  }
  EXPECT_GE(count, 16);
}

std::string MessageOf(const std::string& path) {
  try {
    ReadProblems(path);
  } catch (const LoadError& error) {
    EXPECT_EQ(error.file(), path);
    return error.what();
  }
  return "no error";
}

void ExpectError(const std::function<void(Hdf5Edit&)>& edit, const std::string& message,
                 bool is_local = false) {
  Sample sample;
  const TemporaryFile file("", ".hdf5");
  if (is_local)
    sample.WriteLocal(file.path(), Storage::kColumns);
  else
    sample.Write(file.path(), Storage::kColumns);
  {
    Hdf5Edit hdf5(file.path());
    edit(hdf5);
  }
  EXPECT_NE(MessageOf(file.path()).find(message), std::string::npos) << MessageOf(file.path());
}

const std::string kGlobal = "fclib_global/";

void ExpectErrorAfter(const std::string& dataset, const std::vector<int>& values,
                      const std::string& message) {
  ExpectError([&](Hdf5Edit& h) { h.Replace(kGlobal + dataset, values); }, message);
}
void ExpectErrorAfter(const std::string& dataset, const std::vector<double>& values,
                      const std::string& message) {
  ExpectError([&](Hdf5Edit& h) { h.Replace(kGlobal + dataset, values); }, message);
}

TEST(ProblemFclib, SizesThatLieAreNamed) {
  ExpectErrorAfter("H/n", std::vector{-5}, "\"fclib_global/H/n\" is -5; it has to be from 0");
  ExpectErrorAfter("H/n", std::vector{3}, "\"fclib_global/H/p\" holds 7 values; it needs 4");
  ExpectErrorAfter("H/m", std::vector{6}, "\"fclib_global/H/i\" holds");
  ExpectErrorAfter("H/m", std::vector{24}, "\"fclib_global/H\" is 24 x 6; it has to be 12 x 6");
  ExpectErrorAfter("H/n", std::vector{2147483647}, "\"fclib_global/H/n\" is 2147483647");
  ExpectErrorAfter("H/nzmax", std::vector{10}, "\"fclib_global/H/x\" holds 72 values; it needs 10");
  ExpectErrorAfter("H/nzmax", std::vector{1000000}, "\"fclib_global/H/x\" holds 72 values");
  ExpectErrorAfter("H/nz", std::vector{-3}, "\"fclib_global/H/nz\" is -3");
  ExpectErrorAfter("H/nz", std::vector{72}, "\"fclib_global/H/p\" holds 12; its numbers");
  ExpectErrorAfter("H/nz", std::vector{73}, "\"fclib_global/H/nz\" is 73");
  ExpectErrorAfter("H/nz", std::vector{-2}, "\"fclib_global/H/");
  ExpectErrorAfter("M/n", std::vector{6}, "\"fclib_global/M/p\" holds 13 values; it needs 7");
  ExpectErrorAfter("vectors/mu", std::vector{0.5}, "\"fclib_global/vectors/mu\" holds 1 values; it needs 2");
  ExpectErrorAfter("vectors/f", std::vector<double>(13), "\"fclib_global/vectors/f\" holds 13 values");
  ExpectErrorAfter("vectors/w", std::vector<double>{}, "\"fclib_global/vectors/w\" holds 0 values");
  ExpectErrorAfter("vectors/b", std::vector<double>{}, "\"fclib_global/vectors/b\" holds 0 values");
  ExpectErrorAfter("spacedim", std::vector{2}, "\"fclib_global/spacedim\" is 2: contacts in the plane");
  ExpectErrorAfter("spacedim", std::vector{3, 3}, "\"fclib_global/spacedim\" has to be a single integer");
}

TEST(ProblemFclib, IndicesThatLieAreNamed) {
  std::vector<int> index(72, 0);
  index[71] = 12;
  ExpectErrorAfter("H/i", index, "\"fclib_global/H/i\" holds 12; its numbers have to be from 0 to 11");
  index[71] = -1;
  ExpectErrorAfter("H/i", index, "\"fclib_global/H/i\" holds -1");
  ExpectErrorAfter("H/p", std::vector{0, 12, 24, 36, 48, 60, 73}, "\"fclib_global/H/p\" holds 73");
  ExpectErrorAfter("H/p", std::vector{0, 12, 24, 12, 48, 60, 72},
                   "\"fclib_global/H/p\" has to ascend from 0");
  ExpectErrorAfter("H/p", std::vector{1, 12, 24, 36, 48, 60, 72},
                   "\"fclib_global/H/p\" has to ascend from 0");
  ExpectErrorAfter("H/p", std::vector{0, 12, 24, 36, 48, 60, -1}, "\"fclib_global/H/p\" holds -1");
}

TEST(ProblemFclib, NumbersThatLieAreNamed) {
  std::vector<double> x(72, 1.0);
  x[5] = std::numeric_limits<double>::quiet_NaN();
  ExpectErrorAfter("M/x", x, "\"fclib_global/M/x\" holds something that is not a finite number");
  ExpectErrorAfter("H/x", x, "\"fclib_global/H/x\" holds something that is not a finite number");
  ExpectErrorAfter("M/x", std::vector<double>(72, 1.0), "\"fclib_global/M\" is not positive definite");
  for (int i = 0; i < 72; ++i) x[i] = i;
  ExpectErrorAfter("M/x", x, "\"fclib_global/M\" is not symmetric");
  ExpectErrorAfter("vectors/mu", std::vector{0.5, -0.5},
                   "\"fclib_global/vectors/mu\" is -0.5 in constraint 1 (contact), row 3");
  ExpectErrorAfter("vectors/w", std::vector<double>(6, std::nan("")),
                   "\"fclib_global/vectors/w\" holds something");
}

TEST(ProblemFclib, WrongKindsAreNamed) {
  const auto on = [](const char* name, auto edit, const std::string& message) {
    ExpectError([&](Hdf5Edit& h) { edit(h, kGlobal + name); }, message);
  };
  const auto remove = [](Hdf5Edit& h, const std::string& name) { h.Remove(name); };
  for (const char* name : {"M", "H", "M/x", "H/p", "H/nz", "vectors", "vectors/mu", "vectors/b", "spacedim"})
    on(name, remove, "\"" + kGlobal + name + "\" is missing");
  const auto text = [](Hdf5Edit& h, const std::string& name) { h.ReplaceText(name, "hello"); };
  on("H/p", text, "\"fclib_global/H/p\" has to hold integers");
  on("H/x", text, "\"fclib_global/H/x\" has to hold numbers");
  on("M", text, "\"fclib_global/M\" has to be a group");
  on(
      "H/n", [](Hdf5Edit& h, const std::string& name) { h.Replace(name, std::vector{6.0}); },
      "\"fclib_global/H/n\" has to hold integers");
  on(
      "vectors/mu",
      [](Hdf5Edit& h, const std::string& name) {
        h.ReplaceTable(name, {0.5, 0.5});
      },
      "\"fclib_global/vectors/mu\" has to be a list");
  on(
      "vectors/mu", [](Hdf5Edit& h, const std::string& name) { h.ReplaceHollow(name, 90'000'000); },
      "\"fclib_global/vectors/mu\" is larger than what the file holds");
  on(
      "vectors/mu", [](Hdf5Edit& h, const std::string& name) { h.ReplaceHollow(name, 1ULL << 40); },
      "\"fclib_global/vectors/mu\" is too large");
  on(
      "vectors/mu", [](Hdf5Edit& h, const std::string& name) { h.ReplaceByLink(name, "/etc/passwd"); },
      "\"fclib_global/vectors/mu\" is a link");
  ExpectError([](Hdf5Edit& h) { h.Remove("fclib_global"); }, "holds no contact problem");
}

TEST(ProblemFclib, LocalProblemsThatLieAreNamed) {
  const auto after = [](const std::string& dataset, auto values, const std::string& message) {
    ExpectError([&](Hdf5Edit& h) { h.Replace("fclib_local/" + dataset, values); }, message, true);
  };
  std::vector<double> x(36, 0.0);
  for (int i = 0; i < 6; ++i) x[7 * i] = 1e3;
  x[7] = -1.0;
  after("W/x", x, "\"fclib_local/W\" is not positive semidefinite");
  x[1] = 5.0;
  after("W/x", x, "\"fclib_local/W\" is not symmetric");
  x[1] = std::nan("");
  after("W/x", x, "\"fclib_local/W/x\" holds something that is not a finite number");
  after("W/n", std::vector{5}, "\"fclib_local/W/p\" holds 7 values; it needs 6");
  after("V/m", std::vector{5}, "\"fclib_local/V/i\" holds");
  after("R/n", std::vector{1}, "\"fclib_local/R/p\" holds 3 values; it needs 2");
  after("vectors/q", std::vector{1.0}, "\"fclib_local/vectors/q\" holds 1 values; it needs 6");
  after("vectors/s", std::vector{1.0}, "\"fclib_local/vectors/s\" holds 1 values; it needs 2");
  after("vectors/mu", std::vector{-1.0, 1.0},
        "\"fclib_local/vectors/mu\" is -1 in constraint 0 (contact), row 0");
  ExpectError([](Hdf5Edit& h) { h.Remove("fclib_local/R"); }, "\"fclib_local/R\" is missing", true);
}

TEST(ProblemFclib, TruncatedFilesAreRefused) {
  Sample sample;
  const TemporaryFile file("", ".hdf5");
  sample.Write(file.path(), Storage::kColumns);
  const auto size = std::filesystem::file_size(file.path());
  for (std::uintmax_t length = size - 1; length > 0; length = length > 97 ? length - 97 : 0) {
    std::filesystem::resize_file(file.path(), length);
    EXPECT_NE(MessageOf(file.path()), "no error") << length << " of " << size;
  }
}

TEST(ProblemFclib, TextNamedHdf5IsRefused) {
  EXPECT_NE(MessageOf(TemporaryFile("hello", ".hdf5").path()).find("is not an HDF5 file"), std::string::npos);
  EXPECT_NE(MessageOf(TemporaryFile("", ".h5").path()).find("is not an HDF5 file"), std::string::npos);
  EXPECT_NE(MessageOf(TemporaryFile("\x89HDF\r\n\x1a\n", ".h5").path()).find("is not a whole HDF5 file"),
            std::string::npos);
}

}  // namespace
}  // namespace stiction
#endif

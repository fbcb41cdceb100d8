// Our own HDF5 format: every row type, every bit, several problems a file, and files that lie.
#ifdef STICTION_WITH_HDF5
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>

#include "stiction/io/problem_file.h"
#include "stiction/model/load_error.h"
#include "tests/io/hdf5_edit.h"
#include "tests/io/temporary_file.h"
#include "tests/support/contact_problems.h"

namespace stiction {
namespace {

using stiction::testing::MakeRandomProblem;
using stiction::testing::MakeStack;

constexpr double kUnbounded = std::numeric_limits<double>::infinity();

// In the order of the JSON rows, which both formats share: what one gives back is compared with the other.
ProblemFile ThroughJson(const ContactProblem& problem, const Solution& warm_start) {
  const TemporaryFile file;
  WriteProblemJson(file.path(), problem, warm_start);
  return ReadProblemJson(file.path());
}

void ExpectEqual(const ProblemFile& a, const ProblemFile& b) {
  EXPECT_EQ(a.problem.name, b.problem.name);
  EXPECT_EQ(a.problem.A.ToDense(), b.problem.A.ToDense());
  EXPECT_EQ(a.problem.subsystems.size(), b.problem.subsystems.size());
  EXPECT_EQ(a.problem.v_star, b.problem.v_star);
  EXPECT_EQ(a.problem.DenseJ(), b.problem.DenseJ());
  EXPECT_EQ(a.problem.e, b.problem.e);
  ASSERT_EQ(a.problem.num_constraints(), b.problem.num_constraints());
  for (int i = 0; i < a.problem.num_constraints(); ++i) {
    const Constraint &c = a.problem.constraints[i], &d = b.problem.constraints[i];
    EXPECT_EQ(c.type, d.type);
    EXPECT_EQ(c.mu, d.mu);
    EXPECT_EQ(c.stiffness, d.stiffness);
    EXPECT_EQ(c.damping, d.damping);
    EXPECT_EQ(c.lower, d.lower);
    EXPECT_EQ(c.upper, d.upper);
  }
  EXPECT_EQ(a.warm_start.v, b.warm_start.v);
  EXPECT_EQ(a.warm_start.lambda, b.warm_start.lambda);
}

TEST(ProblemHdf5, HoldsSeveralProblemsOfAllRowTypes) {
  std::vector<ProblemFile> expected;
  const TemporaryFile file("", ".h5");
  CreateProblemHdf5(file.path());
  for (unsigned seed = 1; seed <= 12; ++seed) {
    ContactProblem p = MakeRandomProblem(seed, 4, 12);
    p.name = "número " + std::to_string(seed);
    const Solution warm_start =
        seed % 3 == 0 ? Solution{} : Solution{p.v_star / 3.0, VectorXd::LinSpaced(p.num_rows(), 0.1, 0.7)};
    expected.push_back(ThroughJson(p, warm_start));
    char group[16];
    std::snprintf(group, sizeof group, "step_%06u", seed);
    AppendProblemHdf5(file.path(), group, p, warm_start);
    expected.back().group = group;
  }
  const std::vector<ProblemFile> read = ReadProblems(file.path());
  ASSERT_EQ(read.size(), expected.size());
  for (std::size_t i = 0; i < read.size(); ++i) {
    EXPECT_EQ(read[i].group, expected[i].group);
    ExpectEqual(read[i], expected[i]);
  }
}

TEST(ProblemHdf5, BoundsMayBeInfinite) {
  ContactProblem p = MakeStack(2, 2.0);
  p.AddConstraint(ConstraintType::kBounded);
  p.SetBounds(-kUnbounded, 0.5);
  p.AddConstraint(ConstraintType::kBounded);
  p.SetBounds(-0.25, kUnbounded);
  const TemporaryFile file("", ".h5");
  CreateProblemHdf5(file.path());
  AppendProblemHdf5(file.path(), "p", p, {});
  ExpectEqual(ReadProblems(file.path())[0], ThroughJson(p, {}));
  EXPECT_EQ(ReadProblems(file.path())[0].problem.constraints.back().upper, kUnbounded);
}

TEST(ProblemHdf5, AProblemWithoutRowsIsAProblem) {
  ContactProblem p = MakeStack(2, 2.0);
  p.ClearConstraints();
  const TemporaryFile file("", ".h5");
  CreateProblemHdf5(file.path());
  AppendProblemHdf5(file.path(), "p", p, {});
  EXPECT_EQ(ReadProblems(file.path())[0].problem.num_rows(), 0);
}

TEST(ProblemHdf5, WritesNoInfinitiesAndNoGroupTwice) {
  ContactProblem p = MakeStack(2, 2.0);
  const TemporaryFile file("", ".h5");
  CreateProblemHdf5(file.path());
  AppendProblemHdf5(file.path(), "p", p, {});
  EXPECT_THROW(AppendProblemHdf5(file.path(), "p", p, {}), std::runtime_error);
  p.v_star[0] = kUnbounded;
  EXPECT_THROW(AppendProblemHdf5(file.path(), "q", p, {}), std::runtime_error);
  EXPECT_THROW(CreateProblemHdf5("/no/such/folder/p.h5"), std::runtime_error);
  EXPECT_EQ(ReadProblems(file.path()).size(), 1u);
}

void ExpectFileError(const std::function<void(Hdf5Edit&)>& edit, const std::string& message) {
  const ContactProblem p = MakeRandomProblem(2, 4, 12);
  const TemporaryFile file("", ".h5");
  CreateProblemHdf5(file.path());
  AppendProblemHdf5(file.path(), "p", p, Solution{{}, VectorXd::Ones(p.num_rows())});
  {
    Hdf5Edit hdf5(file.path());
    edit(hdf5);
  }
  std::string actual = "no error";
  try {
    ReadProblems(file.path());
  } catch (const LoadError& error) {
    actual = error.what();
  }
  EXPECT_NE(actual.find(message), std::string::npos) << actual;
}

TEST(ProblemHdf5, FilesThatLieAreNamed) {
  const auto integers = [](const char* key, const std::vector<int>& values, const std::string& message) {
    ExpectFileError([&](Hdf5Edit& h) { h.Replace(key, values); }, message);
  };
  const auto numbers = [](const char* key, const std::vector<double>& values, const std::string& message) {
    ExpectFileError([&](Hdf5Edit& h) { h.Replace(key, values); }, message);
  };
  integers("p/nv", {-1}, "\"p/nv\" is -1");
  integers("p/nv", {2000000000}, "\"p/subsystem_of_dof\" holds");
  integers("p/n_contact", {70000000}, "\"p/e\" holds");
  integers("p/A/rows", {1, 2, 3}, "\"p/A\" has to hold rows, cols and values of the same length");
  integers("p/J/cols", {-1}, "\"p/J/cols\" holds -1");
  integers("p/J/rows", {1000}, "\"p/J/rows\" holds 1000");
  integers("p/e", {1}, "\"p/e\" holds 1 values");
  numbers("p/nv", {3.0}, "\"p/nv\" has to hold integers");
  numbers("p/b", {kUnbounded}, "\"p/b\" holds something that is not a finite number");
  numbers("p/mu", {-1.0}, "\"p/mu\" holds");
  numbers("p/lower", {1.0}, "\"p/lower\" ");
  numbers("p/warm_start/lambda", {1.0}, "\"p/warm_start/lambda\" holds 1 values");
  numbers("p/name", {1.0}, "\"p/name\" has to be a text");
  ExpectFileError([](Hdf5Edit& h) { h.Remove("p/J"); }, "\"p/J\" is missing");
  ExpectFileError([](Hdf5Edit& h) { h.Remove("p/upper"); }, "\"p/upper\" is missing");
  ExpectFileError([](Hdf5Edit& h) { h.Remove("p"); }, "holds no contact problem");
  ExpectFileError([](Hdf5Edit& h) { h.ReplaceByLink("p", "/etc/passwd"); }, "\"p\" is a link");
}

TEST(ProblemHdf5, BoundsThatAreNoneAreNamed) {
  ContactProblem p = MakeStack(2, 2.0);
  p.AddConstraint(ConstraintType::kBounded);
  p.SetBounds(-1.0, 1.0);
  const TemporaryFile file("", ".h5");
  for (const double lower : {2.0, kUnbounded, std::nan("")}) {
    CreateProblemHdf5(file.path());
    AppendProblemHdf5(file.path(), "p", p, {});
    Hdf5Edit(file.path()).Replace("p/lower", std::vector{lower});
    EXPECT_THROW(ReadProblems(file.path()), LoadError) << lower;
  }
}

}  // namespace
}  // namespace stiction
#endif

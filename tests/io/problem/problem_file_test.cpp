#include "stiction/io/problem_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>

#include "stiction/contact/registry.h"
#include "stiction/contact/solve.h"
#include "stiction/model/load_error.h"
#include "tests/io/temporary_file.h"
#include "tests/support/shared_files.h"

namespace stiction {
namespace {

using nlohmann::json;

// Two trees of two and one dofs; a contact between them, a limit on the first, a coupling and a spring.
constexpr const char* kSmall = R"({
  "name": "small", "nv": 3, "n_contact": 1, "n_hard": 1, "n_equality": 1, "n_soft": 1,
  "subsystem_of_dof": [0, 0, 7],
  "A": [[2, 0.5, 0], [0.5, 1, 0], [0, 0, 4]],
  "b": [1, 2, 4],
  "J": [[1, 0, 0], [0, 1, -1], [0.25, 0, 1], [1, 0, 0], [0, 0, 0], [0, 0, 3]],
  "mu": [0.5], "e": [0, 0, 0.125, 0.5, 0, -0.25], "k_soft": [10], "b_soft": [2],
  "warm_start": {"v": [1, 2, 3], "lambda": [1, 2, 3, 4, 5, 6]}
})";

ProblemFile ReadText(const std::string& text) {
  const TemporaryFile file(text);
  return ReadProblemJson(file.path());
}

// kSmall with one key replaced, or removed where `value` is null.
ProblemFile ReadChanged(const std::string& key, const json& value) {
  json document = json::parse(kSmall);
  if (value.is_null())
    document.erase(key);
  else
    document[key] = value;
  return ReadText(document.dump());
}

std::string MessageOf(const std::function<void()>& read) {
  try {
    read();
  } catch (const LoadError& error) {
    return error.what();
  }
  return "no error";
}

void ExpectError(const std::string& key, const json& value, const std::string& message) {
  EXPECT_NE(MessageOf([&] { ReadChanged(key, value); }).find(message), std::string::npos)
      << MessageOf([&] { ReadChanged(key, value); });
}

TEST(ProblemFile, ReadsRowsInTheFilesOrder) {
  const ProblemFile file = ReadText(kSmall);
  const ContactProblem& p = file.problem;
  EXPECT_EQ(p.name, "small");
  ASSERT_EQ(p.num_constraints(), 4);
  EXPECT_EQ(p.constraints[0].type, ConstraintType::kContact);
  EXPECT_EQ(p.constraints[0].mu, 0.5);
  EXPECT_EQ(p.constraints[1].type, ConstraintType::kUnilateral);
  EXPECT_EQ(p.constraints[2].type, ConstraintType::kBilateral);
  EXPECT_EQ(p.constraints[3].type, ConstraintType::kSoft);
  EXPECT_EQ(p.constraints[3].stiffness, 10.0);
  EXPECT_EQ(p.constraints[3].damping, 2.0);
  EXPECT_EQ(p.e, (std::vector<double>{0, 0, 0.125, 0.5, 0, -0.25}));
  MatrixXd J(6, 3);
  J << 1, 0, 0, 0, 1, -1, 0.25, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 3;
  EXPECT_EQ(p.DenseJ(), J);
  EXPECT_EQ(file.warm_start.lambda, (VectorXd(6) << 1, 2, 3, 4, 5, 6).finished());
  EXPECT_EQ(file.warm_start.v, Vector3d(1, 2, 3));
}

TEST(ProblemFile, ReadsDynamicsAsDenseBlocks) {
  const ContactProblem p = ReadText(kSmall).problem;
  Matrix3d A;
  A << 2, 0.5, 0, 0.5, 1, 0, 0, 0, 4;
  EXPECT_EQ(p.A.ToDense(), A);
  ASSERT_EQ(p.subsystems.size(), 2u);
  EXPECT_EQ(p.subsystems[1].first_dof, 2);
  EXPECT_EQ(p.subsystems[1].num_dofs, 1);
  // v* = A⁻¹ b, to the round-off of a 2 x 2 solve.
  EXPECT_LT((A * p.v_star - Vector3d(1, 2, 4)).norm(), 1e-15);
}

TEST(ProblemFile, BlocksAreClosedUnderParents) {
  const ContactProblem p = ReadText(kSmall).problem;
  EXPECT_EQ(p.constraints[0].num_blocks, 2);
  EXPECT_EQ(p.blocks[0].num_dofs, 2);
  EXPECT_EQ(p.blocks[1].subsystem, 1);
  EXPECT_EQ(p.constraints[1].num_blocks, 1);  // dof 0 alone
  EXPECT_EQ(p.blocks[2].num_dofs, 1);
  EXPECT_EQ(p.constraints[2].num_blocks, 0);  // a row of zeros touches nothing
}

TEST(ProblemFile, TripletsEqualDense) {
  json document = json::parse(kSmall);
  for (const char* key : {"A", "J"}) {
    json triplets{{"rows", json::array()}, {"cols", json::array()}, {"values", json::array()}};
    for (int i = static_cast<int>(document[key].size()) - 1; i >= 0; --i) {  // in another order, zeros too
      for (int j = 0; j < 3; ++j) {
        triplets["rows"].push_back(i), triplets["cols"].push_back(j);
        triplets["values"].push_back(document[key][i][j]);
      }
    }
    document[key] = triplets;
  }
  const ContactProblem dense = ReadText(kSmall).problem, sparse = ReadText(document.dump()).problem;
  EXPECT_EQ(dense.A.ToDense(), sparse.A.ToDense());
  EXPECT_EQ(dense.DenseJ(), sparse.DenseJ());
  EXPECT_EQ(dense.v_star, sparse.v_star);
}

// Numbers without a short decimal form, rows in an order that the file does not keep, a tree with two
// branches.
ContactProblem MakeAwkwardProblem() {
  ContactProblem p;
  p.name = "awkward \"name\"";
  p.A.Resize(BranchPattern({-1, 0, 0, -1}));
  p.subsystems = {{0, 3}, {3, 1}};
  p.A.row(0)[0] = 1.0 / 3.0;
  p.A.row(1)[0] = 0.1, p.A.row(1)[1] = std::sqrt(2.0);
  p.A.row(2)[0] = -1e-17, p.A.row(2)[1] = M_PI;
  p.A.row(3)[0] = 1e-9 / 7.0;
  p.v_star = Eigen::Vector4d(1e300 / 3.0, -1e-300 / 3.0, 0.1 + 0.2, -0.0);
  const int first[] = {0, 1}, second[] = {3};
  p.AddConstraint(ConstraintType::kSoft, 0.0, 1.0 / 7.0, 1.0 / 11.0);
  p.AddBlock(1, second, 1)[0] = 1.0 / 13.0;
  p.AddConstraint(ConstraintType::kContact, 0.7);
  double* values = p.AddBlock(0, first, 2);
  for (int i = 0; i < 6; ++i) values[i] = std::sin(i + 1.0);
  p.SetBias(2, 1.0 / 17.0);
  p.AddConstraint(ConstraintType::kBilateral);
  p.AddBlock(0, first, 1)[0] = 1.0 / 19.0;
  p.AddConstraint(ConstraintType::kUnilateral);
  p.AddBlock(0, first, 2)[1] = -1.0 / 23.0;
  p.SetBias(0, std::numeric_limits<double>::denorm_min());
  return p;
}

TEST(ProblemFile, RoundTripKeepsEveryBit) {
  const ContactProblem p = MakeAwkwardProblem();
  Solution warm_start{p.v_star, VectorXd::LinSpaced(6, 0.1, 0.7)};
  const TemporaryFile file;
  WriteProblemJson(file.path(), p, warm_start);
  const ProblemFile read = ReadProblemJson(file.path());
  EXPECT_EQ(read.problem.name, p.name);
  EXPECT_EQ(read.problem.A.ToDense(), p.A.ToDense());
  EXPECT_EQ(read.problem.v_star, p.v_star);
  // Soft, contact, bilateral, unilateral became contact, unilateral, bilateral, soft.
  const std::vector<int> row_of = {1, 2, 3, 5, 4, 0};
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(read.problem.DenseJ().row(i), p.DenseJ().row(row_of[i]));
    EXPECT_EQ(read.problem.e[i], p.e[row_of[i]]);
    EXPECT_EQ(read.warm_start.lambda[i], warm_start.lambda[row_of[i]]);
  }
  EXPECT_EQ(read.problem.constraints[0].mu, 0.7);
  EXPECT_EQ(read.problem.constraints[3].stiffness, 1.0 / 7.0);
  EXPECT_EQ(read.problem.constraints[3].damping, 1.0 / 11.0);
  EXPECT_EQ(read.warm_start.v, warm_start.v);
}

// kSmall with two bounded rows, of which the second has no lower bound.
json MakeBounded() {
  json document = json::parse(kSmall);
  document["n_bounded"] = 2;
  document["J"].push_back({0, 1, 0}), document["J"].push_back({0, 0, 2});
  document["e"].push_back(0.25), document["e"].push_back(-0.5);
  document["lower"] = {-1.5, nullptr};
  document["upper"] = {2.5, 0.1};
  document["warm_start"]["lambda"] = {1, 2, 3, 4, 5, 6, 7, 8};
  return document;
}

// A zero that a file stores couples a constraint to a dof; it is there when the problem is written and read.
TEST(ProblemFile, StoredZerosKeepTheirPlaces) {
  const ProblemFile before = ReadText(
      R"({"nv": 4, "n_contact": 1, "n_hard": 1, "n_equality": 0, "n_soft": 0, "subsystem_of_dof": [0, 0, 1, 2],
    "A": [[2, 0.5, 0, 0], [0.5, 1, 0, 0], [0, 0, 4, 0], [0, 0, 0, 1]], "b": [1, 2, 4, 1],
    "J": {"rows": [0, 1, 2, 3, 3], "cols": [0, 2, 3, 0, 2], "values": [1, 0, 0, 1, 0]},
    "mu": [0.5], "e": [0, 0, 0, 0], "k_soft": [], "b_soft": []})");
  ASSERT_EQ(before.problem.constraints[0].num_blocks, 3);
  ASSERT_EQ(before.problem.constraints[1].num_blocks, 2);
  const TemporaryFile file;
  WriteProblemJson(file.path(), before.problem, before.warm_start);
  const ContactProblem after = ReadProblemJson(file.path()).problem;
  EXPECT_EQ(after.jacobian, before.problem.jacobian);
  EXPECT_EQ(after.block_dofs, before.problem.block_dofs);
  EXPECT_EQ(after.constraints[0].num_blocks, 3);
  EXPECT_EQ(after.constraints[1].num_blocks, 2);
}

TEST(ProblemFile, BoundedRowsComeLast) {
  const ContactProblem p = ReadText(MakeBounded().dump()).problem;
  ASSERT_EQ(p.num_constraints(), 6);
  EXPECT_EQ(p.constraints[4].type, ConstraintType::kBounded);
  EXPECT_EQ(p.constraints[4].lower, -1.5);
  EXPECT_EQ(p.constraints[4].upper, 2.5);
  EXPECT_EQ(p.constraints[5].lower, -std::numeric_limits<double>::infinity());
  EXPECT_EQ(p.constraints[5].upper, 0.1);
  EXPECT_EQ(p.e[7], -0.5);
}

TEST(ProblemFile, BoundedRowsRoundTrip) {
  const ProblemFile first = ReadText(MakeBounded().dump());
  const TemporaryFile file;
  WriteProblemJson(file.path(), first.problem, first.warm_start);
  const ProblemFile read = ReadProblemJson(file.path());
  for (int i : {4, 5}) {
    EXPECT_EQ(read.problem.constraints[i].lower, first.problem.constraints[i].lower);
    EXPECT_EQ(read.problem.constraints[i].upper, first.problem.constraints[i].upper);
  }
  EXPECT_EQ(read.problem.DenseJ(), first.problem.DenseJ());
  EXPECT_EQ(read.problem.e, first.problem.e);
  EXPECT_EQ(read.warm_start.lambda, first.warm_start.lambda);
}

TEST(ProblemFile, WrongBoundsAreNamed) {
  const auto expect = [](const char* key, const json& value, const std::string& message) {
    json document = MakeBounded();
    if (value.is_null())
      document.erase(key);
    else
      document[key] = value;
    const std::string actual = MessageOf([&] { ReadText(document.dump()); });
    EXPECT_NE(actual.find(message), std::string::npos) << actual;
  };
  expect("lower", {3.0, nullptr}, "\"lower\" is 3 in constraint 4 (bounded), row 6: exceeds upper, 2.5");
  expect("lower", nullptr, "\"lower\" is missing");
  expect("upper", nullptr, "\"upper\" is missing");
  expect("upper", {1.0}, "\"upper\" holds 1 values; it needs 2");
  expect("upper", {1.0, "2"}, "\"upper\" holds something that is not a finite number");
  expect("n_bounded", nullptr, "\"e\" holds 8 values; it needs 6");
}

TEST(ProblemFile, WritesNoInfinities) {
  ContactProblem p = MakeAwkwardProblem();
  p.v_star[0] = std::numeric_limits<double>::infinity();
  const TemporaryFile file;
  EXPECT_THROW(WriteProblemJson(file.path(), p, {}), std::runtime_error);
}

TEST(ProblemFile, EmptyProblemIsAProblem) {
  const ProblemFile file = ReadText(
      R"({"nv": 0, "n_contact": 0, "n_hard": 0, "n_equality": 0, "n_soft": 0, "subsystem_of_dof": [],
          "A": [], "b": [], "J": []})");
  EXPECT_EQ(file.problem.nv(), 0);
  EXPECT_EQ(file.problem.num_rows(), 0);
}

TEST(ProblemFile, NamesFileAndLineOfASyntaxError) {
  const TemporaryFile file("{\n  \"nv\": 3,\n  \"A\": [1, 2\n}\n");
  const std::string message = MessageOf([&] { ReadProblemJson(file.path()); });
  EXPECT_EQ(message.find(file.path() + ":4: not JSON: syntax error"), 0u) << message;
}

TEST(ProblemFile, NamesTheKeyThatIsWrong) {
  ExpectError("nv", nullptr, "\"nv\" is missing");
  ExpectError("nv", -1, "\"nv\" is -1; it has to be from 0");
  ExpectError("nv", 18446744073709551615u, "\"nv\"");
  ExpectError("nv", 3.5, "\"nv\" has to be an integer");
  ExpectError("nv", 2000000000, "\"subsystem_of_dof\" holds 3 values; nv is 2000000000");
  ExpectError("n_contact", 2, "\"e\" holds 6 values; it needs 9");
  ExpectError("n_bounded", 1, "\"e\" holds 6 values; it needs 7");
  ExpectError("subsystem_of_dof", {0, 7, 0}, "\"subsystem_of_dof\" has to ascend");
  ExpectError("b", {1, 2}, "\"b\" holds 2 values; it needs 3");
  ExpectError("b", {1, "2", 3}, "\"b\" holds something that is not a finite number");
  ExpectError("mu", {-0.5},
              "\"mu\" is -0.5 in constraint 0 (contact), row 0: it has to be finite, and not negative");
  ExpectError("mu", nullptr, "\"mu\" is missing");
  ExpectError("v_star", {1, 1, 1}, "\"v_star\" does not agree with b");
  ExpectError("v_star", {0, 0, 1e308}, "\"v_star\" does not agree with b");
  ExpectError("warm_start", {{"lambda", {1}}}, "\"warm_start.lambda\" holds 1 values; it needs 6");
  ExpectError("J", {{1, 2, 3}}, "\"J\" has to hold 6 rows");
}

TEST(ProblemFile, RefusesAnUnphysicalA) {
  const auto A = [](double a01, double a10, double a02, double a11) {
    return json{{2, a01, a02}, {a10, a11, 0}, {a02, 0, 4}};
  };
  ExpectError("A", A(0.5, 0.6, 0, 1), "\"A\" is not symmetric: [1][0] and [0][1]");
  ExpectError("A", A(0.5, 0.5, 0.1, 1), "\"A\" couples two subsystems at [0][2]");
  ExpectError("A", A(0.5, 0.5, 0, -1), "\"A\" is not positive definite");
  ExpectError("A", A(0.5, 0.5, 0, 0.01), "\"A\" is not positive definite");
  ExpectError("A", {{"rows", {0, 3}}, {"cols", {0, 0}}, {"values", {1, 1}}}, "\"A.rows\"");
  ExpectError("A", {{"rows", {0, 0}}, {"cols", {0, 0}}, {"values", {1, 1}}}, "\"A\" gives [0][0] twice");
  EXPECT_NO_THROW(ReadChanged("A", A(0.5, 0.5 * (1 + 1e-12), 0, 1)));  // round-off
}

TEST(ProblemFile, RefusesWhatIsNoFile) {
  EXPECT_NE(MessageOf([] { ReadProblemJson("no/such.json"); }).find("no such file"), std::string::npos);
  EXPECT_NE(MessageOf([] { ReadProblemJson(::testing::TempDir()); }).find("is not a file"),
            std::string::npos);
  EXPECT_NE(MessageOf([] { ReadProblemJson("/dev/zero"); }).find("is not a file"), std::string::npos);
  EXPECT_NE(MessageOf([] { ReadText(""); }).find(":1: not JSON"), std::string::npos);
  // What is no UTF-8 is not passed on.
  const std::string garbled = MessageOf([] { ReadText("{\"nv\": \"\xff\xfe\"}"); });
  EXPECT_NE(garbled.find("ill-formed UTF-8 byte"), std::string::npos) << garbled;
  EXPECT_TRUE(std::all_of(garbled.begin(), garbled.end(), [](char c) { return c >= ' ' && c <= '~'; }));
  EXPECT_NE(MessageOf([] { ReadText("[1, 2]"); }).find("has to be a JSON object"), std::string::npos);
  EXPECT_NE(MessageOf([] { ReadText("{\"nv\": 1e999}"); }).find("overflow"), std::string::npos);
}

TEST(ProblemFile, DeepNestingDoesNotExhaustTheStack) {
  EXPECT_THROW(ReadText("{\"A\": " + std::string(1'000'000, '[')), LoadError);
  EXPECT_THROW(ReadText("{\"A\": " + std::string(100'000, '[') + std::string(100'000, ']') + "}"), LoadError);
}

TEST(ProblemFile, ReferenceSolutionsMeetTheLaws) {
  const std::filesystem::path folder = SharedPath("problems");
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no reference problems";
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "solutions")) {
    const ContactProblem p = ReadProblemJson(folder / entry.path().filename()).problem;
    const json document = json::parse(std::ifstream(entry.path()));
    const auto lambda = document["lambda"].get<std::vector<double>>();
    Solution solution;
    solution.lambda = Eigen::Map<const VectorXd>(lambda.data(), static_cast<Eigen::Index>(lambda.size()));
    solution.v = p.v_star;
    BranchSparseFactor factor;
    ASSERT_EQ(factor.Factor(p.A), -1);
    // The solutions were computed to 1e-11 m/s by another program.
    EXPECT_LT(Certifier().Certify(p, factor, CalcDelassusScales(p, factor), solution.lambda).ncp_max, 1e-10)
        << entry.path();
    ++count;
  }
  EXPECT_GE(count, 20);
}

TEST(ProblemFile, FrictionMomentsAndComplianceAreWrittenAsAuxiliaryDofs) {
  ProblemFile file = ReadText(kSmall);
  ContactProblem& problem = file.problem;
  problem.constraints[0].compliance_n = 0.25;
  problem.e[2] = -5.0;  // pressed
  const int dof = 0;
  problem.AddFrictionMoment(ConstraintType::kTorsional, 0, 0.01);
  *problem.AddBlock(0, &dof, 1) = 1.0;
  const TemporaryFile out("", ".json");
  WriteProblemJson(out.path(), problem, {});
  const ContactProblem read = ReadProblemJson(out.path()).problem;
  // One dof between the normal rows, one for the second row of the moment, one of the spring.
  EXPECT_EQ(read.nv(), 6);
  EXPECT_EQ(read.num_constraints(), problem.num_constraints());
  EXPECT_EQ(std::count_if(read.constraints.begin(), read.constraints.end(),
                          [](const Constraint& c) { return c.type == ConstraintType::kContact; }),
            2);
  // Both say the same: v of the bodies.
  const auto solve = [](const ContactProblem& to_solve) {
    Solution solution;
    const auto solver = MakeSolver("auto");
    EXPECT_LE(ProblemSolver().Solve(to_solve, *solver, solution).certificate.ncp_max, 1e-8);
    return VectorXd(solution.v.head(3));
  };
  EXPECT_LT((solve(read) - solve(problem)).norm(), 1e-8);
  problem.constraints[0].compliance_n = 0.0;
  EXPECT_GT((solve(read) - solve(problem)).norm(), 1e-4);
}

TEST(ProblemFile, TreeIsReadAndCheckedAgainstTheRest) {
  const std::vector<double> motion(18, 0.5), points(6, 0.25);
  const json tree{{"parent", {-1, 0, -1}}, {"motion", motion}, {"contact", {0}},
                  {"dofs", {1, 2}},        {"points", points}, {"rotation", {1, 0, 0, 0, 1, 0, 0, 0, 1}}};
  const ContactProblem problem = ReadChanged("tree", tree).problem;
  EXPECT_EQ(problem.motion(5, 2), 0.5);
  EXPECT_EQ(problem.body_contacts.at(0).dof_B, 2);
  EXPECT_EQ(problem.A.pattern().parent(1), 0);
  EXPECT_EQ(ReadChanged("n_hard", 1).problem.motion.size(), 0);
  const auto message = [&](const char* key, const json& value) {
    json changed = tree;
    changed[key] = value;
    return MessageOf([&] { ReadChanged("tree", changed); });
  };
  EXPECT_NE(message("parent", {-1, 2, -1}).find("parent: dof 1 has to come after"), std::string::npos);
  EXPECT_NE(message("parent", {-1, -1, -1}).find("second root"), std::string::npos);
  EXPECT_NE(message("parent", {-1, 0, 1}).find("parent: dof 2"), std::string::npos);
  EXPECT_NE(message("parent", {-1, 0}).find("parent"), std::string::npos);
  EXPECT_NE(message("motion", {1, 2}).find("motion"), std::string::npos);
  EXPECT_NE(message("contact", {1}).find("contact"), std::string::npos);
  EXPECT_NE(message("dofs", {1}).find("dofs"), std::string::npos);
  EXPECT_NE(message("rotation", std::vector<double>(9, 1.0)).find("orthonormal"), std::string::npos);
}

}  // namespace
}  // namespace stiction

// A that is sparse in any way, in files: by compressed rows, and from large triplets.
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>

#include "stiction/io/problem_file.h"
#include "stiction/model/load_error.h"
#include "tests/io/temporary_file.h"
#include "tests/support/sparse_problems.h"

namespace stiction {
namespace {

using stiction::testing::MakeSparseProblem;

ContactProblem MakeSpringContacts(int dofs_each) {
  return MakeSparseProblem(5, 2, dofs_each, 6,
                           {ConstraintType::kContact, ConstraintType::kContact, ConstraintType::kBilateral});
}

void ExpectSameSparse(const ContactProblem& read, const ContactProblem& p) {
  EXPECT_EQ(read.A.size(), 0);
  EXPECT_EQ(read.A_sparse.row_begin, p.A_sparse.row_begin);
  EXPECT_EQ(read.A_sparse.columns, p.A_sparse.columns);
  EXPECT_EQ(read.A_sparse.values, p.A_sparse.values);
  EXPECT_EQ(read.v_star, p.v_star);
  EXPECT_EQ(read.subsystems.size(), p.subsystems.size());
}

// `p` with its rows in the order of files.
ContactProblem ThroughJsonFile(const ContactProblem& p) {
  const TemporaryFile file;
  WriteProblemJson(file.path(), p, {});
  return ReadProblemJson(file.path()).problem;
}

nlohmann::json ReadSparseDocument(const ContactProblem& p) {
  const TemporaryFile file;
  WriteProblemJson(file.path(), p, {});
  std::ifstream in(file.path());
  return nlohmann::json::parse(in);
}

ContactProblem ReadDocument(const nlohmann::json& document) {
  const TemporaryFile file(document.dump());
  return ReadProblemJson(file.path()).problem;
}

TEST(ProblemSparseFile, JsonKeepsEveryBit) {
  const ContactProblem p = MakeSpringContacts(9), read = ThroughJsonFile(p);
  ExpectSameSparse(read, p);
  EXPECT_EQ(read.DenseJ().topRows(3), p.DenseJ().topRows(3));
  EXPECT_EQ(read.block_dofs.size(), p.block_dofs.size());  // no zeros between the dofs of a block
}

#ifdef STICTION_WITH_HDF5
TEST(ProblemSparseFile, Hdf5KeepsEveryBit) {
  const ContactProblem p = MakeSpringContacts(9);
  const TemporaryFile file("", ".h5");
  CreateProblemHdf5(file.path());
  AppendProblemHdf5(file.path(), "springs", p, {});
  const ContactProblem read = ReadProblems(file.path())[0].problem;
  ExpectSameSparse(read, p);
  EXPECT_EQ(read.DenseJ(), ThroughJsonFile(p).DenseJ());
}

// FCLib's M, which has no word for it, stays sparse where dense blocks would be large and empty.
TEST(ProblemSparseFile, FclibReadsBackSparseWhereLargeAndEmpty) {
  for (const int dofs_each : {9, 150}) {
    const ContactProblem p = MakeSpringContacts(dofs_each);
    const Solution warm_start{{}, VectorXd::LinSpaced(p.num_rows(), 1.0, 2.0)};
    const TemporaryFile file("", ".hdf5");
    WriteProblemFclib(file.path(), p, warm_start);
    const ProblemFile read = ReadProblems(file.path())[0];
    EXPECT_EQ(read.problem.is_sparse(), dofs_each > 128);
    EXPECT_EQ(read.problem.DenseA(), p.DenseA());
    EXPECT_EQ(read.problem.DenseJ(), ThroughJsonFile(p).DenseJ());
    EXPECT_LT((read.problem.v_star - p.v_star).cwiseAbs().maxCoeff(), 1e-11);
    // The guess's velocity is v* + A⁻¹ Jᵀ λ.
    const VectorXd force = p.DenseA() * (read.warm_start.v - p.v_star) -
                           read.problem.DenseJ().transpose() * read.warm_start.lambda;
    EXPECT_LT(force.cwiseAbs().maxCoeff(), 1e-9);
  }
}
#endif

TEST(ProblemSparseFile, TripletsStaySparseWhereLargeAndEmpty) {
  for (const int dofs_each : {40, 150}) {
    const ContactProblem p = MakeSpringContacts(dofs_each);
    nlohmann::json document = ReadSparseDocument(p);
    nlohmann::json& A = document["A"];
    for (int row = 0; row < p.nv(); ++row) {
      for (int i = A["row_begin"][row]; i < A["row_begin"][row + 1]; ++i) A["rows"].push_back(row);
    }
    A.erase("row_begin");
    const ContactProblem read = ReadDocument(document);
    EXPECT_EQ(read.is_sparse(), dofs_each > 128);
    EXPECT_EQ(read.DenseA(), p.DenseA());
  }
}

TEST(ProblemSparseFile, AuxiliaryDofsAreWrittenBehindTheOthers) {
  ContactProblem p = MakeSpringContacts(9);
  p.constraints[0].compliance_n = 0.5;
  const ContactProblem read = ThroughJsonFile(p);
  ASSERT_EQ(read.nv(), p.nv() + 1);
  EXPECT_EQ(read.DenseA().topLeftCorner(18, 18), p.DenseA());
  EXPECT_EQ(read.A_sparse.At(18, 18), 2.0);
}

TEST(ProblemSparseFile, NamesWhatIsWrong) {
  const nlohmann::json good = ReadSparseDocument(MakeSpringContacts(9));
  const auto diagonal = [&](int dof) {
    int i = good["A"]["row_begin"][dof];
    while (good["A"]["cols"][i] != dof) ++i;
    return i;
  };
  using Edit = std::function<void(nlohmann::json&)>;
  const std::pair<Edit, const char*> cases[] = {
      {[](auto& d) { d["A"]["row_begin"][3] = 1000; },
       "\"A\" has to hold 19 numbers in row_begin, which ascend"},
      {[](auto& d) { d["A"]["row_begin"].erase(2); }, "\"A\" has to hold 19 numbers in row_begin"},
      {[](auto& d) { d["A"]["cols"].erase(2); }, "A.values"},
      {[&](auto& d) { d["A"]["values"][diagonal(4)] = -1.0; },
       "\"A\" is not positive definite: the pivot of dof"},
      {[&](auto& d) { d["A"]["values"][diagonal(4) + 1] = 0.5; }, "\"A\" is not symmetric: "},
      {[](auto& d) { d["subsystem_of_dof"] = std::vector<int>(18, 0), d["subsystem_of_dof"][17] = 1; },
       "to another subsystem"},
      {[](auto& d) {
         d["tree"] = {{"parent", std::vector<int>(18, -1)}, {"motion", std::vector<double>(108)},
                      {"contact", std::vector<int>()},      {"dofs", std::vector<int>()},
                      {"points", std::vector<int>()},       {"rotation", std::vector<int>()}};
       },
       "\"tree\" is there, and A by compressed rows"}};
  for (const auto& [edit, expected] : cases) {
    nlohmann::json document = good;
    edit(document);
    try {
      ReadDocument(document);
      ADD_FAILURE() << expected;
    } catch (const LoadError& error) {
      EXPECT_NE(std::string(error.what()).find(expected), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace stiction

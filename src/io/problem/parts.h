// A contact problem as files hold it: flat lists by kind of row. All formats are read into these parts and
// written from them; the checks that need more than one list are made here, once. Private to io.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "stiction/contact/auxiliary_dofs.h"
#include "stiction/io/problem_file.h"

namespace stiction {

// One kind of constraint, and the key that counts it, in the order in which files list them.
struct RowKind {
  ConstraintType type;
  const char* count_key;
};
inline constexpr std::array<RowKind, 5> kRowKinds{{{ConstraintType::kContact, "n_contact"},
                                                   {ConstraintType::kUnilateral, "n_hard"},
                                                   {ConstraintType::kBilateral, "n_equality"},
                                                   {ConstraintType::kSoft, "n_soft"},
                                                   {ConstraintType::kBounded, "n_bounded"}}};

// Most numbers that one list of a file may ask for, 0.8 GB: a short file must not exhaust the memory.
inline constexpr std::int64_t kMaxEntries = 100'000'000;

struct Triplet {
  int row;
  int col;
  double value;
};

// The kinematic structure, under the keys of `tree`.
struct TreeParts {
  std::vector<int> parent;    // size nv, −1: none; empty where there is no structure
  VectorXd motion;            // 6 a dof
  std::vector<int> contact;   // of a contact on bodies: its place among the contacts, ascending
  std::vector<int> dofs;      // A and B of each
  VectorXd points, rotation;  // A and B of each; R_CW by rows
};

// Keys are those of the JSON format (stiction/io/problem_file.h).
struct ProblemParts {
  std::string name;
  std::vector<int> subsystem_of_dof;  // size nv, ascending; its numbers have no meaning
  std::vector<Triplet> A;             // both triangles
  bool has_sparse_A = false;          // it is to stay sparse (ContactProblem::A_sparse), whatever its pattern
  VectorXd b;                         // size nv
  VectorXd v_star;                    // size nv, or empty: A⁻¹ b
  std::array<int, kRowKinds.size()> count{};
  std::vector<Triplet> J;  // rows by kind
  VectorXd e;              // size num_rows
  VectorXd mu, k_soft, b_soft, lower, upper;
  VectorXd warm_v, warm_lambda;  // empty where there is no warm start
  TreeParts tree;

  int nv() const { return static_cast<int>(subsystem_of_dof.size()); }
  int num_rows() const;
  bool has_warm_start() const { return warm_v.size() + warm_lambda.size() > 0; }
};

// Who knows the file: throws a LoadError that names it and the key.
class PartErrors {
 public:
  virtual ~PartErrors() = default;
  [[noreturn]] virtual void Fail(const char* key, const std::string& message) const = 0;
};

// A file that holds the lists under the keys of the JSON format.
class PartSource : public PartErrors {
 public:
  virtual bool Has(const char* key) const = 0;
  // An integer in [minimum, maximum].
  virtual std::int64_t GetInteger(const char* key, std::int64_t minimum, std::int64_t maximum) const = 0;
  virtual std::string GetText(const char* key) const = 0;
  virtual std::vector<int> GetIntegers(const char* key, int minimum, int maximum) const = 0;
  // Exactly `size` finite numbers; those of a bound may be `unbounded` instead, which is ±∞.
  virtual VectorXd GetVector(const char* key, int size) const = 0;
  virtual VectorXd GetBounds(const char* key, int size, double unbounded) const = 0;
  virtual std::vector<Triplet> GetMatrix(const char* key, int num_rows, int num_cols) const = 0;
  // Whether the matrix is compressed by rows.
  virtual bool IsCompressed(const char* key) const = 0;
  // An object of it, as `tree`.
  virtual std::unique_ptr<PartSource> GetObject(const char* key) const = 0;
  // The object of warm_start.
  virtual bool HasWarmVelocity() const = 0;
  virtual VectorXd GetWarmStart(const char* key, int size) const = 0;
};

// Reads all lists and checks their sizes and signs.
ProblemParts ReadParts(const PartSource& file);

// Pairs up three lists of equal length, which `errors` is told under `key` if they are not.
std::vector<Triplet> MakeTriplets(const char* key, const std::vector<int>& rows, const std::vector<int>& cols,
                                  const VectorXd& values, const PartErrors& errors);

// The same of a matrix by compressed rows.
std::vector<Triplet> MakeTripletsOfRows(const char* key, int num_rows, const std::vector<int>& row_begin,
                                        const std::vector<int>& cols, const VectorXd& values,
                                        const PartErrors& errors);

// The row_begin of a matrix whose entries are sorted by row.
std::vector<int> FindRowBegins(const std::vector<Triplet>& matrix, int num_rows);

// A subsystem per dof: the finest runs of dofs that A does not couple; of whole free bodies where the number
// of dofs allows it.
std::vector<int> FindSubsystems(int nv, const std::vector<Triplet>& A);

// Checks what the lists mean together, and builds the problem: A symmetric positive definite without entries
// between subsystems, no entry twice, v_star in agreement with b, lower ≤ upper.
ProblemFile BuildProblem(ProblemParts parts, const PartErrors& errors);

// The problem as files hold it, friction moments and compliance expressed by contacts and auxiliary dofs;
// nullptr where it has neither.
std::unique_ptr<AuxiliaryDofs> ExtendForFile(const ContactProblem& problem, const Solution& warm_start);

// The reverse. Rows are put into the order of kRowKinds; a warm start of another size is left out.
ProblemParts SplitProblem(const ContactProblem& problem, const Solution& warm_start);

// Throws std::runtime_error if a number is not finite; bounds may be infinite.
void CheckFinite(const std::string& path, const ProblemParts& parts);

}  // namespace stiction

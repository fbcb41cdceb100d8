// Contact problems by themselves, and the solvers.
#include "solve.h"

#include <pybind11/stl.h>

#include <chrono>
#include <cmath>

#include "stiction/contact/registry.h"
#include "stiction/contact/solve.h"
#include "stiction/io/problem_arrays.h"

namespace stiction::python {
namespace {

constexpr ConstraintType kRows[] = {
    ConstraintType::kContact, ConstraintType::kUnilateral, ConstraintType::kBilateral, ConstraintType::kSoft,
    ConstraintType::kBounded, ConstraintType::kTorsional,  ConstraintType::kRolling};

// Value and range of an option, by its type.
struct RangeOf {
  py::dict& entry;
  template <typename Interval>
  void operator()(const Interval& option) const {
    entry["default"] = *option.value;
    entry["range"] = py::make_tuple(option.minimum, option.maximum);
  }
  void operator()(const FlagOption& option) const {
    entry["default"] = *option.value;
    entry["range"] = py::make_tuple(false, true);
  }
  void operator()(const ChoiceOption& option) const {
    entry["default"] = option.names[option.index()];
    py::list names;
    for (const char* name : option.names) names.append(name);
    entry["range"] = py::tuple(names);
  }
};

py::list ListOptions(ContactSolver& solver) {
  py::list out;
  for (const SolverOption& option : solver.ListOptions()) {
    py::dict entry;
    entry["name"] = option.name;
    entry["type"] = option.type_name();
    std::visit(RangeOf{entry}, option.target);
    entry["description"] = option.description;
    out.append(entry);
  }
  return out;
}

py::list ListAllSolvers() {
  py::list out;
  for (const SolverEntry& entry : ListSolvers()) {
    const std::unique_ptr<ContactSolver> solver = entry.Make();
    py::dict description;
    description["name"] = entry.name;
    description["summary"] = entry.summary;
    py::list rows;
    for (const ConstraintType type : kRows)
      if (solver->Supports(type)) rows.append(ToString(type));
    description["rows"] = rows;
    description["options"] = ListOptions(*solver);
    out.append(description);
  }
  return out;
}

std::unique_ptr<ContactSolver> MakeKnownSolver(const std::string& name,
                                               const std::optional<py::dict>& options) {
  CheckSolver(name);
  std::unique_ptr<ContactSolver> solver = MakeSolver(name);
  if (!options) return solver;
  for (const auto& [option, value] : *options) {
    const std::string wrong = SetSolverOption(*solver, std::string(py::str(option)), FormatOption(value));
    if (!wrong.empty()) throw py::value_error("options: " + wrong);
  }
  return solver;
}

VectorXd ReadOptional(const char* argument, const std::optional<ArrayLike>& value, py::ssize_t size) {
  return value ? ReadVector(argument, *value, size) : VectorXd();
}

MatrixXd ReadMatrix(const char* argument, const py::handle& value, py::ssize_t rows, py::ssize_t columns) {
  const Numbers numbers = ReadNumbers(argument, value, {rows, columns});
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  return Eigen::Map<const RowMajor>(numbers.data(), numbers.array.shape(0), numbers.array.shape(1));
}

PyProblem MakeProblemOf(const ArrayLike& A, const ArrayLike& J, const ArrayLike& v_star,
                        const std::optional<ArrayLike>& e, const std::optional<ArrayLike>& mu, int limits,
                        int equalities, const std::optional<ArrayLike>& soft,
                        const std::optional<ArrayLike>& bounds,
                        const std::optional<std::vector<int>>& subsystems,
                        const std::optional<ArrayLike>& warm_start, const std::string& name) {
  ProblemArrays arrays{.name = name, .num_limits = limits, .num_equalities = equalities};
  arrays.v_star = ReadVector("v_star", v_star, kAny);
  const py::ssize_t nv = arrays.v_star.size();
  arrays.A = ReadMatrix("A", A, nv, nv);
  arrays.mu = ReadOptional("mu", mu, kAny);
  if (soft) {
    const MatrixXd pairs = ReadMatrix("soft", *soft, kAny, 2);
    arrays.stiffness = pairs.col(0), arrays.damping = pairs.col(1);
  }
  if (bounds) {
    const Numbers pairs = ReadNumbers("bounds", *bounds, {kAny, 2}, true);
    const Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, 2, Eigen::RowMajor>> rows(
        pairs.data(), pairs.array.shape(0), 2);
    arrays.lower = rows.col(0), arrays.upper = rows.col(1);
  }
  if (limits < 0 || equalities < 0)
    throw py::value_error("limits and equalities: expected numbers of rows >= 0");
  arrays.J = ReadMatrix("J", J, arrays.num_rows(), nv);
  arrays.e = ReadOptional("e", e, arrays.num_rows());
  if (subsystems) arrays.subsystem_of_dof = *subsystems;
  PyProblem out{MakeProblem(arrays), {}};
  if (warm_start) out.warm_start.lambda = ReadVector("warm_start", *warm_start, arrays.num_rows());
  return out;
}

std::vector<PyProblem> ReadAll(const PathLike& path) {
  const std::string file = ReadPath("path", path);
  std::vector<PyProblem> out;
  for (ProblemFile& read : ReadProblems(file)) {
    if (read.problem.name.empty()) read.problem.name = read.group;
    out.push_back({std::move(read.problem), std::move(read.warm_start)});
  }
  return out;
}

// By the end of the name, as `stiction run --problems` does.
void WriteProblem(const PyProblem& self, const PathLike& path) {
  const std::string file = ReadPath("path", path);
  if (file.ends_with(".fclib.h5")) return WriteProblemFclib(file, self.problem, self.warm_start);
  if (file.ends_with(".json")) return WriteProblemJson(file, self.problem, self.warm_start);
  if (!file.ends_with(".h5"))
    throw py::value_error("path: expected a name in .json, .h5 or .fclib.h5; '" + file + "' came");
  CreateProblemHdf5(file);
  AppendProblemHdf5(file, self.problem.name.empty() ? "problem" : self.problem.name, self.problem,
                    self.warm_start);
}

SolutionObject Solve(const PyProblem& problem, const std::string& name,
                     const std::optional<py::dict>& options, std::optional<double> tolerance,
                     const std::optional<ArrayLike>& warm_start) {
  const std::unique_ptr<ContactSolver> solver = MakeKnownSolver(name, options);
  if (tolerance) {
    if (!(*tolerance > 0.0)) throw py::value_error("tolerance: expected a number > 0 [m/s]");
    solver->set_tolerance(*tolerance);
  }
  Solution solution = problem.warm_start;
  if (warm_start) solution.lambda = ReadVector("warm_start", *warm_start, problem.problem.num_rows());
  ProblemSolver problem_solver;
  ProblemReport report;
  double seconds = 0.0;
  {
    const py::gil_scoped_release others_may_run;
    using Clock = std::chrono::steady_clock;
    const Clock::time_point start = Clock::now();
    report = problem_solver.Solve(problem.problem, *solver, solution);
    seconds = std::chrono::duration<double>(Clock::now() - start).count();
  }
  const Certificate& c = report.certificate;
  using namespace py::literals;
  return py::module_::import("stiction._types")
      .attr("Solution")("v"_a = MakeVector(solution.v), "impulses"_a = MakeVector(solution.lambda),
                        "solver"_a = name, "status"_a = ToString(report.solve.status), "ncp"_a = c.ncp_max,
                        "ncp_mean"_a = c.ncp_mean, "canal"_a = c.canal, "own_law"_a = c.own_law,
                        "momentum"_a = c.momentum, "worst_constraint"_a = c.worst_constraint,
                        "iterations"_a = report.solve.iterations,
                        "factorizations"_a = report.solve.factorizations,
                        "num_islands"_a = report.num_islands, "time"_a = seconds);
}

template <auto Member>
FloatArray ArrayOf(const PyProblem& self) {
  const ProblemArrays arrays = MakeArrays(self.problem);
  if constexpr (std::is_same_v<decltype(Member), MatrixXd ProblemArrays::*>)
    return MakeMatrix(arrays.*Member);
  else
    return MakeVector(arrays.*Member);
}

// As a file would hold it, rows by kind: so the impulses of a solution stand as the rows of J do. The engine
// has rows in the order in which a step made them.
PyProblem Freeze(PyWorld& self) {
  const PyWorld::Use world(self);
  PyProblem out{world->MakeProblem(), world->warm_start()};
  const ContactProblem& problem = out.problem;
  if (problem.nv() > 0 && !(problem.A.diagonal(0) > 0.0))
    throw std::runtime_error("no step has been taken yet: there is no problem of it");
  if (out.problem.num_constraints() == 0) return out;
  ProblemFile sorted = ParseProblemJson(FormatProblemJson(out.problem, out.warm_start));
  return {std::move(sorted.problem), std::move(sorted.warm_start)};
}

}  // namespace

void BindSolve(py::module_& module, WorldClass& world) {
  py::class_<PyProblem> problem(
      module, "Problem",
      "A contact problem, the same for every solver:\n\n"
      "  A (v − v*) = Jᵀ λ,   g = J v + e,   a law per constraint between g and λ\n\n"
      "  problem = stiction.Problem(A, J, v_star, e, mu=[0.5])\n"
      "  solution = stiction.solve(problem, solver='canal')\n"
      "  print(solution.impulses, solution.ncp)");
  problem.def(
      py::init(&MakeProblemOf), py::arg("A"), py::arg("J"), py::arg("v_star"), py::arg("e") = py::none(),
      py::arg("mu") = py::none(), py::kw_only(), py::arg("limits") = 0, py::arg("equalities") = 0,
      py::arg("soft") = py::none(), py::arg("bounds") = py::none(), py::arg("subsystems") = py::none(),
      py::arg("warm_start") = py::none(), py::arg("name") = "",
      "Rows of J and e in this order: contacts, three rows each (t1, t2, n), one per number in mu;\n"
      "`limits` rows with λ >= 0; `equalities` rows with g = 0; soft rows; bounded rows.\n\n"
      "  A           shape (nv, nv), symmetric positive definite\n"
      "  J           shape (rows, nv)\n"
      "  v_star      velocity without impulses, shape (nv,) [m/s or rad/s]\n"
      "  e           bias, shape (rows,) [m/s]; zero unless given\n"
      "  mu          friction coefficients, shape (contacts,)\n"
      "  soft        k and b of each soft row, λ = −k e − b J v, shape (soft rows, 2)\n"
      "  bounds      lower and upper impulse of each bounded row, shape (bounded rows, 2)\n"
      "  subsystems  the block of A that each dof is in, ascending; the finest unless given\n"
      "  warm_start  impulses to start from, shape (rows,)\n\n"
      "Raises ValueError, which names the array: sizes that do not agree, an A that is not symmetric or\n"
      "not positive definite.");
  problem.def_property_readonly("name", [](const PyProblem& p) { return p.problem.name; });
  problem.def_property_readonly("nv", [](const PyProblem& p) { return p.problem.nv(); });
  problem.def_property_readonly("num_rows", [](const PyProblem& p) { return p.problem.num_rows(); });
  problem.def_property_readonly("num_constraints",
                                [](const PyProblem& p) { return p.problem.num_constraints(); });
  problem.def_property_readonly("A", &ArrayOf<&ProblemArrays::A>, "Shape (nv, nv), a copy.");
  problem.def_property_readonly("J", &ArrayOf<&ProblemArrays::J>,
                                "Shape (rows, nv), a copy; rows in the order of the constructor.");
  problem.def_property_readonly("v_star", &ArrayOf<&ProblemArrays::v_star>, "Shape (nv,), a copy.");
  problem.def_property_readonly("e", &ArrayOf<&ProblemArrays::e>, "Shape (rows,), a copy.");
  problem.def_property_readonly("mu", &ArrayOf<&ProblemArrays::mu>, "Shape (contacts,), a copy.");
  problem.def(
      "write", &WriteProblem, py::arg("path"),
      "Writes .json, .h5 or (FCLib) .fclib.h5, with the warm start; every number reads back bit for bit\n"
      "(but v_star of FCLib's, which holds A v* instead).");
  problem.def(py::pickle(
      [](const PyProblem& p) { return py::make_tuple(FormatProblemJson(p.problem, p.warm_start)); },
      [](const py::tuple& t) {
        if (t.size() != 1) throw py::value_error("not a Problem of this version");
        ProblemFile read = ParseProblemJson(t[0].cast<std::string>());
        return PyProblem{std::move(read.problem), std::move(read.warm_start)};
      }));
  problem.def("__copy__", [](const PyProblem& p) { return p; });
  problem.def(
      "__deepcopy__", [](const PyProblem& p, const py::dict&) { return p; }, py::arg("memo"));
  problem.def("__repr__", [](const PyProblem& p) {
    return "<stiction.Problem '" + p.problem.name + "': nv " + std::to_string(p.problem.nv()) + ", " +
           std::to_string(p.problem.num_constraints()) + " constraints>";
  });
  world.def(
      "problem", &Freeze,
      "The contact problem of the last step, a copy, with the impulses from which its solver started; rows\n"
      "by kind, as Problem has them, also where the step had them in another order. Torsional and rolling\n"
      "friction of a contact are contacts of auxiliary bodies, whose dofs come after the model's nv. Raises\n"
      "RuntimeError before the first step.\n"
      "Bodies that sleep have no rows in it, nor has what only repeats its last step, unless the world was\n"
      "made with skips_still=False.");
  module.def("read_problems", &ReadAll, py::arg("path"),
             "All problems of a file: JSON, HDF5 or FCLib. Raises LoadError.");
  module.def(
      "solve", &Solve, py::arg("problem"), py::arg("solver") = "auto", py::kw_only(),
      py::arg("options") = py::none(), py::arg("tolerance") = py::none(), py::arg("warm_start") = py::none(),
      "Solves a problem from its warm start: a Solution, with velocity, impulses and the certificate.\n\n"
      "  solver      a name of stiction.solvers()\n"
      "  options     dict of the solver's options\n"
      "  tolerance   of the solver's own stopping test [m/s]\n"
      "  warm_start  impulses instead of the problem's, shape (rows,)\n\n"
      "Lets go of the GIL.");
  module.def(
      "solvers", &ListAllSolvers,
      "All solvers, the default first: a dict each, with name, summary, rows (types that it takes) and\n"
      "options (dicts with name, type, default, range, description).");
}

}  // namespace stiction::python

// world.report: what happened in the last step.
#include "world.h"

namespace stiction::python {
namespace {

template <auto Member>
auto OfReport(const PyReport& self) {
  return self.get().*Member;
}
template <auto Member>
auto OfCertificate(const PyReport& self) {
  return self.certificate().*Member;
}
template <auto Member>
auto OfSolve(const PyReport& self) {
  return self.get().solve.*Member;
}

// World.problem() has the constraints by kind, those of friction moments as contacts.
int RankOf(ConstraintType type) {
  switch (type) {
    case ConstraintType::kUnilateral:
      return 1;
    case ConstraintType::kBilateral:
      return 2;
    case ConstraintType::kSoft:
      return 3;
    case ConstraintType::kBounded:
      return 4;
    default:
      return 0;
  }
}

int WorstConstraint(const PyReport& self) {
  const std::vector<Constraint>& all = self.world->unguarded().problem().constraints;
  const int worst = self.certificate().worst_constraint;
  if (worst < 0 || worst >= static_cast<int>(all.size())) return -1;
  const int rank = RankOf(all[worst].type);
  int place = 0;
  for (int i = 0; i < static_cast<int>(all.size()); ++i) {
    const int other = RankOf(all[i].type);
    place += other < rank || (other == rank && i < worst);
  }
  return place;
}

const char* Status(const PyReport& self) {
  return ToString(self.get().status);
}
const char* SolverStatus(const PyReport& self) {
  return ToString(self.get().solve.status);
}

py::dict Phases(const PyReport& self) {
  py::dict out;
  for (const StepPhase& phase : kStepPhases) out[phase.name] = self.get().phases.*phase.time;
  out["total"] = self.get().phases.total;
  return out;
}

}  // namespace

void BindReport(py::module_& module) {
  py::class_<PyReport> report(
      module, "Report",
      "What happened in the last step of a world, and how exactly the contact laws were met: the\n"
      "certificate, computed from the problem and the impulses alone, the same for every solver.");
  const auto add = [&report](const char* name, auto getter, const char* doc) {
    report.def_property_readonly(name, getter, doc);
  };
  add("status", &Status, "'ok', 'budget_missed', 'diverged', 'singular_mass' or 'invalid_input'.");
  add("ncp", &OfCertificate<&Certificate::ncp_max>,
      "Largest residual of the exact laws over all constraints [m/s].");
  add("ncp_mean", &OfCertificate<&Certificate::ncp_mean>, "Its mean [m/s].");
  add("worst_constraint", &WorstConstraint,
      "Index of the constraint with the largest residual, in World.problem(); -1: none.");
  add("canal", &OfCertificate<&Certificate::canal>, "The residual of Lee et al. 2024.");
  add("own_law", &OfCertificate<&Certificate::own_law>,
      "Residual of the law that the solver set out to solve [m/s].");
  add("momentum", &OfCertificate<&Certificate::momentum>, "Castro's momentum error, without unit.");
  add("loop_rate", &OfCertificate<&Certificate::loop>, "Largest |g| of a bilateral row [m/s or rad/s].");
  add("loop", &OfReport<&StepReport::loop>, "Largest residual of an equality after the step [m or rad].");
  add("penetration", &OfReport<&StepReport::penetration>,
      "Deepest overlap of a contact at the start of the step [m].");
  add("is_converged", &OfReport<&StepReport::is_converged>,
      "False: the solver did not meet the law that it set out to solve either.");
  add("solver_status", &SolverStatus, "As the solver's own stopping test says: 'converged', ...");
  add("iterations", &OfSolve<&SolveReport::iterations>, "Of the island with the most.");
  add("newton_steps", &OfSolve<&SolveReport::newton_steps>, "Of the solver.");
  add("sweeps", &OfSolve<&SolveReport::sweeps>, "Of the solver.");
  add("factorizations", &OfSolve<&SolveReport::factorizations>, "Of the solver.");
  add("num_contacts", &OfReport<&StepReport::num_contacts>, "Contact points in the problem.");
  add("num_limits", &OfReport<&StepReport::num_limits>, "Limit rows in the problem.");
  add("num_equality_rows", &OfReport<&StepReport::num_equality_rows>, "Bilateral rows in the problem.");
  add("num_islands", &OfReport<&StepReport::num_islands>, "Groups of trees coupled by constraints.");
  add("num_sleeping", &OfReport<&StepReport::num_sleeping>, "Trees that sleep.");
  add("num_parts", &OfReport<&StepReport::num_parts>,
      "More than one: the step missed its budget as a whole, and was taken in parts of a fraction of it.");
  add("phases", &Phases, "Wall time of each stage of the step, and their total: a dict [s].");
  report.def("__repr__", [](const PyReport& self) {
    char text[160];
    std::snprintf(text, sizeof text, "<stiction.Report: %s, ncp %.3g m/s, %d contacts, %d iterations>",
                  Status(self), self.certificate().ncp_max, self.get().num_contacts,
                  self.get().solve.iterations);
    return std::string(text);
  });
}

}  // namespace stiction::python

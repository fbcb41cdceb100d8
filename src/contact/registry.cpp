#include "stiction/contact/registry.h"

#include <stdexcept>

#include "contact/solvers/admm.h"
#include "contact/solvers/al.h"
#include "contact/solvers/auto.h"
#include "contact/solvers/block_sor.h"
#include "contact/solvers/canal.h"
#include "contact/solvers/nbgs_c.h"
#include "contact/solvers/projected_gradient.h"
#include "contact/solvers/proximal_admm.h"
#include "contact/solvers/sap.h"
#include "contact/solvers/split_admm.h"

namespace stiction {
namespace {

template <typename T, auto... arguments>
std::unique_ptr<ContactSolver> Create() {
  return std::make_unique<T>(arguments...);
}

// The papers whose comparisons `stiction bench papers` repeats.
constexpr const char* kLee = "Lee 2024";
constexpr const char* kCastro = "Castro 2022";
constexpr const char* kTasora = "Tasora 2021";
constexpr const char* kTsounis = "Tsounis 2025";

std::vector<SolverEntry>& Entries() {
  using enum AdmmSplit;
  using enum BlockRule;
  using enum GradientMethod;
  static std::vector<SolverEntry> entries{
      {kDefaultSolver, "the default: warm start, Gauss-Seidel sweeps, then CANAL, island by island",
       &Create<SolverAuto>},
      {"canal", "augmented Lagrangian with semismooth Newton, convex cascade as globaliser",
       &Create<SolverCanal>, kLee},
      {"canal_paper", "CANAL as printed: convex cascade, one penalty", &Create<SolverAl, AlInner::kConvex>},
      {"al_trdogleg", "the same loop with strict Newton in a trust region",
       &Create<SolverAl, AlInner::kDogleg>},
      {"al_dampedsn", "the same loop with damped semismooth Newton", &Create<SolverAl, AlInner::kDamped>},
      {"subadmm", "ADMM split by body: trees apart, factored without fill-in",
       &Create<SolverSplitAdmm, kBody>, kLee},
      {"admm_nobody", "the same split by tree: baseline", &Create<SolverSplitAdmm, kSubsystem>},
      {"admm_nosub", "the same without a split: baseline", &Create<SolverSplitAdmm, kNone>},
      {"sap", "Newton with exact line search on regularised convex contact", &Create<SolverSap>, kCastro},
      {"admm", "ADMM on impulses for convex contact, balanced penalty", &Create<SolverAdmm, false, false>,
       kTasora},
      {"padmm", "the same, preconditioned by the Delassus diagonal", &Create<SolverAdmm, true, false>,
       kTasora},
      {"fadmm", "the same, accelerated with restarts", &Create<SolverAdmm, false, true>, kTasora},
      {"pfadmm", "the same, preconditioned and accelerated", &Create<SolverAdmm, true, true>, kTasora},
      {"admm_ncp", "proximal ADMM on the dual, exact law; penalty fixed, linear or spectral",
       &Create<SolverAdmmNcp>, kTsounis},
      {"admm_ccp", "the same on the convex law", &Create<SolverAdmmCcp>, kTsounis},
      {"nbgs_c", "block Gauss-Seidel with the exact Coulomb rule per contact", &Create<SolverNbgsC>},
      {"nbgs", "block Gauss-Seidel with maximum dissipation per contact", &Create<SolverBlockSor, kNbgs>,
       kTsounis},
      {"raisim", "the same by bisection, under-relaxed", &Create<SolverBlockSor, kRaisim>, kTsounis},
      {"raisim_ds", "the same with De Saxce's shift", &Create<SolverBlockSor, kRaisimDs>},
      {"raisim_ds_es", "the same, stopped by the energy", &Create<SolverBlockSor, kRaisimDsEs>},
      {"pgs_ncp", "projected Gauss-Seidel, normal then friction", &Create<SolverBlockSor, kPgsNcp>},
      {"pgs_ccp", "projected Gauss-Seidel on convex contact", &Create<SolverBlockSor, kPgsCcp>},
      {"psor", "projected over-relaxation on convex contact", &Create<SolverProjectedGradient, kPsor>},
      {"jacobi", "projected Jacobi on convex contact", &Create<SolverProjectedGradient, kJacobi>},
      {"apgd", "accelerated projected gradient on convex contact", &Create<SolverProjectedGradient, kApgd>},
      {"spg", "spectral projected gradient on convex contact", &Create<SolverProjectedGradient, kSpg>},
  };
  return entries;
}

}  // namespace

std::unique_ptr<ContactSolver> SolverEntry::Make() const {
  std::unique_ptr<ContactSolver> solver = create();
  solver->name_ = name;
  return solver;
}

const std::vector<SolverEntry>& ListSolvers() {
  return Entries();
}

void RegisterSolver(const SolverEntry& entry) {
  if (MakeSolver(entry.name))
    throw std::invalid_argument("there is a solver '" + std::string(entry.name) + "' already");
  Entries().push_back(entry);
}

std::unique_ptr<ContactSolver> MakeSolver(std::string_view name) {
  for (const SolverEntry& entry : ListSolvers()) {
    if (name == entry.name) return entry.Make();
  }
  return nullptr;
}

std::string SetSolverOption(ContactSolver& solver, std::string_view option, std::string_view value) {
  std::string known;
  for (const SolverOption& candidate : solver.ListOptions()) {
    known += (known.empty() ? "" : ", ") + candidate.name;
    if (candidate.name == option) return candidate.Set(value);
  }
  return "solver '" + std::string(solver.name()) + "' has no option '" + std::string(option) + "'; it has " +
         known;
}

}  // namespace stiction

#include "stiction/contact/registry.h"

#include <charconv>
#include <cmath>
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
std::unique_ptr<ContactSolver> Make() {
  return std::make_unique<T>(arguments...);
}

std::vector<SolverEntry>& Entries() {
  static std::vector<SolverEntry> entries{
      {"auto", "the default: warm start, Gauss-Seidel sweeps, then CANAL, island by island",
       &Make<SolverAuto>},
      {"canal", "augmented Lagrangian with semismooth Newton, convex cascade as globaliser",
       &Make<SolverCanal>},
      {"canal_paper", "CANAL as printed: convex cascade, one penalty", &Make<SolverAl, AlInner::kConvex>},
      {"al_trdogleg", "the same loop with strict Newton in a trust region",
       &Make<SolverAl, AlInner::kDogleg>},
      {"al_dampedsn", "the same loop with damped semismooth Newton", &Make<SolverAl, AlInner::kDamped>},
      {"subadmm", "ADMM split by body: trees apart, factored without fill-in",
       &Make<SolverSplitAdmm, AdmmSplit::kBody>},
      {"admm_nobody", "the same split by tree: baseline", &Make<SolverSplitAdmm, AdmmSplit::kSubsystem>},
      {"admm_nosub", "the same without a split: baseline", &Make<SolverSplitAdmm, AdmmSplit::kNone>},
      {"sap", "Newton with exact line search on regularised convex contact", &Make<SolverSap>},
      {"admm", "ADMM on impulses for convex contact, balanced penalty", &Make<SolverAdmm, false, false>},
      {"padmm", "the same, preconditioned by the Delassus diagonal", &Make<SolverAdmm, true, false>},
      {"fadmm", "the same, accelerated with restarts", &Make<SolverAdmm, false, true>},
      {"pfadmm", "the same, preconditioned and accelerated", &Make<SolverAdmm, true, true>},
      {"admm_ncp", "proximal ADMM on the dual, exact law; penalty fixed, linear or spectral",
       &Make<SolverAdmmNcp>},
      {"admm_ccp", "the same on the convex law", &Make<SolverAdmmCcp>},
      {"nbgs_c", "block Gauss-Seidel with the exact Coulomb rule a contact", &Make<SolverNbgsC>},
      {"nbgs", "block Gauss-Seidel with maximum dissipation a contact",
       &Make<SolverBlockSor, BlockRule::kNbgs>},
      {"raisim", "the same by bisection, under-relaxed", &Make<SolverBlockSor, BlockRule::kRaisim>},
      {"raisim_ds", "the same with De Saxce's shift", &Make<SolverBlockSor, BlockRule::kRaisimDs>},
      {"raisim_ds_es", "the same, stopped by the energy", &Make<SolverBlockSor, BlockRule::kRaisimDsEs>},
      {"pgs_ncp", "projected Gauss-Seidel, normal then friction", &Make<SolverBlockSor, BlockRule::kPgsNcp>},
      {"pgs_ccp", "projected Gauss-Seidel on convex contact", &Make<SolverBlockSor, BlockRule::kPgsCcp>},
      {"psor", "projected over-relaxation on convex contact",
       &Make<SolverProjectedGradient, GradientMethod::kPsor>},
      {"jacobi", "projected Jacobi on convex contact",
       &Make<SolverProjectedGradient, GradientMethod::kJacobi>},
      {"apgd", "accelerated projected gradient on convex contact",
       &Make<SolverProjectedGradient, GradientMethod::kApgd>},
      {"spg", "spectral projected gradient on convex contact",
       &Make<SolverProjectedGradient, GradientMethod::kSpg>},
  };
  return entries;
}

}  // namespace

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
    if (name == entry.name) return entry.make();
  }
  return nullptr;
}

std::string SetSolverOption(ContactSolver& solver, std::string_view option, std::string_view value) {
  std::string known;
  for (const SolverOption& candidate : solver.ListOptions()) {
    known += (known.empty() ? "" : ", ") + candidate.name;
    if (candidate.name != option) continue;
    double number = 0.0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error != std::errc() || end != value.data() + value.size() || !std::isfinite(number)) {
      return "option '" + std::string(option) + "': '" + std::string(value) + "' is not a number";
    }
    if (candidate.is_integer && number != std::floor(number)) {
      return "option '" + std::string(option) + "': '" + std::string(value) + "' is not an integer";
    }
    if (number < candidate.minimum || number > candidate.maximum) {
      return "option '" + std::string(option) + "': " + std::string(value) + " is outside its range";
    }
    *candidate.value = number;
    return "";
  }
  return "solver '" + std::string(solver.name()) + "' has no option '" + std::string(option) + "'; it has " +
         known;
}

}  // namespace stiction

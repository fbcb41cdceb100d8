#include "stiction/contact/registry.h"

#include <charconv>
#include <cmath>

#include "stiction/contact/solvers/admm.h"
#include "stiction/contact/solvers/al.h"
#include "stiction/contact/solvers/auto.h"
#include "stiction/contact/solvers/block_sor.h"
#include "stiction/contact/solvers/canal.h"
#include "stiction/contact/solvers/nbgs_c.h"
#include "stiction/contact/solvers/proximal_admm.h"
#include "stiction/contact/solvers/sap.h"
#include "stiction/contact/solvers/split_admm.h"

namespace stiction {
namespace {

template <typename T>
std::unique_ptr<ContactSolver> Make() {
  return std::make_unique<T>();
}

template <bool is_preconditioned, bool is_accelerated>
std::unique_ptr<ContactSolver> MakeAdmm() {
  return std::make_unique<SolverAdmm>(is_preconditioned, is_accelerated);
}

template <AlInner inner>
std::unique_ptr<ContactSolver> MakeAl() {
  return std::make_unique<SolverAl>(inner);
}

template <BlockRule rule>
std::unique_ptr<ContactSolver> MakeBlockSor() {
  return std::make_unique<SolverBlockSor>(rule);
}

template <AdmmSplit split>
std::unique_ptr<ContactSolver> MakeSplit() {
  return std::make_unique<SolverSplitAdmm>(split);
}

}  // namespace

const std::vector<SolverEntry>& ListSolvers() {
  static const std::vector<SolverEntry> entries{
      {"auto", "the default: warm start, Gauss-Seidel sweeps, then CANAL, island by island",
       &Make<SolverAuto>},
      {"canal", "augmented Lagrangian with semismooth Newton, convex cascade as globaliser",
       &Make<SolverCanal>},
      {"nbgs_c", "block Gauss-Seidel with the exact Coulomb rule a contact", &Make<SolverNbgsC>},
      {"canal_paper", "CANAL as printed: convex cascade, one penalty", &MakeAl<AlInner::kConvex>},
      {"al_trdogleg", "the same loop with strict Newton in a trust region", &MakeAl<AlInner::kDogleg>},
      {"al_dampedsn", "the same loop with damped semismooth Newton", &MakeAl<AlInner::kDamped>},
      {"pgs_ccp", "projected Gauss-Seidel on convex contact", &MakeBlockSor<BlockRule::kPgsCcp>},
      {"pgs_ncp", "projected Gauss-Seidel, normal then friction", &MakeBlockSor<BlockRule::kPgsNcp>},
      {"nbgs", "block Gauss-Seidel with maximum dissipation a contact", &MakeBlockSor<BlockRule::kNbgs>},
      {"raisim", "the same by bisection, under-relaxed", &MakeBlockSor<BlockRule::kRaisim>},
      {"raisim_ds", "the same with De Saxce's shift", &MakeBlockSor<BlockRule::kRaisimDs>},
      {"raisim_ds_es", "the same, stopped by the energy", &MakeBlockSor<BlockRule::kRaisimDsEs>},
      {"sap", "Newton with exact line search on regularised convex contact", &Make<SolverSap>},
      {"admm", "ADMM on impulses for convex contact, balanced penalty", &MakeAdmm<false, false>},
      {"padmm", "the same, preconditioned by the Delassus diagonal", &MakeAdmm<true, false>},
      {"fadmm", "the same, accelerated with restarts", &MakeAdmm<false, true>},
      {"pfadmm", "the same, preconditioned and accelerated", &MakeAdmm<true, true>},
      {"subadmm", "ADMM split by body: trees apart, factored without fill-in", &MakeSplit<AdmmSplit::kBody>},
      {"admm_nobody", "the same split by tree: baseline", &MakeSplit<AdmmSplit::kSubsystem>},
      {"admm_nosub", "the same without a split: baseline", &MakeSplit<AdmmSplit::kNone>},
      {"admm_ncp", "proximal ADMM on the dual, exact law; penalty fixed, linear or spectral",
       &Make<SolverAdmmNcp>},
      {"admm_ccp", "the same on the convex law", &Make<SolverAdmmCcp>},
  };
  return entries;
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

#include "paper_experiment.h"

#include <algorithm>

#include "bench_papers.h"
#include "canal_experiments.h"
#include "command.h"
#include "complaints/complaint_experiments.h"
#include "truth/truth_experiments.h"

namespace stiction::runner {
namespace {

constexpr const char* kCanal = "canal";
constexpr const char* kTruth = "truth";
constexpr const char* kKnown =
    "closed forms; Library of Computational Benchmark Problems, IFToMM Technical Committee for Multibody "
    "Dynamics";
constexpr const char* kCanalReference =
    "J. Lee, M. Lee, S. Park, J. Yun, D. Lee, Variations of augmented Lagrangian for robotic multi-contact "
    "simulation, 2024";

bool Matches(const PaperExperiment& experiment, const std::string& name) {
  return name == experiment.paper || name == experiment.FullName();
}

}  // namespace

const char* ToString(PaperVerdict verdict) {
  switch (verdict) {
    case PaperVerdict::kHeld:
      return "held";
    case PaperVerdict::kNotHeld:
      return "not held";
    case PaperVerdict::kRefuted:
      return "refuted";
    case PaperVerdict::kNotMeasured:
      return "not measured";
  }
  return "";
}

PaperVerdict Judge(bool is_held) {
  return is_held ? PaperVerdict::kHeld : PaperVerdict::kNotHeld;
}

PaperVerdict Judge(bool is_held, bool is_refuted) {
  return !is_held && is_refuted ? PaperVerdict::kRefuted : Judge(is_held);
}

const std::vector<PaperExperiment>& ListPaperExperiments() {
  static const std::vector<PaperExperiment> experiments = [] {
    std::vector<PaperExperiment> all{
        {kCanal, "nut", "An M48 nut on its bolt: 100 single steps", kCanalReference, &MeasureCanalNut},
        {kCanal, "dishes", "Piled dishes: 100 single steps", kCanalReference, &MeasureCanalDishes},
        {kCanal, "newton", "Inner methods of CANAL, on the dishes", kCanalReference, &MeasureCanalNewton},
        {kCanal, "pouring", "Particles poured from cup to cup", kCanalReference, &MeasureCanalPouring},
        {kCanal, "tasks", "Assembly and piling within a budget of iterations", kCanalReference,
         &MeasureCanalTasks},
        {kCanal, "robots", "A heap of quadrupeds: how SubADMM splits", kCanalReference, &MeasureCanalRobots},
    };
    for (PaperExperiment& scenario : ListPaperScenarios()) all.push_back(std::move(scenario));
    return all;
  }();
  return experiments;
}

const std::vector<PaperExperiment>& ListTruthExperiments() {
  static const std::vector<PaperExperiment> experiments{
      {kTruth, "pendulum", "A pendulum", kKnown, &MeasurePendulum, "known"},
      {kTruth, "windows", "Four-bar windows", kKnown, &MeasureWindows, "known"},
      {kTruth, "andrews", "Andrews' squeezing mechanism", kKnown, &MeasureAndrews, "known"},
      {kTruth, "bricard", "Bricard's mechanism", kKnown, &MeasureBricard, "known"},
      {kTruth, "flip", "A body that turns over", kKnown, &MeasureFlip, "known"},
      {kTruth, "top", "A top that precesses", kKnown, &MeasureTop, "known"},
      {kTruth, "turned_pendulum", "A pendulum on a turning shaft", kKnown, &MeasureTurnedPendulum, "known"},
      {kTruth, "disk", "Euler's disk", kKnown, &MeasureDisk, "known"},
      {kTruth, "rattleback", "A rattleback, which turns round", kKnown, &MeasureRattleback, "known"},
      {kTruth, "tippe_top", "A tippe top, which turns over", kKnown, &MeasureTippeTop, "known"},
      {kTruth, "spin", "Spinning, with and without friction", kKnown, &MeasureSpin, "known"},
      {kTruth, "friction", "Sliding, rolling, resting", kKnown, &MeasureFriction, "known"},
      {kTruth, "impact", "Bouncing, tipping", kKnown, &MeasureImpact, "known"},
      {kTruth, "cradle", "Newton's cradle", kKnown, &MeasureCradle, "known"},
      {kTruth, "painleve", "Painlevé's rod", kKnown, &MeasurePainleve, "known"},
      {kTruth, "billiards", "A billiard break", kKnown, &MeasureBilliards, "known"},
      {kTruth, "arch", "Arches of 15, 25 and 101 stones", kKnown, &MeasureArch, "known"},
      {kTruth, "domino", "A row of dominoes", kKnown, &MeasureDomino, "known"},
      {kTruth, "card_house", "A house of cards", kKnown, &MeasureCardHouse, "known"},
      {kTruth, "toss", "A real cube thrown on a table", kKnown, &MeasureToss, "known", true},
  };
  return experiments;
}

std::string ListPaperNames(const std::vector<PaperExperiment>& all) {
  std::string names;
  const char* paper = "";
  for (const PaperExperiment& experiment : all) {
    if (std::string_view(paper) != experiment.paper)
      names += (names.empty() ? "" : ", ") + std::string(experiment.paper);
    paper = experiment.paper;
    names += ", " + experiment.FullName();
  }
  return names;
}

std::vector<const PaperExperiment*> FindPaperExperiments(const std::vector<PaperExperiment>& all,
                                                         const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (std::none_of(all.begin(), all.end(), [&](const auto& e) { return Matches(e, name); }))
      throw UsageError("--only: there is no paper or experiment '" + name +
                       "'; known: " + ListPaperNames(all));
  }
  std::vector<const PaperExperiment*> found;
  for (const PaperExperiment& experiment : all) {
    const auto is_match = [&](const std::string& name) { return Matches(experiment, name); };
    if (names.empty() || std::any_of(names.begin(), names.end(), is_match)) found.push_back(&experiment);
  }
  return found;
}

}  // namespace stiction::runner

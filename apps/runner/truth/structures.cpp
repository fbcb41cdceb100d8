// Stones, cards and dominoes: what ships as a scenario is measured by it, and by more.
#include <algorithm>
#include <cmath>

#include "complaints/scenario_experiment.h"
#include "truth/convergence.h"
#include "truth/truth_experiments.h"

namespace stiction::runner {
namespace {

constexpr const char* kHeyman = "Heyman 1969";

// How far that one of the bodies first to last has moved at the end which has moved most.
KnownMotion StandingArch(const char* file, double duration, int first, int last,
                         std::vector<Vector3d>& start) {
  return {.file = file,
          .duration = duration,
          .steps = {0.002},
          .error =
              [=, &start](const World& world) {
                double most = 0.0;
                for (int i = first; i <= last; ++i)
                  most = std::max(most, (world.body_poses()[i].p - start[i]).norm());
                return most;
              },
          .prepare =
              [&start](World& world) {
                start.clear();
                for (const RigidTransform& X : world.body_poses()) start.push_back(X.p);
              }};
}

// When domino 20 has moved by 10 µm [s]; NaN: never.
double FindFrontTime(double step) {
  constexpr int kBody = 21;  // the first one is body 1, and domino 0
  double start = 0.0, when = std::numeric_limits<double>::quiet_NaN();
  const KnownMotion motion{.file = "../models/dominoes.xml",
                           .duration = 0.9,
                           .steps = {step},
                           .error = [](const World&) { return 0.0; },
                           .prepare = [&](World& world) { start = world.body_poses()[kBody].p[0]; },
                           .watch =
                               [&](const World& world) {
                                 if (std::isnan(when) && world.body_poses()[kBody].p[0] > start + 1e-5)
                                   when = world.time();
                               }};
  MeasureOnce(motion);
  return when;
}

PaperOutcome MeasureKnownScenario(const char* file, const char* source) {
  ScenarioStudy study;
  study.file = file;
  study.source = source;
  return MeasureScenario(study);
}

}  // namespace

PaperOutcome MeasureArch(const PaperOptions& options) {
  PaperOutcome outcome = MeasureKnownScenario("arch.xml", kHeyman);
  outcome.about +=
      " Then arches of 25 and of 101 stones, at 105 % of 0.1075, the limit of many stones, and of 25 at 95 "
      "%. The law is the equilibrium of all stones with contact forces in Coulomb's cones: it exists, or it "
      "does not.";
  std::vector<Vector3d> start;
  double ncp = 0.0;
  AddBoundedFigure(kHeyman, "25 stones, 105 %: moved in 5 s",
                   MeasureOnce(StandingArch("arch_25.xml", 5.0, 1, 25, start), &ncp), 1e-6, "m", outcome);
  KnownMotion falls = StandingArch("arch_25.xml", 2.0, 26, 50, start);
  falls.error = [](const World& world) { return world.body_poses()[26 + 12].p[2]; };
  AddBoundedFigure(kHeyman, "25 stones, 95 %: height of the keystone after 2 s", MeasureOnce(falls, &ncp),
                   0.3, "m", outcome);
  if (!options.is_quick)
    AddBoundedFigure(kHeyman, "101 stones, 105 %: moved in 2 s",
                     MeasureOnce(StandingArch("arch_101.xml", 2.0, 1, 101, start), &ncp), 1e-6, "m", outcome);
  AddBoundedFigure("certificate", "of 25 and 101 stones: worst step", ncp, 1e-8, "m/s", outcome);
  return outcome;
}

PaperOutcome MeasureDomino(const PaperOptions& options) {
  PaperOutcome outcome = MeasureKnownScenario("domino.xml", "van Leeuwen 2010");
  if (options.is_quick) return outcome;
  const double coarse = FindFrontTime(5e-4), fine = FindFrontTime(2.5e-4);
  outcome.about +=
      " Halving the timestep changes the time at which domino 20 is hit by no more than a hundredth.";
  AddBoundedFigure("convergence", "domino 20 is hit: change from 0.5 to 0.25 ms, relative",
                   std::abs(coarse / fine - 1.0), 0.01, "", outcome);
  char times[64];
  std::snprintf(times, sizeof times, "after %.4f s and %.4f s", coarse, fine);
  outcome.figures.back().remark = times;
  return outcome;
}

PaperOutcome MeasureCardHouse(const PaperOptions&) {
  return MeasureKnownScenario("card_house.xml", "statics");
}

}  // namespace stiction::runner

// Slip control [Castro 2022, §VI-D, Fig. 16 and 17]: a gripper with two bubbles lets a spatula pitch by
// loosening its grip for a while. The scene by the default solver, whose figures are what the scenario
// expects, and by the paper's solver at the paper's tolerance. The paper gives neither shapes nor
// stiffnesses: the assets are ours, and how stiff the bubbles are follows from the paper's numbers of
// contacts. Pitch and iterations then are what they are.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "assets_folder.h"
#include "complaints/scenario_experiment.h"
#include "run_plan.h"
#include "run_statistics.h"
#include "sap_experiments.h"
#include "single_step.h"

namespace stiction::runner {
namespace {

constexpr const char* kSlipFile = "slip_control.xml";
constexpr const char* kSlipSource = "§VI-D";
constexpr double kGripPeriod = 6.0, kTightTime = 4.5;  // of the command, as the scenario has it [s]
constexpr double kSettled = 2.0;  // after the grip tightened, the bubbles have closed [s]
constexpr double kPaperIterations = 0.62;
constexpr double kPaperSticking = 160.0, kPaperSlipping = 60.0;
constexpr double kAbout = 0.5;  // share by which a number of contacts may differ from the paper's "about"

struct SlipRun {
  RunStatistics statistics;
  Series sticking, slipping;  // contacts once the tight grip has settled, and at the end of loose phases
  double pitch = 0.0;         // at the end [rad]
  double least_pitch = std::numeric_limits<double>::infinity();  // of a loose phase
  double most_creep = 0.0;                                       // of a tight phase that has settled
  bool reached_end = false;
};

double ReadPitch(const World& world, int spatula) {
  const Matrix3d& R = world.body_poses()[spatula].R;
  return std::atan2(R(0, 2), R(0, 0));
}

SlipRun RunSlip() {
  RunArguments arguments;
  arguments.model.path = FindAsset(std::string("scenarios/") + kSlipFile);
  arguments.solver = "sap";
  arguments.settings = {"relative=1e-3"};
  arguments.budget = kNoBudget;  // its law is not the exact one
  ImportReport report;
  RunPlan plan = MakeRunPlan(arguments, report);
  World world = MakeWorld(plan);
  const int spatula = world.model().FindBodyOrFrame("scene/spatula").body;
  const long long num_steps = CountSteps(plan, world);
  const double half = 0.5 * world.timestep();
  SlipRun run;
  double tight = 0.0, loose = 0.0;  // pitch when the grip had settled, when it loosened
  while (run.statistics.steps < num_steps) {
    const StepReport& step = world.Step();
    if (step.status != StepStatus::kOk && step.status != StepStatus::kBudgetMissed) return run;
    run.statistics.Add(step, 0.0);
    const double phase = std::fmod(world.time() + half, kGripPeriod) - half;
    const double pitch = run.pitch = ReadPitch(world, spatula);
    if (std::abs(phase - kSettled) < half) tight = pitch;
    if (phase > kSettled && phase < kTightTime + half) {
      run.sticking.Add(step.num_contacts);
      run.most_creep = std::max(run.most_creep, std::abs(pitch - tight));
    }
    if (std::abs(phase - kTightTime) < half) loose = pitch;
    if (world.time() > half && std::abs(phase) < half) {
      run.least_pitch = std::min(run.least_pitch, pitch - loose);
      run.slipping.Add(step.num_contacts);
    }
  }
  run.reached_end = true;
  return run;
}

PaperFigure MakeContactsFigure(const char* quantity, double paper, const Series& ours) {
  return {.source = kSlipSource,
          .quantity = quantity,
          .paper = "about " + FormatNumber("%.0f", paper),
          .ours = FormatNumber("%.0f", ours.mean()),
          .verdict = Judge(std::abs(ours.mean() - paper) <= kAbout * paper),
          .remark = "sap; at most " + FormatNumber("%.0f", ours.max()) +
                    "; how stiff our bubbles are follows from these counts",
          .ratio = ours.mean() / paper};
}

}  // namespace

PaperOutcome MeasureSapSlip(const PaperOptions&) {
  PaperOutcome outcome =
      MeasureScenario({kSlipFile,
                       kSlipSource,
                       {"--time", "6", "--show", "contacts", "--camera", "200,25,0.3,0.04,0,0.29"},
                       "The spatula after the first loose phase, with the pressure of its patches."});
  const SlipRun run = RunSlip();
  if (!run.reached_end) return outcome;
  const double iterations = run.statistics.iterations.mean();
  const double degrees = 180.0 / std::numbers::pi;
  outcome.figures.push_back(
      {.source = kSlipSource,
       .quantity = "iterations a step of sap at relative 1e-3",
       .paper = FormatNumber("%.2f", kPaperIterations),
       .ours = FormatNumber("%.3f", iterations),
       .verdict = Judge(iterations <= kPaperIterations),
       .remark = "at most " + FormatNumber("%.0f", run.statistics.iterations.max()) + " in a step",
       .ratio = iterations / kPaperIterations});
  outcome.figures.push_back(
      MakeContactsFigure("contacts while the grip is tight", kPaperSticking, run.sticking));
  outcome.figures.push_back(MakeContactsFigure("contacts while it slips", kPaperSlipping, run.slipping));
  outcome.figures.push_back(
      {.source = "Fig. 17",
       .quantity = "pitch of sap's spatula in each loose phase, at least",
       .paper = "it pitches there",
       .ours = FormatNumber("%.2f°", degrees * run.least_pitch),
       .verdict = Judge(run.least_pitch > 10.0 * run.most_creep),
       .remark = "and in a tight phase from 2 s on " + FormatNumber("%.1e", run.most_creep) + " rad"});
  return outcome;
}

}  // namespace stiction::runner

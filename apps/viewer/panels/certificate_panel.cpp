// How exactly the contact laws are met, step by step.
#include <cmath>

#include "compare.h"
#include "panels.h"
#include "plot.h"
#include "stiction/io/log_reader.h"
#include "ui.h"

namespace stiction::viewer {
namespace {

// What the steps until the moment shown are held to; also that there is nothing.
void ShowBudget(const Snapshot& now) {
  ui::Wrapped(DescribeBudget(now.budget, now.counts));
  ui::Mark(!now.budget ? "budget: not recorded" : now.budget->is_none() ? "budget: none" : "budget");
}

}  // namespace

void ShowCertificatePanel(Session& session) {
  if (!session.has_model()) return;
  const Snapshot& now = session.now;
  Plot plot{.unit = "m/s", .is_log = true};
  plot.line = now.budget.value_or(kNoBudget).absolute;
  plot.line_name = "budget";
  AddTrack(session, "ncp max", Track::kNcpMax, plot, true);
  if (!now.companion) AddTrack(session, "mean", Track::kNcpMean, plot);
  const float line = ImGui::GetTextLineHeightWithSpacing();
  DrawPlot(session, "ncp", plot, std::max(ImGui::GetContentRegionAvail().y - 5.4f * line, 60.0f));
  if (!now.has_report()) {
    ui::Muted("No step led here yet: there is nothing to judge.");
    return ShowBudget(now);
  }
  const StepReport& report = now.report;
  const Certificate& c = report.certificate;
  const bool has_status = static_cast<int>(report.solve.status) != kNotLogged;
  ui::Numbers solver(now.step_solver.empty() ? now.solver : now.step_solver);
  if (has_status) solver.AddText(ToString(report.solve.status));
  solver.AddCount("iterations", report.solve.iterations);
  solver.AddCount("over all islands", report.solve.iterations_sum);
  solver.AddCount("factorisations", report.solve.factorizations);
  const double stage = report.solve.stage == kNotLogged ? std::nan("") : report.solve.stage;
  solver.Add("stage", stage, "", "%.0f");
  solver.Show();
  ShowBudget(now);
  ui::Numbers certificate;
  certificate.Add("own law", c.own_law, "m/s");
  certificate.Add("momentum", c.momentum, "");
  certificate.Add("loop", report.loop, "m");
  certificate.Add("canal", c.canal, "m/s");
  certificate.Add("penetration", report.penetration, "m");
  certificate.Show();
}

}  // namespace stiction::viewer

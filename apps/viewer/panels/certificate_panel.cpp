// How exactly the contact laws are met, step by step.
#include <cmath>

#include "panels.h"
#include "plot.h"
#include "stiction/io/log_reader.h"
#include "ui.h"

namespace stiction::viewer {
namespace {

// What the steps are held to; also that there is nothing.
void ShowBudget(const Snapshot& now) {
  const std::string misses = now.budget_misses == kNotLogged
                                 ? "; whether it was missed is not in this log"
                                 : ", missed in " + std::to_string(now.budget_misses) + " of " +
                                       std::to_string(now.num_steps) + " steps";
  if (!now.budget)
    ImGui::TextWrapped("budget: not in this log%s", misses.c_str());
  else if (now.budget->is_none())
    ImGui::TextWrapped("budget: none, so that no step can miss it");
  else
    ImGui::TextWrapped("budget %s m/s%s", ToString(*now.budget).c_str(), misses.c_str());
  ui::Mark(!now.budget ? "budget: not in this log" : now.budget->is_none() ? "budget: none" : "budget");
}

}  // namespace

void ShowCertificatePanel(Session& session) {
  if (!session.has_model()) return;
  const Snapshot& now = session.now;
  Plot plot = MakePlot(session, "m/s", true);
  plot.line = now.budget.value_or(kNoBudget).absolute;
  plot.line_name = "budget";
  AddCurve(
      session, "ncp max", IM_COL32(90, 170, 255, 255), [](const Sample& s) { return s.ncp_max; }, plot);
  AddCurve(
      session, "mean", IM_COL32(150, 200, 120, 255), [](const Sample& s) { return s.ncp_mean; }, plot);
  const float line = ImGui::GetTextLineHeightWithSpacing();
  DrawPlot("ncp", plot, std::max(ImGui::GetContentRegionAvail().y - 4.4f * line, 60.0f));
  const StepReport& report = now.report;
  const Certificate& c = report.certificate;
  const bool has_status = static_cast<int>(report.solve.status) != kNotLogged;
  ui::Numbers solver(now.solver.empty() ? "" : now.solver);
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

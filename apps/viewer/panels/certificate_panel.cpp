// How exactly the contact laws are met, step by step.
#include <cmath>

#include "panels.h"
#include "plot.h"

namespace stiction::viewer {

void ShowCertificatePanel(Session& session) {
  if (!session.has_model()) return;
  Plot plot{.unit = "m/s",
            .is_log = true,
            .times = {},
            .curves = {},
            .line = session.now.budget,
            .line_name = "budget"};
  Curve largest{"ncp max", IM_COL32(90, 170, 255, 255), {}}, mean{"mean", IM_COL32(150, 200, 120, 255), {}};
  for (const Sample& sample : session.samples) {
    plot.times.push_back(sample.time);
    largest.values.push_back(sample.ncp_max);
    mean.values.push_back(sample.ncp_mean);
  }
  plot.curves = {std::move(largest), std::move(mean)};
  const float line = ImGui::GetTextLineHeightWithSpacing();
  DrawPlot("ncp", plot, std::max(ImGui::GetContentRegionAvail().y - 3.4f * line, 60.0f));
  const StepReport& report = session.now.report;
  const Certificate& c = report.certificate;
  ImGui::Text("%s (%s), %d iterations, %d factorisations, stage %d   budget missed in %lld of %lld steps",
              session.now.solver.c_str(), ToString(report.solve.status), report.solve.iterations,
              report.solve.factorizations, report.solve.stage, session.now.budget_misses,
              session.now.num_steps);
  ImGui::Text("own law %.1e m/s   momentum %.1e   loop %.1e m   canal %.1e   penetration %.1e m", c.own_law,
              c.momentum, report.loop, c.canal, report.penetration);
}

}  // namespace stiction::viewer

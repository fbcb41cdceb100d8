#include "compare.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "command.h"
#include "live/recording.h"
#include "plot_style.h"
#include "stiction/contact/registry.h"
#include "stiction/io/log_reader.h"

namespace stiction::viewer {
namespace {

std::string NameSide(const std::string& solver, double timestep) {
  if (!(timestep > 0.0)) return solver;
  char text[48];
  std::snprintf(text, sizeof text, "   %.4g ms", 1e3 * timestep);
  return solver + text;
}

void DrawCaption(const Viewport& view, float scale, float window_height, const char* letter, ImU32 color,
                 const std::string& title, const std::string& budget, bool is_over) {
  ImDrawList& list = *ImGui::GetBackgroundDrawList();
  const float line = ImGui::GetTextLineHeight(), pad = PlotScaled(7.0f), badge = line + PlotScaled(4.0f);
  const float left = scale * static_cast<float>(view.x) + PlotScaled(10.0f);
  const float bottom = window_height - scale * static_cast<float>(view.y) - PlotScaled(10.0f);
  const float room = scale * static_cast<float>(view.width) - PlotScaled(20.0f);
  const float text_width =
      std::max(badge + pad + ImGui::CalcTextSize(title.c_str()).x, ImGui::CalcTextSize(budget.c_str()).x);
  const float width = std::min(text_width + 2.0f * pad, room);
  const float wrap = width - 2.0f * pad;
  const float lines = ImGui::CalcTextSize(budget.c_str(), nullptr, false, wrap).y;
  const ImVec2 from(left, bottom - badge - lines - 2.5f * pad), to(left + width, bottom);
  list.AddRectFilled(from, to, ImGui::GetColorU32(ImGuiCol_WindowBg, 0.88f), PlotScaled(5.0f));
  const ImVec2 corner(from.x + pad, from.y + pad);
  list.AddRectFilled(corner, {corner.x + badge, corner.y + badge}, color, PlotScaled(4.0f));
  const ImVec2 letter_size = ImGui::CalcTextSize(letter);
  list.AddText({corner.x + 0.5f * (badge - letter_size.x), corner.y + 0.5f * (badge - letter_size.y)},
               IM_COL32(255, 255, 255, 255), letter);
  list.AddText({corner.x + badge + pad, corner.y + PlotScaled(2.0f)}, TextColor(), title.c_str());
  list.AddText(ImGui::GetFont(), ImGui::GetFontSize(), {corner.x, corner.y + badge + 0.5f * pad},
               is_over ? MissColor() : MutedColor(), budget.c_str(), nullptr, wrap);
}

// A picture that is higher than wide shows less from side to side.
void StepBack(Session& session, bool is_split) {
  double& factor = session.compare.distance_factor;
  if (is_split == (factor != 1.0) || session.viewport.height < 1) return;
  const double half = 0.5 * session.viewport.aspect();
  const double wanted = is_split ? std::clamp(1.3 / half, 1.001, 2.0) : 1.0;
  session.camera.distance *= wanted / factor;
  factor = wanted;
}

}  // namespace

void StartComparing(Session& session, const std::string& what) {
  if (MakeSolver(what)) {
    session.compare.solver = what;
    session.simulation.Do(
        [options = MakeCompanionOptions(session)](Player& player) { player.Compare(options); });
    return;
  }
  std::error_code error;
  if (!std::filesystem::exists(what, error))
    throw runner::UsageError("--compare: '" + what +
                             "' is neither a solver (`stiction list` names them) nor a log that exists");
  auto recording = std::make_shared<Recording>(ReadRecording(what, session.file->model));
  const std::string name = std::filesystem::path(what).filename();
  session.simulation.Do(
      [recording, name](Player& player) { player.CompareWithLog(std::move(*recording), name); });
}

WorldOptions MakeCompanionOptions(const Session& session) {
  const Snapshot& now = session.now;
  const CompareChoice& choice = session.compare;
  WorldOptions options = session.file->options;
  options.solver = choice.solver;
  options.solver_options.clear();
  options.timestep = choice.timestep > 0.0 ? choice.timestep : now.timestep;
  options.budget = choice.has_budget ? now.budget : kNoBudget;
  return options;
}

void SplitViewport(Session& session) {
  const bool is_split = session.now.companion && session.has_model();
  StepBack(session, is_split);
  if (!is_split) return;
  Viewport& left = session.viewport;
  Viewport& right = session.companion_viewport;
  right = left;
  left.width = (left.width - 2) / 2;
  right.x = left.x + left.width + 2;
  right.width = left.width;
}

void DrawCompanion(Session& session, Renderer& renderer, DrawList& list, const Viewport& viewport) {
  const Snapshot& now = session.now;
  if (!now.companion) return;
  const CompanionView& other = *now.companion;
  session.scene->Draw(other.X_WB, other.contacts, other.timestep > 0.0 ? other.timestep : now.timestep, -1,
                      session.scene_options, list);
  renderer.Draw(list, session.camera, session.scene->size(), viewport, session.render_options);
}

void DrawCaptions(const Session& session, float scale, float window_height) {
  const Snapshot& now = session.now;
  if (!now.companion || !session.has_model()) return;
  const CompanionView& other = *now.companion;
  const Budget reference = now.budget && !now.budget->is_none() ? *now.budget : kDefaultBudget;
  DrawCaption(session.viewport, scale, window_height, "A", RunColor(), NameSide(now.solver, now.timestep),
              DescribeBudget(now.budget, other.own_counts), other.own_counts.over > 0);
  std::string title = NameSide(other.name, other.timestep);
  if (other.has_stopped) title += other.is_log ? "   (at its end)" : "   (diverged)";
  DrawCaption(session.companion_viewport, scale, window_height, "B", CompanionColor(), title,
              DescribeBudget(other.budget, other.counts, reference), other.counts.over > 0);
}

std::string DescribeBudget(const std::optional<Budget>& budget, const RunCounts& counts,
                           const Budget& reference) {
  const std::string steps = " of " + FormatCount(counts.judged) + " steps";
  if (!budget)
    return counts.misses == kNotLogged
               ? "budget: not recorded"
               : "budget: not recorded; missed in " + FormatCount(counts.misses) + steps;
  if (budget->is_none())
    return counts.over == kNotLogged ? "no budget"
                                     : "no budget: would have missed " + ToString(reference) + " m/s in " +
                                           FormatCount(counts.over) + steps;
  if (counts.misses == kNotLogged) return "budget " + ToString(*budget) + " m/s: misses not recorded";
  return "budget " + ToString(*budget) + " m/s: missed in " + FormatCount(counts.misses) + steps;
}

}  // namespace stiction::viewer

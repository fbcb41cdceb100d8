#include "plot_source.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <initializer_list>
#include <stdexcept>

#include "plot/log_plot.h"
#include "plot_style.h"
#include "ui.h"

namespace stiction::viewer {
namespace {

constexpr const char* kPayload = "stiction signals";

const TrackInfo* FindTrack(const std::string& name) {
  const auto found = std::find_if(std::begin(kTrackInfos), std::end(kTrackInfos),
                                  [&](const TrackInfo& info) { return name == info.name; });
  return found == std::end(kTrackInfos) ? nullptr : found;
}

const Signal* FindSignal(const Session& session, const std::string& name) {
  if (!session.now.signal_list) return nullptr;
  const std::vector<Signal>& list = *session.now.signal_list;
  const auto found =
      std::find_if(list.begin(), list.end(), [&](const Signal& signal) { return signal.name == name; });
  return found == list.end() ? nullptr : &*found;
}

std::string UnitOf(const Session& session, const std::string& name) {
  if (const TrackInfo* track = FindTrack(name)) return track->unit;
  const Signal* const signal = FindSignal(session, name);
  return signal ? signal->unit : "";
}

std::string JoinLines(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : "\n") + name;
  return text;
}

void OfferDrag(const std::string& label, const std::vector<std::string>& names) {
  if (!ImGui::BeginDragDropSource(ImGuiDragDropFlags_SourceAllowNullID)) return;
  const std::string text = JoinLines(names);
  ImGui::SetDragDropPayload(kPayload, text.data(), text.size());
  ImGui::TextUnformatted(label.c_str());
  ImGui::EndDragDropSource();
}

std::vector<std::string> ListComponents(const char* kind, const std::string& of,
                                        std::initializer_list<const char*> ends) {
  std::vector<std::string> names;
  for (const char* end : ends) names.push_back(kind + of + end);
  return names;
}

runner::LogPanel MakeExportPanel(const Session& session, const PlotSpec& spec) {
  const Plot plot = MakePlot(session, spec);
  runner::LogPanel panel{.is_logarithmic = plot.is_log};
  if (std::isfinite(plot.line) && plot.line > 0.0) panel.bound = plot.line;
  for (const std::string& name : spec.names) panel.title += (panel.title.empty() ? "" : ", ") + name;
  if (spec.names.size() > 3) panel.title = spec.names.front() + " …";
  if (!plot.unit.empty()) panel.title += " [" + plot.unit + "]";
  for (const Curve& curve : plot.curves) {
    runner::LogCurve& out = panel.curves.emplace_back();
    out.label = curve.name;
    for (std::size_t i = 0; i < std::min(curve.times->size(), curve.values->size()); ++i) {
      const double time = (*curve.times)[i];
      if (time < session.timeline.lower || time > session.timeline.upper) continue;
      out.time.push_back(time);
      out.values.push_back((*curve.values)[i]);
    }
  }
  return panel;
}

}  // namespace

void OfferPlot(Session& session, const std::string& label, const std::vector<std::string>& names,
               bool can_drag) {
  if (can_drag) OfferDrag(label, names);
  if (!ImGui::BeginPopupContextItem(("plot " + label).c_str())) return;
  if (ui::Selectable(("Plot " + label).c_str(), false)) AddPlot(session, names);
  ImGui::EndPopup();
}

void OfferBody(const Session& session, int body) {
  if (body <= 0 || !session.has_model()) return;
  const std::string name = session.file->model.DisplayName(body);
  OfferDrag(name, ListComponents("body:", name, {".x", ".y", ".z"}));
}

void ShowBodyPlots(Session& session) {
  const int body = session.selected_body;
  const std::string name = session.file->model.DisplayName(body);
  const auto offer = [&](const char* label, const char* kind, std::initializer_list<const char*> ends) {
    if (ImGui::MenuItem(label, nullptr, false, body > 0)) AddPlot(session, ListComponents(kind, name, ends));
    ui::Mark(label);
  };
  offer("Plot position", "body:", {".x", ".y", ".z"});
  offer("Plot velocity", "body:", {".vx", ".vy", ".vz"});
  offer("Plot contact force", "force:", {"", ".x", ".y", ".z"});
}

std::vector<std::string> TakeDroppedNames() {
  std::vector<std::string> names;
  if (!ImGui::BeginDragDropTarget()) return names;
  if (const ImGuiPayload* payload = ImGui::AcceptDragDropPayload(kPayload)) {
    names.emplace_back();
    const std::string text(static_cast<const char*>(payload->Data),
                           static_cast<std::size_t>(payload->DataSize));
    for (const char c : text) {
      if (c == '\n')
        names.emplace_back();
      else
        names.back() += c;
    }
  }
  ImGui::EndDragDropTarget();
  return names;
}

void AddPlot(Session& session, const std::vector<std::string>& names) {
  const auto is_residual = [](const std::string& name) {
    return name.starts_with("ncp_") || name == "step_time";
  };
  session.plots.push_back({names, std::all_of(names.begin(), names.end(), is_residual)});
  session.Show(Panel::kPlots);
  session.are_plots_new = true;
}

void WatchPlots(Session& session) {
  if (!session.are_plots_new || !session.has_model() || !session.now.signal_list) return;
  session.are_plots_new = false;
  std::vector<Signal> wanted;
  for (const PlotSpec& plot : session.plots)
    for (const std::string& name : plot.names)
      if (const Signal* signal = FindSignal(session, name)) wanted.push_back(*signal);
  session.simulation.Do([wanted](Player& player) { player.Watch(wanted); });
  std::erase_if(session.signals, [&](const auto& entry) {
    return std::none_of(wanted.begin(), wanted.end(),
                        [&](const Signal& signal) { return signal.name == entry.first; });
  });
}

Plot MakePlot(const Session& session, const PlotSpec& spec) {
  static const std::vector<double> kNothing;
  Plot plot{.is_log = spec.is_log, .can_remove = true};
  for (std::size_t k = 0; k < spec.names.size(); ++k) {
    const std::string& name = spec.names[k];
    Curve curve{name, CurveColor(k), &kNothing, &kNothing};
    if (const TrackInfo* track = FindTrack(name)) {
      curve.times = &session.samples.times(), curve.values = &session.samples.column(track->track);
    } else if (const auto found = session.signals.find(name); found != session.signals.end()) {
      curve.times = &found->second.times, curve.values = &found->second.values;
    }
    const std::string unit = curve.unit = UnitOf(session, name);
    if (plot.unit.find(unit) == std::string::npos) plot.unit += (plot.unit.empty() ? "" : ", ") + unit;
    plot.is_from_zero = plot.is_from_zero || name == "contacts" || name == "iterations";
    plot.curves.push_back(curve);
  }
  const Budget budget = session.now.budget.value_or(kNoBudget);
  if (!spec.names.empty() && spec.names.front() == "ncp_max")
    plot.line = budget.absolute, plot.line_name = "budget";
  return plot;
}

std::string ExportPlots(const Session& session, const std::vector<PlotSpec>& specs, const char* extension) {
  runner::LogSelection selection;
  for (const PlotSpec& spec : specs) selection.panels.push_back(MakeExportPanel(session, spec));
  const std::string path = NextFileName(session.file->name + "_plot", extension);
  std::ofstream file(path, std::ios::binary);
  file << (extension == std::string("csv") ? runner::FormatTable(selection)
                                           : runner::DrawSelection(selection, {}));
  file.close();
  if (!file) throw std::runtime_error("cannot write " + path);
  return path;
}

}  // namespace stiction::viewer

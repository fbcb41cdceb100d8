#include "session.h"

#include <algorithm>
#include <charconv>
#include <cstdio>

namespace stiction::viewer {
namespace {

// The shortest text that reads back bit for bit.
void AppendNumbers(const char* attribute, const VectorXd& values, std::string& text) {
  if (values.size() == 0) return;
  text += std::string(" ") + attribute + "=\"";
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    char buffer[32];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, values[i]).ptr;
    if (i > 0) text += ' ';
    text.append(buffer, end);
  }
  text += '"';
}

// After what was there before, of which what is not earlier is forgotten.
void Append(const SignalNews& news, SignalSeries& series) {
  if (news.is_whole) series = {};
  if (news.times.empty()) return;
  const auto kept =
      std::lower_bound(series.times.begin(), series.times.end(), news.times.front()) - series.times.begin();
  series.times.resize(static_cast<std::size_t>(kept));
  series.values.resize(static_cast<std::size_t>(kept));
  series.times.insert(series.times.end(), news.times.begin(), news.times.end());
  series.values.insert(series.values.end(), news.values.begin(), news.values.end());
}

}  // namespace

void Session::Show(Panel panel) {
  open(panel) = true;
  if (panel == Panel::kHelp) return;
  const Dock dock = places.docks[static_cast<std::size_t>(panel)];
  places.front[static_cast<std::size_t>(dock)] = panel;
}

void Session::Toggle(Panel panel) {
  const Dock dock = places.docks[static_cast<std::size_t>(panel)];
  const bool is_front = panel == Panel::kHelp || places.front[static_cast<std::size_t>(dock)] == panel;
  if (open(panel) && is_front)
    open(panel) = false;
  else
    Show(panel);
}

void Session::ResetLayout() {
  places = {};
  // The first that is open of each dock is in front.
  for (std::size_t i = kNumPanels; i-- > 0;) {
    const PanelInfo& panel = kPanels[i];
    is_open[i] = panel.is_open_at_first;
    places.docks[i] = panel.dock;
    if (panel.is_open_at_first) places.front[static_cast<std::size_t>(panel.dock)] = static_cast<Panel>(i);
  }
}

void Session::TakeNews() {
  if (now.has_reset) samples.Clear();
  if (now.has_reset || now.has_companion_reset) companion_samples.Clear();
  for (const Sample& sample : now.samples) samples.Append(sample);
  for (const Sample& sample : now.companion_samples) companion_samples.Append(sample);
  for (const SignalNews& news : now.signals) Append(news, signals[news.name]);
  now.samples.clear();
  now.companion_samples.clear();
  now.signals.clear();
}

void Session::ForgetHistory() {
  samples.Clear();
  companion_samples.Clear();
  signals.clear();
  timeline = {};
  are_plots_new = true;
}

std::string NextFileName(const std::string& name, const std::string& extension) {
  for (int i = 1;; ++i) {
    char number[16];
    std::snprintf(number, sizeof number, "_%04d.", i);
    const std::string path = name + number + extension;
    if (!std::filesystem::exists(path)) return path;
  }
}

std::string MakeKey(const Session& session) {
  const Snapshot& now = session.now;
  std::string text = "<key";
  AppendNumbers("time", VectorXd::Constant(1, now.time), text);
  AppendNumbers("qpos", now.q, text);
  AppendNumbers("qvel", now.v, text);
  AppendNumbers("ctrl", now.ctrl, text);
  return text + "/>";
}

}  // namespace stiction::viewer

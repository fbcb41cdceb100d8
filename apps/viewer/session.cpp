#include "session.h"

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

}  // namespace

void Session::Toggle(Panel panel) {
  Panel& front = places.front[static_cast<std::size_t>(places.docks[static_cast<std::size_t>(panel)])];
  const bool is_shown = open(panel) && (panel == Panel::kHelp || front == panel);
  open(panel) = !is_shown;
  if (!is_shown && panel != Panel::kHelp) front = panel;
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

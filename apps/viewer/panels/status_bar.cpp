// One line at the bottom of the window: how the simulation runs, and how exactly its last step met the
// contact laws.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "panels.h"
#include "plot_style.h"
#include "stiction/io/log_reader.h"
#include "ui.h"

namespace stiction::viewer {
namespace {

// A part of the line. The rightmost ones are left out where there is no room.
struct StatusPart {
  std::string text;
  ImVec4 color;
  bool has_dot = false;
  const char* mark = nullptr;
};

template <typename... Values>
std::string StatusText(const char* format, Values... values) {
  char text[128];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

StatusPart DescribeState(const Snapshot& now) {
  const Palette& colors = Colors();
  if (now.is_playback) return {"Log", colors.accent, true, "state"};
  if (!now.is_running) return {"Paused", colors.muted, true, "state"};
  return {StatusText("Running %.2f\u00d7", now.real_time_factor), colors.accent, true, "state"};
}

// The certificate in words and in a colour: green while every step was within the budget.
StatusPart DescribeCertificate(const Snapshot& now) {
  const Palette& colors = Colors();
  const double ncp = now.report.certificate.ncp_max;
  if (!now.has_report())
    return {now.num_steps == 0 ? "no step yet" : "no step led here", colors.muted, true, "certificate"};
  if (now.report.num_contacts == 0 && ncp == 0.0)
    return {now.counts.misses == 0 ? "no contact, and no step missed its budget" : "no contact", colors.good,
            true, "certificate"};
  if (std::isnan(ncp)) return {"certificate: not recorded", colors.muted, true, "certificate"};
  std::string text = StatusText("ncp %.1e m/s", ncp);
  const bool has_budget = now.budget && !now.budget->is_none();
  if (!has_budget) return {text + (now.budget ? ", no budget" : ""), colors.muted, true, "certificate"};
  text += ", budget " + ToString(*now.budget);
  if (now.counts.misses == kNotLogged) return {text, colors.muted, true, "certificate"};
  if (now.counts.misses == 0) return {text + ": never missed", colors.good, true, "certificate"};
  return {text + StatusText(": missed in %lld of %lld steps", now.counts.misses, now.counts.judged),
          colors.warning, true, "certificate"};
}

std::vector<StatusPart> ListParts(const Session& session) {
  const Palette& colors = Colors();
  if (!session.has_model()) return {{"Open a file, or drop one here", colors.muted, false, nullptr}};
  const Snapshot& now = session.now;
  std::vector<StatusPart> parts{DescribeState(now),
                                {StatusText("t = %.3f s", now.time), colors.text, false, nullptr},
                                DescribeCertificate(now)};
  const long long num_contacts =
      now.has_report() ? now.report.num_contacts : static_cast<long long>(now.contacts.size());
  if (num_contacts != kNotLogged)
    parts.push_back({std::to_string(num_contacts) + (num_contacts == 1 ? " contact" : " contacts"),
                     colors.muted, false, nullptr});
  if (num_contacts > 0 && now.has_report() && !std::isnan(now.report.penetration))
    parts.push_back({"penetration " + ui::FormatNumber("%.1e", now.report.penetration) + " m", colors.muted,
                     false, nullptr});
  if (!now.is_playback && now.is_running)
    parts.push_back({FormatDuration(now.report.phases.total) + " a step", colors.muted, false, nullptr});
  return parts;
}

float ShowPart(const StatusPart& part, float x, float y, float height) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float start = x;
  if (part.has_dot) {
    list.AddCircleFilled({x + Scaled(4.0f), y + 0.5f * height}, Scaled(4.0f), Color(part.color));
    x += Scaled(14.0f);
  }
  const ImVec2 size = ImGui::CalcTextSize(part.text.c_str());
  const bool is_text = part.has_dot;  // the dot has the colour, and the words stay legible
  list.AddText({x, y + 0.5f * (height - size.y)}, Color(is_text ? Colors().text : part.color),
               part.text.c_str());
  if (part.mark != nullptr) {
    ImGui::SetCursorScreenPos({start, y});
    ImGui::Dummy({x + size.x - start, height});
    ui::Mark(part.mark);
  }
  return x + size.x;
}

float WidthOf(const StatusPart& part) {
  return ImGui::CalcTextSize(part.text.c_str()).x + (part.has_dot ? Scaled(14.0f) : 0.0f);
}

}  // namespace

void ShowStatusBar(Session& session, const Rectangle& place) {
  ImGui::SetNextWindowPos({place.x, place.y});
  ImGui::SetNextWindowSize({place.width, place.height});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0.0f, 0.0f});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0f);
  const bool is_visible =
      ImGui::Begin("Status", nullptr,
                   ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                       ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus |
                       ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoFocusOnAppearing);
  ImGui::PopStyleVar(2);
  if (is_visible) {
    const float gap = Scaled(20.0f), margin = Scaled(12.0f);
    const bool is_coarse = session.has_model() && !session.render_options.low;
    const char* const how = !session.is_software ? ""
                            : is_coarse          ? "drawn in software: coarse while it moves"
                                                 : "drawn in software";
    // What stands is drawn where something changes, and at no rate.
    const bool has_rate = session.now.is_running;
    const StatusPart rate{
        has_rate ? StatusText("%.0f frames/s%s%s", session.frame_rate, *how ? ", " : "", how) : how,
        Colors().muted, false, nullptr};
    float end = place.width - margin;
    float x = place.x + margin;
    const std::vector<StatusPart> parts = ListParts(session);
    float needed = x;
    for (std::size_t i = 0; i < std::min<std::size_t>(parts.size(), 3); ++i)
      needed += WidthOf(parts[i]) + gap;
    if (needed + WidthOf(rate) < end) {
      end -= WidthOf(rate);
      ShowPart(rate, end, place.y, place.height);
      end -= gap;
    }
    for (const StatusPart& part : parts) {
      if (x + WidthOf(part) > end) break;
      x = ShowPart(part, x, place.y, place.height) + gap;
    }
  }
  ImGui::End();
}

}  // namespace stiction::viewer

// Plots of whatever the user drags into them.
#include <algorithm>
#include <cctype>
#include <stdexcept>

#include "panels.h"
#include "plot_source.h"
#include "plot_style.h"
#include "ui.h"

namespace stiction::viewer {
namespace {

constexpr const char* kSteps = "of the step";

// A line of the list of what can be plotted: a signal, or all components of one.
struct Offer {
  std::string kind, label;
  std::vector<std::string> names;
};

bool IsNameEnd(const std::string& end) {
  for (const char* component : {"x", "y", "z", "qw", "qx", "qy", "qz", "vx", "vy", "vz", "wx", "wy", "wz"})
    if (end == component) return true;
  return false;
}

// "position", "rotation", "velocity", "turning" of the component of a body or free joint.
std::string NameComponents(const std::string& end) {
  return end[0] == 'q' ? "rotation" : end[0] == 'v' ? "velocity" : end[0] == 'w' ? "turning" : "x y z";
}

// "body:cup.x", "body:cup.y", "body:cup.z" become one line "cup  x y z".
std::vector<Offer> ListOffers(const std::vector<Signal>& signals) {
  std::vector<Offer> offers;
  for (const TrackInfo& track : kTrackInfos) offers.push_back({kSteps, track.name, {track.name}});
  for (const Signal& signal : signals) {
    const std::size_t colon = signal.name.find(':'), dot = signal.name.rfind('.');
    const std::string kind = signal.name.substr(0, colon);
    std::string label = signal.name.substr(colon + 1);
    if (dot != std::string::npos && dot > colon && IsNameEnd(signal.name.substr(dot + 1)))
      label =
          signal.name.substr(colon + 1, dot - colon - 1) + "  " + NameComponents(signal.name.substr(dot + 1));
    if (!offers.empty() && offers.back().kind == kind && offers.back().label == label)
      offers.back().names.push_back(signal.name);
    else
      offers.push_back({kind, label, {signal.name}});
  }
  return offers;
}

const char* DescribeKind(const std::string& kind) {
  constexpr std::pair<const char*, const char*> kKinds[] = {
      {kSteps, "Step"},      {"q", "Joints"},    {"v", "Joint velocities"},  {"ctrl", "Actuators"},
      {"sensor", "Sensors"}, {"body", "Bodies"}, {"force", "Contact forces"}};
  for (const auto& [name, text] : kKinds)
    if (kind == name) return text;
  return "Others";
}

bool ContainsWord(const std::string& text, const std::string& word) {
  const auto lower = [](unsigned char c) { return std::tolower(c); };
  return std::search(text.begin(), text.end(), word.begin(), word.end(), [&](char a, char b) {
           return lower(static_cast<unsigned char>(a)) == lower(static_cast<unsigned char>(b));
         }) != text.end();
}

void ShowOffer(Session& session, const Offer& offer, bool is_indented) {
  const std::string id = offer.kind + ":" + offer.label;
  if (is_indented) ImGui::Indent(PlotScaled(28.0f));
  ImGui::PushID(id.c_str());
  if (ImGui::Selectable(offer.label.c_str(), false, ImGuiSelectableFlags_AllowDoubleClick) &&
      ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left))
    AddPlot(session, offer.names);
  ui::Mark(id);
  OfferPlot(session, offer.label, offer.names);
  ImGui::PopID();
  if (is_indented) ImGui::Unindent(PlotScaled(28.0f));
}

// By kind, each of which folds; where something is typed, all that holds it.
void ShowOffers(Session& session) {
  static std::vector<Offer> offers;
  static std::weak_ptr<const std::vector<Signal>> listed;
  if (listed.lock() != session.now.signal_list) {
    offers = ListOffers(*session.now.signal_list);
    listed = session.now.signal_list;
  }
  static std::array<char, 64> filter{};
  ImGui::SetNextItemWidth(-1.0f);
  ImGui::InputTextWithHint("##filter", "find", filter.data(), filter.size());
  ui::Mark("Find");
  ImGui::BeginChild("list");
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < offers.size();) {
    std::size_t end = i;
    while (end < offers.size() && offers[end].kind == offers[i].kind) ++end;
    shown.clear();
    for (std::size_t k = i; k < end; ++k)
      if (filter[0] == 0 || ContainsWord(offers[k].kind + ":" + offers[k].label, filter.data()))
        shown.push_back(k);
    if (!shown.empty()) {
      if (filter[0] != 0) ImGui::SetNextItemOpen(true);
      const bool is_open =
          ImGui::TreeNodeEx(DescribeKind(offers[i].kind),
                            ImGuiTreeNodeFlags_NoTreePushOnOpen | ImGuiTreeNodeFlags_SpanAvailWidth);
      ui::Mark(DescribeKind(offers[i].kind));
      if (is_open) {
        ImGuiListClipper clipper;
        clipper.Begin(static_cast<int>(shown.size()));
        while (clipper.Step())
          for (int k = clipper.DisplayStart; k < clipper.DisplayEnd; ++k)
            ShowOffer(session, offers[shown[static_cast<std::size_t>(k)]], true);
      }
    }
    i = end;
  }
  ImGui::EndChild();
}

void AddNames(Session& session, PlotSpec& spec, const std::vector<std::string>& names) {
  for (const std::string& name : names)
    if (std::find(spec.names.begin(), spec.names.end(), name) == spec.names.end()) spec.names.push_back(name);
  session.are_plots_new = session.are_plots_new || !names.empty();
}

// One plot with its buttons. Returns false where it is to be taken away.
bool ShowOnePlot(Session& session, PlotSpec& spec, int number, float height) {
  ImGui::PushID(number);
  const std::string title = "Plot " + std::to_string(number + 1);
  bool is_kept = true;
  ImGui::AlignTextToFramePadding();
  ImGui::TextDisabled("%s", title.c_str());
  const float width = PlotScaled(92.0f);
  ImGui::SameLine(std::max(ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x - width, 40.0f));
  ui::Checkbox(("log##" + title).c_str(), &spec.is_log);
  ImGui::SameLine();
  if (ImGui::Button("x")) is_kept = false;
  ui::Mark(title + " close");
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("Take this plot away");
  const int removed = DrawPlot(session, title.c_str(), MakePlot(session, spec), height);
  AddNames(session, spec, TakeDroppedNames());
  if (removed >= 0) {
    spec.names.erase(spec.names.begin() + removed);
    session.are_plots_new = true;
  }
  ImGui::PopID();
  return is_kept && !spec.names.empty();
}

// Where a new plot can be dropped.
void ShowDropPlace(Session& session, float height) {
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const ImVec2 size(std::max(ImGui::GetContentRegionAvail().x, 40.0f), height);
  ImGui::InvisibleButton("New plot", size);
  ui::Mark("New plot");
  const bool is_hovered = ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem);
  const std::vector<std::string> names = TakeDroppedNames();
  if (!names.empty()) AddPlot(session, names);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRect(from, {from.x + size.x, from.y + size.y}, TextColor(is_hovered ? 0.5f : 0.22f),
               PlotScaled(4.0f), 0, PlotScaled(1.0f));
  const char* const text = "drop a joint, body, sensor, actuator, force or energy here";
  const float width = ImGui::CalcTextSize(text).x;
  const char* const shown = width < size.x ? text : "drop here";
  const ImVec2 text_size = ImGui::CalcTextSize(shown);
  list.AddText({from.x + 0.5f * (size.x - text_size.x), from.y + 0.5f * (size.y - text_size.y)}, MutedColor(),
               shown);
}

void ShowExport(Session& session) {
  for (const char* extension : {"svg", "csv"}) {
    const std::string label = extension == std::string("svg") ? "Export SVG" : "Export CSV";
    if (ui::Button(label.c_str(), !session.plots.empty())) {
      try {
        session.Say("Plots written to " + ExportPlots(session, session.plots, extension));
      } catch (const std::runtime_error& error) {
        session.Say(error.what(), true);
      }
    }
    ImGui::SameLine();
  }
  if (ui::Button("Clear", !session.plots.empty())) {
    session.plots.clear();
    session.are_plots_new = true;
  }
}

}  // namespace

void ShowPlotsPanel(Session& session) {
  if (!session.has_model() || !session.now.signal_list) return;
  const bool is_wide = ImGui::GetContentRegionAvail().x > PlotScaled(460.0f);
  const float list_width = is_wide ? PlotScaled(190.0f) : 0.0f;
  const float list_height = is_wide ? 0.0f : 0.38f * ImGui::GetContentRegionAvail().y;
  ImGui::BeginChild("signals", {list_width, list_height});
  ShowOffers(session);
  ImGui::EndChild();
  if (is_wide) ImGui::SameLine();
  ImGui::BeginChild("plots");
  ShowExport(session);
  // As high as there is room for all, within reason.
  const float line = ImGui::GetFrameHeightWithSpacing() + ImGui::GetTextLineHeightWithSpacing();
  const float room = ImGui::GetContentRegionAvail().y - PlotScaled(30.0f);
  const float share = room / static_cast<float>(std::max<std::size_t>(session.plots.size(), 1)) - line;
  const float height = std::clamp(share, PlotScaled(90.0f), PlotScaled(220.0f));
  for (std::size_t i = 0; i < session.plots.size();) {
    if (ShowOnePlot(session, session.plots[i], static_cast<int>(i), height)) {
      ++i;
      continue;
    }
    session.plots.erase(session.plots.begin() + static_cast<std::ptrdiff_t>(i));
    session.are_plots_new = true;
  }
  ShowDropPlace(session,
                std::max(PlotScaled(28.0f), std::min(ImGui::GetContentRegionAvail().y, PlotScaled(60.0f))));
  ImGui::EndChild();
}

}  // namespace stiction::viewer

#include "timeline.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "plot/axis.h"
#include "plot_style.h"
#include "session.h"
#include "stiction/io/log_reader.h"
#include "ui.h"

namespace stiction::viewer {
namespace {

constexpr double kLeastSpan = 1e-4;    // to which one can zoom [s]
constexpr double kTickFactor = 1.25;   // of the span a tick of the wheel
constexpr int kNumTicks = 9;           // of time, about
constexpr float kHalfPlayhead = 5.0f;  // its width at the ruler

// Of a live run the end grows by round steps, so that the picture stands still between them.
double RoundUp(double end, double start) {
  const double span = std::max(end - start, 0.5);
  const double step = runner::FindRoundStep(span, 5);
  return start + step * std::ceil(span / step + 1e-9);
}

// What is recorded, and to where a scenario goes.
std::pair<double, double> FindExtent(const Session& session) {
  const Snapshot& now = session.now;
  double lower = now.history_start, upper = now.history_end;
  if (!session.samples.empty()) {
    lower = std::min(lower, session.samples.times().front());
    upper = std::max(upper, session.samples.times().back());
  }
  upper = std::max(upper, now.time);
  if (now.is_playback) return {lower, std::max(upper, lower + kLeastSpan)};
  if (now.end && upper <= lower + *now.end + 1e-9) return {lower, std::max(lower + *now.end, upper)};
  return {lower, RoundUp(upper, lower)};
}

// Where the parts of the strip are.
struct Strip {
  float left = 0.0f, right = 1.0f;
  float ruler = 0.0f, lane = 0.0f, marks = 0.0f, bottom = 0.0f;  // upper edges
  double lower = 0.0, upper = 1.0;

  float X(double time) const {
    const double part = (time - lower) / (upper - lower);
    return left + (right - left) * static_cast<float>(std::clamp(part, -0.5, 1.5));
  }
  double Time(float x) const { return lower + (upper - lower) * (x - left) / (right - left); }
  bool Shows(double time) const { return time >= lower && time <= upper; }
};

enum class StripIcon { kToStart, kBack, kRun, kPause, kStep, kToEnd, kMark };

void DrawStripIcon(ImDrawList& list, StripIcon icon, ImVec2 c, float r, ImU32 color) {
  const auto triangle = [&](float x, float direction) {
    list.AddTriangleFilled({c.x + x + direction * r, c.y}, {c.x + x - direction * 0.6f * r, c.y - r},
                           {c.x + x - direction * 0.6f * r, c.y + r}, color);
  };
  const auto bar = [&](float x) {
    list.AddRectFilled({c.x + x - 0.18f * r, c.y - r}, {c.x + x + 0.18f * r, c.y + r}, color);
  };
  switch (icon) {
    case StripIcon::kToStart:
      bar(-0.9f * r);
      return triangle(0.2f * r, -1.0f);
    case StripIcon::kBack:
      return triangle(0.0f, -1.0f);
    case StripIcon::kRun:
      return triangle(-0.1f * r, 1.0f);
    case StripIcon::kPause:
      bar(-0.45f * r);
      return bar(0.45f * r);
    case StripIcon::kStep:
      bar(-0.9f * r);
      return triangle(0.2f * r, 1.0f);
    case StripIcon::kToEnd:
      bar(0.9f * r);
      return triangle(-0.2f * r, 1.0f);
    case StripIcon::kMark:
      list.AddRectFilled({c.x - 0.6f * r, c.y - r}, {c.x - 0.35f * r, c.y + r}, color);
      return list.AddTriangleFilled({c.x - 0.35f * r, c.y - r}, {c.x + 0.9f * r, c.y - 0.45f * r},
                                    {c.x - 0.35f * r, c.y + 0.15f * r}, color);
  }
}

bool StripButton(StripIcon icon, const char* label, const char* hint) {
  const float size = ImGui::GetFrameHeight() + PlotScaled(3.0f);
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const bool is_pressed = ImGui::Button((std::string("##") + label).c_str(), {size, size});
  ui::Mark(label);
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", hint);
  DrawStripIcon(*ImGui::GetWindowDrawList(), icon, {from.x + 0.5f * size, from.y + 0.5f * size}, 0.26f * size,
                TextColor());
  ImGui::SameLine(0.0f, PlotScaled(2.0f));
  return is_pressed;
}

void ShowButtons(Session& session) {
  const Snapshot& now = session.now;
  Simulation& simulation = session.simulation;
  if (StripButton(StripIcon::kToStart, "To the start", "To the start of what is recorded"))
    SeekTo(session, now.history_start);
  if (StripButton(StripIcon::kBack, "Back", "Back to an earlier state (Left)"))
    simulation.Do([i = now.history_index - 1](Player& player) { player.Scrub(i); });
  if (StripButton(now.is_running ? StripIcon::kPause : StripIcon::kRun, "Run",
                  now.is_running ? "Pause (Space)" : "Run from here (Space)"))
    simulation.Do([is_running = !now.is_running](Player& player) { player.Run(is_running); });
  if (StripButton(StripIcon::kStep, "Step", "One step (Right)"))
    simulation.Do([](Player& player) { player.StepOnce(); });
  if (StripButton(StripIcon::kToEnd, "To the end", "To the end of what is recorded"))
    SeekTo(session, now.history_end);
  if (StripButton(StripIcon::kMark, "Bookmark",
                  "Bookmark this moment, or take its mark away (B); N and P go from mark to mark"))
    ToggleBookmark(session);
  if (!session.timeline.is_all) {
    if (ImGui::Button("all")) session.timeline.is_all = true;
    ui::Mark("all");
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("Show all that is recorded, in every plot");
    ImGui::SameLine();
  }
  ImGui::NewLine();
}

// "1.234 s of 10 s": what is shown, and what of it is a past that can be left.
void ShowTime(const Session& session) {
  const Snapshot& now = session.now;
  char text[96];
  if (now.is_playback)
    std::snprintf(text, sizeof text, "%.4f s   row %s of %s", now.time,
                  FormatCount(now.history_index + 1).c_str(), FormatCount(now.history_size).c_str());
  else if (now.history_index + 1 < now.history_size)
    std::snprintf(text, sizeof text, "%.4f s   past, of %.2f s", now.time, now.history_end);
  else
    std::snprintf(text, sizeof text, "%.4f s   step %s", now.time, FormatCount(now.num_steps).c_str());
  ImGui::TextUnformatted(text);
  ui::Mark("Time");
}

void DrawRuler(const Session& session, const Strip& strip, ImDrawList& list) {
  const runner::PlotAxis axis({strip.lower, strip.upper}, runner::PlotScale::kLinear, kNumTicks, true);
  const float playhead = strip.X(session.now.time), half = PlotScaled(kHalfPlayhead);
  for (const runner::PlotTick& tick : axis.ticks()) {
    const float x = strip.X(tick.number);
    list.AddLine({x, strip.ruler}, {x, strip.bottom}, GridColor(tick.label.empty()));
    if (tick.label.empty()) continue;
    const std::string label = axis.offset() + tick.label + " s";
    const float begin = x + PlotScaled(3.0f), end = begin + ImGui::CalcTextSize(label.c_str()).x;
    const bool is_covered = playhead + half > begin && playhead - half < end;
    if (end <= strip.right && !is_covered) list.AddText({begin, strip.ruler}, MutedColor(), label.c_str());
  }
  // The past that the history has forgotten.
  const float start = strip.X(session.now.history_start), end = strip.X(session.now.history_end);
  if (start > strip.left + 1.0f)
    list.AddRectFilled({strip.left, strip.lane}, {std::min(start, strip.right), strip.bottom},
                       TextColor(0.07f));
  if (end < strip.right - 1.0f)
    list.AddRectFilled({std::max(end, strip.left), strip.lane}, {strip.right, strip.bottom},
                       TextColor(0.04f));
}

// The certificate as bars over a column of pixels each: as high as the decades of the largest residual in it,
// green within the budget, red above; grey where there is none to judge by.
void DrawCertificate(const SampleTable& samples, const Strip& strip, float top, float bottom, double budget,
                     ImDrawList& list) {
  constexpr double kFloor = -16.0, kCeiling = 0.0;  // decades [m/s]
  constexpr double kLeastBar = 0.18;                // so that what is exact is seen, too
  const std::vector<double>& times = samples.times();
  const std::vector<double>& ncp = samples.column(Track::kNcpMax);
  const std::vector<double>& missed = samples.column(Track::kMissed);
  const auto first = std::lower_bound(times.begin(), times.end(), strip.lower);
  float right = strip.left;
  for (auto i = static_cast<std::size_t>(first - times.begin()); i < times.size();) {
    if (times[i] > strip.upper) break;
    const float column = std::floor(strip.X(times[i]));
    double largest = 0.0;
    bool is_missed = false, is_known = false;
    for (; i < times.size() && std::floor(strip.X(times[i])) == column; ++i) {
      is_known = is_known || !std::isnan(ncp[i]);
      if (ncp[i] > largest) largest = ncp[i];
      is_missed = is_missed || missed[i] > 0.0 || ncp[i] > budget;
    }
    // What is between two samples belongs to the later one.
    const float left = right > strip.left ? right : column;
    right = column + 1.0f;
    if (!is_known) continue;
    const double decades = largest > 0.0 ? std::log10(largest) : kFloor;
    const double part = std::clamp((decades - kFloor) / (kCeiling - kFloor), kLeastBar, 1.0);
    const float y = bottom - (bottom - top) * static_cast<float>(part);
    list.AddRectFilled({left, y}, {right, bottom}, is_missed ? MissColor() : GoodColor(0.8f));
  }
  if (!std::isfinite(budget)) return;
  const double part = std::clamp((std::log10(budget) - kFloor) / (kCeiling - kFloor), 0.0, 1.0);
  const float y = bottom - (bottom - top) * static_cast<float>(part);
  list.AddLine({strip.left, y}, {strip.right, y}, MissColor(0.55f));
}

void DrawMark(ImDrawList& list, float x, float y, ImU32 color) {
  const float r = PlotScaled(3.5f);
  list.AddTriangleFilled({x, y + r}, {x - r, y - r}, {x + r, y - r}, color);
}

// Impacts as triangles, above the names of phases where there are any, pulls as bars; a mark a column at
// most.
void DrawMarks(const SampleTable& samples, bool has_phases, const Strip& strip, ImDrawList& list) {
  const std::vector<double>& times = samples.times();
  const std::vector<double>& impacts = samples.column(Track::kImpacts);
  const std::vector<double>& pull = samples.column(Track::kPull);
  const float r = PlotScaled(3.5f), y = has_phases ? strip.marks - r : 0.5f * (strip.marks + strip.bottom);
  float last_mark = -1e9f;
  const auto first = std::lower_bound(times.begin(), times.end(), strip.lower);
  for (auto i = static_cast<std::size_t>(first - times.begin()); i < times.size(); ++i) {
    if (times[i] > strip.upper) break;
    const float x = strip.X(times[i]);
    if (pull[i] > 0.0) {
      const float before = i > 0 ? std::max(strip.X(times[i - 1]), strip.left) : x;
      list.AddRectFilled({before, strip.bottom - PlotScaled(3.0f)},
                         {std::max(x, before + 1.0f), strip.bottom}, PullColor());
    }
    if (impacts[i] > 0.0 && x > last_mark + 1.2f * r) {
      DrawMark(list, x, y - PlotScaled(1.0f), ImpactColor());
      last_mark = x;
    }
  }
}

// The tasks' phases as bands with their names; the end of the scenario.
void DrawPhases(const Session& session, const Strip& strip, ImDrawList& list) {
  const std::vector<PhaseMark>& phases = session.now.phases;
  for (std::size_t i = 0; i < phases.size(); ++i) {
    const auto next = std::find_if(phases.begin() + static_cast<std::ptrdiff_t>(i) + 1, phases.end(),
                                   [&](const PhaseMark& mark) { return mark.task == phases[i].task; });
    const float from = std::clamp(strip.X(phases[i].time), strip.left, strip.right);
    const double end = next == phases.end() ? session.now.history_end : next->time;
    const float to = std::clamp(strip.X(end), strip.left, strip.right);
    if (!(to > from)) continue;
    list.AddRectFilled({from, strip.marks}, {to - 1.0f, strip.bottom}, TextColor(i % 2 == 0 ? 0.12f : 0.06f));
    if (to - from < ImGui::CalcTextSize(phases[i].name.c_str()).x + PlotScaled(6.0f)) continue;
    list.AddText({from + PlotScaled(3.0f), strip.marks}, MutedColor(), phases[i].name.c_str());
  }
  if (!session.now.end || session.now.is_playback) return;
  const double end = *session.now.end;
  if (!strip.Shows(end)) return;
  const float x = std::min(strip.X(end), strip.right - 1.0f);
  list.AddLine({x, strip.lane}, {x, strip.bottom}, TextColor(0.6f), PlotScaled(1.5f));
  // Beside the bars, which may be as low as a letter.
  const float width = ImGui::CalcTextSize("end").x, gap = PlotScaled(3.0f);
  const bool fits = x + gap + width < strip.right;
  list.AddText({fits ? x + gap : x - gap - width, strip.marks}, MutedColor(), "end");
}

void DrawBookmarks(Session& session, const Strip& strip, ImDrawList& list) {
  const std::vector<Bookmark>& bookmarks = session.timeline.bookmarks;
  for (const Bookmark& bookmark : bookmarks) {
    if (!strip.Shows(bookmark.time)) continue;
    const float x = strip.X(bookmark.time), flag = PlotScaled(9.0f);
    list.AddLine({x, strip.ruler}, {x, strip.bottom}, BookmarkColor(), PlotScaled(1.2f));
    list.AddTriangleFilled({x, strip.ruler}, {x + flag, strip.ruler + 0.4f * flag},
                           {x, strip.ruler + 0.8f * flag}, BookmarkColor());
  }
}

void DrawPlayhead(const Session& session, const Strip& strip, ImDrawList& list) {
  if (!strip.Shows(session.now.time)) return;
  const float x = strip.X(session.now.time), r = PlotScaled(kHalfPlayhead);
  list.AddLine({x, strip.ruler}, {x, strip.bottom}, TextColor(), PlotScaled(1.5f));
  list.AddTriangleFilled({x - r, strip.ruler}, {x + r, strip.ruler}, {x, strip.ruler + 1.4f * r},
                         TextColor());
}

double FindBudget(const std::optional<Budget>& budget) {
  return budget && !budget->is_none() ? budget->absolute : std::numeric_limits<double>::infinity();
}

// Where there is none, what others are held to: red then is what would have missed it.
double FindJudge(const std::optional<Budget>& budget) {
  return budget && !budget->is_none() ? budget->absolute : kDefaultBudget.absolute;
}

void DrawLanes(const Session& session, const Strip& strip, ImDrawList& list) {
  const Snapshot& now = session.now;
  list.AddRectFilled({strip.left, strip.lane}, {strip.right, strip.bottom}, PlotGroundColor());
  if (!now.companion)
    return DrawCertificate(session.samples, strip, strip.lane, strip.marks, FindJudge(now.budget), list);
  const float middle = 0.5f * (strip.lane + strip.marks);
  DrawCertificate(session.samples, strip, strip.lane, middle - 1.0f, FindJudge(now.budget), list);
  DrawCertificate(session.companion_samples, strip, middle, strip.marks, FindJudge(now.companion->budget),
                  list);
  const float rise = 0.5f * (middle - strip.lane - ImGui::GetFontSize());
  list.AddText({strip.left - PlotScaled(11.0f), strip.lane + rise}, RunColor(), "A");
  list.AddText({strip.left - PlotScaled(11.0f), middle + rise}, CompanionColor(), "B");
}

std::string DescribeStep(const SampleTable& samples, std::size_t i, const std::optional<Budget>& budget) {
  const double ncp = samples.column(Track::kNcpMax)[i], missed = samples.column(Track::kMissed)[i];
  std::string text = "ncp " + FormatValue(ncp, "m/s");
  if (missed > 0.0)
    text += ", missed the budget";
  else if (std::isfinite(FindBudget(budget)) && ncp <= FindBudget(budget))
    text += ", within the budget";
  return text;
}

// What happened there.
void ShowStripTooltip(const Session& session, const Strip& strip, double time) {
  ImGui::BeginTooltip();
  ImGui::Text("%.4f s", time);
  const Snapshot& now = session.now;
  const SampleTable& samples = session.samples;
  const std::size_t count = samples.CountUntil(time);
  if (count > 0) ImGui::TextUnformatted(DescribeStep(samples, count - 1, now.budget).c_str());
  if (now.companion) {
    const std::size_t other = session.companion_samples.CountUntil(time);
    if (other > 0)
      ImGui::Text("B: %s", DescribeStep(session.companion_samples, other - 1, now.companion->budget).c_str());
  }
  const double reach = 4.0 * (strip.upper - strip.lower) / (strip.right - strip.left);
  double impacts = 0.0, pull = 0.0;
  const std::size_t last = samples.CountUntil(time + reach);
  for (std::size_t i = samples.CountUntil(time - reach); i < last; ++i) {
    impacts += samples.column(Track::kImpacts)[i];
    pull = std::max(pull, samples.column(Track::kPull)[i]);
  }
  if (std::isnan(impacts)) ImGui::TextDisabled("impacts: not recorded");
  if (impacts > 0.0) ImGui::Text("impact: %.0f pair%s came into contact", impacts, impacts > 1.0 ? "s" : "");
  if (pull > 0.0) ImGui::Text("pulled with %.3g N", pull);
  for (const Bookmark& bookmark : session.timeline.bookmarks)
    if (std::abs(bookmark.time - time) < reach) ImGui::Text("bookmark: %s", bookmark.name.c_str());
  std::string phase;
  for (const PhaseMark& mark : now.phases)
    if (mark.time <= time) phase = mark.task + ": " + mark.name;
  if (!phase.empty()) ImGui::TextUnformatted(phase.c_str());
  if (time < now.history_start - 1e-9) ImGui::TextDisabled("the history begins at %.3f s", now.history_start);
  ImGui::EndTooltip();
}

// The bookmark under the pointer, for a click upon it.
const Bookmark* FindBookmarkAt(const Session& session, const Strip& strip, float x) {
  for (const Bookmark& bookmark : session.timeline.bookmarks)
    if (std::abs(strip.X(bookmark.time) - x) < PlotScaled(6.0f)) return &bookmark;
  return nullptr;
}

void ServeStripPointer(Session& session, const Strip& strip) {
  TimelineView& view = session.timeline;
  const ImGuiIO& io = ImGui::GetIO();
  const double time = std::clamp(strip.Time(io.MousePos.x), strip.lower, strip.upper);
  const Bookmark* const bookmark =
      io.MousePos.y < strip.lane ? FindBookmarkAt(session, strip, io.MousePos.x) : nullptr;
  if (ImGui::IsItemActive() && ImGui::IsMouseDown(ImGuiMouseButton_Left))
    SeekTo(session, bookmark ? bookmark->time : time);
  if (!ImGui::IsItemHovered()) return;
  if (io.MouseWheel != 0.0f) ZoomTimeline(session, time, io.MouseWheel);
  if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) view.is_all = true;
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Right)) view.dragged_from = time;
  if (ImGui::IsMouseDragging(ImGuiMouseButton_Right)) {
    const double shift = view.dragged_from - time;
    view.lower += shift, view.upper += shift;
    view.is_all = view.follows = false;
  }
  ShowStripTooltip(session, strip, time);
}

void ShowStrip(Session& session, ImVec2 from, ImVec2 size) {
  const float text = ImGui::GetFontSize();
  Strip strip{.left = from.x, .right = from.x + size.x, .ruler = from.y};
  strip.lane = from.y + text + PlotScaled(2.0f);
  strip.bottom = from.y + size.y;
  strip.marks = strip.bottom - text - PlotScaled(1.0f);
  strip.lower = session.timeline.lower, strip.upper = session.timeline.upper;
  ImGui::SetCursorScreenPos(from);
  ImGui::InvisibleButton("Strip", size, ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight);
  ui::Mark("Strip");
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect({from.x - PlotScaled(12.0f), from.y}, {from.x + size.x, from.y + size.y + 1.0f}, true);
  DrawLanes(session, strip, list);
  DrawRuler(session, strip, list);
  DrawPhases(session, strip, list);
  DrawMarks(session.samples, !session.now.phases.empty(), strip, list);
  DrawBookmarks(session, strip, list);
  DrawPlayhead(session, strip, list);
  list.PopClipRect();
  ServeStripPointer(session, strip);
}

}  // namespace

void UpdateTimeline(Session& session) {
  TimelineView& view = session.timeline;
  if (!session.has_model()) return;
  const auto [lower, upper] = FindExtent(session);
  if (view.is_all) {
    view.lower = lower, view.upper = upper;
    return;
  }
  const double end = std::max(session.now.history_end, session.now.time);
  if (view.follows && end > view.upper) {
    const double shift = end + 0.05 * (view.upper - view.lower) - view.upper;
    view.lower += shift, view.upper += shift;
  }
}

void ShowTimeline(Session& session, const Rectangle& place) {
  ImGui::SetNextWindowPos({place.x, place.y});
  ImGui::SetNextWindowSize({place.width, place.height});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {PlotScaled(8.0f), PlotScaled(5.0f)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0f);
  ImGui::Begin("Timeline", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoBringToFrontOnFocus |
                   ImGuiWindowFlags_NoFocusOnAppearing);
  ImGui::PopStyleVar(2);
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const float all = ImGui::GetContentRegionAvail().x, left = std::min(PlotScaled(214.0f), 0.45f * all);
  ImGui::PushClipRect(from, {from.x + left - PlotScaled(6.0f), from.y + place.height}, true);
  ShowButtons(session);
  ShowTime(session);
  ImGui::PopClipRect();
  ShowStrip(session, {from.x + left, from.y}, {all - left, place.height - PlotScaled(11.0f)});
  ImGui::End();
}

void SeekTo(Session& session, double time) {
  session.simulation.Do([time](Player& player) { player.Seek(time); });
}

void ZoomTimeline(Session& session, double about, float ticks) {
  TimelineView& view = session.timeline;
  const auto [lower, upper] = FindExtent(session);
  const double factor = std::pow(kTickFactor, -static_cast<double>(ticks));
  const double span = std::max((view.upper - view.lower) * factor, kLeastSpan);
  if (span >= upper - lower) {
    view.is_all = true;
    return;
  }
  const double part = (about - view.lower) / (view.upper - view.lower);
  view.lower = std::clamp(about - part * span, lower, upper - span);
  view.upper = view.lower + span;
  view.is_all = false;
  view.follows = !session.now.is_playback && view.lower <= session.now.history_end &&
                 session.now.history_end <= view.upper;
}

void AddBookmark(Session& session, double time) {
  std::vector<Bookmark>& bookmarks = session.timeline.bookmarks;
  char name[48];
  std::snprintf(name, sizeof name, "%.4f s", time);
  const auto place = std::lower_bound(bookmarks.begin(), bookmarks.end(), time,
                                      [](const Bookmark& b, double t) { return b.time < t; });
  if (place == bookmarks.end() || place->time != time) bookmarks.insert(place, {time, name});
}

void ToggleBookmark(Session& session) {
  if (!session.has_model()) return;
  const double time = session.now.time, near = 0.25 * session.now.timestep;
  const auto is_here = [&](const Bookmark& b) { return std::abs(b.time - time) <= near; };
  if (std::erase_if(session.timeline.bookmarks, is_here) == 0) AddBookmark(session, time);
}

void GoToBookmark(Session& session, int direction) {
  const double now = session.now.time, near = 0.25 * session.now.timestep;
  const Bookmark* found = nullptr;
  for (const Bookmark& bookmark : session.timeline.bookmarks) {
    const double ahead = direction * (bookmark.time - now);
    if (ahead > near && (!found || ahead < direction * (found->time - now))) found = &bookmark;
  }
  if (found) SeekTo(session, found->time);
}

}  // namespace stiction::viewer

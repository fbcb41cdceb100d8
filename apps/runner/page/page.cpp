#include "page.h"

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "build_info.h"
#include "page_files.h"
#include "plot/figure.h"
#include "plot/svg_drawing.h"

namespace stiction::runner {
namespace {

constexpr double kPlotWidth = 620, kPlotHeight = 110;  // [px]

std::string ReplaceMark(const std::string& page, const std::string& mark, const std::string& text) {
  const std::size_t at = page.find(mark);
  return at == std::string::npos ? page : page.substr(0, at) + text + page.substr(at + mark.size());
}

using Points = std::vector<std::pair<double, double>>;

Points OverTime(const std::vector<double>& time, const std::vector<double>& values, double scale = 1.0) {
  Points points;
  for (std::size_t i = 0; i < std::min(time.size(), values.size()); ++i)
    points.emplace_back(time[i], scale * values[i]);
  return points;
}

PlotCurve MakeBound(const std::string& label, double value, double from, double to) {
  return {.label = label, .points = {{from, value}, {to, value}}, .is_faint = true};
}

// "drift of part in arm/hand": the name of a panel, with the unit of the quantity.
PlotPanel MakeExpectationPanel(const ExpectationResult& result, const std::vector<double>& values,
                               const PageRecorder& recorder) {
  const Expectation& e = result.expectation;
  const std::vector<double>& time = recorder.series().time;
  PlotPanel panel{.y_title = std::string(ToString(e.what)) + (e.of.empty() ? "" : " of " + e.of)};
  panel.curves.push_back({.points = OverTime(time, values)});
  if (e.max) panel.curves.push_back(MakeBound("max", *e.max, recorder.start(), recorder.end()));
  if (e.min) panel.curves.push_back(MakeBound("min", *e.min, recorder.start(), recorder.end()));
  return panel;
}

// The certificate, contacts and forces; of a scenario also what it expects, but for what these show.
PlotFigure MakeFigure(const PageRecorder& recorder, const PageContent& content) {
  const PageRecorder::Series& s = recorder.series();
  PlotFigure figure{
      .x_title = "time [s]", .has_tight_x = true, .width = kPlotWidth, .panel_height = kPlotHeight};
  PlotPanel ncp{.y_title = "certificate [m/s]", .y_scale = PlotScale::kLogarithmic};
  ncp.curves.push_back({.label = "ncp", .points = OverTime(s.time, s.ncp)});
  if (content.budget && !content.budget->is_none())
    ncp.curves.push_back(MakeBound("budget", content.budget->absolute, recorder.start(), recorder.end()));
  figure.panels.push_back(std::move(ncp));
  PlotPanel force{.y_title = "largest force [N]", .y_scale = PlotScale::kLinearFromZero};
  force.curves.push_back({.points = OverTime(s.time, s.force)});
  figure.panels.push_back(std::move(force));
  PlotPanel penetration{.y_title = "overlap [µm]", .y_scale = PlotScale::kLinearFromZero};
  penetration.curves.push_back({.points = OverTime(s.time, s.penetration, 1e6)});
  figure.panels.push_back(std::move(penetration));
  for (std::size_t i = 0; i < content.expectation_values.size(); ++i) {
    const Quantity what = content.expectations[i].expectation.what;
    if (what == Quantity::kNcp || what == Quantity::kPenetration) continue;
    figure.panels.push_back(
        MakeExpectationPanel(content.expectations[i], content.expectation_values[i], recorder));
  }
  return figure;
}

// Browsers end lines after a hyphen: not within 1e-07.
std::string KeepNumbersWhole(std::string text) {
  const auto is_digit = [&](std::size_t i) { return i < text.size() && text[i] >= '0' && text[i] <= '9'; };
  for (std::size_t i = text.find("e-"); i != std::string::npos; i = text.find("e-", i + 1))
    if (i > 0 && is_digit(i - 1) && is_digit(i + 2)) text.insert(i + 2, "\u2060");
  return text;
}

std::string MakeExpectationTable(const std::vector<ExpectationResult>& results) {
  if (results.empty()) return "";
  std::string rows;
  for (const ExpectationResult& result : results) {
    const Expectation& e = result.expectation;
    char time[32];
    std::snprintf(time, sizeof time, "%.9g", result.time);
    rows += std::string("<tr class=\"") + (result.is_met ? "good" : "bad") + "\" data-time=\"" + time +
            "\"><td>" + (result.is_met ? "✓" : "✗") + "</td><td>" +
            KeepNumbersWhole(EscapeMarkup(Describe(result))) + "</td><td class=\"place\">" +
            EscapeMarkup(std::filesystem::path(e.file).filename().string() + ":" + std::to_string(e.line)) +
            "</td></tr>\n";
  }
  return "<section class=\"card\"><h2>Expected</h2><table id=\"expectations\">\n" + rows +
         "</table></section>\n";
}

std::string MakeHead(const PageContent& content) {
  std::string head = "<h1>" + EscapeMarkup(content.title) + "</h1>";
  if (content.has_verdict)
    head += std::string("<span class=\"verdict ") + (content.is_good ? "good\">passed" : "bad\">failed") +
            "</span>";
  head += "<dl>";
  for (const auto& [name, value] : content.facts)
    head += "<div><dt>" + EscapeMarkup(name) + "</dt><dd>" + EscapeMarkup(value) + "</dd></div>";
  return head + "</dl>";
}

// Inside of a script element nothing may look like its end.
std::string MakeData(const PageRecorder& recorder, const PlotFigure::Placing& placing) {
  Json data = recorder.Finish();
  data["plot"] = {{"left", placing.left},     {"right", placing.right},   {"top", placing.top},
                  {"bottom", placing.bottom}, {"lower", placing.x_lower}, {"upper", placing.x_upper},
                  {"width", placing.width},   {"height", placing.height}};
  const std::string text = data.dump(-1, ' ', true, Json::error_handler_t::replace);
  std::string out;
  for (const char c : text) out += c == '<' ? std::string("\\u003c") : std::string(1, c);
  return out;
}

// Without the prolog and the name of its language, which within a page go without saying.
std::string MakeInlineSvg(const PlotFigure& figure, PlotFigure::Placing& placing) {
  const std::string svg = figure.Draw(&placing);
  return ReplaceMark(svg.substr(svg.find("<svg")), " xmlns=\"http://www.w3.org/2000/svg\"", "");
}

std::string MakeNotes(const PageRecorder& recorder, const PageContent& content) {
  std::string notes;
  for (const std::string& note : content.notes) notes += "<p>" + EscapeMarkup(note) + "</p>";
  if (!recorder.note().empty()) notes += "<p>" + EscapeMarkup(recorder.note()) + "</p>";
  return notes + "<p>Stiction " STICTION_VERSION ", commit " + kCommit + "</p>";
}

}  // namespace

void WritePage(const std::string& path, const PageRecorder& recorder, const PageContent& content) {
  PlotFigure::Placing placing;
  const std::string svg = MakeInlineSvg(MakeFigure(recorder, content), placing);
  std::string page = kPageHtml;
  page = ReplaceMark(page, "@TITLE@", EscapeMarkup(content.title));
  page = ReplaceMark(page, "@STYLE@", kPageStyle);
  page = ReplaceMark(page, "@HEAD@", MakeHead(content));
  page = ReplaceMark(page, "@EXPECTATIONS@", MakeExpectationTable(content.expectations));
  page = ReplaceMark(page, "@PLOT@", svg);
  page = ReplaceMark(page, "@NOTES@", MakeNotes(recorder, content));
  page = ReplaceMark(page, "@DATA@", MakeData(recorder, placing));
  page = ReplaceMark(page, "@SCRIPT@", kPageScript);
  std::ofstream file(path, std::ios::binary);
  file << page;
  file.close();
  if (!file) throw std::runtime_error("cannot write " + path);
}

}  // namespace stiction::runner

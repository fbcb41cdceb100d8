// The report as one HTML page: text, style, plots and pictures are all inside.
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "build_info.h"
#include "page/base64.h"
#include "plot/svg_drawing.h"
#include "report_files.h"
#include "report_style.h"

namespace stiction::runner {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kFewRows = 12;  // of tables that stand open

// Class of style of a verdict.
const char* ToneOf(const std::string& verdict) {
  if (verdict == ToString(PaperVerdict::kHeld)) return "good";
  return verdict == ToString(PaperVerdict::kNotHeld) ? "bad" : "open";
}

const char* ToneOf(const ReportCount& count) {
  if (count.not_held + count.failed > 0) return "bad";
  return count.held > 0 && count.left == 0 ? "good" : "open";
}

std::string Text(const Json& text) {
  return EscapeMarkup(text.get<std::string>());
}

std::string Element(const char* name, const std::string& inside, const std::string& style = "") {
  return std::string("<") + name + (style.empty() ? "" : " class=\"" + style + "\"") + ">" + inside + "</" +
         name + ">";
}

std::string FormatToday() {
  const std::time_t now = std::time(nullptr);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", std::gmtime(&now));
  return text;
}

std::string FormatSeconds(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, seconds < 10.0 ? "%.1f s" : "%.0f s", seconds);
  return text;
}

// Shares of held, not held, and neither, as widths.
std::string MakeBar(const ReportCount& count) {
  const int open = count.refuted + count.not_measured;
  const int all = std::max(1, count.held + count.not_held + open);
  std::string bar = "<div class=\"bar\">";
  for (const auto& [number, tone] :
       {std::pair{count.held, "good"}, {count.not_held, "bad"}, {open, "open"}}) {
    char width[64];
    std::snprintf(width, sizeof width, "\" style=\"width:%.3f%%\"></i>", 100.0 * number / all);
    bar += std::string("<i class=\"") + tone + width;
  }
  return bar + "</div>";
}

std::string MakeSummaryTable(const std::vector<ReportChapter>& chapters) {
  std::string rows =
      "<tr><th>Chapter</th><th class=\"number\">rows</th><th class=\"number\">held</th><th "
      "class=\"number\">not "
      "held</th><th class=\"number\">refuted</th><th class=\"number\">not measured</th><th "
      "class=\"number\">not run</th><th "
      "class=\"number\">time</th><th class=\"number\">of the processor</th></tr>\n";
  for (const ReportChapter& chapter : chapters) {
    const ReportCount& c = chapter.count;
    rows += std::string("<tr><td><a href=\"#") + chapter.group->name + "\">" +
            EscapeMarkup(chapter.group->title) + "</a></td>";
    for (const int number : {c.rows, c.held, c.not_held, c.refuted, c.not_measured, c.failed + c.left})
      rows += Element("td", std::to_string(number), "number");
    rows += Element("td", FormatSeconds(c.seconds), "number") +
            Element("td", FormatSeconds(c.processor_seconds), "number") + "</tr>\n";
  }
  return Element("table", rows);
}

std::string MakeFigureTable(const Json& answer) {
  std::string rows =
      "<tr><th>source</th><th>quantity</th><th>" + Text(answer["claim"]) +
      "</th><th>ours</th><th class=\"number\">ratio</th><th>verdict</th><th>remark</th></tr>\n";
  for (const Json& f : answer["figures"]) {
    const std::string tone = ToneOf(f["verdict"].get<std::string>());
    rows += "<tr class=\"" + tone + "\">" + Element("td", Text(f["source"]), "source") +
            Element("td", Text(f["quantity"])) + Element("td", Text(f["claim"])) +
            Element("td", Text(f["ours"])) + Element("td", FormatRatio(f["ratio"]), "number") +
            Element("td", Text(f["verdict"]), "verdict " + tone) +
            Element("td", Text(f["remark"]), "remark") + "</tr>\n";
  }
  return "<div class=\"scroll\">" + Element("table", rows) + "</div>\n";
}

std::string MakeTables(const Json& tables) {
  if (tables.empty()) return "";
  std::string text;
  std::size_t num_rows = 0;
  for (const Json& table : tables) {
    num_rows += table["rows"].size();
    std::string rows = "<tr>";
    for (const Json& column : table["columns"]) rows += Element("th", Text(column));
    rows += "</tr>\n";
    for (const Json& row : table["rows"]) {
      rows += "<tr>";
      for (const Json& cell : row) rows += Element("td", Text(cell));
      rows += "</tr>\n";
    }
    text +=
        Element("h4", Text(table["title"])) + "<div class=\"scroll\">" + Element("table", rows) + "</div>\n";
  }
  const char* details = num_rows <= kFewRows ? "<details open><summary>" : "<details><summary>";
  return details + std::to_string(tables.size()) + (tables.size() == 1 ? " table" : " tables") +
         " of all that was measured</summary>" + text + "</details>\n";
}

// Without the prolog and the name of its language, which within a page go without saying.
std::string MakeInline(const std::string& svg) {
  const std::string name = " xmlns=\"http://www.w3.org/2000/svg\"";
  std::string out = svg.substr(std::min(svg.size(), svg.find("<svg")));
  if (const std::size_t at = out.find(name); at != std::string::npos) out.erase(at, name.size());
  return out;
}

std::string MakePicture(const fs::path& folder, const Json& picture) {
  const std::string file = picture["file"], fault = picture["fault"];
  std::ifstream in(folder / file, std::ios::binary);
  if (!fault.empty() || !in)
    return "<p class=\"soft\">The picture is skipped: " +
           EscapeMarkup(fault.empty() ? "it is not there" : fault) + ".</p>\n";
  std::ostringstream bytes;
  bytes << in.rdbuf();
  const std::string png = std::move(bytes).str();
  return "<figure><img alt=\"" + Text(picture["caption"]) + "\" src=\"data:image/png;base64," +
         EncodeBase64(png.data(), png.size()) + "\"><figcaption>" + Text(picture["caption"]) +
         "</figcaption></figure>\n";
}

std::string MakeMedia(const fs::path& folder, const Json& answer) {
  std::string text;
  for (const Json& picture : answer["pictures"]) text += MakePicture(folder, picture);
  for (const Json& plot : answer["plots"]) text += Element("figure", MakeInline(plot["svg"])) + "\n";
  return text.empty() ? "" : "<div class=\"media\">\n" + text + "</div>\n";
}

std::string MakeCard(const fs::path& folder, const ReportRow& row) {
  const PaperExperiment& experiment = *row.experiment;
  ReportCount count;
  count.Add(row);
  const std::string tone = ToneOf(count);
  std::string card = "<section class=\"card " + tone + "\" id=\"" + experiment.FullName() +
                     "\">\n<header><h3>" + EscapeMarkup(experiment.title) + "<small>" +
                     experiment.FullName() + "</small></h3>" +
                     Element("span", count.Describe(), "badge " + tone) + "</header>\n" +
                     Element("p", EscapeMarkup(experiment.reference), "reference") + "\n";
  if (!row.answer) return card + Element("p", "This row has not run yet.", "soft") + "</section>\n";
  const Json& answer = *row.answer;
  if (row.has_failed())
    return card + Element("p", "This row failed to run: " + Text(answer["error"]) + ".", "trouble") +
           Element("p", "To see it fail: " + Element("code", Text(answer["command"])), "command") +
           "</section>\n";
  card += Element("p", Text(answer["about"])) + "<div class=\"body\">\n" + MakeFigureTable(answer) +
          MakeMedia(folder / row.Folder(), answer) + MakeTables(answer["tables"]) + "</div>\n";
  for (const Json& note : answer["notes"]) card += Element("p", Text(note), "soft") + "\n";
  return card + "<p class=\"command\">" + Element("code", Text(answer["command"])) + " took " +
         FormatSeconds(answer["seconds"]) + " (" + FormatSeconds(answer["processor_seconds"]) +
         " of processor time)</p>\n</section>\n";
}

std::string MakePageHead(const ReportHead& head, const ReportCount& count,
                         const std::vector<ReportChapter>& chapters) {
  std::string text = Element("h1", "Stiction: one report") + "\n";
  text +=
      Element(
          "p",
          "What papers print, users complain of, and other engines do, measured by one program, each figure "
          "with a verdict. <b>Held</b> means that our figure is within what is claimed beside it, <b>not "
          "held</b> that it is not, <b>refuted</b> that a measurement of the same row contradicts the claim, "
          "and <b>not measured</b> that it could not be taken here; nothing is left "
          "out because it came out badly. The ratio is ours over the claim; of an "
          "interval, how far from its middle, over half of it.",
          "lead") +
      "\n" + MakeBar(count) +
      Element("p", "<b>" + count.Describe() + "</b> in " + std::to_string(count.rows) + " rows") + "\n" +
      MakeSummaryTable(chapters) + "<p class=\"facts\">Commit " + kCommit + ", " + kCompiler + " · " +
      EscapeMarkup(DescribeMachine()) +
      (head.jobs > 1 ? ", " + std::to_string(head.jobs) + " rows at a time" : "") + " · " + FormatToday() +
      " · <code>" + EscapeMarkup(head.command) + "</code></p>\n";
  if (!head.left_out.empty())
    text += Element("p", "Left out of this quick report: " + EscapeMarkup(head.left_out) + ".", "soft");
  return text;
}

}  // namespace

std::string MakeReportPage(const std::string& folder, const ReportHead& head,
                           const std::vector<ReportRow>& rows) {
  const std::vector<ReportChapter> chapters = MakeChapters(rows);
  std::string page =
      std::string(
          "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
          "name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Stiction: one "
          "report</title>\n<style>\n") +
      kReportStyle + "</style>\n</head>\n<body>\n<header>\n" + MakePageHead(head, CountAll(rows), chapters) +
      "</header>\n<input type=\"checkbox\" id=\"only\"><label for=\"only\">only what is not "
      "held</label>\n<main>\n";
  for (const ReportChapter& chapter : chapters) {
    page += std::string("<h2 id=\"") + chapter.group->name + "\">" + EscapeMarkup(chapter.group->title) +
            "</h2>\n" + Element("p", EscapeMarkup(chapter.group->about), "soft") + "\n";
    for (const ReportRow* row : chapter.rows) page += MakeCard(folder, *row);
  }
  return page +
         "</main>\n<footer>Each card names the command that measures it again. "
         "Apache-2.0.</footer>\n</body>\n</html>\n";
}

}  // namespace stiction::runner

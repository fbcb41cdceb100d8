#include "report_files.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "bench_table.h"
#include "build_info.h"

namespace stiction::runner {
namespace {

namespace fs = std::filesystem;

// Under another name first: what was there stays until the new one is whole.
void ReplaceFile(const fs::path& path, const std::string& text) {
  const fs::path fresh = path.string() + ".new";
  std::ofstream out(fresh, std::ios::binary);
  out << text;
  out.close();
  std::error_code error;
  if (out) fs::rename(fresh, path, error);
  if (out && !error) return;
  fs::remove(fresh, error);
  throw std::runtime_error("cannot write " + path.string());
}

std::string MarkdownRow(const std::vector<std::string>& cells) {
  std::string row = "|";
  for (const std::string& cell : cells) {
    row += " ";
    for (const char c : cell) row += c == '|' ? std::string("\\|") : c == '\n' ? " " : std::string(1, c);
    row += " |";
  }
  return row + "\n";
}

std::string MarkdownTable(const std::vector<std::string>& columns,
                          const std::vector<std::vector<std::string>>& rows) {
  std::string text = MarkdownRow(columns) + "|";
  for (std::size_t i = 0; i < columns.size(); ++i) text += "---|";
  text += "\n";
  for (const std::vector<std::string>& row : rows) text += MarkdownRow(row);
  return text;
}

std::string MakeSummary(const std::vector<ReportChapter>& chapters) {
  std::vector<std::vector<std::string>> rows;
  for (const ReportChapter& chapter : chapters) {
    const ReportCount& c = chapter.count;
    char seconds[32];
    std::snprintf(seconds, sizeof seconds, "%.0f s", c.processor_seconds);
    rows.push_back({chapter.group->title, std::to_string(c.rows), std::to_string(c.held),
                    std::to_string(c.not_held), std::to_string(c.refuted), std::to_string(c.not_measured),
                    std::to_string(c.failed + c.left), seconds});
  }
  return MarkdownTable(
      {"Chapter", "Rows", "Held", "Not held", "Refuted", "Not measured", "Not run", "Processor time"}, rows);
}

std::string MakeMarkdownRow(const ReportRow& row) {
  const PaperExperiment& experiment = *row.experiment;
  std::string text = "\n### " + experiment.FullName() + ": " + experiment.title + "\n\n";
  if (!row.answer) return text + "Not run yet.\n";
  const Json& answer = *row.answer;
  if (row.has_failed())
    return text + "**This row failed to run**: " + answer["error"].get<std::string>() + ".\n\n`" +
           answer["command"].get<std::string>() + "`\n";
  text += answer["about"].get<std::string>() + "\n\n`" + answer["command"].get<std::string>() + "`\n\n";
  std::vector<std::vector<std::string>> figures;
  for (const Json& f : answer["figures"])
    figures.push_back({f["source"], f["quantity"], f["claim"], f["ours"], FormatRatio(f["ratio"]),
                       "**" + f["verdict"].get<std::string>() + "**", f["remark"]});
  text +=
      MarkdownTable({"Source", "Quantity", answer["claim"], "Ours", "Ratio", "Verdict", "Remark"}, figures);
  for (const Json& table : answer["tables"])
    text += "\n" + table["title"].get<std::string>() + "\n\n" +
            MarkdownTable(table["columns"].get<std::vector<std::string>>(),
                          table["rows"].get<std::vector<std::vector<std::string>>>());
  for (const Json& plot : answer["plots"])
    text += "\n![" + plot["title"].get<std::string>() + "](" + row.Folder() + "/" +
            plot["file"].get<std::string>() + ")\n";
  for (const Json& picture : answer["pictures"]) {
    const std::string file = picture["file"], caption = picture["caption"], fault = picture["fault"];
    text += fault.empty() ? "\n![" + caption + "](" + row.Folder() + "/" + file + ")\n\n" + caption + "\n"
                          : "\nPicture " + file + " is skipped: " + fault + "\n";
  }
  for (const Json& note : answer["notes"]) text += "\nNote: " + note.get<std::string>() + "\n";
  return text;
}

std::string MakeMarkdown(const ReportHead& head, const std::vector<ReportRow>& rows) {
  const std::vector<ReportChapter> chapters = MakeChapters(rows);
  std::string text = "# Stiction: one report\n\nCommit " + std::string(kCommit) + ", " + kCompiler + ", " +
                     DescribeMachine() + ", `" + head.command + "`: " + CountAll(rows).Describe() + ".\n\n" +
                     MakeSummary(chapters);
  if (!head.left_out.empty()) text += "\nLeft out of this quick report: " + head.left_out + ".\n";
  for (const ReportChapter& chapter : chapters) {
    text += std::string("\n## ") + chapter.group->title + "\n\n" + chapter.group->about + "\n";
    for (const ReportRow* row : chapter.rows) text += MakeMarkdownRow(*row);
  }
  return text;
}

std::string CsvRow(const std::vector<std::string>& cells) {
  std::string row;
  for (std::size_t i = 0; i < cells.size(); ++i) row += (i > 0 ? "," : "") + Cell(cells[i]);
  return row + "\n";
}

std::string MakeFiguresCsv(const std::vector<ReportRow>& rows) {
  std::string csv = CsvRow({"experiment", "source", "quantity", "claim", "ours", "ratio", "verdict", "remark",
                            "command", "commit"});
  for (const ReportRow& row : rows) {
    if (row.has_failed())
      csv += CsvRow({row.experiment->FullName(), "", "", "", "", "", "failed to run", (*row.answer)["error"],
                     (*row.answer)["command"], kCommit});
    if (!row.has_answer()) continue;
    for (const Json& f : (*row.answer)["figures"])
      csv += CsvRow({row.experiment->FullName(), f["source"], f["quantity"], f["claim"], f["ours"],
                     f["ratio"].is_number() ? f["ratio"].dump() : "", f["verdict"], f["remark"],
                     (*row.answer)["command"], kCommit});
  }
  return csv;
}

}  // namespace

void WriteReportFiles(const std::string& folder, const ReportHead& head, const std::vector<ReportRow>& rows) {
  const fs::path in = folder;
  ReplaceFile(in / "figures.csv", MakeFiguresCsv(rows));
  ReplaceFile(in / "summary.md", MakeSummary(MakeChapters(rows)));
  ReplaceFile(in / "report.md", MakeMarkdown(head, rows));
  ReplaceFile(in / kReportPage, MakeReportPage(folder, head, rows));
}

}  // namespace stiction::runner

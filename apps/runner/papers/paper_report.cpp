#include "paper_report.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>

#include "bench_table.h"
#include "build_info.h"
#include "command.h"
#include "paper_picture.h"

namespace stiction::runner {
namespace {

namespace fs = std::filesystem;

constexpr const char* kReportName = "report.md";

void WriteText(const fs::path& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.close();
  if (!out) throw UsageError("--out: cannot write " + path.string());
}

std::string NameOfPicture(const MeasuredExperiment& measured, const PaperPicture& picture) {
  return measured.experiment->FileStem() + "_" + picture.name + ".png";
}

std::string NameOfFile(const MeasuredExperiment& measured, const PaperFile& file) {
  return measured.experiment->FileStem() + "_" + file.name;
}

// A cell of a Markdown table.
std::string Escape(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out;
}

std::string FormatRow(const std::vector<std::string>& cells) {
  std::string row = "|";
  for (const std::string& cell : cells) row += " " + Escape(cell) + " |";
  return row + "\n";
}

std::string FormatTable(const std::vector<std::string>& columns,
                        const std::vector<std::vector<std::string>>& rows) {
  std::string text = FormatRow(columns) + "|";
  for (std::size_t i = 0; i < columns.size(); ++i) text += "---|";
  text += "\n";
  for (const std::vector<std::string>& row : rows) text += FormatRow(row);
  return text;
}

std::string FormatCsvRow(const std::vector<std::string>& cells) {
  std::string row;
  for (std::size_t i = 0; i < cells.size(); ++i) row += (i > 0 ? "," : "") + Cell(cells[i]);
  return row + "\n";
}

std::string FormatFigures(const PaperExperiment& experiment, const PaperOutcome& outcome) {
  std::vector<std::vector<std::string>> rows;
  for (const PaperFigure& f : outcome.figures)
    rows.push_back(
        {f.source, f.quantity, f.paper, f.ours, "**" + std::string(ToString(f.verdict)) + "**", f.remark});
  return FormatTable({"source", "quantity", experiment.claim, "ours", "verdict", "remark"}, rows);
}

std::string WriteTables(const fs::path& folder, const MeasuredExperiment& measured) {
  std::string markdown, csv;
  for (const PaperTable& table : measured.outcome.tables) {
    markdown += "\n" + table.title + "\n\n" + FormatTable(table.columns, table.rows);
    csv += (csv.empty() ? "" : "\n") + Cell(table.title) + "\n" + FormatCsvRow(table.columns);
    for (const std::vector<std::string>& row : table.rows) csv += FormatCsvRow(row);
  }
  const std::string name = measured.experiment->FileStem() + ".csv";
  if (!csv.empty()) WriteText(folder / name, csv);
  return markdown;
}

std::string WritePlots(const fs::path& folder, const MeasuredExperiment& measured) {
  std::string markdown;
  for (const PaperPlot& plot : measured.outcome.plots) {
    const std::string name = measured.experiment->FileStem() + "_" + plot.name + ".svg";
    WriteText(folder / name, plot.plot.Draw());
    markdown += "\n![" + plot.plot.title + ": " + plot.plot.panels[0].y_title + " over " + plot.plot.x_title +
                "](" + name + ")\n";
  }
  for (const PaperDrawing& drawing : measured.outcome.drawings) {
    const std::string name = measured.experiment->FileStem() + "_" + drawing.name + ".svg";
    WriteText(folder / name, drawing.svg);
    markdown += "\n![" + drawing.title + "](" + name + ")\n";
  }
  return markdown;
}

std::string FormatFiles(const MeasuredExperiment& measured) {
  std::string markdown;
  for (const PaperFile& file : measured.outcome.files) {
    const std::string name = NameOfFile(measured, file);
    markdown += (markdown.empty() ? "\nFiles: [" : ", [") + name + "](" + name + ")";
  }
  return markdown.empty() ? "" : markdown + "\n";
}

std::string FormatPictures(const MeasuredExperiment& measured) {
  std::string markdown;
  for (std::size_t i = 0; i < measured.picture_faults.size(); ++i) {
    const PaperPicture& picture = measured.outcome.pictures[i];
    const std::string name = NameOfPicture(measured, picture), &fault = measured.picture_faults[i];
    markdown += fault.empty() ? "\n![" + picture.caption + "](" + name + ")\n\n" + picture.caption + "\n"
                              : "\nPicture " + name + " is skipped: " + fault + "\n";
  }
  return markdown;
}

std::string WriteExperiment(const fs::path& folder, const MeasuredExperiment& measured) {
  const PaperExperiment& experiment = *measured.experiment;
  char seconds[32];
  std::snprintf(seconds, sizeof seconds, "%.1f s", measured.seconds);
  return "\n## " + experiment.FullName() + ": " + experiment.title + "\n\n" + measured.outcome.about +
         "\n\nBy `" + measured.command + "`, " + seconds + ".\n\n" +
         FormatFigures(experiment, measured.outcome) + WriteTables(folder, measured) +
         WritePlots(folder, measured) + FormatFiles(measured) + FormatPictures(measured);
}

std::string FormatFiguresCsv(const std::vector<MeasuredExperiment>& measured) {
  std::string csv = FormatCsvRow({"experiment", "source", "quantity", measured.front().experiment->claim,
                                  "ours", "verdict", "remark", "command", "commit"});
  for (const MeasuredExperiment& m : measured)
    for (const PaperFigure& f : m.outcome.figures)
      csv += FormatCsvRow({m.experiment->FullName(), f.source, f.quantity, f.paper, f.ours,
                           ToString(f.verdict), f.remark, m.command, kCommit});
  return csv;
}

}  // namespace

void PrintPaperFigures(const MeasuredExperiment& measured) {
  std::printf("%s: %s (%s)\n", measured.experiment->FullName().c_str(), measured.experiment->title,
              measured.command.c_str());
  for (const PaperFigure& f : measured.outcome.figures)
    std::printf("  %-12s %-9s %s: %s %s, ours %s%s%s\n", ToString(f.verdict), f.source.c_str(),
                f.quantity.c_str(), measured.experiment->claim, f.paper.c_str(), f.ours.c_str(),
                f.remark.empty() ? "" : "; ", f.remark.c_str());
  std::fflush(stdout);
  for (std::size_t i = 0; i < measured.picture_faults.size(); ++i) {
    const std::string name = NameOfPicture(measured, measured.outcome.pictures[i]);
    const std::string& fault = measured.picture_faults[i];
    if (!fault.empty()) std::fprintf(stderr, "%s is skipped: %s\n", name.c_str(), fault.c_str());
  }
}

std::string CountVerdicts(const std::vector<MeasuredExperiment>& measured) {
  std::map<PaperVerdict, int> counts;
  for (const MeasuredExperiment& m : measured)
    for (const PaperFigure& f : m.outcome.figures) ++counts[f.verdict];
  std::string text;
  for (const PaperVerdict verdict :
       {PaperVerdict::kHeld, PaperVerdict::kNotHeld, PaperVerdict::kRefuted, PaperVerdict::kNotMeasured}) {
    if (counts[verdict] > 0)
      text += (text.empty() ? "" : ", ") + std::to_string(counts[verdict]) + " " + ToString(verdict);
  }
  return text;
}

void MakeReportFolder(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error || !fs::is_directory(folder))
    throw UsageError("--out: cannot make the folder " + folder + ": " +
                     (error ? error.message() : "there is a file of that name"));
}

void WriteFilesAndPictures(const std::string& folder, MeasuredExperiment& measured) {
  for (const PaperFile& file : measured.outcome.files)
    file.write((fs::path(folder) / NameOfFile(measured, file)).string());
  measured.picture_faults.clear();
  for (const PaperPicture& picture : measured.outcome.pictures) {
    measured.picture_faults.push_back(DrawPaperPicture(picture, folder, NameOfPicture(measured, picture)));
  }
}

void WritePaperReport(const std::string& folder, const std::string& title,
                      const std::vector<MeasuredExperiment>& measured) {
  std::string markdown =
      "# " + title + "\n\nCommit " + std::string(kCommit) + ": " + CountVerdicts(measured) + ".\n";
  for (const MeasuredExperiment& m : measured) markdown += WriteExperiment(folder, m);
  markdown += "\n## References\n";
  std::string last;
  for (const MeasuredExperiment& m : measured) {
    if (last != m.experiment->paper)
      markdown += "\n- " + std::string(m.experiment->paper) + ": " + m.experiment->reference + "\n";
    last = m.experiment->paper;
  }
  WriteText(fs::path(folder) / "figures.csv", FormatFiguresCsv(measured));
  WriteText(fs::path(folder) / kReportName, markdown);
}

}  // namespace stiction::runner

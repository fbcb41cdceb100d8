// The experiments of the papers whose methods are solvers here, measured again: `stiction bench papers`; and
// what else is measured and held against something known (experiment_suites.h).
//
// An experiment is a file with one function that measures, and a line in paper_experiment.cpp. What it
// returns is data: figures to be held against what the paper prints, tables, plots, pictures. The report
// (paper_report.h) is written from that alone, so that an experiment knows nothing of files.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "plot/figure.h"

namespace stiction::runner {

// kRefuted: what is claimed is not so, by a measurement of the same row that contradicts it: a
// counterexample, or every choice of what the paper leaves open. kNotHeld: we are slower or worse, or it is
// not known why.
enum class PaperVerdict { kHeld, kNotHeld, kRefuted, kNotMeasured };
// "held", "not held", "refuted", "not measured".
const char* ToString(PaperVerdict verdict);

// A row of the report: one figure that the paper prints or draws, and ours.
struct PaperFigure {
  std::string source{};    // where the paper has it: "Fig. 7", "Table II"
  std::string quantity{};  // what is measured, and of which solver
  std::string paper{};     // what it says
  std::string ours{};
  PaperVerdict verdict = PaperVerdict::kNotMeasured;
  std::string remark{};  // how it was measured; or why it is not held, with the proof if it is refuted
  // Ours over what the paper says, or over the bound, where both are numbers of one kind.
  std::optional<double> ratio{};
};

PaperVerdict Judge(bool is_held);
//   is_refuted  by an experiment; of no account where the figure is held
PaperVerdict Judge(bool is_held, bool is_refuted);

// Cells are text. The first column is the row's name.
struct PaperTable {
  std::string title;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
};

struct PaperPlot {
  std::string name;  // of the file, behind the experiment's
  PlotFigure plot;   // of one panel
};

// A model or a state, for whoever wants to look at it.
struct PaperFile {
  std::string name;  // behind the experiment's
  std::function<void(const std::string& path)> write;
};

// What the viewer's program draws: `stiction render ARGUMENTS --out FILE`, in the report's folder.
struct PaperPicture {
  std::string name;  // of the file, behind the experiment's
  std::string caption;
  std::vector<std::string> arguments;
};

// A plot that is drawn already, for what PlotFigure does not draw.
struct PaperDrawing {
  std::string name;  // of the file, behind the experiment's
  std::string title;
  std::string svg;  // the document
};

struct PaperOutcome {
  std::string about;  // what was simulated, in sentences
  std::vector<PaperFigure> figures;
  std::vector<PaperTable> tables;
  std::vector<PaperPlot> plots;
  std::vector<PaperFile> files;
  std::vector<PaperPicture> pictures;
  std::vector<PaperDrawing> drawings{};
};

struct PaperOptions {
  int cases = 0;  // of an experiment; 0: as many as in the paper
  unsigned seed = 1;
  bool is_quick = false;  // a part of what there is to measure, in seconds
};

struct PaperExperiment {
  const char* paper;  // a short name: "canal"
  const char* name;   // "nut"; the whole is "canal.nut"
  const char* title;
  const char* reference;  // of the paper
  std::function<PaperOutcome(const PaperOptions& options)> measure;
  const char* claim = "paper";  // the title of PaperFigure::paper
  bool is_long = false;         // left out of a quick report: it has no short form

  std::string FullName() const { return std::string(paper) + "." + name; }
  // With which the names of its files begin: "canal_nut".
  std::string FileStem() const { return std::string(paper) + "_" + name; }
};

// In the order of the papers.
const std::vector<PaperExperiment>& ListPaperExperiments();
// Problems with known answers instead (truth/truth_experiments.h): `stiction bench truth`. Their figures have
// what is known in place of what a paper says.
const std::vector<PaperExperiment>& ListTruthExperiments();

// Those of the list that are named, by paper or experiment, in the order of the list, each once; all where
// none is named. Throws UsageError that lists what there is.
std::vector<const PaperExperiment*> FindPaperExperiments(const std::vector<PaperExperiment>& all,
                                                         const std::vector<std::string>& names);

}  // namespace stiction::runner

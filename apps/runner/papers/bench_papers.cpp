#include "bench_papers.h"

#include <chrono>
#include <cstdio>

#include "paper_json.h"
#include "paper_report.h"

namespace stiction::runner {
namespace {

constexpr int kQuickCases = 10;  // of the papers' experiments, where they have cases

std::string MakeCommand(const ExperimentSuite& suite, const PaperExperiment& experiment,
                        const BenchPapersOptions& options) {
  return std::string("stiction bench ") + suite.name + " --only " + experiment.FullName() +
         (options.cases > 0 ? " --cases " + std::to_string(options.cases) : "") +
         (options.is_quick ? " --quick" : "");
}

MeasuredExperiment MeasureOne(const ExperimentSuite& suite, const PaperExperiment& experiment,
                              const BenchPapersOptions& options) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  const bool is_short = options.is_quick && suite.name == std::string("papers");
  const int cases = options.cases == 0 && is_short ? kQuickCases : options.cases;
  MeasuredExperiment measured{&experiment, experiment.measure({.cases = cases, .is_quick = options.is_quick}),
                              MakeCommand(suite, experiment, options)};
  measured.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  if (!options.folder.empty()) WriteFilesAndPictures(options.folder, measured);
  return measured;
}

}  // namespace

void BenchPapers(const ExperimentSuite& suite, const BenchPapersOptions& options) {
  const std::vector<const PaperExperiment*> experiments = FindPaperExperiments(suite.list(), options.names);
  CheckOutputs({{"--json", options.json.path}}, {});
  if (!options.folder.empty()) MakeReportFolder(options.folder);
  std::vector<MeasuredExperiment> measured;
  for (const PaperExperiment* experiment : experiments) {
    measured.push_back(MeasureOne(suite, *experiment, options));
    if (!options.json.is_stdout()) PrintPaperFigures(measured.back());
  }
  if (!options.json.is_stdout()) std::printf("%s\n", CountVerdicts(measured).c_str());
  if (!options.folder.empty()) WritePaperReport(options.folder, suite.title, measured);
  if (!options.json.wanted()) return;
  Json answer{{"experiments", Json::array()}};
  for (const MeasuredExperiment& m : measured) answer["experiments"].push_back(ToJson(m));
  Write(options.json, answer);
}

}  // namespace stiction::runner

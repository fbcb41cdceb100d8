#include "bench_papers.h"

#include <chrono>
#include <cstdio>

#include "paper_report.h"

namespace stiction::runner {
namespace {

std::string MakeCommand(const PaperExperiment& experiment, const BenchPapersOptions& options) {
  return std::string("stiction bench ") + (options.is_truth ? "truth" : "papers") + " --only " +
         experiment.FullName() + (options.cases > 0 ? " --cases " + std::to_string(options.cases) : "");
}

}  // namespace

void BenchPapers(const BenchPapersOptions& options) {
  using Clock = std::chrono::steady_clock;
  const std::vector<const PaperExperiment*> experiments =
      FindPaperExperiments(options.is_truth ? ListTruthExperiments() : ListPaperExperiments(), options.names);
  if (!options.folder.empty()) MakeReportFolder(options.folder);
  std::vector<MeasuredExperiment> measured;
  for (const PaperExperiment* experiment : experiments) {
    const Clock::time_point start = Clock::now();
    MeasuredExperiment m{experiment, experiment->measure({.cases = options.cases}),
                         MakeCommand(*experiment, options)};
    m.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    PrintPaperFigures(m);
    measured.push_back(std::move(m));
  }
  std::printf("%s\n", CountVerdicts(measured).c_str());
  if (!options.folder.empty()) WritePaperReport(options.folder, measured);
}

}  // namespace stiction::runner

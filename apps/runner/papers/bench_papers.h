// `stiction bench SUITE --only NAMES --out DIR`: experiments (paper_experiment.h) of a suite
// (experiment_suites.h).
#pragma once

#include <string>
#include <vector>

#include "experiment_suites.h"
#include "json_output.h"

namespace stiction::runner {

struct BenchPapersOptions {
  std::vector<std::string> names;  // of papers and experiments; empty: all
  std::string folder;              // of the report; empty: none
  JsonTarget json;                 // paper_json.h
  int cases = 0;                   // of an experiment; 0: as many as in the paper
  bool is_quick = false;           // a short form of each, where it has one
  bool is_asked_for() const {
    return !names.empty() || !folder.empty() || json.wanted() || cases > 0 || is_quick;
  }
};

// "canal, canal.nut, ...": what --only takes.
std::string ListPaperNames(const std::vector<PaperExperiment>& all);

// Measures, prints a line a figure, and writes the report. Throws UsageError: an unknown name, before
// anything is measured; a folder that cannot be written; assets that are not there.
void BenchPapers(const ExperimentSuite& suite, const BenchPapersOptions& options);

}  // namespace stiction::runner

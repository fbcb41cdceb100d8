// `stiction bench papers --only NAMES --out DIR`: the papers' experiments (paper_experiment.h).
#pragma once

#include <string>
#include <vector>

#include "paper_experiment.h"

namespace stiction::runner {

struct BenchPapersOptions {
  bool is_truth = false;           // problems with known answers instead
  std::vector<std::string> names;  // of papers and experiments; empty: all
  std::string folder;              // of the report; empty: none
  int cases = 0;                   // of an experiment; 0: as many as in the paper
  bool is_asked_for() const { return !names.empty() || !folder.empty() || cases > 0; }
};

// "canal, canal.nut, ...": what --only takes.
std::string ListPaperNames(const std::vector<PaperExperiment>& all);

// Measures, prints a line a figure, and writes the report. Throws UsageError: an unknown name, before
// anything is measured; a folder that cannot be written; assets that are not there.
void BenchPapers(const BenchPapersOptions& options);

}  // namespace stiction::runner

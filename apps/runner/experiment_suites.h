// What `stiction bench SUITE --only NAMES --out DIR` measures and judges, suite by suite, and `bench --all`
// all together.
#pragma once

#include <string>
#include <vector>

#include "papers/paper_experiment.h"

namespace stiction::runner {

struct ExperimentSuite {
  const char* name;   // as `stiction bench` takes it
  const char* title;  // of its report
  const std::vector<PaperExperiment>& (*list)();
};

// papers, duals, complaints, peers, truth.
const std::vector<ExperimentSuite>& ListExperimentSuites();
// Null if there is none of that name.
const ExperimentSuite* FindExperimentSuite(const std::string& name);
// "`papers`, `duals` and `truth`".
std::string ListExperimentSuiteNames();

// What the experiments of one paper, or of one kind, have in common: a chapter of the report.
struct ExperimentGroup {
  const char* name;   // PaperExperiment::paper
  const char* title;  // of the chapter
  const char* about;  // whose claims these are, in one sentence
};
// Throws std::out_of_range.
const ExperimentGroup& FindExperimentGroup(const std::string& name);

}  // namespace stiction::runner

// `stiction bench duals`: the solvers over frozen contact problems of seven categories, and in motion.
#pragma once

#include "papers/paper_experiment.h"

namespace stiction::runner {

const std::vector<PaperExperiment>& ListDualExperiments();

}  // namespace stiction::runner

// `stiction bench complaints`: what users of simulators complain of, as scenarios of assets/scenarios.
#pragma once

#include "papers/paper_experiment.h"

namespace stiction::runner {

const std::vector<PaperExperiment>& ListComplaintExperiments();

// Of the papers on SAP and on ADMM: what they show of compliant contact, pressure fields, stacks, a wall and
// a robot.
std::vector<PaperExperiment> ListPaperScenarios();

}  // namespace stiction::runner

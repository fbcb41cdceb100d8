// `stiction bench peers`: MuJoCo, Bullet and ODE on scenes that we are given too.
#pragma once

#include "papers/paper_experiment.h"

namespace stiction::runner {

const std::vector<PaperExperiment>& ListPeerExperiments();

}  // namespace stiction::runner

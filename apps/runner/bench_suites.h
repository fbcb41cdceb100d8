// The suites of `stiction bench` that are lists of built-in scenes.
#pragma once

#include <string>
#include <vector>

namespace stiction::runner {

struct SuiteCase {
  std::string scene;                 // behind "scene:" (scenes/scenes.h)
  std::vector<std::string> solvers;  // unless the user names others
  std::string paper;                 // that it is from; empty: none
};

// Few bodies and many, trees, loops and piles, by the default solver.
std::vector<SuiteCase> ListSpeedCases();
// What the five papers measure on, by the default solver and by those of each paper.
std::vector<SuiteCase> ListPaperCases();

}  // namespace stiction::runner

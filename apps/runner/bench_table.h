// Cells of the CSV tables of `stiction bench`.
#pragma once

#include <string>

#include "run_statistics.h"
#include "stiction/sim/world.h"

namespace stiction::runner {

// std::printf of the tables. What was printed since KeepPrinted() stays, for a comparison.
[[gnu::format(printf, 1, 2)]] void PrintCells(const char* format, ...);
void KeepPrinted();
const std::string& Printed();

// A cell: in quotes where it holds a separator (RFC 4180).
std::string Cell(const std::string& text);

// The last cells of every row, with the comma before them and the end of the line: compiler and commit.
void PrintBuildTitle();
void PrintBuild();

// The cells with which every row of a scene begins: scene, solver, steps, status, times, phases, residuals,
// the budget (`none` where there is none) and the steps that missed it, hash of the state.
void PrintSceneTitle();
void PrintScene(const std::string& name, const std::string& solver, const std::string& status,
                const World& world, const RunStatistics& statistics);

}  // namespace stiction::runner

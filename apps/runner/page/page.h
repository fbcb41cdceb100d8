// One HTML file that plays a simulation, offline: the scene in three dimensions with scrubbing and contact
// forces, its curves with a playhead, and of a scenario what was expected.
//
// The page draws by a small viewer of our own (page.js, WebGL 2) and not by three.js: of that it would need
// a hundredth, each page would be 0.7 MB larger, and a build from Debian's packages alone, which is how this
// project is built, has only the version of 2019.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "page_recorder.h"
#include "stiction/sim/expectation.h"

namespace stiction::runner {

struct PageContent {
  std::string title{};
  std::vector<std::pair<std::string, std::string>> facts{};  // a name and a value each, for the head
  std::optional<Budget> budget{};                            // drawn beside the certificate
  bool has_verdict = false, is_good = false;                 // of a run: what its exit code says
  std::vector<ExpectationResult> expectations{};
  // Of each expectation the measured value after every step, NaN where it was not due; or empty.
  std::vector<std::vector<double>> expectation_values{};
  std::vector<std::string> notes{};
};

// Throws std::runtime_error: it cannot be written.
void WritePage(const std::string& path, const PageRecorder& recorder, const PageContent& content);

}  // namespace stiction::runner

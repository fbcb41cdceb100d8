// One process with a time limit, whose output is kept apart: a row of the report.
#pragma once

#include <atomic>
#include <string>
#include <vector>

namespace stiction::runner {

struct ProcessEnd {
  int code = -1;                             // of exit; -1 where a signal ended it
  int signal = 0;                            // that ended it; 0: none
  bool is_late = false, is_stopped = false;  // ended by us: the limit, or `stop`
  std::string out, err;
  double processor_time = 0.0;  // of it and of what it waited for [s]

  bool is_good() const { return code == 0; }
  // "ended by signal 11 (Segmentation fault)", "took longer than 300 s", ...; empty where it is good.
  std::string Describe(double limit) const;
};

// Runs the words as a command in a process group of its own, which is killed whole after `limit` [s] or once
// `stop` is true; and which dies with the thread that called. Throws std::runtime_error: no process could be
// started.
ProcessEnd RunProcess(const std::vector<std::string>& words, double limit, const std::atomic<bool>& stop);

}  // namespace stiction::runner

// `stiction sweep --slurm`: a job array, each job a part of the sweep.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace stiction::runner {

struct SlurmJob {
  std::string script;  // file to write; empty: none
  int parts = 10;      // jobs
  int threads = 1;     // of each
  std::string table;
  std::vector<std::string> arguments;  // of `stiction sweep`, but for how it is shared out
};

// The arguments that the command was given, but --slurm, --parts, --part, --merge and --threads.
std::vector<std::string> ListArguments(const CLI::App& sweep);

// Throws UsageError if it cannot be written.
void WriteSlurmScript(const SlurmJob& job);

}  // namespace stiction::runner

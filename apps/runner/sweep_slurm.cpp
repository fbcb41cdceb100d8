#include "sweep_slurm.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>

#include "command.h"

namespace stiction::runner {
namespace {

namespace fs = std::filesystem;

// As one word of a shell.
std::string Quote(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace

std::vector<std::string> ListArguments(const CLI::App& sweep) {
  constexpr const char* kSharing[] = {"--slurm", "--parts", "--part", "--merge", "--threads"};
  std::vector<std::string> arguments;
  for (const CLI::Option* option : sweep.get_options()) {
    const std::string name = option->get_name();
    if (option->count() == 0 ||
        std::find(std::begin(kSharing), std::end(kSharing), name) != std::end(kSharing))
      continue;
    const bool is_flag = option->get_items_expected_max() == 0;
    for (const std::string& result : option->results()) {
      const bool is_positional = !name.starts_with('-');
      arguments.push_back(is_positional ? result : is_flag ? name : name + "=" + result);
      if (is_flag) break;
    }
  }
  return arguments;
}

void WriteSlurmScript(const SlurmJob& job) {
  const std::string program = fs::read_symlink("/proc/self/exe");
  std::string command = Quote(program) + " sweep";
  for (const std::string& argument : job.arguments) command += " " + Quote(argument);
  std::ofstream file(job.script);
  file << "#!/bin/bash\n"
       << "#SBATCH --job-name=stiction-sweep\n"
       << "#SBATCH --array=0-" << job.parts - 1 << "\n"
       << "#SBATCH --cpus-per-task=" << job.threads << "\n"
       << "#SBATCH --chdir=" << fs::current_path().string() << "\n"
       << "#SBATCH --output=" << job.table << ".job-%a.log\n"
       << "# Each job runs its share of the cases; the last one to end writes the table. Jobs that were "
          "killed go on\n"
       << "# where they were, however many they are when the script is submitted again. Where files of other "
          "nodes\n"
       << "# are seen late, no job may notice that it is the last one; then, when all have ended:\n"
       << "#   " << command << " --merge\n"
       << "part=$((SLURM_ARRAY_TASK_ID - SLURM_ARRAY_TASK_MIN))/$SLURM_ARRAY_TASK_COUNT\n"
       << "exec " << command << " --threads " << job.threads << " --part \"$part\"\n";
  file.close();
  if (!file) throw UsageError("--slurm: cannot write " + job.script);
}

}  // namespace stiction::runner

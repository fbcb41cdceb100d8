// The targets without libFuzzer, for any compiler: past findings, the seeds, and changes of both by a seed.
//
//   fuzz_regression [--target NAME] [--count 200] [--seed 1] [--seconds 1e9] [--round-trips 1]
//     [--corpus FOLDER] [FILE ...]
//   fuzz_regression --list             prints the names of the targets that this build has
//
// The files of a corpus are seeds beside the target's own. Other files are inputs to run instead, of the
// target named. A finding aborts, with its input beside, as fuzz_finding_<target>.
#include <sys/time.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>

#include "tests/fuzz/mutate.h"
#include "tests/fuzz/target.h"

namespace stiction::fuzz {
namespace {

constexpr int kSlowest = 60;  // of one input, on the slowest machine [s]

struct Options {
  std::string target;
  int count = 200;
  unsigned seed = 1;
  double seconds = 1e9;  // of a target, on the wall
  std::string corpus;
  std::vector<std::string> files;
};

const Target* running = nullptr;
std::string running_input;

// Saves the input that is being run, and leaves the signal to take its course.
void OnSignal(int signal) {
  std::signal(signal, SIG_DFL);
  const std::string path = "fuzz_finding_" + std::string(running->name);
  std::fprintf(stderr, "%s: signal %d; the input is in %s\n", std::string(running->name).c_str(), signal,
               path.c_str());
  WriteWholeFile(path, running_input);
  raise(signal);
}

// In processor time: how busy the machine is is no finding.
void SetAlarm(int seconds) {
  const itimerval value{{0, 0}, {seconds, 0}};
  setitimer(ITIMER_PROF, &value, nullptr);
}

void Run(const Target& target, const std::string& input) {
  running = &target;
  running_input = input;
  SetAlarm(kSlowest);
  RunTarget(target, input);
  SetAlarm(0);
}

std::vector<std::string> ListFiles(const std::string& folder) {
  std::vector<std::string> paths;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error))
    paths.push_back(entry.path().string());
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::vector<std::string> ListFindings(const Target& target) {
  return ListFiles(STICTION_SOURCE_DIR "/tests/fuzz/findings/" + std::string(target.name));
}

double CalcSeconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

std::vector<std::string> ListSeeds(const Target& target, const Options& options) {
  std::vector<std::string> seeds = MakeSeeds(target);
  if (options.corpus.empty()) return seeds;
  for (const std::string& path : ListFiles(options.corpus)) {
    std::string bytes = ReadWholeFile(path);
    if (bytes.size() <= target.max_bytes) seeds.push_back(std::move(bytes));
  }
  return seeds;
}

void RunAll(const Target& target, const Options& options) {
  if (!target.run) {
    std::printf("%s: skipped, this build lacks its library\n", std::string(target.name).c_str());
    return;
  }
  const double start = CalcSeconds();
  int runs = 0;
  const auto run = [&](const std::string& input) {
    Run(target, input);
    ++runs;
  };
  const bool is_search = options.files.empty();
  for (const std::string& path : is_search ? ListFindings(target) : options.files) run(ReadWholeFile(path));
  if (is_search) {
    const std::vector<std::string> seeds = ListSeeds(target, options);
    for (const std::string& seed : seeds) run(seed);
    RandomNumbers random(options.seed);
    const ByteMutation mutate_bytes = [&](std::string bytes, std::size_t max_bytes) {
      return MutateBytes(std::move(bytes), max_bytes, random);
    };
    std::string input;
    const auto is_over = [&, begin = std::chrono::steady_clock::now()] {
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() >
             options.seconds;
    };
    for (int k = 0; k < options.count && !is_over(); ++k) {
      // Every fourth begins anew; the others change what was changed before.
      if (k % 4 == 0) input = seeds[static_cast<std::size_t>(random.Index(static_cast<int>(seeds.size())))];
      input = Mutate(target, seeds, input, random, mutate_bytes, target.max_bytes);
      run(input);
    }
  }
  std::printf("%s: %d inputs, %.2f s\n", std::string(target.name).c_str(), runs, CalcSeconds() - start);
  std::fflush(stdout);
}

[[noreturn]] void ListNames() {
  for (const Target& target : ListTargets()) {
    if (target.run) std::printf("%s\n", std::string(target.name).c_str());
  }
  std::exit(0);
}

Options ReadOptions(int argc, char** argv) {
  Options options;
  for (int k = 1; k < argc; ++k) {
    const std::string name = argv[k];
    const bool has_value = k + 1 < argc;
    if (name == "--list") ListNames();
    if (name == "--target" && has_value) {
      options.target = argv[++k];
    } else if (name == "--count" && has_value) {
      options.count = std::atoi(argv[++k]);
    } else if (name == "--seed" && has_value) {
      options.seed = static_cast<unsigned>(std::atol(argv[++k]));
    } else if (name == "--seconds" && has_value) {
      options.seconds = std::atof(argv[++k]);
    } else if (name == "--round-trips" && has_value) {
      SetRoundTrips(std::max(1, std::atoi(argv[++k])));
    } else if (name == "--corpus" && has_value) {
      options.corpus = argv[++k];
    } else if (!name.starts_with("--")) {
      options.files.push_back(name);
    } else {
      std::fprintf(stderr, "%s: not an option, or without a value; see the head of regression_main.cpp\n",
                   argv[k]);
      std::exit(2);
    }
  }
  return options;
}

int Main(int argc, char** argv) {
  const Options options = ReadOptions(argc, argv);
  const bool is_known =
      options.target.empty() ? options.files.empty() : FindTarget(options.target) != nullptr;
  if (!is_known) {
    std::fprintf(stderr, "--target: one of");
    for (const Target& target : ListTargets()) std::fprintf(stderr, " %s", std::string(target.name).c_str());
    std::fprintf(stderr, "\n");
    return 2;
  }
  for (const int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGPROF}) std::signal(signal, OnSignal);
  for (const Target& target : ListTargets()) {
    if (options.target.empty() || options.target == target.name) RunAll(target, options);
  }
  return 0;
}

}  // namespace
}  // namespace stiction::fuzz

int main(int argc, char** argv) {
  return stiction::fuzz::Main(argc, argv);
}

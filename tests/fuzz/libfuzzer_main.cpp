// One program for all targets under libFuzzer: the target is named by --target=NAME, which libFuzzer passes
// over.
//
//   stiction_fuzzer --list                            prints the names of the targets
//   stiction_fuzzer --target=mjcf --seeds=FOLDER      writes the seeds of the target there and ends
//   stiction_fuzzer --target=mjcf [--round-trips=1] CORPUS [libFuzzer's options]
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "tests/fuzz/mutate.h"
#include "tests/fuzz/target.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace stiction::fuzz {
namespace {

const Target* target = nullptr;
std::vector<std::string> seeds;

void WriteSeeds(const std::string& folder) {
  std::filesystem::create_directories(folder);
  for (std::size_t k = 0; k < seeds.size(); ++k)
    WriteWholeFile(folder + "/seed" + std::to_string(k), seeds[k]);
}

[[noreturn]] void ListNames() {
  for (const Target& known : ListTargets()) {
    const bool is_built = known.run != nullptr;
    std::fprintf(is_built ? stdout : stderr, "%s%s\n", std::string(known.name).c_str(),
                 is_built ? "" : ": skipped, this build lacks its library");
  }
  std::exit(0);
}

std::string MutateByLibrary(std::string bytes, std::size_t max_bytes) {
  const std::size_t size = std::min(bytes.size(), max_bytes);
  bytes.resize(max_bytes);
  bytes.resize(LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(bytes.data()), size, max_bytes));
  return bytes;
}

void Initialize(int argc, char** argv) {
  const char* folder = nullptr;
  for (int k = 1; k < argc; ++k) {
    if (std::strcmp(argv[k], "--list") == 0) ListNames();
    if (std::strncmp(argv[k], "--target=", 9) == 0) target = FindTarget(argv[k] + 9);
    if (std::strncmp(argv[k], "--seeds=", 8) == 0) folder = argv[k] + 8;
    if (std::strncmp(argv[k], "--round-trips=", 14) == 0) SetRoundTrips(std::max(1, std::atoi(argv[k] + 14)));
  }
  if (!target) {
    std::fprintf(stderr, "--target=NAME is missing, or none of:");
    for (const Target& known : ListTargets()) std::fprintf(stderr, " %s", std::string(known.name).c_str());
    std::fprintf(stderr, "\n");
    std::exit(2);
  }
  if (!target->run) {
    std::fprintf(stderr, "%s: this build lacks its library\n", std::string(target->name).c_str());
    std::exit(2);
  }
  seeds = MakeSeeds(*target);
  if (!folder) return;
  WriteSeeds(folder);
  std::exit(0);
}

}  // namespace
}  // namespace stiction::fuzz

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  stiction::fuzz::Initialize(*argc, *argv);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace stiction::fuzz;
  RunTarget(*target, {reinterpret_cast<const char*>(data), size});
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  using namespace stiction::fuzz;
  RandomNumbers random(seed);
  const std::string input(reinterpret_cast<const char*>(data), size);
  const std::string out = Mutate(*target, seeds, input, random, MutateByLibrary, max_size);
  std::memcpy(data, out.data(), out.size());
  return out.size();
}

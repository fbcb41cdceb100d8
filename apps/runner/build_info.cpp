#include "build_info.h"

#include "build_commit.h"

namespace stiction::runner {
namespace {

#if STICTION_BUILT_FAST
constexpr const char* kMachine = "x86-64-v3 (AVX2, FMA)";
#elif defined(__x86_64__)
constexpr const char* kMachine = "baseline x86-64";
#else
constexpr const char* kMachine = "the machine's baseline";
#endif

}  // namespace

const char* const kCommit = STICTION_COMMIT;

#ifdef __clang__
const char* const kCompiler = "Clang " __clang_version__;
#else
const char* const kCompiler = "GCC " __VERSION__;
#endif

std::string DescribeBuild(const std::string& program) {
  return program + " " STICTION_VERSION "\ncommit    " + kCommit + "\ncompiler  " + kCompiler +
         ", " STICTION_BUILD_TYPE ", for " + kMachine + "\noptions   " STICTION_BUILD_OPTIONS;
}

}  // namespace stiction::runner

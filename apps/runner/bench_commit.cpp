#include "bench_commit.h"

namespace stiction::runner {

const char* const kCommit = STICTION_COMMIT;

}  // namespace stiction::runner

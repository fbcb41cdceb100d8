// Contracts between functions of this engine: what a caller must have seen to. What a user may get wrong is
// no assertion but an error that is thrown or returned; what numbers do on their own is a status.
//
//   STICTION_ASSERT(q.size() == model.nq());
//
// In debug builds and under sanitizers a broken one prints the expression, its file and line, and aborts; in
// others the expression is compiled, but never evaluated. math/contracts.h has conditions that are asked
// often.
#pragma once

namespace stiction {

[[noreturn]] void FailAssertion(const char* expression, const char* file, int line);

}  // namespace stiction

#if !defined(NDEBUG) || defined(STICTION_ASSERTIONS)
#define STICTION_ASSERT(condition) \
  ((condition) ? static_cast<void>(0) : ::stiction::FailAssertion(#condition, __FILE__, __LINE__))
#else
#define STICTION_ASSERT(condition) static_cast<void>(true || (condition))
#endif

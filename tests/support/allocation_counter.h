// Counts heap allocations of the whole program, Eigen's included, which call malloc and not operator new.
// Include it in exactly one source file of a test program. Where malloc belongs to a sanitizer or to another
// C library than glibc, and where STICTION_VALIDATE allocates in every solve, CanCountAllocations() is false
// and nothing is counted.
#pragma once

#include <atomic>
#include <cstddef>

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && \
    !defined(STICTION_VALIDATE)
#define STICTION_COUNTS_ALLOCATIONS 1
#else
#define STICTION_COUNTS_ALLOCATIONS 0
#endif

namespace stiction::testing {

inline std::atomic<long> num_allocations{0};

constexpr bool CanCountAllocations() {
  return STICTION_COUNTS_ALLOCATIONS != 0;
}
// Since the start of the program.
inline long CountAllocations() {
  return num_allocations.load();
}

}  // namespace stiction::testing

#if STICTION_COUNTS_ALLOCATIONS
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* block, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

void* malloc(std::size_t size) {
  ++stiction::testing::num_allocations;
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  ++stiction::testing::num_allocations;
  return __libc_calloc(count, size);
}
void* realloc(void* block, std::size_t size) {
  ++stiction::testing::num_allocations;
  return __libc_realloc(block, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  ++stiction::testing::num_allocations;
  return __libc_memalign(alignment, size);
}
}  // extern "C"
#endif

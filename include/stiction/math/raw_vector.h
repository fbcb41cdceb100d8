// A vector whose new numbers are not written twice: resize(n) leaves those that it appends undefined, and
// resize(n, 0.0) clears them. For what is large and filled right away, by several threads at best.
#pragma once

#include <memory>
#include <utility>
#include <vector>

namespace stiction {

// Constructs nothing where no value is given.
template <typename T>
struct UninitializedAllocator : std::allocator<T> {
  template <typename U>
  struct rebind {
    using other = UninitializedAllocator<U>;
  };
  template <typename U>
  void construct(U* at) noexcept {
    ::new (static_cast<void*>(at)) U;
  }
  template <typename U, typename... Values>
  void construct(U* at, Values&&... values) {
    ::new (static_cast<void*>(at)) U(std::forward<Values>(values)...);
  }
};

template <typename T>
using RawVector = std::vector<T, UninitializedAllocator<T>>;

// Makes room in `to` for all that `from` has room for, once what `from` holds would not fit. Its room alone
// may grow at another time, and work that is done again would allocate for it.
template <typename From, typename To>
void ReserveLike(const From& from, To& to) {
  if (to.capacity() < from.size()) to.reserve(from.capacity());
}

}  // namespace stiction

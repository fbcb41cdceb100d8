// A set of trees in parts, which threads work on at the same time.
//
// Trees do not know of one another: what is computed of each is the same in whatever part it is.
#pragma once

#include <vector>

#include "math/task_pool.h"
#include "stiction/model/tree_set.h"

namespace stiction {

// Whether some of the trees of a set are so many that its threads had better work on all of it, whose parts
// stay the same from step to step, than one of them on these.
//   num_dofs  of these
inline bool IsWorthParts(const TreeSet& whole, int num_dofs) {
  constexpr int kLeastDofs = 100;
  int num_whole = 0;
  for (const IndexRange& range : whole.dofs) num_whole += range.size();
  return num_dofs >= kLeastDofs && 2 * num_dofs > num_whole;
}

class TreeParts {
 public:
  // Calls work(set) for what is fixed to the world, and then for the parts of `whole` at the same time; or
  // for `whole` alone, where there is nobody to share it with. Allocates only for more parts than ever
  // before.
  template <typename Work>
  void ForEach(const Model& model, const TreeSet& whole, const TaskPool& pool, const Work& work) {
    if (pool.num_threads() == 1 || !Divide(model, whole, pool)) return work(whole);
    work(fixed_);
    pool.ForEach(num_parts_, [&](int part) { work(parts_[part]); });
  }
  // The same, with something beside it that has to do with none of it.
  template <typename Work, typename Other>
  void ForEachBeside(const Model& model, const TreeSet& whole, const TaskPool& pool, const Other& other,
                     const Work& work) {
    if (pool.num_threads() == 1 || !Divide(model, whole, pool)) return work(whole), other();
    work(fixed_);
    pool.ForEach(num_parts_ + 1, [&](int i) { i == 0 ? other() : work(parts_[i - 1]); });
  }

 private:
  // False if there are too few trees.
  bool Divide(const Model& model, const TreeSet& whole, const TaskPool& pool);

  std::vector<char> divided_;  // the trees of the last set
  TreeSet fixed_;
  std::vector<TreeSet> parts_;  // the first num_parts_ in use
  int num_parts_ = 0;
  std::vector<char> contains_;
};

}  // namespace stiction

#include "sim/tree_parts.h"

#include <algorithm>

#include "stiction/model/model.h"

namespace stiction {
namespace {

constexpr int kMinDofs = 32;        // of a part: less is not worth handing over
constexpr int kPartsPerThread = 4;  // so that none waits long for the last one

}  // namespace

bool TreeParts::Divide(const Model& model, const TreeSet& whole, const TaskPool& pool) {
  if (whole.contains == divided_ && num_parts_ > 0) return num_parts_ > 1;
  divided_ = whole.contains;
  int num_dofs = 0;
  for (const IndexRange& range : whole.dofs) num_dofs += range.end - range.begin;
  const int count = std::clamp(num_dofs / kMinDofs, 1, kPartsPerThread * pool.num_threads());
  contains_.assign(whole.contains.size(), 0);
  fixed_.Assign(model, contains_);
  for (num_parts_ = count; static_cast<int>(parts_.size()) < count;) parts_.emplace_back().Reserve(model);
  int tree = 0, taken = 0;
  const int num_trees = model.num_trees();
  for (int part = 0; part < count; ++part) {
    std::fill(contains_.begin(), contains_.end(), 0);
    const long long wanted = static_cast<long long>(num_dofs) * (part + 1) / count;
    for (; tree < num_trees && (taken < wanted || part == count - 1); ++tree) {
      if (!whole.contains[tree]) continue;
      contains_[tree] = 1;
      taken += model.trees[tree].num_dofs;
    }
    parts_[part].Assign(model, contains_, false);
  }
  return count > 1;
}

}  // namespace stiction

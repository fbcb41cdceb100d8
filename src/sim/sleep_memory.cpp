#include "sim/sleep_memory.h"

#include <algorithm>
#include <utility>

namespace stiction {
namespace {

// Merges `from` into `into`, both sorted by pair; points of a pair come from one of them alone.
void MergeContacts(const std::vector<ContactMemory>& from, std::vector<ContactMemory>& merged,
                   std::vector<ContactMemory>& into) {
  const auto before = [](const ContactMemory& a, const ContactMemory& b) {
    return std::pair(a.geom_a, a.geom_b) < std::pair(b.geom_a, b.geom_b);
  };
  merged.resize(from.size() + into.size());
  std::merge(into.begin(), into.end(), from.begin(), from.end(), merged.begin(), before);
  into.swap(merged);
}

}  // namespace

bool IsAsleep(const SleepMemory& sleep, int tree) {
  return tree >= 0 && !sleep.island.empty() && sleep.island[tree] >= 0;
}

bool TouchesSleeper(const Model& model, const SleepMemory& sleep, const ContactMemory& contact) {
  return IsAsleep(sleep, model.bodies[model.geoms[contact.geom_a].body].tree) ||
         IsAsleep(sleep, model.bodies[model.geoms[contact.geom_b].body].tree);
}

void PartContacts(const Model& model, const SleepMemory& sleep, bool of_sleepers, ContactSorter& sorter,
                  std::vector<ContactMemory>& from, std::vector<ContactMemory>& into) {
  sorter.parted.clear();
  std::size_t kept = 0;
  for (const ContactMemory& contact : from) {
    if (TouchesSleeper(model, sleep, contact) == of_sleepers)
      sorter.parted.push_back(contact);
    else
      from[kept++] = contact;
  }
  from.resize(kept);
  MergeContacts(sorter.parted, sorter.merged, into);
}

bool WakeIslands(const Model& model, std::vector<char>& wake, ContactSorter& sorter, State& state) {
  SleepMemory& sleep = state.sleep;
  const std::size_t n = sleep.island.size();
  bool any = false;
  for (std::size_t t = 0; t < n; ++t) {
    if (sleep.island[t] < 0 || wake[t] == 0) continue;
    wake[sleep.island[t]] = 1;
    any = true;
  }
  if (!any) return false;
  // Whether an island wakes is read off its lowest tree, which comes first: its entry must outlast the
  // others.
  for (std::size_t t = n; t-- > 0;) {
    if (sleep.island[t] < 0 || wake[sleep.island[t]] == 0) continue;
    sleep.island[t] = -1;
    sleep.time_at_rest[t] = sleep.ncp[t] = 0.0;
  }
  PartContacts(model, sleep, false, sorter, sleep.contacts, state.contacts);
  return true;
}

}  // namespace stiction

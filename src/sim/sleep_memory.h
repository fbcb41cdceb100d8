// Who sleeps, as the state tells it, and the contacts of those who do.
#pragma once

#include "stiction/sim/sleep.h"

namespace stiction {

// False for the world, -1, and where nobody ever slept.
bool IsAsleep(const SleepMemory& sleep, int tree);

// Whether either geom of the contact belongs to a tree that sleeps.
bool TouchesSleeper(const Model& model, const SleepMemory& sleep, const ContactMemory& contact);

// Moves those of `from` that touch, or do not touch, a sleeper into `into`; both are sorted by pair.
void PartContacts(const Model& model, const SleepMemory& sleep, bool of_sleepers, ContactSorter& sorter,
                  std::vector<ContactMemory>& from, std::vector<ContactMemory>& into);

}  // namespace stiction

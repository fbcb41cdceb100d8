// What a window would be told now.
#pragma once

#include "live/player.h"

namespace stiction::viewer {

inline Snapshot LookAt(Player& player) {
  Snapshot snapshot;
  player.Fill(snapshot);
  return snapshot;
}

}  // namespace stiction::viewer

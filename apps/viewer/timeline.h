// The strip over the full width of the window that shows the recorded time: the certificate step by step,
// marks of missed budgets, impacts, pulls and phases, bookmarks, and the moment that is shown. A click goes
// there.
#pragma once

#include <string>
#include <vector>

#include "live/layout.h"

namespace stiction::viewer {

struct Session;

struct Bookmark {
  double time = 0.0;  // [s]
  std::string name;
};

// Which times all plots show [s].
struct TimelineView {
  double lower = 0.0, upper = 1.0;
  bool is_all = true;               // everything that is recorded; else as far as was zoomed
  bool follows = false;             // zoomed, and the end of what is recorded stays in view
  double dragged_from = 0.0;        // where the pointer took hold of it
  std::vector<Bookmark> bookmarks;  // in the order of time
};

// Once a frame, before anything is drawn: the span of time, after what was recorded since.
void UpdateTimeline(Session& session);

// At that place of the window.
void ShowTimeline(Session& session, const Rectangle& place);

// Shows that moment, or the nearest that is recorded [s].
void SeekTo(Session& session, double time);
// By `ticks` of the wheel about a time that stays where it is.
void ZoomTimeline(Session& session, double about, float ticks);
// Marks a time, where it is not marked already [s].
void AddBookmark(Session& session, double time);
// Marks the moment shown; where it is marked, takes the mark away.
void ToggleBookmark(Session& session);
// Shows the next bookmark, or the one before: `direction` 1 or -1.
void GoToBookmark(Session& session, int direction);

}  // namespace stiction::viewer

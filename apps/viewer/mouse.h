// The pointer in the picture: turns the camera, selects, pulls.
#pragma once

#include "session.h"

namespace stiction::viewer {

class Mouse {
 public:
  // Positions are in the window's units, from its top left corner; buttons and modifiers are GLFW's.
  void Press(Session& session, int button, int modifiers, double x, double y);
  void Release(Session& session, int button);
  void Move(Session& session, double x, double y);
  void Scroll(Session& session, double ticks);
  bool is_dragging() const { return drag_ != Drag::kNone && has_moved_; }
  // Where the picture stands.
  void set_place(double x, double y, double width, double height) {
    left_ = x, top_ = y, width_ = width, height_ = height;
  }

 private:
  enum class Drag { kNone, kOrbit, kPan, kZoom, kPull, kTurn };

  Vector3d Ray(const Session& session) const;
  std::optional<SceneDrawing::Hit> Pick(const Session& session) const;
  void StartPull(Session& session, bool is_turn);
  void Click(Session& session, bool may_be_second);

  double left_ = 0.0, top_ = 0.0, width_ = 1.0, height_ = 1.0;
  double x_ = 0.0, y_ = 0.0;
  double start_x_ = 0.0, start_y_ = 0.0;
  bool has_moved_ = false;    // since the press, by more than a click does
  double click_time_ = -1.0;  // of the last click, [s] and place
  int click_frame_ = 0;       // the same, of the window's frames
  double click_x_ = 0.0, click_y_ = 0.0;
  Drag drag_ = Drag::kNone;
  int button_ = -1;
  double depth_ = 0.0;                  // of the pulled point along the view [m]
  Vector3d turn_W_ = Vector3d::Zero();  // so far [rad]
};

}  // namespace stiction::viewer

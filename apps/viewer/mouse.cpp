#include "mouse.h"

#include <imgui.h>

#include <Eigen/Geometry>
#include <cmath>

#include "gl.h"

namespace stiction::viewer {
namespace {

constexpr double kClickRadius = 4.0;     // [pixels]
constexpr double kDoubleClick = 0.4;     // between the two [s]
constexpr double kTurnPerHeight = 3.14;  // of a drag over the picture's height [rad]
constexpr double kZoomPerTick = 0.88;

}  // namespace

Vector3d Mouse::Ray(const Session& session) const {
  return session.camera.Ray(2.0 * (x_ - left_) / width_ - 1.0, 1.0 - 2.0 * (y_ - top_) / height_,
                            width_ / height_);
}

std::optional<SceneDrawing::Hit> Mouse::Pick(const Session& session) const {
  if (!session.has_model()) return std::nullopt;
  return session.scene->Pick(session.now.X_WB, session.camera.eye(), Ray(session), session.scene_options);
}

void Mouse::Press(Session& session, int button, int modifiers, double x, double y) {
  if (drag_ != Drag::kNone) return;  // one button at a time
  x_ = start_x_ = x, y_ = start_y_ = y;
  has_moved_ = false;
  button_ = button;
  const bool is_control = (modifiers & GLFW_MOD_CONTROL) != 0;
  if (button == GLFW_MOUSE_BUTTON_MIDDLE) drag_ = Drag::kZoom;
  if (button == GLFW_MOUSE_BUTTON_LEFT) drag_ = Drag::kOrbit;
  if (button == GLFW_MOUSE_BUTTON_RIGHT) drag_ = Drag::kPan;
  if (is_control && button != GLFW_MOUSE_BUTTON_MIDDLE) StartPull(session, button == GLFW_MOUSE_BUTTON_LEFT);
}

// What is under the pointer is pulled; where nothing is that moves, the camera moves as without Ctrl.
void Mouse::StartPull(Session& session, bool is_turn) {
  const auto hit = Pick(session);
  if (!hit) return;
  const int body = hit->body;
  if (session.file->model.bodies[static_cast<std::size_t>(body)].tree < 0) return;
  session.selected_body = body;
  session.selected_geom = hit->geom;
  drag_ = is_turn ? Drag::kTurn : Drag::kPull;
  turn_W_ = Vector3d::Zero();
  depth_ = (hit->p_W - session.camera.eye()).dot(-session.camera.axes().col(2));
  session.simulation.Do([body, p_W = hit->p_W](Player& player) {
    player.StopPull();
    player.pull().Start(player.world(), body, p_W);
  });
}

void Mouse::Move(Session& session, double x, double y) {
  const double right = (x - x_) / height_, up = (y_ - y) / height_;
  x_ = x, y_ = y;
  if (drag_ == Drag::kNone) return;
  if (std::hypot(x - start_x_, y - start_y_) > kClickRadius) has_moved_ = true;
  if (!has_moved_) return;
  Camera& camera = session.camera;
  switch (drag_) {
    case Drag::kOrbit:
      session.view.clear();
      camera.Orbit(kTurnPerHeight * right, -kTurnPerHeight * up);
      break;
    case Drag::kPan:
      session.view.clear();
      session.is_tracking = false;
      camera.Pan(right, up);
      break;
    case Drag::kZoom:
      session.view.clear();
      camera.Zoom(std::exp(-3.0 * up));
      break;
    case Drag::kPull: {
      const Vector3d ray = Ray(session);
      const Vector3d target = camera.eye() + depth_ / ray.dot(-camera.axes().col(2)) * ray;
      session.simulation.Do([target](Player& player) { player.pull().SetTarget(target); });
      break;
    }
    case Drag::kTurn:
      // As if the pointer rolled a ball: to the right about the view's up, up about its right.
      turn_W_ += 2.0 * kTurnPerHeight * (right * camera.axes().col(1) - up * camera.axes().col(0));
      session.simulation.Do([turn = turn_W_](Player& player) { player.pull().SetTurn(turn); });
      break;
    case Drag::kNone:
      break;
  }
}

void Mouse::Release(Session& session, int button) {
  if (button != button_) return;
  if (drag_ == Drag::kPull || drag_ == Drag::kTurn)
    session.simulation.Do([](Player& player) { player.StopPull(); });
  const bool is_click = drag_ == Drag::kOrbit && !has_moved_;
  const bool is_menu = drag_ == Drag::kPan && !has_moved_;
  drag_ = Drag::kNone;
  button_ = -1;
  if (is_click || is_menu) Click(session, is_click);
  if (is_menu) session.requests.body_menu = true;
}

// Selects what is there; twice at one place: the camera turns about it from now on.
void Mouse::Click(Session& session, bool may_be_second) {
  const auto hit = Pick(session);
  session.selected_geom = hit ? hit->geom : -1;
  session.selected_body = hit ? hit->body : -1;
  const double now = glfwGetTime();
  const int frame = ImGui::GetFrameCount();
  // Clicks are heard of between frames: slow ones lie in between of quick clicks.
  const bool is_soon = click_time_ >= 0.0 && (now - click_time_ < kDoubleClick || frame - click_frame_ <= 2);
  const bool is_second = may_be_second && is_soon && std::hypot(x_ - click_x_, y_ - click_y_) <= kClickRadius;
  click_time_ = is_second || !may_be_second ? -1.0 : now;
  click_frame_ = frame;
  click_x_ = x_, click_y_ = y_;
  if (!is_second || !hit) return;
  session.view.clear();
  session.camera.Leave();
  session.camera.target = hit->p_W;
}

void Mouse::Scroll(Session& session, double ticks) {
  session.view.clear();
  session.camera.Zoom(std::pow(kZoomPerTick, ticks));
}

}  // namespace stiction::viewer

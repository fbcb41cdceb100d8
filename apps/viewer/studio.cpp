#include "studio.h"

#include "gl_driver.h"
#include "views.h"

namespace stiction::viewer {
namespace {

constexpr int kImageSamples = 4;  // a pixel, unless --low

}  // namespace

PictureContext::PictureContext() {
  if (!HasDisplay()) {
    OpenOffscreen();
    return;
  }
  try {
    window_ = std::make_unique<Window>("stiction", 64, 64, false);
  } catch (const DisplayError& error) {
    try {
      OpenOffscreen();
    } catch (const DisplayError&) {
      throw error;  // what the display lacks says more
    }
  }
}

PictureContext::~PictureContext() {
  if (offscreen_) offscreen_->End();
}

void PictureContext::OpenOffscreen() {
  try {
    offscreen_ = std::make_unique<OffscreenContext>(WantsGlErrors());
    offscreen_->Begin();
  } catch (const std::runtime_error& error) {
    throw DisplayError(std::string(error.what()) +
                       "; or start it on a display without a screen: xvfb-run -a -s \"-screen 0 "
                       "1920x1200x24\" stiction render ... (Debian: apt-get install xvfb xauth)");
  }
  WatchGlErrors(num_gl_errors_);
}

Studio::Studio(const World& world, const RenderArguments& arguments, int width, int height)
    : arguments_(arguments),
      width_(width),
      height_(height),
      scene_(world.model()),
      start_bounds_(scene_.CalcBounds(world.body_poses())),
      camera_(MakeView(world.model(), world.body_poses(), arguments.camera, start_bounds_)),
      renderer_(arguments.is_low),
      canvas_(width, height, arguments.is_low ? 1 : kImageSamples) {
  renderer_.SetMeshes(scene_.meshes(), scene_.textures());
}

void Studio::Aim(const World& world) {
  const auto size = [](const std::pair<Vector3d, Vector3d>& box) { return (box.second - box.first).norm(); };
  const auto bounds = scene_.CalcBounds(world.body_poses());
  if (size(bounds) < 4.0 * size(start_bounds_))
    camera_ = MakeView(world.model(), world.body_poses(), arguments_.camera, bounds);
}

Picture Studio::Draw(const World& world, const std::vector<Contact>& contacts, double timestep) {
  if (camera_.X_WC) Aim(world);  // it moves with its body
  scene_.Draw(world.body_poses(), contacts, timestep, -1, arguments_.scene, list_);
  canvas_.Bind();
  renderer_.Draw(list_, camera_, scene_.size(), {0, 0, width_, height_},
                 {.low = arguments_.is_low, .wireframe = arguments_.is_wireframe, .fine = true});
  return canvas_.Read();
}

}  // namespace stiction::viewer

#include "studio.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "command.h"
#include "gl_driver.h"
#include "views.h"

namespace stiction::viewer {
namespace {

constexpr int kImageSamples = 4;  // a pixel, unless --low

// Middles of n x n parts of a pixel, from the pixel's middle.
std::vector<Eigen::Vector2f> ListShifts(int n) {
  std::vector<Eigen::Vector2f> shifts;
  const auto middle = [n](int k) { return (static_cast<float>(k) + 0.5f) / static_cast<float>(n) - 0.5f; };
  for (int x = 0; x < n; ++x)
    for (int y = 0; y < n; ++y) shifts.emplace_back(middle(x), middle(y));
  return shifts;
}

// Of pictures of one size. One after another they take no more memory than one, whatever their size: a
// canvas that is some times as large is more than drivers have room for.
class PictureMean {
 public:
  void Add(Picture picture) {
    if (++count_ == 1) {
      first_ = std::move(picture);
      return;
    }
    if (count_ == 2) sums_.assign(first_.pixels.begin(), first_.pixels.end());
    for (std::size_t i = 0; i < sums_.size(); ++i) sums_[i] += picture.pixels[i];
  }
  Picture Calc() {
    for (std::size_t i = 0; i < sums_.size(); ++i)
      first_.pixels[i] = static_cast<unsigned char>((sums_[i] + count_ / 2) / count_);
    return std::move(first_);
  }

 private:
  unsigned int count_ = 0;
  Picture first_;
  std::vector<unsigned int> sums_;
};

// Colours as files have them, which were multiplied by their alpha.
void DivideByAlpha(Picture& picture) {
  for (std::size_t i = 0; i < picture.pixels.size(); i += 4) {
    const int alpha = picture.pixels[i + 3];
    for (std::size_t k = i; k < i + 3 && alpha > 0; ++k)
      picture.pixels[k] =
          static_cast<unsigned char>(std::min(255, (255 * picture.pixels[k] + alpha / 2) / alpha));
  }
}

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

Studio::Studio(const World& world, const RenderArguments& arguments, bool is_video, int width, int height)
    : arguments_(arguments),
      width_(width),
      height_(height),
      scene_(world.model()),
      start_bounds_(scene_.CalcMainBounds(world.body_poses())),
      camera_(MakeView(world.model(), world.body_poses(), arguments.camera, start_bounds_)),
      is_fine_(arguments.is_fine || !is_video || !IsSoftwareRenderer()),
      renderer_(arguments.is_low),
      canvas_(width, height, arguments.is_low ? 1 : kImageSamples) {
  if (arguments.is_turntable && camera_.X_WC)
    throw runner::UsageError(
        "--turntable: '" + arguments.camera +
        "' is a camera of the model, which stands where the model says; name a view, such "
        "as --camera corner or --camera 30,20,2");
  if (!is_fine_ && !arguments.is_low)
    std::fprintf(
        stderr,
        "note: no graphics card draws here (%s): shadows in the video are harder; --fine keeps those "
        "of pictures, --low does without\n",
        RendererName().c_str());
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
  Camera camera = camera_;
  camera.azimuth += 2.0 * M_PI * turned_;
  PictureMean mean;
  for (const Eigen::Vector2f& shift : ListShifts(arguments_.supersample)) {
    canvas_.Bind();
    renderer_.Draw(list_, camera, scene_.size(), {0, 0, width_, height_},
                   {.low = arguments_.is_low,
                    .wireframe = arguments_.is_wireframe,
                    .fine = is_fine_ && !arguments_.is_low,
                    .transparent = arguments_.is_transparent,
                    .shift = shift});
    mean.Add(canvas_.Read(arguments_.is_transparent));
  }
  Picture picture = mean.Calc();
  if (arguments_.is_transparent) DivideByAlpha(picture);
  return picture;
}

}  // namespace stiction::viewer

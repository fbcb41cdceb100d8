// Pictures of a world, without a window and without a display.
#ifdef STICTION_WITH_VIEWER

#include <pybind11/stl.h>

#include <cstring>

#include "command.h"
#include "marks.h"
#include "offscreen.h"
#include "picture.h"
#include "renderer.h"
#include "views.h"
#include "world.h"

namespace stiction::python {
namespace {

constexpr int kSamples = 4;        // per pixel
constexpr int kMostPixels = 8192;  // along a side

// Everything that pictures of one model and size share.
class Studio {
 public:
  Studio(ModelPointer model, int width, int height)
      : model_(std::move(model)), width_(width), height_(height), scene_(model_->model) {
    context_.Begin();
    renderer_ = std::make_unique<viewer::Renderer>(/*is_low=*/false);
    canvas_ = std::make_unique<viewer::Canvas>(width, height, kSamples);
    renderer_->SetMeshes(scene_.meshes(), scene_.textures());
    context_.End();
  }
  ~Studio() {
    context_.Begin();
    canvas_.reset();
    renderer_.reset();
    context_.End();
  }
  Studio(const Studio&) = delete;
  Studio& operator=(const Studio&) = delete;

  bool Fits(const ModelPointer& model, int width, int height) const {
    return model_ == model && width_ == width && height_ == height;
  }

  viewer::Picture Draw(const World& world, const std::string& view, const SceneOptions& options) {
    const std::vector<RigidTransform>& poses = world.body_poses();
    const viewer::Camera camera = viewer::MakeView(model_->model, poses, view, scene_.CalcMainBounds(poses));
    scene_.Draw(poses, world.contacts(), world.timestep(), -1, options, list_);
    context_.Begin();
    canvas_->Bind();
    renderer_->Draw(list_, camera, scene_.size(), {0, 0, width_, height_}, {.fine = true});
    viewer::Picture picture = canvas_->Read();
    context_.End();
    return picture;
  }

 private:
  ModelPointer model_;
  int width_, height_;
  SceneDrawing scene_;
  viewer::OffscreenContext context_;
  std::unique_ptr<viewer::Renderer> renderer_;
  std::unique_ptr<viewer::Canvas> canvas_;
  DrawList list_;
};

// The last one is kept: who renders once renders again. Never destroyed, since at the end of the process the
// driver may be gone before it.
Studio& FindStudio(const ModelPointer& model, int width, int height) {
  static std::unique_ptr<Studio>& studio = *new std::unique_ptr<Studio>;
  if (studio && studio->Fits(model, width, height)) return *studio;
  studio.reset();
  studio = std::make_unique<Studio>(model, width, height);
  return *studio;
}

SceneOptions ParseMarks(const std::vector<std::string>& words) {
  SceneOptions options;
  std::vector<std::string> known;
  for (const viewer::Mark& mark : viewer::kMarks) known.emplace_back(mark.name);
  for (const std::string& word : words) {
    const auto mark = std::find(known.begin(), known.end(), word);
    if (mark == known.end()) throw py::value_error("show: " + UnknownName("mark", word, known));
    options.*viewer::kMarks[mark - known.begin()].is_shown = true;
  }
  return options;
}

ImageArray Render(PyWorld& self, int width, int height, const std::string& camera,
                  const std::vector<std::string>& show) {
  for (const int side : {width, height}) {
    if (side < 16 || side > kMostPixels)
      throw py::value_error("width and height: expected 16 to 8192 pixels; " + std::to_string(side) +
                            " came");
  }
  const SceneOptions options = ParseMarks(show);
  const PyWorld::Use world(self);
  viewer::Picture picture;
  try {
    picture = FindStudio(self.model(), width, height).Draw(*world, camera, options);
  } catch (const runner::UsageError& error) {  // it speaks of the program's flag
    const std::string what = error.what();
    throw py::value_error(what.starts_with("--") ? what.substr(2) : what);
  }
  py::array_t<unsigned char> out({height, width, 3});
  std::memcpy(out.mutable_data(), picture.pixels.data(), static_cast<std::size_t>(out.nbytes()));
  return ImageArray(std::move(out));
}

}  // namespace

void BindRender(py::module_& module) {
  module.def(
      "render", &Render, py::arg("world"), py::kw_only(), py::arg("width") = 640, py::arg("height") = 480,
      py::arg("camera") = "", py::arg("show") = std::vector<std::string>{},
      "A picture of the world as it is, shape (height, width, 3), uint8. Needs no display and no GPU.\n\n"
      "  camera  'file' (MJCF files that say from where), 'corner', 'front', 'left', 'back', 'right', 'top'; "
      "of\n"
      "          these the first unless given; or a camera of the model, or\n"
      "          'azimuth,elevation,distance[,x,y,z]' [deg, deg, m, m]\n"
      "  show    besides shapes: 'contacts', 'forces', 'cones', 'frames', 'joints', 'centers', 'inertia',\n"
      "          'collision', 'transparent'\n\n"
      "Load models with visuals=True to see more than what collides.");
}

}  // namespace stiction::python

#else

#include "world.h"

namespace stiction::python {

void BindRender(py::module_&) {}

}  // namespace stiction::python

#endif  // STICTION_WITH_VIEWER

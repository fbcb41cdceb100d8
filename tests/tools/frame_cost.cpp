// What a frame of the viewer costs: processor time of drawing a heap of spheres, boxes and cylinders that
// move, in a window without panels, by the whole process, so that threads of a driver that draws in software
// count as well; and the time by the clock, which counts on a graphics card. Without a display they are drawn
// off the screen, with the samples a pixel of a window on a card. By hand, on a display, under xvfb-run, or
// on a machine that has none:
//
//   frame_cost [BODIES|FILE [FRAMES [moving|still|fine|low [WxH [NEARER [PICTURE.png]]]]]]
//
// FILE: a model, which turns about z, instead of the heap.
// NEARER: so many times as near as where all of the heap is seen.
// A moving scene is drawn as the window draws one that runs, a still one as it draws one that is paused.
#include <sys/resource.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "gl_driver.h"
#include "live/camera.h"
#include "offscreen.h"
#include "picture.h"
#include "renderer.h"
#include "stiction/io/load.h"
#include "stiction/model/model_builder.h"
#include "stiction/sim/world.h"
#include "stiction/viz/scene.h"
#include "window.h"

namespace {

using namespace stiction;
using namespace stiction::viewer;

constexpr double kSpacing = 0.11;  // [m]

Model MakeHeap(int count) {
  ModelBuilder builder("heap");
  builder.AddGeom({.body = 0, .shape = Plane{}});
  for (int i = 0; i < count; ++i) {
    const int body = builder.AddBody({.name = "b" + std::to_string(i)});
    builder.AddJoint(body, {.kind = FreeJoint{}});
    Geom geom{.body = body};
    if (i % 3 == 0) geom.shape = Sphere{0.05};
    if (i % 3 == 1) geom.shape = Box{{0.04, 0.05, 0.045}};
    if (i % 3 == 2) geom.shape = Cylinder{0.04, 0.05};
    builder.AddGeom(geom, {.mass = 1.0});
  }
  return builder.Build();
}

// A model of a file, as a window shows it.
Model ReadFile(const std::string& path) {
  LoadOptions options;
  options.visuals = true;
  return LoadModel(path, options);
}

// Every tree turns about the middle as one.
void Turn(const std::vector<RigidTransform>& start, int frame, std::vector<RigidTransform>& X_WB) {
  const Matrix3d R = Eigen::AngleAxisd(0.02 * frame, Vector3d::UnitZ()).toRotationMatrix();
  for (std::size_t b = 1; b < X_WB.size(); ++b) X_WB[b] = {R * start[b].R, R * start[b].p};
}

// In square layers, four times as wide as they are high, or wider. Each turns about itself.
void Place(int frame, std::vector<RigidTransform>& X_WB) {
  const int side = std::max(16, static_cast<int>(std::cbrt(16.0 * static_cast<double>(X_WB.size()))));
  for (std::size_t b = 1; b < X_WB.size(); ++b) {
    const int i = static_cast<int>(b) - 1, x = i % side, y = i / side % side, z = i / (side * side);
    const double angle = 0.7 * i + 0.02 * frame;
    X_WB[b].R =
        Eigen::AngleAxisd(angle, Vector3d(std::sin(i), std::cos(i), 0.5).normalized()).toRotationMatrix();
    X_WB[b].p = Vector3d(x - 0.5 * side, y - 0.5 * side, z + 0.6) * kSpacing;
  }
}

double ProcessorTime() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// What frames are drawn into: a window, or without a display a picture off the screen.
class Surface {
 public:
  Surface(int width, int height) : width_(width), height_(height) {
    if (std::getenv("DISPLAY") || std::getenv("WAYLAND_DISPLAY")) {
      window_.emplace("frame_cost", width, height, true, kSamples);
    } else {
      context_.emplace();
      context_->Begin();
      canvas_.emplace(width, height, IsSoftwareRenderer() ? 1 : kSamples);
    }
  }

  void Begin() {
    if (canvas_) canvas_->Bind();
  }
  void End() {
    if (window_) glfwSwapBuffers(window_->handle());
    if (canvas_) glFlush();
  }

  Picture Read() {
    if (canvas_) return canvas_->Read();
    std::vector<unsigned char> rows(std::size_t{3} * width_ * height_);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width_, height_, GL_RGB, GL_UNSIGNED_BYTE, rows.data());
    Picture picture{.width = width_, .height = height_, .pixels = {}};
    for (auto row = rows.end(); row != rows.begin();) {
      row -= std::ptrdiff_t{3} * width_;
      picture.pixels.insert(picture.pixels.end(), row, row + std::ptrdiff_t{3} * width_);
    }
    return picture;
  }

 private:
  static constexpr int kSamples = 4;  // a pixel; software renderers get one

  int width_, height_;
  std::optional<Window> window_;
  std::optional<OffscreenContext> context_;
  std::optional<Canvas> canvas_;
};

double WallTime() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "500";
  const bool is_file = what.find_first_not_of("0123456789") != std::string::npos;
  const int bodies = is_file ? 0 : std::atoi(what.c_str()), frames = argc > 2 ? std::atoi(argv[2]) : 100;
  const std::string how = argc > 3 ? argv[3] : "moving", size = argc > 4 ? argv[4] : "1280x720";
  const double nearer = argc > 5 ? std::atof(argv[5]) : 1.0;
  int width = 0, height = 0;
  if (!(nearer > 0.0) || bodies < 0 || frames < 1 || std::sscanf(size.c_str(), "%dx%d", &width, &height) != 2)
    return 2;
  const Model model = is_file ? ReadFile(what) : MakeHeap(bodies);
  const SceneDrawing scene(model);
  const std::vector<RigidTransform> start_poses = World(model).body_poses();
  std::vector<RigidTransform> X_WB(model.num_bodies());
  const auto place = [&](int frame) { is_file ? Turn(start_poses, frame, X_WB) : Place(frame, X_WB); };
  place(0);
  Camera camera;
  const auto [lower, upper] = scene.CalcBounds(X_WB);
  camera.Frame(lower, upper);
  camera.distance /= nearer;
  const bool is_low = how == "low";
  Surface surface(width, height);
  {
    Renderer renderer(is_low);
    renderer.SetMeshes(scene.meshes(), scene.textures());
    DrawList list;
    double start = 0.0, wall_start = 0.0;
    constexpr int kWarm = 5;  // frames in which programs are compiled and buffers made
    for (int frame = 0; frame < frames + kWarm; ++frame) {
      if (frame == kWarm) glFinish(), start = ProcessorTime(), wall_start = WallTime();
      place(how == "still" ? 0 : frame);
      scene.Draw(X_WB, {}, 0.0, -1, {}, list);
      surface.Begin();
      renderer.Draw(
          list, camera, 0.5 * (upper - lower).norm(), {0, 0, width, height},
          {.low = is_low, .coarse = how == "moving" && IsSoftwareRenderer(), .fine = how == "fine"});
      if (frame + 1 < frames + kWarm) surface.End();
    }
    glFinish();
    std::printf("%s, %d bodies, %s, %dx%d: %.2f ms of processor time a frame, %.2f ms of wall time\n",
                RendererName().c_str(), model.num_bodies() - 1, how.c_str(), width, height,
                1e3 * (ProcessorTime() - start) / frames, 1e3 * (WallTime() - wall_start) / frames);
    if (argc > 6) WritePng(argv[6], surface.Read());
  }
  return 0;
}

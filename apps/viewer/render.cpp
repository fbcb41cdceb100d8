#include "render.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "live/recording.h"
#include "picture.h"
#include "render_page.h"
#include "stiction/sim/controller.h"
#include "studio.h"

namespace stiction::viewer {
namespace {

using runner::HasExtension;
using runner::UsageError;

bool IsFailure(StepStatus status) {
  return status == StepStatus::kDiverged || status == StepStatus::kSingularMass;
}

constexpr const char* kGlErrors = "OpenGL reported errors; they are above";

// Takes the steps of the plan; before the first and after each calls `show`. False if the simulation
// diverged.
template <typename Show>
bool Simulate(World& world, double duration, const Show& show) {
  const long long steps = std::llround(duration / world.timestep());
  show(0);
  for (long long step = 1; step <= steps; ++step) {
    if (IsFailure(world.Step().status)) return false;
    show(step);
  }
  return true;
}

bool WriteVideo(const RenderArguments& arguments, double duration, int width, int height, World& world,
                Studio& studio) {
  VideoWriter video(arguments.out, width, height, arguments.frame_rate);
  long long frames = 0;
  const bool is_good = Simulate(world, duration, [&](long long step) {
    const double due = static_cast<double>(step) * world.timestep() * arguments.frame_rate + 1e-9;
    for (; static_cast<double>(frames) <= due; ++frames) video.Add(studio.Draw(world));
  });
  video.Close();
  return is_good;
}

bool WritePicture(const RenderArguments& arguments, double duration, World& world, Studio& studio) {
  const bool is_good = Simulate(world, duration, [](long long) {});
  studio.Aim(world);
  WritePng(arguments.out, studio.Draw(world));
  return is_good;
}

// Draws the rows of a log.
class LogDrawing {
 public:
  LogDrawing(const RenderArguments& arguments, World& world, Studio& studio)
      : world_(world), studio_(studio), recording_(ReadRecording(arguments.recorded, world.model())) {
    if (recording_.moments.empty()) throw LoadError(arguments.recorded, 0, "", "a log without rows");
    end_ = std::min(arguments.log_time.value_or(time(last())), time(last()));
  }

  double start() const { return time(0); }
  double end() const { return end_; }

  // The world as it was at the last row up to this time, or at the first.
  const Moment& Show(double time) {
    const auto is_later = [](double t, const Moment& moment) { return t < moment.state.time; };
    const auto& moments = recording_.moments;
    const auto next = std::upper_bound(moments.begin(), moments.end(), time + kRounding, is_later);
    const Moment& moment = next == moments.begin() ? *next : *(next - 1);
    world_.set_state(moment.state);
    world_.Refresh();
    return moment;
  }
  Picture Draw(double time) {
    const Moment& moment = Show(time);
    return studio_.Draw(world_, moment.contacts, recording_.timestep.value_or(world_.timestep()));
  }

 private:
  static constexpr double kRounding = 1e-9;  // of times that are sums of timesteps [s]
  double time(std::size_t row) const { return recording_.moments[row].state.time; }
  std::size_t last() const { return recording_.moments.size() - 1; }

  World& world_;
  Studio& studio_;
  Recording recording_;
  double end_ = 0.0;
};

int RenderLog(const RenderArguments& arguments, bool is_video, int width, int height, World& world,
              Studio& studio) {
  LogDrawing log(arguments, world, studio);
  if (is_video) {
    VideoWriter video(arguments.out, width, height, arguments.frame_rate);
    const auto frames = std::llround((log.end() - log.start()) * arguments.frame_rate);
    for (long long i = 0; i <= frames; ++i)
      video.Add(log.Draw(log.start() + static_cast<double>(i) / arguments.frame_rate));
    video.Close();
  } else {
    log.Show(log.end());
    studio.Aim(world);
    WritePng(arguments.out, log.Draw(log.end()));
  }
  if (studio.has_gl_errors()) throw std::runtime_error(kGlErrors);
  return runner::kOk;
}

}  // namespace

std::pair<int, int> ParseSize(const std::string& text) {
  int width = 0, height = 0;
  char rest = 0;
  if (std::sscanf(text.c_str(), "%dx%d%c", &width, &height, &rest) != 2 || width < 16 || height < 16 ||
      width > 8192 || height > 8192)
    throw UsageError("--size: '" + text + "' is not a size such as 1280x720 (16 to 8192 pixels)");
  return {width, height};
}

int Render(const runner::RunPlan& plan, const RenderArguments& arguments) {
  const bool is_video = HasExtension(arguments.out, {".mp4"}),
             is_page = HasExtension(arguments.out, {".html"});
  if (!is_video && !is_page && !HasExtension(arguments.out, {".png"}))
    throw UsageError("--out: '" + arguments.out + "' ends neither in .png nor in .mp4 nor in .html");
  const auto [width, height] = ParseSize(arguments.size);
  if (is_video && (width % 2 != 0 || height % 2 != 0)) throw UsageError("--size: a video needs even numbers");
  runner::CheckOutputs({{"--out", arguments.out}}, plan.inputs);

  World world(plan.model, plan.options);
  if (!plan.keyframe.empty()) world.SetKeyframe(runner::FindKnownKeyframe(world.model(), plan.keyframe));
  AttachControllers(world, plan.controllers, plan.tasks);
  const FileKind kind = FindFileKind(arguments.recorded);
  if (kind == FileKind::kState) {
    world.set_state(ReadState(arguments.recorded, world.model()));
    world.Refresh();
  }
  if (is_page) return RenderPage(plan, arguments, world);
  Studio studio(world, arguments, width, height);
  if (kind == FileKind::kLog) return RenderLog(arguments, is_video, width, height, world, studio);
  const bool is_good = is_video ? WriteVideo(arguments, plan.duration, width, height, world, studio)
                                : WritePicture(arguments, plan.duration, world, studio);
  if (studio.has_gl_errors()) throw std::runtime_error(kGlErrors);
  if (is_good) return runner::kOk;
  std::fprintf(stderr, "error: the simulation diverged at t = %g s; the %s shows its last good state\n",
               world.time(), is_video ? "video's end" : "picture");
  return runner::kDiverged;
}

}  // namespace stiction::viewer

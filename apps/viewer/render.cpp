#include "render.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>

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

// p.png -> p-001.png, from 1.
std::string NumberedPath(const RenderArguments& arguments, int i) {
  const std::filesystem::path path = arguments.out;
  char number[16];
  std::snprintf(number, sizeof number, "-%03d", i + 1);
  return (path.parent_path() / (path.stem().string() + number + path.extension().string())).string();
}

constexpr double kTimeRounding = 1e-9;  // of times that are sums of timesteps [s]

// What is pictured: a simulation, or a log.
class Played {
 public:
  virtual ~Played() = default;
  virtual double start() const = 0;  // [s]
  virtual double end() const = 0;    // [s]
  // Goes on to that time, which is not before the last one [s]. False: it diverged, and is as it was last.
  virtual bool Show(double time) = 0;
  // As it is shown.
  virtual Picture Draw() = 0;
};

class PlayedSimulation : public Played {
 public:
  PlayedSimulation(World& world, long long num_steps, Studio& studio)
      : world_(world), studio_(studio), num_steps_(num_steps) {}

  double start() const override { return 0.0; }
  double end() const override { return static_cast<double>(num_steps_) * world_.timestep(); }
  bool Show(double time) override {
    while (step_ < num_steps_ && static_cast<double>(step_) * world_.timestep() + kTimeRounding < time) {
      if (IsFailure(world_.Step().status)) return false;
      ++step_;
    }
    return true;
  }
  Picture Draw() override { return studio_.Draw(world_); }

 private:
  World& world_;
  Studio& studio_;
  long long num_steps_, step_ = 0;
};

class PlayedLog : public Played {
 public:
  PlayedLog(const RenderArguments& arguments, World& world, Studio& studio)
      : world_(world), studio_(studio), recording_(ReadRecording(arguments.recorded, world.model())) {
    if (recording_.moments.empty()) throw LoadError(arguments.recorded, 0, "", "a log without rows");
    end_ = std::min(arguments.log_time.value_or(time(last())), time(last()));
  }

  double start() const override { return time(0); }
  double end() const override { return end_; }
  // The last row up to this time, or the first.
  bool Show(double time) override {
    const auto is_later = [](double t, const Moment& moment) { return t < moment.state.time; };
    const auto& moments = recording_.moments;
    const auto next = std::upper_bound(moments.begin(), moments.end(), time + kTimeRounding, is_later);
    moment_ = &(next == moments.begin() ? *next : *(next - 1));
    world_.set_state(moment_->state);
    world_.Refresh();
    return true;
  }
  Picture Draw() override {
    return studio_.Draw(world_, moment_->contacts, recording_.timestep.value_or(world_.timestep()));
  }

 private:
  double time(std::size_t row) const { return recording_.moments[row].state.time; }
  std::size_t last() const { return recording_.moments.size() - 1; }

  World& world_;
  Studio& studio_;
  Recording recording_;
  const Moment* moment_ = nullptr;
  double end_ = 0.0;
};

// These three return false if the simulation diverged.
bool WriteVideo(const RenderArguments& arguments, Played& played, int width, int height, Studio& studio) {
  VideoWriter video(arguments.out, width, height, arguments.frame_rate);
  const auto count = [&](double duration) { return std::llround(duration * arguments.frame_rate); };
  const long long moving = count((played.end() - played.start()) / arguments.speed),
                  all = moving + 1 + count(arguments.hold);
  bool is_good = true;
  for (long long i = 0; i < all; ++i) {
    is_good = played.Show(played.start() +
                          arguments.speed * static_cast<double>(std::min(i, moving)) / arguments.frame_rate);
    if (!is_good) break;
    if (arguments.is_turntable) studio.Turn(static_cast<double>(i) / static_cast<double>(all));
    video.Add(played.Draw());
  }
  video.Close();
  return is_good;
}

bool WritePicture(const RenderArguments& arguments, Played& played, const World& world, Studio& studio) {
  const bool is_good = played.Show(played.end());
  studio.Aim(world);
  WritePng(arguments.out, played.Draw());
  return is_good;
}

// All from where the first is taken: over the time, or of its end from all sides.
bool WritePictures(const RenderArguments& arguments, Played& played, const World& world, Studio& studio) {
  bool is_good = played.Show(arguments.is_turntable ? played.end() : played.start());
  studio.Aim(world);
  for (int i = 0; i < arguments.pictures && is_good; ++i) {
    const double share = static_cast<double>(i) / arguments.pictures;
    if (arguments.is_turntable)
      studio.Turn(share);
    else
      is_good = played.Show(played.start() +
                            (played.end() - played.start()) * i / std::max(1, arguments.pictures - 1));
    if (is_good) WritePng(NumberedPath(arguments, i), played.Draw());
  }
  return is_good;
}

void CheckArguments(const RenderArguments& arguments, bool is_video, int width, int height) {
  const bool is_picture = HasExtension(arguments.out, {".png"});
  if (!is_video && !is_picture && !HasExtension(arguments.out, {".html"}))
    throw UsageError("--out: '" + arguments.out + "' ends neither in .png nor in .mp4, .gif or .html");
  if (HasExtension(arguments.out, {".mp4"}) && (width % 2 != 0 || height % 2 != 0))
    throw UsageError("--size: a video needs even numbers");
  if (arguments.is_transparent && !is_picture)
    throw UsageError("--transparent: only pictures can be seen through; end --out in .png");
  if (arguments.pictures > 0 && !is_picture)
    throw UsageError("--pictures: end --out in .png; each gets a number");
  if (arguments.is_turntable && !is_video && arguments.pictures == 0)
    throw UsageError("--turntable: is for videos, or for several pictures: --pictures 24");
  if (arguments.hold > 0.0 && !is_video) throw UsageError("--hold: is for videos");
  if (arguments.speed != 1.0 && !is_video) throw UsageError("--speed: is for videos");
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
  const bool is_video = HasExtension(arguments.out, {".mp4", ".gif"});
  const auto [width, height] = ParseSize(arguments.size);
  CheckArguments(arguments, is_video, width, height);
  runner::CheckOutputs({{"--out", arguments.out}}, plan.inputs);

  World world(plan.model, plan.options);
  if (!plan.keyframe.empty()) world.SetKeyframe(runner::FindKnownKeyframe(world.model(), plan.keyframe));
  AttachControllers(world, plan.controllers, plan.tasks);
  const FileKind kind = FindFileKind(arguments.recorded);
  if (kind == FileKind::kState) {
    world.set_state(ReadState(arguments.recorded, world.model()));
    world.Refresh();
  }
  if (HasExtension(arguments.out, {".html"})) return RenderPage(plan, arguments, world);
  Studio studio(world, arguments, is_video, width, height);
  std::unique_ptr<Played> played;
  if (kind == FileKind::kLog)
    played = std::make_unique<PlayedLog>(arguments, world, studio);
  else
    played = std::make_unique<PlayedSimulation>(world, runner::CountSteps(plan, world), studio);
  const bool is_good = is_video                 ? WriteVideo(arguments, *played, width, height, studio)
                       : arguments.pictures > 0 ? WritePictures(arguments, *played, world, studio)
                                                : WritePicture(arguments, *played, world, studio);
  if (studio.has_gl_errors()) throw std::runtime_error(kGlErrors);
  if (is_good) return runner::kOk;
  std::fprintf(stderr, "error: the simulation diverged at t = %g s; the %s its last good state\n",
               world.time(),
               is_video                 ? "video ends with"
               : arguments.pictures > 0 ? "pictures end before"
                                        : "picture shows");
  return runner::kDiverged;
}

}  // namespace stiction::viewer

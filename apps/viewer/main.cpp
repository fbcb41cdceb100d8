// stiction-view: look at a simulation, and touch it.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <tuple>

#include "app.h"
#include "build_info.h"
#include "live/unseen.h"
#include "manual.h"
#include "marks.h"
#include "openable.h"
#include "program.h"
#include "recorded_file.h"
#include "render.h"
#include "stiction/io/import_report.h"
#include "stiction_program.h"

namespace {

using namespace stiction;
using namespace stiction::viewer;

struct Arguments {
  runner::RunArguments run;
  RenderArguments render;
  AppArguments app;
  bool is_render = false, is_paused = false;
  std::string size;
  std::vector<std::string> show;
};

constexpr const char* kWireframe = "wireframe";

std::vector<std::string> ListNames() {
  std::vector<std::string> names;
  for (const Mark& mark : kMarks) names.emplace_back(mark.name);
  names.emplace_back(kWireframe);
  return names;
}

std::string JoinNames() {
  std::string text;
  for (const std::string& name : ListNames()) text += (text.empty() ? "" : ",") + name;
  return text;
}

void ApplyMarks(const std::vector<std::string>& names, SceneOptions& scene, bool& is_wireframe) {
  for (const std::string& name : names) {
    for (const Mark& mark : kMarks)
      if (name == mark.name) scene.*mark.is_shown = true;
    if (name == kWireframe) is_wireframe = true;
  }
}

// What pictures and videos alone have.
constexpr const char* kPictureFlags[] = {"--fps",      "--supersample", "--transparent", "--turntable",
                                         "--pictures", "--speed",       "--hold",        "--fine"};

void AddPictureArguments(CLI::App& app, RenderArguments& a) {
  app.add_option("--supersample", a.supersample,
                 "Draw N x N times with the pixels moved by parts of one, and write the mean: smoother edges "
                 "and shadows")
      ->check(CLI::Range(1, 8))
      ->option_text("N [1]");
  app.add_flag("--transparent", a.is_transparent,
               "Of a picture: no sky, and of planes only the shadows on them; for slides and papers");
  app.add_flag("--turntable", a.is_turntable,
               "The camera turns around the scene once: over the video, or over --pictures of one moment");
  app.add_option("--pictures", a.pictures,
                 "So many pictures instead of one, picture-001.png and so on, evenly over the time")
      ->check(CLI::Range(1, 999))
      ->option_text("N");
  app.add_option("--speed", a.speed, "Of a video: so many times as fast as the simulated time")
      ->check(runner::Above(0.0))
      ->option_text("N [1]");
  app.add_option("--hold", a.hold, "Of a video: for how long its end stands after --time")
      ->check(CLI::Range(0.0, 3600.0))
      ->option_text("S [0]");
  app.add_flag("--fine", a.is_fine,
               "Soft shadows in a video, even if it is drawn in software; pictures always have them");
}

void AddArguments(CLI::App& app, Arguments& a) {
  runner::AddSimulationArguments(app, a.run);
  app.get_option("FILE")->required(false)->description(
      "Model (URDF, MJCF or SDFormat), scenario, scene:NAME, log or saved state, told apart by what is in it; the "
      "window "
      "opens without one, too");
  app.add_option("--model", a.app.model, "Of the log or saved state FILE: its model or scenario")
      ->option_text("FILE [as the log or state says]");
  app.get_option("--time")
      ->description("With --render: simulated time; of a log the moment that is drawn, or the end of a video")
      ->option_text(
          "S [0 for a picture; for several, a video or a page 5, or the scenario's; the end of a log]");
  runner::AddBudgetOption(app, a.run.budget,
                          "Largest certificate ncp of an island [m/s], to which NCP+Rv adds R times the "
                          "largest speed at which something in it approaches; `none`: the solver is meant to "
                          "stop early");
  runner::AddSolverBudgetArguments(app, a.run);
  app.add_flag("--low", a.render.is_low,
               "For computers without a GPU: no shadows, coarser shapes, and those that collide instead of "
               "detailed meshes");
  app.add_option("--camera", a.render.camera,
                 "Point of view; X,Y,Z is what it looks at, instead of the middle of the scene")
      ->option_text(
          "file|corner|front|left|back|right|top|AZIMUTH,ELEVATION,DISTANCE[,X,Y,Z] [as the file says, else "
          "corner]");
  app.add_option("--size", a.size, "Size of the window or the picture")
      ->option_text("WxH [of a picture 1280x720; of a window the last]");
  app.add_option("--show", a.show, "What to draw besides shapes")
      ->delimiter(',')
      ->check(CLI::IsMember(ListNames()))
      ->option_text(JoinNames() + " [none]");
  app.add_option(
         "--force-scale", a.render.scene.force_scale,
         "The longest arrow of a force, as a part of the scene's size; shorter ones suit pictures from "
         "near")
      ->check(runner::Above(0.0))
      ->option_text("N [1]");
  app.add_option("--scale", a.app.scale,
                 "How large text and panels are, for this start; the menu Look keeps it")
      ->check(CLI::Range(kSmallestScale, kLargestScale))
      ->option_text("N [as the screen says]");
  app.add_option("--theme", a.app.theme, "Colours of the window, for this start; the menu Look keeps them")
      ->check(CLI::IsMember(std::vector<std::string>(std::begin(kThemeNames), std::end(kThemeNames))))
      ->option_text("dark|light [the last]");
  app.add_flag("--paused", a.is_paused, "Do not run at once");
  app.add_flag("--watch", a.app.watches, "Load the model again whenever a file of it changes");
  app.add_option("--compare", a.app.compare,
                 "Show another run beside it, from the same state: of that solver without a budget, or a log")
      ->option_text("SOLVER|LOG");
  app.add_option("--ui-trace", a.app.trace,
                 "Keep FILE (JSON) up to date with the window's state and the places of its controls, for "
                 "scripts that drive it")
      ->option_text("FILE");
  app.add_flag("--render", a.is_render, "Write a picture or a video instead of opening a window");
  app.add_option("--out", a.render.out, "With --render: the file to write; a page plays offline in a browser")
      ->option_text("FILE.png|FILE.mp4|FILE.gif|FILE.html");
  app.add_option("--fps", a.render.frame_rate, "With --render: frames per second of a video")
      ->check(CLI::Range(1.0, 240.0))
      ->option_text("N [30]");
  AddPictureArguments(app, a.render);
}

int RenderFile(Arguments& a) {
  if (a.run.model.path.empty()) throw runner::UsageError("FILE is required (see `stiction render --help`)");
  if (a.render.out.empty()) throw runner::UsageError("--out: names no file (.png, .mp4, .gif or .html)");
  if (!a.size.empty()) a.render.size = a.size;
  CheckCanBeShown(a.run.model.path);
  a.render.recorded = TakeRecorded(a.app.model, a.run.model);
  a.render.log_time = a.run.time;
  const bool is_one_moment = a.render.pictures == 0 || a.render.is_turntable;
  if (!a.run.time && is_one_moment && !runner::HasExtension(a.render.out, {".mp4", ".gif", ".html"}))
    a.run.time = 0.0;
  a.run.model.visuals = !a.render.is_low;
  ApplyMarks(a.show, a.render.scene, a.render.is_wireframe);
  ImportReport report;
  runner::RunPlan plan = runner::MakeRunPlan(a.run, report);
  if (!a.render.recorded.empty()) plan.inputs.push_back(a.render.recorded);
  runner::WarnOfLosses(report);
  for (const std::string& line : ListUnseen(report)) std::fprintf(stderr, "warning: %s\n", line.c_str());
  return Render(plan, a.render);
}

int OpenWindow(const CLI::App& app, Arguments& a) {
  for (const char* flag : kPictureFlags)
    if (app.count(flag) > 0) throw runner::UsageError(std::string(flag) + ": needs --render");
  if (!a.render.out.empty()) throw runner::UsageError("--out: needs --render");
  if (a.run.time) throw runner::UsageError("--time: needs --render; a window shows as much as you look at");
  a.app.is_low = a.render.is_low;
  a.run.model.visuals = !a.render.is_low;
  a.app.camera = a.render.camera;
  a.app.scene.force_scale = a.render.scene.force_scale;
  ApplyMarks(a.show, a.app.scene, a.app.is_wireframe);
  a.app.is_running = !a.is_paused;
  if (!a.size.empty()) std::tie(a.app.width, a.app.height) = ParseSize(a.size);
  try {
    return App(a.run, a.app).Run();
  } catch (const DisplayError& error) {
    // Now, and not once the window that says it, too, is closed.
    std::fprintf(stderr, "error: %s\n", error.what());
    ShowMessageWindow(error.what());
    return runner::kUsage;
  }
}

constexpr const char* kWithoutScreen =
    "Pictures and videos need no display: without one they are drawn through EGL, by the graphics card or in "
    "software.\n";
constexpr const char* kExitCodes =
    "Exit codes: 0 ok; 2 usage, or no OpenGL 3.3; 3 bad input file; 4 the simulation diverged (--render).";

// What the program is when it is called by its own name.
void DescribeViewer(CLI::App& app, Arguments& arguments) {
  app.name("stiction-view");
  app.description("Stiction's viewer; as `stiction render` it writes pictures and videos");
  app.footer(std::string("F1 in the window shows all keys.\n") + kWithoutScreen + kExitCodes);
  AddArguments(app, arguments);
}

// The same when `stiction render` calls it, which is the name that it is given then: without what a window
// alone has.
void DescribeRender(CLI::App& app, Arguments& arguments) {
  app.description("Write a picture or a video of a simulation, or a page that plays it");
  app.footer(std::string(kWithoutScreen) + kExitCodes);
  AddArguments(app, arguments);
  for (const char* flag :
       {"--render", "--paused", "--watch", "--compare", "--ui-trace", "--scale", "--theme"})
    app.get_option(flag)->group("");
  app.get_option("FILE")->description(
      "Model (URDF, MJCF or SDFormat), scenario, scene:NAME, log or saved state, told apart by what is in it");
  app.get_option("--out")->description("The file to write; a page plays offline in a browser");
  app.get_option("--time")->description(
      "Simulated time; of a log the moment that is drawn, or the end of a video or a page");
  app.get_option("--fps")->description("Frames per second of a video");
}

constexpr const char* kRenderName = "stiction render";

int WriteManuals(const std::string& folder) {
  CLI::App viewer, render{"", "render"};
  Arguments arguments;
  DescribeViewer(viewer, arguments);
  DescribeRender(render, arguments);
  runner::WriteManual(viewer, nullptr, folder);
  runner::WriteProgramManual(folder, &render);
  return runner::kOk;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (runner::IsManualAskedFor(words)) return runner::Execute([&] { return WriteManuals(words[1]); });
  CLI::App app;
  Arguments arguments;
  const bool is_called_render = argv[0] == std::string(kRenderName);
  if (is_called_render) {
    app.name(kRenderName);
    DescribeRender(app, arguments);
  } else {
    DescribeViewer(app, arguments);
  }
  app.set_version_flag("--version", runner::DescribeBuild(is_called_render ? kRenderName : "stiction-view"));
  const runner::Command command = [&] {
    return arguments.is_render ? RenderFile(arguments) : OpenWindow(app, arguments);
  };
  return runner::ParseAndExecute(app, runner::CompleteArguments(words), command);
}

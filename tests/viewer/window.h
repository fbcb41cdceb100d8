// Drives the viewer's window under a virtual display of its own, as a user would: pointer and keys.
#pragma once

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/picture.h"

namespace stiction::testing {

inline constexpr int kPatience = 6000;  // looks, 20 ms apart, for what has to come
// Where Mesa keeps what it compiled for all of these tests: a third of their processor time otherwise.
inline constexpr const char* kShaderFolder = "stiction_shaders";
inline constexpr int kScreenWidth = 1280, kScreenHeight = 720;

// A program that runs beside the test; ended with it.
class Process {
 public:
  Process(const std::vector<std::string>& command, const std::filesystem::path& folder,
          const std::string& output, const std::vector<std::string>& environment = {}) {
    pid_ = fork();
    if (pid_ != 0) return;
    std::filesystem::current_path(folder);
    for (const std::string& variable : environment) putenv(const_cast<char*>(variable.c_str()));
    if (!std::freopen(output.c_str(), "w", stdout) || dup2(STDOUT_FILENO, STDERR_FILENO) < 0) _exit(127);
    std::vector<char*> argv;
    for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    execvp(argv[0], argv.data());
    _exit(127);
  }
  ~Process() {
    if (pid_ <= 0) return;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  bool is_running() {
    if (pid_ <= 0) return false;
    int status = 0;
    if (waitpid(pid_, &status, WNOHANG) != pid_) return true;
    code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    pid_ = -1;
    return false;
  }
  void Send(int signal) const { kill(pid_, signal); }
  // Exit code, 128 + signal after a crash; -1 while it runs.
  int code() {
    is_running();
    return code_;
  }

 private:
  pid_t pid_ = -1;
  int code_ = -1;
};

class WindowTest : public ::testing::Test {
 protected:
  using Json = nlohmann::json;

  explicit WindowTest(int screen_width = kScreenWidth, int screen_height = kScreenHeight)
      : screen_(std::to_string(screen_width) + "x" + std::to_string(screen_height)) {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(::testing::TempDir()) /
              ("stiction_window_" + std::to_string(getpid()) + "_" + info->name());
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    StartDisplay();
  }
  ~WindowTest() override {
    viewer_.reset();
    display_process_.reset();
    std::error_code error;
    std::filesystem::remove_all(folder_, error);
  }

  bool is_low_ = true;  // Open asks for low detail

  void Write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  std::string Read(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(folder_ / name, std::ios::binary).rdbuf();
    return std::move(text).str();
  }
  bool Exists(const std::string& name) const { return std::filesystem::exists(folder_ / name); }
  const std::filesystem::path& folder() const { return folder_; }

  // Starts the viewer in the test's folder and waits for its first frames. Its messages go to viewer.txt.
  void Open(const std::vector<std::string>& arguments) {
    viewer_.reset();  // first: one that still draws would write its trace again, in place of the new one's
    std::filesystem::remove(folder_ / "trace.json");
    const std::string program = std::filesystem::path(STICTION_RUNNER).parent_path() / "stiction-view";
    std::vector<std::string> command{program, "--ui-trace", "trace.json"};
    if (is_low_) command.push_back("--low");
    command.insert(command.end(), arguments.begin(), arguments.end());
    viewer_ = std::make_unique<Process>(
        command, folder_, "viewer.txt",
        std::vector<std::string>{"DISPLAY=" + display_, "XDG_CONFIG_HOME=" + (folder_ / "config").string(),
                                 "XDG_CACHE_HOME=" + (folder_ / "cache").string(),
                                 "MESA_SHADER_CACHE_DIR=" + (folder_.parent_path() / kShaderFolder).string(),
                                 "STICTION_GL_DEBUG=1"});
    ASSERT_TRUE(Wait([](const Json& state) { return state["frame"] > 2; })) << Read("viewer.txt");
  }

  // The window's state as of its last frame; empty if there is none yet.
  Json State() const { return Json::parse(Read("trace.json"), nullptr, false); }

  // Until the condition holds; false after minutes, which no machine needs, or once the viewer has ended.
  bool Wait(const std::function<bool(const Json&)>& condition) {
    for (int i = 0; i < kPatience; ++i) {
      const Json state = State();
      if (state.is_object() && condition(state)) return true;
      if (!viewer_->is_running()) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return false;
  }
  bool WaitForEnd() {
    for (int i = 0; i < kPatience && viewer_->is_running(); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return !viewer_->is_running();
  }
  // Runs `stiction` in the test's folder.
  void RunStiction(const std::string& arguments) const {
    const std::string line =
        "cd '" + folder_.string() + "' && '" STICTION_RUNNER "' " + arguments + " > run.txt 2>&1";
    ASSERT_EQ(std::system(line.c_str()), 0) << line << "\n" << Read("run.txt");
  }
  // Starts the viewer with arguments that it refuses; its exit code and what it says.
  std::pair<int, std::string> Refuse(const std::string& arguments) const {
    const std::string program = std::filesystem::path(STICTION_RUNNER).parent_path() / "stiction-view";
    const std::string line =
        "cd '" + folder_.string() + "' && DISPLAY= '" + program + "' " + arguments + " > refused.txt 2>&1";
    const int status = std::system(line.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, Read("refused.txt")};
  }
  // Until frames that began after the call have been shown.
  void WaitForFrame() {
    const int frame = State()["frame"];
    ASSERT_TRUE(Wait([&](const Json& state) { return state["frame"] >= frame + 2; }));
  }
  Process& viewer() { return *viewer_; }
  const std::string& display() const { return display_; }

  // xdotool's commands.
  void Do(const std::string& commands) const {
    const std::string line = "DISPLAY=" + display_ + " xdotool " + commands;
    ASSERT_EQ(std::system(line.c_str()), 0) << line;
  }
  // Every action waits until the window has seen it: under load that takes a while.
  void Press(const std::string& key) {
    const int modifiers = static_cast<int>(std::count(key.begin(), key.end(), '+'));
    const int before = State()["key_presses"];
    Do("key --delay 60 " + key);
    ASSERT_TRUE(Wait([&](const Json& state) { return state["key_presses"] > before + modifiers; })) << key;
    WaitForFrame();
  }
  // The same for a key that goes to a text field, which looks at keys once per frame.
  void PressHeld(const std::string& key) {
    const int before = State()["key_presses"];
    Do("keydown " + key);
    ASSERT_TRUE(Wait([&](const Json& state) { return state["key_presses"] > before; })) << key;
    WaitForFrame();
    Do("keyup " + key);
    WaitForFrame();
  }
  void TypeInto(const std::string& field, const std::string& text) {
    Click(field);
    Do("type " + text);
    ASSERT_TRUE(Wait([&](const Json& state) { return state["path_text"] == text; })) << State()["path_text"];
    PressHeld("Return");
  }
  // The same in place of what stands there.
  void ReplaceText(const std::string& field, const std::string& text) {
    Click(field);
    Do("keydown ctrl");
    WaitForFrame();
    PressHeld("a");
    Do("keyup ctrl");
    WaitForFrame();
    Do("type " + text);
    ASSERT_TRUE(Wait([&](const Json& state) { return state["path_text"] == text; })) << State()["path_text"];
    PressHeld("Return");
  }
  // The panel of Ctrl + that digit, where it is not in front of its dock already.
  void ShowPanel(const std::string& digit, const std::string& title) {
    if (!State()["places"].contains(title)) Press("ctrl+" + digit);
    ASSERT_TRUE(State()["places"].contains(title)) << title;
    WaitForFrame();
  }
  // Gives the dock below the picture nearly all of its height.
  void PullUpBottom() {
    const auto [x, y] = Find("Edges/Bottom");
    DragFrom(x, y, 0, 60 - std::round(y), 1);
    WaitForFrame();
  }
  void MoveTo(double x, double y) {
    const Json place{std::round(x), std::round(y)};
    Do("mousemove " + std::to_string(std::lround(x)) + " " + std::to_string(std::lround(y)));
    ASSERT_TRUE(Wait([&](const Json& state) { return state["pointer"] == place; })) << State()["pointer"];
    WaitForFrame();
  }
  void Hold(int button, bool is_down) {
    const std::size_t index = button == 1 ? 0 : button == 3 ? 1 : 2;  // X's numbers and ImGui's
    Do((is_down ? "mousedown " : "mouseup ") + std::to_string(button));
    ASSERT_TRUE(Wait([&](const Json& state) { return state["buttons"][index] == is_down; })) << button;
    WaitForFrame();
  }
  void ClickAt(double x, double y, int button = 1) {
    MoveTo(x, y);
    Hold(button, true);
    Hold(button, false);
  }
  void DragFrom(double x, double y, double dx, double dy, int button, bool is_released = true) {
    MoveTo(x, y);
    Hold(button, true);
    for (int i = 1; i <= 4; ++i) MoveTo(x + dx * i / 4, y + dy * i / 4);
    if (is_released) Hold(button, false);
  }

  // Centre of a control, "Panel/label"; fails where it is not shown.
  std::pair<double, double> Find(const std::string& control, double part = 0.5) {
    const Json controls = State()["controls"];
    EXPECT_TRUE(controls.contains(control)) << control << " is not among " << controls.dump();
    if (!controls.contains(control)) return {0.0, 0.0};
    const Json& place = controls[control];
    return {place[0].get<double>() + part * place[2].get<double>(),
            place[1].get<double>() + 0.5 * place[3].get<double>()};
  }
  void Click(const std::string& control) {
    const auto [x, y] = Find(control);
    ClickAt(x, y);
  }

  // The control whose name ends so, of a list that was just opened: once it stands still.
  void ClickEntry(const std::string& end) {
    std::string name;
    Json place;
    const bool is_shown = Wait([&](const Json& state) {
      for (const auto& [control, where] : state["controls"].items()) {
        if (!control.ends_with(end)) continue;
        const bool is_still = where == place;
        name = control, place = where;
        return is_still;
      }
      return false;
    });
    ASSERT_TRUE(is_shown) << end << " is not among " << State()["controls"].dump();
    Click(name);
  }

  // What is on the screen.
  PictureFile Look() const {
    const std::string command = "DISPLAY=" + display_ + " ffmpeg -loglevel error -y -f x11grab -video_size " +
                                screen_ + " -i " + display_ + " -frames:v 1 '" +
                                (folder_ / "screen.png").string() + "'";
    EXPECT_EQ(std::system(command.c_str()), 0);
    return PictureFile(folder_ / "screen.png");
  }

 private:
  // Xvfb chooses a free number and writes it to a file. Without -noreset it begins anew once its last client
  // is gone, and drops one that comes just then: a viewer that connects a second time, to say what it lacks.
  void StartDisplay() {
    display_process_ = std::make_unique<Process>(
        std::vector<std::string>{
            "sh", "-c", "exec Xvfb -noreset -displayfd 3 -screen 0 " + screen_ + "x24 3> display.txt"},
        folder_, "xvfb.txt");
    for (int i = 0; i < kPatience && Read("display.txt").find('\n') == std::string::npos; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    const std::string number = Read("display.txt");
    if (number.empty()) return;
    display_ = ":" + number.substr(0, number.find('\n'));
  }

  std::string screen_;
  std::filesystem::path folder_;
  std::string display_;
  std::unique_ptr<Process> display_process_, viewer_;
};

}  // namespace stiction::testing

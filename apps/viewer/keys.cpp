#include "keys.h"

#include <algorithm>
#include <cmath>

#include "gl.h"
#include "panels/panels.h"
#include "views.h"

namespace stiction::viewer {
namespace {

struct Key {
  int key, modifiers;
  const char* name;
  const char* effect;
  void (*act)(Session&);
  bool repeats = false;
  const char* group = "";
};

constexpr const char* kPlayGroup = "Simulation";
constexpr const char* kDrawGroup = "What is drawn";
constexpr const char* kLookGroup = "Camera and selection";
constexpr const char* kFileGroup = "Files";
constexpr const char* kWindowGroup = "Window";
constexpr const char* kPointerGroup = "Pointer, in the picture";

void ChangeSpeed(Session& session, double factor) {
  const double speed = session.now.speed > 0.0 ? std::clamp(factor * session.now.speed, 0x1p-10, 0x1p6) : 1.0;
  session.simulation.Do([speed](Player& player) { player.SetSpeed(speed); });
}

constexpr double kScaleStep = 1.125;

void ChangeScale(Session& session, double factor) {
  session.settings.scale =
      std::clamp(factor * static_cast<double>(Scaled(1.0f)), kSmallestScale, kLargestScale);
}

void ChangeCamera(Session& session, int by) {
  if (!session.file) return;
  std::vector<std::string> names = ListViews(session.file->model);
  names.insert(names.begin(), "");
  const auto here = std::find(names.begin(), names.end(), session.view);
  const int count = static_cast<int>(names.size());
  const int next = (static_cast<int>(here - names.begin()) + by + count) % count;
  session.view = names[static_cast<std::size_t>(next)];
  session.is_tracking = false;
}

void SelectParent(Session& session) {
  if (session.selected_body <= 0 || !session.file) return;
  session.selected_body = session.file->model.bodies[static_cast<std::size_t>(session.selected_body)].parent;
  session.selected_geom = -1;
}

void ToggleRun(Session& session) {
  session.simulation.Do([](Player& player) { player.Run(!player.is_running()); });
}

// From the outermost thing inwards: the help, then what is selected and the camera.
void Escape(Session& session) {
  if (session.open(Panel::kHelp)) {
    session.open(Panel::kHelp) = false;
    return;
  }
  session.view.clear();
  session.is_tracking = false;
  session.selected_body = session.selected_geom = -1;
}

std::vector<Key> ListPlayKeys() {
  return {
      {GLFW_KEY_SPACE, 0, "Space", "Run or pause", ToggleRun},
      {GLFW_KEY_RIGHT, 0, "Right", "One step",
       [](Session& s) { s.simulation.Do([](Player& player) { player.StepOnce(); }); }, true},
      {GLFW_KEY_LEFT, 0, "Left", "Back to an earlier state",
       [](Session& s) {
         s.simulation.Do([i = s.now.history_index - 1](Player& player) { player.Scrub(i); });
       },
       true},
      {GLFW_KEY_BACKSPACE, 0, "Backspace", "Reset",
       [](Session& s) { s.simulation.Do([](Player& player) { player.Reset(); }); }},
      {GLFW_KEY_MINUS, 0, "-", "Half as fast", [](Session& s) { ChangeSpeed(s, 0.5); }},
      {GLFW_KEY_EQUAL, 0, "=", "Twice as fast", [](Session& s) { ChangeSpeed(s, 2.0); }},
      {GLFW_KEY_B, 0, "B", "Bookmark this moment, or take its mark away", ToggleBookmark},
      {GLFW_KEY_N, 0, "N", "To the next bookmark", [](Session& s) { GoToBookmark(s, 1); }},
      {GLFW_KEY_P, 0, "P", "To the bookmark before", [](Session& s) { GoToBookmark(s, -1); }},
  };
}

std::vector<Key> ListDrawKeys() {
  return {
      {GLFW_KEY_H, 0, "H", "Shapes that collide, instead of looks",
       [](Session& s) { s.scene_options.collision ^= true; }},
      {GLFW_KEY_C, 0, "C", "Contact points and normals",
       [](Session& s) { s.scene_options.contacts ^= true; }},
      {GLFW_KEY_F, 0, "F", "Contact forces", [](Session& s) { s.scene_options.forces ^= true; }},
      {GLFW_KEY_K, 0, "K", "Friction cones: stick, slip", [](Session& s) { s.scene_options.cones ^= true; }},
      {GLFW_KEY_J, 0, "J", "Joint axes", [](Session& s) { s.scene_options.joint_axes ^= true; }},
      {GLFW_KEY_I, 0, "I", "Boxes of equal inertia", [](Session& s) { s.scene_options.inertia ^= true; }},
      {GLFW_KEY_M, 0, "M", "Centres of mass", [](Session& s) { s.scene_options.centers ^= true; }},
      {GLFW_KEY_T, 0, "T", "Transparent", [](Session& s) { s.scene_options.is_transparent ^= true; }},
      {GLFW_KEY_W, 0, "W", "Wireframe", [](Session& s) { s.render_options.wireframe ^= true; }},
      {GLFW_KEY_S, 0, "S", "Low detail: no shadows", [](Session& s) { s.render_options.low ^= true; }},
      {GLFW_KEY_F6, 0, "F6", "Frames of bodies", [](Session& s) { s.scene_options.frames ^= true; }},
      {GLFW_KEY_F7, 0, "F7", "Labels", [](Session& s) { s.scene_options.labels ^= true; }},
      {GLFW_KEY_F8, 0, "F8", "Sites", [](Session& s) { s.scene_options.sites ^= true; }},
  };
}

std::vector<Key> ListLookKeys() {
  return {
      {GLFW_KEY_LEFT_BRACKET, 0, "[", "Previous camera", [](Session& s) { ChangeCamera(s, -1); }},
      {GLFW_KEY_RIGHT_BRACKET, 0, "]", "Next camera", [](Session& s) { ChangeCamera(s, 1); }},
      {GLFW_KEY_A, GLFW_MOD_CONTROL, "Ctrl+A", "Show the whole scene",
       [](Session& s) { s.requests.frame_scene = true; }},
      {GLFW_KEY_ESCAPE, 0, "Esc", "The free camera; nothing selected", Escape},
      {GLFW_KEY_PAGE_UP, 0, "Page up", "Select the parent body", SelectParent},
  };
}

std::vector<Key> ListFileKeys() {
  return {
      {GLFW_KEY_O, GLFW_MOD_CONTROL, "Ctrl+O", "Open a file", [](Session& s) { s.requests.browse = true; }},
      {GLFW_KEY_L, GLFW_MOD_CONTROL, "Ctrl+L", "Read the file again",
       [](Session& s) { s.requests.reload = true; }},
      {GLFW_KEY_S, GLFW_MOD_CONTROL, "Ctrl+S", "Save the state to a file", SaveState},
      {GLFW_KEY_C, GLFW_MOD_CONTROL, "Ctrl+C", "Copy the state as a <key>",
       [](Session& s) {
         if (s.has_model()) s.requests.copy = MakeKey(s);
       }},
      {GLFW_KEY_E, GLFW_MOD_CONTROL, "Ctrl+E", "Write the last step's contact problem",
       [](Session& s) {
         if (s.has_model()) FreezeStep(s);
       }},
      {GLFW_KEY_P, GLFW_MOD_CONTROL, "Ctrl+P", "Screenshot",
       [](Session& s) { s.requests.screenshot = true; }},
      {GLFW_KEY_R, GLFW_MOD_CONTROL, "Ctrl+R", "Record a video, or end it",
       [](Session& s) { s.requests.toggle_video = true; }},
  };
}

std::vector<Key> ListWindowKeys() {
  return {
      {GLFW_KEY_TAB, 0, "Tab", "Hide the panels, or show them", [](Session& s) { s.has_ui ^= true; }},
      {GLFW_KEY_EQUAL, GLFW_MOD_CONTROL, "Ctrl+=", "Larger letters and panels",
       [](Session& s) { ChangeScale(s, kScaleStep); }, true},
      {GLFW_KEY_MINUS, GLFW_MOD_CONTROL, "Ctrl+-", "Smaller ones",
       [](Session& s) { ChangeScale(s, 1.0 / kScaleStep); }, true},
      {GLFW_KEY_F5, 0, "F5", "Full screen", [](Session& s) { s.requests.toggle_fullscreen = true; }},
      {GLFW_KEY_F1, 0, "F1", "This help", [](Session& s) { s.Toggle(Panel::kHelp); }},
      {GLFW_KEY_F2, 0, "F2", "Plots", [](Session& s) { s.Toggle(Panel::kPlots); }},
      {GLFW_KEY_F3, 0, "F3", "Compare with another run", [](Session& s) { s.Toggle(Panel::kCompare); }},
      {GLFW_KEY_F4, 0, "F4", "What the scenario expects", [](Session& s) { s.Toggle(Panel::kScenario); }},
      {GLFW_KEY_Q, GLFW_MOD_CONTROL, "Ctrl+Q", "Quit", [](Session& s) { s.requests.quit = true; }},
  };
}

const std::vector<Key>& Keys() {
  static const std::vector<Key> keys = [] {
    std::vector<Key> all;
    const auto add = [&](const char* group, std::vector<Key> part) {
      for (Key& key : part) {
        key.group = group;
        all.push_back(key);
      }
    };
    add(kPlayGroup, ListPlayKeys());
    add(kDrawGroup, ListDrawKeys());
    add(kLookGroup, ListLookKeys());
    add(kFileGroup, ListFileKeys());
    add(kWindowGroup, ListWindowKeys());
    return all;
  }();
  return keys;
}

}  // namespace

void HandleKey(Session& session, int key, int modifiers, bool is_repeat) {
  constexpr int kUsed = GLFW_MOD_CONTROL | GLFW_MOD_ALT | GLFW_MOD_SUPER;
  for (const Key& entry : Keys()) {
    if (entry.key == key && entry.modifiers == (modifiers & kUsed) && (entry.repeats || !is_repeat))
      return entry.act(session);
  }
  if ((modifiers & kUsed) != GLFW_MOD_CONTROL || is_repeat) return;
  for (std::size_t i = 0; i < kNumPanels; ++i)
    if (kPanels[i].key_number >= 0 && key == GLFW_KEY_0 + kPanels[i].key_number)
      session.Toggle(static_cast<Panel>(i));
}

std::vector<HelpLine> ListHelp() {
  std::vector<HelpLine> lines;
  for (const Key& key : Keys()) lines.push_back({key.group, key.name, key.effect});
  lines.push_back({kWindowGroup, "Ctrl+1 to Ctrl+0", "Show or close a panel"});
  const std::pair<const char*, const char*> pointer[] = {
      {"Left drag", "Turn the camera"},
      {"Right drag", "Move the camera"},
      {"Wheel", "Come closer, go away"},
      {"Click", "Select a body"},
      {"Double click", "Centre on what is there"},
      {"Right click", "What can be done with a body"},
      {"Ctrl + right drag", "Pull the body by a spring"},
      {"Ctrl + left drag", "Turn the body by a spring"},
      {"Drop a file", "Open it: a model, scenario, log, state or problem"}};
  for (const auto& [what, effect] : pointer) lines.push_back({kPointerGroup, what, effect});
  return lines;
}

}  // namespace stiction::viewer

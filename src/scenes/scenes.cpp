#include "stiction/scenes/scenes.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <variant>

#include "scenes/piles.h"
#include "scenes/primitives.h"
#include "scenes/robots.h"

namespace stiction {
namespace {

constexpr std::string_view kPrefix = "scene:";
constexpr int kMaxCount = 10000;

struct Recipe {
  double ratio;
  int count;
  unsigned seed;
};

struct Scene {
  SceneEntry entry;
  int count;  // of cells, links or bodies; 0: the scene has no such number
  std::variant<Mechanism (*)(const Recipe&), Pile (*)(const Recipe&)> make;
};

constexpr RobotCounts kArm{.is_held = true, .hinges = 7, .limbs = 1};
constexpr RobotCounts kQuadruped{.hinges = 12, .limbs = 4};
constexpr RobotCounts kBdx{.hinges = 14, .limbs = 3};
constexpr RobotCounts kLima{.hinges = 20, .limbs = 5};
constexpr RobotCounts kMisha{.is_held = true, .hinges = 17, .parallelograms = 2, .limbs = 3};
constexpr RobotCounts kWalker{.hinges = 18, .parallelograms = 6, .limbs = 2};
constexpr RobotCounts kGazelle{.is_held = true, .hinges = 26, .parallelograms = 4, .rods = 3, .limbs = 5};
constexpr RobotCounts kIronMan{.is_held = true, .hinges = 35, .parallelograms = 5, .rods = 8, .limbs = 6};

template <const RobotCounts& kCounts>
Mechanism Generate(const Recipe& recipe) {
  return MakeRobot(kCounts, recipe.ratio, recipe.seed);
}

// From the counts of a robot those of its bodies, joints and rows.
template <const RobotCounts& kCounts>
Scene RobotScene(const char* name, const char* summary, double ratio) {
  const RobotCounts& c = kCounts;
  const int held = c.is_held ? 1 : 0, pins = c.hinges + 3 * c.parallelograms;
  const int rows = 6 * held + 5 * pins + 6 * c.rods;
  return {{.name = name,
           .summary = summary,
           .num_bodies = 1 + c.hinges + 2 * c.parallelograms + c.rods,
           .num_joints = held + pins + 2 * c.rods,
           .num_rows = rows,
           .rank = rows - 3 * c.parallelograms,
           .num_reduced_rows = 5 * c.parallelograms + 3 * c.rods,
           .reduced_rank = 2 * c.parallelograms + 3 * c.rods,
           .mass_ratio = ratio,
           .num_contacts = 4 * c.limbs,
           .is_held = c.is_held,
           .is_of_table = true},
          0,
          Generate<kCounts>};
}

// The numbers of an entry in its order, then its flags.
Scene Primitive(const char* name, const char* summary, std::array<int, 6> n, double ratio, int contacts,
                bool is_held, Mechanism (*make)(const Recipe&), int count = 0) {
  return {{name, summary, n[0], n[1], n[2], n[3], n[4], n[5], ratio, contacts, is_held, count == 0, false},
          count,
          make};
}

Scene PileScene(const char* name, const char* summary, int bodies, double ratio, int contacts,
                Pile (*make)(const Recipe&), int count = 0) {
  return {{.name = name,
           .summary = summary,
           .num_bodies = bodies,
           .mass_ratio = ratio,
           .num_contacts = contacts,
           .is_pile = true},
          count,
          make};
}

const std::vector<Scene>& Scenes() {
  static const std::vector<Scene> scenes = {
      Primitive("box_on_plane", "a cube on the ground", {1, 0, 0, 0, 0, 0}, 1.0, 4, false,
                [](const Recipe& r) { return MakeBoxOnPlane(r.ratio); }),
      Primitive("boxes_fixed", "a heavy cube welded onto a light one", {2, 1, 6, 6, 0, 0}, 1000.0, 4, false,
                [](const Recipe& r) { return MakeWeldedBoxes(r.ratio); }),
      Primitive("nunchuk", "two bars joined through a ball, flat on the ground", {3, 2, 6, 6, 0, 0}, 1.0, 9,
                false, [](const Recipe& r) { return MakeNunchuk(r.ratio); }),
      Primitive("fourbar_fixed", "a parallelogram of four bars, its base held", {4, 5, 26, 23, 5, 2}, 1.0, 0,
                true, [](const Recipe& r) { return MakeFourbar(true, r.ratio); }),
      Primitive("fourbar_free", "the same on the ground", {4, 4, 20, 17, 5, 2}, 1.0, 4, false,
                [](const Recipe& r) { return MakeFourbar(false, r.ratio); }),
      RobotScene<kArm>("arm7d", "an arm of seven hinges", 19.54),
      RobotScene<kQuadruped>("quadruped", "four legs of three hinges", 29.07),
      RobotScene<kBdx>("bdx", "three limbs, 14 hinges", 42.49),
      RobotScene<kLima>("lima", "five limbs, 20 hinges", 321.39),
      RobotScene<kMisha>("misha", "held, three limbs, 17 hinges, two parallelograms", 90.67),
      RobotScene<kWalker>("walker", "two legs, 18 hinges, six parallelograms", 99.55),
      RobotScene<kGazelle>("gazelle", "held, five limbs, 26 hinges, four parallelograms, three push rods",
                           1012.54),
      RobotScene<kIronMan>("ironman", "held, six limbs, 35 hinges, five parallelograms, eight push rods",
                           25544.44),
      Primitive(
          "ladder", "parallelograms hung below one another (count)", {31, 41, 206, 176, 50, 20}, 1.0, 4, true,
          [](const Recipe& r) { return MakeLadder(r.count, r.ratio); }, 10),
      Primitive(
          "chain", "bars joined by balls (count)", {20, 20, 60, 60, 0, 0}, 1.0, 1, true,
          [](const Recipe& r) { return MakeChain(r.count, r.ratio); }, 20),
      PileScene(
          "stack", "boxes on top of one another, the top one the heaviest (count)", 20, 1.0, 80,
          [](const Recipe& r) { return MakeStack(r.count, r.ratio); }, 20),
      PileScene(
          "layers", "boxes dropped in layers (count)", 100, 1.0, 0,
          [](const Recipe& r) { return MakeLayers(r.count, r.ratio, r.seed); }, 100),
      PileScene(
          "clutter", "spheres and boxes dropped into a box (count)", 40, 6.0 / std::numbers::pi, 0,
          [](const Recipe& r) { return MakeClutter(r.count, r.ratio, r.seed); }, 40),
      PileScene(
          "sphere_stack", "spheres on top of one another, the middle one the heaviest (count)", 21, 1000.0,
          21, [](const Recipe& r) { return MakeSphereStack(r.count, r.ratio); }, 20),
      PileScene("brick_wall", "a ball strikes a wall of 25 bricks", 26, 676.976, 169,
                [](const Recipe& r) { return MakeBrickWall(r.ratio); }),
      PileScene("dishes", "two bowls, a plate and a heavy pot", 4, 50.0, 128,
                [](const Recipe& r) { return MakeDishes(r.ratio); }),
      PileScene("nut", "a nut slides down the thread of a bolt", 1, 1.0, 120,
                [](const Recipe&) { return MakeNut(); })};
  return scenes;
}

const Scene& FindKnownScene(std::string_view name) {
  std::string known;
  for (const Scene& scene : Scenes()) {
    if (scene.entry.name == name) return scene;
    known += std::string(known.empty() ? "" : ", ") + scene.entry.name;
  }
  throw std::invalid_argument("there is no scene '" + std::string(name) + "'; known: " + known);
}

double ParseValue(std::string_view word, std::string_view value) {
  double number = 0.0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc() || end != value.data() + value.size() || !std::isfinite(number))
    throw std::invalid_argument("scene: '" + std::string(word) + "': not a finite number");
  return number;
}

// A whole number from 0 to `largest`.
unsigned ParseWhole(std::string_view word, std::string_view value, double largest) {
  const double number = ParseValue(word, value);
  if (number < 0.0 || number > largest || number != std::floor(number))
    throw std::invalid_argument("scene: '" + std::string(word) + "': not a whole number that can be");
  return static_cast<unsigned>(number);
}

void ParseWord(std::string_view word, SceneParameters& options) {
  const std::size_t equals = word.find('=');
  const std::string_view key = word.substr(0, equals);
  const std::string_view value = equals == std::string_view::npos ? "" : word.substr(equals + 1);
  if (word == "maximal") {
    options.coordinates = Coordinates::kMaximal;
  } else if (word == "reduced") {
    options.coordinates = Coordinates::kReduced;
  } else if (word == "air") {
    options.with_feet = false;
  } else if (key == "ratio") {
    options.mass_ratio = ParseValue(word, value);
  } else if (key == "speed") {
    options.speed = ParseValue(word, value);
  } else if (key == "spin") {
    options.spin = ParseValue(word, value);
  } else if (key == "count") {
    options.count = static_cast<int>(ParseWhole(word, value, kMaxCount));
  } else if (key == "seed") {
    options.seed = ParseWhole(word, value, 4294967295.0);
  } else {
    throw std::invalid_argument("scene: unknown '" + std::string(word) +
                                "'; known: maximal, reduced, air, ratio=, count=, seed=, speed=, spin=");
  }
}

}  // namespace

const char* ToString(Coordinates coordinates) {
  return coordinates == Coordinates::kMaximal ? "maximal" : "reduced";
}

const std::vector<SceneEntry>& ListScenes() {
  static const std::vector<SceneEntry> entries = [] {
    std::vector<SceneEntry> list;
    for (const Scene& scene : Scenes()) list.push_back(scene.entry);
    return list;
  }();
  return entries;
}

const SceneEntry* FindScene(std::string_view name) {
  for (const SceneEntry& entry : ListScenes()) {
    if (entry.name == name) return &entry;
  }
  return nullptr;
}

Model MakeScene(std::string_view name, const SceneParameters& options) {
  const Scene& scene = FindKnownScene(name);
  const double ratio = options.mass_ratio == 0.0 ? scene.entry.mass_ratio : options.mass_ratio;
  if (!(ratio >= 1.0) || !std::isfinite(ratio))
    throw std::invalid_argument("scene " + std::string(name) + ": the mass ratio must be 1 or more");
  if (options.count < 0 || options.count > kMaxCount)
    throw std::invalid_argument("scene " + std::string(name) + ": the count must be 1 to " +
                                std::to_string(kMaxCount));
  const int count = options.count > 0 ? options.count : scene.count;
  const Recipe recipe{.ratio = ratio, .count = count, .seed = options.seed};
  const bool is_maximal = options.coordinates == Coordinates::kMaximal;
  const std::string model_name = std::string(name) + (is_maximal ? "_maximal" : "");
  return std::visit([&](auto make) { return make(recipe).Build(model_name, options); }, scene.make);
}

bool IsSceneText(std::string_view text) {
  return text.starts_with(kPrefix);
}

SceneText ParseSceneText(std::string_view text) {
  SceneText scene;
  std::string_view rest = IsSceneText(text) ? text.substr(kPrefix.size()) : text;
  for (bool is_first = true; is_first || !rest.empty(); is_first = false) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    const std::string_view word = rest.substr(0, end);
    if (is_first) {
      scene.name = word;
    } else {
      ParseWord(word, scene.options);
    }
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return scene;
}

}  // namespace stiction

#include "stiction/scenes/scenes.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <variant>

#include "scenes/heap.h"
#include "scenes/piles.h"
#include "scenes/primitives.h"
#include "scenes/robots.h"

namespace stiction {
namespace {

constexpr std::string_view kPrefix = "scene:";
constexpr int kMaxCount = 10000;

// The heap of the papers by a name of its own.
constexpr std::string_view kHeapOfQuadrupeds = "quadrupeds";
constexpr const char* kQuadrupedName = "quadruped";
constexpr int kQuadrupedsOfAHeap = 8;

struct Recipe {
  double ratio;
  int count;
  unsigned seed;
};

struct Scene {
  SceneEntry entry;
  int count;  // of cells, links or bodies; 0: the scene has no such number of its own
  std::variant<Mechanism (*)(const Recipe&), Pile (*)(const Recipe&)> make;
};

// What of SceneParameters a pile or a primitive has.
enum : unsigned { kRatio = 1, kSeed = 2 };

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
           .is_of_table = true,
           .has_ratio = true,
           .has_count = !c.is_held && c.parallelograms + c.rods == 0,
           .has_seed = true},
          0,
          Generate<kCounts>};
}

// `n`: the numbers of an entry in its order. A scene with a count of its own is not of the table.
Scene Primitive(const char* name, const char* summary, std::array<int, 6> n, double ratio, int contacts,
                bool is_held, unsigned has, Mechanism (*make)(const Recipe&), int count = 0) {
  return {{.name = name,
           .summary = summary,
           .num_bodies = n[0],
           .num_joints = n[1],
           .num_rows = n[2],
           .rank = n[3],
           .num_reduced_rows = n[4],
           .reduced_rank = n[5],
           .mass_ratio = ratio,
           .num_contacts = contacts,
           .is_held = is_held,
           .is_of_table = count == 0,
           .has_ratio = (has & kRatio) != 0,
           .has_count = count > 0},
          count,
          make};
}

Scene PileScene(const char* name, const char* summary, int bodies, double ratio, int contacts, unsigned has,
                Pile (*make)(const Recipe&), int count = 0) {
  return {{.name = name,
           .summary = summary,
           .num_bodies = bodies,
           .mass_ratio = ratio,
           .num_contacts = contacts,
           .is_pile = true,
           .has_ratio = (has & kRatio) != 0,
           .has_count = count > 0,
           .has_seed = (has & kSeed) != 0},
          count,
          make};
}

const std::vector<Scene>& Scenes() {
  static const std::vector<Scene> scenes = {
      Primitive("box_on_plane", "a cube on the ground", {1, 0, 0, 0, 0, 0}, 1.0, 4, false, 0,
                [](const Recipe&) { return MakeBoxOnPlane(); }),
      Primitive("boxes_fixed", "a heavy cube welded onto a light one", {2, 1, 6, 6, 0, 0}, 1000.0, 4, false,
                kRatio, [](const Recipe& r) { return MakeWeldedBoxes(r.ratio); }),
      Primitive("nunchuk", "two bars joined through a ball, flat on the ground", {3, 2, 6, 6, 0, 0}, 1.0, 9,
                false, kRatio, [](const Recipe& r) { return MakeNunchuk(r.ratio); }),
      Primitive("fourbar_fixed", "a parallelogram of four bars, its base held", {4, 5, 26, 23, 5, 2}, 1.0, 0,
                true, kRatio, [](const Recipe& r) { return MakeFourbar(true, r.ratio); }),
      Primitive("fourbar_free", "the same on the ground", {4, 4, 20, 17, 5, 2}, 1.0, 4, false, kRatio,
                [](const Recipe& r) { return MakeFourbar(false, r.ratio); }),
      RobotScene<kArm>("arm7d", "an arm of seven hinges", 19.54),
      RobotScene<kQuadruped>(kQuadrupedName, "four legs of three hinges; or a heap of them (count)", 29.07),
      RobotScene<kBdx>("bdx", "three limbs, 14 hinges; or a heap of them (count)", 42.49),
      RobotScene<kLima>("lima", "five limbs, 20 hinges; or a heap of them (count)", 321.39),
      RobotScene<kMisha>("misha", "held, three limbs, 17 hinges, two parallelograms", 90.67),
      RobotScene<kWalker>("walker", "two legs, 18 hinges, six parallelograms", 99.55),
      RobotScene<kGazelle>("gazelle", "held, five limbs, 26 hinges, four parallelograms, three push rods",
                           1012.54),
      RobotScene<kIronMan>("ironman", "held, six limbs, 35 hinges, five parallelograms, eight push rods",
                           25544.44),
      Primitive(
          "ladder", "parallelograms hung below one another (count)", {31, 41, 206, 176, 50, 20}, 1.0, 4, true,
          kRatio, [](const Recipe& r) { return MakeLadder(r.count, r.ratio); }, 10),
      Primitive(
          "chain", "bars joined by balls (count)", {20, 20, 60, 60, 0, 0}, 1.0, 1, true, kRatio,
          [](const Recipe& r) { return MakeChain(r.count, r.ratio); }, 20),
      PileScene(
          "stack", "boxes on top of one another, the top one the heaviest (count)", 20, 1.0, 80, kRatio,
          [](const Recipe& r) { return MakeStack(r.count, r.ratio); }, 20),
      PileScene(
          "layers", "boxes dropped in layers (count)", 100, 1.0, 0, kRatio | kSeed,
          [](const Recipe& r) { return MakeLayers(r.count, r.ratio, r.seed); }, 100),
      PileScene(
          "clutter", "spheres and boxes dropped into a box (count)", 40, 6.0 / std::numbers::pi, 0,
          kRatio | kSeed, [](const Recipe& r) { return MakeClutter(r.count, r.ratio, r.seed); }, 40),
      PileScene(
          "sphere_stack", "spheres on top of one another, the middle one the heaviest (count)", 21, 1000.0,
          21, kRatio, [](const Recipe& r) { return MakeSphereStack(r.count, r.ratio); }, 20),
      PileScene(
          "brick_wall", "a ball strikes a wall of bricks (count)", 26, 676.976, 169, kRatio,
          [](const Recipe& r) { return MakeBrickWall(r.count, r.ratio); }, 25),
      PileScene("dishes", "two bowls, a plate and a heavy pot", 4, 50.0, 67, kRatio,
                [](const Recipe& r) { return MakeDishes(r.ratio); }),
      PileScene("nut", "a nut slides down the thread of a bolt", 1, 1.0, 120, 0,
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

// A whole number from `least` to `largest`.
unsigned ParseWhole(std::string_view word, std::string_view value, double least, double largest) {
  const double number = ParseValue(word, value);
  if (number < least || number > largest || number != std::floor(number)) {
    throw std::invalid_argument("scene: '" + std::string(word) + "': not a whole number from " +
                                std::to_string(static_cast<long long>(least)) + " to " +
                                std::to_string(static_cast<long long>(largest)));
  }
  return static_cast<unsigned>(number);
}

// "scene NAME", for messages.
std::string Label(std::string_view name) {
  return "scene " + std::string(name);
}

std::string JoinWords(const SceneEntry& entry) {
  std::string list;
  for (const std::string_view word : ListWords(entry)) list += (list.empty() ? "" : ", ") + std::string(word);
  return list;
}

// Throws unless the scene has the word, one of those of ListWords().
void RequireWord(const SceneEntry& entry, std::string_view word) {
  const std::vector<std::string_view> words = ListWords(entry);
  if (std::find(words.begin(), words.end(), word) != words.end()) return;
  throw std::invalid_argument(Label(entry.name) + " has no '" + std::string(word) +
                              "'; it has: " + JoinWords(entry));
}

// Throws where a parameter was changed that the scene does not have.
void CheckParameters(const SceneEntry& entry, const SceneParameters& options) {
  if (options.coordinates == Coordinates::kMaximal) RequireWord(entry, "maximal");
  if (options.mass_ratio != 0.0) RequireWord(entry, "ratio=");
  if (options.count != 0) RequireWord(entry, "count=");
  if (options.seed != 0) RequireWord(entry, "seed=");
  if (options.speed != 0.0) RequireWord(entry, "speed=");
  if (options.spin != 0.0) RequireWord(entry, "spin=");
  if (options.mass_ratio != 0.0 && (!(options.mass_ratio >= 1.0) || !std::isfinite(options.mass_ratio)))
    throw std::invalid_argument(Label(entry.name) + ": the mass ratio must be 1 or more");
  if (options.count < 0 || options.count > kMaxCount)
    throw std::invalid_argument(Label(entry.name) + ": the count must be 1 to " + std::to_string(kMaxCount));
}

// Sets what the word says. Returns it as ListWords() has it.
std::string_view ParseWord(std::string_view word, SceneParameters& options) {
  const std::size_t equals = word.find('=');
  const bool has_value = equals != std::string_view::npos;
  const std::string_view key = has_value ? word.substr(0, equals + 1) : word;
  const std::string_view value = has_value ? word.substr(equals + 1) : "";
  if (key == "maximal") {
    options.coordinates = Coordinates::kMaximal;
  } else if (key == "reduced") {
    options.coordinates = Coordinates::kReduced;
  } else if (key == "air") {
    options.with_feet = false;
  } else if (key == "ratio=") {
    options.mass_ratio = ParseValue(word, value);
    if (!(options.mass_ratio >= 1.0))
      throw std::invalid_argument("scene: '" + std::string(word) + "': the mass ratio must be 1 or more");
  } else if (key == "speed=") {
    options.speed = ParseValue(word, value);
  } else if (key == "spin=") {
    options.spin = ParseValue(word, value);
  } else if (key == "count=") {
    options.count = static_cast<int>(ParseWhole(word, value, 1.0, kMaxCount));
  } else if (key == "seed=") {
    options.seed = ParseWhole(word, value, 0.0, 4294967295.0);
  } else {
    return {};
  }
  return key;
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

std::vector<std::string_view> ListWords(const SceneEntry& entry) {
  std::vector<std::string_view> words;
  if (!entry.is_pile) words.insert(words.end(), {"maximal", "reduced"});
  words.push_back("air");
  if (entry.has_ratio) words.push_back("ratio=");
  if (entry.has_count) words.push_back("count=");
  if (entry.has_seed) words.push_back("seed=");
  if (!entry.is_held) words.insert(words.end(), {"speed=", "spin="});
  return words;
}

Model MakeScene(std::string_view name, const SceneParameters& options) {
  const Scene& scene = FindKnownScene(name);
  CheckParameters(scene.entry, options);
  const double ratio = options.mass_ratio == 0.0 ? scene.entry.mass_ratio : options.mass_ratio;
  const Recipe recipe{
      .ratio = ratio, .count = options.count > 0 ? options.count : scene.count, .seed = options.seed};
  const bool is_maximal = options.coordinates == Coordinates::kMaximal;
  const bool is_heap = options.count > 0 && scene.count == 0;
  if (is_heap && is_maximal)
    throw std::invalid_argument(Label(name) + ": a heap (count=) comes in reduced coordinates only");
  const std::string model_name = std::string(name) + (is_maximal ? "_maximal" : "");
  if (is_heap) return MakeHeap(std::get<0>(scene.make)(recipe), model_name, options);
  return std::visit([&](auto make) { return make(recipe).Build(model_name, options); }, scene.make);
}

bool IsSceneText(std::string_view text) {
  return text.starts_with(kPrefix);
}

SceneText ParseSceneText(std::string_view text) {
  SceneText scene;
  std::string_view rest = IsSceneText(text) ? text.substr(kPrefix.size()) : text;
  const auto next = [&rest] {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    const std::string_view word = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return word;
  };
  scene.name = next();
  if (scene.name == kHeapOfQuadrupeds) {
    scene.name = kQuadrupedName;
    scene.options.count = kQuadrupedsOfAHeap;
  }
  const SceneEntry* entry = FindScene(scene.name);
  while (!rest.empty()) {
    const std::string_view word = next(), key = ParseWord(word, scene.options);
    if (!entry) continue;  // MakeScene() says so
    if (key.empty())
      throw std::invalid_argument(Label(scene.name) + ": unknown '" + std::string(word) +
                                  "'; it has: " + JoinWords(*entry));
    RequireWord(*entry, key);
  }
  return scene;
}

}  // namespace stiction

// `stiction list`: what this build knows.
#include <CLI/CLI.hpp>
#include <cstdio>

#include "command.h"
#include "json_output.h"

namespace stiction::runner {
namespace {

Json JointTypes() {
  Json names = Json::array();
  for (const JointTraits& traits : kJointTraits) names.push_back(traits.name);
  return names;
}

Json ShapeTypes() {
  const Vector3d ones = Vector3d::Ones();
  const Shape shapes[] = {
      Plane{}, Sphere{1.0}, Capsule{1.0, 1.0}, Ellipsoid{ones}, Cylinder{1.0, 1.0}, Box{ones}, Hull{},
      Mesh{},  Field{}};
  static_assert(std::size(shapes) == std::variant_size_v<Shape>);
  Json names = Json::array();
  for (const Shape& shape : shapes) names.push_back(ShapeName(shape));
  return names;
}

// Default and range of an option.
struct RangeOf {
  template <typename Interval>
  Json operator()(const Interval& option) const {
    return {{"default", *option.value}, {"minimum", option.minimum}, {"maximum", option.maximum}};
  }
  Json operator()(const FlagOption& option) const { return {{"default", *option.value}}; }
  Json operator()(const ChoiceOption& option) const {
    return {{"default", option.names[option.index()]}, {"values", option.names}};
  }
};

Json SolverOptions(ContactSolver& solver) {
  Json options = Json::array();
  for (const SolverOption& option : solver.ListOptions()) {
    Json entry{{"name", option.name}, {"type", option.type_name()}};
    entry.update(std::visit(RangeOf{}, option.target));
    entry["description"] = option.description;
    options.push_back(std::move(entry));
  }
  return options;
}

constexpr ConstraintType kRows[] = {
    ConstraintType::kContact, ConstraintType::kUnilateral, ConstraintType::kBilateral, ConstraintType::kSoft,
    ConstraintType::kBounded, ConstraintType::kTorsional,  ConstraintType::kRolling};

Json SolverRows(const ContactSolver& solver) {
  Json rows = Json::array();
  for (ConstraintType type : kRows) {
    if (solver.Supports(type)) rows.push_back(ToString(type));
  }
  return rows;
}

Json Scenes() {
  Json scenes = Json::array();
  for (const SceneEntry& entry : ListScenes())
    scenes.push_back({{"name", entry.name},
                      {"summary", entry.summary},
                      {"bodies", entry.num_bodies},
                      {"joints", entry.num_joints},
                      {"rows", entry.num_rows},
                      {"rank", entry.rank},
                      {"mass_ratio", entry.mass_ratio},
                      {"contacts", entry.num_contacts},
                      {"words", ListWords(entry)}});
  return scenes;
}

Json MakeList() {
  Json list;
  list["solvers"] = Json::array();
  for (const SolverEntry& entry : ListSolvers()) {
    const auto solver = entry.Make();
    list["solvers"].push_back({{"name", entry.name},
                               {"summary", entry.summary},
                               {"rows", SolverRows(*solver)},
                               {"options", SolverOptions(*solver)}});
  }
  list["row_types"] = Json::array();
  for (ConstraintType type : kRows) list["row_types"].push_back(ToString(type));
  list["scenes"] = Scenes();
  list["joint_types"] = JointTypes();
  list["shape_types"] = ShapeTypes();
  return list;
}

void PrintNames(const char* title, const Json& names) {
  std::printf("%s ", title);
  for (const Json& name : names) std::printf(" %s", name.get_ref<const std::string&>().c_str());
  std::printf("\n");
}

void PrintScenes(const Json& scenes) {
  std::printf(
      "Scenes (scene:NAME in the place of a file; words may follow, as in scene:stack:count=5:air):\n");
  for (const Json& scene : scenes) {
    std::printf("  %-14s %s: %d bodies, %d joints, ratio %g;", scene["name"].get<std::string>().c_str(),
                scene["summary"].get<std::string>().c_str(), scene["bodies"].get<int>(),
                scene["joints"].get<int>(), scene["mass_ratio"].get<double>());
    for (const Json& word : scene["words"]) std::printf(" %s", word.get_ref<const std::string&>().c_str());
    std::printf("\n");
  }
}

void PrintSolvers(const Json& list) {
  std::printf("Solvers (--solver), and their options (--set):\n");
  for (const Json& solver : list["solvers"]) {
    std::printf("  %-12s %s\n", solver["name"].get<std::string>().c_str(),
                solver["summary"].get<std::string>().c_str());
    if (solver["rows"] != list["row_types"]) PrintNames("    only the rows:", solver["rows"]);
    const auto made = MakeSolver(solver["name"].get_ref<const std::string&>());
    for (const SolverOption& option : made->ListOptions())
      std::printf("    %-20s %s (%s, %s; default %s)\n", option.name.c_str(), option.description.c_str(),
                  option.type_name(), option.FormatRange().c_str(), option.FormatValue().c_str());
  }
}

void PrintText(const Json& list, const std::string& what) {
  if (what != "scenes") PrintSolvers(list);
  if (what != "solvers") PrintScenes(list["scenes"]);
  if (!what.empty()) return;
  PrintNames("Row types, taken by every solver unless it says otherwise:", list["row_types"]);
  PrintNames("Joint types:", list["joint_types"]);
  PrintNames("Shape types:", list["shape_types"]);
}

}  // namespace

void AddListCommand(CLI::App& app, Command& command) {
  CLI::App* list =
      app.add_subcommand("list", "Solvers with their options; scenes; row, joint and shape types");
  auto target = std::make_shared<JsonTarget>();
  auto what = std::make_shared<std::string>();
  list->add_option("WHAT", *what, "Only these")
      ->check(CLI::IsMember({"solvers", "scenes"}))
      ->option_text("solvers|scenes [everything]");
  AddJsonOption(*list, *target);
  list->callback([&command, target, what] {
    command = [target, what] {
      CheckOutputs({{"--json", target->path}}, {});
      const Json answer = MakeList();
      if (target->wanted())
        Write(*target, what->empty() ? answer : Json{{*what, answer[*what]}});
      else
        PrintText(answer, *what);
      return kOk;
    };
  });
}

}  // namespace stiction::runner

#include "sweep_parameters.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace stiction::runner {
namespace {

double ParseAtLeast(const std::string& name, const std::string& value, double minimum) {
  const std::optional<double> number = ParseNumber(value);
  if (number && *number >= minimum) return *number;
  throw UsageError("--vary " + name + ": '" + value + "' is not a finite number" +
                   (std::isinf(minimum) ? "" : " >= 0"));
}

double ParsePositive(const std::string& name, const std::string& value) {
  const std::optional<double> number = ParseNumber(value);
  if (number && *number > 0.0) return *number;
  throw UsageError("--vary " + name + ": '" + value + "' is not a finite number > 0");
}

std::uint64_t ParseSeed(const std::string& value) {
  const double number = ParseAtLeast("seed", value, 0.0);
  if (number == std::floor(number) && number < 1e15) return static_cast<std::uint64_t>(number);
  throw UsageError("--vary seed: '" + value + "' is not a whole number");
}

int ParseHalvings(const std::string& value) {
  const double number = ParseAtLeast("halvings", value, 0.0);
  if (number > kMostHalvings || number != std::floor(number))
    throw UsageError("halvings: '" + value + "' is not a whole number up to " + std::to_string(kMostHalvings));
  return static_cast<int>(number);
}

std::string ParseWord(const std::string& name, const std::string& value,
                      const std::vector<std::string>& words) {
  if (std::find(words.begin(), words.end(), value) != words.end()) return value;
  std::string known;
  for (const std::string& word : words) known += (known.empty() ? "" : ", ") + word;
  throw UsageError("--vary " + name + ": '" + value + "' is none of " + known);
}

// A word of a scene, "seed=".
void SetSceneWord(const std::string& name, const std::string& value, SweepCase& sweep_case) {
  std::string& path = sweep_case.run.model.path;
  if (path.find(":" + name + "=") != std::string::npos)
    throw UsageError("--vary " + name + ": " + path + " says it already");
  path += ":" + name + "=" + value;
}

bool HasSceneWord(const std::string& path, const std::string& name) {
  if (!IsSceneText(path)) return false;
  const SceneEntry* entry = FindScene(ParseSceneText(path).name);
  if (!entry) return false;
  const auto words = ListWords(*entry);
  return std::find(words.begin(), words.end(), name + "=") != words.end();
}

using Apply = void (*)(const std::string& value, SweepCase& sweep_case);

struct Parameter {
  const char* name;
  const char* help;
  Apply apply;
};

constexpr double kNoMinimum = -std::numeric_limits<double>::infinity();

const Parameter kParameters[] = {
    {"solver", "as of `run`",
     [](const std::string& value, SweepCase& c) {
       MakeKnownSolver(value);
       c.run.solver = value;
     }},
    {"dt", "as of `run` [s]",
     [](const std::string& value, SweepCase& c) { c.run.dt = ParsePositive("dt", value); }},
    {"time", "as of `run` [s]",
     [](const std::string& value, SweepCase& c) { c.run.time = ParseAtLeast("time", value, 0.0); }},
    {"integrator", "as of `run`",
     [](const std::string& value, SweepCase& c) {
       c.run.integrator = ParseWord("integrator", value, ListIntegratorNames());
     }},
    {"budget", "as of `run` [m/s]",
     [](const std::string& value, SweepCase& c) {
       c.run.budget = ParseBudget(value);
       if (!c.run.budget) throw UsageError("budget: '" + value + "' is not " + kBudgetWords);
     }},
    {"on-miss", "as of `run`",
     [](const std::string& value, SweepCase& c) {
       c.run.on_miss = ParseWord("on-miss", value, ListOnMissNames());
     }},
    {"halvings", "as of `run`",
     [](const std::string& value, SweepCase& c) { c.run.halvings = ParseHalvings(value); }},
    {"contact", "as of `run`",
     [](const std::string& value, SweepCase& c) {
       c.run.model.contact = ParseWord("contact", value, {"rigid", "soft"});
     }},
    {"ground", "as of `run` [m]",
     [](const std::string& value, SweepCase& c) {
       c.run.model.ground = ParseAtLeast("ground", value, kNoMinimum);
     }},
    {"keyframe", "as of `run`", [](const std::string& value, SweepCase& c) { c.run.model.keyframe = value; }},
    {"spread", "of the velocities of `seed` [m/s or rad/s]",
     [](const std::string& value, SweepCase& c) { c.spread = ParseAtLeast("spread", value, 0.0); }},
};

// NAME of "set.NAME".
std::optional<std::string> FindBehind(const std::string& name, const std::string& prefix) {
  if (!name.starts_with(prefix) || name.size() == prefix.size()) return std::nullopt;
  return name.substr(prefix.size());
}

}  // namespace

void ApplyParameter(const std::string& name, const std::string& value, SweepCase& sweep_case) {
  for (const Parameter& parameter : kParameters) {
    if (name == parameter.name) return parameter.apply(value, sweep_case);
  }
  if (HasSceneWord(sweep_case.run.model.path, name)) return SetSceneWord(name, value, sweep_case);
  if (name == "seed") {
    sweep_case.seed = ParseSeed(value);
  } else if (const auto option = FindBehind(name, "set.")) {
    sweep_case.run.settings.push_back(*option + "=" + value);
  } else if (const auto body = FindBehind(name, "friction.")) {
    sweep_case.frictions.emplace_back(*body, ParseAtLeast(name, value, 0.0));
  } else if (name == "friction") {
    sweep_case.frictions.emplace(sweep_case.frictions.begin(), "", ParseAtLeast(name, value, 0.0));
  } else {
    throw UsageError("--vary: there is no parameter '" + name + "' (see `stiction sweep --help`)");
  }
}

std::string DescribeParameters() {
  std::string text = "What --vary can vary:\n";
  const auto add = [&](const std::string& name, const std::string& help) {
    text += "  " + name + std::string(name.size() < 28 ? 28 - name.size() : 1, ' ') + help + "\n";
  };
  for (const Parameter& parameter : kParameters) add(parameter.name, parameter.help);
  add("set.OPTION", "of the solver, as --set OPTION=... of `run`");
  add("friction", "sliding friction of every geom and contact pair");
  add("friction.BODY", "of the geoms of one body alone");
  add("seed", "of a scene that has one; else of velocities at the start, added to the model's own");
  add("count, ratio, speed, spin", "words of scenes built in code (`stiction list scenes`)");
  return text;
}

}  // namespace stiction::runner

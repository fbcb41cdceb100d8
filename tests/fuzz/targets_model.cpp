// Readers of robots, models and scenarios.
#include <cmath>
#include <filesystem>

#include "stiction/io/load.h"
#include "stiction/io/mjcf_writer.h"
#include "stiction/io/scenario.h"
#include "tests/fuzz/target.h"
#include "tests/fuzz/targets.h"

namespace stiction::fuzz {
namespace {

// Files of other folders are none of a target's affair; those that it changes by nobody but itself.
std::string WritePath() {
  return AssetFolder() + "/written/model.xml";
}

void CheckNumbers(const Model& model) {
  Require(model.q0.allFinite(), "q0 of an accepted model is finite");
  for (const Body& body : model.bodies) {
    Require(std::isfinite(body.inertia.mass) && body.inertia.mass >= 0.0, "masses are finite, not negative");
    Require(body.X_PB.p.allFinite() && body.X_PB.R.allFinite(), "poses are finite");
  }
  for (const Geom& geom : model.geoms)
    Require(geom.X_BG.p.allFinite() && geom.X_BG.R.allFinite(), "poses of geoms are finite");
}

// What is written reads back, as the same text.
void CheckRoundTrip(const Model& model) {
  MjcfDocument document;
  try {
    document = MakeMjcf(model, WritePath());
  } catch (const std::invalid_argument&) {
    return;  // what no reader would take, says the writer
  }
  SaveMjcf(document, WritePath());
  try {
    const MjcfDocument again = MakeMjcf(LoadModel(WritePath(), {.visuals = true}), WritePath());
    Require(document.text == again.text,
            "a model that was written and read is written again as the same text");
  } catch (const LoadError& error) {
    Require(false, std::string("a model that was written reads back: ") + error.what());
  }
}

void FuzzModel(const std::string& path, const LoadOptions& options) {
  std::filesystem::create_directory(AssetFolder() + "/written");
  ImportReport report;
  try {
    const Model model = LoadModel(path, options, &report);
    CheckNumbers(model);
    if (model.num_bodies() < 40) CheckRoundTrip(model);
  } catch (const LoadError&) {
  }
}

}  // namespace

void FuzzUrdf(const std::string& path, std::string_view bytes) {
  // The options follow from the input, so that a finding repeats.
  const std::size_t choice = bytes.size();
  LoadOptions options{.floating_base = choice % 2 == 1, .visuals = choice % 4 >= 2};
  if (choice % 8 >= 4)
    options.repairs = {
        .infer_inertia = 1000.0, .skip_missing_meshes = true, .repair_inertia = true, .several_roots = true};
  if (choice % 16 >= 8) options.ground = 0.0;
  FuzzModel(path, options);
}

void FuzzMjcf(const std::string& path, std::string_view bytes) {
  FuzzModel(path, {.visuals = bytes.size() % 2 == 1});
}

void FuzzScenario(const std::string& path, std::string_view) {
  ImportReport report;
  try {
    CheckNumbers(BuildModel(LoadScenario(path, &report), &report));
  } catch (const LoadError&) {
  }
}

}  // namespace stiction::fuzz

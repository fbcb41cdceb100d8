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

void FuzzModel(const std::string& path, std::string_view bytes, const LoadOptions& options) {
  std::filesystem::create_directory(AssetFolder() + "/written");
  ImportReport report;
  try {
    const Model model = LoadModel(path, options, &report);
    CheckNumbers(model);
    if (model.num_bodies() < 40 && IsRoundTripDue(bytes)) CheckRoundTrip(model);
  } catch (const LoadError&) {
  }
}

#ifdef STICTION_WITH_SDFORMAT
// The folder of the model that seeds include as model://sdf_part.
std::string WriteIncludedModel() {
  const std::string folder = AssetFolder() + "/included", part = folder + "/sdf_part";
  std::filesystem::create_directories(part);
  WriteWholeFile(part + "/model.config", "<model><sdf version='1.8'>model.sdf</sdf></model>");
  WriteWholeFile(part + "/model.sdf", ReadWholeFile(STICTION_SOURCE_DIR "/tests/fuzz/seeds/part.sdf.xml"));
  return folder;
}
#endif

}  // namespace

void FuzzUrdf(const std::string& path, std::string_view bytes) {
  // The options follow from the input, so that a finding repeats.
  const std::size_t choice = bytes.size();
  LoadOptions options{.floating_base = choice % 2 == 1, .visuals = choice % 4 >= 2};
  if (choice % 8 >= 4)
    options.repairs = {
        .infer_inertia = 1000.0, .skip_missing_meshes = true, .repair_inertia = true, .several_roots = true};
  if (choice % 16 >= 8) options.ground = 0.0;
  FuzzModel(path, bytes, options);
}

void FuzzMjcf(const std::string& path, std::string_view bytes) {
  FuzzModel(path, bytes, {.visuals = bytes.size() % 2 == 1});
}

#ifdef STICTION_WITH_SDFORMAT
void FuzzSdf(const std::string& path, std::string_view bytes) {
  static const std::string included = WriteIncludedModel();
  const std::size_t choice = bytes.size();
  LoadOptions options{.package_paths = {included}, .visuals = choice % 2 == 1};
  if (choice % 4 >= 2) options.repairs = {.skip_missing_meshes = true, .repair_inertia = true};
  if (choice % 8 >= 4) options.ground = 0.0;
  FuzzModel(path, bytes, options);
}
#endif

void FuzzScenario(const std::string& path, std::string_view) {
  ImportReport report;
  try {
    CheckNumbers(BuildModel(LoadScenario(path, &report), &report));
  } catch (const LoadError&) {
  }
}

}  // namespace stiction::fuzz

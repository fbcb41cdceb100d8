#include "stiction/io/load.h"

#include "io/mjcf/include.h"
#include "io/mjcf/read_model.h"
#include "io/mjcf/report.h"
#include "io/sdf/read_sdf.h"
#include "io/urdf/assembly.h"
#include "io/urdf/robot.h"
#include "io/xacro_program.h"
#include "io/xml/reader.h"
#include "stiction/io/model_source.h"

namespace stiction {
namespace {

void RefuseFloatingBase(const std::string& path, const LoadOptions& options) {
  if (!options.floating_base) return;
  throw LoadError(path, 0, "", "an MJCF file says itself which bodies float; the floating base is for URDF");
}

// What is none of ours is for the reader of XML to refuse.
void RefuseOtherKinds(const std::string& path) {
  switch (FindFileKind(path)) {
    case FileKind::kLog:
      throw LoadError(path, 0, "", "a log, not a model; \"stiction-view\" plays it");
    case FileKind::kState:
      throw LoadError(path, 0, "", "a saved state, not a model; \"stiction-view\" shows it");
    case FileKind::kProblem:
      throw LoadError(path, 0, "", "contact problems, not a model; \"stiction solve\" solves them");
    default:
      return;
  }
}

// Of a file that xacro expands, lines are those of what it makes.
std::unique_ptr<xml::Element> ReadRoot(const std::string& path, const LoadOptions& options) {
  if (IsXacroFile(path))
    return xml::ReadText(path + " (expanded)", ExpandXacro(path, options.xacro_arguments));
  if (!options.xacro_arguments.empty())
    throw LoadError(path, 0, "", "takes no arguments of xacro: its name does not end in .xacro");
  return xml::ReadFile(path);
}

// SDFormat's own library reads the file again.
void RefuseSdfText(const xml::Element& root) {
  if (root.name() == "sdf") root.Fail("SDFormat is read from a file alone; write the text to one");
}

Model ReadModelOf(std::unique_ptr<xml::Element> root, const std::string& path, const LoadOptions& options,
                  ImportReport* report) {
  Model model;
  std::vector<ImportItem> notes;
  int cache_hits = 0;
  xml::ExplainUnread explain = nullptr;
  if (root->name() == "robot") {
    urdf::MeshSource meshes(path, options);
    const urdf::Robot robot = urdf::ReadRobot(*root, meshes, options);
    urdf::Assembly assembly(robot, *root, options);
    model = assembly.Build();
    notes = assembly.notes();
    cache_hits = meshes.num_hits();
    explain = urdf::ExplainUnread;
  } else if (root->name() == "mujoco") {
    RefuseFloatingBase(path, options);
    mjcf::ExpandIncludes(*root, path);
    mjcf::Context context(std::filesystem::path(path).parent_path(), options);
    model = mjcf::ReadModel(context, *root);
    cache_hits = context.assets.memory->num_hits();
    explain = mjcf::ExplainUnread;
    ImportReport parts;
    for (const auto& part : context.attached.roots) xml::AppendReport(*part, explain, parts);
    notes = std::move(parts.items);
    notes.insert(notes.end(), context.attached.notes.begin(), context.attached.notes.end());
    if (const std::optional<ImportItem> note = context.friction_note.Make()) notes.push_back(*note);
  } else if (root->name() == "sdf") {
    sdformat::Loaded loaded = sdformat::Read(path, *root, options);
    model = std::move(loaded.model);
    root = std::move(loaded.root);
    notes = std::move(loaded.notes);
    cache_hits = loaded.cache_hits;
    explain = sdformat::ExplainUnread;
  } else if (root->name() == "scenario") {
    throw LoadError(path, root->line(), root->name(),
                    "a scenario, not a model; LoadScenario() reads it, and \"stiction run\" simulates it");
  } else if (root->name() == "mujocoinclude") {
    throw LoadError(path, root->line(), root->name(), "a part of a model; load the file that includes it");
  } else {
    throw LoadError(path, root->line(), root->name(),
                    "not a model: expected <robot> (URDF), <mujoco> (MJCF) or <sdf> (SDFormat)");
  }
  if (options.contact_model) model.options.contact_model = *options.contact_model;
  if (report) {
    report->items.clear();
    report->cache_hits = cache_hits;
    xml::AppendReport(*root, explain, *report);
    report->items.insert(report->items.end(), notes.begin(), notes.end());
  }
  return model;
}

}  // namespace

Model LoadModel(const std::string& path, const LoadOptions& options, ImportReport* report) {
  RefuseOtherKinds(path);
  return ReadModelOf(ReadRoot(path, options), path, options, report);
}

Model LoadModelText(const std::string& text, const std::string& folder, const LoadOptions& options,
                    ImportReport* report) {
  const std::string path = (std::filesystem::path(folder) / "(text)").string();
  std::unique_ptr<xml::Element> root = xml::ReadText(path, text);
  RefuseSdfText(*root);
  return ReadModelOf(std::move(root), path, options, report);
}

}  // namespace stiction

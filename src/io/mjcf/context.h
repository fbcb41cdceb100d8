// What the sections of one MJCF file share while it is read.
//
// A section is a free function, Read...(context, element) (sections.h): it finds in the context how the file
// is to be understood and what other sections have made, and leaves there what it makes itself.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "io/friction_note.h"
#include "io/mjcf/assets.h"
#include "io/mjcf/compiler.h"
#include "io/mjcf/defaults.h"
#include "io/mjcf/names.h"
#include "io/mjcf/reflected.h"
#include "io/mjcf/replicas.h"
#include "io/xml/element_table.h"
#include "stiction/io/load.h"
#include "stiction/model/model_builder.h"

namespace stiction::mjcf {

// <option><flag>
struct Flags {
  bool contact = true, gravity = true, limit = true, spring = true, damper = true, clamp_ctrl = true;
  bool equality = true, friction_loss = true, actuation = true;
  std::uint32_t disabled_groups = 0;  // of actuators: a bit each

  // Without springs and dampers none of the passive forces is there: no drag, nothing that compensates
  // gravity.
  bool passive() const { return spring || damper; }
};

// What decides a body's mass once all of its elements are known.
struct BodyMass {
  xml::Element* inertial = nullptr;
  MassProperties explicit_inertia{};
  bool has_geom_mass = false;
  // Of a body whose free joint asks for it: its frame becomes its inertial frame.
  bool is_aligned = false;
  bool is_attached = false;                 // of a model whose own <compiler> says what bounds it
  std::optional<Matrix3d> inertial_axes{};  // in the body's frame, where the geoms do not decide
};

// What an <attach> has placed, whose mechanisms come after those of the file itself.
struct AttachedPart {
  xml::Element* element;
  Model model;  // with its names as they are here
  AddedModel added;
  RigidTransform X_WM;
};

// What <attach> has read.
struct AttachedModel {
  Model model;
  MassProperties fixtures{};  // of what stands in its world, where that is to have any
};

struct AttachedModels {
  // By name of the <model>, body, and whether fixtures have mass.
  std::map<std::tuple<std::string, std::string, bool>, AttachedModel> models;
  std::vector<std::unique_ptr<xml::Element>> roots;  // of their files, for the import report
  std::vector<ImportItem> notes;                     // that stand at no one of their elements
  std::vector<AttachedPart> parts;
};

// A camera or light that is turned to a body which need not be known yet.
struct CameraTarget {
  xml::Element* element;
  bool is_light;
  int index;  // the builder's
  CameraMode mode;
  std::string target, suffix;  // of the replica that it stands in
};

// joint[@springdamper], both numbers positive.
struct SpringDamper {
  int joint;  // the builder's
  double time_constant, damping_ratio;
  double more_damping;  // of actuators
};

struct Context {
  //   folder     of the main file: where the paths of assets begin
  //   only_body  the body that is wanted of an attached model; empty: all of it
  //   depth      1 for a model that is attached to the main one, and so on
  Context(std::filesystem::path folder_, const LoadOptions& options_, std::string only_body_ = "",
          int depth_ = 0)
      : folder(std::move(folder_)),
        options(options_),
        only_body(std::move(only_body_)),
        depth(depth_),
        names(!only_body.empty()) {
    if (options.visuals) assets.memory->ReadLooks();
  }

  // How the file is to be read.
  std::filesystem::path folder;
  const LoadOptions& options;
  std::string only_body;
  int depth = 0;
  // Of a model that is attached to a body: what stands in its world is part of that, and has this mass.
  bool has_heavy_world = false;
  MassProperties fixtures{};
  Compiler compiler;
  Flags flags;
  Defaults defaults;

  // What there is so far.
  ModelBuilder builder;
  ElementTable table;  // where the builder's elements stand in the file
  FrictionNote friction_note;
  Names names;
  Replicas replicas;
  Assets assets;
  AttachedModels attached;
  std::vector<CameraTarget> camera_targets;
  std::vector<SpringDamper> spring_dampers;
  ReflectedParts reflected;
  std::set<std::pair<int, int>> contact_pairs;  // of geoms, the smaller first
  std::vector<BodyMass> masses{1};              // one per body of the builder
  std::vector<int> actuator_of_ctrl;  // one per actuator of the file: the builder's index, -1: not simulated
  std::set<std::string> keyframe_names;  // of the file, and of attached models so far
  std::set<std::string> paired_geoms;    // by <pair>s: they collide whatever their masks say
  int num_mocap = 0;
  int num_elements_read = 0;  // of <worldbody>, every copy counted
};

}  // namespace stiction::mjcf

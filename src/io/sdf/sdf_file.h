// An SDFormat file after libsdformat has brought it up to date, put included files in their place and found
// where all frames stand: a tree of elements, and what refers to what, as plain data.
//
// Numbers are read from the elements, by the same strict rules as those of the other formats.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "io/sdf/paths.h"
#include "io/xml/element.h"
#include "stiction/math/rigid_transform.h"

namespace stiction::sdformat {

// A <collision> or <visual>, with its frame P.
struct Part {
  xml::Element* element = nullptr;
  RigidTransform X_LP = {};
};

struct Link {
  xml::Element* element = nullptr;
  std::string name = {};  // "arm::hand"; without the model's name where the file has one model and no world
  RigidTransform X_WL = {};
  RigidTransform X_LI = {};  // of the inertial frame
  bool is_static = false;
  bool weighs_its_shapes = false;  // <inertial auto="true">
  int model = 0;                   // the outermost one
  bool self_collides = false;      // with links of its own model
  std::vector<Part> collisions = {}, visuals = {};
};

constexpr int kWorld = -1;  // in the place of a link

struct Axis {
  xml::Element* element = nullptr;
  Vector3d axis_W = Vector3d::UnitZ();  // where the file has the links
};

struct JointEntry {
  xml::Element* element = nullptr;
  std::string name = {};
  std::string type = {};
  int parent = kWorld, child = kWorld;  // links; the child is one
  RigidTransform X_WJ = {};
  std::vector<Axis> axes = {};
};

struct FrameEntry {
  xml::Element* element = nullptr;
  std::string name = {};
  int link = kWorld;
  RigidTransform X_WF = {};
};

struct File {
  std::unique_ptr<xml::Element> root;
  std::string name;               // of the world, or the only model
  xml::Element* world = nullptr;  // none: a model alone
  std::vector<Link> links = {};
  std::vector<JointEntry> joints = {};
  std::vector<FrameEntry> frames = {};
  // The format's: {"pose", "relative_to"}; of the elements that occur, and {"pose", ""} for themselves.
  std::set<std::pair<std::string, std::string>> known_attributes = {};
};

// Throws LoadError: what libsdformat refuses, with its words; that the module is missing which links to it
// (module.h).
//   raw       the file's own tree, as xml::ReadFile reads it
//   includes  all files that it includes, in order
File ParseFile(const std::string& path, const xml::Element& raw, const IncludedFiles& includes);

}  // namespace stiction::sdformat

// By which names the sections of an MJCF file refer to what others have made.
#pragma once

#include <optional>
#include <vector>

#include "io/mjcf/name_table.h"
#include "io/mjcf/specs.h"
#include "stiction/model/model.h"

namespace stiction::mjcf {

class MeshAsset;

// A geom of the model, as it was added.
struct NamedGeom {
  Geom geom;
  int index = -1;  // the builder's
};

// Where a geom stands in the file, be it one that is only looked at.
struct GeomFrame {
  Frame frame;
  // Of a mesh, of which the inertial frame counts. None, of one in an attached model: it is not known any
  // more.
  bool is_mesh = false;
  MeshAsset* mesh = nullptr;
};

struct NamedSite {
  Frame frame;
  std::optional<SiteSpec> spec{};  // none of an attached model's
};

struct NamedCamera {
  Frame frame;
  int index = -1;  // the builder's
  // Of what its picture is, sensors can say nothing.
  bool is_orthographic = false;
};

// Indices are the builder's.
struct Names {
  //   is_partial  as of NameTable
  explicit Names(bool is_partial)
      : bodies("body", is_partial),
        joints("joint", is_partial),
        geoms("geom", is_partial),
        geom_frames("geom", is_partial),
        sites("site", is_partial),
        cameras("camera", is_partial),
        tendons("tendon", is_partial),
        actuators("actuator", is_partial) {
    bodies.AddIfNew("world", 0);
  }

  NameTable<int> bodies;
  NameTable<int> joints;
  NameTable<NamedGeom> geoms;
  NameTable<GeomFrame> geom_frames;
  NameTable<NamedSite> sites;
  NameTable<NamedCamera> cameras;
  NameTable<int> tendons;
  NameTable<int> actuators;  // -1: not simulated
};

}  // namespace stiction::mjcf

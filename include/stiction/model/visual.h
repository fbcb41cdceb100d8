// What a body looks like, of no effect on the simulation.
//
// What the viewer draws as the robot are the model's visuals and those of its geoms that are seen
// (Geom::is_seen):
//
//   for (const Visual& visual : model.visuals) {
//     const RigidTransform X_WV = kinematics.X_WB[visual.body] * visual.X_BV;
//     if (const SharedMesh* mesh = std::get_if<SharedMesh>(&visual.shape)) {
//       DrawMesh(X_WV, **mesh, visual.color);
//     } else {
//       DrawShape(X_WV, std::get<Shape>(visual.shape), visual.color);
//     }
//   }
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "stiction/geometry/shape.h"
#include "stiction/geometry/triangle_mesh.h"
#include "stiction/model/color.h"
#include "stiction/model/material.h"

namespace stiction {

// One for all visuals that are made of the same asset, so that it is stored, and sent to the graphics card,
// once; never null in a model.
using SharedMesh = std::shared_ptr<const TriangleMesh>;

struct Visual {
  std::string name{};  // as in the file: may be empty, and need not be unique
  int body = 0;
  std::variant<Shape, SharedMesh> shape = Sphere{0.0};
  RigidTransform X_BV{};  // of the shape's, or mesh's, own frame V
  std::optional<Color>
      color{};                // none: the mesh's own (TriangleMesh::materials), or for who draws it to choose
  SharedMaterial material{};  // its own colour is left out of account where `color` is given
  int group = 0;              // in [0, 5], as Geom's
  bool is_site = false;       // marks a place, of MJCF: nothing that is hit, framed, or written as a shape
};

}  // namespace stiction

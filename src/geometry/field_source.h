// What a solid given by its signed distance was made of, to make it again.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "stiction/geometry/field_solid.h"

namespace stiction {

// With X_FG the shift p_FG, MakeField(field, solid.spacing) of the field that the text says, or that is
// sampled from the mesh with this spacing, is the solid again, to the last bit.
struct FieldSource {
  std::string text;                          // geometry/field_text.h; empty: a mesh that was sampled
  std::shared_ptr<const TriangleMesh> mesh;  // null: a text
  double sample_spacing = 0.0;               // of the mesh's samples [m]
  Vector3d p_FG = Vector3d::Zero();          // of the solid's frame in the field's [m]
};

// None where there are no words: an operation on samples of a mesh, an offset inwards, an endless thread.
// Rotations come back to the last bits, all else exactly.
std::optional<FieldSource> FindFieldSource(const FieldSolid& solid);

}  // namespace stiction

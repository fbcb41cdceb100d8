// <geometry> of collisions and visuals.
#pragma once

#include <map>
#include <optional>
#include <variant>

#include "io/mesh/memory.h"
#include "io/sdf/paths.h"
#include "io/sdf/solids.h"
#include "stiction/geometry/shape.h"
#include "stiction/model/visual.h"

namespace stiction::sdformat {

class GeometryReader {
 public:
  GeometryReader(Paths& paths, const ModelRepairs& repairs) : paths_(paths), repairs_(repairs) {}

  // The shape of a <collision>; nothing, and a note, where this engine has none. `X_LP` moves to where the
  // shape stands. Throws LoadError.
  std::optional<Shape> ReadCollision(xml::Element& collision, RigidTransform& X_LP);
  // What a <visual> shows. Throws LoadError.
  std::optional<std::variant<Shape, SharedMesh>> ReadVisual(xml::Element& visual, RigidTransform& X_LP);

  int num_hits() const { return memory_.num_hits() + num_hits_; }

 private:
  // A cone, polylines or a height map.
  std::optional<Shape> ReadSolid(const xml::Element& geometry, RigidTransform& X_LP);
  std::optional<PlacedShape> ReadHeightMap(xml::Element& heightmap);
  std::optional<Shape> ReadHull(xml::Element& mesh, RigidTransform& X_LP);
  SharedMesh ReadTriangles(xml::Element& mesh);

  Paths& paths_;
  const ModelRepairs& repairs_;
  MeshMemory memory_;
  int num_hits_ = 0;
  std::map<std::tuple<std::string, double, double, double>, SharedMesh> seen_;
};

}  // namespace stiction::sdformat

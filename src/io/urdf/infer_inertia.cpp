// Masses of links that the file gives none, and moments of masses that have none: those of their shapes,
// solid and of one density.
//
// Many URDF files are drawings: they say where links and joints are and what they look like, and nothing of
// mass. Shapes of one link that overlap count twice, and meshes are filled up to their hulls, so that what
// comes out is an estimate from above; the import report says which links have one.
#include <cstdio>

#include "io/urdf/robot.h"
#include "stiction/geometry/convex_hull.h"
#include "stiction/geometry/mesh_surface.h"

namespace stiction::urdf {
namespace {

MassProperties CalcSolid(const Shape& shape, const RigidTransform& X_LG, double density) {
  return Transform(X_LG, CalcSolidMassProperties(shape, density * CalcVolume(shape)));
}

// The hull of points given in V.
MassProperties CalcHull(std::span<const Vector3d> vertices, const RigidTransform& X_LV, double density) {
  const PlacedHull placed = MakeHull(vertices);
  return CalcSolid(placed.hull, X_LV * RigidTransform{Matrix3d::Identity(), placed.p_PG}, density);
}

MassProperties SumCollisions(const Link& link, double density) {
  MassProperties sum;
  for (const Collision& collision : link.collisions) {
    const Mesh* mesh = std::get_if<Mesh>(&collision.shape);
    sum = Add(sum, mesh ? CalcHull(mesh->surface->mesh.vertices, collision.X_LG, density)
                        : CalcSolid(collision.shape, collision.X_LG, density));
  }
  return sum;
}

MassProperties CalcVisual(const LinkVisual& visual, double density) {
  if (const Shape* shape = std::get_if<Shape>(&visual.shape)) return CalcSolid(*shape, visual.X_LV, density);
  return CalcHull(std::get<SharedMesh>(visual.shape)->vertices, visual.X_LV, density);
}

// Of what a <visual> shows; nothing if that has no volume, or cannot be read and is to be skipped.
MassProperties ReadVisualMass(xml::Element& element, double density, const ModelRepairs& repairs,
                              MeshSource& meshes) {
  try {
    const std::optional<LinkVisual> visual = ReadVisualShape(element, meshes);
    return visual ? CalcVisual(*visual, density) : MassProperties{};
  } catch (const std::invalid_argument&) {  // flat
    return {};
  } catch (const LoadError& error) {
    if (!repairs.skip_missing_meshes) {
      element.Fail(error.message() +
                   "; the mass of the link is to be inferred from it: --missing-mesh skip "
                   "(ModelRepairs::skip_missing_meshes) does without");
    }
    element.Note(ImportStatus::kIgnored, "adds no mass to its link: " + error.message());
    return {};
  }
}

MassProperties SumVisuals(const Link& link, double density, const ModelRepairs& repairs, MeshSource& meshes) {
  MassProperties sum;
  for (const auto& child : link.element->children()) {
    if (child->name() == "visual") sum = Add(sum, ReadVisualMass(*child, density, repairs, meshes));
  }
  return sum;
}

MassProperties SumShapes(const Link& link, double density, const ModelRepairs& repairs, MeshSource& meshes,
                         bool& is_of_visuals) {
  const MassProperties sum = SumCollisions(link, density);
  is_of_visuals = sum.mass == 0.0;
  return is_of_visuals ? SumVisuals(link, density, repairs, meshes) : sum;
}

std::string NameShapes(bool is_of_visuals) {
  return std::string("its solid ") + (is_of_visuals ? "visual" : "collision") + " shapes";
}

std::string DescribeMass(const Link& link, bool is_of_visuals) {
  char mass[40];
  std::snprintf(mass, sizeof mass, "%.4g kg", link.inertia.mass);
  return "\"" + link.name + "\" has no mass in the file: " + mass + ", as of " + NameShapes(is_of_visuals);
}

std::string DescribeMoments(const Link& link, double shapes_mass, bool is_of_visuals) {
  return "\"" + link.name + "\" has a mass without moments in the file: " +
         (shapes_mass == 0.0 ? "no shape has any either; it is a point"
                             : "they are as of " + NameShapes(is_of_visuals));
}

void InferInertia(double density, const ModelRepairs& repairs, MeshSource& meshes, Link& link) {
  bool is_of_visuals = false;
  const MassProperties shapes = SumShapes(link, density, repairs, meshes, is_of_visuals);
  if (link.inertia.mass != 0.0) {
    if (shapes.mass != 0.0) link.inertia.I_BBcm_B = link.inertia.mass / shapes.mass * shapes.I_BBcm_B;
    return link.element->Note(ImportStatus::kApproximated, DescribeMoments(link, shapes.mass, is_of_visuals));
  }
  if (shapes.mass == 0.0) return;  // a frame
  link.inertia = shapes;
  link.is_inferred = true;
  link.element->Note(ImportStatus::kApproximated, DescribeMass(link, is_of_visuals));
}

}  // namespace

void InferInertias(double density, const ModelRepairs& repairs, MeshSource& meshes, Robot& robot) {
  for (Link& link : robot.links) {
    const bool is_whole = link.inertia.mass != 0.0 && !link.inertia.I_BBcm_B.isZero(0.0);
    if (link.element && !is_whole) InferInertia(density, repairs, meshes, link);
  }
}

}  // namespace stiction::urdf

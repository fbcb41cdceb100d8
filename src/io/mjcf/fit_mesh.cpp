#include "io/mjcf/fit_mesh.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "geometry/principal_axes.h"
#include "stiction/geometry/triangle_mesh.h"

namespace stiction::mjcf {
namespace {

MassProperties CalcUnitDensity(const xml::Element& element, MeshAsset& asset) {
  const MeshAsset::Solid solid = asset.FindSolid(false);
  try {
    const double measure = CalcSolidMeasure(*solid.mesh, solid.rule);
    if (!(measure > 0.0)) element.Fail("mesh", "the mesh encloses no volume: no primitive is like it");
    return CalcSolidMassProperties(*solid.mesh, solid.rule, measure);
  } catch (const std::invalid_argument& error) {
    element.Fail("mesh", error.what());
  }
}

// Half extents of the box of uniform density with this inertia: a_x² = 3/2 (I_y + I_z − I_x)/m.
Vector3d CalcInertiaBox(const MassProperties& inertia, const Matrix3d& axes) {
  const Vector3d moments = (axes.transpose() * inertia.I_BBcm_B * axes).diagonal();
  const Vector3d squares = 1.5 / inertia.mass * (Vector3d::Constant(moments.sum()) - 2.0 * moments);
  return squares.cwiseMax(0.0).cwiseSqrt();
}

void SizeByInertia(const Vector3d& half, GeomSpec& spec) {
  const double radius = 0.5 * (half[0] + half[1]);
  std::copy_n(half.data(), 3, spec.size);
  if (spec.type == "sphere") spec.size[0] = half.mean();
  if (spec.type == "cylinder" || spec.type == "capsule") {
    spec.size[0] = radius;
    spec.size[1] = spec.type == "cylinder" ? half[2] : std::max(0.0, half[2] - 0.5 * radius);
  }
}

// By points about the primitive's centre, `half` the extents of the box around them.
void SizeByPoints(const std::vector<Vector3d>& points, const Vector3d& half, GeomSpec& spec) {
  std::copy_n(half.data(), 3, spec.size);
  if (spec.type == "box" || spec.type == "ellipsoid") return;
  double distance = 0.0, radius = 0.0;  // from the centre, and from the axis
  for (const Vector3d& p : points) {
    distance = std::max(distance, p.norm());
    radius = std::max(radius, p.head<2>().norm());
  }
  spec.size[0] = spec.type == "sphere" ? distance : radius;
  if (spec.type == "cylinder") spec.size[1] = half[2];
  if (spec.type != "capsule") return;
  // A point at the distance ρ from the axis lies below the cap if |z| ≤ h + √(r² − ρ²).
  spec.size[1] = 0.0;
  for (const Vector3d& p : points) {
    const double cap = std::sqrt(std::max(0.0, radius * radius - p.head<2>().squaredNorm()));
    spec.size[1] = std::max(spec.size[1], std::abs(p.z()) - cap);
  }
}

}  // namespace

bool IsFitted(const GeomSpec& spec) {
  constexpr std::string_view kTypes[] = {"sphere", "capsule", "ellipsoid", "cylinder", "box"};
  return !spec.mesh.empty() && std::find(std::begin(kTypes), std::end(kTypes), spec.type) != std::end(kTypes);
}

void FitToMesh(const Compiler& compiler, xml::Element& element, MeshAsset& asset, GeomSpec& spec) {
  for (const char* attribute : {"size", "fromto"})
    element.Note(attribute, ImportStatus::kIgnored, "the mesh decides", ImportLoss::kHarmless);
  const MassProperties inertia = CalcUnitDensity(element, asset);
  RigidTransform X_MG{FindPrincipalAxes(inertia.I_BBcm_B), inertia.p_BBcm};
  if (compiler.fits_bounds) {
    std::vector<Vector3d> points = asset.Mesh()->vertices;
    const RigidTransform X_GM = X_MG.Inverse();
    Eigen::AlignedBox3d bounds;
    for (Vector3d& p : points) bounds.extend(p = X_GM * p);
    for (Vector3d& p : points) p -= bounds.center();
    X_MG.p = X_MG * bounds.center();
    SizeByPoints(points, 0.5 * bounds.sizes(), spec);
  } else {
    SizeByInertia(CalcInertiaBox(inertia, X_MG.R), spec);
  }
  for (double& size : spec.size) size *= spec.fit_scale;
  spec.X_BG = spec.X_BG * X_MG;
  spec.from_to.reset();
}

}  // namespace stiction::mjcf

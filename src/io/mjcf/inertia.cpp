#include "io/mjcf/inertia.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <set>

#include "geometry/principal_axes.h"
#include "io/inertia_note.h"
#include "io/mjcf/body.h"
#include "io/mjcf/orientation.h"

namespace stiction::mjcf {

namespace {

using From = Compiler::InertiaFromGeom;

void RepairInertia(xml::Element& element, Matrix3d& I) {
  bool triangle = true;
  IsPositiveDefinite(I, &triangle);
  // Moments that satisfy all three inequalities are not negative: their sums in pairs are not.
  if (triangle) return;
  I = FindNearestInertia(I);
  element.Note(ImportStatus::kApproximated, DescribeRepair(I));
}

}  // namespace

void ReadInertial(Context& context, xml::Element& element, const Scope& scope) {
  if (scope.body == 0) element.Fail("the world has no inertia; put the <inertial> into a <body>");
  element.Visit();
  MassProperties inertia;
  inertia.p_BBcm = element.RequireVector("pos");
  inertia.mass = element.RequireNumber("mass");
  if (inertia.mass < 0.0) element.Fail("mass", "mass must not be negative");
  Matrix3d R_BI = Matrix3d::Identity();
  const bool has_orientation = ReadOrientation(element, context.compiler, R_BI);
  double full[6], diagonal[3];
  if (element.ReadNumbers("fullinertia", 6, 6, full)) {
    if (has_orientation || element.Has("diaginertia")) {
      element.Fail("fullinertia", "fullinertia goes with neither an orientation nor diaginertia");
    }
    inertia.I_BBcm_B << full[0], full[3], full[4], full[3], full[1], full[5], full[4], full[5], full[2];
  } else if (element.ReadNumbers("diaginertia", 3, 3, diagonal)) {
    inertia.I_BBcm_B = R_BI * Vector3d(diagonal).asDiagonal() * R_BI.transpose();
  }
  // Rounding of the rotation must not leave an unsymmetric matrix.
  inertia.I_BBcm_B = (0.5 * (inertia.I_BBcm_B + inertia.I_BBcm_B.transpose())).eval();
  if (context.options.repairs.repair_inertia) RepairInertia(element, inertia.I_BBcm_B);
  BodyMass& target = context.masses[scope.body];
  if (target.inertial) element.Fail("a second <inertial> in one body");
  target.inertial = &element;
  target.explicit_inertia = Transform(scope.X_BF, inertia);
  target.inertial_axes =
      scope.X_BF.R * (element.Has("fullinertia") ? FindPrincipalAxes(inertia.I_BBcm_B) : R_BI);
  if (context.compiler.inertia_from_geom == From::kTrue) {
    element.Note(ImportStatus::kHonoured, "the geoms decide instead where there are any: inertiafromgeom");
  }
}

bool CountsForMass(const Compiler& compiler, const GeomSpec& spec) {
  if (compiler.inertia_from_geom == From::kFalse) return false;
  if (spec.group < compiler.inertia_groups[0] || spec.group > compiler.inertia_groups[1]) return false;
  return spec.mass ? *spec.mass > 0.0 : spec.density > 0.0;
}

// Bounds work on the principal moments.
void BoundInertia(const Compiler& compiler, MassProperties& inertia) {
  inertia.mass = std::max(inertia.mass, compiler.bound_mass);
  if (!(compiler.bound_inertia > 0.0 || compiler.balance_inertia)) return;
  const Eigen::SelfAdjointEigenSolver<Matrix3d> principal(inertia.I_BBcm_B);
  const Vector3d moments = principal.eigenvalues();
  const Vector3d bounded = moments.cwiseMax(compiler.bound_inertia);
  // Eigenvalues come in ascending order.
  if (compiler.balance_inertia && bounded[0] + bounded[1] < bounded[2]) {
    inertia.I_BBcm_B = bounded.mean() * Matrix3d::Identity();
  } else if (bounded != moments) {
    const Matrix3d& R = principal.eigenvectors();
    inertia.I_BBcm_B = R * bounded.asDiagonal() * R.transpose();
  }
}

void SetTotalMass(const Compiler& compiler, std::vector<MassProperties>& bodies) {
  double total = 0.0;
  for (std::size_t b = 1; b < bodies.size(); ++b) total += bodies[b].mass;
  if (!(compiler.total_mass > 0.0 && total > 0.0)) return;
  for (std::size_t b = 1; b < bodies.size(); ++b) {
    bodies[b].mass *= compiler.total_mass / total;
    bodies[b].I_BBcm_B *= compiler.total_mass / total;
  }
}

namespace {

bool HasInertiaRules(const Compiler& compiler) {
  return compiler.bound_mass > 0.0 || compiler.bound_inertia > 0.0 || compiler.balance_inertia ||
         compiler.total_mass > 0.0;
}

// Names of bodies that other elements refer to.
void CollectReferences(const xml::Element& element, std::set<std::string>& names) {
  for (const char* attribute : {"body", "body1", "body2", "objname", "refname", "target"})
    if (const std::string* name = element.Peek(attribute)) names.insert(*name);
  for (const auto& child : element.children()) CollectReferences(*child, names);
}

// Those that fusestatic makes part of the world: fixed to it, and named nowhere else.
std::vector<bool> FindFused(const Compiler& compiler, const ModelBuilder& builder, const xml::Element& root) {
  std::vector<bool> is_fused(builder.num_bodies(), false);
  if (!compiler.fuse_static) return is_fused;
  std::set<std::string> names;
  CollectReferences(root, names);
  is_fused[0] = true;
  for (int b = 1; b < builder.num_bodies(); ++b) {
    const Body& body = builder.body(b);
    is_fused[b] =
        is_fused[body.parent] && body.num_joints == 0 && !body.is_mocap && !names.contains(body.name);
  }
  return is_fused;
}

void ApplyInertiaRules(Context& context, const xml::Element& root) {
  const Compiler& compiler = context.compiler;
  ModelBuilder& builder = context.builder;
  std::vector<MassProperties> inertias(builder.num_bodies());
  for (int b = 1; b < builder.num_bodies(); ++b) {
    inertias[b] = builder.CalcInertia(b);
    if (!context.masses[b].is_attached) BoundInertia(compiler, inertias[b]);
  }
  // The total is that of the file, and of all that it attaches. The world, and what is part of it, is not in
  // the sum.
  const std::vector<bool> is_fused = FindFused(compiler, builder, root);
  std::vector<MassProperties> counted = inertias;
  for (int b = 1; b < builder.num_bodies(); ++b)
    if (is_fused[b]) counted[b] = {};
  SetTotalMass(compiler, counted);
  for (int b = 1; b < builder.num_bodies(); ++b)
    builder.SetInertia(b, is_fused[b] ? inertias[b] : counted[b], context.masses[b].inertial_axes);
}

}  // namespace

void AlignFreeBodies(Context& context) {
  ModelBuilder& builder = context.builder;
  std::vector<bool> has_child(builder.num_bodies(), false);
  for (int b = 1; b < builder.num_bodies(); ++b) has_child[builder.body(b).parent] = true;
  std::vector<int> aligned;
  std::vector<std::optional<Matrix3d>> axes;
  for (int b = 1; b < builder.num_bodies(); ++b) {
    if (!context.masses[b].is_aligned || has_child[b]) continue;
    aligned.push_back(b);
    axes.push_back(context.masses[b].inertial_axes);
  }
  if (aligned.empty()) return;
  const std::vector<RigidTransform> X_BI = builder.AlignWithInertia(aligned, axes);
  std::vector<RigidTransform> X_IB(builder.num_bodies());
  for (std::size_t i = 0; i < aligned.size(); ++i) {
    X_IB[aligned[i]] = X_BI[i].Inverse();
    context.masses[aligned[i]].inertial_axes = Matrix3d::Identity();
  }
  const auto move = [&](Frame& frame) { frame.X_BF = X_IB[frame.body] * frame.X_BF; };
  context.names.sites.ForEach([&](NamedSite& site) { move(site.frame); });
  context.names.cameras.ForEach([&](NamedCamera& camera) { move(camera.frame); });
  context.names.geom_frames.ForEach([&](GeomFrame& geom) { move(geom.frame); });
  context.names.geoms.ForEach(
      [&](NamedGeom& geom) { geom.geom.X_BG = X_IB[geom.geom.body] * geom.geom.X_BG; });
}

RigidTransform FindInertialFrame(const Context& context, int body) {
  const std::optional<Matrix3d>& axes = context.masses[body].inertial_axes;
  return {axes ? *axes : context.builder.FindInertialAxes(body), context.builder.CalcInertia(body).p_BBcm};
}

void FinishInertias(Context& context, const xml::Element& root) {
  // The total is for the file that attaches this one to say.
  if (context.depth > 0) context.compiler.total_mass = 0.0;
  const Compiler& compiler = context.compiler;
  ModelBuilder& builder = context.builder;
  for (int b = 1; b < builder.num_bodies(); ++b) {
    BodyMass& body = context.masses[b];
    if (!body.inertial) continue;
    const bool overruled = compiler.inertia_from_geom == From::kTrue && body.has_geom_mass;
    if (overruled)
      body.inertial_axes.reset();
    else
      builder.SetInertia(b, body.explicit_inertia, body.inertial_axes);
  }
  if (HasInertiaRules(compiler)) {
    // They change moments, not axes, and leave nothing that says whose axes these were.
    for (int b = 1; b < builder.num_bodies(); ++b) {
      std::optional<Matrix3d>& axes = context.masses[b].inertial_axes;
      if (!axes) axes = builder.FindInertialAxes(b);
    }
    ApplyInertiaRules(context, root);
  }
  for (int b = 1; b < builder.num_bodies(); ++b) {
    const BodyMass& body = context.masses[b];
    bool triangle = true;
    if (!body.inertial || !builder.HasInertia(b)) continue;
    IsPositiveDefinite(builder.body(b).inertia.I_BBcm_B, &triangle);
    if (!triangle) {
      body.inertial->Note(ImportStatus::kApproximated,
                          "no rigid body has such moments: one is larger than the sum of the others");
    }
  }
}

}  // namespace stiction::mjcf

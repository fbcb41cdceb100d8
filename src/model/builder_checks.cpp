#include "model/builder_checks.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string_view>
#include <unordered_set>
#include <variant>

#include "stiction/geometry/convex_hull.h"
#include "stiction/geometry/field_solid.h"
#include "stiction/geometry/mesh_surface.h"

namespace stiction {
namespace {

using Kind = ModelError::Kind;

void CheckPose(Kind kind, int index, const std::string& element, const RigidTransform& X) {
  // 1e-6 admits rotations that were printed with seven digits; a scaled or mirrored frame is far outside.
  const double error = (X.R.transpose() * X.R - Matrix3d::Identity()).cwiseAbs().maxCoeff();
  if (!X.p.allFinite() || !(error < 1e-6) || X.R.determinant() < 0.0) {
    throw ModelError(kind, index, element + ": its pose is not finite, or its rotation not orthonormal");
  }
}

void CheckInertia(const MassProperties& inertia, int index, const std::string& element) {
  if (!std::isfinite(inertia.mass) || !inertia.p_BBcm.allFinite() || !inertia.I_BBcm_B.allFinite()) {
    throw ModelError(Kind::kBody, index, element + ": mass, centre of mass and inertia must be finite");
  }
  if (inertia.mass < 0.0) throw ModelError(Kind::kBody, index, element + ": the mass is negative");
  const Matrix3d& I = inertia.I_BBcm_B;
  const double scale = I.cwiseAbs().maxCoeff();
  if ((I - I.transpose()).cwiseAbs().maxCoeff() > 1e-9 * scale) {
    throw ModelError(Kind::kBody, index, element + ": the inertia matrix is not symmetric");
  }
  // Zero moments are allowed (point masses, rods); 1e-6 admits those that printing made slightly negative.
  const Vector3d moments = Eigen::SelfAdjointEigenSolver<Matrix3d>(I, Eigen::EigenvaluesOnly).eigenvalues();
  if (moments[0] < -1e-6 * scale) {
    throw ModelError(Kind::kBody, index, element + ": the inertia has a negative principal moment");
  }
}

template <typename Element>
void CheckUnique(Kind kind, const char* what, const std::vector<Element>& elements) {
  std::unordered_set<std::string_view> seen;
  seen.reserve(elements.size());
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (elements[i].name.empty() || seen.insert(elements[i].name).second) continue;
    throw ModelError(kind, static_cast<int>(i),
                     std::string(what) + " '" + elements[i].name + "': the name is used twice; rename one");
  }
}

// True if every size is positive and finite.
struct SizesArePositive {
  bool operator()(const Plane&) const { return true; }
  bool operator()(const Sphere& s) const { return Good(s.radius); }
  bool operator()(const Capsule& s) const { return Good(s.radius) && Good(s.half_length); }
  bool operator()(const Ellipsoid& s) const {
    return Good(s.radii[0]) && Good(s.radii[1]) && Good(s.radii[2]);
  }
  bool operator()(const Cylinder& s) const { return Good(s.radius) && Good(s.half_length); }
  bool operator()(const Box& s) const {
    return Good(s.half_extents[0]) && Good(s.half_extents[1]) && Good(s.half_extents[2]);
  }
  bool operator()(const Hull& s) const { return s.polytope != nullptr && s.polytope->thickness > 0.0; }
  bool operator()(const Mesh& s) const { return s.surface != nullptr && s.surface->radius > 0.0; }
  bool operator()(const Field& s) const { return s.solid != nullptr && s.solid->spacing > 0.0; }
  static bool Good(double size) { return std::isfinite(size) && size > 0.0; }
};

// A body's joints are mostly added together: searched from the back, so that large models are built in linear
// time.
bool HasFreeJoint(const Model& model, int body) {
  const auto last = std::find_if(model.joints.rbegin(), model.joints.rend(),
                                 [body](const Joint& joint) { return joint.body == body; });
  return last != model.joints.rend() && last->is_free();
}

// True if it can be drawn: finite vertices, and no triangle names others.
bool IsSound(const TriangleMesh& mesh) {
  const auto is_vertex = [&](int index) {
    return index >= 0 && static_cast<std::size_t>(index) < mesh.vertices.size();
  };
  return std::all_of(mesh.vertices.begin(), mesh.vertices.end(),
                     [](const Vector3d& p) { return p.allFinite(); }) &&
         std::all_of(mesh.triangles.begin(), mesh.triangles.end(), [&](const auto& triangle) {
           return std::all_of(triangle.begin(), triangle.end(), is_vertex);
         });
}

bool AllFinite(const double* values, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    if (!std::isfinite(values[i])) return false;
  }
  return true;
}

}  // namespace

std::string Quote(const char* what, const std::string& name, int index) {
  return name.empty() ? std::string(what) + " " + std::to_string(index)
                      : std::string(what) + " '" + name + "'";
}

void CheckJoint(const Model& model, int body, const Joint& joint) {
  const int index = model.num_joints();
  const std::string element = Quote("joint", joint.name, index);
  const auto refuse = [&](const std::string& why) {
    throw ModelError(Kind::kJoint, index, element + ": " + why);
  };
  if (body == 0) refuse("the world cannot have joints");
  if (body < 0 || body >= model.num_bodies()) refuse("its body does not exist");
  const Body& owner = model.bodies[body];
  const bool is_free = joint.is_free();
  if (is_free && owner.num_joints > 0) refuse("a free joint must be the only joint of its body");
  if (is_free && owner.parent != 0) refuse("a free joint is only possible on a child of the world");
  if (!is_free && owner.num_joints > 0 && HasFreeJoint(model, body))
    refuse("its body has a free joint already");
  const std::string fault = std::visit([](const auto& kind) { return kind.FindFault(); }, joint.kind);
  if (!fault.empty()) refuse(fault);
  if (!(joint.lower <= joint.upper)) refuse("the lower limit is above the upper limit");
  if (!(joint.damping >= 0.0)) refuse("the damping is negative");
  if (!(joint.stiffness >= 0.0)) refuse("the stiffness is negative");
  if (!(joint.armature >= 0.0)) refuse("the armature is negative");
  if (!(joint.friction_loss >= 0.0)) refuse("the friction loss is negative");
}

void CheckGeom(const Geom& geom, const GeomMass& mass, int index) {
  const std::string element = Quote("geom", geom.name, index);
  const auto refuse = [&](const std::string& why) {
    throw ModelError(Kind::kGeom, index, element + ": " + why);
  };
  if (!std::visit(SizesArePositive{}, geom.shape)) {
    refuse("every size of a " + std::string(ShapeName(geom.shape)) + " must be positive and finite");
  }
  const auto is_bad = [](const std::optional<double>& value) {
    return value && !(std::isfinite(*value) && *value >= 0.0);
  };
  if (geom.fluid) {
    const FluidEllipsoid& f = *geom.fluid;
    const double coefficients[] = {f.blunt, f.slender, f.angular, f.kutta, f.magnus};
    if (!AllFinite(coefficients, 5) || *std::min_element(coefficients, coefficients + 5) < 0.0)
      refuse("the coefficients of a fluid's forces must be finite and not negative");
  }
  if (is_bad(mass.mass)) refuse("the mass must not be negative");
  if (is_bad(mass.density)) refuse("the density must not be negative");
  if (!(std::isfinite(geom.friction) && geom.friction >= 0.0)) refuse("the friction must not be negative");
  if (!(geom.restitution >= 0.0 && geom.restitution <= 1.0)) refuse("the restitution must lie in [0, 1]");
  if (!(geom.stiffness > 0.0)) refuse("the stiffness must be positive");
  if (!(std::isfinite(geom.dissipation_time) && geom.dissipation_time >= 0.0))
    refuse("the dissipation time must not be negative");
  if (is_bad(geom.torsional_friction) || is_bad(geom.rolling_friction))
    refuse("torsional and rolling friction must not be negative");
  if (geom.condim != 1 && geom.condim != 3 && geom.condim != 4 && geom.condim != 6)
    refuse("condim must be 1, 3, 4 or 6");
  if (is_bad(geom.softness_weight)) refuse("the weight of its softness must not be negative");
  if (!AllFinite(geom.softness.reference.data(), 2) || !AllFinite(geom.softness.impedance.data(), 5))
    refuse("the numbers of its softness must be finite");
  const Hydroelastic& soft = geom.hydroelastic;
  if (!(soft.modulus > 0.0)) refuse("the modulus must be positive");
  if (!(std::isfinite(soft.dissipation_time) && soft.dissipation_time >= 0.0))
    refuse("the dissipation must not be negative");
  if (!(soft.max_polygons >= 1 && soft.max_polygons <= kMaxPatchPolygons))
    refuse("a patch needs between 1 and " + std::to_string(kMaxPatchPolygons) + " polygons");
  const std::string why_not(WhyNotCompliant(geom.shape));
  if (soft.is_compliant() && !why_not.empty())
    refuse("a " + std::string(ShapeName(geom.shape)) + " cannot be compliant: " + why_not);
}

void CheckVisual(const Visual& visual, int index) {
  const auto refuse = [&](const std::string& why) {
    throw ModelError(Kind::kModel, -1, Quote("visual", visual.name, index) + ": " + why);
  };
  if (const SharedMesh* mesh = std::get_if<SharedMesh>(&visual.shape)) {
    if (!*mesh) refuse("it has no mesh");
    return;
  }
  const Shape& shape = std::get<Shape>(visual.shape);
  if (!std::visit(SizesArePositive{}, shape))
    refuse("every size of a " + std::string(ShapeName(shape)) + " must be positive and finite");
}

void CheckCamera(const ModelCamera& camera, int index) {
  const std::string element = Quote("camera", camera.name, index);
  CheckPose(Kind::kModel, -1, element, camera.X_BC);
  const Vector2d& focal = camera.focal;
  if (!focal.isZero(0.0) && !(focal.minCoeff() > 0.0 && focal.allFinite()))
    throw ModelError(Kind::kModel, -1, element + ": its focal lengths must be positive");
  if (!(camera.field_of_view > 0.0 && camera.field_of_view < std::numbers::pi))
    throw ModelError(Kind::kModel, -1, element + ": its field of view must lie in (0, π)");
  if (camera.resolution[0] < 1 || camera.resolution[1] < 1)
    throw ModelError(Kind::kModel, -1, element + ": its resolution must be at least one pixel");
}

void CheckOptions(const Options& options) {
  if (!(std::isfinite(options.timestep) && options.timestep > 0.0)) {
    throw ModelError(Kind::kModel, -1, "the timestep must be positive and finite");
  }
  const auto is_bad = [](double x) { return !std::isfinite(x) || x < 0.0; };
  if (is_bad(options.density) || is_bad(options.viscosity))
    throw ModelError(Kind::kModel, -1, "density and viscosity must not be negative");
  if (!options.wind.allFinite() || !options.magnetic_field.allFinite())
    throw ModelError(Kind::kModel, -1, "wind and magnetic field must be finite");
  if (!(options.sleep_tolerance > 0.0) || !std::isfinite(options.sleep_tolerance))
    throw ModelError(Kind::kModel, -1, "the speed below which a body is at rest must be positive");
  if (is_bad(options.sleep_time))
    throw ModelError(Kind::kModel, -1, "the time after which a body falls asleep must not be negative");
  if (!options.gravity.allFinite()) throw ModelError(Kind::kModel, -1, "gravity must be finite");
}

void CheckBodies(const Model& model) {
  for (int b = 0; b < model.num_bodies(); ++b) {
    const Body& body = model.bodies[b];
    const std::string element = Quote("body", body.name, b);
    CheckPose(Kind::kBody, b, element, body.X_PB);
    CheckInertia(body.inertia, b, element);
    if (!std::isfinite(body.gravity_compensation))
      throw ModelError(Kind::kBody, b, element + ": its compensation of gravity must be finite");
    if (body.is_mocap && (body.parent != 0 || body.num_joints > 0)) {
      throw ModelError(Kind::kBody, b,
                       element + ": a mocap body must be a child of the world without joints");
    }
  }
  for (std::size_t f = 0; f < model.frames.size(); ++f) {
    const Frame& frame = model.frames[f];
    CheckPose(Kind::kModel, -1, Quote("frame", frame.name, static_cast<int>(f)), frame.X_BF);
  }
}

void CheckJoints(const Model& model) {
  for (int j = 0; j < model.num_joints(); ++j) {
    const Joint& joint = model.joints[j];
    const double numbers[] = {joint.stiffness,
                              joint.spring_reference,
                              joint.damping,
                              joint.armature,
                              joint.friction_loss,
                              joint.stiffness_polynomial[0],
                              joint.stiffness_polynomial[1],
                              joint.damping_polynomial[0],
                              joint.damping_polynomial[1]};
    if (!AllFinite(numbers, std::size(numbers))) {
      throw ModelError(Kind::kJoint, j, Quote("joint", joint.name, j) + ": its numbers must be finite");
    }
  }
}

void CheckGeoms(const Model& model) {
  for (int g = 0; g < model.num_geoms(); ++g) {
    const Geom& geom = model.geoms[g];
    const std::string element = Quote("geom", geom.name, g);
    CheckPose(Kind::kGeom, g, element, geom.X_BG);
    if (!std::isfinite(geom.margin) || !std::isfinite(geom.gap)) {
      throw ModelError(Kind::kGeom, g, element + ": margin and gap must be finite");
    }
  }
}

void CheckVisuals(const Model& model) {
  // Every mesh once, however many visuals share it.
  std::unordered_set<const TriangleMesh*> checked;
  for (std::size_t i = 0; i < model.visuals.size(); ++i) {
    const Visual& visual = model.visuals[i];
    const std::string element = Quote("visual", visual.name, static_cast<int>(i));
    CheckPose(Kind::kModel, -1, element, visual.X_BV);
    const SharedMesh* mesh = std::get_if<SharedMesh>(&visual.shape);
    if (mesh && checked.insert(mesh->get()).second && !IsSound(**mesh)) {
      throw ModelError(Kind::kModel, -1,
                       element + ": its mesh needs finite vertices, and triangles that name no others");
    }
  }
}

void CheckNames(const Model& model) {
  CheckUnique(Kind::kBody, "body", model.bodies);
  CheckUnique(Kind::kJoint, "joint", model.joints);
  CheckUnique(Kind::kGeom, "geom", model.geoms);
  CheckUnique(Kind::kActuator, "actuator", model.actuators);
  CheckUnique(Kind::kKeyframe, "keyframe", model.keyframes);
  CheckUnique(Kind::kTendon, "tendon", model.tendons);
  CheckUnique(Kind::kEquality, "equality", model.equalities);
  CheckUnique(Kind::kSensor, "sensor", model.sensors);
  CheckUnique(Kind::kModel, "frame", model.frames);
  CheckUnique(Kind::kModel, "camera", model.cameras);
}

}  // namespace stiction

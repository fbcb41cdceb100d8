// <inertial> of links, and what a world says of its physics.
#include <Eigen/Eigenvalues>

#include "io/inertia_note.h"
#include "io/sdf/assembly.h"
#include "io/sdf/values.h"

namespace stiction::sdformat {
namespace {

// As if all collision shapes were solid, which <inertial auto="true"> asks for; with a mass, of that mass.
MassProperties SumSolids(const Link& link, xml::Element& inertial, GeometryReader& geometry) {
  double density = 1000.0;  // the format's default
  ReadChild(inertial, "density", density);
  MassProperties sum;
  for (const Part& part : link.collisions) {
    RigidTransform X_LG = part.X_LP;
    double own = density;
    ReadChild(*part.element, "density", own);
    if (!(own > 0.0)) part.element->Fail("the density must be positive");
    const std::optional<Shape> shape = geometry.ReadCollision(*part.element, X_LG);
    if (shape) sum = Add(sum, Transform(X_LG, CalcSolidMassProperties(*shape, own * CalcVolume(*shape))));
  }
  if (!(sum.mass > 0.0))
    inertial.Fail("auto=\"true\" asks for a <collision> with a volume, and there is none");
  double mass = sum.mass;
  if (ReadChild(inertial, "mass", mass) && !(mass > 0.0))
    inertial.FindChild("mass")->Fail("the mass must be positive");
  sum.I_BBcm_B *= mass / sum.mass;
  sum.mass = mass;
  return sum;
}

constexpr double kDefaultStep = 0.001;  // the format's, of a <physics> that names none [s]

// The one that says that it counts, else the first.
const xml::Element* FindPhysics(const xml::Element& world) {
  for (const auto& child : world.children()) {
    const std::string* word = child->name() == "physics" ? child->Peek("default") : nullptr;
    if (!word || (*word != "true" && *word != "1")) continue;
    child->Visit();
    return child.get();
  }
  return world.FindChild("physics");
}

}  // namespace

// What no rigid body has: refused, repaired, or noted.
void Assembly::JudgeInertia(xml::Element& inertial, Matrix3d& I) const {
  const Vector3d moments = Eigen::SelfAdjointEigenSolver<Matrix3d>(I, Eigen::EigenvaluesOnly).eigenvalues();
  bool triangle = true;
  IsPositiveDefinite(I, &triangle);
  const bool is_negative = moments[0] < -1e-6 * I.cwiseAbs().maxCoeff();  // as of a URDF
  if (!is_negative && triangle) return;
  xml::Element& inertia = inertial.FindChild("inertia") ? *inertial.FindChild("inertia") : inertial;
  if (options_.repairs.repair_inertia) {
    I = FindNearestInertia(I);
    return inertia.Note(ImportStatus::kApproximated, DescribeRepair(I));
  }
  if (is_negative)
    inertia.Fail(
        "a principal moment is negative; check the signs of ixy, ixz and iyz, or take the nearest inertia "
        "that a body has by --repair-inertia (ModelRepairs::repair_inertia)");
  inertia.Note(ImportStatus::kApproximated,
               "no rigid body has such moments: one is larger than the sum of the others; used as written");
}

MassProperties Assembly::ReadInertial(const Link& link) {
  xml::Element* inertial = link.element->FindChild("inertial");
  if (!inertial) {
    if (!link.is_static)
      NotePart(*link.element, ImportStatus::kApproximated,
               "\"" + link.name + "\" has no <inertial>: 1 kg and 1 kg·m², as the format has it");
    return {.mass = 1.0, .I_BBcm_B = Matrix3d::Identity()};
  }
  if (link.weighs_its_shapes) return SumSolids(link, *inertial, geometry_);
  MassProperties in_I{.mass = 1.0};
  ReadChild(*inertial, "mass", in_I.mass);
  if (!(in_I.mass > 0.0) && !link.is_static) inertial->FindChild("mass")->Fail("the mass must be positive");
  double xx = 1.0, yy = 1.0, zz = 1.0, xy = 0.0, xz = 0.0, yz = 0.0;
  if (const xml::Element* inertia = inertial->FindChild("inertia")) {
    const std::pair<const char*, double*> words[] = {{"ixx", &xx}, {"iyy", &yy}, {"izz", &zz},
                                                     {"ixy", &xy}, {"ixz", &xz}, {"iyz", &yz}};
    for (const auto& [word, value] : words) ReadChild(*inertia, word, *value);
  }
  in_I.I_BBcm_B << xx, xy, xz, xy, yy, yz, xz, yz, zz;
  if (link.is_static) {
    bool triangle = true;
    const bool is_body = in_I.mass > 0.0 && IsPositiveDefinite(in_I.I_BBcm_B, &triangle) && triangle;
    if (is_body) return Transform(link.X_LI, in_I);
    inertial->Note(ImportStatus::kHonoured, "no body has it, and of what stands it does not matter");
    return {.mass = 1.0, .I_BBcm_B = Matrix3d::Identity()};
  }
  JudgeInertia(*inertial, in_I.I_BBcm_B);
  return Transform(link.X_LI, in_I);
}

void Assembly::ReadWorld() {
  if (!file_.world) return;
  Options& options = builder_.options();
  ReadChild(*file_.world, "gravity", options.gravity);
  Vector3d tesla;
  if (ReadChild(*file_.world, "magnetic_field", tesla)) options.magnetic_field = 1e4 * tesla;  // gauss
  const xml::Element* physics = FindPhysics(*file_.world);
  if (!physics) return;
  options.timestep = kDefaultStep;
  if (ReadChild(*physics, "max_step_size", options.timestep) && !(options.timestep > 0.0))
    physics->FindChild("max_step_size")->Fail("must be positive");
}

}  // namespace stiction::sdformat

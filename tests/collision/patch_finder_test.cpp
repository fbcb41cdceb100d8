// Patches against closed forms of their pressure, and against one another.

#include "collision/patch/patch_finder.h"

#include <gtest/gtest.h>

#include <functional>

#include "stiction/geometry/convex_hull.h"
#include "stiction/geometry/mesh_surface.h"
#include "tests/support/meshes.h"
#include "tests/support/random_numbers.h"

namespace stiction::patch {
namespace {

using stiction::testing::MakeBallMesh;
using stiction::testing::MakeBoxMesh;
using stiction::testing::RandomNumbers;

constexpr double kPi = 3.14159265358979323846;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kModulus = 1e5;  // [Pa]

// A shape with its cells.
struct Body {
  Shape shape;
  double modulus = kInfinity;
  CellTree cells{};

  explicit Body(Shape shape_in, double modulus_in = kInfinity) : shape(shape_in), modulus(modulus_in) {
    if (modulus < kInfinity && !IsRound(shape)) cells = MakeCellTree(shape, modulus);
  }
  PatchShape At(const RigidTransform& X_WG) const { return {&shape, X_WG, modulus, &cells}; }
};

RigidTransform AtHeight(double z, const Matrix3d& R = Matrix3d::Identity()) {
  return {R, {0.0, 0.0, z}};
}

struct PatchWrench {
  Vector3d force = Vector3d::Zero(), moment = Vector3d::Zero();  // on B, about the origin
  double stiffness = 0.0;
  int count = 0;
};
PatchWrench Sum(const std::vector<PatchContact>& contacts) {
  PatchWrench sum;
  for (const PatchContact& contact : contacts) {
    const Vector3d force = contact.force * contact.n_W;
    sum.force += force;
    sum.moment += contact.p_W.cross(force);
    sum.stiffness += contact.stiffness;
    ++sum.count;
  }
  return sum;
}

// Of a body above the ground, or another.
PatchWrench Press(const Body& below, const Body& above, const RigidTransform& X_WA, int polygons = 16,
                  const RigidTransform& X_WB = {}) {
  PatchFinder finder;
  return Sum(finder.Find(below.At(X_WB), above.At(X_WA), polygons));
}

double Integrate(double from, double to, const std::function<double(double)>& f) {
  constexpr int kPanels = 20000;
  const double h = (to - from) / kPanels;
  double sum = 0.0;
  for (int i = 0; i < kPanels; ++i) {
    const double x = from + i * h;
    sum += h / 6.0 * (f(x) + 4.0 * f(x + 0.5 * h) + f(x + h));
  }
  return sum;
}

// A ball pressed flat at the distance R − d from its centre: 2π E ∫ (1 − √(ρ² + h²)/R) ρ dρ.
double CalcCapForce(double d, double R) {
  const double s = d / R;  // π E R² (s² − 2 s³/3)
  return kPi * kModulus * R * R * s * s * (1.0 - 2.0 / 3.0 * s);
}

// ∫ min(d, distance to the sides) over an a × b rectangle.
double CalcRoofVolume(double d, double a, double b) {
  return d * a * b - d * d * (a + b) + 4.0 / 3.0 * d * d * d;
}

// Rounding would cut some of the faces' cells, and leave out others: a part of the face, with the stiffness
// of all of that.
TEST(PatchFinder, FacesThatJustTouchDoNotPress) {
  const Body below(Box{{0.2, 0.2, 0.04}}, 2e5), above(Box{{0.05, 0.05, 0.05}}, kModulus);
  const Body ground(Plane{}), stiff(Box{{0.3, 0.3, 0.04}});
  RandomNumbers random(5);
  int touching = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const double yaw = trial % 3 == 0 ? 0.0 : random.Uniform(-kPi, kPi);
    const Matrix3d R = Eigen::AngleAxisd(yaw, Vector3d::UnitZ()).toRotationMatrix();
    // Of a place of any rounding, in which the faces are in one plane to a few of it.
    const double far = trial % 2 == 0 ? 0.0 : 3.0, x = far * random.Uniform(-1, 1),
                 y = far * random.Uniform(-1, 1);
    const double z = far * random.Uniform(-1, 1), apart = 4e-16 * (trial % 5 - 2);
    const Vector3d p(x, y, z);
    for (const Body* other : {&below, &stiff}) {
      const PatchWrench sum =
          Press(*other, above, {R, p + Vector3d(0, 0, 0.09 + apart)}, 16, {Matrix3d::Identity(), p});
      touching += sum.count;
    }
    touching += Press(ground, above, {R, {x, y, 0.05 + apart}}).count;
  }
  EXPECT_EQ(touching, 0);
  // A nanometre is overlap, of all of the face.
  const PatchWrench sum = Press(below, above, AtHeight(0.09 - 1e-9));
  EXPECT_NEAR(sum.stiffness, 0.01 / (0.05 / kModulus + 0.04 / 2e5), 1.0);
  EXPECT_LT((sum.moment - Vector3d::Zero()).norm(), 1e-6 * sum.force.norm());
}

TEST(PatchFinder, BallOnPlaneHasTheForceOfItsCap) {
  const double R = 0.05;
  const Body ground(Plane{}), ball(Sphere{R}, kModulus);
  for (double share = 1e-9; share < 0.6; share *= 1.7) {
    const double d = share * R;
    const PatchWrench patch = Press(ground, ball, AtHeight(R - d));
    EXPECT_NEAR(patch.force.z() / CalcCapForce(d, R), 1.0, 3e-4) << share;
    EXPECT_LT(patch.force.head<2>().norm(), 1e-9 * patch.force.z());
    EXPECT_LT(patch.moment.norm(), 3e-5 * R * patch.force.z());
    // dF/dd, but for the chords, whose area counts here.
    EXPECT_NEAR(patch.stiffness / (2.0 * kPi * kModulus * (R - d) * share), 1.0, 2e-2) << share;
    EXPECT_LE(patch.count, 16);
  }
  EXPECT_EQ(Press(ground, ball, AtHeight(R)).count, 0);
  EXPECT_EQ(Press(ground, ball, AtHeight(R + 0.01)).count, 0);
}

TEST(PatchFinder, BoxOnPlaneIsExact) {
  const Vector3d half(0.05, 0.04, 0.03);
  const Body ground(Plane{}), box(Box{half}, kModulus);
  for (const double share : {1e-9, 1e-6, 1e-3, 0.1, 0.5, 0.9}) {
    const double d = share * half.z();
    const PatchWrench patch = Press(ground, box, AtHeight(half.z() - d));
    const double exact = kModulus / half.z() * CalcRoofVolume(d, 0.1, 0.08);
    // The depth itself is a difference of numbers of the box's size.
    EXPECT_NEAR(patch.force.z() / exact, 1.0, 1e-12 + 1e-15 / share) << share;
    EXPECT_EQ(patch.count, 16);
  }
  // On its edge: a ridge whose sides press until they meet the middle.
  const double d = 0.01;
  const Matrix3d R = Eigen::AngleAxisd(0.25 * kPi, Vector3d::UnitX()).toRotationMatrix();
  const Body cube(Box{Vector3d::Constant(0.05)}, kModulus);
  const PatchWrench edge = Press(ground, cube, AtHeight(0.05 * std::sqrt(2.0) - d, R));
  const double ends = Integrate(-d, d, [&](double y) {
    const double deep = (d - std::abs(y)) / std::sqrt(2.0);
    return 0.1 * deep - deep * deep;
  });
  EXPECT_NEAR(edge.force.z() / (kModulus / 0.05 * ends), 1.0, 1e-9);
}

TEST(PatchFinder, RoundShapesOnPlaneHaveTheForceOfTheirSections) {
  const double R = 0.03, L = 0.05;
  const Body ground(Plane{});
  const Matrix3d lying = Eigen::AngleAxisd(0.5 * kPi, Vector3d::UnitX()).toRotationMatrix();
  for (const double d : {1e-7, 1e-5, 1e-3, 5e-3}) {
    const double h = R - d, a = std::sqrt(R * R - h * h);
    const auto depth = [&](double y) { return R - std::sqrt(y * y + h * h); };
    const double sides = Integrate(-a, a, depth),
                 squares = Integrate(-a, a, [&](double y) { return depth(y) * depth(y); });
    const Body capsule(Capsule{R, L}, kModulus);
    EXPECT_NEAR(Press(ground, capsule, AtHeight(R - d, lying)).force.z() /
                    (kModulus / R * 2.0 * L * sides + CalcCapForce(d, R)),
                1.0, 1e-3);
    EXPECT_NEAR(Press(ground, capsule, AtHeight(R + L - d)).force.z() / CalcCapForce(d, R), 1.0, 1e-3);
    for (const double half : {L, 0.02}) {
      const double H = std::min(R, half);
      const Body cylinder(Cylinder{R, half}, kModulus);
      EXPECT_NEAR(Press(ground, cylinder, AtHeight(R - d, lying)).force.z() /
                      (kModulus / H * (2.0 * half * sides - squares)),
                  1.0, 1e-3)
          << d << " " << half;
      const double end = kPi * ((R - d) * (R - d) * d + R * d * d - 2.0 / 3.0 * d * d * d);
      EXPECT_NEAR(Press(ground, cylinder, AtHeight(half - d)).force.z() / (kModulus / H * end), 1.0, 1e-3)
          << d << " " << half;
    }
    // An affine image of a ball.
    const Body ellipsoid(Ellipsoid{{0.02, 0.05, 0.04}}, kModulus);
    EXPECT_NEAR(
        Press(ground, ellipsoid, AtHeight(0.04 - d)).force.z() / (0.02 * 0.05 * CalcCapForce(d / 0.04, 1.0)),
        1.0, 1e-3);
  }
}

TEST(PatchFinder, SoftOnSoftIsASeries) {
  const Vector3d half(0.05, 0.04, 0.03);
  const double soft = 2e5;  // of the one below
  const Body table(Box{{0.2, 0.2, 0.04}}, soft), box(Box{half}, kModulus);
  const double g1 = kModulus / half.z(), g2 = soft / 0.04, g = g1 * g2 / (g1 + g2);
  for (const double d : {1e-8, 1e-4, 1e-3, 1e-2}) {
    const PatchWrench patch = Press(table, box, AtHeight(0.04 + half.z() - d));
    EXPECT_NEAR(patch.force.z() / (g1 * CalcRoofVolume(d * g / g1, 0.1, 0.08)), 1.0, 1e-7) << d;
  }
  // Two equal balls meet on a disc in the middle.
  const double R = 0.05;
  const Body ball(Sphere{R}, kModulus);
  for (const double d : {1e-8, 1e-4, 1e-3, 1e-2})
    EXPECT_NEAR(Press(ball, ball, AtHeight(2.0 * R - 2.0 * d)).force.z() / CalcCapForce(d, R), 1.0, 5e-3);
}

TEST(PatchFinder, RigidShapesPressIntoSoftOnes) {
  const double R = 0.05;
  const Body pad(Box{{0.2, 0.2, 0.04}}, kModulus);
  const double g = kModulus / 0.04;
  for (const double d : {1e-6, 1e-4, 1e-2}) {
    // Pressure is the depth below the pad: ∫ over the ball's shadow.
    const double a = std::sqrt(2.0 * R * d - d * d);
    const double ball =
        Integrate(0.0, a, [&](double r) { return 2.0 * kPi * r * (std::sqrt(R * R - r * r) - (R - d)); });
    EXPECT_NEAR(Press(pad, Body(Sphere{R}), AtHeight(0.04 + R - d)).force.z() / (g * ball), 1.0, 2e-3) << d;
    const Body box(Box{Vector3d::Constant(R)}),
        hull(MakeHull(MakeBoxMesh(Vector3d::Constant(R)).vertices).hull),
        mesh(MakeMesh(MakeBoxMesh(Vector3d::Constant(R))).mesh);
    for (const Body* body : {&box, &hull, &mesh}) {
      const PatchWrench patch = Press(pad, *body, AtHeight(0.04 + R - d));
      EXPECT_NEAR(patch.force.z() / (g * d * 4.0 * R * R), 1.0, 1e-6) << d;
      EXPECT_LT(patch.force.head<2>().norm(), 1e-9 * patch.force.z());
    }
  }
}

Vector3d MakeDirection(RandomNumbers& random) {
  return Vector3d(random.Normal(), random.Normal(), random.Normal()).normalized();
}
Matrix3d MakeRotation(RandomNumbers& random) {
  return Eigen::AngleAxisd(random.Uniform(-kPi, kPi), MakeDirection(random)).toRotationMatrix();
}

TEST(PatchFinder, ACubeIsItsHull) {
  const Body ground(Plane{}), box(Box{Vector3d::Constant(0.05)}, kModulus),
      hull(MakeHull(MakeBoxMesh(Vector3d::Constant(0.05)).vertices).hull, kModulus);
  RandomNumbers random(3);
  for (int i = 0; i < 50; ++i) {
    const RigidTransform X = {MakeRotation(random), {0.3, -0.2, 0.05}};
    const PatchWrench a = Press(ground, box, X), b = Press(ground, hull, X);
    EXPECT_NEAR((a.force - b.force).norm(), 0.0, 1e-9 * a.force.norm());
    EXPECT_NEAR((a.moment - b.moment).norm(), 0.0, 1e-9 * a.force.norm());
  }
}

// Any two shapes, any pose: the wrench depends neither on the grid nor on who comes first, but for the errors
// of quadrature where shapes are as deep in one another as these.
TEST(PatchFinder, TheWrenchIsThatOfThePatch) {
  const Body bodies[] = {Body(Sphere{0.05}, kModulus),
                         Body(Box{{0.05, 0.04, 0.06}}, 2e5),
                         Body(Cylinder{0.04, 0.05}, 3e5),
                         Body(Capsule{0.03, 0.04}, 1e6),
                         Body(Ellipsoid{{0.03, 0.05, 0.06}}, 1e5),
                         Body(MakeHull(MakeBallMesh(0.05, 4).vertices).hull, 2e5),
                         Body(Box{{0.05, 0.05, 0.05}}),
                         Body(Sphere{0.06}),
                         Body(Cylinder{0.06, 0.03}),
                         Body(MakeMesh(MakeBallMesh(0.05, 5)).mesh)};
  RandomNumbers random(7);
  int met = 0;
  for (const Body& a : bodies) {
    for (const Body& b : bodies) {
      if (a.modulus == kInfinity && b.modulus == kInfinity) continue;
      const RigidTransform X_WA = {MakeRotation(random), random.Vector3()},
                           X_AB = {MakeRotation(random), MakeDirection(random) * 0.07};
      const PatchWrench one = Press(a, b, X_WA * X_AB, 1, X_WA);
      if (one.count == 0) continue;
      ++met;
      const double size = one.force.norm();
      const PatchWrench many = Press(a, b, X_WA * X_AB, 64, X_WA);
      EXPECT_GT(many.count, one.count);
      EXPECT_LT((many.force - one.force).norm(), 5e-3 * size);
      const PatchWrench turned = Press(b, a, X_WA, 64, X_WA * X_AB);
      EXPECT_LT((turned.force + many.force).norm(), 5e-3 * size);
      EXPECT_LT((turned.moment + many.moment).norm(), 1e-3 * size);  // a millimetre of lever
    }
  }
  EXPECT_GT(met, 60);
}

// On level ground, and on walls along the axes of the world: impulses and slips are remembered by bin.
TEST(PatchFinder, RoundingDoesNotTurnTheGrid) {
  const Body ground(Plane{}), box(Box{{0.05, 0.04, 0.03}}, kModulus);
  const auto turn = [](double x, double y) {
    return Matrix3d(Eigen::AngleAxisd(x, Vector3d::UnitX()) * Eigen::AngleAxisd(y, Vector3d::UnitY()));
  };
  for (const Matrix3d& R_WG : {turn(0.0, 0.0), turn(0.5 * kPi, 0.0), turn(0.0, 0.5 * kPi)}) {
    std::vector<PatchContact> before;
    for (const auto& [x, y] : {std::pair(1e-12, 0.0), {0.0, 1e-12}, {-1e-12, 0.0}, {0.0, -1e-12}}) {
      const RigidTransform X_WG{R_WG * turn(x, y), Vector3d::Zero()};
      PatchFinder finder;
      const std::vector<PatchContact> found = finder.Find(ground.At(X_WG), box.At(X_WG * AtHeight(0.029)), 9);
      ASSERT_EQ(found.size(), 9u);
      for (std::size_t i = 0; i < before.size(); ++i) {
        EXPECT_EQ(found[i].feature, before[i].feature);
        EXPECT_LT((found[i].p_W - before[i].p_W).norm(), 1e-9);
      }
      before = found;
    }
  }
}

TEST(PatchFinder, DoesNotJumpAsAShapeTurns) {
  const Body ground(Plane{});
  const Body bodies[] = {Body(Box{{0.05, 0.04, 0.06}}, kModulus), Body(Cylinder{0.04, 0.05}, kModulus),
                         Body(Capsule{0.03, 0.04}, kModulus), Body(Ellipsoid{{0.03, 0.05, 0.06}}, kModulus)};
  for (const Body& body : bodies) {
    double before = 0.0;
    for (int i = 0; i <= 2000; ++i) {
      const Matrix3d R = Eigen::AngleAxisd(i * 1e-3, Vector3d(1, 0.3, 0.2).normalized()).toRotationMatrix();
      const double reach = CalcBoundingHalfExtents(body.shape, R).z();
      const double force = Press(ground, body, AtHeight(reach - 0.003, R)).force.z();
      if (i > 0) {
        EXPECT_NEAR(force, before, 0.05 * before) << ShapeName(body.shape) << " " << i;
      }
      before = force;
    }
  }
}

}  // namespace
}  // namespace stiction::patch

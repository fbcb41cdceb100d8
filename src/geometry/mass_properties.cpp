#include "stiction/geometry/mass_properties.h"

#include <Eigen/Eigenvalues>
#include <numbers>

#include "stiction/geometry/convex_hull.h"
#include "stiction/geometry/field_solid.h"
#include "stiction/geometry/mesh_surface.h"

namespace stiction {
namespace {

using std::numbers::pi;

struct VolumeOf {
  double operator()(const Plane&) const { return 0.0; }
  double operator()(const Sphere& s) const { return 4.0 / 3.0 * pi * s.radius * s.radius * s.radius; }
  double operator()(const Capsule& s) const {
    return pi * s.radius * s.radius * (4.0 / 3.0 * s.radius + 2.0 * s.half_length);
  }
  double operator()(const Ellipsoid& s) const { return 4.0 / 3.0 * pi * s.radii.prod(); }
  double operator()(const Cylinder& s) const { return 2.0 * pi * s.radius * s.radius * s.half_length; }
  double operator()(const Box& s) const { return 8.0 * s.half_extents.prod(); }
  double operator()(const Hull& s) const { return s.polytope->unit_density.mass; }
  double operator()(const Mesh& s) const { return s.surface->unit_density.mass; }
  double operator()(const Field& s) const { return s.solid->CalcUnitDensity().mass; }
};

// Principal moments of each primitive solid for unit mass, about its centre, in its own axes [m²].
struct UnitMoments {
  Vector3d operator()(const Plane&) const { return Vector3d::Zero(); }
  Vector3d operator()(const Sphere& s) const { return Vector3d::Constant(0.4 * s.radius * s.radius); }
  // A cylinder of length 2h and two half balls of radius r, which share the mass as 2h : 4/3 r. A half ball's
  // centre of mass lies 3/8 r beyond its flat face, so that about the capsule's centre
  //   I_cap,xx = 2/5 r² - (3/8 r)² + (h + 3/8 r)² = 2/5 r² + h² + 3/4 h r   for unit mass.
  Vector3d operator()(const Capsule& s) const {
    const double r = s.radius, h = s.half_length;
    const double caps = 4.0 / 3.0 * r / (4.0 / 3.0 * r + 2.0 * h);
    const double xx =
        (1.0 - caps) * (r * r / 4.0 + h * h / 3.0) + caps * (0.4 * r * r + h * h + 0.75 * h * r);
    const double zz = (1.0 - caps) * 0.5 * r * r + caps * 0.4 * r * r;
    return {xx, xx, zz};
  }
  Vector3d operator()(const Ellipsoid& s) const { return SumOfOtherSquares(s.radii) / 5.0; }
  Vector3d operator()(const Cylinder& s) const {
    const double xx = s.radius * s.radius / 4.0 + s.half_length * s.half_length / 3.0;
    return {xx, xx, 0.5 * s.radius * s.radius};
  }
  Vector3d operator()(const Box& s) const { return SumOfOtherSquares(s.half_extents) / 3.0; }
  // Their axes are not principal.
  Vector3d operator()(const Hull&) const { return Vector3d::Zero(); }
  Vector3d operator()(const Mesh&) const { return Vector3d::Zero(); }
  Vector3d operator()(const Field&) const { return Vector3d::Zero(); }

  static Vector3d SumOfOtherSquares(const Vector3d& a) {
    const Vector3d squares = a.cwiseAbs2();
    return Vector3d::Constant(squares.sum()) - squares;
  }
};

// Of the shapes that keep it.
const MassProperties* FindUnitDensity(const Shape& shape) {
  if (const Hull* hull = std::get_if<Hull>(&shape)) return &hull->polytope->unit_density;
  if (const Mesh* mesh = std::get_if<Mesh>(&shape)) return &mesh->surface->unit_density;
  if (const Field* field = std::get_if<Field>(&shape)) return &field->solid->CalcUnitDensity();
  return nullptr;
}

// Inertia of a unit point mass at p about the origin.
Matrix3d PointInertia(const Vector3d& p) {
  return p.squaredNorm() * Matrix3d::Identity() - p * p.transpose();
}

}  // namespace

double CalcVolume(const Shape& shape) {
  return std::visit(VolumeOf{}, shape);
}

MassProperties CalcSolidMassProperties(const Shape& shape, double mass) {
  if (std::holds_alternative<Plane>(shape)) return {};
  if (const MassProperties* unit = FindUnitDensity(shape)) {
    MassProperties solid = *unit;
    if (solid.mass == 0.0) return {};
    solid.I_BBcm_B *= mass / solid.mass;
    solid.mass = mass;
    return solid;
  }
  MassProperties solid;
  solid.mass = mass;
  solid.I_BBcm_B = (mass * std::visit(UnitMoments{}, shape)).asDiagonal();
  return solid;
}

MassProperties Transform(const RigidTransform& X_AB, const MassProperties& in_B) {
  return {in_B.mass, X_AB * in_B.p_BBcm, X_AB.R * in_B.I_BBcm_B * X_AB.R.transpose()};
}

MassProperties Add(const MassProperties& a, const MassProperties& b) {
  MassProperties sum;
  sum.mass = a.mass + b.mass;
  sum.I_BBcm_B = a.I_BBcm_B + b.I_BBcm_B;
  // Two bodies without mass have no common centre; the first one's place is as good as any.
  if (sum.mass == 0.0) {
    sum.p_BBcm = a.p_BBcm;
    return sum;
  }
  sum.p_BBcm = (a.mass * a.p_BBcm + b.mass * b.p_BBcm) / sum.mass;
  // Parallel axes with the reduced mass: free of the cancellation that two separate shifts would have.
  sum.I_BBcm_B += a.mass * b.mass / sum.mass * PointInertia(b.p_BBcm - a.p_BBcm);
  return sum;
}

bool IsPositiveDefinite(const Matrix3d& I, bool* triangle) {
  const double scale = I.cwiseAbs().maxCoeff();
  if (triangle != nullptr) *triangle = false;
  // Also false for NaN. 1e-9 admits the rounding of a rotation applied to a symmetric matrix, and of printed
  // files.
  if (!((I - I.transpose()).cwiseAbs().maxCoeff() <= 1e-9 * scale)) return false;
  const Vector3d moments = Eigen::SelfAdjointEigenSolver<Matrix3d>(I, Eigen::EigenvaluesOnly).eigenvalues();
  if (triangle != nullptr) *triangle = moments[0] + moments[1] >= moments[2] * (1.0 - 1e-6);
  return moments[0] > 0.0;
}

// λ = A (f + s) with A = 11ᵀ − 1, f the floor and s ≥ 0: least squares over each choice of the s that are not
// zero. Of those without a negative s the nearest is the answer, and the empty choice is always one.
Matrix3d FindNearestInertia(const Matrix3d& I) {
  const Eigen::SelfAdjointEigenSolver<Matrix3d> principal(0.5 * (I + I.transpose()));
  const Vector3d moments = principal.eigenvalues();
  const double floor = 1e-6 * moments.cwiseAbs().maxCoeff();
  const Vector3d wanted = moments - Vector3d::Constant(2.0 * floor);
  const Matrix3d A = Matrix3d::Ones() - Matrix3d::Identity();
  Vector3d nearest = Vector3d::Zero();
  double smallest = wanted.squaredNorm();
  for (int choice = 1; choice < 8; ++choice) {
    // AᵀA = 1 + 11ᵀ; a row and column of the identity holds an s at zero.
    Matrix3d normal = Matrix3d::Identity();
    Vector3d right = Vector3d::Zero();
    for (int i = 0; i < 3; ++i) {
      if (!(choice >> i & 1)) continue;
      right[i] = A.col(i).dot(wanted);
      for (int j = 0; j < 3; ++j) {
        if (choice >> j & 1) normal(i, j) = A.col(i).dot(A.col(j));
      }
    }
    const Vector3d s = normal.ldlt().solve(right);
    const double distance = (A * s - wanted).squaredNorm();
    if (s.minCoeff() >= 0.0 && distance < smallest) nearest = A * s, smallest = distance;
  }
  const Vector3d repaired = nearest + Vector3d::Constant(2.0 * floor);
  const Matrix3d& R = principal.eigenvectors();
  const Matrix3d result = R * repaired.asDiagonal() * R.transpose();
  return 0.5 * (result + result.transpose());
}

}  // namespace stiction

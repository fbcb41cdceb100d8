#include "dynamics/fluid_ellipsoid.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace stiction {
namespace {

constexpr double kPi = std::numbers::pi;

double FourthPower(double x) {
  return x * x * x * x;
}

struct SortedAxes {
  double max, mid;

  explicit SortedAxes(const Vector3d& r) : max(r.maxCoeff()), mid(r.sum() - r.maxCoeff() - r.minCoeff()) {}
};

// Area of the ellipsoid's shadow along v, and the direction along which it leans.
struct Shadow {
  double area = 0.0;
  Vector3d normal = Vector3d::Zero();  // unit

  Shadow(const Vector3d& r, const Vector3d& v) {
    const Vector3d squares(std::pow(r[1] * r[2], 2), std::pow(r[2] * r[0], 2), std::pow(r[0] * r[1], 2));
    const Vector3d leaning = squares.cwiseProduct(v);
    area = kPi * leaning.norm() / std::sqrt(v.dot(leaning));
    normal = leaning.normalized();
  }
};

Vector3d CalcLinearForce(const FluidEllipsoid& fluid, const Vector3d& v, const Vector3d& w, double density,
                         double viscosity) {
  const Vector3d& r = fluid.radii;
  const double diameter = 2.0 / 3.0 * r.sum(), speed = v.norm();
  Vector3d force = -3.0 * kPi * viscosity * diameter * v;
  force += density * fluid.virtual_mass.cwiseProduct(v).cross(w);
  force += fluid.magnus * density * 4.0 / 3.0 * kPi * r.prod() * w.cross(v);
  if (!(speed > 0.0)) return force;
  const Shadow shadow(r, v);
  const SortedAxes axes(r);
  const double drag = fluid.blunt * shadow.area + fluid.slender * (kPi * axes.max * axes.mid - shadow.area);
  force -= density * speed * drag * v;
  force +=
      fluid.kutta * density * shadow.area * v.dot(shadow.normal) / speed * shadow.normal.cross(v).cross(v);
  return force;
}

Vector3d CalcTorque(const FluidEllipsoid& fluid, const Vector3d& v, const Vector3d& w, double density,
                    double viscosity) {
  const Vector3d& r = fluid.radii;
  const double diameter = 2.0 / 3.0 * r.sum();
  const SortedAxes axes(r);
  const double largest = 8.0 / 15.0 * kPi * axes.mid * FourthPower(axes.max);
  Vector3d swept;
  for (int i = 0; i < 3; ++i) {
    const double moment = 8.0 / 15.0 * kPi * r[i] * FourthPower(std::max(r[(i + 1) % 3], r[(i + 2) % 3]));
    swept[i] = (fluid.angular * moment + fluid.slender * (largest - moment)) * w[i];
  }
  Vector3d torque = -(kPi * viscosity * diameter * diameter * diameter + density * swept.norm()) * w;
  torque += density * fluid.virtual_mass.cwiseProduct(v).cross(v);
  torque += density * fluid.virtual_moment.cwiseProduct(w).cross(w);
  return torque;
}

}  // namespace

Vector6d CalcEllipsoidDrag(const Model& model, const Kinematics& kin, const Geom& geom) {
  const RigidTransform X_WG = kin.X_WB[geom.body] * geom.X_BG;
  const Matrix3d R_GW = X_WG.R.transpose();
  const Vector3d v = R_GW * (CalcPointVelocity(model, kin, geom.body, X_WG.p) - model.options.wind);
  const Vector3d w = R_GW * CalcAngularVelocity(kin, geom.body);
  const double density = model.options.density, viscosity = model.options.viscosity;
  Vector6d wrench;
  wrench << X_WG.R * CalcTorque(*geom.fluid, v, w, density, viscosity),
      X_WG.R * CalcLinearForce(*geom.fluid, v, w, density, viscosity);
  return wrench;
}

}  // namespace stiction

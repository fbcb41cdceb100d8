#include "camera.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace stiction::viewer {

Matrix3d Camera::axes() const {
  if (X_WC) return X_WC->R;
  const double c = std::cos(azimuth), s = std::sin(azimuth), ce = std::cos(elevation),
               se = std::sin(elevation);
  Matrix3d R;
  R.col(0) = Vector3d(-s, c, 0.0);
  R.col(2) = Vector3d(ce * c, ce * s, se);
  R.col(1) = R.col(2).cross(R.col(0));
  return R;
}

Vector3d Camera::eye() const {
  if (X_WC) return X_WC->p;
  return target + distance * axes().col(2);
}

Eigen::Matrix4f Camera::View() const {
  Eigen::Matrix4d view = Eigen::Matrix4d::Identity();
  view.topLeftCorner<3, 3>() = axes().transpose();
  view.topRightCorner<3, 1>() = -axes().transpose() * eye();
  return view.cast<float>();
}

Eigen::Matrix4f Camera::Projection(double aspect) const {
  const double near = 0.01 * distance, far = 200.0 * std::max(distance, 1.0);
  const double f = 1.0 / std::tan(0.5 * field_of_view);
  Eigen::Matrix4d P = Eigen::Matrix4d::Zero();
  P(0, 0) = f / aspect;
  P(1, 1) = f;
  P(2, 2) = (far + near) / (near - far);
  P(2, 3) = 2.0 * far * near / (near - far);
  P(3, 2) = -1.0;
  return P.cast<float>();
}

void Camera::Place(const RigidTransform& pose, double vertical_angle, double distance_to_target) {
  X_WC = pose;
  field_of_view = vertical_angle;
  distance = distance_to_target;
}

void Camera::Leave() {
  if (!X_WC) return;
  const Vector3d back = X_WC->R.col(2);
  target = X_WC->p - distance * back;
  azimuth = std::atan2(back.y(), back.x());
  elevation = std::clamp(std::asin(std::clamp(back.z(), -1.0, 1.0)), -kSteepest, kSteepest);
  X_WC.reset();
}

void Camera::Frame(const Vector3d& lower, const Vector3d& upper) {
  Leave();
  field_of_view = Camera{}.field_of_view;
  target = 0.5 * (lower + upper);
  distance = std::max(0.5 * (upper - lower).norm() / std::sin(0.5 * field_of_view), 1e-3);
}

void Camera::Fit(const Vector3d& lower, const Vector3d& upper, double aspect) {
  constexpr double kMargin = 1.06;
  Frame(lower, upper);
  const Matrix3d R = axes();
  const double up = std::tan(0.5 * field_of_view), right = aspect * up;
  double nearest = 0.0;
  for (int corner = 0; corner < 8; ++corner) {
    Vector3d p;
    for (int i = 0; i < 3; ++i) p[i] = (corner >> i & 1 ? upper : lower)[i] - target[i];
    const Vector3d p_C = kMargin * R.transpose() * p;
    nearest = std::max(nearest, p_C.z() + std::max(std::abs(p_C.x()) / right, std::abs(p_C.y()) / up));
  }
  distance = std::clamp(nearest, 1e-3, distance);
}

void Camera::Orbit(double right, double up) {
  Leave();
  azimuth = std::remainder(azimuth - right, 2.0 * M_PI);
  elevation = std::clamp(elevation + up, -kSteepest, kSteepest);
}

void Camera::Pan(double right, double up) {
  Leave();
  const double height = 2.0 * distance * std::tan(0.5 * field_of_view);
  target -= height * (right * axes().col(0) + up * axes().col(1));
}

void Camera::Zoom(double factor) {
  Leave();
  distance = std::clamp(distance * factor, 1e-4, 1e5);
}

void Camera::Accompany(const Vector3d& p) {
  // Of the distance: a quarter of what is seen to either side, and nearly half of it up or down, where what
  // walks or hops is to bob and only what falls is to be followed.
  constexpr double kFree = 0.1, kFreeUp = 0.15;
  const double up = p.z() - target.z(), most_up = kFreeUp * distance;
  Vector3d apart = p - target;
  apart.z() = 0.0;
  const double length = apart.norm(), most = kFree * distance;
  if (length > most) target += (1.0 - most / length) * apart;
  target.z() += up - std::clamp(up, -most_up, most_up);
}

Vector3d Camera::Ray(double x, double y, double aspect) const {
  const double t = std::tan(0.5 * field_of_view);
  return (axes() * Vector3d(x * t * aspect, y * t, -1.0)).normalized();
}

}  // namespace stiction::viewer

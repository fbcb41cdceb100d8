// An orbit camera: it looks at a target from a distance and two angles; z is up.
#pragma once

#include "stiction/math/types.h"

namespace stiction::viewer {

struct Camera {
  Vector3d target = Vector3d::Zero();  // [m]
  double distance = 3.0;               // [m]
  double azimuth = 0.9;                // of the eye about z, from the x axis [rad]
  double elevation = 0.38;             // of the eye above the horizontal [rad]
  double field_of_view = 0.7;          // vertical [rad]

  Vector3d eye() const;
  Matrix3d axes() const;  // columns: right, up, backwards, in world axes
  Eigen::Matrix4f View() const;
  Eigen::Matrix4f Projection(double aspect) const;

  // Looks at a box so that it fills the picture.
  void Frame(const Vector3d& lower, const Vector3d& upper);
  void Orbit(double right, double up);  // [rad]
  void Pan(double right, double up);    // in heights of the picture
  void Zoom(double factor);

  // Unit vector from the eye through a point of the picture, both coordinates in [-1, 1], y up.
  Vector3d Ray(double x, double y, double aspect) const;
};

}  // namespace stiction::viewer

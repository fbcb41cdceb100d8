// An orbit camera: it looks at a target from a distance and two angles; z is up. Or it stands at a place of
// its own.
#pragma once

#include <optional>

#include "stiction/math/rigid_transform.h"

namespace stiction::viewer {

struct Camera {
  static constexpr double kSteepest = 1.55;  // elevation [rad]: the picture's up is defined

  Vector3d target = Vector3d::Zero();  // [m]
  double distance = 3.0;               // [m]
  double azimuth = 0.9;                // of the eye about z, from the x axis [rad]
  double elevation = 0.38;             // of the eye above the horizontal [rad]
  double field_of_view = 0.7;          // vertical [rad]

  // Where it stands instead, looking along -z with y up: the rest then is what it turns about once it is
  // moved.
  std::optional<RigidTransform> X_WC;

  bool IsAs(const Camera& other) const {
    return target == other.target && distance == other.distance && azimuth == other.azimuth &&
           elevation == other.elevation && !X_WC && !other.X_WC;
  }

  Vector3d eye() const;
  Matrix3d axes() const;  // columns: right, up, backwards, in world axes
  Eigen::Matrix4f View() const;
  Eigen::Matrix4f Projection(double aspect) const;

  // Stands at X_WC; `distance` is that of what it looks at [m].
  void Place(const RigidTransform& pose, double vertical_angle, double distance_to_target);
  // Looks at a box so that it fills the picture, from wherever it turns to.
  void Frame(const Vector3d& lower, const Vector3d& upper);
  // The same for where it looks from now, as close as a picture of this width over height allows.
  void Fit(const Vector3d& lower, const Vector3d& upper, double aspect);
  // These three leave the place.
  void Orbit(double right, double up);  // [rad]
  void Pan(double right, double up);    // in heights of the picture
  void Zoom(double factor);

  // Goes along with a place, but lets it move about in the middle of the picture.
  void Accompany(const Vector3d& p);

  // Back from a place to an orbit about what it looked at, upright.
  void Leave();

  // Unit vector from the eye through a point of the picture, both coordinates in [-1, 1], y up.
  Vector3d Ray(double x, double y, double aspect) const;
};

}  // namespace stiction::viewer

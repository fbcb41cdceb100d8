// The ways in which MJCF writes a rotation or pose.
#pragma once

#include "io/mjcf/compiler.h"
#include "io/xml/element.h"
#include "stiction/math/rigid_transform.h"

namespace stiction::mjcf {

// quat, axisangle, xyaxes, zaxis or euler. Returns false and leaves R alone if there is none; throws
// LoadError if there are several, or if it is degenerate.
bool ReadOrientation(xml::Element& element, const Compiler& compiler, Matrix3d& R);

// pos and the orientation; what is absent stays.
void ReadPose(xml::Element& element, const Compiler& compiler, RigidTransform& X);

// Product of the three rotations of an Euler sequence. [rad]
Matrix3d EulerRotation(const std::string& sequence, const Vector3d& angles);

// The smallest rotation that takes z onto the unit vector `axis`.
Matrix3d RotationFromZ(const Vector3d& axis);

}  // namespace stiction::mjcf

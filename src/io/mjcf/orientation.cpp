#include "io/mjcf/orientation.h"

#include <cctype>

#include "stiction/math/rotation.h"

namespace stiction::mjcf {
namespace {

constexpr double kTiny = 1e-10;  // shorter vectors have no direction

Vector3d Normalized(const xml::Element& element, std::string_view attribute, const Vector3d& v) {
  if (v.norm() < kTiny) element.Fail(attribute, std::string(attribute) + " has zero length");
  return v.normalized();
}

Matrix3d ReadQuaternion(xml::Element& element) {
  double wxyz[4];
  element.ReadNumbers("quat", 4, 4, wxyz);
  const Quaterniond quat = QuaternionFromWxyz(wxyz);
  if (quat.norm() < kTiny) element.Fail("quat", "quat has zero length");
  return quat.normalized().toRotationMatrix();
}

Matrix3d ReadAxisAngle(xml::Element& element, const Compiler& compiler) {
  double values[4];
  element.ReadNumbers("axisangle", 4, 4, values);
  const Vector3d axis = Normalized(element, "axisangle", Vector3d(values));
  return QuaternionExp(compiler.ToRadians(values[3]) * axis).normalized().toRotationMatrix();
}

// The second axis is made orthogonal to the first; the third completes the right-handed frame.
Matrix3d ReadXyAxes(xml::Element& element) {
  double values[6];
  element.ReadNumbers("xyaxes", 6, 6, values);
  Matrix3d R;
  R.col(0) = Normalized(element, "xyaxes", Vector3d(values));
  const Vector3d y(values + 3);
  R.col(1) = Normalized(element, "xyaxes", y - R.col(0).dot(y) * R.col(0));
  R.col(2) = R.col(0).cross(R.col(1));
  return R;
}

}  // namespace

Matrix3d RotationFromZ(const Vector3d& axis) {
  const Vector3d normal = Vector3d::UnitZ().cross(axis);
  const double sine = normal.norm();
  const double angle = std::atan2(sine, axis.z());
  // Straight up or down any perpendicular axis will do.
  const Vector3d direction = sine < kTiny ? Vector3d::UnitX() : Vector3d(normal / sine);
  return QuaternionExp(angle * direction).normalized().toRotationMatrix();
}

Matrix3d EulerRotation(const std::string& sequence, const Vector3d& angles) {
  Quaterniond quat = Quaterniond::Identity();
  for (int i = 0; i < 3; ++i) {
    const char letter = static_cast<char>(std::tolower(static_cast<unsigned char>(sequence[i])));
    const Quaterniond turn = QuaternionExp(angles[i] * Vector3d::Unit(letter - 'x'));
    const bool moving_axes = sequence[i] == letter;
    quat = moving_axes ? quat * turn : turn * quat;
  }
  return quat.normalized().toRotationMatrix();
}

bool ReadOrientation(xml::Element& element, const Compiler& compiler, Matrix3d& R) {
  std::string_view given;
  for (const std::string_view form : {"quat", "axisangle", "xyaxes", "zaxis", "euler"}) {
    if (!element.Has(form)) continue;
    if (!given.empty()) {
      element.Fail(
          form, "gives both " + std::string(given) + " and " + std::string(form) + "; keep one orientation");
    }
    given = form;
  }
  if (given.empty()) return false;
  if (given == "quat") R = ReadQuaternion(element);
  if (given == "axisangle") R = ReadAxisAngle(element, compiler);
  if (given == "xyaxes") R = ReadXyAxes(element);
  Vector3d vector;
  if (given == "zaxis" && element.Read("zaxis", vector)) {
    R = RotationFromZ(Normalized(element, "zaxis", vector));
  }
  if (given == "euler" && element.Read("euler", vector)) {
    for (double& angle : vector) angle = compiler.ToRadians(angle);
    R = EulerRotation(compiler.euler_sequence, vector);
  }
  return true;
}

void ReadPose(xml::Element& element, const Compiler& compiler, RigidTransform& X) {
  element.Read("pos", X.p);
  ReadOrientation(element, compiler, X.R);
}

}  // namespace stiction::mjcf

// Mass, centre of mass and rotational inertia of a rigid body, and those of the solid shapes.
#pragma once

#include "stiction/geometry/shape.h"

namespace stiction {

// Of body B, about and in: mass, centre of mass in B, inertia about the centre of mass in B's axes.
struct MassProperties {
  double mass = 0.0;                     // [kg]
  Vector3d p_BBcm = Vector3d::Zero();    // [m]
  Matrix3d I_BBcm_B = Matrix3d::Zero();  // [kg·m²]
};

// Volume of the solid shape; 0 for a plane and an open mesh. [m³]
double CalcVolume(const Shape& shape);

// The solid shape of the given mass, uniform density, in its own frame. Planes and open meshes have no
// mass properties: returns zeros.
MassProperties CalcSolidMassProperties(const Shape& shape, double mass);

// The same properties expressed in frame A, with X_AB the pose of B in A.
MassProperties Transform(const RigidTransform& X_AB, const MassProperties& in_B);

// The union of two bodies, both given in the same frame (parallel axis theorem).
MassProperties Add(const MassProperties& a, const MassProperties& b);

// True when the inertia is symmetric positive definite; reports by `triangle` whether the principal moments
// satisfy the triangle inequality within a relative 1e-6 (a rigid distribution of mass always does).
bool IsPositiveDefinite(const Matrix3d& I, bool* triangle);

// The inertia of a rigid body that is nearest to a symmetric matrix in the Frobenius norm. With the moments
// λ of I and σ of the second moments of its mass, λ₁ = σ₂ + σ₃ and so on round, a body is what has σ ≥ 0: the
// axes stay, and σ is the nearest that has none below 1e-6 of the largest |λ|, so that the result is positive
// definite unless I is zero.
Matrix3d FindNearestInertia(const Matrix3d& I);

}  // namespace stiction

#include <Eigen/Eigenvalues>
#include <algorithm>

#include "io/mjcf/orientation.h"
#include "io/mjcf/reader.h"

namespace stiction::mjcf {

using From = Compiler::InertiaFromGeom;

void Reader::ReadInertial(xml::Element& element, const Scope& scope) {
  if (scope.body == 0) element.Fail("the world has no inertia; put the <inertial> into a <body>");
  element.Visit();
  MassProperties inertia;
  inertia.p_BBcm = element.RequireVector("pos");
  inertia.mass = element.RequireNumber("mass");
  if (inertia.mass < 0.0) element.Fail("mass", "mass must not be negative");
  Matrix3d R_BI = Matrix3d::Identity();
  const bool has_orientation = ReadOrientation(element, compiler_, R_BI);
  double full[6], diagonal[3];
  if (element.ReadNumbers("fullinertia", 6, 6, full)) {
    if (has_orientation || element.Has("diaginertia")) {
      element.Fail("fullinertia", "fullinertia goes with neither an orientation nor diaginertia");
    }
    inertia.I_BBcm_B << full[0], full[3], full[4], full[3], full[1], full[5], full[4], full[5], full[2];
  } else if (element.ReadNumbers("diaginertia", 3, 3, diagonal)) {
    inertia.I_BBcm_B = R_BI * Vector3d(diagonal).asDiagonal() * R_BI.transpose();
  }
  // Rounding of the rotation must not leave an unsymmetric matrix.
  inertia.I_BBcm_B = (0.5 * (inertia.I_BBcm_B + inertia.I_BBcm_B.transpose())).eval();
  BodyMass& target = body_mass_[scope.body];
  if (target.inertial) element.Fail("a second <inertial> in one body");
  target.inertial = &element;
  target.explicit_inertia = Transform(scope.X_BF, inertia);
  if (compiler_.inertia_from_geom == From::kTrue) {
    element.Note(ImportStatus::kHonoured, "the geoms decide instead where there are any: inertiafromgeom");
  }
}

bool Reader::CountsForMass(const GeomSpec& spec) const {
  if (compiler_.inertia_from_geom == From::kFalse) return false;
  if (spec.group < compiler_.inertia_groups[0] || spec.group > compiler_.inertia_groups[1]) return false;
  return spec.mass ? *spec.mass > 0.0 : spec.density > 0.0;
}

void Reader::FinishInertias() {
  for (int b = 1; b < builder_.num_bodies(); ++b) {
    const BodyMass& body = body_mass_[b];
    if (!body.inertial) continue;
    const bool overruled = compiler_.inertia_from_geom == From::kTrue && body.has_geom_mass;
    if (!overruled) builder_.SetInertia(b, body.explicit_inertia);
  }
  if (compiler_.bound_mass > 0.0 || compiler_.bound_inertia > 0.0 || compiler_.balance_inertia ||
      compiler_.total_mass > 0.0) {
    ApplyInertiaRules();
  }
  for (int b = 1; b < builder_.num_bodies(); ++b) {
    const BodyMass& body = body_mass_[b];
    bool triangle = true;
    if (!body.inertial || !builder_.HasInertia(b)) continue;
    IsPositiveDefinite(builder_.body(b).inertia.I_BBcm_B, &triangle);
    if (!triangle) {
      body.inertial->Note(ImportStatus::kApproximated,
                          "no rigid body has such moments: one is larger than the sum of the others");
    }
  }
}

// boundmass, boundinertia and balanceinertia work on the principal moments; settotalmass scales everything at
// the end.
void Reader::ApplyInertiaRules() {
  std::vector<MassProperties> inertias(builder_.num_bodies());
  double total = 0.0;
  for (int b = 1; b < builder_.num_bodies(); ++b) {
    MassProperties& inertia = inertias[b] = builder_.CalcInertia(b);
    inertia.mass = std::max(inertia.mass, compiler_.bound_mass);
    const Eigen::SelfAdjointEigenSolver<Matrix3d> principal(inertia.I_BBcm_B);
    const Vector3d moments = principal.eigenvalues();
    const Vector3d bounded = moments.cwiseMax(compiler_.bound_inertia);
    // Eigenvalues come in ascending order.
    if (compiler_.balance_inertia && bounded[0] + bounded[1] < bounded[2]) {
      inertia.I_BBcm_B = bounded.mean() * Matrix3d::Identity();
    } else if (bounded != moments) {
      const Matrix3d& R = principal.eigenvectors();
      inertia.I_BBcm_B = R * bounded.asDiagonal() * R.transpose();
    }
    total += inertia.mass;
  }
  const double scale = compiler_.total_mass > 0.0 && total > 0.0 ? compiler_.total_mass / total : 1.0;
  for (int b = 1; b < builder_.num_bodies(); ++b) {
    inertias[b].mass *= scale;
    inertias[b].I_BBcm_B *= scale;
    builder_.SetInertia(b, inertias[b]);
  }
}

}  // namespace stiction::mjcf

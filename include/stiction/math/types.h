// The handful of Eigen types that the engine uses by short name. Plain double everywhere: no scalar template.
#pragma once

#include <Eigen/Core>

#ifdef STICTION_EIGEN_ALIGN_BYTES  // by the installed package: what the library was compiled with
static_assert(EIGEN_DEFAULT_ALIGN_BYTES == STICTION_EIGEN_ALIGN_BYTES,
              "stiction was built for another instruction set (-march), and Eigen would free its memory "
              "differently here: compile this target for the same, or build stiction for yours");
#endif

namespace stiction {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using Matrix3Xd = Eigen::Matrix<double, 3, Eigen::Dynamic>;
using Vector6d = Eigen::Matrix<double, 6, 1>;
using Matrix6d = Eigen::Matrix<double, 6, 6>;
using Matrix6Xd = Eigen::Matrix<double, 6, Eigen::Dynamic>;

}  // namespace stiction

// The handful of Eigen types that the engine uses by short name. Plain double everywhere: no scalar template.
#pragma once

#include <Eigen/Core>

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

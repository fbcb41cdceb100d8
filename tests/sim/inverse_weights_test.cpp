#include "sim/inverse_weights.h"

#include <gtest/gtest.h>

#include "stiction/dynamics/crba.h"
#include "stiction/dynamics/jacobian.h"
#include "stiction/sim/world.h"
#include "tests/support/random_model.h"
#include "tests/support/scenes.h"

namespace stiction {
namespace {

using namespace stiction::testing;

constexpr double kBoxEdge = 0.2;

// Against dense algebra at q0.
TEST(InverseWeights, AreMeansOfTheInverseInertia) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    Model model = MakeRandomModel(seed, 6);
    model.options.contact_model = ContactModel::kSoft;
    const InverseWeights weights(model);
    Kinematics kin;
    kin.Resize(model);
    CalcPositionKinematics(model, model.q0, Input::Default(model).mocap, kin);
    const BranchPattern pattern = MakeMassMatrixPattern(model);
    BranchSparseMatrix M(pattern);
    CrbaWorkspace crba;
    CalcMassMatrix(model, kin, crba, M);
    const MatrixXd inverse = M.ToDense().inverse();
    for (int b = 1; b < model.num_bodies(); ++b) {
      Matrix6Xd J;
      CalcSpatialJacobian(model, kin, b, kin.p_WBcm[b], J);
      const VectorXd diagonal = (J * inverse * J.transpose()).diagonal();
      EXPECT_NEAR(weights.Rotation(b, 0), diagonal.head<3>().mean(), 1e-9 * (1.0 + diagonal.maxCoeff()));
      EXPECT_NEAR(weights.Translation(0, b), diagonal.tail<3>().mean(), 1e-9 * (1.0 + diagonal.maxCoeff()));
    }
    for (int j = 0; j < model.num_joints(); ++j) {
      const JointKind& kind = model.joints[j].kind;
      if (!std::holds_alternative<HingeJoint>(kind) && !std::holds_alternative<SlideJoint>(kind)) continue;
      const int k = model.joints[j].v_address;
      EXPECT_NEAR(weights.Joints(j), inverse(k, k), 1e-9 * (1.0 + inverse(k, k)));
    }
  }
}

TEST(InverseWeights, AreNotAskedForWhereNothingGivesWay) {
  EXPECT_EQ(InverseWeights(MakeRandomModel(1, 3)).Translation(0, 1), 0.0);
}

// How deep a box or a ball of 1 kg lies in the floor.
double CalcDepth(const Shape& shape, double height) {
  const double d = 0.9;
  const Softness softness{.reference = {0.03, 0.8}, .impedance = {d, d, 0.001, 0.5, 2.0}};
  ModelBuilder builder("lying");
  builder.options().contact_model = ContactModel::kSoft;
  builder.AddGeom({.shape = Plane{}, .softness = softness});
  const int body = builder.AddBody({.X_PB = Shift(0, 0, height)});
  builder.AddJoint(body, {.kind = FreeJoint{}});
  builder.AddGeom({.body = body, .shape = shape, .softness = softness}, {.mass = 1.0});
  World world(builder.Build(), {.timestep = 0.002});
  while (world.time() < 2.0) EXPECT_EQ(world.Step().status, StepStatus::kOk);
  return height - world.q()[2];
}

TEST(InverseWeights, FourCornersSinkAQuarterAsDeepAsOnePoint) {
  const double ball = CalcDepth(Sphere{0.5 * kBoxEdge}, 0.5 * kBoxEdge);
  ASSERT_GT(ball, 1e-5);
  EXPECT_NEAR(CalcDepth(Box{Vector3d::Constant(0.5 * kBoxEdge)}, 0.5 * kBoxEdge), 0.25 * ball, 1e-8);
}

}  // namespace
}  // namespace stiction

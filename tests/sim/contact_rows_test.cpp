// Rows of contacts against Jacobians of the two points.
#include "sim/contact_rows.h"

#include <gtest/gtest.h>

#include "stiction/dynamics/jacobian.h"
#include "tests/support/scenes.h"
#include "tests/support/step_start.h"

namespace stiction::testing {
namespace {

// A floor (geom 0), a free body with a hinged link each with a ball (1, 2), an arm of two links on the world
// (3, 4), and a free ball (5), all in motion.
StepStart MakeStart() {
  ModelBuilder builder("rows");
  AddFloor(builder);
  const auto add_link = [&](int parent, const Vector3d& axis) {
    const int link = builder.AddBody({.parent = parent, .X_PB = Shift(0.1, 0.2, 0.3)});
    builder.AddJoint(link, {.kind = HingeJoint{.axis_B = axis}});
    builder.AddGeom({.body = link, .shape = Sphere{0.05}, .X_BG = Shift(0.05, 0, 0)}, {.mass = 1.0});
    return link;
  };
  const int base = AddFreeBody(builder, Sphere{0.1}, 1.0, Turn(0.7, Vector3d::UnitX(), Vector3d(1, 2, 3)));
  add_link(base, Vector3d::UnitY());
  add_link(add_link(0, Vector3d::UnitZ()), Vector3d(0.6, 0.0, 0.8));
  AddFreeBody(builder, Sphere{0.1}, 1.0, Turn(-0.4, Vector3d::UnitZ(), Vector3d(-1, 0.5, 0.2)));
  StepStart start(builder.Build());
  for (const int joint : {1, 2, 3}) start.state.q[start.model.joints[joint].q_address] = 0.3 * joint;
  start.Compute();
  return start;
}

// R_WCᵀ (J_B − J_A) at the contact point, of points or angular.
MatrixXd CalcExpected(const StepStart& start, int contact, bool is_angular) {
  const TrackedContact& tracked = start.contacts[contact].tracked;
  Matrix3Xd J_A, J_B;
  const auto calc = [&](int geom, Matrix3Xd& J) {
    const int body = start.model.geoms[geom].body;
    if (is_angular) return CalcAngularJacobian(start.model, start.kin, body, J);
    CalcPointJacobian(start.model, start.kin, body, tracked.point.p_W, J);
  };
  calc(tracked.geom_a, J_A);
  calc(tracked.geom_b, J_B);
  return MakeContactFrame(tracked.point.n_W).transpose() * (J_B - J_A);
}

TEST(ContactRows, AreTheRelativeVelocityInTheContactFrame) {
  StepStart start = MakeStart();
  ASSERT_EQ(start.model.num_geoms(), 6);
  start.contacts.clear();
  for (int a = 0; a < 6; ++a) {
    for (int b = a + 1; b < 6; ++b) {
      DetectedContact& contact = start.contacts.emplace_back();
      contact.tracked.geom_a = a;
      contact.tracked.geom_b = b;
      contact.tracked.point.p_W = Vector3d(0.1 * a, 0.2 * b, -0.3 + 0.1 * a * b);
      contact.tracked.point.n_W = Vector3d(1.0 - a, 0.5 * b, 0.7).normalized();
      contact.friction = {.sliding = 0.5, .torsional = 0.01, .rolling = 0.02};
    }
  }
  CalcContactFrames(start.contacts, start.pool, start.R_WC);
  for (int i = 0; i < static_cast<int>(start.contacts.size()); ++i) {
    ContactProblem problem;
    InitializeProblem(start.model, start.pattern, problem);
    const int first = problem.num_constraints();
    ASSERT_EQ(AddContactRows(start.frame(), i, problem), 3);
    FillContactRows(start.frame(), i, first, problem);
    const MatrixXd J = problem.DenseJ(), angular = CalcExpected(start, i, true);
    EXPECT_LT((J.topRows<3>() - CalcExpected(start, i, false)).norm(), 1e-14) << i;
    EXPECT_LT((J.row(3) - angular.row(2)).norm(), 1e-14) << i;
    EXPECT_LT((J.bottomRows<2>() - angular.topRows<2>()).norm(), 1e-14) << i;
    // The products that need not all rows.
    const VectorXd v = VectorXd::LinSpaced(start.model.nv(), -1.0, 2.0);
    Vector3d g;
    problem.MultiplyRows(problem.constraints[0], v.data(), g.data());
    EXPECT_LT((g - J.topRows<3>() * v).norm(), 1e-13) << i;
    EXPECT_NEAR(problem.MultiplyLastRow(problem.constraints[0], v.data()), g[2], 1e-13) << i;
  }
}

}  // namespace
}  // namespace stiction::testing

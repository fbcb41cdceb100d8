// What every joint type has to do, whatever else it does (model/joint/joint_type.h): two routes to each
// number.
#include "stiction/model/joint.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "stiction/model/joint/joint_sampler.h"
#include "tests/support/random_model.h"

namespace stiction::testing {
namespace {

constexpr double kStep = 1e-5;  // of central differences: truncation 1e-10 and rounding 1e-16/1e-5 balance
constexpr int kNumTrials = 20;  // of every type

using Numbers = std::array<double, 7>;  // q or v of a joint

// One joint of a random kind, somewhere in a body that stands somewhere.
struct Trial {
  Joint joint;
  RigidTransform X_WF;  // the frame before the joint
  Numbers q{}, v{};
  JointSampler sampler;

  template <typename Function>
  auto Visit(const Function& function) const {
    return std::visit(function, joint.kind);
  }

  Trial(const JointKind& kind, int seed) : sampler(static_cast<unsigned>(seed)) {
    Random random(static_cast<unsigned>(seed));
    joint = MakeRandomJoint(random, kind);
    std::visit([](auto& k) { k.Normalize(); }, joint.kind);
    X_WF = random.Pose(1.0);
    Visit([&](const auto& k) { k.SetInitial(X_WF, q.data()); });
    Visit([&](const auto& k) { k.Sample(sampler, -2.0, 2.0, q.data()); });
    for (double& x : v) x = random.Uniform(-2.0, 2.0);
  }
  Numbers Advanced(double dt) const {
    Numbers moved = q;
    Visit([&](const auto& k) { k.Integrate(v.data(), dt, moved.data()); });
    return moved;
  }
  RigidTransform PoseAt(const Numbers& at, Matrix6Xd* columns = nullptr, const Vector3d& p_WT = {}) const {
    Matrix6Xd S(6, joint.nv());
    RigidTransform X_WB = X_WF;
    Visit([&](const auto& k) { k.Move(at.data(), X_WB, MotionColumns(S.data(), 6, S.cols())); });
    if (columns) {
      Visit([&](const auto& k) { k.ReferColumns(p_WT, MotionColumns(S.data(), 6, S.cols())); });
      *columns = S;
    }
    return X_WB;
  }
  // Velocity behind the joint at T where that before it is V_before; the columns' rates.
  Vector6d Velocity(const Matrix6Xd& S, const Vector6d& V_before, Matrix6Xd& dS) const {
    Vector6d V = V_before;
    dS.resize(6, joint.nv());
    Visit([&](const auto& k) {
      k.AddVelocity(ConstMotionColumns(S.data(), 6, S.cols()), v.data(), V,
                    MotionColumns(dS.data(), 6, dS.cols()));
    });
    return V;
  }
  JointLimits LimitsAt(const Numbers& at, double lower, double upper) const {
    return Visit([&](const auto& k) { return k.FindLimits(at.data(), v.data(), lower, upper); });
  }
};

template <std::size_t kIndex = 0>
void AppendKinds(std::vector<JointKind>& kinds) {
  if constexpr (kIndex < std::variant_size_v<JointKind>) {
    kinds.emplace_back(std::in_place_index<kIndex>);
    AppendKinds<kIndex + 1>(kinds);
  }
}

template <typename Function>
void ForEveryKind(const Function& function) {
  std::vector<JointKind> kinds;
  AppendKinds(kinds);
  for (const JointKind& kind : kinds) {
    SCOPED_TRACE(kJointTraits[kind.index()].name);
    for (int seed = 0; seed < kNumTrials; ++seed) function(Trial(kind, seed));
  }
}

TEST(Joint, GoesByItsName) {
  for (std::size_t i = 0; i < kJointTraits.size(); ++i) {
    const std::optional<JointKind> found = FindJointKind(kJointTraits[i].name);
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->index(), i);
  }
  EXPECT_FALSE(FindJointKind("planar").has_value());
  EXPECT_FALSE(FindJointKind("").has_value());
}

TEST(Joint, TraitsAgreeWithOneAnother) {
  for (const JointTraits& traits : kJointTraits) {
    SCOPED_TRACE(traits.name);
    if (traits.quaternion < 0) {
      EXPECT_EQ(traits.nq, traits.nv);
    } else {
      EXPECT_EQ(traits.nq, traits.nv + 1);
      EXPECT_LE(traits.quaternion + 4, traits.nq);
    }
    for (int i = 0; i < traits.nq; ++i) EXPECT_NE(traits.coordinates[i], nullptr);
    for (int i = 0; i < traits.nv; ++i) EXPECT_NE(traits.dofs[i], nullptr);
  }
}

TEST(Joint, BodiesStandAsInTheFileAtFirst) {
  ForEveryKind([](const Trial& trial) {
    Numbers q{};
    trial.Visit([&](const auto& k) { k.SetInitial(trial.X_WF, q.data()); });
    const RigidTransform X_WB = trial.PoseAt(q);
    EXPECT_LT((X_WB.p - trial.X_WF.p).norm(), 1e-14);  // rounding of lengths of 1 m
    EXPECT_LT((X_WB.R - trial.X_WF.R).norm(), 1e-14);
    if (trial.joint.is_scalar()) {
      EXPECT_EQ(q[0], trial.joint.reference());
    }
  });
}

TEST(Joint, DifferenceUndoesIntegration) {
  ForEveryKind([](const Trial& trial) {
    const double dt = 0.5;  // turns by less than π
    const Numbers to = trial.Advanced(dt);
    Numbers v{};
    trial.Visit([&](const auto& k) { k.Difference(trial.q.data(), to.data(), v.data()); });
    for (int i = 0; i < trial.joint.nv(); ++i) EXPECT_NEAR(v[i], dt * trial.v[i], 1e-14);  // rounding of π
  });
}

TEST(Joint, ColumnsAreTheVelocityOfThePose) {
  ForEveryKind([](const Trial& trial) {
    const Vector3d p_WT(0.4, -1.2, 0.7);
    Matrix6Xd S, dS;
    const RigidTransform X = trial.PoseAt(trial.q, &S, p_WT);
    const Vector6d V = trial.Velocity(S, Vector6d::Zero(), dS);
    const RigidTransform before = trial.PoseAt(trial.Advanced(-kStep)),
                         after = trial.PoseAt(trial.Advanced(kStep));
    const Matrix3d Rdot = (after.R - before.R) / (2 * kStep);
    const Vector3d pdot = (after.p - before.p) / (2 * kStep);
    EXPECT_LT((Skew(V.head<3>()) * X.R - Rdot).norm(), 1e-8);  // kStep² times a third derivative below 100
    EXPECT_LT((V.tail<3>() + V.head<3>().cross(X.p - p_WT) - pdot).norm(), 1e-8);
  });
}

// The frame before the joint moves, too: at V about T, a world-fixed point.
TEST(Joint, RatesAreThoseOfTheColumns) {
  ForEveryKind([](const Trial& trial) {
    const Vector3d p_WT(0.4, -1.2, 0.7), w(0.3, 0.8, -0.5), v_T(1.0, -0.2, 0.6);
    const Vector6d V_before =
        trial.joint.is_free() ? Vector6d(Vector6d::Zero()) : (Vector6d() << w, v_T).finished();
    const auto columns_after = [&](double dt) {
      const Matrix3d R = QuaternionExp(dt * V_before.head<3>()).toRotationMatrix();
      Trial moved = trial;
      moved.X_WF = {R * trial.X_WF.R, R * (trial.X_WF.p - p_WT) + p_WT + dt * V_before.tail<3>()};
      Matrix6Xd S;
      moved.PoseAt(trial.Advanced(dt), &S, p_WT);
      return S;
    };
    Matrix6Xd S, dS;
    trial.PoseAt(trial.q, &S, p_WT);
    trial.Velocity(S, V_before, dS);
    const Matrix6Xd rates = (columns_after(kStep) - columns_after(-kStep)) / (2 * kStep);
    EXPECT_LT((dS - rates).cwiseAbs().maxCoeff(), 1e-8);  // kStep² times a third derivative below 100
  });
}

TEST(Joint, LimitsChangeAtTheirRates) {
  ForEveryKind([](const Trial& trial) {
    const JointLimits limits = trial.LimitsAt(trial.q, -0.3, 0.8);
    const JointLimits before = trial.LimitsAt(trial.Advanced(-kStep), -0.3, 0.8),
                      after = trial.LimitsAt(trial.Advanced(kStep), -0.3, 0.8);
    const int per_range = trial.joint.traits().limits == JointLimitKind::kRange ? 2 : 1;
    EXPECT_EQ(limits.count, trial.joint.is_free() ? 0 : per_range * trial.joint.num_limits());
    for (int i = 0; i < limits.count; ++i) {
      const JointLimit& limit = limits.limits[i];
      // kStep² times a third derivative: of the angle of a ball, speed³ over its square, some 1e4.
      EXPECT_NEAR(limit.rate, (after.limits[i].gap - before.limits[i].gap) / (2 * kStep), 1e-7);
      ASSERT_LE(limit.first + limit.count, trial.joint.nv());
      const double by_slope = std::inner_product(limit.slope.data(), limit.slope.data() + limit.count,
                                                 trial.v.data() + limit.first, 0.0);
      EXPECT_NEAR(limit.rate, by_slope, 1e-14);
      EXPECT_GE(limit.speed * (1.0 + 1e-15), std::abs(limit.rate));
      EXPECT_LT(limit.memory, trial.joint.num_limits());
    }
  });
}

TEST(Joint, SpringsPullAlongTheDifference) {
  ForEveryKind([](const Trial& trial) {
    constexpr double kStiffness = 3.0;
    const Numbers rest = trial.Advanced(0.4);
    Numbers deflection{}, force{};
    trial.Visit([&](const auto& k) { k.Difference(rest.data(), trial.q.data(), deflection.data()); });
    trial.Visit([&](const auto& k) { k.AddSpring(kStiffness, rest.data(), trial.q.data(), force.data()); });
    for (int i = 0; i < trial.joint.nv(); ++i) EXPECT_EQ(force[i], -kStiffness * deflection[i]);
  });
}

// ℓ of a gear over coordinates; on rotations the gear is a direction, and ℓ no function of q.
TEST(Joint, GearsOverCoordinatesAreTheSlopeOfTheLength) {
  ForEveryKind([](const Trial& trial) {
    const int count = trial.joint.num_coordinates();
    if (count == 0) return;
    const Vector6d gear = (Vector6d() << 1.5, -0.5, 2.0, 1.0, 0.25, 3.0).finished();
    const auto length = [&](const Numbers& q) {
      Vector6d used = gear;
      const double at = trial.Visit([&](const auto& k) { return k.CalcTransmission(q.data(), false, used); });
      EXPECT_EQ(used, gear);
      return at;
    };
    const double rate = (length(trial.Advanced(0.5)) - length(trial.Advanced(-0.5))) / 1.0;
    const double expected = std::inner_product(trial.v.data(), trial.v.data() + count, gear.data(), 0.0);
    EXPECT_NEAR(rate, expected, 1e-13);  // rounding of lengths of 10
  });
}

// The lines that are drawn are those about or along which the columns move.
TEST(Joint, DrawsTheAxesOfItsColumns) {
  ForEveryKind([](const Trial& trial) {
    const Vector3d p_WT(0.4, -1.2, 0.7);
    Matrix6Xd S;
    const RigidTransform X_WB = trial.PoseAt(trial.q, &S, p_WT);
    const JointAxes axes = trial.Visit([&](const auto& k) { return k.CalcAxes(X_WB, trial.X_WF); });
    EXPECT_EQ(axes.count, trial.joint.num_coordinates());
    for (int i = 0; i < axes.count; ++i) {
      const Vector3d w = S.col(i).head<3>(), v = S.col(i).tail<3>(), axis = axes.axis_W[i];
      const bool turns = !w.isZero(0.0);
      EXPECT_LT((axis - (turns ? w : v)).norm(), 1e-15);
      const Vector3d across = v - v.dot(axis) * axis;  // of which a line through p_W has (p_W - p_WT) × axis
      if (turns) {
        EXPECT_LT(((axes.p_W - p_WT).cross(axis) - across).norm(), 1e-14);
      }
    }
  });
}

TEST(Joint, SamplesLieWithinTheirLimits) {
  ForEveryKind([](Trial trial) {
    for (int i = 0; i < 50; ++i) {
      trial.Visit([&](const auto& k) { k.Sample(trial.sampler, -0.2, 0.4, trial.q.data()); });
      const JointLimits limits = trial.LimitsAt(trial.q, -0.2, 0.4);
      for (const JointLimit& limit : limits) EXPECT_GE(limit.gap, -1e-15);  // rounding of a rotation
      if (trial.joint.has_quaternion()) {
        EXPECT_NEAR(QuaternionFromWxyz(trial.q.data() + trial.joint.traits().quaternion).norm(), 1.0, 1e-15);
      }
    }
  });
}

TEST(Joint, RefusesDataThatIsNotFinite) {
  ForEveryKind([](Trial trial) {
    EXPECT_EQ(trial.Visit([](const auto& k) { return k.FindFault(); }), "");
    std::visit(
        [](auto& k) {
          if constexpr (requires { k.p_BJ; }) {
            k.p_BJ.y() = std::numeric_limits<double>::quiet_NaN();
            EXPECT_NE(k.FindFault().find("finite"), std::string::npos);
          }
        },
        trial.joint.kind);
  });
}

}  // namespace
}  // namespace stiction::testing

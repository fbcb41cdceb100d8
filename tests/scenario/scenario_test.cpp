// Scenarios as plain data: what becomes of their names, without files and without a simulation.
#include "stiction/scenario/scenario.h"

#include <gtest/gtest.h>

namespace stiction {
namespace {

// A slide "cart" with a frame "tip", a motor on it and a mocap body, all of a model "m".
Model MakeCart() {
  ModelBuilder builder("cart");
  const int cart = builder.AddBody({.name = "m/cart", .parent = 0});
  builder.SetInertia(cart, {.mass = 2.0, .I_BBcm_B = Matrix3d::Identity()});
  const Joint slide{.name = "m/x", .kind = SlideJoint{.axis_B = Vector3d::UnitX()}};
  const int joint = builder.AddJoint(cart, slide);
  builder.AddFrame({.name = "m/tip", .body = cart, .X_BF = {}});
  Actuator motor{.name = "m/motor"};
  motor.joint = joint;
  builder.AddActuator(motor);
  Body handle{.name = "m/handle", .parent = 0};
  handle.is_mocap = true;
  builder.AddBody(handle);
  return builder.Build();
}

template <typename Call>
std::string FailureOf(const Call& call) {
  try {
    call();
  } catch (const LoadError& error) {
    return error.what();
  }
  return "";
}

TEST(Scenario, DescribesExpectations) {
  EXPECT_EQ(Describe(Expectation{
                .what = Quantity::kDrift, .of = "cup", .in = "hand", .from = 1.0, .min = {}, .max = {}}),
            "drift of cup in hand from 1 s");
  EXPECT_EQ(Describe(Expectation{.what = Quantity::kPosition,
                                 .of = "cup",
                                 .axis = Axis::kZ,
                                 .from = kScenarioEnd,
                                 .min = {},
                                 .max = {}}),
            "position of cup along z at the end");
  EXPECT_STREQ(ToString(Quantity::kEnergyDrift), "energy_drift");
  EXPECT_STREQ(UnitOf(Quantity::kLoop), "m or rad");
  EXPECT_STREQ(UnitOf(Quantity::kContacts), "");
}

TEST(Scenario, NamesOfExpectationsAndRecordsAreThoseOfTheModel) {
  const Model model = MakeCart();
  Scenario scenario;
  scenario.file = "pour.xml";
  scenario.expectations.push_back({.of = "m/cart", .in = "m/tip", .min = {}, .max = {}, .line = 4});
  EXPECT_EQ(FailureOf([&] { CheckNames(scenario, model); }), "");
  scenario.expectations[0].in = "m/tap";
  EXPECT_EQ(FailureOf([&] { CheckNames(scenario, model); }),
            "pour.xml:4: <expect>: there is no body or frame \"m/tap\"; known: m/cart, m/handle, m/tip");
  // The place of a model that moves is no body that is touched: the world would be meant. What is fixed is.
  Model fixed = model;
  fixed.frames.push_back({.name = "m", .body = 0, .X_BF = {}});
  scenario.expectations[0] = {.what = Quantity::kForce, .of = "m", .min = {}, .max = {}, .line = 5};
  EXPECT_EQ(
      FailureOf([&] { CheckNames(scenario, fixed); }),
      "pour.xml:5: <expect>: \"m\" is a place in the world, not a body that is touched; its bodies: m/cart, "
      "m/handle");
  fixed.frames.push_back({.name = "bolt", .body = 0, .X_BF = {}});
  for (const char* name : {"world", "bolt"}) {
    scenario.expectations[0].of = name;
    EXPECT_EQ(FailureOf([&] { CheckNames(scenario, fixed); }), "") << name;
  }
  scenario.expectations.clear();
  scenario.record = RecordOptions{.bodies = {"cup"}};
  scenario.record_line = 7;
  EXPECT_EQ(FailureOf([&] { CheckNames(scenario, model); }),
            "pour.xml:7: <record>: there is no body or frame \"cup\"; known: m/cart, m/handle, m/tip");
}

TEST(Scenario, ControllersFindTheirPlaceInAModelBuiltInCode) {
  const Model model = MakeCart();
  ControllerDescription pd{.type = ControllerType::kJointPd, .model = "m"};
  pd.kp = {5.0};
  pd.target.values = {0.25, 0.5};
  pd.target.times = {0.0, 1.0};
  ControllerDescription mocap{.type = ControllerType::kMocap, .of = "m/handle"};
  mocap.target.table = TrajectoryTable{
      .file = "way.csv", .columns = {"x", "y", "z"}, .times = {0.0}, .values = Vector3d(1.0, 2.0, 3.0)};
  const std::vector<ControllerTask> tasks = FindControllerTasks({pd, mocap}, model);
  EXPECT_EQ(tasks[0].joints, std::vector<int>{model.FindJoint("m/x")});
  EXPECT_EQ(tasks[0].kp, std::vector<double>{5.0});
  EXPECT_EQ(tasks[0].target.values, (MatrixXd(1, 2) << 0.25, 0.5).finished());
  EXPECT_EQ(tasks[1].mocap_address, 0);
  EXPECT_EQ(tasks[1].target.values.col(0).head<3>(), Vector3d(1.0, 2.0, 3.0));

  EXPECT_NE(FailureOf([&] { FindControllerTasks({mocap, mocap}, model); }), "");
  pd.joints = {"y"};
  pd.file = "pour.xml";
  pd.line = 3;
  EXPECT_EQ(FailureOf([&] { FindControllerTask(pd, model); }),
            "pour.xml:3: <controller type=\"joint_pd\">: there is no joint \"m/y\"; known: m/x");
}

TEST(TrajectoryTable, FindsColumnsByTitle) {
  const TrajectoryTable table{.columns = {"shoulder", "elbow"}};
  EXPECT_EQ(table.FindColumn("elbow"), 1);
  EXPECT_EQ(table.FindColumn("time"), -1);
}

}  // namespace
}  // namespace stiction

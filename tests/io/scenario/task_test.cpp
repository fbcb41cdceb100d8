#include "stiction/scenario/found_task.h"

#include "tests/io/scenario/scenario_file.h"

namespace stiction {
namespace {

// The arm's task, with `phases` on line 5; line 4 is its controllers'.
class TaskFile : public ScenarioFile {
 protected:
  static std::string Around(const std::string& phases, const std::string& controllers = kControllers) {
    return "<scenario>\n<model file='arm.xml'/><model file='cup.xml'/>\n<task name='pour' model='arm'>\n" +
           controllers + "\n" + phases + "\n</task></scenario>";
  }
  Task Find(const std::string& phases) const {
    const Scenario scenario = Load(Around(phases));
    return FindTask(scenario.tasks.at(0), BuildModel(scenario));
  }
  void ExpectRefused(const std::string& phases, const std::string& message) const {
    const std::string failure = Failure(Around(phases));
    EXPECT_TRUE(failure.starts_with("scenario.xml:5: ")) << phases << "\n" << failure;
    EXPECT_NE(failure.find(message), std::string::npos) << phases << "\n" << failure;
  }

  static constexpr const char* kControllers =
      "<controller name='joint' type='joint_pd' joints='hinge' kp='10'/>"
      "<controller name='hand' type='reach' of='tip' kp='5' compensation='gravity' carries='cup'/>";
};

TEST_F(TaskFile, ReadsPhasesMovesAndConditions) {
  const Task task = Find(R"(<phase name="down" hold="0.2" timeout="3">
      <move what="hand" to="1 2 3" euler="0 0 90" in="cup" duration="2" interpolation="linear"/>
      <until what="force" of="link" in="cup/handle" by="cup" axis="z" min="2"/>
      <until what="time" max="9"/></phase>
    <phase name="turn" back_to="down" times="4"><move what="hand" by="0 0 1" turn="0 0 540" in="link"/>
      <move what="joint" values="0.25" duration="1"/></phase>
    <phase name="home"><move what="joint" keyframe="home"/></phase>)");
  EXPECT_EQ(task.name, "pour");
  ASSERT_EQ(task.controllers.size(), 2u);
  EXPECT_EQ(task.controllers[0].joints, std::vector<int>{0});
  EXPECT_EQ(task.controllers[1].joints, std::vector<int>{0});
  EXPECT_EQ(task.controllers[1].carried.size(), 1u);
  ASSERT_EQ(task.phases.size(), 3u);
  const Phase& down = task.phases[0];
  EXPECT_EQ(down.hold, 0.2);
  EXPECT_EQ(down.timeout, 3.0);
  ASSERT_EQ(down.moves.size(), 1u);
  EXPECT_EQ(down.moves[0].controller, 1);
  EXPECT_EQ(*down.moves[0].to, Vector3d(1, 2, 3));
  EXPECT_LT((down.moves[0].rotation->col(0) - Vector3d::UnitY()).norm(), 1e-12);
  EXPECT_EQ(down.moves[0].duration, 2.0);
  EXPECT_EQ(down.moves[0].interpolation, Interpolation::kLinear);
  ASSERT_EQ(down.until.size(), 2u);
  EXPECT_EQ(down.until[0].description.what, Quantity::kForce);
  EXPECT_EQ(down.until[0].description.axis, Axis::kZ);
  EXPECT_EQ(down.until[0].by.body, down.moves[0].in.body);
  EXPECT_EQ(Describe(down.until[0].description, 1.5),
            "force of link in cup/handle by cup along z: 1.5 N, min 2");
  const Phase& turn = task.phases[1];
  EXPECT_EQ(turn.back_to, 0);
  EXPECT_EQ(turn.times, 4);
  EXPECT_NEAR(turn.moves[0].turn.z(), 3 * 3.14159265358979, 1e-12);
  EXPECT_EQ(turn.moves[1].values, std::vector<double>{0.25});
  EXPECT_EQ(task.phases[2].moves[0].values, std::vector<double>{0.5});
}

TEST_F(TaskFile, RefusesWhatCannotBeDone) {
  ExpectRefused("<phase name='a'><move what='leg' values='1'/></phase>", "known: joint, hand");
  ExpectRefused("<phase name='a'><move what='hand' values='1'/></phase>", "give to, or by and turn");
  ExpectRefused("<phase name='a'><move what='hand' to='1 2 3' by='0 0 1'/></phase>", "keep one");
  ExpectRefused("<phase name='a'><move what='hand'/></phase>", "goes nowhere");
  ExpectRefused("<phase name='a'><move what='hand' to='1 2 3' in='moon'/></phase>", "\"moon\"");
  ExpectRefused("<phase name='a'><move what='joint' by='0 0 1'/></phase>", "has no pose");
  ExpectRefused("<phase name='a'><move what='joint' values='1 2'/></phase>", "2 values for the 1");
  ExpectRefused("<phase name='a'><move what='joint' keyframe='noon'/></phase>", "arm/noon");
  ExpectRefused("<phase name='a'><move what='joint' values='1' duration='-1'/></phase>",
                "must not be negative");
  ExpectRefused("<phase name='a'><move what='joint' values='1'/><move what='joint' values='2'/></phase>",
                "make it two phases");
  ExpectRefused("<phase name='a'/>", "neither moves anything nor waits");
  ExpectRefused("<phase name='a' timeout='0'><until what='time' min='1'/></phase>", "must be positive");
  ExpectRefused("<phase name='a' back_to='b' times='1'><until what='time' min='1'/></phase>", "before it");
  ExpectRefused("<phase name='a' back_to='a'><until what='time' min='1'/></phase>", "how many");
  ExpectRefused("<phase name='a' times='2'><until what='time' min='1'/></phase>", "back_to");
  ExpectRefused("<phase name='a'><until what='ncp' max='1'/></phase>", "time");
  ExpectRefused("<phase name='a'><until what='time' of='link' max='1'/></phase>", "of no body");
  ExpectRefused("<phase name='a'><until what='speed' max='1'/></phase>", "needs an \"of\"");
  ExpectRefused("<phase name='a'><until what='speed' of='link'/></phase>", "give min, max or both");
  ExpectRefused("<phase name='a'><until what='speed' of='link' by='cup' max='1'/></phase>",
                "only force and contacts");
  ExpectRefused(
      "<phase name='a'><until what='time' min='1'/></phase><phase name='a'><until what='time' "
      "min='1'/></phase>",
      "stands twice");
  ExpectRefused("<phase name='a'><expect/></phase>", "known: move, until");
  ExpectRefused("<phase><until what='time' min='1'/></phase>", "name");
}

TEST_F(TaskFile, RefusesControllersThatCannotBeLed) {
  const auto failure = [&](const std::string& controllers) {
    return Failure(Around("<phase name='a'><until what='time' min='1'/></phase>", controllers));
  };
  const auto expect = [&](const std::string& controllers, const std::string& message) {
    EXPECT_NE(failure(controllers).find(message), std::string::npos) << controllers << "\n"
                                                                     << failure(controllers);
  };
  expect("<controller type='joint_pd' kp='1'/>", "name");
  expect("<controller name='a' type='wrench' of='link' force='1 0 0'/>", "outside of the task");
  expect("<controller name='a' type='joint_pd' kp='1' values='1' times='0'/>", "remove its target");
  expect("<controller name='a' type='grip'/>", "list those that close");
  expect("<controller name='a' type='grip' joints='hinge' speed='0'/>", "must be positive");
  expect("<controller name='a' type='reach' of='tip' kp='1' carries='cup'/>", "compensation");
  expect("<controller name='a' type='joint_pd' kp='1'/><controller name='a' type='joint_pd' kp='1'/>",
         "twice");
  EXPECT_NE(Failure(Around("")).find("has no phases"), std::string::npos);
  // Outside of tasks nobody moves a controller by its name.
  EXPECT_NE(FailureWith("<controller name='a' type='joint_pd' kp='1'/>").find("only a task"),
            std::string::npos);
}

}  // namespace
}  // namespace stiction

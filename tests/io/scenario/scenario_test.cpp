#include "stiction/io/scenario.h"

#include <algorithm>
#include <numbers>

#include "stiction/io/load.h"
#include "tests/io/scenario/scenario_file.h"

namespace stiction {
namespace {

TEST_F(ScenarioFile, ReadsEveryAttribute) {
  ImportReport report;
  const Scenario s = Load(
      R"(<scenario name="pour" duration="3" timestep="0.004" solver="canal" budget="1e-9+1e-6v" solver_budget_us="500" solver_budget_iterations="20"
      gravity="0 0 -1.6" sleep="true" sleep_tolerance="1e-3" sleep_time="0.25"><option name="tolerance" value="1e-11"/><ground z="0.25" friction="0.4"/>
    <model file="cup.xml" name="mug" pos="1 2 3" euler="0 0 90" base="fixed" keyframe="tipped"/>
    <record bodies="mug/cup mug/handle" contacts="true" energy="true" sensors="true" every="5"/>
    <expect what="speed" of="mug/cup" in="mug" axis="y" from="1" to="2.5" min="-1" max="1e-4"/></scenario>)",
      &report);
  EXPECT_EQ(s.name, "pour");
  EXPECT_EQ(s.duration, 3.0);
  EXPECT_EQ(s.timestep, 0.004);
  EXPECT_EQ(s.solver, "canal");
  EXPECT_EQ(s.budget, Budget(1e-9, 1e-6));
  EXPECT_EQ(s.solver_budget, (SolverBudget{.seconds = 5e-4, .iterations = 20}));
  EXPECT_EQ(s.gravity, Vector3d(0, 0, -1.6));
  const Options options = BuildModel(s).options;
  EXPECT_TRUE(options.sleep);
  EXPECT_EQ(options.sleep_tolerance, 1e-3);
  EXPECT_EQ(options.sleep_time, 0.25);
  EXPECT_EQ(s.solver_options, (decltype(s.solver_options){{"tolerance", "1e-11"}}));
  EXPECT_EQ(s.ground->z, 0.25);
  EXPECT_EQ(s.ground->friction, 0.4);
  EXPECT_EQ(s.models.at(0).name, "mug");
  EXPECT_EQ(s.models[0].X_WM.p, Vector3d(1, 2, 3));
  EXPECT_LE((s.models[0].X_WM.R.col(0) - Vector3d::UnitY()).norm(), 1e-15);  // degrees
  EXPECT_EQ(s.models[0].base, ModelBase::kFixed);
  EXPECT_EQ(s.models[0].keyframe, "tipped");
  EXPECT_EQ(s.record->bodies, (std::vector<std::string>{"mug/cup", "mug/handle"}));
  EXPECT_TRUE(s.record->contacts && s.record->energy && s.record->sensors && !s.record->all_bodies);
  EXPECT_EQ(s.record->every, 5);
  const Expectation& e = s.expectations.at(0);
  EXPECT_EQ(e.what, Quantity::kSpeed);
  EXPECT_EQ(e.of + " " + e.in, "mug/cup mug");
  EXPECT_EQ(e.axis, Axis::kY);
  EXPECT_EQ(e.from, 1.0);
  EXPECT_EQ(e.to, 2.5);
  EXPECT_EQ(e.min, -1.0);
  EXPECT_EQ(e.max, 1e-4);
  EXPECT_EQ(e.line, 5);
  EXPECT_EQ(Describe(e), "speed of mug/cup in mug along y from 1 s to 2.5 s");
  for (const ImportItem& item : report.items)
    EXPECT_EQ(item.status, ImportStatus::kHonoured) << Describe(item);
}

TEST_F(ScenarioFile, DefaultsAreThoseOfTheProgram) {
  const Scenario s =
      LoadWith("<expect what='position' of='cup' at='end' min='0'/><expect what='ncp' max='1'/>");
  EXPECT_EQ(s.name, "scenario");
  EXPECT_EQ(s.models[0].name, "cup");
  EXPECT_EQ(s.duration, 5.0);
  EXPECT_EQ(s.timestep, 0.002);
  EXPECT_EQ(s.solver, "auto");
  EXPECT_FALSE(s.budget || s.ground || s.record);
  EXPECT_TRUE(s.solver_budget.is_none());
  EXPECT_EQ(s.expectations[0].from, kScenarioEnd);
  EXPECT_EQ(s.expectations[0].to, kScenarioEnd);
  EXPECT_EQ(Describe(s.expectations[0]), "position of cup at the end");
  EXPECT_EQ(s.expectations[1].from, 0.0);
  EXPECT_EQ(s.expectations[1].to, kScenarioEnd);
}

TEST_F(ScenarioFile, WhatIsNotKnownIsAnError) {
  ExpectFailure("<expect what='ncp' maks='1'/>", "<expect>: unknown attribute \"maks\"; known: what, of");
  ExpectFailure(
      "<light/>",
      "<light>: unknown element; known: option, contact, ground, model, controller, task, record, expect");
  ExpectFailure("<ground><expect what='ncp' max='1'/></ground>", "<expect>: cannot stand here");
  ExpectFailure("<ground/><ground/>", "<ground>: stands twice");
  ExpectFailure("<ground>z=0</ground>", "<ground>: holds text");
}

TEST_F(ScenarioFile, RefusesNumbersOutOfRange) {
  for (const char* attribute :
       {"duration='-1'", "duration='0'", "timestep='0'", "budget='0'", "budget='1e-8+1e-6'",
        "solver_budget_us='-1'", "solver_budget_iterations='-1'", "solver_budget_iterations='1.5'",
        "duration='nan'", "timestep='-0.002'", "duration='1e300'", "timestep='1e300'"}) {
    const std::string failure =
        Failure("<scenario\n" + std::string(attribute) + "><model file='cup.xml'/></scenario>");
    EXPECT_TRUE(failure.starts_with("scenario.xml:2: <scenario>: ")) << attribute << ": " << failure;
  }
  ExpectFailure("<ground friction='-1'/>", "<ground>: the friction");
  ExpectFailure("<record every='0'/>", "<record>: every");
  ExpectFailure("<expect what='ncp' max='1' at='5.1'/>", "<expect>: at=\"5.1\" lies outside");
  ExpectFailure("<expect what='ncp' max='1' from='-1'/>", "<expect>: from=\"-1\" lies outside");
  ExpectFailure("<expect what='ncp' max='1' from='2' to='1'/>", "<expect>: from is later");
  ExpectFailure("<expect what='ncp' max='1' min='2'/>", "<expect>: min is above max");
}

TEST_F(ScenarioFile, RefusesExpectationsThatMeanNothing) {
  ExpectFailure("<expect max='1'/>", "<expect>: needs the attribute \"what\"");
  ExpectFailure("<expect what='beauty' max='1'/>",
                "<expect>: what is \"beauty\"; it must be one of position");
  ExpectFailure("<expect what='ncp'/>", "<expect>: expects nothing; give min, max");
  ExpectFailure("<expect what='drift' max='1'/>", "<expect>: needs the attribute \"of\"");
  ExpectFailure("<expect what='drift' of='cup' at='1' max='1'/>", "<expect>: a drift is over a time");
  ExpectFailure("<expect what='energy_drift' from='end' max='1'/>", "<expect>: from and to are the same");
  ExpectFailure("<expect what='ncp' of='cup' max='1'/>", "<expect>: ncp concerns the whole scene");
  ExpectFailure("<expect what='penetration' of='cup' axis='x' max='1'/>", "<expect>: penetration takes no");
  ExpectFailure("<expect what='speed' axis='x' max='1'/>", "<expect>: in and axis need");
  ExpectFailure("<expect what='ncp' at='end' to='end' max='1'/>", "<expect>: gives both at");
  ExpectFailure("<expect what='position' of='cup' axis='w' max='1'/>", "<expect>: axis is \"w\"");
}

TEST_F(ScenarioFile, NamesWhatDoesNotExist) {
  EXPECT_TRUE(Failure("<scenario/>").starts_with("scenario.xml:1: <scenario>: holds no model"));
  EXPECT_NE(Failure("<scenario solver='magic'><model file='cup.xml'/></scenario>").find("known: auto, canal"),
            std::string::npos);
  ExpectFailure("<option name='colour' value='red'/>", "<option name=\"colour\">: ");
  ExpectFailure("<model file='nothing.xml'/>", "<model>: no such file: ");
  ExpectFailure("<model file='../../../../etc/passwd'/>", "<model>: \"../../../../etc/passwd\" lies outside");
  ExpectFailure("<model file='cup.xml'/>", "<model>: the model on line 2 has the name \"cup\" already");
  ExpectFailure("<model file='arm.xml' keyframe='up'/>",
                "<model name=\"arm\">: there is no keyframe \"up\" in");
  ExpectFailure("<model file='arm.xml' name='a/b'/>", "<model name=\"a/b\">: a model needs a name");
  ExpectFailure("<expect what='drift' of='saucer' max='1'/>",
                "<expect>: there is no body or frame \"saucer\"; known: cup/cup, cup/handle, cup");
  ExpectFailure("<expect what='drift' of='cup' in='table' max='1'/>", "<expect>: there is no body or frame");
  ExpectFailure("<record bodies='cup/cup saucer'/>", "<record>: there is no body or frame \"saucer\"");
}

TEST_F(ScenarioFile, FluidIsThatOfTheScenario) {
  const Model model = BuildModel(
      Load("<scenario density='1000' viscosity='0.001' wind='0.1 0 0'><model file='cup.xml'/></scenario>"));
  EXPECT_EQ(model.options.density, 1000.0);
  EXPECT_EQ(model.options.viscosity, 0.001);
  EXPECT_EQ(model.options.wind, Vector3d(0.1, 0, 0));
}

TEST_F(ScenarioFile, ContactModelIsThatOfAllModels) {
  const auto model_with = [&](const std::string& contact) {
    return BuildModel(Load("<scenario>" + contact + "<ground/><model file='cup.xml'/></scenario>"));
  };
  EXPECT_EQ(model_with("").options.contact_model, ContactModel::kRigid);
  EXPECT_EQ(model_with("<contact model='soft'/>").options.contact_model, ContactModel::kSoft);
  const Model model = model_with("<contact model='compliant' stiffness='1e4' dissipation_time='0.02'/>");
  EXPECT_EQ(model.options.contact_model, ContactModel::kCompliant);
  ASSERT_GE(model.num_geoms(), 2);
  EXPECT_DOUBLE_EQ(CalcPairStiffness(model.geoms[0], model.geoms[1]), 1e4);
  EXPECT_DOUBLE_EQ(CalcPairDissipation(model.geoms[0], model.geoms[1]), 0.02);
  ExpectFailure("<contact model='soft' stiffness='1'/>", "<contact>: only model=\"compliant\" has one");
  ExpectFailure("<contact model='compliant' stiffness='0'/>", "<contact>: stiffness must be positive");
  ExpectFailure("<contact model='compliant'/>", "<contact>: needs the attribute \"stiffness\"");
  ExpectFailure("<contact model='hard'/>", "<contact>: model is \"hard\"; it must be one of");
}

TEST_F(ScenarioFile, BuildsOneModelOfAll) {
  ImportReport report;
  const Model model = BuildModel(
      Load(R"(<scenario name="pair" timestep="0.004" gravity="0 0 -1"><ground z="-1" friction="0.3"/>
    <model file="arm.xml" pos="0 0 2" keyframe="home"/><model file="cup.xml" pos="5 0 0" base="floating"/>
    <model file="rover.urdf" pos="0 7 0" base="floating"/></scenario>)"),
      &report);
  EXPECT_EQ(model.name, "pair");
  EXPECT_EQ(model.options.timestep, 0.004);
  EXPECT_EQ(model.options.gravity, Vector3d(0, 0, -1));
  EXPECT_EQ(model.geoms[model.FindGeom("ground")].X_BG.p.z(), -1.0);
  EXPECT_EQ(model.geoms[model.FindGeom("ground")].friction, 0.3);
  EXPECT_EQ(model.nq(), 1 + 7 + 7 + 1);
  EXPECT_EQ(model.q0.segment<3>(1), Vector3d(5, 0, 0.1));
  EXPECT_EQ(model.bodies[model.FindBody("arm/post")].X_PB.p, Vector3d(0, 0, 2));
  EXPECT_EQ(model.q0.segment<3>(8), Vector3d(0, 7, 0));
  EXPECT_EQ(model.bodies[model.FindBody("rover/hull")].inertia.mass, 2.0);
  // The cup's file wants another timestep.
  const auto overridden = std::count_if(report.items.begin(), report.items.end(), [](const ImportItem& item) {
    return item.why == "the scenario's timestep is used" && item.status == ImportStatus::kApproximated;
  });
  EXPECT_EQ(overridden, 1);
}

TEST_F(ScenarioFile, NeighboursDoNotCollideWhateverAFileSays) {
  Write(
      "links.xml",
      "<mujoco><option><flag filterparent='disable'/></option><worldbody><body><freejoint/><geom size='.1'/>"
      "<body><joint/><geom size='.1'/></body></body></worldbody></mujoco>");
  ImportReport report;
  const Model model = BuildModel(Load(R"(<scenario><model file="links.xml"/></scenario>)"), &report);
  EXPECT_TRUE(model.options.filter_parent);
  const auto told = std::count_if(report.items.begin(), report.items.end(), [](const ImportItem& item) {
    return item.item == "flag[@filterparent]" && item.status == ImportStatus::kApproximated;
  });
  EXPECT_EQ(told, 1);
}

TEST_F(ScenarioFile, PassesVisualsOnToItsModels) {
  Write("sled.urdf",
        "<robot name='sled'><link name='a'><visual><geometry><sphere radius='1'/></geometry></visual>"
        "</link></robot>");
  Scenario scenario = Load(R"(<scenario><model file="sled.urdf" name="left" pos="0 0 2"/>
    <model file="sled.urdf" name="right" pos="5 0 0"/></scenario>)");
  EXPECT_TRUE(BuildModel(scenario).visuals.empty());
  scenario.visuals = true;
  const Model model = BuildModel(scenario);
  ASSERT_EQ(model.visuals.size(), 2u);
  EXPECT_EQ(model.visuals[0].X_BV.p, Vector3d(0, 0, 2));
  EXPECT_EQ(model.visuals[1].X_BV.p, Vector3d(5, 0, 0));
}

TEST_F(ScenarioFile, AModelsNameIsItsBase) {
  const Model model =
      BuildModel(Load(R"(<scenario><model file="arm.xml" pos="0 0 2"/><model file="cup.xml" pos="5 0 0"/>
    <model file="rover.urdf" pos="0 7 0"/></scenario>)"));
  EXPECT_EQ(model.FindBodyOrFrame("cup").body, model.FindBody("cup/cup"));
  EXPECT_EQ(model.FindBodyOrFrame("arm").body, model.FindBody("arm/post"));
  EXPECT_EQ(model.FindBodyOrFrame("rover").body, 0);  // its root link is part of the world
  EXPECT_EQ(model.FindBodyOrFrame("rover").X_BF.p, Vector3d(0, 7, 0));
  EXPECT_EQ(model.FindBodyOrFrame("rover/hull").X_BF.p, Vector3d(0, 7, 0));
  EXPECT_EQ(model.FindBodyOrFrame("nothing").body, -1);
}

TEST_F(ScenarioFile, KeyframesAreChosenModelByModel) {
  const Model model = BuildModel(Load(
      R"(<scenario><model file="arm.xml" keyframe="home"/><model file="cup.xml" pos="5 0 0" euler="0 0 90"/>
    <model file="arm.xml" name="other" pos="0 3 0" keyframe="away"/></scenario>)"));
  const Keyframe& start = model.keyframes.at(0);
  EXPECT_EQ(start.name, kStartKeyframe);
  EXPECT_EQ(start.q[0], 0.5);
  EXPECT_EQ(start.q[8], -0.5);
  EXPECT_EQ(start.q.segment<7>(1), model.q0.segment<7>(1));
  EXPECT_EQ(start.ctrl, Eigen::Vector2d(0.6, 0.0));
  // A part's own keyframe changes that part alone.
  const Keyframe& tipped = *model.FindKeyframe("cup/tipped");
  EXPECT_LE((tipped.q.segment<3>(1) - Vector3d(5, 1, 0)).norm(), 1e-15);
  EXPECT_EQ(tipped.q[0], 0.5);
  EXPECT_EQ(tipped.q[8], -0.5);
  EXPECT_EQ(tipped.ctrl, start.ctrl);
  EXPECT_EQ(model.FindKeyframe("arm/away")->q[0], -0.5);
  EXPECT_EQ(model.FindKeyframe("arm/away")->q[8], -0.5);
  EXPECT_EQ(model.FindKeyframe("other/home")->q[8], 0.5);
}

constexpr const char* kMachine = R"(<mujoco model="machine"><worldbody>
    <body name="table"><joint name="x" type="slide" axis="1 0 0"/><geom type="sphere" size="0.1"/>
      <body name="head"><joint name="y" type="slide" axis="0 1 0"/><geom type="sphere" size="0.1"/>
        <body name="ball"><joint name="b" type="ball"/><geom type="sphere" size="0.1"/>
          <site name="tip" pos="0 0 0.5"/></body></body></body>
    <body name="handle" mocap="true" pos="0 0 1"/></worldbody>
  <actuator><motor name="mx" joint="x"/><motor name="my" joint="y"/><motor name="my2" joint="y"/></actuator>
  <keyframe><key name="a" qpos="1 2 1 0 0 0" ctrl="3 4 5"/><key name="b" qpos="-1 -2 1 0 0 0"/></keyframe>
</mujoco>)";

class ScenarioController : public ScenarioFile {
 protected:
  ScenarioController() { Write("machine.xml", kMachine); }

  // The controllers of a scenario with a machine "m" at x = 10 m and a cup.
  std::vector<ControllerTask> Find(const std::string& elements) const {
    const Scenario scenario = Load("<scenario>\n<model file='machine.xml' name='m' pos='10 0 0'/>\n" +
                                   elements + "\n<model file='cup.xml'/></scenario>");
    return FindControllerTasks(scenario.controllers, BuildModel(scenario));
  }
  ControllerTask FindOne(const std::string& element) const { return Find(element).at(0); }
  void ExpectRefused(const std::string& elements, const std::string& start) const {
    const std::string failure = Failure("<scenario>\n<model file='machine.xml' name='m'/>\n" + elements +
                                        "\n<model file='cup.xml'/></scenario>");
    EXPECT_TRUE(failure.starts_with("scenario.xml:3: <controller" + start)) << elements << "\n" << failure;
  }
};

TEST_F(ScenarioController, ReadsJointPd) {
  Write("way.csv", "time, y, m/x\n0, 1, 2\n1, 3, 4\n");
  const ControllerTask task = FindOne(R"(<controller type="joint_pd" model="m" joints="x y" kp="5" kd="1 2"
      effort="7" compensation="bias" target="way.csv" interpolation="cubic"/>)");
  const ControllerDescription& d = task.description;
  EXPECT_EQ(d.type, ControllerType::kJointPd);
  EXPECT_EQ(d.compensation, Compensation::kBias);
  EXPECT_EQ(d.line, 3);
  EXPECT_EQ(task.joints, (std::vector<int>{0, 1}));
  EXPECT_EQ(task.kp, (std::vector<double>{5, 5}));
  EXPECT_EQ(task.kd, (std::vector<double>{1, 2}));
  EXPECT_EQ(task.effort, (std::vector<double>{7, 7}));
  EXPECT_EQ(task.target.interpolation, Interpolation::kCubic);
  EXPECT_EQ(task.target.times, (std::vector<double>{0, 1}));
  EXPECT_EQ(task.target.values, (MatrixXd(2, 2) << 2, 4, 1, 3).finished());  // in the order of the joints
  // Without a list the columns are the joints.
  EXPECT_EQ(FindOne("<controller type='joint_pd' model='m' kp='1' target='way.csv'/>").joints,
            (std::vector<int>{1, 0}));
}

TEST_F(ScenarioController, ReadsKeyframesAndValues) {
  const ControllerTask key = FindOne(
      "<controller type='joint_pd' model='m' kp='1' keyframes='b a' times='0.5 2' interpolation='hold'/>");
  EXPECT_EQ(key.joints, (std::vector<int>{0, 1}));  // all hinges and slides
  EXPECT_EQ(key.target.times, (std::vector<double>{0.5, 2}));
  EXPECT_EQ(key.target.values, (MatrixXd(2, 2) << -1, 1, -2, 2).finished());
  const ControllerTask values =
      FindOne("<controller type='joint_pd' model='m' joints='y' kd='1' values='1 2 3' times='0 1 2'/>");
  EXPECT_EQ(values.target.values, (MatrixXd(1, 3) << 1, 2, 3).finished());
  const ControllerTask none = FindOne("<controller type='joint_pd' model='m' kp='1'/>");
  EXPECT_EQ(none.target.values, (MatrixXd(2, 1) << 0, 0).finished());  // where it starts
  const ControllerTask ctrl =
      FindOne("<controller type='ctrl' model='m' keyframes='a b' times='0 1' actuators='my2 x'/>");
  EXPECT_EQ(ctrl.actuators, (std::vector<int>{2, 0}));  // a joint with one actuator stands for it
  EXPECT_EQ(ctrl.target.values, (MatrixXd(2, 2) << 5, 0, 3, 0).finished());
}

TEST_F(ScenarioController, ReadsPoseWrenchAndMocap) {
  Write("pose.csv", "time,x,y,z,qw,qx,qy,qz\n0,1,2,3,1,0,0,0\n");
  const auto tasks =
      Find(R"(<controller type="pose" model="m" of="tip" joints="y" stiffness="100" damping="1 2 3"
      rotational_stiffness="4" rotational_damping="5" nullspace_damping="6" max_force="7" max_torque="8"
      compensation="gravity" target="pose.csv"/>
    <controller type="wrench" of="cup/handle" force="1 2 3" torque="4 5 6" point="7 8 9" axes="body" from="0.5"
      to="1"/>
    <controller type="mocap" of="m/handle" values="1 2 3" times="0"/>)");
  const ControllerDescription& pose = tasks.at(0).description;
  EXPECT_EQ(tasks[0].frame.X_BF.p, Vector3d(0, 0, 0.5));
  EXPECT_EQ(tasks[0].joints, std::vector<int>{1});
  EXPECT_EQ(pose.stiffness, Vector3d::Constant(100));
  EXPECT_EQ(pose.damping, Vector3d(1, 2, 3));
  EXPECT_EQ(pose.rotational_stiffness, Vector3d::Constant(4));
  EXPECT_EQ(pose.rotational_damping, Vector3d::Constant(5));
  EXPECT_EQ(pose.nullspace_damping, 6);
  EXPECT_EQ(pose.max_force, 7);
  EXPECT_EQ(pose.max_torque, 8);
  EXPECT_EQ(tasks[0].target.values.col(0).head<3>(), Vector3d(1, 2, 3));
  const ControllerDescription& wrench = tasks.at(1).description;
  EXPECT_EQ(wrench.force, Vector3d(1, 2, 3));
  EXPECT_EQ(wrench.torque, Vector3d(4, 5, 6));
  EXPECT_EQ(wrench.point, Vector3d(7, 8, 9));
  EXPECT_TRUE(wrench.in_body_axes);
  EXPECT_EQ(wrench.from, 0.5);
  EXPECT_EQ(wrench.to, 1.0);
  EXPECT_EQ(tasks.at(2).mocap_address, 0);
  EXPECT_EQ(tasks[2].target.values.col(0), (VectorXd(7) << 1, 2, 3, 1, 0, 0, 0).finished());
}

TEST_F(ScenarioController, RefusesAttributesThatMeanNothing) {
  ExpectRefused("<controller/>", ">: needs the attribute \"type\"");
  ExpectRefused("<controller type='magic'/>", ">: type is \"magic\"; it must be one of joint_pd, ctrl, pose");
  ExpectRefused("<controller type='wrench' of='cup' kp='1' force='1 0 0'/>",
                ">: \"kp\" means nothing for type=\"wrench\", which takes of, force, torque");
  ExpectRefused("<controller type='joint_pd' gain='1'/>",
                ">: unknown attribute \"gain\"; known: type, model");
  ExpectRefused("<controller type='joint_pd' model='m'/>", ">: exerts nothing; give kp, kd");
  ExpectRefused("<controller type='joint_pd' model='n' kp='1'/>",
                ">: there is no model \"n\"; known: cup, m");
  ExpectRefused("<controller type='joint_pd' model='m' kp='1' times='0'/>", ">: times belong to keyframes");
  ExpectRefused("<controller type='joint_pd' model='m' kp='1' interpolation='hold'/>",
                ">: there is no target");
  ExpectRefused("<controller type='wrench' of='cup'/>", ">: has neither force nor torque");
  ExpectRefused("<controller type='wrench' of='cup' torque='1 0 0' point='0 0 0'/>", ">: a torque acts");
  ExpectRefused("<controller type='wrench' force='1 0 0'/>", ">: needs the attribute \"of\"");
  ExpectRefused("<controller type='joint_pd' model='m' kp='1' values='1 1' times='0' keyframes='a'/>",
                ">: has several targets");
  ExpectRefused("<controller type='joint_pd' model='m' kp='1' values='1 1 2 2' times='1 1'/>",
                ">: the times have to ascend");
  ExpectRefused("<controller type='pose' of='m/tip' stiffness='-1' values='0 0 0' times='0'/>",
                ">: stiffness must not be negative");
}

TEST_F(ScenarioController, NamesWhatDoesNotExist) {
  const std::string pd = " type=\"joint_pd\">: ";
  ExpectRefused("<controller type='joint_pd' model='m' joints='z' kp='1'/>",
                pd + "there is no joint \"m/z\"; known: m/x, m/y, m/b, cup/free");
  ExpectRefused("<controller type='joint_pd' model='m' joints='b' kp='1'/>", pd + "joint \"m/b\" is a ball");
  ExpectRefused("<controller type='joint_pd' model='m' joints='x x' kp='1'/>", pd + "\"x\" stands twice");
  ExpectRefused("<controller type='joint_pd' model='cup' kp='1'/>",
                pd + "there is no joint of one coordinate");
  ExpectRefused("<controller type='joint_pd' model='m' kp='1 2 3'/>", pd + "kp has 3 numbers for 2 joints");
  ExpectRefused("<controller type='joint_pd' model='m' kp='-1'/>", pd + "kp must not be negative");
  ExpectRefused("<controller type='joint_pd' model='m' kp='1' effort='0'/>", pd + "effort must be positive");
  ExpectRefused("<controller type='joint_pd' model='m' kp='1' keyframes='c' times='0'/>",
                pd + "there is no keyframe \"m/c\"; known: start, m/a, m/b");
  ExpectRefused("<controller type='joint_pd' model='m' kp='1' keyframes='a b' times='0'/>",
                pd + "has 2 keyframes and 1 times");
  ExpectRefused("<controller type='joint_pd' model='m' kp='1' values='1 2 3' times='0 1'/>",
                pd + "has 3 values for 2 times of 2 numbers");
  const std::string ctrl = " type=\"ctrl\">: ";
  ExpectRefused("<controller type='ctrl' model='m'/>", ctrl + "has no target; give target");
  ExpectRefused("<controller type='ctrl' model='m' actuators='y' values='1' times='0'/>",
                ctrl + "joint \"m/y\" has several actuators");
  ExpectRefused("<controller type='ctrl' model='m' actuators='q' values='1' times='0'/>",
                ctrl + "there is no actuator \"m/q\"");
  ExpectRefused("<controller type='wrench' of='saucer' force='1 0 0'/>",
                " type=\"wrench\">: there is no body or frame \"saucer\"");
  ExpectRefused("<controller type='wrench' of='m/handle' force='1 0 0'/>",
                " type=\"wrench\">: body \"m/handle\" cannot move");
  ExpectRefused("<controller type='wrench' of='cup' force='1 0 0' from='2' to='1'/>",
                " type=\"wrench\">: ends before it begins");
  ExpectRefused("<controller type='mocap' of='cup' values='0 0 0' times='0'/>",
                " type=\"mocap\">: \"cup\" is no mocap body");
  ExpectRefused("<controller type='pose' of='m/tip' values='0 0 0 0 0 0 0' times='0'/>",
                " type=\"pose\">: a quaternion of its target is zero");
  ExpectRefused("<controller type='pose' of='m/tip' rotational_damping='1' values='0 0 0' times='0'/>",
                " type=\"pose\">: its target has no rotation");
  ExpectRefused("<controller type='pose' of='cup' values='0 0 0' times='0'/>",
                " type=\"pose\">: no joint of one coordinate moves \"cup\"");
  ExpectRefused("<controller type='equality' of='gear' values='0' times='0'/>",
                " type=\"equality\">: there is no equality \"gear\"; there is none");
}

TEST_F(ScenarioController, RefusesTwoThatSetTheSame) {
  const std::string twice = "<controller type='mocap' of='m/handle' values='0 0 0' times='0'/>";
  ExpectRefused(twice + twice, " type=\"mocap\">: \"m/handle\" is set by a controller above");
  const std::string pd = "<controller type='joint_pd' model='m' kp='1'/>";
  EXPECT_EQ(Find(pd + pd).size(), 2u);  // forces add up
}

TEST_F(ScenarioController, TellsTheLineOfTheTable) {
  Write("bad.csv", "time,x\n0,1\n1,far\n");
  Write("other.csv", "time,z\n0,1\n");
  const auto failure = [&](const std::string& element) {
    return Failure("<scenario><model file='machine.xml' name='m'/>" + element + "</scenario>");
  };
  const std::string start = "<controller type='joint_pd' model='m' kp='1' ";
  EXPECT_EQ(failure(start + "target='bad.csv'/>"),
            "bad.csv:3: \"far\" in the column \"x\" is not a finite number");
  EXPECT_NE(failure(start + "target='other.csv'/>").find("there is no joint \"m/z\""), std::string::npos);
  EXPECT_NE(failure(start + "joints='x' target='other.csv'/>").find("other.csv has no column \"x\""),
            std::string::npos);
  EXPECT_NE(failure(start + "target='none.csv'/>").find("no such file"), std::string::npos);
  EXPECT_NE(failure(start + "target='../../../../etc/passwd'/>").find("lies outside"), std::string::npos);
}

TEST_F(ScenarioFile, IsToldByItsRootElement) {
  EXPECT_TRUE(IsScenario(Write("a.xml", "<?xml version='1.0'?>\n<!-- <mujoco> -->\n<scenario name='a'>")));
  EXPECT_TRUE(IsScenario(Write("b.xml", "<scenario>")));
  EXPECT_FALSE(IsScenario(Write("c.xml", "<!-- <scenario> --><mujoco/>")));
  EXPECT_FALSE(IsScenario(Write("d.xml", "<scenarios/>")));
  EXPECT_FALSE(IsScenario(Write("e.xml", "")));
  EXPECT_FALSE(IsScenario(Write("f.xml", "<!-- open")));
  EXPECT_FALSE(IsScenario("nowhere.xml"));
  EXPECT_FALSE(IsScenario(::testing::TempDir()));
  try {
    LoadModel(Write("g.xml", "\n<scenario/>"));
    ADD_FAILURE() << "a scenario was loaded as a model";
  } catch (const LoadError& error) {
    EXPECT_NE(std::string(error.what()).find("g.xml:2: <scenario>: a scenario, not a model"),
              std::string::npos);
  }
}

}  // namespace
}  // namespace stiction

#include "stiction/model/model_builder.h"

#include <gtest/gtest.h>

#include <functional>

#include "stiction/math/rotation.h"
#include "tests/support/random_model.h"

namespace stiction::testing {
namespace {

using Kind = ModelError::Kind;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

const MassProperties kBallInertia = CalcSolidMassProperties(Sphere{0.1}, 1.0);

// A body with mass on a hinge, or on the given joint.
int AddLink(ModelBuilder& builder, const std::string& name, int parent, const Joint& joint = {}) {
  const int b = builder.AddBody({.name = name, .parent = parent});
  builder.SetInertia(b, kBallInertia);
  builder.AddJoint(b, joint);
  return b;
}

TEST(ModelBuilder, SortsBodiesDepthFirstWithChildrenInTheirOrder) {
  ModelBuilder builder;
  const int a = AddLink(builder, "a", 0, {.name = "ja"});
  const int b = AddLink(builder, "b", 0, {.name = "jb"});
  const int a1 = AddLink(builder, "a1", a, {.name = "ja1"});
  const int b1 = AddLink(builder, "b1", b, {.name = "jb1"});
  const int a2 = AddLink(builder, "a2", a, {.name = "ja2"});
  builder.AddJoint(a, {.name = "late"});
  const int shape = builder.AddGeom({.name = "on a1", .body = a1, .shape = Sphere{1.0}});
  const int ground = builder.AddGeom({.name = "ground", .body = 0, .shape = Plane{}});
  const Model model = builder.Build();
  const char* expected[] = {"world", "a", "a1", "a2", "b", "b1"};
  for (int i = 0; i < 6; ++i) EXPECT_EQ(model.bodies[i].name, expected[i]);
  EXPECT_EQ(builder.body_index(a2), 3);
  EXPECT_EQ(builder.body_index(b1), 5);
  EXPECT_EQ(model.bodies[5].parent, 4);
  const char* joints[] = {"ja", "late", "ja1", "ja2", "jb", "jb1"};
  for (int j = 0; j < 6; ++j) {
    EXPECT_EQ(model.joints[j].name, joints[j]);
    EXPECT_EQ(model.joints[j].v_address, j);
  }
  EXPECT_EQ(builder.geom_index(ground), 0);
  EXPECT_EQ(builder.geom_index(shape), 1);
  EXPECT_EQ(model.geoms[1].body, 2);
}

TEST(ModelBuilder, DofsFollowTheirBranches) {
  ModelBuilder builder;
  const int base = AddLink(builder, "base", 0, {.kind = FreeJoint{}});
  const int left = AddLink(builder, "left", base, {.kind = BallJoint{}});
  builder.AddBody({.name = "hand", .parent = left});
  AddLink(builder, "right", base);
  const Model model = builder.Build();
  EXPECT_EQ(model.nq(), 7 + 4 + 1);
  EXPECT_EQ(model.dof_parent, (std::vector<int>{-1, 0, 1, 2, 3, 4, 5, 6, 7, 5}));
  EXPECT_EQ(model.bodies[3].num_dofs, 0);
  EXPECT_EQ(model.bodies[3].last_dof, 8);
  EXPECT_EQ(model.bodies[3].weld, 2);
  EXPECT_EQ(model.joints[2].q_address, 11);
  EXPECT_EQ(model.dof_joint[9], 2);
  ASSERT_EQ(model.num_trees(), 1);
  EXPECT_EQ(model.trees[0].num_dofs, 10);
  EXPECT_FALSE(model.trees[0].is_free_body);
}

TEST(ModelBuilder, FixedStandWithTwoMovingChildrenGivesTwoTrees) {
  ModelBuilder builder;
  const int stand = builder.AddBody({.name = "stand"});
  const int left = AddLink(builder, "left", stand);
  AddLink(builder, "left tip", left);
  AddLink(builder, "right", stand);
  const Model model = builder.Build();
  ASSERT_EQ(model.num_trees(), 2);
  EXPECT_EQ(model.bodies[1].tree, -1);
  EXPECT_EQ(model.bodies[1].weld, 0);
  EXPECT_EQ(model.bodies[1].last_dof, -1);
  EXPECT_EQ(model.trees[0].root_body, 2);
  EXPECT_EQ(model.trees[0].num_dofs, 2);
  EXPECT_EQ(model.trees[1].first_dof, 2);
  EXPECT_EQ(model.trees[1].root_body, 4);
}

TEST(ModelBuilder, DofsOfEachTreeAreContiguous) {
  for (int seed = 0; seed < 50; ++seed) {
    const Model model = MakeRandomModel(seed, 20);
    int next = 0;
    for (const Tree& tree : model.trees) {
      EXPECT_EQ(tree.first_dof, next);
      EXPECT_EQ(model.dof_parent[tree.first_dof], -1);
      for (int k = tree.first_dof + 1; k < tree.first_dof + tree.num_dofs; ++k) {
        EXPECT_GE(model.dof_parent[k], tree.first_dof);
      }
      next += tree.num_dofs;
    }
    EXPECT_EQ(next, model.nv());
  }
}

TEST(ModelBuilder, FreeBodyMayCarryWhatIsWeldedToIt) {
  ModelBuilder builder;
  const int box = AddLink(builder, "box", 0, {.kind = FreeJoint{}});
  builder.AddBody({.name = "handle", .parent = box});
  const Model model = builder.Build();
  EXPECT_TRUE(model.trees[0].is_free_body);
}

TEST(ModelBuilder, InitialConfigurationIsThatOfTheFile) {
  ModelBuilder builder;
  const RigidTransform X_WB{QuaternionExp({0.1, 0.2, 0.3}).toRotationMatrix(), {1.0, 2.0, 3.0}};
  const int base = builder.AddBody({.name = "base", .X_PB = X_WB});
  builder.SetInertia(base, kBallInertia);
  builder.AddJoint(base, {.kind = FreeJoint{}});
  const int arm = AddLink(builder, "arm", base, {.kind = BallJoint{}});
  AddLink(builder, "tip", arm, {.kind = HingeJoint{.reference = 0.7}});
  const Model model = builder.Build();
  EXPECT_EQ(model.q0.head<3>(), X_WB.p);
  // Rounding of the conversion to a matrix and back.
  EXPECT_TRUE(QuaternionFromWxyz(&model.q0[3]).toRotationMatrix().isApprox(X_WB.R, 1e-15));
  EXPECT_EQ(model.q0.segment<4>(7), Eigen::Vector4d(1, 0, 0, 0));
  EXPECT_EQ(model.q0[11], 0.7);
}

TEST(ModelBuilder, BodiesTakeTheirInertiaFromGeomsUnlessGiven) {
  ModelBuilder builder;
  const int b = builder.AddBody({.name = "dumbbell"});
  builder.AddJoint(b, {.kind = FreeJoint{}});
  builder.AddGeom({.body = b, .shape = Sphere{0.1}, .X_BG = {.p = {1.0, 0.0, 0.0}}}, {.mass = 2.0});
  builder.AddGeom({.body = b, .shape = Sphere{0.1}, .X_BG = {.p = {-1.0, 0.0, 0.0}}}, {.density = 1000.0});
  builder.AddGeom({.body = b, .shape = Sphere{9.0}});  // without mass
  const MassProperties now = builder.CalcInertia(b);
  const MassProperties built = builder.Build().bodies[1].inertia;
  const double second = 1000.0 * CalcVolume(Sphere{0.1});
  EXPECT_EQ(built.mass, 2.0 + second);
  EXPECT_NEAR(built.p_BBcm.x(), (2.0 - second) / (2.0 + second), 1e-15);  // rounding
  EXPECT_EQ(built.I_BBcm_B, now.I_BBcm_B);

  ModelBuilder given;
  given.AddBody({.name = "dumbbell"});
  given.SetInertia(1, kBallInertia);
  given.AddGeom({.body = 1, .shape = Sphere{0.1}}, {.mass = 2.0});
  EXPECT_EQ(given.Build().bodies[1].inertia.mass, 1.0);
}

TEST(ModelBuilder, KeyframesAreCompletedFromTheDefaults) {
  ModelBuilder builder;
  AddLink(builder, "arm", 0, {.name = "hinge", .kind = HingeJoint{.reference = 0.5}});
  builder.AddBody({.name = "hand", .X_PB = {.p = {1.0, 0.0, 0.0}}, .is_mocap = true});
  builder.AddActuator({.joint = 0});
  builder.AddKeyframe({.name = "home", .time = 2.0, .v = VectorXd::Ones(1)});
  const Model model = builder.Build();
  const Keyframe& home = *model.FindKeyframe("home");
  EXPECT_EQ(home.q, model.q0);
  EXPECT_EQ(home.v[0], 1.0);
  EXPECT_EQ(home.ctrl, VectorXd::Zero(1));
  EXPECT_EQ(home.mocap[0], 1.0);
  EXPECT_EQ(model.num_mocap, 1);
}

TEST(ModelBuilder, ReferencesFollowTheSorting) {
  ModelBuilder builder;
  const int a = AddLink(builder, "a", 0, {.name = "ja"});
  const int b = AddLink(builder, "b", 0, {.name = "jb"});
  const int a1 = AddLink(builder, "a1", a, {.name = "ja1"});
  builder.AddActuator({.name = "motor", .joint = 1});
  builder.AddFrame({.name = "tool", .body = b});
  builder.ExcludeBodies(b, a1);
  builder.ExcludeBodies(a1, b);
  const Model model = builder.Build();
  EXPECT_EQ(model.joints[model.actuators[0].joint].name, "jb");
  EXPECT_EQ(model.bodies[model.frames[0].body].name, "b");
  EXPECT_EQ(model.excluded_bodies, (std::vector<std::pair<int, int>>{{2, 3}}));
}

TEST(ModelBuilder, VisualsFollowTheSortingAndWeighNothing) {
  ModelBuilder builder;
  const int a = AddLink(builder, "a", 0);
  const int b = AddLink(builder, "b", 0);
  const int a1 = AddLink(builder, "a1", a);
  for (const int body : {b, a1, 0, a1}) {
    builder.AddVisual({.name = builder.body(body).name, .body = body, .shape = Box{{1, 1, 1}}});
  }
  const Model model = builder.Build();
  ASSERT_EQ(model.visuals.size(), 4u);
  const char* expected[] = {"world", "a1", "a1", "b"};
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(model.visuals[i].name, expected[i]);
    EXPECT_EQ(model.bodies[model.visuals[i].body].name, expected[i]);
  }
  for (int body = 1; body < 4; ++body) EXPECT_EQ(model.bodies[body].inertia.mass, kBallInertia.mass);
  EXPECT_EQ(model.num_geoms(), 0);
}

TEST(ModelBuilder, RefusesVisualsThatCannotBeDrawn) {
  const auto failure = [](const Visual& visual) -> std::string {
    ModelBuilder builder;
    try {
      builder.AddVisual(visual);
      builder.Build();
    } catch (const ModelError& error) {
      return error.what();
    }
    return "";
  };
  const auto mesh = [](const Vector3d& corner, int index) -> SharedMesh {
    return std::make_shared<const TriangleMesh>(
        TriangleMesh{{{0, 0, 0}, {1, 0, 0}, corner}, {{0, 1, index}}});
  };
  const std::string triangles = "visual 'v': its mesh needs finite vertices";
  EXPECT_EQ(failure({.name = "v", .shape = mesh({0, 1, 0}, 2)}), "");
  EXPECT_TRUE(failure({.name = "v", .shape = mesh({0, kNan, 0}, 2)}).starts_with(triangles));
  EXPECT_TRUE(failure({.name = "v", .shape = mesh({0, 1, 0}, 3)}).starts_with(triangles));
  EXPECT_TRUE(failure({.name = "v", .shape = mesh({0, 1, 0}, -1)}).starts_with(triangles));
  EXPECT_EQ(failure({.shape = SharedMesh()}), "visual 0: it has no mesh");
  EXPECT_EQ(failure({.shape = Box{{1, 0, 1}}}), "visual 0: every size of a box must be positive and finite");
  EXPECT_EQ(failure({.body = 1}), "visual 0: its body does not exist");
  EXPECT_NE(failure({.shape = Sphere{1.0}, .X_BV = {.p = {0, kNan, 0}}}).find("pose is not finite"),
            std::string::npos);
}

TEST(ModelBuilder, CamerasFollowTheSorting) {
  ModelBuilder builder;
  const int a = AddLink(builder, "a", 0);
  const int b = AddLink(builder, "b", 0);
  const int a1 = AddLink(builder, "a1", a);
  for (const int body : {b, a1, 0})
    builder.AddCamera(
        {.name = "on " + builder.body(body).name, .body = body, .X_BC = {.p = {body + 0., 0, 0}}});
  const Model model = builder.Build();
  ASSERT_EQ(model.cameras.size(), 3u);
  const char* expected[] = {"world", "a1", "b"};
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(model.bodies[model.cameras[i].body].name, expected[i]);
    EXPECT_EQ(model.FindCamera(std::string("on ") + expected[i]), i);
  }
  EXPECT_EQ(model.cameras[1].X_BC.p.x(), a1);
  EXPECT_EQ(model.FindCamera("a"), -1);
}

TEST(ModelBuilder, BuildsLargeModelsInLinearTime) {
  ModelBuilder builder;
  for (int i = 0; i < 20000; ++i) {
    const std::string id = std::to_string(i);
    // Half of the bodies in one long chain, half free: neither depth nor width may cost a square.
    const int parent = i % 2 == 0 || i == 1 ? 0 : builder.num_bodies() - 2;
    const int b = builder.AddBody({.name = "b" + id, .parent = parent});
    builder.AddJoint(
        b, {.name = "j" + id, .kind = i % 2 == 0 ? JointKind(FreeJoint{}) : JointKind(HingeJoint{})});
    builder.AddGeom({.name = "g" + id, .body = b, .shape = Sphere{0.1}}, {.density = 1000.0});
  }
  // Runs in 50 ms; 20000² name comparisons would take the test past its time limit in a debug build.
  EXPECT_EQ(builder.Build().num_trees(), 10001);
}

// A mistake, and what the message must name.
struct Mistake {
  const char* what;
  Kind kind;
  const char* named;
  std::function<void(ModelBuilder&)> make;
};

void ExpectRefused(const Mistake& mistake) {
  ModelBuilder builder;
  AddLink(builder, "arm", 0, {.name = "hinge"});
  try {
    mistake.make(builder);
    builder.Build();
    ADD_FAILURE() << mistake.what << ": accepted";
  } catch (const ModelError& error) {
    EXPECT_EQ(static_cast<int>(error.kind()), static_cast<int>(mistake.kind)) << mistake.what;
    EXPECT_NE(std::string(error.what()).find(mistake.named), std::string::npos) << error.what();
  }
}

TEST(ModelBuilder, RefusesWrongJoints) {
  const Mistake mistakes[] = {
      {"zero axis", Kind::kJoint, "'j'",
       [](auto& b) {
         b.AddJoint(1, {.name = "j", .kind = HingeJoint{.axis_B = {0, 0, 0}}});
       }},
      {"NaN axis", Kind::kJoint, "'j'",
       [](auto& b) {
         b.AddJoint(1, {.name = "j", .kind = HingeJoint{.axis_B = {kNan, 0, 0}}});
       }},
      {"limits", Kind::kJoint, "limit",
       [](auto& b) { b.AddJoint(1, {.name = "j", .lower = 1.0, .upper = 0.0}); }},
      {"damping", Kind::kJoint, "damping", [](auto& b) { b.AddJoint(1, {.name = "j", .damping = -1.0}); }},
      {"stiffness", Kind::kJoint, "stiffness",
       [](auto& b) { b.AddJoint(1, {.name = "j", .stiffness = -1.0}); }},
      {"armature", Kind::kJoint, "armature", [](auto& b) { b.AddJoint(1, {.name = "j", .armature = kNan}); }},
      {"reference", Kind::kJoint, "'j'",
       [](auto& b) { b.AddJoint(1, {.name = "j", .kind = HingeJoint{.reference = kNan}}); }},
      {"world", Kind::kJoint, "world", [](auto& b) { b.AddJoint(0, {.name = "j"}); }},
      {"free beside hinge", Kind::kJoint, "only",
       [](auto& b) { b.AddJoint(1, {.name = "j", .kind = FreeJoint{}}); }},
      {"hinge beside free", Kind::kJoint, "'late'",
       [](auto& b) { b.AddJoint(AddLink(b, "box", 0, {.kind = FreeJoint{}}), {.name = "late"}); }},
      {"nested free", Kind::kJoint, "child of the world",
       [](auto& b) { AddLink(b, "box", 1, {.name = "j", .kind = FreeJoint{}}); }},
      {"same name", Kind::kJoint, "twice", [](auto& b) { b.AddJoint(1, {.name = "hinge"}); }},
  };
  for (const Mistake& mistake : mistakes) ExpectRefused(mistake);
}

TEST(ModelBuilder, RefusesWrongBodiesAndGeoms) {
  const MassProperties negative{.mass = 1.0, .I_BBcm_B = Vector3d(1, 1, -1).asDiagonal().toDenseMatrix()};
  const RigidTransform scaled{2.0 * Matrix3d::Identity(), Vector3d::Zero()};
  const Mistake mistakes[] = {
      {"parent", Kind::kBody, "'b'", [](auto& b) { b.AddBody({.name = "b", .parent = 7}); }},
      {"same name", Kind::kBody, "twice", [](auto& b) { b.AddBody({.name = "arm"}); }},
      {"mass", Kind::kBody, "'arm'", [](auto& b) { b.SetInertia(1, {.mass = -1.0}); }},
      {"NaN mass", Kind::kBody, "'arm'", [](auto& b) { b.SetInertia(1, {.mass = kNan}); }},
      {"moments", Kind::kBody, "principal", [&](auto& b) { b.SetInertia(1, negative); }},
      {"scaled pose", Kind::kBody, "orthonormal", [&](auto& b) { b.AddBody({.name = "b", .X_PB = scaled}); }},
      {"moving mocap", Kind::kBody, "mocap",
       [](auto& b) { b.AddBody({.name = "b", .parent = 1, .is_mocap = true}); }},
      {"size", Kind::kGeom, "'g'",
       [](auto& b) { b.AddGeom({.name = "g", .body = 1, .shape = Sphere{0.0}}); }},
      {"NaN size", Kind::kGeom, "'g'",
       [](auto& b) {
         b.AddGeom({.name = "g", .shape = Box{{1, kNan, 1}}});
       }},
      {"geom mass", Kind::kGeom, "mass",
       [](auto& b) { b.AddGeom({.body = 1, .shape = Sphere{1}}, {.mass = -1.0}); }},
      {"friction", Kind::kGeom, "friction",
       [](auto& b) { b.AddGeom({.shape = Sphere{1}, .friction = -1.0}); }},
      {"condim", Kind::kGeom, "condim", [](auto& b) { b.AddGeom({.shape = Sphere{1}, .condim = 2}); }},
      {"rolling", Kind::kGeom, "rolling",
       [](auto& b) { b.AddGeom({.shape = Sphere{1}, .rolling_friction = kNan}); }},
      {"softness", Kind::kGeom, "softness",
       [](auto& b) {
         b.AddGeom({.shape = Sphere{1}, .softness = {.reference = {kNan, 1.0}}});
       }},
      {"stiffness", Kind::kGeom, "stiffness",
       [](auto& b) { b.AddGeom({.shape = Sphere{1}, .stiffness = 0.0}); }},
      {"dissipation", Kind::kGeom, "dissipation",
       [](auto& b) { b.AddGeom({.shape = Sphere{1}, .dissipation_time = kNan}); }},
      {"gravity", Kind::kBody, "gravity",
       [](auto& b) { b.AddBody({.name = "b", .gravity_compensation = kNan}); }},
  };
  for (const Mistake& mistake : mistakes) ExpectRefused(mistake);
}

TEST(ModelBuilder, RefusesWrongCameras) {
  const RigidTransform scaled{2.0 * Matrix3d::Identity(), Vector3d::Zero()};
  const Mistake mistakes[] = {
      {"body", Kind::kModel, "'c': its body", [](auto& b) { b.AddCamera({.name = "c", .body = 2}); }},
      {"scaled pose", Kind::kModel, "camera 0: its pose", [&](auto& b) { b.AddCamera({.X_BC = scaled}); }},
      {"nothing seen", Kind::kModel, "field of view", [](auto& b) { b.AddCamera({.field_of_view = 0.0}); }},
      {"half of all seen", Kind::kModel, "field of view",
       [](auto& b) { b.AddCamera({.field_of_view = M_PI}); }},
      {"NaN angle", Kind::kModel, "field of view", [](auto& b) { b.AddCamera({.field_of_view = kNan}); }},
      {"no pixels", Kind::kModel, "resolution",
       [](auto& b) {
         b.AddCamera({.resolution = {640, 0}});
       }},
      {"half a lens", Kind::kModel, "focal",
       [](auto& b) {
         b.AddCamera({.focal = {1.0, 0.0}});
       }},
      {"same name", Kind::kModel, "twice",
       [](auto& b) {
         for (const int body : {0, 1}) b.AddCamera({.name = "c", .body = body});
       }},
  };
  for (const Mistake& mistake : mistakes) ExpectRefused(mistake);
}

TEST(ModelBuilder, RefusesWrongActuatorsKeyframesAndOptions) {
  const Mistake mistakes[] = {
      {"joint", Kind::kActuator, "'m'", [](auto& b) { b.AddActuator({.name = "m", .joint = 3}); }},
      {"gear", Kind::kActuator, "gear",
       [](auto& b) {
         b.AddActuator({.joint = 0, .gear = {kNan, 0, 0, 0, 0, 0}});
       }},
      {"range", Kind::kActuator, "range",
       [](auto& b) { b.AddActuator({.joint = 0, .ctrl_lower = 1.0, .ctrl_upper = 0.0}); }},
      {"qpos", Kind::kKeyframe, "'home'",
       [](auto& b) { b.AddKeyframe({.name = "home", .q = VectorXd::Zero(2)}); }},
      {"qvel", Kind::kKeyframe, "finite", [](auto& b) { b.AddKeyframe({.v = VectorXd::Constant(1, kNan)}); }},
      {"timestep", Kind::kModel, "timestep", [](auto& b) { b.options().timestep = 0.0; }},
      {"gravity", Kind::kModel, "gravity", [](auto& b) { b.options().gravity.x() = kNan; }},
      {"exclude", Kind::kModel, "excluded", [](auto& b) { b.ExcludeBodies(1, 9); }},
  };
  for (const Mistake& mistake : mistakes) ExpectRefused(mistake);
}

// A body called "link" with the given inertia and joint, on the arm.
void AddSingular(ModelBuilder& builder, const MassProperties& inertia, const Joint& joint) {
  const int parent = joint.is_free() ? 0 : 1;
  const int b = builder.AddBody({.name = "link", .parent = parent, .X_PB = {.p = {0.3, 0.1, 0.2}}});
  builder.SetInertia(b, inertia);
  builder.AddJoint(b, joint);
}

TEST(ModelBuilder, RefusesJointsThatMoveNothing) {
  const MassProperties point{.mass = 1.0, .p_BBcm = {0.1, 0.2, 0.3}};
  const MassProperties rod{.mass = 1.0, .I_BBcm_B = Vector3d(1.0, 1.0, 0.0).asDiagonal().toDenseMatrix()};
  const Vector3d along = point.p_BBcm.normalized();
  const Mistake mistakes[] = {
      {"no mass on a hinge", Kind::kBody, "'link'", [&](auto& b) { AddSingular(b, {}, {.name = "j"}); }},
      {"no mass on a slide", Kind::kBody, "'j'",
       [&](auto& b) { AddSingular(b, {}, {.name = "j", .kind = SlideJoint{}}); }},
      {"point on the hinge's axis", Kind::kBody, "'j'",
       [&](auto& b) { AddSingular(b, point, {.name = "j", .kind = HingeJoint{.axis_B = along}}); }},
      {"thin rod along the hinge", Kind::kBody, "'j'", [&](auto& b) { AddSingular(b, rod, {.name = "j"}); }},
      {"thin rod on a ball joint", Kind::kBody, "'j'",
       [&](auto& b) { AddSingular(b, rod, {.name = "j", .kind = BallJoint{}}); }},
      {"free point", Kind::kBody, "'j'",
       [&](auto& b) { AddSingular(b, point, {.name = "j", .kind = FreeJoint{}}); }},
  };
  for (const Mistake& mistake : mistakes) ExpectRefused(mistake);
}

TEST(ModelBuilder, MassFurtherOutOrArmatureMakesAJointRegular) {
  ModelBuilder builder;
  const int empty = builder.AddBody({.name = "empty"});
  builder.AddJoint(empty, {.kind = HingeJoint{.axis_B = Vector3d::UnitX()}});
  AddLink(builder, "tip", empty, {.kind = HingeJoint{.axis_B = Vector3d::UnitY()}});
  const int rotor = builder.AddBody({.name = "rotor"});
  builder.AddJoint(rotor, {.armature = 1e-9});
  const int point = builder.AddBody({.name = "point"});
  builder.SetInertia(point, {.mass = 1.0, .p_BBcm = {0.0, 0.0, 1e-6}});
  builder.AddJoint(point,
                   {.kind = HingeJoint{.axis_B = Vector3d::UnitX()}});  // 1e-12 kg·m², small but honest
  EXPECT_EQ(builder.Build().nv(), 4);
}

}  // namespace
}  // namespace stiction::testing

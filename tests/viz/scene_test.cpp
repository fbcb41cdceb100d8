#include "stiction/viz/scene.h"

#include <gtest/gtest.h>

#include "tests/support/scenes.h"

namespace stiction {
namespace {

using testing::AddFloor;
using testing::AddFreeBody;
using testing::kGravity;
using testing::Shift;
using testing::Turn;

std::size_t Count(const DrawList& list, DrawPrimitive primitive) {
  return list.solid.instances[static_cast<int>(primitive)].size();
}

// A cube of 1 kg and 10 cm at rest on the floor, whose mean contact force is known.
World MakeRestingCube() {
  World world(testing::MakeBoxStack(1));
  for (int i = 0; i < 200; ++i) world.Step();
  return world;
}

TEST(Scene, DrawsEveryShapeOnce) {
  ModelBuilder builder("shapes");
  AddFloor(builder);
  AddFreeBody(builder, Sphere{0.1}, 1.0, Shift(0, 0, 1));
  AddFreeBody(builder, Capsule{0.1, 0.2}, 1.0, Shift(1, 0, 1));
  AddFreeBody(builder, Ellipsoid{Vector3d(0.1, 0.2, 0.3)}, 1.0, Shift(2, 0, 1));
  AddFreeBody(builder, Cylinder{0.1, 0.2}, 1.0, Shift(3, 0, 1));
  AddFreeBody(builder, Box{Vector3d(0.1, 0.2, 0.3)}, 1.0, Shift(4, 0, 1));
  const Model model = builder.Build();
  const World world(model);
  const SceneDrawing scene(model);
  DrawList list;
  scene.Draw(world.body_poses(), {}, 0.002, -1, {}, list);
  EXPECT_EQ(Count(list, DrawPrimitive::kGround), 1u);
  EXPECT_EQ(Count(list, DrawPrimitive::kSphere), 4u);    // the sphere, the ellipsoid, two ends of the capsule
  EXPECT_EQ(Count(list, DrawPrimitive::kCylinder), 2u);  // the cylinder, the middle of the capsule
  EXPECT_EQ(Count(list, DrawPrimitive::kBox), 1u);
  scene.Draw(world.body_poses(), {}, 0.002, -1, {.shapes = false}, list);
  for (const auto& instances : list.solid.instances) EXPECT_TRUE(instances.empty());
}

// From one side of the ball around it to the other: a straight rod, an arc in pieces of at most 10 degrees, a
// straight rod.
TEST(Scene, DrawsTheTendonsAlongTheirPath) {
  ModelBuilder builder("tendon");
  const Vector3d a(-1, 0, 0), b(1, 0, 0);
  SpatialTendon path;
  path.path = {SpatialTendon::Site{0, a}, SpatialTendon::Wrap{.center = {}, .radius = 0.6},
               SpatialTendon::Site{0, b}};
  builder.AddTendon({.path = path, .rest_range = {}});
  const Model model = builder.Build();
  const SceneDrawing scene(model);
  DrawList list;
  scene.Draw(World(model).body_poses(), {}, 0.002, -1, {}, list);
  // Tangents of length 0.8 touch 53.1 degrees from each end, so that 73.7 of 180 are left.
  EXPECT_EQ(Count(list, DrawPrimitive::kCylinder), 2u + 8u);
  EXPECT_EQ(Count(list, DrawPrimitive::kSphere), 2u * (2u + 8u));
  const DrawInstance& first = list.solid.instances[static_cast<int>(DrawPrimitive::kCylinder)][0];
  EXPECT_FLOAT_EQ(Eigen::Map<const Eigen::Vector3f>(first.pose + 6).norm(), 0.5f * 0.8f);
}

TEST(Scene, BoundsHoldTheShapesAndNotThePlane) {
  ModelBuilder builder("two");
  AddFloor(builder);
  AddFreeBody(builder, Sphere{0.1}, 1.0, Shift(0, 0, 1));
  AddFreeBody(builder, Box{Vector3d(0.1, 0.2, 0.3)}, 1.0, Shift(2, 0, 1));
  const Model model = builder.Build();
  const auto [lower, upper] = SceneDrawing(model).CalcBounds(World(model).body_poses());
  EXPECT_LT((lower - Vector3d(-0.1, -0.2, 0.7)).norm(), 1e-12);
  EXPECT_LT((upper - Vector3d(2.1, 0.2, 1.3)).norm(), 1e-12);
}

TEST(Scene, AScenesSizeIsNeverZero) {
  EXPECT_GT(SceneDrawing(ModelBuilder("empty").Build()).size(), 0.0);
}

// The arrows of a resting cube together are its weight, and the largest one has the promised length.
TEST(Scene, ForceArrowsAreProportionalToForces) {
  const World world = MakeRestingCube();
  const SceneDrawing scene(world.model());
  DrawList list;
  scene.Draw(world.body_poses(), world.contacts(), world.timestep(), -1, {.shapes = false, .forces = true},
             list);
  const auto& shafts = list.solid.instances[static_cast<int>(DrawPrimitive::kCylinder)];
  const auto& heads = list.solid.instances[static_cast<int>(DrawPrimitive::kCone)];
  ASSERT_EQ(heads.size(), world.contacts().size());
  ASSERT_EQ(heads.size(), 4u);
  double largest = 0.0, total = 0.0, weight = 0.0;
  for (const Contact& contact : world.contacts()) {
    largest = std::max(largest, contact.impulse_W.norm());
    weight += contact.impulse_W.z() / world.timestep();
  }
  EXPECT_NEAR(weight, kGravity, 1e-6);
  for (std::size_t i = 0; i < heads.size(); ++i) {
    // Column 2 of a pose is half of the length; the shaft begins at its origin minus that.
    const double start = shafts[i].pose[11] - shafts[i].pose[8], end = heads[i].pose[11] + heads[i].pose[8];
    total += end - start;
  }
  EXPECT_NEAR(total, 0.5 * scene.size() * kGravity * world.timestep() / largest, 1e-5);
}

TEST(Scene, ContactsAreClassifiedByTheirImpulse) {
  ModelBuilder builder("slide");
  AddFloor(builder, {.friction = 0.5});
  const int body =
      AddFreeBody(builder, Box{Vector3d::Constant(0.05)}, 1.0, Shift(0, 0, 0.05), {.friction = 0.5});
  const Model model = builder.Build();
  Contact contact{
      .geom_a = 0, .geom_b = body, .p_W = {}, .n_W = Vector3d::UnitZ(), .impulse_W = Vector3d::Zero()};
  EXPECT_EQ(ClassifyContact(model, contact), ContactState::kOpen);
  contact.impulse_W = {0.4, 0.0, 1.0};
  EXPECT_EQ(ClassifyContact(model, contact), ContactState::kStick);
  contact.impulse_W = {0.3, 0.4, 1.0};
  EXPECT_EQ(ClassifyContact(model, contact), ContactState::kSlip);
}

TEST(Scene, SlidingAndRestingCubesHaveTheColoursOfTheirState) {
  World world = MakeRestingCube();
  const SceneDrawing scene(world.model());
  DrawList list;
  const SceneOptions options{.shapes = false, .contacts = true};
  const auto dots = [&] {
    scene.Draw(world.body_poses(), world.contacts(), world.timestep(), -1, options, list);
    return list.solid.instances[static_cast<int>(DrawPrimitive::kSphere)];
  };
  ASSERT_EQ(dots().size(), 4u);
  const DrawColor stick = dots()[0].color;
  State state = world.state();
  state.v[0] = 1.0;
  world.set_state(state);
  world.Step();
  ASSERT_EQ(dots().size(), 4u);
  EXPECT_NE(dots()[0].color.r, stick.r);
}

TEST(Scene, TheWorstContactIsHighlighted) {
  const World world = MakeRestingCube();
  const SceneDrawing scene(world.model());
  DrawList list;
  scene.Draw(world.body_poses(), world.contacts(), world.timestep(), 2, {.shapes = false, .contacts = true},
             list);
  const auto& dots = list.solid.instances[static_cast<int>(DrawPrimitive::kSphere)];
  ASSERT_EQ(dots.size(), 4u);
  for (int i : {0, 1, 3}) EXPECT_GT(dots[2].pose[0], dots[i].pose[0]);
}

// The box of a body's inertia is the body where the body is a box.
TEST(Scene, InertiaOfABoxIsTheBox) {
  ModelBuilder builder("box");
  AddFreeBody(builder, Box{Vector3d(0.1, 0.2, 0.3)}, 2.0,
              Turn(0.7, Vector3d(1, 2, 3).normalized(), {1, 2, 3}));
  const Model model = builder.Build();
  const SceneDrawing scene(model);
  DrawList list;
  scene.Draw(World(model).body_poses(), {}, 0.002, -1, {.inertia = true}, list);
  const auto& boxes = list.solid.instances[static_cast<int>(DrawPrimitive::kBox)];
  const auto& marks = list.overlay.instances[static_cast<int>(DrawPrimitive::kBox)];
  ASSERT_EQ(boxes.size(), 1u);
  ASSERT_EQ(marks.size(), 1u);
  using Pose = Eigen::Map<const Eigen::Matrix<float, 3, 4>>;
  const Pose shape(boxes[0].pose), inertia(marks[0].pose);
  EXPECT_LT((shape.col(3) - inertia.col(3)).norm(), 1e-6f);
  // The same box up to the order and the signs of its axes: A Aᵀ has neither.
  const Eigen::Matrix3f a = shape.leftCols<3>() * shape.leftCols<3>().transpose();
  const Eigen::Matrix3f b = inertia.leftCols<3>() * inertia.leftCols<3>().transpose();
  EXPECT_LT((a - b).norm(), 1e-6f);
}

TEST(Scene, PicksTheFirstShapeOnARay) {
  ModelBuilder builder("row");
  AddFloor(builder);
  AddFreeBody(builder, Sphere{0.1}, 1.0, Shift(0, 0, 1));
  AddFreeBody(builder, Sphere{0.1}, 1.0, Shift(2, 0, 1));
  const Model model = builder.Build();
  const SceneDrawing scene(model);
  const auto poses = World(model).body_poses();
  const auto first = scene.Pick(poses, {-5, 0, 1}, Vector3d::UnitX());
  ASSERT_TRUE(first.has_value());
  EXPECT_EQ(first->geom, 1);
  EXPECT_LT((first->p_W - Vector3d(-0.1, 0, 1)).norm(), 1e-12);
  const auto second = scene.Pick(poses, {5, 0, 1}, -Vector3d::UnitX());
  ASSERT_TRUE(second.has_value());
  EXPECT_EQ(second->geom, 2);
  const auto floor = scene.Pick(poses, {1, 0, 1}, -Vector3d::UnitZ());
  ASSERT_TRUE(floor.has_value());
  EXPECT_EQ(floor->geom, 0);
  EXPECT_FALSE(scene.Pick(poses, {1, 0, 1}, Vector3d::UnitZ()).has_value());
}

// A body that collides as a box and looks like a pyramid.
Model MakeDisguised() {
  ModelBuilder builder("disguised");
  const int body = builder.AddBody({.X_PB = Shift(0, 0, 1)});
  builder.AddJoint(body, {.kind = FreeJoint{}});
  builder.AddGeom(
      {.body = body, .shape = Box{Vector3d::Constant(0.1)}, .color = Color{1, 0, 0, 1}, .is_seen = false},
      {.mass = 1.0});
  TriangleMesh pyramid;
  pyramid.vertices = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}, {0, 0, 2}};
  pyramid.triangles = {{0, 2, 1}, {0, 3, 2}, {0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}};
  const auto mesh = std::make_shared<const TriangleMesh>(pyramid);
  for (double x : {0.0, 5.0})
    builder.AddVisual(
        {.body = body, .shape = SharedMesh(mesh), .X_BV = Shift(x, 0, 0), .color = Color{0, 1, 0, 1}});
  return builder.Build();
}

TEST(Scene, ShowsWhatBodiesLookLikeOrWhatCollides) {
  const Model model = MakeDisguised();
  const SceneDrawing scene(model);
  const auto poses = World(model).body_poses();
  DrawList list;
  scene.Draw(poses, {}, 0.002, -1, {}, list);
  EXPECT_EQ(Count(list, DrawPrimitive::kBox), 0u);
  ASSERT_EQ(scene.meshes().size(), 1u) << "one mesh for both visuals";
  EXPECT_EQ(scene.meshes()[0].positions.size(), 18u);
  ASSERT_EQ(list.mesh_instances[0].size(), 2u);
  EXPECT_EQ(list.mesh_instances[0][1].pose[9], 5.0f);
  EXPECT_EQ(list.mesh_instances[0][0].color.g, 1.0f);
  scene.Draw(poses, {}, 0.002, -1, {.collision = true}, list);
  EXPECT_EQ(Count(list, DrawPrimitive::kBox), 1u);
  EXPECT_TRUE(list.mesh_instances[0].empty());
  EXPECT_EQ(list.solid.instances[static_cast<int>(DrawPrimitive::kBox)][0].color.r, 1.0f);
}

TEST(Scene, PicksAndFramesVisuals) {
  const Model model = MakeDisguised();
  const SceneDrawing scene(model);
  const auto poses = World(model).body_poses();
  const auto look = scene.Pick(poses, {0, 0, 9}, -Vector3d::UnitZ());
  ASSERT_TRUE(look.has_value());
  EXPECT_EQ(look->geom, -1);
  EXPECT_EQ(look->body, 1);
  EXPECT_NEAR(look->p_W.z(), 3.0, 1e-12);
  const auto collision = scene.Pick(poses, {0, 0, 9}, -Vector3d::UnitZ(), {.collision = true});
  ASSERT_TRUE(collision.has_value());
  EXPECT_NEAR(collision->p_W.z(), 1.1, 1e-12);
  const auto [lower, upper] = scene.CalcBounds(poses);
  EXPECT_LT((lower - Vector3d(-1, -1, 0.9)).norm(), 1e-12);
  EXPECT_LT((upper - Vector3d(6, 1, 3)).norm(), 1e-12);
}

// A cube of which every face has vertices of its own keeps its edges; a fine sphere becomes smooth.
TEST(Scene, NormalsAreSmoothedWhereEdgesAreNotSharp) {
  ModelBuilder builder("meshes");
  const int body = builder.AddBody({});
  builder.AddJoint(body, {.kind = FreeJoint{}});
  builder.AddGeom({.body = body, .shape = Sphere{0.1}}, {.mass = 1.0});
  TriangleMesh sphere;
  constexpr int kRings = 40;
  const auto point = [](int i, int k) {
    const double a = testing::kPi * i / kRings, b = 2.0 * testing::kPi * k / kRings;
    return Vector3d(std::sin(a) * std::cos(b), std::sin(a) * std::sin(b), std::cos(a));
  };
  for (int i = 1; i + 1 < kRings; ++i) {
    for (int k = 0; k < kRings; ++k) {
      const int first = static_cast<int>(sphere.vertices.size());
      for (const Vector3d& p : {point(i, k), point(i + 1, k), point(i, (k + 1) % kRings)})
        sphere.vertices.push_back(p);  // no vertex is shared
      sphere.triangles.push_back({first, first + 1, first + 2});
    }
  }
  builder.AddVisual({.body = body, .shape = SharedMesh(std::make_shared<const TriangleMesh>(sphere))});
  const Model model = builder.Build();
  const SceneDrawing scene(model);
  ASSERT_EQ(scene.meshes().size(), 1u);
  const DrawMesh& mesh = scene.meshes()[0];
  for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
    if (std::abs(mesh.positions[i].z()) > 0.9f) continue;  // rings end near the poles
    EXPECT_GT(mesh.normals[i].dot(mesh.positions[i].normalized()), 0.995f);
  }
  const Model disguised = MakeDisguised();
  const SceneDrawing pyramid(disguised);
  const DrawMesh& sharp = pyramid.meshes()[0];
  for (std::size_t i = 0; i < 6; ++i) EXPECT_LT((sharp.normals[i] + Eigen::Vector3f::UnitZ()).norm(), 1e-6f);
}

TEST(Scene, LabelsCarryTheNamesOfBodies) {
  const Model model = testing::MakeBoxStack(2);
  DrawList list;
  SceneDrawing(model).Draw(World(model).body_poses(), {}, 0.002, -1, {.labels = true}, list);
  ASSERT_EQ(list.labels.size(), 2u);
  EXPECT_EQ(list.labels[1].text, model.DisplayName(2));
  EXPECT_NEAR(list.labels[1].p.z(), 0.15, 1e-6);
}

// Two triangles side by side, the first with a material of its own and a picture on both.
SharedMesh MakeTwoColoredMesh(const SharedMaterial& material) {
  TriangleMesh mesh{.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}},
                    .triangles = {{0, 1, 2}, {1, 3, 2}}};
  mesh.material_of = {0, -1};
  mesh.materials = {material};
  mesh.texture_corners.resize(2);
  mesh.texture_corners[1][2] = {0.25f, 0.5f};
  return std::make_shared<const TriangleMesh>(std::move(mesh));
}

SharedTexture MakePicture(Texture::Kind kind) {
  const std::size_t count = kind == Texture::Kind::kPlane ? 1 : 6;
  return std::make_shared<const Texture>(
      Texture{.kind = kind, .width = 1, .height = 1, .pixels = std::vector<std::uint8_t>(4 * count, 100)});
}

TEST(Scene, MeshesAreDrawnByTheirMaterials) {
  const SharedTexture picture = MakePicture(Texture::Kind::kPlane);
  const auto material = std::make_shared<const Material>(
      Material{.color = {0, 1, 0, 1}, .texture = picture, .roughness = 0.25f});
  const SharedMesh mesh = MakeTwoColoredMesh(material);
  const auto draw = [&](const Visual& visual, DrawList& list) {
    ModelBuilder builder("mesh");
    builder.AddVisual(visual);
    const Model model = builder.Build();
    const SceneDrawing scene(model);
    scene.Draw({RigidTransform{}}, {}, 0.002, -1, {}, list);
    EXPECT_EQ(scene.meshes().size(), 2u);
    EXPECT_EQ(scene.meshes().at(1).texture_points.at(2), Eigen::Vector2f(0.25f, 0.5f));
    EXPECT_TRUE(scene.Pick({RigidTransform{}}, Vector3d(0.9, 0.9, 1), -Vector3d::UnitZ()));
    return scene.textures().size();
  };
  DrawList list;
  EXPECT_EQ(draw({.body = 0, .shape = mesh}, list), 1u);
  const DrawInstance first = list.mesh_instances.at(0).at(0), second = list.mesh_instances.at(1).at(0);
  EXPECT_EQ(first.color.g, 1.0f);
  EXPECT_EQ(first.surface.texture, 0);
  EXPECT_EQ(first.surface.mapping, DrawMapping::kCorners);
  EXPECT_EQ(first.surface.roughness, 0.25f);
  EXPECT_EQ(second.surface.texture, -1);
  // A colour from outside tints the picture and replaces the colours.
  EXPECT_EQ(draw({.body = 0, .shape = mesh, .color = Color{1, 0, 0, 1}}, list), 1u);
  EXPECT_EQ(list.mesh_instances[0][0].color.r, 1.0f);
  EXPECT_EQ(list.mesh_instances[0][0].surface.texture, 0);
  EXPECT_EQ(list.mesh_instances[1][0].color.r, 1.0f);
}

TEST(Scene, PicturesLieOnShapesAsMaterialsSay) {
  ModelBuilder builder("shapes");
  const auto plane = MakePicture(Texture::Kind::kPlane), cube = MakePicture(Texture::Kind::kCube);
  const auto add = [&](const Shape& shape, const SharedTexture& texture, bool is_uniform) {
    const auto material = std::make_shared<const Material>(
        Material{.texture = texture, .repeat = {2.0f, 3.0f}, .is_uniform = is_uniform});
    Geom geom{.body = 0, .shape = shape, .material = material};
    if (std::holds_alternative<Plane>(shape)) geom.seen_half_size = {4.0, 5.0};
    builder.AddGeom(geom);
  };
  const Box box{Vector3d(1, 2, 3)};
  add(box, plane, false);
  add(box, plane, true);
  add(box, cube, false);
  add(box, cube, true);
  add(Plane{}, plane, false);
  const Model model = builder.Build();
  const SceneDrawing scene(model);
  EXPECT_EQ(scene.textures().size(), 2u);
  DrawList list;
  scene.Draw({RigidTransform{}}, {}, 0.002, -1, {}, list);
  std::vector<DrawMapping> mappings;
  for (const DrawInstance& instance : list.solid.instances[static_cast<int>(DrawPrimitive::kBox)])
    mappings.push_back(instance.surface.mapping);
  EXPECT_EQ(mappings, (std::vector<DrawMapping>{DrawMapping::kPlane, DrawMapping::kPlaneMetres,
                                                DrawMapping::kCubeUnit, DrawMapping::kCube}));
  const DrawInstance ground = list.solid.instances[static_cast<int>(DrawPrimitive::kGround)].at(0);
  EXPECT_EQ(ground.surface.mapping, DrawMapping::kPlane);
  EXPECT_EQ(ground.surface.repeat[1], 3.0f);
  EXPECT_EQ(ground.pose[0], 4.0f);  // as large as the file says
  EXPECT_EQ(ground.pose[4], 5.0f);
}

TEST(Scene, TheBrightestLampWithShadowsIsTheKeyLight) {
  ModelBuilder builder("lights");
  builder.AddLight(
      {.direction_B = {-1, 0, -1}, .is_directional = true, .casts_shadow = false, .diffuse = {1, 1, 1}});
  builder.AddLight({.p_BL = {0, 4, 3}, .diffuse = {0.5f, 0.25f, 0}});
  builder.AddLight({.is_on = false, .diffuse = {9, 9, 9}});
  const Model model = builder.Build();
  DrawList list;
  SceneDrawing(model).Draw({RigidTransform{}}, {}, 0.002, -1, {}, list);
  EXPECT_TRUE(list.lighting.has_shadows);
  EXPECT_LT((list.lighting.key.towards - Eigen::Vector3f(0, 0.8f, 0.6f)).norm(), 1e-6f);
  EXPECT_EQ(list.lighting.key.color, Eigen::Vector3f(1, 0.5f, 0));
  ASSERT_EQ(list.lighting.fills.size(), 1u);
  EXPECT_LT((list.lighting.fills[0].towards - Eigen::Vector3f(1, 0, 1).normalized()).norm(), 1e-6f);
}

TEST(Scene, GroupsAreShownAsAsked) {
  ModelBuilder builder("groups");
  builder.AddGeom({.body = 0, .shape = Sphere{1}, .group = 1});
  builder.AddGeom({.body = 0, .shape = Box{Vector3d::Ones()}, .is_seen = false, .group = 3});
  builder.AddGeom({.body = 0, .shape = Cylinder{1, 1}, .is_seen = false});  // a visual shows it
  const Model model = builder.Build();
  const SceneDrawing scene(model);
  const auto drawn = [&](std::optional<unsigned int> groups) {
    DrawList list;
    SceneOptions options;
    options.groups = groups;
    scene.Draw({RigidTransform{}}, {}, 0.002, -1, options, list);
    return std::array{Count(list, DrawPrimitive::kSphere), Count(list, DrawPrimitive::kBox),
                      Count(list, DrawPrimitive::kCylinder)};
  };
  EXPECT_EQ(drawn({}), (std::array<std::size_t, 3>{1, 0, 0}));
  EXPECT_EQ(drawn(1u << 3), (std::array<std::size_t, 3>{0, 1, 0}));
  EXPECT_EQ(drawn(0x3Fu), (std::array<std::size_t, 3>{1, 1, 0}));
}

// Balls of 0.1 m in a row, and some at a distance.
Model MakeRowAnd(int num_near, const std::vector<Vector3d>& far) {
  ModelBuilder builder("row");
  const auto add = [&](const Vector3d& p) {
    testing::AddFreeBody(builder, Sphere{0.1}, 1.0, testing::Shift(p.x(), p.y(), p.z()));
  };
  for (int i = 0; i < num_near; ++i) add({0.2 * i, 0, 0});
  for (const Vector3d& p : far) add(p);
  return builder.Build();
}

TEST(Scene, WhatStandsFarOffIsLeftOutOfTheMainBounds) {
  const auto bounds = [](int num_near, const std::vector<Vector3d>& far) {
    const Model model = MakeRowAnd(num_near, far);
    const World world(model);
    const SceneDrawing scene(world.model());
    return scene.CalcMainBounds(world.body_poses());
  };
  EXPECT_EQ(bounds(5, {{0, 0, 20}}).second, Vector3d(0.9, 0.1, 0.1));
  EXPECT_EQ(bounds(7, {{0, 0, 20}}).first, Vector3d::Constant(-0.1));
  EXPECT_EQ(bounds(9, {{0, 0, 20}, {-200, 0, 3}}).second.z(), 0.1) << "one after the other";
  EXPECT_EQ(bounds(5, {{0, 0, 3}}).second.z(), 3.1) << "not so far";
  EXPECT_EQ(bounds(2, {{0, 0, 20}}).second.z(), 20.1) << "of three bodies each counts";
  EXPECT_EQ(bounds(5, {{0, 0, 20}, {0, 0, 21}}).second.z(), 21.1) << "two of seven";
}

TEST(Scene, SitesAreShownAsTheirGroupsSayAndAreNotHit) {
  ModelBuilder builder("sites");
  const int body = builder.AddBody({.name = "b"});
  builder.AddGeom({.body = body, .shape = Box{Vector3d::Ones()}});
  builder.AddVisual({.body = body, .shape = Sphere{5.0}, .is_site = true});
  builder.AddVisual({.body = body, .shape = Cylinder{5.0, 1.0}, .group = 4, .is_site = true});
  const Model model = builder.Build();
  const SceneDrawing scene(model);
  const std::vector<RigidTransform> X_WB(2);
  const auto drawn = [&](const SceneOptions& options) {
    DrawList list;
    scene.Draw(X_WB, {}, 0.002, -1, options, list);
    return std::array{Count(list, DrawPrimitive::kSphere), Count(list, DrawPrimitive::kCylinder)};
  };
  using Counts = std::array<std::size_t, 2>;
  EXPECT_EQ(drawn({}), (Counts{1, 0}));
  EXPECT_EQ(drawn({.sites = false}), (Counts{0, 0}));
  EXPECT_EQ(drawn({.groups = 1u << 4}), (Counts{0, 1}));
  EXPECT_EQ(drawn({.collision = true}), (Counts{0, 0}));
  EXPECT_EQ(scene.CalcBounds(X_WB).second, Vector3d::Ones());
  EXPECT_NEAR(scene.Pick(X_WB, {10, 0, 0}, {-1, 0, 0})->distance, 9.0, 1e-12);
}

}  // namespace
}  // namespace stiction

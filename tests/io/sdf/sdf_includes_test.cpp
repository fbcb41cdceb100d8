// Which files an SDFormat file includes; skipped by name where the build has no libsdformat.
#include <cstdlib>
#include <thread>

#include "tests/io/sdf/sdf_text.h"

namespace stiction {
namespace {

std::string SdfInclude(const std::string& uri, const std::string& inside = "") {
  return "<include><uri>" + uri + "</uri>" + inside + "</include>\n";
}
std::string SdfNamed(const std::string& name, const std::string& inside) {
  return "<sdf version='1.9'><model name='" + name + "'>\n" + inside + "</model></sdf>";
}
std::string SdfWorldOf(const std::string& inside) {
  return "<sdf version='1.9'><world name='w'>\n" + inside + "</world></sdf>";
}

class SdfIncludes : public SdfFolder {
 protected:
  // A folder with a model, which model:// finds by its name.
  void WriteModel(const std::string& folder, const std::string& inside) const {
    Write(folder + "/model.config", "<model><sdf version='1.9'>model.sdf</sdf></model>");
    Write(folder + "/model.sdf", SdfNamed(std::filesystem::path(folder).filename().string(), inside));
  }
};

TEST_F(SdfIncludes, IncludedModelsIncludeOthers) {
  WriteModel("models/wheel", SdfLink("rim"));
  WriteModel("models/axle", SdfInclude("model://wheel"));
  WriteModel("models/cart", SdfLink("bed") + SdfInclude("model://axle") + SdfInclude("model://wheel"));
  const Model model = LoadModel(Write("world.sdf", SdfWorldOf(SdfInclude("model://cart"))));
  EXPECT_EQ(model.num_bodies(), 4);
  for (const char* name : {"cart::bed", "cart::axle::wheel::rim", "cart::wheel::rim"})
    EXPECT_GE(model.FindBody(name), 0) << name;
}

// The same words in two folders.
TEST_F(SdfIncludes, RelativeOnesAreOfTheFileThatIncludes) {
  for (const char* side : {"left", "right"}) {
    const std::string folder = std::string("models/") + side;
    WriteModel(folder, SdfInclude("part.sdf"));
    Write(folder + "/part.sdf", SdfNamed("part", SdfLink(std::string(side) + "_hand")));
  }
  const Model model =
      LoadModel(Write("world.sdf", SdfWorldOf(SdfInclude("model://left") + SdfInclude("model://right"))));
  EXPECT_GE(model.FindBody("left::part::left_hand"), 0);
  EXPECT_GE(model.FindBody("right::part::right_hand"), 0);
}

TEST_F(SdfIncludes, WhatIsNotThereIsToldWithItsPlace) {
  WriteModel("models/axle", SdfLink("own") + SdfInclude("model://ghost"));
  const std::string what = Failure(Write("world.sdf", SdfWorldOf(SdfInclude("model://axle"))));
  EXPECT_NE(what.find("axle/model.sdf:3: <uri>: there is no package \"ghost\""), std::string::npos) << what;
  EXPECT_NE(what.find("GZ_SIM_RESOURCE_PATH or GAZEBO_MODEL_PATH"), std::string::npos) << what;
  // The library leaves a world out that a model includes, and says nothing.
  Write("models/axle/inner.sdf", SdfWorldOf(""));
  WriteModel("models/axle", SdfLink("own") + SdfInclude("inner.sdf"));
  const std::string left_out = Failure(Write("world.sdf", SdfWorldOf(SdfInclude("model://axle"))));
  EXPECT_NE(left_out.find("axle/model.sdf:3: <include>: "), std::string::npos) << left_out;
  WriteModel("models/axle", "<pose>1 2 3</pose>" + SdfLink("own"));
  const std::string unread = Failure(Write("world.sdf", SdfWorldOf(SdfInclude("model://axle"))));
  EXPECT_NE(unread.find("axle/model.sdf:2: "), std::string::npos) << unread;
}

TEST_F(SdfIncludes, ThreadsReadDifferentFilesAtOnce) {
  std::vector<std::thread> threads;
  std::vector<int> bodies(4, -1);
  for (int i = 0; i < 4; ++i) {
    const std::string home = "home" + std::to_string(i) + "/";
    std::string links;
    for (int k = 0; k <= i; ++k) links += SdfLink("l" + std::to_string(k));
    WriteModel(home + "models/inner", links);
    WriteModel(home + "models/outer", SdfInclude("model://inner"));
    const std::string path = Write(home + "world.sdf", SdfWorldOf(SdfInclude("model://outer")));
    threads.emplace_back([&bodies, i, path] { bodies[i] = LoadModel(path).num_bodies(); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(bodies, (std::vector{2, 3, 4, 5}));
}

TEST_F(SdfIncludes, NamesWithoutASchemeAreLookedForAsModels) {
  WriteModel("elsewhere/crate", SdfLink("l"));
  Write("elsewhere/crate/m.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  const std::string mesh =
      "<model name='m'>" +
      SdfLink("l",
              "<collision name='c'><geometry><mesh><uri>crate/m.obj</uri></mesh></geometry></collision>") +
      "</model>";
  const std::string path = Write("worlds/deep/world.sdf", SdfWorldOf(SdfInclude("crate") + mesh));
  EXPECT_NE(Failure(path).find("world.sdf:2: <uri>: no such file"), std::string::npos) << Failure(path);
  const std::string folder = (folder_ / "elsewhere").string();
  EXPECT_EQ(LoadModel(path, {.package_paths = {folder}}).num_geoms(), 1);
  for (const char* variable : {"SDF_PATH", "GZ_SIM_RESOURCE_PATH", "GAZEBO_MODEL_PATH"}) {
    setenv(variable, folder.c_str(), 1);
    EXPECT_EQ(Failure(path), "") << variable;
    unsetenv(variable);
  }
}

TEST_F(SdfIncludes, AnIncludedUrdfIsARobot) {
  const std::string link =
      "<inertial><mass value='2'/><inertia ixx='.1' ixy='0' ixz='0' iyy='.1' iyz='0' izz='.1'/></inertial>";
  Write("robots/arm/urdf/arm.urdf",
        "<robot name='arm'>\n<link name='base'>" + link + "</link>\n<link name='hand'>" + link +
            "</link>\n<joint name='j' type='revolute'><parent link='base'/><child "
            "link='hand'/><axis xyz='0 1 0'/><limit lower='-1' upper='1' "
            "effort='5' velocity='3'/></joint></robot>");
  const std::string uri = "robots/arm/urdf/arm.urdf";
  ImportReport report;
  const Model model = LoadModel(Write("world.sdf", SdfWorldOf(SdfInclude(uri))), {}, &report);
  EXPECT_EQ(model.num_bodies(), 3);
  EXPECT_EQ(model.bodies.at(model.FindBody("arm::hand")).inertia.mass, 2.0);
  ASSERT_NE(FindItem(report, "robot"), nullptr);
  EXPECT_EQ(FindItem(report, "robot")->status, ImportStatus::kApproximated) << "translated";
  for (const ImportItem& item : report.items)
    EXPECT_TRUE(item.file.ends_with("world.sdf") || item.file.ends_with("arm.urdf")) << item.file;
}

TEST_F(SdfIncludes, ThoseOfPluginsAreLeftAlone) {
  const std::string path =
      Write("world.sdf",
            SdfWorldOf("<plugin name='p' filename='f'><sdf version='1.9'>" + SdfInclude("model://ghost") +
                       "</sdf>" + SdfInclude("ghost") + "</plugin><model name='m'>" + SdfLink("l") +
                       "<foo:bar xmlns:foo='x'>" + SdfInclude("ghost") + "</foo:bar></model>"));
  EXPECT_EQ(Failure(path), "");
}

}  // namespace
}  // namespace stiction

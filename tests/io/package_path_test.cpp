// Where the meshes of a URDF are found, and where they are not looked for.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "stiction/io/load.h"

namespace stiction {
namespace {

namespace fs = std::filesystem;

const std::string kPackedMesh = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

// A folder tree that exists as long as the test, and no packages from the environment.
class PackagePath : public ::testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::canonical(::testing::TempDir()) / ("stiction_packages_" + std::to_string(getpid()));
    fs::remove_all(root_);
    for (const char* name : {"STICTION_PACKAGE_PATH", "ROS_PACKAGE_PATH", "AMENT_PREFIX_PATH"})
      unsetenv(name);
    setenv("STICTION_CACHE_DIR", "", 1);
  }
  void TearDown() override {
    fs::remove_all(root_);
    unsetenv("ROS_PACKAGE_PATH");
    unsetenv("AMENT_PREFIX_PATH");
  }

  void Write(const std::string& file, const std::string& text) const {
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file, std::ios::binary) << text;
  }
  // What loading a robot in `folder` fails with whose collision mesh is `filename`; empty if it loads.
  std::string Load(const std::string& folder, const std::string& filename,
                   const std::vector<std::string>& package_paths = {}) const {
    Write(folder + "/robot.urdf", "<robot name='r'><link name='a'><collision><geometry><mesh filename='" +
                                      filename + "'/></geometry></collision></link></robot>");
    LoadOptions options;
    for (const std::string& path : package_paths) options.package_paths.push_back((root_ / path).string());
    try {
      const Model model = LoadModel((root_ / folder / "robot.urdf").string(), options);
      return model.num_geoms() == 1 ? "" : "no geom";
    } catch (const LoadError& error) {
      return error.what();
    }
  }
  void ExpectFailure(const std::string& what, const std::string& part) const {
    EXPECT_NE(what.find(part), std::string::npos) << what;
  }

  fs::path root_;
};

TEST_F(PackagePath, FoundAboveTheModelByNameOrManifest) {
  Write("ws/arm_description/meshes/m.obj", kPackedMesh);
  EXPECT_EQ(Load("ws/arm_description/urdf/left", "package://arm_description/meshes/m.obj"), "");
  Write("ws/checkout-1.2/package.xml", "<package><!-- <name>other</name> -->\n<name> hand </name></package>");
  Write("ws/checkout-1.2/m.obj", kPackedMesh);
  EXPECT_EQ(Load("ws/checkout-1.2/a/b/c", "package://hand/m.obj"), "");
  // Beside a folder that holds the model.
  EXPECT_EQ(Load("ws/robot_description", "package://arm_description/meshes/m.obj"), "");
  EXPECT_EQ(Load("ws/robot_description", "model://arm_description/meshes/m.obj"), "");
  // Further up, a folder beside needs a manifest.
  ExpectFailure(Load("ws/x/y/z", "package://arm_description/meshes/m.obj"),
                "there is no package \"arm_description\"");
  Write("ws/arm_description/package.xml", "<package><name>arm_description</name></package>");
  EXPECT_EQ(Load("ws/x/y/z", "package://arm_description/meshes/m.obj"), "");
}

TEST_F(PackagePath, FoundInTheUsersPaths) {
  Write("lib/hand/m.obj", kPackedMesh);
  Write("lib/hand-2/package.xml", "<package><name>hand_v2</name></package>");
  Write("lib/hand-2/m.obj", kPackedMesh);
  const std::string hand = "package://hand/m.obj", second = "package://hand_v2/m.obj";
  ExpectFailure(Load("robots/r", hand), "--package-path");
  EXPECT_EQ(Load("robots/r", hand, {"lib"}), "");
  EXPECT_EQ(Load("robots/r", hand, {"nowhere", "lib/hand"}), "");
  EXPECT_EQ(Load("robots/r", second, {"lib"}), "");
  EXPECT_EQ(Load("robots/r", second, {"lib/hand-2/"}), "");
  ExpectFailure(Load("robots/r", "package://foot/m.obj", {"lib"}), (root_ / "lib").string());
  setenv("ROS_PACKAGE_PATH", ("/nowhere:" + (root_ / "lib").string()).c_str(), 1);
  EXPECT_EQ(Load("robots/r", hand), "");
  unsetenv("ROS_PACKAGE_PATH");
  Write("install/share/foot/m.obj", kPackedMesh);
  setenv("AMENT_PREFIX_PATH", (root_ / "install").string().c_str(), 1);
  EXPECT_EQ(Load("robots/r", "package://foot/m.obj"), "");
}

TEST_F(PackagePath, PlainPathsStayInTheModelsTree) {
  Write("ws/arm/meshes/m.obj", kPackedMesh);
  Write("ws/m.obj", kPackedMesh);
  EXPECT_EQ(Load("ws/arm/urdf", "../meshes/m.obj"), "");
  EXPECT_EQ(Load("ws/arm/urdf", (root_ / "ws/arm/meshes/m.obj").string()), "");
  EXPECT_EQ(Load("ws/arm/urdf", "file://" + (root_ / "ws/arm/meshes/m.obj").string()), "");
  ExpectFailure(Load("ws/arm/urdf", "../../m.obj"), "lies outside the model's folder");
  ExpectFailure(Load("ws/arm/urdf", "file://" + (root_ / "ws/m.obj").string()),
                "lies outside the model's folder");
  EXPECT_EQ(Load("ws/arm/urdf", (root_ / "ws/m.obj").string(), {"ws"}), "");
  ExpectFailure(Load("ws/arm/urdf", "../meshes/missing.obj"),
                "no such file: " + (root_ / "ws/arm/meshes/missing.obj").string());
  ExpectFailure(Load("ws/arm/urdf", "http://host/m.obj"), "only package://");
  // All of the model's own package is its tree.
  Write("ws/package.xml", "<package><name>whole</name></package>");
  EXPECT_EQ(Load("ws/arm/urdf", "../../m.obj"), "");
}

TEST_F(PackagePath, NothingLeadsOutOfAPackage) {
  Write("ws/arm/m.obj", kPackedMesh);
  Write("outside.obj", kPackedMesh);
  fs::create_symlink(root_ / "outside.obj", root_ / "ws/arm/link.obj");
  ExpectFailure(Load("ws/arm", "package://arm/../../outside.obj"), "leads out of the package's folder");
  ExpectFailure(Load("ws/arm", "package://arm/link.obj"), "leads out of the package's folder");
  ExpectFailure(Load("ws/arm", "link.obj"), "lies outside the model's folder");
  // Build tools make such links; the user has named the folder.
  EXPECT_EQ(Load("robots/r", "package://arm/link.obj", {"ws"}), "");
  ExpectFailure(Load("ws/arm", "package://../outside.obj"), "must read package://name/path");
  ExpectFailure(Load("ws/arm", "package://arm"), "must read package://name/path");
  ExpectFailure(Load("ws/arm", "package://etc/passwd"), "there is no package \"etc\"");
}

}  // namespace
}  // namespace stiction

#include "stiction/io/model_source.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "stiction/io/load.h"
#include "stiction/io/log.h"
#include "stiction/io/problem_file.h"
#include "stiction/io/state_file.h"
#include "stiction/model/model_builder.h"

namespace stiction {
namespace {

namespace fs = std::filesystem;

class ModelSourceTest : public ::testing::Test {
 protected:
  ModelSourceTest() {
    fs::create_directories(folder_ / "logs");
    std::ofstream(folder_ / "ball.xml") << kBall;
  }
  ~ModelSourceTest() override { fs::remove_all(folder_); }

  std::string Path(const std::string& name) const { return folder_ / name; }

  void WriteEmptyLog(const std::string& path, const ModelSource& source) const {
    LogHeader header;
    header.model = "ball";
    header.source = source;
    LogWriter::Open(path, header)->Close();
  }
  void WriteDefaultState(const std::string& path, const ModelSource& source) const {
    const Model model = LoadModel(Path("ball.xml"));
    WriteState(path, model, State::Default(model), source);
  }

  static constexpr const char* kBall =
      "<!-- a ball --><mujoco model='ball'><worldbody><body><freejoint/><geom size='.1'/></body></worldbody>"
      "</mujoco>";
  const fs::path folder_ = fs::path(::testing::TempDir()) / ("stiction_source_" + std::to_string(getpid()));
};

TEST_F(ModelSourceTest, KindsAreToldByWhatIsInTheFile) {
  std::ofstream(Path("pile")) << "<scenario/>";
  std::ofstream(Path("arm")) << "<?xml version='1.0'?>\n<robot name='arm'/>";
  std::ofstream(Path("table")) << "time,q0\n0,1\n";
  std::ofstream(Path("page")) << "<html/>";
  std::ofstream(Path("picture.xml")) << "\x89PNG\r\n";
  std::ofstream(Path("problem")) << "{\"name\": \"p\", \"nv\": 0}";
  WriteDefaultState(Path("state"), {});
  EXPECT_EQ(FindFileKind(Path("ball.xml")), FileKind::kModel);
  EXPECT_EQ(FindFileKind(Path("arm")), FileKind::kModel);
  EXPECT_EQ(FindFileKind(Path("pile")), FileKind::kScenario);
  EXPECT_EQ(FindFileKind(Path("table")), FileKind::kLog);
  EXPECT_EQ(FindFileKind(Path("state")), FileKind::kState);
  EXPECT_EQ(FindFileKind(Path("problem")), FileKind::kProblem);
  for (const char* name : {"page", "picture.xml", "missing", "logs"})
    EXPECT_EQ(FindFileKind(Path(name)), FileKind::kUnknown) << name;
}

TEST_F(ModelSourceTest, AStateKnowsItsModel) {
  const ModelSource source{.file = Path("ball.xml"),
                           .floating_base = true,
                           .ground = -0.25,
                           .package_paths = {"/a", "/b c"},
                           .contact = "soft",
                           .repairs = {.infer_inertia = 0.1,
                                       .skip_missing_meshes = true,
                                       .repair_inertia = true,
                                       .several_roots = true},
                           .xacro_arguments = {"name:=left"}};
  WriteDefaultState(Path("logs/state.json"), source);
  const ModelMention mention = ReadModelMention(Path("logs/state.json"));
  EXPECT_EQ(mention.name, "ball");
  EXPECT_EQ(mention.source, source);
  const Model model = LoadModel(Path("ball.xml"));
  EXPECT_EQ(ReadState(Path("logs/state.json"), model).q, model.q0);
  WriteDefaultState(Path("state.json"), {});
  EXPECT_EQ(ReadModelMention(Path("state.json")).source, ModelSource{});
}

// A folder with model and states that was moved as a whole; the old one is gone.
TEST_F(ModelSourceTest, AModelThatMovedAlongIsFound) {
  WriteDefaultState(Path("logs/state.json"), {.file = Path("ball.xml")});
  const fs::path moved = folder_ / "elsewhere";
  fs::create_directories(moved);
  fs::rename(folder_ / "logs", moved / "logs");
  EXPECT_EQ(ReadModelMention(moved / "logs/state.json").source.file, Path("ball.xml")) << "where it was";
  fs::rename(folder_ / "ball.xml", moved / "ball.xml");
  EXPECT_EQ(ReadModelMention(moved / "logs/state.json").source.file, (moved / "ball.xml").string());
  fs::remove(moved / "ball.xml");
  EXPECT_EQ(ReadModelMention(moved / "logs/state.json").source.file, Path("ball.xml")) << "as it was written";
}

TEST_F(ModelSourceTest, WhatIsDamagedIsLeftOut) {
  for (const char* source : {"7", "{\"file\": 7, \"ground\": \"x\", \"package_paths\": [1, {}]}", "null"}) {
    std::ofstream(Path("s.json")) << "{\"stiction_state\": 6, \"model\": [], \"model_source\": " << source
                                  << "}";
    const ModelMention mention = ReadModelMention(Path("s.json"));
    EXPECT_EQ(mention.name, "");
    EXPECT_EQ(mention.source, ModelSource{}) << source;
  }
  EXPECT_THROW(ReadModelMention(Path("ball.xml")), LoadError);
  EXPECT_THROW(ReadModelMention(Path("missing")), LoadError);
}

TEST_F(ModelSourceTest, ACsvLogSaysNothing) {
  WriteEmptyLog(Path("a.csv"), {.file = Path("ball.xml")});
  EXPECT_EQ(FindFileKind(Path("a.csv")), FileKind::kLog);
  EXPECT_EQ(ReadModelMention(Path("a.csv")).name, "");
  EXPECT_EQ(ReadModelMention(Path("a.csv")).source, ModelSource{});
}

// Instead of "not UTF-8".
TEST_F(ModelSourceTest, WhatIsNoModelIsRefusedByItsName) {
  WriteDefaultState(Path("state.json"), {});
  WriteEmptyLog(Path("a.csv"), {});
  std::ofstream(Path("problem.json")) << "{\"name\": \"p\", \"nv\": 0}";
  const auto refuse = [&](const char* name) -> std::string {
    try {
      LoadModel(Path(name));
    } catch (const LoadError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(refuse("state.json").find("a saved state"), std::string::npos) << refuse("state.json");
  EXPECT_NE(refuse("a.csv").find("a log"), std::string::npos) << refuse("a.csv");
  EXPECT_NE(refuse("problem.json").find("stiction solve"), std::string::npos) << refuse("problem.json");
}

#ifdef STICTION_WITH_HDF5
TEST_F(ModelSourceTest, AnHdf5LogKnowsItsModel) {
  const ModelSource source{.file = Path("ball.xml"), .ground = 0.0, .contact = "rigid"};
  WriteEmptyLog(Path("logs/a.h5"), source);
  EXPECT_EQ(FindFileKind(Path("logs/a.h5")), FileKind::kLog);
  EXPECT_EQ(ReadModelMention(Path("logs/a.h5")).name, "ball");
  EXPECT_EQ(ReadModelMention(Path("logs/a.h5")).source, source);
  WriteEmptyLog(Path("b.h5"), {.file = "scene:clutter:count=4"});
  EXPECT_EQ(ReadModelMention(Path("b.h5")).source.file, "scene:clutter:count=4");
  WriteEmptyLog(Path("c.h5"), {});
  EXPECT_EQ(ReadModelMention(Path("c.h5")).source, ModelSource{});
}
#endif

}  // namespace
}  // namespace stiction

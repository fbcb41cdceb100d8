#include "live/file_list.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace stiction::viewer {
namespace {

namespace fs = std::filesystem;

class FileList : public ::testing::Test {
 protected:
  FileList() : folder_(fs::path(::testing::TempDir()) / ("file_list_" + std::to_string(getpid()))) {
    fs::create_directories(folder_ / "models" / "inner");
    for (const char* name : {"Arm.xml", "arm_2.xml", "charm.xml", "notes.txt", ".hidden.xml"})
      std::ofstream(folder_ / name) << "text";
    fs::create_symlink(folder_ / "nowhere", folder_ / "link.xml");
  }
  ~FileList() override { fs::remove_all(folder_); }

  std::vector<FileEntry> List() {
    return ListFolder(
        folder_.string() + "/", [](const std::string& name) { return name.ends_with(".xml"); }, error_);
  }
  static std::vector<std::string> Names(const std::vector<FileEntry>& entries) {
    std::vector<std::string> names;
    for (const FileEntry& entry : entries) names.push_back(entry.name);
    return names;
  }

  fs::path folder_;
  std::string error_;
};

TEST_F(FileList, FoldersComeFirstAndWhatIsNotWantedIsLeftOut) {
  EXPECT_EQ(Names(List()),
            (std::vector<std::string>{"models", "Arm.xml", "arm_2.xml", "charm.xml", "link.xml"}));
  EXPECT_EQ(error_, "");
  EXPECT_EQ(List()[1].size, 4u);
}

TEST_F(FileList, AFolderThatIsNotThereSaysSo) {
  ListFolder((folder_ / "none").string(), [](const std::string&) { return true; }, error_);
  EXPECT_NE(error_, "");
}

TEST_F(FileList, WhatIsTypedFiltersWhateverItsCase) {
  EXPECT_EQ(Names(FilterFiles(List(), "ARM")),
            (std::vector<std::string>{"Arm.xml", "arm_2.xml", "charm.xml"}));
  EXPECT_TRUE(FilterFiles(List(), "robot").empty());
}

TEST_F(FileList, PathsAreCompletedAsFarAsTheNamesAgree) {
  const std::string here = folder_.string() + "/";
  EXPECT_EQ(CompletePath(here + "c", List()), here + "charm.xml");
  EXPECT_EQ(CompletePath(here + "mo", List()), here + "models/");
  EXPECT_EQ(CompletePath(here + "robot", List()), here + "robot");
  std::vector<FileEntry> alike{{"stack_1.xml", false, 0}, {"stack_10.xml", false, 0}};
  EXPECT_EQ(CompletePath("s", alike), "stack_1");
}

TEST_F(FileList, ATildeIsTheHome) {
  ASSERT_EQ(setenv("HOME", folder_.c_str(), 1), 0);
  EXPECT_EQ(SplitPath("~/models/a").folder, folder_.string() + "/models/");
  EXPECT_EQ(SplitPath("~/models/a").name, "a");
  EXPECT_EQ(SplitPath("/some/where/~/models/a").folder, folder_.string() + "/models/") << "pasted behind";
  EXPECT_EQ(SplitPath("/some/where//opt/arm.xml").folder, "/opt/");
  EXPECT_EQ(SplitPath("plain.xml").folder, "");
}

}  // namespace
}  // namespace stiction::viewer

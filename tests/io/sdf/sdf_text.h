// SDFormat files as texts, for tests that are skipped by name where the build has no libsdformat.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/io/model_text.h"

namespace stiction {

inline constexpr double kSdfTolerance = 1e-14;  // a few roundings of numbers of size one

#ifdef STICTION_WITH_SDFORMAT
inline constexpr bool kHasSdformat = true;
#else
inline constexpr bool kHasSdformat = false;
#endif

inline const std::string kSdfInertial =
    "<inertial><mass>2</mass><inertia><ixx>.1</ixx><iyy>.1</iyy><izz>.1</izz></inertia></inertial>";

inline std::string SdfModel(const std::string& inside, const std::string& version = "1.9") {
  return "<sdf version='" + version + "'><model name='m'>\n" + inside + "</model></sdf>";
}
inline std::string SdfLink(const std::string& name, const std::string& inside = "") {
  return "<link name='" + name + "'>" + kSdfInertial + inside + "</link>\n";
}
inline std::string SdfJoint(const std::string& type, const std::string& inside,
                            const std::string& parent = "a", const std::string& child = "b",
                            const std::string& name = "j") {
  return "<joint name='" + name + "' type='" + type + "'><parent>" + parent + "</parent><child>" + child +
         "</child>" + inside + "</joint>\n";
}
inline const std::string kSdfAxis = "<axis><xyz>0 0 1</xyz></axis>";

class Sdf : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!kHasSdformat) GTEST_SKIP() << "this build has no libsdformat";
  }
};

// Files in a folder of their own.
class SdfFolder : public Sdf {
 protected:
  SdfFolder()
      : folder_(std::filesystem::path(::testing::TempDir()) / ("stiction_sdf_" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~SdfFolder() override {
    std::error_code error;
    std::filesystem::remove_all(folder_, error);
  }
  // The file with this text, in folders that are made for it.
  std::string Write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  static std::string Failure(const std::string& path, const LoadOptions& options = {}) {
    try {
      LoadModel(path, options);
    } catch (const LoadError& error) {
      return error.what();
    }
    return "";
  }
  std::filesystem::path folder_;
};

}  // namespace stiction

// SDFormat files as texts, for tests that are skipped by name where the build has no libsdformat.
#pragma once

#include <gtest/gtest.h>

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

}  // namespace stiction

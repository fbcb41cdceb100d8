#include "stiction/io/table_file.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <stdexcept>

#include "tests/io/temporary_file.h"

namespace stiction {
namespace {

using Numbers = std::vector<double>;
using Texts = std::vector<std::string>;

std::string ReadTable(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return std::move(text).str();
}

TEST(TableFile, CsvHasShortNumbersAndQuotesTexts) {
  const TemporaryFile file("", ".csv");
  WriteTable(file.path(), {{"case", Numbers{0, 100000, -3}},
                           {"a,b", Texts{"plain", "with \"quotes\"", "two\nlines"}},
                           {"x", Numbers{0.1, -0.0, std::nan("")}}});
  EXPECT_EQ(ReadTable(file.path()),
            "case,\"a,b\",x\n0,plain,0.1\n100000,\"with \"\"quotes\"\"\",-0\n-3,\"two\nlines\",nan\n");
}

TEST(TableFile, NumbersReadBackBitForBit) {
  const TemporaryFile file("", ".csv");
  const Numbers numbers{1.0 / 3.0, 5e-324, 1e300, 123456789012345.0, 1e15, 1e22, -2.0 / 7.0};
  WriteTable(file.path(), {{"x", numbers}});
  std::istringstream in(ReadTable(file.path()));
  std::string line;
  std::getline(in, line);
  for (const double number : numbers) {
    std::getline(in, line);
    EXPECT_EQ(std::strtod(line.c_str(), nullptr), number) << line;
  }
}

TEST(TableFile, RefusesWhatIsNoTable) {
  const TemporaryFile file("", ".csv");
  EXPECT_THROW(WriteTable("table.txt", {}), std::runtime_error);
  EXPECT_THROW(WriteTable("/nowhere/table.csv", {{"x", Numbers{1}}}), std::runtime_error);
  EXPECT_THROW(WriteTable(file.path(), {{"x", Numbers{1}}, {"y", Numbers{1, 2}}}), std::runtime_error);
  EXPECT_THROW(WriteTable(file.path(), {{"x", Numbers{1}}, {"x", Texts{"a"}}}), std::runtime_error);
}

// Who cannot write leaves what was there, and nothing beside it.
TEST(TableFile, ReplacesTheFileAsAWhole) {
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "stiction_table_folder";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder / "table.csv" / "not_empty");  // so that renaming fails
  EXPECT_THROW(WriteTable((folder / "table.csv").string(), {{"x", Numbers{1}}}), std::exception);
  int count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder)) ++count;
  EXPECT_EQ(count, 1);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace stiction

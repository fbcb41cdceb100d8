#include "stiction/contact/registry.h"

#include <gtest/gtest.h>

#include <set>

namespace stiction {
namespace {

std::string ReadOption(ContactSolver& solver, const std::string& name) {
  for (const SolverOption& option : solver.ListOptions()) {
    if (option.name == name) return option.FormatValue();
  }
  ADD_FAILURE() << "no option " << name;
  return "";
}

bool Contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Registry, UnknownSolverIsNull) {
  EXPECT_EQ(MakeSolver("gauss"), nullptr);
  EXPECT_EQ(MakeSolver(""), nullptr);
  EXPECT_EQ(MakeSolver("AUTO"), nullptr);
}

TEST(Registry, EverySolverGoesByItsName) {
  EXPECT_STREQ(ListSolvers().front().name, kDefaultSolver);
  std::set<std::string> names;
  for (const SolverEntry& entry : ListSolvers()) {
    const auto solver = MakeSolver(entry.name);
    ASSERT_NE(solver, nullptr) << entry.name;
    EXPECT_STREQ(solver->name(), entry.name);
    EXPECT_STRNE(entry.summary, "");
    EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
  }
}

TEST(Registry, OptionsHaveDefaultsInTheirRangeAndDescriptions) {
  for (const SolverEntry& entry : ListSolvers()) {
    const auto solver = entry.Make();
    std::set<std::string> names;
    for (const SolverOption& option : solver->ListOptions()) {
      // What is shown can be set: in its range, and of its type.
      const std::string text = option.FormatValue();
      EXPECT_EQ(option.Set(text), "") << entry.name << " " << option.name;
      EXPECT_EQ(option.FormatValue(), text) << entry.name << " " << option.name;
      EXPECT_FALSE(option.FormatRange().empty()) << entry.name << " " << option.name;
      EXPECT_FALSE(option.description.empty()) << entry.name << " " << option.name;
      EXPECT_TRUE(names.insert(option.name).second) << entry.name << " " << option.name;
    }
  }
}

TEST(SetSolverOption, SetsTheValue) {
  const auto solver = MakeSolver("canal");
  EXPECT_EQ(SetSolverOption(*solver, "c", "2.5e3"), "");
  EXPECT_EQ(ReadOption(*solver, "c"), "2500");
  EXPECT_EQ(SetSolverOption(*solver, "max_newton", "25"), "");
  EXPECT_EQ(ReadOption(*solver, "max_newton"), "25");
  EXPECT_EQ(SetSolverOption(*solver, "max_newton", "1e3"), "");
  EXPECT_EQ(ReadOption(*solver, "max_newton"), "1000");
}

TEST(SetSolverOption, NamesWhatIsWrongAndKeepsTheValue) {
  const auto solver = MakeSolver("nbgs_c");
  const std::string before = ReadOption(*solver, "max_sweeps");
  EXPECT_TRUE(Contains(SetSolverOption(*solver, "max_sweep", "3"), "no option 'max_sweep'"));
  EXPECT_TRUE(Contains(SetSolverOption(*solver, "max_sweep", "3"), "tolerance, max_sweeps"));
  for (const char* text : {"", "many", "1x", " 1", "0x10", "nan", "inf"}) {
    EXPECT_TRUE(Contains(SetSolverOption(*solver, "max_sweeps", text), "is not a number")) << text;
  }
  EXPECT_TRUE(Contains(SetSolverOption(*solver, "max_sweeps", "2.5"), "is not an integer"));
  EXPECT_TRUE(Contains(SetSolverOption(*solver, "max_sweeps", "0"), "outside its range"));
  EXPECT_TRUE(Contains(SetSolverOption(*solver, "max_sweeps", "-1"), "outside its range"));
  EXPECT_EQ(ReadOption(*solver, "max_sweeps"), before);
}

TEST(SetSolverOption, FlagsAndChoicesGoByNameOrNumber) {
  const auto solver = MakeSolver("padmm");
  for (const auto& [text, value] :
       {std::pair{"0", "false"}, {"1", "true"}, {"false", "false"}, {"true", "true"}}) {
    EXPECT_EQ(SetSolverOption(*solver, "square_root", text), "");
    EXPECT_EQ(ReadOption(*solver, "square_root"), value) << text;
  }
  EXPECT_TRUE(Contains(SetSolverOption(*solver, "square_root", "2"), "'2' is neither true nor false"));
  EXPECT_EQ(ReadOption(*solver, "policy"), "balanced");
  for (const auto& [text, value] :
       {std::pair{"3", "spectral"}, {"normalised", "normalised"}, {"0", "fixed"}}) {
    EXPECT_EQ(SetSolverOption(*solver, "policy", text), "");
    EXPECT_EQ(ReadOption(*solver, "policy"), value) << text;
  }
  for (const char* text : {"4", "-1", "0.5", "Fixed", ""}) {
    EXPECT_TRUE(
        Contains(SetSolverOption(*solver, "policy", text), "is not fixed, balanced, normalised or spectral"))
        << text;
  }
  EXPECT_EQ(ReadOption(*solver, "policy"), "fixed");
}

TEST(SetSolverOption, ReachesOneSolverOnly) {
  const auto a = MakeSolver("auto"), b = MakeSolver("auto");
  EXPECT_EQ(SetSolverOption(*a, "sweeps", "7"), "");
  EXPECT_EQ(ReadOption(*a, "sweeps"), "7");
  EXPECT_NE(ReadOption(*b, "sweeps"), "7");
}

}  // namespace
}  // namespace stiction

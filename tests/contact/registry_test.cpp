#include "stiction/contact/registry.h"

#include <gtest/gtest.h>

#include <set>

namespace stiction {
namespace {

double ReadOption(ContactSolver& solver, const std::string& name) {
  for (const SolverOption& option : solver.ListOptions()) {
    if (option.name == name) return *option.value;
  }
  ADD_FAILURE() << "no option " << name;
  return 0.0;
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
  EXPECT_STREQ(ListSolvers().front().name, "auto");
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
    const auto solver = entry.make();
    std::set<std::string> names;
    for (const SolverOption& option : solver->ListOptions()) {
      ASSERT_NE(option.value, nullptr);
      EXPECT_GE(*option.value, option.minimum) << entry.name << " " << option.name;
      EXPECT_LE(*option.value, option.maximum) << entry.name << " " << option.name;
      EXPECT_FALSE(option.description.empty()) << entry.name << " " << option.name;
      EXPECT_TRUE(names.insert(option.name).second) << entry.name << " " << option.name;
    }
  }
}

TEST(SetSolverOption, SetsTheValue) {
  const auto solver = MakeSolver("canal");
  EXPECT_EQ(SetSolverOption(*solver, "c", "2.5e3"), "");
  EXPECT_EQ(ReadOption(*solver, "c"), 2500.0);
  EXPECT_EQ(SetSolverOption(*solver, "max_newton", "25"), "");
  EXPECT_EQ(ReadOption(*solver, "max_newton"), 25.0);
}

TEST(SetSolverOption, NamesWhatIsWrongAndKeepsTheValue) {
  const auto solver = MakeSolver("nbgs_c");
  const double before = ReadOption(*solver, "max_sweeps");
  EXPECT_TRUE(Contains(SetSolverOption(*solver, "max_sweep", "3"), "no option 'max_sweep'"));
  EXPECT_TRUE(Contains(SetSolverOption(*solver, "max_sweep", "3"), "max_sweeps, tolerance"));
  for (const char* text : {"", "many", "1x", " 1", "0x10", "nan", "inf"}) {
    EXPECT_TRUE(Contains(SetSolverOption(*solver, "max_sweeps", text), "is not a number")) << text;
  }
  EXPECT_TRUE(Contains(SetSolverOption(*solver, "max_sweeps", "2.5"), "is not an integer"));
  EXPECT_TRUE(Contains(SetSolverOption(*solver, "max_sweeps", "0"), "outside its range"));
  EXPECT_TRUE(Contains(SetSolverOption(*solver, "max_sweeps", "-1"), "outside its range"));
  EXPECT_EQ(ReadOption(*solver, "max_sweeps"), before);
}

TEST(SetSolverOption, ReachesOneSolverOnly) {
  const auto a = MakeSolver("auto"), b = MakeSolver("auto");
  EXPECT_EQ(SetSolverOption(*a, "sweeps", "7"), "");
  EXPECT_EQ(ReadOption(*a, "sweeps"), 7.0);
  EXPECT_NE(ReadOption(*b, "sweeps"), 7.0);
}

}  // namespace
}  // namespace stiction

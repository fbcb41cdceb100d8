// The parts of which the MJCF reader consists, each alone: names, defaults, and sections on a context that a
// test fills by hand.
#include "io/mjcf/context.h"

#include <gtest/gtest.h>

#include "io/mjcf/sections.h"
#include "io/xml/reader.h"
#include "tests/io/temporary_file.h"

namespace stiction::mjcf {
namespace {

std::unique_ptr<xml::Element> Parse(std::string_view text) {
  const TemporaryFile file(text, ".xml");
  return xml::ReadFile(file.path());
}

// What `call` throws, without file and line; empty if it does not throw.
template <typename Call>
std::string FailureOf(const Call& call) {
  try {
    call();
  } catch (const LoadError& error) {
    return error.message();
  }
  return "";
}

TEST(MjcfNameTable, FindsWhatWasAddedAndRefusesNamesTwice) {
  const auto element = Parse("<actuator joint='elbow' tendon='cord'/>");
  NameTable<int> joints("joint", false);
  joints.Add(*element, "elbow", 3);
  EXPECT_EQ(*joints.Resolve(*element, "joint"), 3);
  EXPECT_EQ(FailureOf([&] { joints.Add(*element, "elbow", 4); }),
            "the name \"elbow\" is taken by another joint; rename one");
  EXPECT_FALSE(joints.AddIfNew("elbow", 5));
  EXPECT_EQ(joints.Require(*element, "joint"), 3);
  EXPECT_EQ(FailureOf([&] { joints.Resolve(*element, "tendon"); }), "unknown joint \"cord\"");
  EXPECT_EQ(FailureOf([&] { joints.Resolve(*element, "body"); }), "needs the attribute \"body\"");
}

// Of an attached body's file, what is not here may stand beside it.
TEST(MjcfNameTable, PartialTablesLeaveOutWhatIsNotHere) {
  const auto element = Parse("<actuator joint='elbow'/>");
  const NameTable<int> joints("joint", true);
  EXPECT_EQ(joints.Resolve(*element, "joint"), nullptr);
  EXPECT_FALSE(element->fate().status);
  EXPECT_EQ(joints.ResolveOrNote(*element, "joint"), nullptr);
  EXPECT_EQ(element->fate().why, kNotAttached);
  EXPECT_EQ(FailureOf([&] { joints.Require(*element, "joint"); }), "unknown joint \"elbow\"");
  EXPECT_FALSE(joints.HasNamed(*element, "joint"));
  EXPECT_TRUE(joints.HasNamed(*element, "tendon"));
}

TEST(MjcfDefaultClasses, InheritDownTheTreeAlone) {
  const auto root = Parse(
      "<default><geom friction='0.5'/>"
      "  <default class='outer'><geom priority='1'/>"
      "    <default class='inner'><geom size='0.1'/></default>"
      "  </default>"
      "  <default class='beside'><joint damping='2'/></default>"
      "  <geom condim='4'/>"
      "</default>");
  Defaults defaults;
  defaults.Read(*root, Compiler{});
  const auto element =
      Parse("<body childclass='outer'><geom class='inner'/><geom class='beside'/><geom/></body>");
  const int outer = defaults.FindClass(*element, "childclass", Defaults::kMain);
  EXPECT_EQ(defaults[outer].geom.priority, 1);
  EXPECT_EQ(defaults[outer].geom.size[0], 0.0);

  const GeomSpec& inner = defaults.Of(*element->children()[0], outer).geom;
  EXPECT_EQ(inner.friction, 0.5);
  EXPECT_EQ(inner.condim, 4);  // although it stands behind the nested classes
  EXPECT_EQ(inner.priority, 1);
  EXPECT_EQ(inner.size[0], 0.1);

  const DefaultClass& beside = defaults.Of(*element->children()[1], outer);
  EXPECT_EQ(beside.geom.priority, 0);
  EXPECT_EQ(beside.joint.damping[0], 2.0);
  // An element without a class has the one in which it stands.
  EXPECT_EQ(&defaults.Of(*element->children()[2], outer), &defaults[outer]);
  EXPECT_EQ(&defaults.Of(*element->children()[2]), &defaults[Defaults::kMain]);
}

TEST(MjcfDefaultClasses, RefuseUnknownAndRepeatedNames) {
  const auto root = Parse("<default><default class='a'/></default>");
  Defaults defaults;
  defaults.Read(*root, Compiler{});
  EXPECT_EQ(FailureOf([&] { defaults.Read(*root, Compiler{}); }),
            "the default class \"a\" exists already; every class needs a name of its own");
  const auto geom = Parse("<geom class='b'/>");
  EXPECT_EQ(FailureOf([&] { defaults.Of(*geom); }),
            "unknown default class \"b\"; define it in a <default> section");
}

// A body with a hinge "elbow", as <worldbody> would have left it.
void AddElbow(Context& context) {
  const int body = context.builder.AddBody({.name = "arm", .parent = 0});
  context.builder.SetInertia(body, {.mass = 1.0, .I_BBcm_B = Matrix3d::Identity()});
  context.table.bodies.push_back(nullptr);
  context.names.joints.AddIfNew("elbow", context.builder.AddJoint(body, {.name = "elbow"}));
  context.table.joints.push_back(nullptr);
}

TEST(MjcfSections, TendonsAreReadFromNamesAlone) {
  const LoadOptions options;
  Context context("", options);
  AddElbow(context);
  const auto section =
      Parse("<tendon><fixed name='cord' stiffness='7'><joint joint='elbow' coef='-2'/></fixed></tendon>");
  ReadTendons(context, *section);
  const int* index = context.names.tendons.Find("cord");
  ASSERT_NE(index, nullptr);
  const Model model = context.builder.Build();
  ASSERT_EQ(model.tendons.size(), 1u);
  EXPECT_EQ(model.tendons[*index].stiffness, 7.0);
  const auto& term = std::get<FixedTendon>(model.tendons[*index].path).terms.at(0);
  EXPECT_EQ(model.joints[term.joint].name, "elbow");
  EXPECT_EQ(term.coefficient, -2.0);
}

TEST(MjcfSections, FlagsOfOptionsHoldForLaterSections) {
  const LoadOptions options;
  Context context("", options);
  AddElbow(context);
  ReadOption(context, *Parse("<option timestep='0.01'><flag spring='disable'/></option>"));
  EXPECT_EQ(context.builder.options().timestep, 0.01);
  ReadTendons(context,
              *Parse("<tendon><fixed stiffness='7'><joint joint='elbow' coef='1'/></fixed></tendon>"));
  EXPECT_EQ(context.builder.Build().tendons.at(0).stiffness, 0.0);
}

// An actuator of a joint beside the attached body is left out, and counts among the file's controls.
TEST(MjcfSections, ActuatorsOfOneBodyAlone) {
  const LoadOptions options;
  Context context("", options, "arm", 1);
  AddElbow(context);
  const auto section =
      Parse("<actuator><motor name='a' joint='wrist'/><motor name='b' joint='elbow'/></actuator>");
  ReadActuators(context, *section);
  EXPECT_EQ(context.actuator_of_ctrl, (std::vector<int>{-1, 0}));
  EXPECT_EQ(*context.names.actuators.Find("a"), -1);
  EXPECT_EQ(*context.names.actuators.Find("b"), 0);
  EXPECT_EQ(section->children()[0]->fate().why, kNotAttached);

  Context whole("", options);
  AddElbow(whole);
  const auto again = Parse("<actuator><motor name='a' joint='wrist'/></actuator>");
  EXPECT_EQ(FailureOf([&] { ReadActuators(whole, *again); }), "unknown joint \"wrist\"");
}

}  // namespace
}  // namespace stiction::mjcf

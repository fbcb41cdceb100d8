// Wrong files end in a LoadError that names file, line and what to do, and never in a crash.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <random>
#include <sstream>

#include "io/mesh/mesh_file.h"
#include "io/xml/reader.h"
#include "tests/io/model_text.h"
#include "tests/support/shared_files.h"

namespace stiction {
namespace {

std::string Mjcf(const std::string& body, const std::string& sections = "") {
  return "<mujoco>\n" + sections + "\n<worldbody><body name='b'>" + body + "</body></worldbody></mujoco>";
}

std::string Urdf(const std::string& inside) {
  return "<robot name='r'>" + inside + "</robot>";
}

struct Case {
  std::string text;
  std::string message;  // part of what the error must say
};

void ExpectFailures(const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    const std::string what = LoadFailure(c.text);
    EXPECT_NE(what.find(c.message), std::string::npos) << c.text.substr(0, 300) << "\n  says: " << what;
  }
}

TEST(Malformed, Xml) {
  std::string deep = "<mujoco>", wide = "<mujoco ";
  for (int i = 0; i < 20'000; ++i) deep += "<a>";
  for (int i = 0; i < 20'000; ++i) wide.append("a").append(std::to_string(i)).append("='' ");
  ExpectFailures({
      {"", "empty"},
      {" \n\t\n", "root"},
      {"<mujoco>", "end tag is missing"},
      {"<mujoco><a></b></mujoco>", "does not match"},
      {"<mujoco model='a' model='b'/>", "repeated"},
      {"<mujoco/><mujoco/>", "second root"},
      {"<!DOCTYPE m [<!ENTITY a 'b'>]><mujoco/>", "DOCTYPE"},
      {"<mujoco model='\xff'/>", "UTF-8"},
      {"<mujoco model='\xc0\xaf'/>", "UTF-8"},
      {"\x1f\x8b\x08 packed", "gzip"},
      {"PK\x03\x04 packed", "ZIP"},
      {"\xff\xfe<", "UTF-16"},
      {deep, "nested"},
      {wide + "/>", "too many"},
      {"<mujocoinclude/>", "a part of a model; load the file that includes it"},
      {"<collada/>", "expected <robot> (URDF), <mujoco> (MJCF) or <sdf> (SDFormat)"},
  });
  EXPECT_THROW(LoadModel("/nonexistent/model.xml"), LoadError);
  EXPECT_THROW(LoadModel("/"), LoadError);
}

// tinyxml2's bound is the one that messages name, whatever stands innermost.
TEST(Malformed, ElementsNestAsDeepAsTheMessageSays) {
  const auto nest = [](int depth, const std::string& inside) {
    std::string text = "<mujoco>";
    for (int i = 1; i < depth; ++i) text += "<a>\n";
    text += inside;
    for (int i = 1; i < depth; ++i) text += "</a>";
    return text + "</mujoco>";
  };
  for (const char* inside : {"", "words", "<!-- words -->"}) {
    EXPECT_EQ(LoadFailure(nest(xml::kMaxDepth, inside)), "") << inside;
    const std::string what = LoadFailure(nest(xml::kMaxDepth + 1, inside));
    EXPECT_NE(what.find("nested deeper than " + std::to_string(xml::kMaxDepth) + " levels"),
              std::string::npos)
        << what;
    EXPECT_NE(what.find(":" + std::to_string(xml::kMaxDepth) + ": "), std::string::npos) << what;
  }
}

// References, ranges and counts in every section, and what becomes of each.
TEST(Malformed, MjcfReferencesRangesAndCounts) {
  const auto after = [](const std::string& section) {
    return "<mujoco>\n<worldbody><body name='b'><joint name='j'/><geom name='g' size='1'/><site "
           "name='s'/></body>"
           "<body name='c' pos='3 0 0'><freejoint name='k'/><geom name='h' size='1'/><site name='t'/></body>"
           "</worldbody>\n" +
           section + "</mujoco>";
  };
  const auto before = [](const std::string& section, const std::string& geom) {
    return "<mujoco>\n" + section + "\n<worldbody>" + geom + "</worldbody></mujoco>";
  };
  const std::vector<Case> cases{
      {after("<tendon><fixed name='f'><joint joint='ghost' coef='1'/></fixed></tendon>"),
       ":3: <joint>: unknown joint"},
      {after("<tendon><spatial name='f'><site site='s'/><site site='t'/><pulley divisor='0'/><site site='s'/>"
             "<site site='t'/></spatial></tendon>"),
       "the divisor must be positive"},
      {after("<tendon><spatial name='f'><geom geom='g'/><site site='s'/><site site='t'/></spatial></tendon>"),
       "needs a site before and after it"},
      {after("<equality><weld body1='b' body2='c' relpose='0 0 0 0 0 0'/></equality>"),
       "relpose needs 7 numbers"},
      {after("<equality><joint joint1='j' joint2='j'/></equality>"), "cannot follow itself"},
      {after("<equality><joint joint1='j' polycoef='0 nan 0 0 0'/></equality>"), "not a finite number"},
      {after("<actuator>\n<motor name='m'/></actuator>"), ":4: <motor name=\"m\">: acts on nothing"},
      {after("<actuator><motor joint='j' gear='1 2 3 4 5 6 7'/></actuator>"),
       "gear needs 1 to 6 numbers, got 7"},
      {after("<actuator><motor name='m' joint='j'/><motor name='m' joint='j'/></actuator>"), "used twice"},
      {after("<sensor><framepos objtype='blob' objname='b'/></sensor>"), "objtype is \"blob\""},
      {after("<sensor><jointpos joint='j' cutoff='-1'/></sensor>"), "cutoff must not be negative"},
      {after("<keyframe><key qpos='0'/></keyframe>"), "qpos needs 8 numbers, got 1"},
      {before("<default><default class='a'/><default class='a'/></default>", ""), "exists already"},
      {before("<option\ndensity='-1'/>", ""), ":3: <option>: density must not be negative"},
      {before("<include file='.'/>", ""), ":2: <include>: "},
      {before("<asset><hfield name='f' nrow='200000' ncol='200000' size='1 1 1 1'/></asset>",
              "<geom type='hfield' hfield='f'/>"),
       "larger than the"},
      {before("<asset><hfield name='f' nrow='2' ncol='2' size='1 1 1 1' elevation='1 2 3'/></asset>",
              "<geom type='hfield' hfield='f'/>"),
       "nrow * ncol = 4 numbers, got 3"},
      {before("<asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1 5'/></asset>",
              "<geom type='mesh' mesh='m'/>"),
       "got 13"},
      {before("", "<site name='s' size='-1'/>"), "size must not be negative"},
      {before("", "<geom size='1' axisangle='0 0 0 90'/>"), "axisangle has zero length"}};
  ExpectFailures(cases);
  // Odd, and said so, but of one meaning.
  ImportReport report;
  const Model model = LoadText(after("<actuator><position joint='j' kp='-5'/></actuator>"
                                     "<keyframe><key qpos='0 0 0 0 0 0 0 0'/></keyframe>"),
                               &report);
  EXPECT_EQ(FindItem(report, "position[@kp]")->status, ImportStatus::kApproximated);
  EXPECT_EQ(FindItem(report, "key[@qpos]")->status, ImportStatus::kApproximated);
  EXPECT_EQ(model.keyframes.at(0).q[4], 1.0);
}

TEST(Malformed, UrdfJointsGoNowhere) {
  const auto link = [](const std::string& name) { return "<link name='" + name + "'/>\n"; };
  const auto joint = [](const std::string& name, const std::string& parent, const std::string& child,
                        const std::string& inside = "") {
    return "<joint name='" + name + "' type='continuous'><parent link='" + parent + "'/><child link='" +
           child + "'/>" + inside + "</joint>\n";
  };
  const std::string three = "\n" + link("a") + link("b") + link("c");
  ExpectFailures({
      {Urdf(three + joint("x", "a", "b") + joint("y", "b", "c") + joint("z", "c", "a")),
       ":5: <joint name=\"x\">: is part of a loop"},
      {Urdf(three + joint("x", "b", "c") + joint("y", "c", "b")),
       ":5: <joint name=\"x\">: is part of a loop"},
      {Urdf(three + joint("x", "a", "b", "<mimic joint='y'/>") + joint("y", "b", "c", "<mimic joint='x'/>")),
       "mimics \"y\" mimics"},
      {Urdf(three + joint("x", "a", "world")), "\"world\" is not defined"},
      {Urdf(three + "<joint name='x' type='fixed'><parent link='a'/></joint>"), "has no <child link=...>"},
      {Urdf(three + joint("x", "a", "b", "<origin rpy='0 inf 0'/>")), "not a finite number"},
  });
}

TEST(Malformed, Numbers) {
  const auto position = [](const std::string& pos) { return Mjcf("<geom size='1' pos='" + pos + "'/>"); };
  ExpectFailures({
      {position("0 0 -1m"), "\"-1m\" is not a number"},
      {position("0 0 nan"), "not a finite number"},
      {position("0 inf 0"), "not a finite number"},
      {position("1e400 0 0"), "beyond the range"},
      {position("0x10 0 0"), "not a number"},
      {position("1,5 0 0"), "not a number"},
      {position("0 0"), "pos needs 3 numbers, got 2"},
      {position("0 0 0 0"), "pos needs 3 numbers, got 4"},
      {position(""), "got 0"},
      {Mjcf("<geom size='1' contype='99999999999'/>"), "32 bits"},
      {Mjcf("<geom size='1' contype='1.5'/>"), "whole number"},
      {Mjcf("<geom size='1' priority='x'/>"), "not a whole number"},
  });
  EXPECT_EQ(LoadFailure(position("+1 .5 1e-400")), "");
  EXPECT_EQ(LoadFailure(position("\n 1. -2E+3\t0 ")), "");
}

TEST(Malformed, MjcfElements) {
  const std::string ball = "<geom size='1'/>";
  ExpectFailures({
      {Mjcf("<geom type='box' size='0.1'/>"), "needs 3 positive sizes, got 1"},
      {Mjcf("<geom type='blob'/>"), "must be one of plane"},
      {Mjcf("<geom size='1' mass='-1'/>"), "mass must not be negative"},
      {Mjcf("<geom type='sphere' fromto='0 0 0 1 0 0' size='1'/>"), "fromto is for"},
      {Mjcf("<geom type='capsule' fromto='1 0 0 1 0 0' size='1'/>"), "coincide"},
      {Mjcf("<geom size='1' quat='0 0 0 0'/>"), "zero length"},
      {Mjcf("<geom size='1' quat='1 0 0 0' euler='0 0 0'/>"), "keep one orientation"},
      {Mjcf("<geom size='1' xyaxes='1 0 0 2 0 0'/>"), "zero length"},
      {Mjcf("<geom type='mesh' mesh='ghost'/>"), "unknown asset \"ghost\""},
      {Mjcf("", "<asset><mesh name='m' file='m.stl'/></asset>"), "no such file"},
      {Mjcf("", "<asset><mesh name='m'/></asset>"), "names no file"},
      {Mjcf("", "<asset><mesh file='/etc/passwd'/></asset>"), "absolute path"},
      {Mjcf("", "<asset><mesh name='m' scale='0 1 1' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/></asset>"),
       "flattens"},
      {Mjcf("", "<asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0'/></asset>"), "three numbers"},
      {Mjcf("", "<asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1' face='0 1 -1'/></asset>"),
       "names vertex -1 of 4"},
      {Mjcf("", "<asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1' face='0 1 1e300'/></asset>"),
       "names vertex 1e+300 of 4"},
      {Mjcf("", "<asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1' face='0 1 1.5'/></asset>"),
       "names vertex 1.5 of 4"},
      {Mjcf("<geom type='mesh' mesh='m'/>",
            "<asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 1 1 0'/></asset>"),
       "one plane"},
      {Mjcf("", "<asset><hfield name='h' nrow='100000' ncol='100000' size='1 1 1 1'/></asset>"),
       "larger than the 1050625"},
      {Mjcf("<site name='s'/><site name='s'/>"), "taken by another site"},
      {Mjcf("<joint/>" + ball + "<geom type='plane'/>"), "plane"},
      {Mjcf("<joint axis='0 0 0'/>" + ball), "axis"},
      {Mjcf("<joint axis='0 1e200 0'/>" + ball), "the axis is too long"},
      {Mjcf("<joint range='1 -1'/>" + ball), "lower end below its upper end"},
      {Mjcf("<joint limited='true'/>" + ball), "lower end below its upper end"},
      {Mjcf("<joint range='-1 1'/>" + ball, "<compiler autolimits='false'/>"), "autolimits"},
      {Mjcf("<joint range='-1 1' limited='maybe'/>" + ball), "must be one of"},
      {Mjcf("<freejoint/><joint/>" + ball), "free joint"},
      {Mjcf("<body><freejoint/>" + ball + "</body>"), "child of the world"},
      {Mjcf("<joint/>"), "moves no mass"},
      {Mjcf(ball + "<inertial pos='0 0 0'/>"), "needs the attribute \"mass\""},
      {Mjcf("<body name='b'/>"), "taken by another body"},
      {Mjcf("<geom name='g' size='1'/><geom name='g' size='1'/>"), "taken by another geom"},
      {Mjcf("<joint name='j'/><joint name='j'/>" + ball), "taken by another joint"},
      {Mjcf("<replicate count='0'/>"), "count must be"},
      {"<mujoco><worldbody><joint/></worldbody></mujoco>", "the world cannot have joints"},
  });
}

TEST(Malformed, NestedReplicationStaysBounded) {
  std::string inside = "<geom size='1'/>", nothing;
  for (int level = 0; level < 6; ++level) {
    inside = "<replicate count='1000'>" + inside + "</replicate>";
    nothing = "<replicate count='1000'>" + nothing + "</replicate>";
  }
  ExpectFailures({{Mjcf(inside), "too many copies"}, {Mjcf(nothing), "too many copies"}});
}

TEST(Malformed, MjcfSections) {
  const std::string hinge = "<joint name='j'/><geom size='1'/>";
  ExpectFailures({
      {Mjcf(hinge, "<compiler eulerseq='xyq'/>"), "three letters"},
      {Mjcf(hinge, "<compiler coordinate='global'/>"), "local"},
      {Mjcf(hinge, "<option timestep='0'/>"), "timestep must be positive"},
      {Mjcf(hinge, "<option gravity='0 0 nan'/>"), "not a finite number"},
      {Mjcf("<geom class='ghost' size='1'/>"), "unknown default class \"ghost\""},
      {Mjcf(hinge, "<default><default class='x'><default class='x'/></default></default>"), "exists already"},
      {Mjcf(hinge, "<default><default/></default>"), "\"class\""},
      {Mjcf(hinge, "<contact><exclude body1='b' body2='nobody'/></contact>"), "unknown body \"nobody\""},
      {Mjcf(hinge, "<equality><weld body1='b' body2='b'/></equality>"), "to itself"},
      {Mjcf(hinge, "<tendon><spatial name='s'/></tendon>"), "no path"},
      {Mjcf(hinge, "<actuator><motor joint='nope'/></actuator>"), "unknown joint \"nope\""},
      {Mjcf(hinge, "<actuator><motor joint='j' gear='nan'/></actuator>"), "not a finite number"},
      {Mjcf(hinge, "<actuator><position joint='j' kv='-1'/></actuator>"), "kv must not be negative"},
      {Mjcf(hinge, "<keyframe><key qpos='1 2'/></keyframe>"), "qpos needs 1 numbers, got 2"},
      {Mjcf(hinge, "<include file='/etc/passwd'/>"), "absolute path"},
      {Mjcf(hinge, "<include file='../../../../../etc/passwd'/>"), "outside the model's folder"},
      {Mjcf(hinge, "<include file='missing.xml'/>"), "no such file"},
  });
}

TEST(Malformed, Urdf) {
  const std::string a = "<link name='a'/>";
  const std::string b =
      "<link name='b'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>";
  const auto joint = [](const std::string& ends, const std::string& inside = "") {
    return "<joint name='j' type='continuous'>" + ends + inside + "</joint>";
  };
  const std::string ab = "<parent link='a'/><child link='b'/>";
  ExpectFailures({
      {Urdf(""), "no <link>"},
      {Urdf(a + a), "taken by another link"},
      {Urdf(a + b), "both without a parent"},
      {Urdf(a + b + joint(ab) + joint(ab)), "taken by another joint"},
      {Urdf(a + joint("<parent link='a'/><child link='ghost'/>")), "\"ghost\" is not defined"},
      {Urdf(a + joint("<parent link='a'/>")), "has no <child"},
      {Urdf(a + joint("<parent link='a'/><child link='a'/>")), "to itself"},
      {Urdf(a + b + "<link name='c'/>" + joint(ab) +
            "<joint name='k' type='fixed'><parent link='c'/><child link='b'/></joint>"),
       "has a parent already"},
      {Urdf(a + b + joint(ab, "<axis xyz='0 0 0'/>")), "zero length"},
      {Urdf(a + b + joint(ab, "<axis xyz='0 1e200 0'/>")), "too long"},
      {Urdf(a + b + joint(ab, "<mimic joint='nope'/>")), "unknown joint \"nope\""},
      {Urdf(a + b + "<joint name='j' type='revolute'>" + ab + "<limit lower='1' upper='0'/></joint>"),
       "above upper"},
      {Urdf(a + b + "<joint name='j' type='screw'>" + ab + "</joint>"), "must be one of"},
      {Urdf(a + "<link name='b'/>" + joint(ab)), "moves no mass"},
      {Urdf("<link name='a' x='${y}'/>"), "run xacro"},
      {Urdf("<xacro:include/>"), "run xacro"},
      {Urdf("<link name='a'><inertial><mass value='-1'/></inertial></link>"), "must not be negative"},
      {Urdf("<link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' "
            "ixy='2'/></inertial></link>"),
       "negative"},
      {Urdf("<link name='a'><collision/></link>"), "has no <geometry>"},
      {Urdf("<link name='a'><collision><geometry><box size='1 1 0'/></geometry></collision></link>"),
       "positive"},
  });
  // Two links that are each other's parent, beside a root of their own.
  EXPECT_NE(
      LoadFailure(Urdf(a + b +
                       "<link name='c'/><joint name='p' type='fixed'><parent link='b'/><child link='c'/>"
                       "</joint><joint name='q' type='fixed'><parent link='c'/><child link='b'/></joint>"))
          .find("loop"),
      std::string::npos);
}

// Loops of any length, wherever they are entered, also among joints of which none can be coupled; chains and
// trees of mimics are none.
TEST(Malformed, UrdfMimicsMustNotGoRoundInACircle) {
  // Joint i moves link i on link i - 1; mimics[i] is the joint that it mimics, 0: none.
  const auto robot = [](const std::vector<int>& mimics, const std::string& type = "continuous") {
    std::string text = "<link name='l0'/>\n";
    for (std::size_t i = 1; i < mimics.size(); ++i) {
      const std::string n = std::to_string(i);
      text += "<link name='l" + n +
              "'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>";
      text += "<joint name='j" + n + "' type='" + type + "'><parent link='l" + std::to_string(i - 1) +
              "'/><child link='l" + n + "'/>" +
              (mimics[i] > 0 ? "<mimic joint='j" + std::to_string(mimics[i]) + "'/>" : "") + "</joint>\n";
    }
    return Urdf(text);
  };
  ExpectFailures({{robot({0, 1}), "cannot mimic itself"},
                  {robot({0, 2, 1}), "\"j1\" mimics \"j2\" mimics \"j1\": a loop"},
                  {robot({0, 2, 3, 1}), "\"j1\" mimics \"j2\" mimics \"j3\" mimics \"j1\": a loop"},
                  {robot({0, 2, 3, 4, 3}), "\"j3\" mimics \"j4\" mimics \"j3\": a loop"},
                  {robot({0, 0, 1, 5, 3, 4}), "\"j3\" mimics \"j5\" mimics \"j4\" mimics \"j3\": a loop"},
                  {robot({0, 2, 1}, "floating"), "remove the <mimic> of one of them"}});
  try {
    LoadText(robot({0, 0, 3, 2}));
    FAIL() << "a loop was accepted";
  } catch (const LoadError& error) {
    EXPECT_EQ(error.line(), 3) << error.what();  // of j2, where the loop is first met
    EXPECT_NE(std::string(error.what()).find("<mimic"), std::string::npos) << error.what();
  }
  std::vector<int> ring{0}, chain{0, 0};
  for (int i = 1; i <= 500; ++i) ring.push_back(i % 500 + 1);
  for (int i = 1; i <= 40; ++i) chain.push_back(i);
  ExpectFailures({{robot(ring), "mimics ... mimics \"j1\": a loop"}});
  EXPECT_EQ(LoadFailure(robot(chain)), "");
  EXPECT_EQ(LoadFailure(robot({0, 0, 1, 1, 2, 2})), "");
  EXPECT_EQ(LoadFailure(robot({0, 3, 3, 4, 0})), "");
}

TEST(Malformed, FloatingBaseIsForUrdf) {
  EXPECT_NE(LoadFailure("<mujoco/>", {.floating_base = true, .ground = {}}).find("says itself"),
            std::string::npos);
}

TEST(Malformed, ErrorsNameFileLineAndElement) {
  try {
    LoadText("<mujoco>\n<worldbody>\n<body name='b'>\n<joint/>\n</body>\n</worldbody></mujoco>");
    FAIL() << "a body without mass was accepted";
  } catch (const LoadError& error) {
    EXPECT_EQ(error.line(), 3);
    EXPECT_NE(std::string(error.what()).find(error.file() + ":3: <body name=\"b\">: "), std::string::npos);
  }
}

// What is odd but legal, or common in real files, loads; in each a word that only the right message has, or
// none.
TEST(Malformed, OddFilesThatLoad) {
  const std::string a = "<link name='a'/>", ab = "<parent link='a'/><child link='b'/>";
  const auto link_b = [](const std::string& inertia) {
    return "<link name='b'><inertial><mass value='1'/><inertia " + inertia + "/></inertial></link>";
  };
  const std::string b = link_b("ixx='1' iyy='1' izz='1'");
  std::string wide = "<mujoco><worldbody>";
  for (int i = 0; i < 5000; ++i)
    wide += "<body name='b" + std::to_string(i) + "'><freejoint/><geom size='0.1'/></body>";
  const std::vector<Case> cases{
      {"\xef\xbb\xbf<robot name='r'>\r\n<link name='a'/>\r\n</robot>\r\n", ""},
      {Urdf(a), ""},  // in a file named .xml
      {Urdf(a + link_b("ixx='1' iyy='1' izz='9'") + "<joint name='j' type='continuous'>" + ab + "</joint>"),
       "inertia"},
      {Urdf(a + b + "<joint name='j' type='revolute'>" + ab + "</joint>"), "continuous"},
      {Urdf(a + "<soft_body/>"), "not an element that this engine knows"},
      {Mjcf("<geom size='1'/>", "<deformable><flex/></deformable>"), "deformable"},
      {wide + "</worldbody></mujoco>", ""}};
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text.substr(0, 300));
    ImportReport report;
    EXPECT_NO_THROW(LoadText(c.text, &report));
    std::string said;
    for (const ImportItem& item : report.items) {
      if (item.status != ImportStatus::kHonoured) said += Describe(item) + "\n";
    }
    EXPECT_NE(said.find(c.message), std::string::npos) << said;
    EXPECT_TRUE(!c.message.empty() || said.empty()) << said;
  }
  // Line breaks of either kind count once.
  EXPECT_NE(
      LoadFailure("\xef\xbb\xbf<robot name='r'>\r\n<link name='a'/>\r\n<link/>\r\n</robot>").find(":3:"),
      std::string::npos);
}

// Verdicts of shared/bad/INDEX.md. MJCF files whose fault is inside a mesh or image are judged where those
// are read.
const std::vector<std::string>& FilesThatLoad() {
  static const std::vector<std::string> names{"00_ok.urdf",
                                              "00_ok.xml",
                                              "13_bom_crlf.urdf",
                                              "24_inertia_triangle.urdf",
                                              "03_wrong_root.xml",
                                              "42_revolute_no_limit.urdf",
                                              "44_unknown_element.urdf",
                                              "64_stl_ascii.urdf",
                                              "70_obj_mtl_traversal.urdf",
                                              "88_unsupported_element.xml",
                                              "108_wide_5k.xml"};
  return names;
}

TEST(Malformed, EveryBadFileGetsItsVerdict) {
  namespace fs = std::filesystem;
  const fs::path folder = SharedPath("bad");
  if (!fs::exists(folder)) GTEST_SKIP() << "no malformed files at " << folder;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    const bool is_model = entry.path().extension() == ".xml" || entry.path().extension() == ".urdf";
    if (!is_model) continue;
    bool loaded = true;
    int line = 0;
    try {
      LoadModel(entry.path().string());
    } catch (const LoadError& error) {
      loaded = false;
      line = error.line();
    }
    const bool is_mjcf_asset =
        entry.path().extension() == ".xml" &&
        (name.find("mesh") != std::string::npos || name.find("hfield") != std::string::npos);
    if (is_mjcf_asset && loaded) continue;
    const auto& good = FilesThatLoad();
    EXPECT_EQ(loaded, std::find(good.begin(), good.end(), name) != good.end()) << name;
    EXPECT_TRUE(loaded || line > 0) << name;
  }
}

// A tetrahedron.
constexpr const char* kObj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

std::string TextStl() {
  const char* faces[] = {"0 0 0 0 1 0 1 0 0", "0 0 0 1 0 0 0 0 1", "0 0 0 0 0 1 0 1 0", "1 0 0 0 1 0 0 0 1"};
  std::string text = "solid t\n";
  for (const char* face : faces) {
    std::istringstream numbers(face);
    text += "facet normal 0 0 0\nouter loop\n";
    for (std::string x, y, z; numbers >> x >> y >> z;)
      text.append("vertex ").append(x).append(" ").append(y).append(" ").append(z).append("\n");
    text += "endloop\nendfacet\n";
  }
  return text + "endsolid t\n";
}

// The same in binary; `count` is what the header says.
std::string BinaryStl(std::uint32_t count, float corner = 1.0f) {
  const float c = corner;
  const float faces[4][9] = {{0, 0, 0, 0, 1, 0, c, 0, 0},
                             {0, 0, 0, c, 0, 0, 0, 0, 1},
                             {0, 0, 0, 0, 0, 1, 0, 1, 0},
                             {c, 0, 0, 0, 1, 0, 0, 0, 1}};
  std::string bytes(80, 's');
  const auto append = [&](const void* data, std::size_t size) {
    bytes.append(static_cast<const char*>(data), size);
  };
  append(&count, 4);
  for (const auto& face : faces) {
    bytes.append(12, '\0');
    append(face, sizeof face);
    bytes.append(2, '\0');
  }
  return bytes;
}

// Faults inside a mesh, told with the line of the URDF that names it.
TEST(Malformed, MeshFaultsAreToldWithTheLineThatNamesTheMesh) {
  struct MeshCase {
    std::string bytes, extension, attributes, message;
  };
  const std::string flat = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 2 4 3\n";
  const std::vector<MeshCase> cases{
      {"", ".stl", "", "the file is empty"},
      {flat, ".obj", "", "plane"},
      {BinaryStl(2), ".stl", "", "counts 2 triangles, which is 184 bytes, but it has 284"},
      {BinaryStl(4, NAN), ".stl", "", "not a finite number"},
      {BinaryStl(4).substr(0, 254), ".stl", "", "but it has 254"},
      {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n", ".obj", "",
       "line 4: face index 9 is out of range: there are 3 vertices"},
      {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 0 1 2\n", ".obj", "", "line 4: face index 0"},
      {"version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 5\n", ".stl", "", "git-LFS pointer"},
      {kObj, ".obj", "scale='1 0 1'", "scale of 0"},
      {kObj, ".step", "", "unknown mesh format"}};
  const auto robot = [](const std::string& file, const std::string& attributes) {
    return "<robot name='r'>\n<link name='a'>\n<collision><geometry>\n<mesh filename='" + file + "' " +
           attributes + "/></geometry></collision></link></robot>";
  };
  const auto expect = [](const std::string& text, const std::string& message) {
    const std::string what = LoadFailure(text);
    EXPECT_NE(what.find(message), std::string::npos) << what;
    EXPECT_NE(what.find(":4: "), std::string::npos) << what;
  };
  const auto name_of = [](const TemporaryFile& file) {
    return std::filesystem::path(file.path()).filename().string();
  };
  for (const MeshCase& c : cases) {
    const TemporaryFile mesh(c.bytes, c.extension);
    expect(robot(name_of(mesh), c.attributes), c.message);
  }
  expect(robot("not_there.stl", ""), "not_there.stl");
  expect(robot("file:///etc/passwd.stl", ""), "lies outside the model's folder");
  expect(robot("package://no_such_package/a.stl", ""), "no package \"no_such_package\"");
  for (const auto& [bytes, extension] : {std::pair{TextStl(), ".stl"},
                                         {BinaryStl(4), ".stl"},
                                         {std::string(kObj), ".obj"},
                                         {std::string("mtllib ../../../etc/passwd\n") + kObj, ".obj"}}) {
    const TemporaryFile mesh(bytes, extension);
    EXPECT_EQ(LoadFailure(robot(name_of(mesh), "")), "") << bytes;
  }
}

// What the messages must say, as far as the table asks for it.
TEST(Malformed, MeshesOfUrdfFilesAreRefusedWithTheReason) {
  const std::string folder = SharedPath("bad/");
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no malformed files at " << folder;
  const std::vector<Case> cases{
      {"50_mesh_missing", "bad/meshes/not_there.stl"},
      {"52_mesh_absolute_uri", "lies outside the model's folder"},
      {"54_package_unknown", "no package \"no_such_package\""},
      {"56_mesh_empty", "the file is empty"},
      {"58_mesh_flat", "plane"},
      {"60_stl_count_lies_low", "counts 2 triangles, which is 184 bytes, but it has 284"},
      {"62_stl_nan", "triangle 3: not a finite number"},
      {"66_obj_index_range", "line 4: face index 9 is out of range: there are 3 vertices"},
      {"68_obj_zero_index", "line 4: face index 0; indices of OBJ files start at 1"},
      {"72_mesh_lfs_pointer", "git-LFS pointer"},
      {"74_mesh_zero_scale", "scale of 0"}};
  for (const Case& c : cases) {
    try {
      LoadModel(folder + c.text + ".urdf");
      ADD_FAILURE() << c.text << " was loaded";
    } catch (const LoadError& error) {
      EXPECT_NE(std::string(error.what()).find(c.message), std::string::npos) << error.what();
      EXPECT_EQ(error.line(), 9) << c.text;
    }
  }
}

TEST(Malformed, MeshFilesGetTheirVerdict) {
  const std::string folder = SharedPath("bad/meshes/");
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no malformed files at " << folder;
  for (const char* good : {"ascii.stl", "solid_header.stl", "ok.obj", "mtl_traversal.obj", "noface.obj"})
    EXPECT_EQ(ReadMeshFile(folder + good).triangles.size(), 4u) << good;
  // Flat meshes are meshes; only their hulls are none.
  for (const char* flat : {"flat.stl", "degenerate.stl"}) {
    EXPECT_NO_THROW(ReadMeshFile(folder + flat)) << flat;
    EXPECT_THROW(LoadMeshShape(folder + flat, Vector3d::Ones()), MeshError) << flat;
  }
  const std::vector<Case> cases{{"ascii_cut.stl", "truncated"},
                                {"bomb.png", "unknown mesh format"},
                                {"lying_count.stl", "4294967295"},
                                {"lying_low.stl", "184"},
                                {"negindex.obj", "line 4: face index -7 is out of range"},
                                {"thing.step", "unknown mesh format \".step\""},
                                {"truncated.stl", "284 bytes, but it has 254"},
                                {"wrong_ext.stl", "not STL"}};
  for (const Case& c : cases) {
    try {
      ReadMeshFile(folder + c.text);
      ADD_FAILURE() << c.text << " was read";
    } catch (const MeshError& error) {
      EXPECT_NE(std::string(error.what()).find(c.message), std::string::npos) << error.what();
    }
  }
}

// Bytes changed, cut off, moved and repeated at seeded places: an error or a mesh, and never anything else.
TEST(Malformed, DamagedMeshFilesNeverCrash) {
  std::mt19937 random(7);
  int read = 0;
  const std::string relative =
      "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf -4 -2 -3\nf -4/1/1 -3//2 -1\nf 1 4 3\nf 2 3 4\n";
  const std::pair<std::string, const char*> files[] = {{TextStl(), ".stl"},
                                                       {BinaryStl(4), ".stl"},
                                                       {kObj, ".obj"},
                                                       {"# m\nmtllib a.mtl\n" + std::string(kObj), ".obj"},
                                                       {relative, ".obj"}};
  for (const auto& [whole, extension] : files) {
    for (int run = 0; run < 400; ++run) {
      std::string bytes = whole;
      const auto place = [&] { return random() % bytes.size(); };
      if (run % 4 == 0) bytes.resize(1 + place());
      if (run % 4 == 1) bytes.erase(place(), 4);
      if (run % 4 == 2) bytes.insert(place(), bytes.substr(place(), 30));
      for (int i = 0; i < run % 5 && !bytes.empty(); ++i) bytes[place()] = static_cast<char>(random());
      const TemporaryFile file(bytes, extension);
      try {
        const TriangleMesh mesh = ReadMeshFile(file.path());
        for (const auto& triangle : mesh.triangles) {
          for (const int v : triangle) ASSERT_LT(static_cast<size_t>(v), mesh.vertices.size());
        }
        ++read;
      } catch (const MeshError&) {
      }
    }
  }
  EXPECT_GT(read, 50);  // some damage is harmless: the readers are not merely refusing everything
}

}  // namespace
}  // namespace stiction

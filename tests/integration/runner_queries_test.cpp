// `stiction inspect`, `solve` and `list` from outside.
#include <cmath>

#include "tests/integration/run_program.h"

namespace stiction {
namespace {

using nlohmann::json;

// A box of 1 kg that slides at 1 m/s on a plane with friction ½ under gravity for 0.1 s: λ_n = 0.981, λ_t =
// -0.4905, v = 0.5095.
constexpr const char* kSlider =
    R"({"name": "slider", "nv": 3, "n_contact": 1, "n_hard": 0, "n_equality": 0, "n_soft": 0,
  "subsystem_of_dof": [0, 0, 0], "A": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "b": [1, 0, -0.981],
  "J": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "mu": [0.5], "e": [0, 0, 0]})";

class RunnerQueries : public ProgramTest {
 protected:
  RunnerQueries() { Write("boxes.xml", kBoxes), Write("slider.json", kSlider); }

  json Inspect(const std::string& flags) const {
    const ProgramResult result = Run("inspect boxes.xml --json - " + flags);
    EXPECT_EQ(result.code, 0) << result.err;
    return result.Json();
  }
};

TEST_F(RunnerQueries, InspectHasTheStableKeys) {
  const json o = Inspect("");
  for (const char* key : {"nq", "nv", "joints", "bodies", "frames", "qpos", "qvel", "M", "bias", "passive",
                          "contacts", "report"})
    EXPECT_TRUE(o.contains(key)) << key;
  EXPECT_EQ(o["nq"], 15);
  EXPECT_EQ(o["nv"], 13);
  EXPECT_EQ(o["M"].size(), 169u);
  EXPECT_EQ(o["bias"].size(), 13u);
  EXPECT_EQ(o["joints"][2], json({{"name", "hinge"}, {"type", "hinge"}, {"qposadr", 14}, {"dofadr", 12}}));
  ASSERT_EQ(o["bodies"].size(), 3u);
  EXPECT_EQ(o["bodies"][1]["name"], "body2");
  EXPECT_EQ(o["bodies"][1]["parent"], "world");
  EXPECT_EQ(o["bodies"][1]["mass"], 10.0);
}

// A robot without masses, of which one mesh is not there.
TEST_F(RunnerQueries, DrawingsOfRobotsLoadWhereAsked) {
  Write(
      "drawing.urdf",
      "<robot name='r'><link name='base'/><link name='arm'><collision><geometry><box size='1 1 "
      "2'/></geometry>"
      "</collision><collision><geometry><mesh filename='package://gone/a.stl'/></geometry></collision></link>"
      "<joint name='j' type='continuous'><parent link='base'/><child link='arm'/></joint></robot>");
  ExpectError("inspect drawing.urdf --infer-inertia", 3, "--missing-mesh skip");
  ExpectError("inspect drawing.urdf --missing-mesh skip", 3, "--infer-inertia");
  ExpectError("inspect drawing.urdf --missing-mesh maybe", 2, "--missing-mesh");
  ExpectError("inspect drawing.urdf --infer-inertia=-1", 2, "--infer-inertia");
  for (const auto& [density, mass] : {std::pair{"", 2000.0}, std::pair{"500", 1000.0}}) {
    const ProgramResult result =
        Run("inspect drawing.urdf --missing-mesh skip --json - --infer-inertia " + std::string(density));
    ASSERT_EQ(result.code, 0) << result.err;
    EXPECT_EQ(result.Json()["bodies"][0]["mass"], mass);
  }
}

TEST_F(RunnerQueries, InspectFindsContacts) {
  const json contacts = Inspect("")["contacts"];
  ASSERT_EQ(contacts.size(), 8u);
  EXPECT_EQ(contacts[0]["a"], "floor");
  EXPECT_EQ(contacts[0]["b"], "lower_box");
  EXPECT_NEAR(contacts[0]["normal"][2].get<double>(), 1.0, 1e-12);
  EXPECT_NEAR(contacts[0]["gap"].get<double>(), 0.0, 1e-12);
}

TEST_F(RunnerQueries, InspectTakesAState) {
  const json o = Inspect("--qpos=-0.1,0,0.1,2,0,0,0,0,0,0.3,1,0,0,0,-0.5 --qvel=-1,0,0,0,0,0,0,0,0,0,0,0,2");
  EXPECT_EQ(o["bodies"][0]["pos"][0], -0.1);
  EXPECT_EQ(o["bodies"][0]["quat"][0], 1.0);  // quaternions are normalised
  EXPECT_EQ(o["qpos"][14], -0.5);
  EXPECT_EQ(o["qvel"][12], 2.0);
  EXPECT_EQ(Inspect("--keyframe apart")["qpos"][8], 1.0);
  ExpectError("inspect boxes.xml --qpos=1,2", 2, "--qpos: 2 values, and the model has 15");
  ExpectError("inspect boxes.xml --qvel=1,2,x,0,0,0,0,0,0,0,0,0,0", 2, "'x' is not a finite number");
  ExpectError("inspect boxes.xml --qvel=", 2, "--qvel");
  ExpectError("inspect boxes.xml --qpos=0,0,0,0,0,0,0,0,0,0,1,0,0,0,0", 2, "quaternion");
}

TEST_F(RunnerQueries, InspectRandomIsSeededAndWithinLimits) {
  const json a = Inspect("--random 7"), b = Inspect("--random 7"), c = Inspect("--random 8");
  EXPECT_EQ(a["qpos"], b["qpos"]);
  EXPECT_EQ(a["qvel"], b["qvel"]);
  EXPECT_NE(a["qpos"], c["qpos"]);
  EXPECT_LE(std::abs(a["qpos"][14].get<double>()), 2.0);
  double norm = 0.0;
  for (int i = 3; i < 7; ++i) norm += std::pow(a["qpos"][i].get<double>(), 2);
  EXPECT_NEAR(norm, 1.0, 1e-12);
  ExpectError("inspect boxes.xml --random dice", 2, "--random");
}

TEST_F(RunnerQueries, InspectPrintsTheTree) {
  const ProgramResult result = Run("inspect boxes.xml");
  EXPECT_EQ(result.code, 0);
  for (const char* word : {"boxes: 3 bodies", "nv 13", "└─ arm", "hinge hinge q14 v12 [-2, 2]",
                           "keyframes: rest apart", "import:"})
    EXPECT_NE(result.out.find(word), std::string::npos) << word << "\n" << result.out;
}

// Lines as long as the chain made 150 MB of a chain of 10,000 links.
TEST_F(RunnerQueries, InspectDrawsTheLastBranchesOfALongChain) {
  constexpr int kLinks = 300;
  std::string links, joints;
  for (int i = 0; i < kLinks; ++i) {
    const std::string name = "l" + std::to_string(i);
    links += "<link name='" + name +
             "'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' " +
             "ixz='0' iyz='0'/></inertial></link>";
    if (i > 0)
      joints += "<joint name='j" + std::to_string(i) + "' type='continuous'><parent link='l" +
                std::to_string(i - 1) + "'/><child link='" + name + "'/></joint>";
  }
  Write("chain.urdf", "<robot name='chain'>" + links + joints + "</robot>");
  const ProgramResult result = Run("inspect chain.urdf");
  ASSERT_EQ(result.code, 0) << result.err;
  std::istringstream lines(result.out.substr(result.out.find("world")));
  std::string line;
  for (int i = 0; i < kLinks && std::getline(lines, line) && line.find("frame") != 0; ++i)
    EXPECT_LE(line.size(), 200u) << line;
  EXPECT_NE(result.out.find("└─ l1 "), std::string::npos);
  EXPECT_NE(result.out.find("… 200 "), std::string::npos);
  EXPECT_NE(result.out.find("└─ l299"), std::string::npos);
}

TEST_F(RunnerQueries, InspectBareJsonNeverOverwritesTheModel) {
  EXPECT_EQ(Run("inspect boxes.xml --json").Json()["nq"], 15);
  EXPECT_NE(Run("inspect --json boxes.xml").code, 1);
  EXPECT_EQ(Read("boxes.xml"), kBoxes);
}

TEST_F(RunnerQueries, SolveGivesTheClosedForm) {
  const ProgramResult result = Run("solve slider.json --solver all --full --json -");
  ASSERT_EQ(result.code, 0) << result.err;
  const json results = result.Json()["results"];
  EXPECT_GE(results.size(), 3u);
  for (const json& r : results) {
    if (r["status"] == "unsupported") continue;
    for (const char* key :
         {"problem", "solver", "status", "iterations", "factorisations", "time_us", "certificate"})
      EXPECT_TRUE(r.contains(key)) << key;
    for (const char* key : {"ncp_max", "ncp_mean", "canal", "own_law", "momentum"})
      EXPECT_TRUE(r["certificate"].contains(key)) << key;
    if (r["certificate"]["own_law"] != r["certificate"]["ncp_max"]) continue;  // solves another law
    // One method stalls by its nature where contacts slide (contact/solvers/al.h), and has to say so.
    const bool may_stall = r["solver"] == "canal_paper";
    EXPECT_EQ(r["status"] == "converged", !may_stall) << r["solver"];
    const double tolerance = may_stall ? 1e-6 : 1e-7;
    EXPECT_NEAR(r["lambda"][0].get<double>(), -0.4905, tolerance) << r["solver"];
    EXPECT_NEAR(r["lambda"][2].get<double>(), 0.981, tolerance) << r["solver"];
    EXPECT_NEAR(r["v"][0].get<double>(), 0.5095, tolerance) << r["solver"];
  }
}

TEST_F(RunnerQueries, SolveComparesSolversInATable) {
  const ProgramResult result = Run("solve slider.json --solver auto,nbgs_c");
  EXPECT_EQ(result.code, 0);
  for (const char* word : {"slider", "auto", "nbgs_c", "converged", "ncp"})
    EXPECT_NE(result.out.find(word), std::string::npos) << word;
}

TEST_F(RunnerQueries, SolveRefusesBadInput) {
  Write("broken.json", "{\n  \"nv\": ,\n}");
  ExpectError("solve slider.json broken.json --json -", 3, "broken.json:2:");
  ExpectError("solve absent.json", 3, "absent.json");
  ExpectError("solve boxes.xml", 3, "boxes.xml:1: not JSON");
  ExpectError("solve problem.hdf5", 3, "problem.hdf5: there is no such file");
  Write("text.hdf5", "hello");
  ExpectError("solve slider.json text.hdf5", 3, "text.hdf5: is not an HDF5 file");
  ExpectError("solve slider.json --solver auto,magic", 2, "there is no solver 'magic'");
  ExpectError("solve slider.json --json slider.json", 2, "is the input");
  ExpectError("solve", 2, "FILES");
}

TEST_F(RunnerQueries, ListNamesWhatThereIs) {
  const json list = Run("list --json -").Json();
  EXPECT_EQ(list["solvers"][0]["name"], "auto");
  EXPECT_EQ(list["solvers"].size(), 26u);
  const json rows{"contact", "unilateral", "bilateral", "soft", "bounded", "torsional", "rolling"};
  EXPECT_EQ(list["row_types"], rows);
  for (const json& solver : list["solvers"]) EXPECT_EQ(solver["rows"], rows) << solver["name"];
  EXPECT_EQ(list["joint_types"], json({"free", "ball", "slide", "hinge", "universal", "screw"}));
  EXPECT_NE(list["shape_types"].dump().find("\"box\""), std::string::npos);
  const ProgramResult text = Run("list");
  EXPECT_EQ(text.code, 0);
  EXPECT_NE(text.out.find("nbgs_c"), std::string::npos);
  EXPECT_EQ(list["scenes"].size(), 22u);
  const json scenes = Run("list scenes --json -").Json();
  EXPECT_EQ(scenes, json({{"scenes", list["scenes"]}}));
  EXPECT_EQ(scenes["scenes"][10]["name"], "walker");
  EXPECT_EQ(scenes["scenes"][10]["rank"], 162);
  const ProgramResult names = Run("list scenes");
  EXPECT_NE(names.out.find("ironman"), std::string::npos);
  EXPECT_EQ(names.out.find("nbgs_c"), std::string::npos);
  ExpectError("list robots", 2, "scenes");
}

TEST_F(RunnerQueries, ScenesStandInThePlaceOfFiles) {
  const json reduced = Run("inspect scene:misha --json -").Json();
  EXPECT_EQ(reduced["bodies"].size(), 22u);
  EXPECT_EQ(reduced["nv"], 17 + 2 * 2);
  const json maximal = Run("inspect scene:misha:maximal --json -").Json();
  EXPECT_EQ(maximal["nv"], 6 * 22);
  const json run = Run("run scene:nunchuk:speed=0.3:spin=1 --time 0.02 --json -").Json();
  EXPECT_EQ(run["model"], "nunchuk");
  EXPECT_EQ(run["steps"], 20);
  EXPECT_LE(run["certificate"]["ncp_max"], 1e-8);
  EXPECT_GT(run["final"]["qvel"][0], 0.1);  // it started with the scene's velocity
  ExpectError("run scene:wolker", 2, "walker");
  ExpectError("run scene:walker:maximum", 2, "maximal");
  ExpectError("inspect scene:walker --ground", 2, "--ground");
}

}  // namespace
}  // namespace stiction

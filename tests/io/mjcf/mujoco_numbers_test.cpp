// Mass matrix, forces and accelerations of models that use what users' files use, against those of MuJoCo:
// tests/io/mjcf/mujoco/MODEL.xml and MODEL.json, the second by tests/tools/mujoco_numbers.mjs.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "stiction/dynamics/aba.h"
#include "stiction/dynamics/crba.h"
#include "stiction/dynamics/forces.h"
#include "stiction/dynamics/rnea.h"
#include "stiction/io/load.h"

namespace stiction {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const fs::path kMujocoFolder = STICTION_SOURCE_DIR "/tests/io/mjcf/mujoco";

std::vector<std::string> ListMujocoModels() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(kMujocoFolder))
    if (entry.path().extension() == ".json") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

VectorXd ReadNumbers(const json& list) {
  const auto values = list.get<std::vector<double>>();
  return Eigen::Map<const VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

// By the largest entry, or what is small beside forces of one newton.
void ExpectNearTheirs(const VectorXd& ours, const VectorXd& theirs, double tolerance, const char* what) {
  ASSERT_EQ(ours.size(), theirs.size()) << what;
  if (theirs.size() == 0) return;
  const double scale = std::max(1e-3, theirs.cwiseAbs().maxCoeff());
  EXPECT_LT((ours - theirs).cwiseAbs().maxCoeff(), tolerance * scale)
      << what << "\n  ours   " << ours.transpose() << "\n  theirs " << theirs.transpose();
}

class MujocoNumbers : public ::testing::TestWithParam<std::string> {};

TEST_P(MujocoNumbers, AreOurs) {
  std::ifstream stream(kMujocoFolder / (GetParam() + ".json"));
  const json numbers = json::parse(stream);
  const Model model = LoadModel((kMujocoFolder / (GetParam() + ".xml")).string());
  Input input = Input::Default(model);
  Kinematics kin;
  kin.Resize(model);
  CrbaWorkspace crba;
  RneaWorkspace rnea;
  AbaWorkspace aba;
  JointForces forces;
  forces.dt = model.options.timestep;
  BranchSparseMatrix M(MakeMassMatrixPattern(model));
  VectorXd bias, acceleration;
  for (const json& theirs : numbers["states"]) {
    const VectorXd q = ReadNumbers(theirs["q"]), v = ReadNumbers(theirs["v"]);
    const VectorXd activation = ReadNumbers(theirs["act"]);
    input.ctrl = ReadNumbers(theirs["ctrl"]);
    ASSERT_EQ(q.size(), model.nq());
    ASSERT_EQ(activation.size(), model.na());
    ASSERT_EQ(input.ctrl.size(), model.nu());
    CalcPositionKinematics(model, q, input.mocap, kin);
    CalcVelocityKinematics(model, v, kin);
    CalcMassMatrix(model, kin, crba, M);
    CalcBias(model, kin, v, model.options.gravity, rnea, bias);
    CalcJointForces(model, kin, q, v, activation, input, forces);
    CalcForwardDynamics(model, kin, v, forces.passive + forces.actuation, model.options.gravity, aba,
                        acceleration);
    ExpectNearTheirs(M.ToDense().reshaped(), ReadNumbers(theirs["M"]), 1e-6, "M");
    ExpectNearTheirs(bias, ReadNumbers(theirs["bias"]), 1e-6, "bias");
    ExpectNearTheirs(forces.passive, ReadNumbers(theirs["passive"]), 1e-6, "passive forces");
    ExpectNearTheirs(forces.actuation, ReadNumbers(theirs["actuation"]), 1e-6, "actuator forces");
    ExpectNearTheirs(acceleration, ReadNumbers(theirs["acceleration"]), 1e-5, "accelerations");
  }
}

INSTANTIATE_TEST_SUITE_P(Models, MujocoNumbers, ::testing::ValuesIn(ListMujocoModels()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace stiction

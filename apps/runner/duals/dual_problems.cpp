#include "dual_problems.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "stiction/contact/bilateral_rank.h"
#include "stiction/io/problem_file.h"
#include "stiction/io/scenario.h"
#include "stiction/math/cone.h"
#include "stiction/model/model_builder.h"
#include "stiction/scenes/scenes.h"
#include "stiction/sim/world.h"

namespace stiction::runner {
namespace {

namespace fs = std::filesystem;

constexpr double kSampleSpeed = 0.3;            // of what can slide [m/s]
constexpr int kSampleEvery = 10, kSamples = 2;  // steps; of a mechanism

bool IsOneSided(const Constraint& c) {
  return c.type == ConstraintType::kUnilateral;
}

void AddProblem(const std::string& name, ContactProblem problem, Solution warm_start,
                std::vector<DualProblem>& problems) {
  if (problem.num_constraints() == 0) return;
  const DualCategory category = FindCategory(problem);
  problems.push_back({name, std::move(problem), std::move(warm_start), category});
}

// In the order of their names. Files of other formats repeat those in JSON.
void AddFolder(const fs::path& folder, std::vector<DualProblem>& problems) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    for (ProblemFile& read : ReadProblems(file.string()))
      AddProblem(file.stem().string(), std::move(read.problem), std::move(read.warm_start), problems);
  }
}

// The one contact that none of the mechanisms has: a ball of 5 cm on a plane, slower as it comes to roll.
Model MakeSlidingBall() {
  ModelBuilder builder;
  builder.AddGeom({.name = "floor", .shape = Plane{}, .friction = 0.5});
  const int ball = builder.AddBody({.name = "ball", .X_PB = {.p = {0.0, 0.0, 0.05}}});
  builder.AddJoint(ball, {.kind = FreeJoint{}});
  builder.AddGeom({.body = ball, .shape = Sphere{0.05}, .friction = 0.5}, {.density = 1000.0});
  Keyframe start{.name = kStartKeyframe};
  start.v = Vector6d::Unit(0) * kSampleSpeed;
  builder.AddKeyframe(start);
  return builder.Build();
}

void AddSteps(const std::string& name, Model model, std::vector<DualProblem>& problems) {
  World world(std::move(model), {.skips_still = false});
  world.SetKeyframe(*world.model().FindKeyframe(kStartKeyframe));
  for (int sample = 0; sample < kSamples; ++sample) {
    for (int step = 0; step < kSampleEvery; ++step) world.Step();
    AddProblem(name + ", step " + std::to_string((sample + 1) * kSampleEvery), world.problem(), {}, problems);
  }
}

void AddMechanism(const SceneEntry& entry, Coordinates coordinates, bool with_feet,
                  std::vector<DualProblem>& problems) {
  AddSteps(std::string(entry.name) + " " + ToString(coordinates) + (with_feet ? "" : " in the air"),
           MakeScene(entry.name, {.coordinates = coordinates,
                                  .with_feet = with_feet,
                                  .speed = entry.is_held ? 0.0 : kSampleSpeed}),
           problems);
}

}  // namespace

const char* ToString(DualCategory category) {
  switch (category) {
    case DualCategory::kIndependentJoints:
      return "independent joints";
    case DualCategory::kRedundantJoints:
      return "redundant joints";
    case DualCategory::kDenseJoints:
      return "dense joints";
    case DualCategory::kSingleContact:
      return "single contact";
    case DualCategory::kSparseContacts:
      return "sparse contacts";
    case DualCategory::kDenseContacts:
      return "dense contacts";
    case DualCategory::kDenseConstraints:
      return "dense constraints";
  }
  return "";
}

DualCategory FindCategory(const ContactProblem& problem) {
  int contacts = 0, joints = 0;
  for (const Constraint& c : problem.constraints) {
    contacts += c.type == ConstraintType::kContact;
    joints += c.type == ConstraintType::kBilateral;
  }
  if (contacts > 0 && joints > 0 && problem.num_rows() >= problem.nv())
    return DualCategory::kDenseConstraints;
  if (contacts == 1) return DualCategory::kSingleContact;
  if (contacts > 1)
    return 3 * contacts <= problem.nv() ? DualCategory::kSparseContacts : DualCategory::kDenseContacts;
  if (joints == 0 || CalcBilateralRank(problem) == joints) return DualCategory::kIndependentJoints;
  return joints < problem.nv() ? DualCategory::kRedundantJoints : DualCategory::kDenseJoints;
}

std::vector<DualProblem> CollectDualProblems(const std::string& assets, int stride, std::string& note) {
  std::vector<DualProblem> all;
  const char* named = std::getenv("STICTION_SHARED_DIR");
  const fs::path shared = fs::path(named != nullptr ? named : STICTION_SHARED_DIR) / "problems";
  if (fs::is_directory(shared))
    AddFolder(shared, all), AddFolder(shared / "real", all);
  else
    note = "the frozen problems of other sources are left out: there is no " + shared.string();
  AddFolder(fs::path(assets) / "problems", all);
  for (const SceneEntry& entry : ListScenes()) {
    if (!entry.is_of_table) continue;
    for (const Coordinates coordinates : {Coordinates::kReduced, Coordinates::kMaximal})
      for (const bool with_feet : {true, false}) AddMechanism(entry, coordinates, with_feet, all);
  }
  AddSteps("a ball that slides", MakeSlidingBall(), all);
  // Of every category the first, and so on.
  std::vector<DualProblem> chosen;
  std::array<int, kNumDualCategories> counts{};
  for (DualProblem& problem : all) {
    if (counts[static_cast<std::size_t>(problem.category)]++ % stride == 0)
      chosen.push_back(std::move(problem));
  }
  return chosen;
}

DualResiduals CalcDualResiduals(const ContactProblem& problem, const Solution& solution) {
  std::vector<double> g(static_cast<std::size_t>(problem.num_rows()));
  problem.MultiplyJ(solution.v.data(), g.data());
  DualResiduals out;
  const auto add = [&out](double primal, double dual, double complementarity) {
    out.primal = std::max(out.primal, primal);
    out.dual = std::max(out.dual, dual);
    out.complementarity = std::max(out.complementarity, complementarity);
  };
  for (const Constraint& c : problem.constraints) {
    const double* lambda = &solution.lambda[c.row];
    const auto gap = [&](int i, double compliance) {
      return g[c.row + i] + problem.e[c.row + i] + compliance * lambda[i];
    };
    if (c.type == ConstraintType::kContact) {
      Vector3d v(gap(0, c.compliance_t), gap(1, c.compliance_t), gap(2, c.compliance_n));
      v.z() += c.mu * v.head<2>().norm();  // De Saxcé
      const Vector3d impulse(lambda[0], lambda[1], lambda[2]);
      // v − P_K*(v) = −P_K(−v) [Moreau].
      add((impulse - ProjectCone(impulse, c.mu)).norm(), ProjectCone(-v, c.mu).norm(),
          std::abs(impulse.dot(v)));
    } else if (IsOneSided(c)) {
      const double v = gap(0, c.compliance_n);
      add(std::max(0.0, -lambda[0]), std::max(0.0, -v), std::abs(lambda[0] * v));
    } else if (c.type == ConstraintType::kBilateral) {
      const double v = gap(0, c.compliance_n);
      add(0.0, std::abs(v), std::abs(lambda[0] * v));
    }
  }
  return out;
}

}  // namespace stiction::runner

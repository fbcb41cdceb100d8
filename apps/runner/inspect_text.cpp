#include "inspect_text.h"

#include <cmath>
#include <cstdio>

#include "report_text.h"

namespace stiction::runner {
namespace {

void PrintSizes(const Model& model) {
  double mass = 0.0;
  for (const Body& body : model.bodies) mass += body.inertia.mass;
  std::printf(
      "%s: %d bodies, %d joints, %d geoms, %d actuators, %d trees; nq %d, nv %d; mass %.6g kg; timestep %g "
      "ms\n",
      model.name.empty() ? "(no name)" : model.name.c_str(), model.num_bodies() - 1, model.num_joints(),
      model.num_geoms(), model.nu(), model.num_trees(), model.nq(), model.nv(), mass,
      1e3 * model.options.timestep);
  if (model.keyframes.empty()) return;
  std::printf("keyframes:");
  for (const Keyframe& keyframe : model.keyframes)
    std::printf(" %s", keyframe.name.empty() ? "(no name)" : keyframe.name.c_str());
  std::printf("\n");
}

std::string DescribeJoint(const Joint& joint) {
  std::string text = std::string(joint.type_name()) + (joint.name.empty() ? "" : " " + joint.name) + " q" +
                     std::to_string(joint.q_address) + " v" + std::to_string(joint.v_address);
  if (std::isfinite(joint.lower) || std::isfinite(joint.upper)) {
    char limits[64];
    std::snprintf(limits, sizeof limits, " [%g, %g]", joint.lower, joint.upper);
    text += limits;
  }
  return text;
}

constexpr int kDrawnLevels = 24;

// The branch that leads to a body. Of a deep one the last levels alone, behind the number of all: each line
// of a long chain would else be as long as the chain.
std::string DrawBranch(const Model& model, const std::vector<int>& last_child, const std::vector<int>& depth,
                       int body) {
  const auto is_last = [&](int k) { return last_child[model.bodies[k].parent] == k; };
  std::string branch = is_last(body) ? "└─ " : "├─ ";
  int k = model.bodies[body].parent;
  for (int level = 1; k != 0 && level < kDrawnLevels; ++level, k = model.bodies[k].parent)
    branch.insert(0, is_last(k) ? "   " : "│  ");
  return k == 0 ? branch : "… " + std::to_string(depth[body]) + " " + branch;
}

// Bodies stand depth first, so that the tree prints top to bottom; only the branch lines need to know which
// child is the last.
void PrintTree(const Model& model) {
  std::vector<int> last_child(model.num_bodies(), -1), depth(model.num_bodies(), 0);
  for (int i = 1; i < model.num_bodies(); ++i) {
    last_child[model.bodies[i].parent] = i;
    depth[i] = depth[model.bodies[i].parent] + 1;
  }
  std::printf("world\n");
  for (int i = 1; i < model.num_bodies(); ++i) {
    const Body& body = model.bodies[i];
    const std::string branch = DrawBranch(model, last_child, depth, i);
    std::printf("%s%s  %.6g kg", branch.c_str(), model.DisplayName(i).c_str(), body.inertia.mass);
    for (int j = body.first_joint; j < body.first_joint + body.num_joints; ++j)
      std::printf("  %s", DescribeJoint(model.joints[j]).c_str());
    std::printf("%s\n", body.is_mocap ? "  mocap" : "");
  }
  for (const Frame& frame : model.frames)
    std::printf("frame %s on %s\n", frame.name.c_str(),
                frame.body == 0 ? "world" : model.DisplayName(frame.body).c_str());
}

// Geoms that press by patches.
void PrintSoftGeoms(const Model& model) {
  for (int g = 0; g < model.num_geoms(); ++g) {
    const Geom& geom = model.geoms[g];
    const Hydroelastic& soft = geom.hydroelastic;
    if (!soft.is_compliant()) continue;
    std::printf("compliant %s%s%s on %s: %g Pa, %g s, at most %d polygons a patch\n",
                std::string(ShapeName(geom.shape)).c_str(), geom.name.empty() ? "" : " ", geom.name.c_str(),
                geom.body == 0 ? "world" : model.DisplayName(geom.body).c_str(), soft.modulus,
                soft.dissipation_time, soft.max_polygons);
  }
}

}  // namespace

void PrintModel(const World& world, const ImportReport& report, bool is_verbose) {
  PrintSizes(world.model());
  PrintTree(world.model());
  PrintSoftGeoms(world.model());
  std::printf("contact points: %zu\n", world.contacts().size());
  const std::vector<Spring> springs = FindSprings(world.model(), world.timestep());
  if (!springs.empty())
    std::printf("springs by symplectic Euler: %s\n",
                DescribeSprings(world.model(), springs, springs.size()).c_str());
  PrintReport("import", report, is_verbose);
}

}  // namespace stiction::runner

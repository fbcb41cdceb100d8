#include "run_start.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "stiction/geometry/shape.h"
#include "stiction/sim/world.h"

namespace stiction::runner {
namespace {

// Less than this is how feet are drawn, and the position stage lifts it.
constexpr double kDeepInPlane = 0.01;  // [m]
constexpr double kDeepShare = 0.02;    // of the thinner one of two other shapes

bool IsGround(const Geom& geom, double z) {
  return geom.body == 0 && std::holds_alternative<Plane>(geom.shape) && geom.X_BG.p.z() == z;
}

bool IsDeep(const Model& model, const Contact& contact) {
  double thinnest = kDeepInPlane / kDeepShare;
  for (const int geom : {contact.geom_a, contact.geom_b}) {
    const double thickness = 2.0 * CalcSmallestRadius(model.geoms[geom].shape);
    if (thickness > 0.0) thinnest = std::min(thinnest, thickness);
  }
  const bool has_plane = std::holds_alternative<Plane>(model.geoms[contact.geom_a].shape) ||
                         std::holds_alternative<Plane>(model.geoms[contact.geom_b].shape);
  return -contact.gap > (has_plane ? kDeepInPlane : kDeepShare * thinnest);
}

// Deep ones: the deepest, and how many pairs of geoms have any.
struct DeepContacts {
  const Contact* deepest = nullptr;
  int num_pairs = 0;
};

// Pieces of patches are deep because something gives way.
DeepContacts FindDeep(const World& world) {
  DeepContacts deep;
  const Contact* last = nullptr;
  for (const Contact& contact : world.contacts()) {
    if (contact.area > 0.0 || !IsDeep(world.model(), contact)) continue;
    const bool is_same_pair = last && last->geom_a == contact.geom_a && last->geom_b == contact.geom_b;
    deep.num_pairs += is_same_pair ? 0 : 1;
    if (!deep.deepest || contact.gap < deep.deepest->gap) deep.deepest = &contact;
    last = &contact;
  }
  return deep;
}

std::string DescribeBuried(const Model& model, const Contact& deepest, double ground) {
  const int body = std::max(model.geoms[deepest.geom_a].body, model.geoms[deepest.geom_b].body);
  const double below = std::floor((ground + deepest.gap) * 100.0) / 100.0;
  char text[200];
  std::snprintf(
      text, sizeof text,
      " starts %.2g m below the ground: --ground %.2f is below it, and --floating-base stands a URDF "
      "that floats on the ground",
      -deepest.gap, below);
  return model.DisplayName(body) + text;
}

// Its body; of the world, which has many parts, the geom itself.
std::string NameOf(const Model& model, int geom) {
  const Geom& g = model.geoms[geom];
  return g.body == 0 && !g.name.empty() ? g.name : model.DisplayName(g.body);
}

std::string DescribeDeep(const Model& model, const DeepContacts& deep) {
  char depth[80], pairs[80] = "";
  std::snprintf(depth, sizeof depth, " start %.2g m deep in one another", -deep.deepest->gap);
  if (deep.num_pairs > 1)
    std::snprintf(pairs, sizeof pairs, ", the deepest of %d pairs of shapes that overlap", deep.num_pairs);
  return NameOf(model, deep.deepest->geom_a) + " and " + NameOf(model, deep.deepest->geom_b) + depth + pairs +
         ": the first steps push them apart, to whatever side is near";
}

}  // namespace

std::string DescribeStart(const RunPlan& plan, const ModelArguments& arguments) {
  if (plan.model.nv() == 0 && plan.model.num_mocap == 0)
    return "nothing can move: no body of the model has a joint; --floating-base frees the root of a URDF";
  WorldOptions options = plan.options;
  options.num_threads = 1;
  World world(plan.model, options);
  if (!plan.keyframe.empty()) world.SetKeyframe(FindKnownKeyframe(world.model(), plan.keyframe));
  world.Refresh();
  const Model& model = world.model();
  const DeepContacts deep = FindDeep(world);
  if (!deep.deepest) return "";
  const bool is_on_ground = arguments.ground && !IsSceneText(arguments.path) && !IsScenario(arguments.path) &&
                            (IsGround(model.geoms[deep.deepest->geom_a], *arguments.ground) ||
                             IsGround(model.geoms[deep.deepest->geom_b], *arguments.ground));
  return is_on_ground ? DescribeBuried(model, *deep.deepest, *arguments.ground) : DescribeDeep(model, deep);
}

}  // namespace stiction::runner

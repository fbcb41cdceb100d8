#include "stiction/collision/pair_support.h"

#include <array>

#include "stiction/collision/narrowphase.h"

namespace stiction {
namespace {

constexpr int kNumShapes = std::variant_size_v<Shape>;

std::string DescribeGeom(const Model& model, int geom) {
  const Geom& g = model.geoms[geom];
  const std::string name = g.name.empty() ? "geom " + std::to_string(geom) : "geom '" + g.name + "'";
  return name + " of body '" + model.DisplayName(g.body) + "'";
}

}  // namespace

std::vector<UnsupportedPair> FindUnsupportedPairs(const Model& model) {
  std::array<std::vector<int>, kNumShapes> by_type;
  for (int g = 0; g < model.num_geoms(); ++g) {
    if (model.geoms[g].collides()) by_type[model.geoms[g].shape.index()].push_back(g);
  }
  std::vector<UnsupportedPair> found;
  for (int s = 0; s < kNumShapes; ++s) {
    for (int t = s; t < kNumShapes; ++t) {
      if (by_type[s].empty() || by_type[t].empty()) continue;
      if (PairIsSupported(model.geoms[by_type[s][0]].shape, model.geoms[by_type[t][0]].shape)) continue;
      UnsupportedPair pair;
      for (int a : by_type[s]) {
        for (int b : by_type[t]) {
          if ((s == t && b <= a) || !model.PairCollides(a, b)) continue;
          if (pair.count++ == 0) pair.geom_a = a, pair.geom_b = b;
        }
      }
      if (pair.count > 0) found.push_back(pair);
    }
  }
  return found;
}

std::string Describe(const Model& model, const UnsupportedPair& pair) {
  const std::string a(ShapeName(model.geoms[pair.geom_a].shape)),
      b(ShapeName(model.geoms[pair.geom_b].shape));
  return "no contact between " + a + " and " + b + ": " + std::to_string(pair.count) +
         (pair.count == 1 ? " pair, " : " pairs, such as ") + DescribeGeom(model, pair.geom_a) + " and " +
         DescribeGeom(model, pair.geom_b);
}

}  // namespace stiction

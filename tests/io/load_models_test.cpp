// Real models and test scenes load.
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <limits>

#include "stiction/geometry/convex_hull.h"
#include "stiction/geometry/mesh_surface.h"
#include "tests/io/model_text.h"
#include "tests/support/shared_files.h"

namespace stiction {
namespace {

namespace fs = std::filesystem;

const fs::path kOurs = STICTION_SOURCE_DIR "/assets";

TEST(LoadModels, EverySceneOfOthersLoads) {
  const fs::path folder = SharedPath("scenes");
  if (!fs::exists(folder)) GTEST_SKIP() << "no scenes at " << folder;
  int count = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".xml") continue;
    EXPECT_NO_THROW(LoadModel(entry.path().string())) << entry.path();
    ++count;
  }
  EXPECT_GE(count, 16);
}

// True if the file is a model of its own, not a part that others include.
bool IsModel(const fs::path& path) {
  std::ifstream stream(path);
  const std::string text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  return text.find("<mujoco ") != std::string::npos || text.find("<mujoco>") != std::string::npos ||
         text.find("<robot") != std::string::npos;
}

std::vector<fs::path> ListModels(const fs::path& folder) {
  std::vector<fs::path> models;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const fs::path& path = entry.path();
    if ((path.extension() == ".xml" || path.extension() == ".urdf") && IsModel(path)) models.push_back(path);
  }
  return models;
}

// Ours are understood whole, but for the speed limits of URDF joints.
TEST(LoadModels, EveryModelLoads) {
  const std::vector<fs::path> models = ListModels(kOurs);
  EXPECT_GE(models.size(), 27u);
  for (const fs::path& path : models) {
    SCOPED_TRACE(path);
    ImportReport report;
    EXPECT_NO_THROW(LoadModel(path.string(), {}, &report));
    for (const ImportItem& item : report.items)
      EXPECT_TRUE(!item.is_physical_loss() || item.item == "limit[@velocity]") << Describe(item);
  }
}

TEST(LoadModels, EveryModelOfOthersLoads) {
  const fs::path folder = SharedPath("models");
  if (!fs::exists(folder)) GTEST_SKIP() << "no models at " << folder;
  const std::vector<fs::path> models = ListModels(folder);
  EXPECT_GE(models.size(), 58u);
  for (const fs::path& path : models) EXPECT_NO_THROW(LoadModel(path.string())) << path;
}

// The same to the last bit but for what is seen.
void ExpectSameSimulation(const Model& a, const Model& b) {
  ASSERT_EQ(a.num_bodies(), b.num_bodies());
  ASSERT_EQ(a.num_geoms(), b.num_geoms());
  EXPECT_EQ(a.q0, b.q0);
  for (int i = 0; i < a.num_bodies(); ++i) {
    EXPECT_EQ(a.bodies[i].inertia.mass, b.bodies[i].inertia.mass);
    EXPECT_EQ(a.bodies[i].inertia.I_BBcm_B, b.bodies[i].inertia.I_BBcm_B);
  }
  for (int g = 0; g < a.num_geoms(); ++g) {
    EXPECT_EQ(a.geoms[g].X_BG.p, b.geoms[g].X_BG.p);
    EXPECT_EQ(a.geoms[g].shape.index(), b.geoms[g].shape.index());
    EXPECT_EQ(a.geoms[g].contype, b.geoms[g].contype);
  }
}

// How many visuals the models of the folder have; all models can be seen, and are the same without.
size_t LookAtModels(const fs::path& folder) {
  size_t num_visuals = 0;
  for (const fs::path& path : ListModels(folder)) {
    SCOPED_TRACE(path);
    const Model blind = LoadModel(path), model = LoadModel(path, {.visuals = true});
    for (const Visual& visual : blind.visuals) EXPECT_TRUE(visual.is_site);
    ExpectSameSimulation(blind, model);
    const bool is_seen =
        std::any_of(model.geoms.begin(), model.geoms.end(), [](const Geom& geom) { return geom.is_seen; });
    EXPECT_TRUE(is_seen || !model.visuals.empty() || model.geoms.empty());
    num_visuals += model.visuals.size();
  }
  return num_visuals;
}

TEST(LoadModels, EveryModelCanBeLookedAt) {
  EXPECT_GE(LookAtModels(kOurs), 17u);  // the quadruped's links
}

TEST(LoadModels, EveryModelOfOthersCanBeLookedAt) {
  const fs::path folder = SharedPath("models");
  if (!fs::exists(folder)) GTEST_SKIP() << "no models at " << folder;
  EXPECT_GE(LookAtModels(folder), 500u);
}

// An axis-aligned box in a body's frame.
struct Bounds {
  Vector3d lower = Vector3d::Constant(std::numeric_limits<double>::infinity());
  Vector3d upper = -lower;
  void Add(const Vector3d& p) {
    lower = lower.cwiseMin(p);
    upper = upper.cwiseMax(p);
  }
  void Add(const std::vector<Vector3d>& vertices, const RigidTransform& X) {
    for (const Vector3d& p : vertices) Add(X * p);
  }
  void Add(const Shape& shape, const RigidTransform& X) {
    if (const Hull* hull = std::get_if<Hull>(&shape)) return Add(hull->polytope->vertices, X);
    if (const Mesh* mesh = std::get_if<Mesh>(&shape)) return Add(mesh->surface->mesh.vertices, X);
    const Vector3d half = CalcBoundingHalfExtents(shape, X.R);
    Add(X.p - half);
    Add(X.p + half);
  }
  bool is_empty() const { return upper.x() < lower.x(); }
};

// Authors draw what is seen and what collides apart from one another, and the engine reads them by different
// routes: triangles from the file, hulls through the cache and about their own centres.
struct Robot {
  fs::path file;
  double difference;  // between the boxes, as drawn [m]
  int num_bodies;     // with both
};
void ExpectBodiesLookLikeWhatCollides(const std::vector<Robot>& robots) {
  for (const Robot& robot : robots) {
    const Model model = LoadModel(robot.file.string(), {.visuals = true});
    std::vector<Bounds> seen(model.num_bodies()), colliding(model.num_bodies());
    for (const Visual& visual : model.visuals) {
      if (visual.is_site) continue;
      if (const SharedMesh* mesh = std::get_if<SharedMesh>(&visual.shape)) {
        seen[visual.body].Add((*mesh)->vertices, visual.X_BV);
      } else {
        seen[visual.body].Add(std::get<Shape>(visual.shape), visual.X_BV);
      }
    }
    for (const Geom& geom : model.geoms) colliding[geom.body].Add(geom.shape, geom.X_BG);
    int num_compared = 0;
    for (int b = 1; b < model.num_bodies(); ++b) {
      if (seen[b].is_empty() || colliding[b].is_empty()) continue;
      const Vector3d lower = seen[b].lower - colliding[b].lower, upper = seen[b].upper - colliding[b].upper;
      EXPECT_LT(lower.cwiseAbs().maxCoeff(), robot.difference) << model.DisplayName(b);
      EXPECT_LT(upper.cwiseAbs().maxCoeff(), robot.difference) << model.DisplayName(b);
      ++num_compared;
    }
    EXPECT_EQ(num_compared, robot.num_bodies) << robot.file;
  }
}

TEST(LoadModels, BodiesLookLikeWhatCollides) {
  // Coarse and fine meshes share the points on their axes.
  ExpectBodiesLookLikeWhatCollides({{kOurs / "models/quadruped.urdf", 1e-9, 12}});
}

TEST(LoadModels, BodiesOfOthersLookLikeWhatCollides) {
  const fs::path folder = SharedPath("models");
  if (!fs::exists(folder)) GTEST_SKIP() << "no models at " << folder;
  const std::string data = "/example-robot-data/robots/";
  const std::string talos = "talos" + data + "talos_data/robots/talos_reduced.urdf";
  const std::string panda = "panda" + data + "panda_description/urdf/panda.urdf";
  ExpectBodiesLookLikeWhatCollides({{folder / "tidybot_2f85/tidybot.xml", 2e-3, 20},
                                    {folder / "allegro_hand/right_hand.xml", 2e-2, 21},
                                    {folder / "laikago/laikago.urdf", 1e-3, 12},
                                    {folder / talos, 2e-3, 32},
                                    {folder / panda, 6e-3, 9}});
}

TEST(LoadModels, TimeIsNearlyLinearInTheNumberOfBodies) {
  const auto measure = [](int count) {
    std::string text = "<mujoco><worldbody>";
    for (int i = 0; i < count; ++i) {
      text += "<body name='b" + std::to_string(i) + "'><freejoint/><geom size='0.1'/></body>";
    }
    const TemporaryFile file(text + "</worldbody></mujoco>", ".xml");
    double best = 1e9;
    for (int run = 0; run < 3; ++run) {
      // Of this program's processor, whatever else runs.
      const std::clock_t start = std::clock();
      LoadModel(file.path());
      best = std::min(best, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
    }
    return best;
  };
  // 32 times the bodies: 32 if linear, 1000 if quadratic. Between them, with room for a busy machine and its
  // caches.
  EXPECT_LT(measure(16'000), 250 * measure(500));
}

}  // namespace
}  // namespace stiction

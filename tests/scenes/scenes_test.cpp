// Named scenes: the published counts, the two coordinates against one another, and the exactness of steps
// over mass ratios.
#include "stiction/scenes/scenes.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <algorithm>

#include "stiction/contact/bilateral_rank.h"
#include "stiction/contact/registry.h"
#include "stiction/contact/solve.h"
#include "stiction/io/scenario.h"
#include "stiction/sim/world.h"
#include "tests/scenes/start_scene.h"
#include "tests/support/dense_algebra.h"
#include "tests/support/dense_certificate.h"
#include "tests/support/random_numbers.h"

namespace stiction::testing {
namespace {

constexpr Coordinates kBoth[] = {Coordinates::kReduced, Coordinates::kMaximal};

// A pile has one.
std::vector<Coordinates> CoordinatesOf(const SceneEntry& entry) {
  if (entry.is_pile) return {Coordinates::kReduced};
  return {std::begin(kBoth), std::end(kBoth)};
}

// Sliding, where the scene can.
SceneParameters Sliding(const char* name, Coordinates coordinates) {
  return {.coordinates = coordinates, .speed = FindScene(name)->is_held ? 0.0 : 0.3};
}

// Angular and linear velocity of every body at its origin, by the names of `order`.
MatrixXd BodyVelocities(const World& world, const Model& order) {
  MatrixXd V(6, order.num_bodies());
  V.col(0).setZero();
  for (int i = 1; i < order.num_bodies(); ++i) {
    const int body = world.model().FindBody(order.bodies[i].name);
    const Kinematics& kin = world.kinematics();
    V.col(i) << CalcAngularVelocity(kin, body), CalcPointVelocity(world.model(), kin, body, kin.X_WB[body].p);
  }
  return V;
}

// The same wrench on the same bodies, whatever their order.
void Push(const Model& order, World& world, unsigned seed) {
  RandomNumbers random(seed);
  for (int i = 1; i < order.num_bodies(); ++i) {
    const int body = world.model().FindBody(order.bodies[i].name);
    const double mass = order.bodies[i].inertia.mass;
    Vector6d wrench = random.NormalVector(6);
    wrench.head<3>() *= 0.01 * mass;
    wrench.tail<3>() *= mass;
    world.input().applied_wrench.col(body) = wrench;
  }
}

// The counts of the table, typed in here: bodies, joints, rows, rank, mass ratio.
struct TableRow {
  const char* name;
  int bodies, joints, rows, rank;
  double ratio;
};
constexpr TableRow kTable[] = {
    {"box_on_plane", 1, 0, 0, 0, 1.0},
    {"boxes_fixed", 2, 1, 6, 6, 1000.0},
    {"nunchuk", 3, 2, 6, 6, 1.0},
    {"fourbar_fixed", 4, 5, 26, 23, 1.0},
    {"fourbar_free", 4, 4, 20, 17, 1.0},
    {"arm7d", 8, 8, 41, 41, 19.54},  // one joint more: the base's, which holds 6 rows
    {"quadruped", 13, 12, 60, 60, 29.07},
    {"bdx", 15, 14, 70, 70, 42.49},
    {"lima", 21, 20, 100, 100, 321.39},
    {"misha", 22, 24, 121, 115, 90.67},
    {"walker", 31, 36, 180, 162, 99.55},
    {"gazelle", 38, 45, 214, 202, 1012.54},
    {"ironman", 54, 67, 304, 289, 25544.44}};

TEST(Scenes, HaveTheCountsOfTheTable) {
  std::size_t i = 0;
  for (const SceneEntry& entry : ListScenes()) {
    if (!entry.is_of_table) continue;
    ASSERT_LT(i, std::size(kTable));
    const TableRow& row = kTable[i++];
    SCOPED_TRACE(row.name);
    EXPECT_STREQ(entry.name, row.name);
    const Model model = MakeScene(row.name, {.coordinates = Coordinates::kMaximal});
    EXPECT_EQ(model.num_bodies() - 1, row.bodies);
    EXPECT_EQ(model.num_equalities(), row.joints);
    EXPECT_EQ(model.num_equality_rows, row.rows);
    EXPECT_EQ(model.nv(), 6 * row.bodies);
    EXPECT_NEAR(MassRatio(model), row.ratio, 1e-12 * row.ratio);
  }
  EXPECT_EQ(i, std::size(kTable));
}

// Entries against models: rows, ranks and contacts in both coordinates.
TEST(Scenes, AreWhatTheirEntriesSay) {
  for (const SceneEntry& entry : ListScenes()) {
    for (const Coordinates coordinates : CoordinatesOf(entry)) {
      SCOPED_TRACE(std::string(entry.name) + " " + ToString(coordinates));
      const bool is_maximal = coordinates == Coordinates::kMaximal;
      World world = StartScene(entry.name, {.coordinates = coordinates});
      EXPECT_EQ(world.model().num_bodies() - 1, entry.num_bodies);
      if (is_maximal) {
        EXPECT_EQ(world.model().num_equalities(), entry.num_joints);
      }
      world.Refresh();
      // On fields, rounding may choose another sample.
      EXPECT_NEAR(world.contacts().size(), entry.num_contacts,
                  entry.is_pile ? 0.05 * entry.num_contacts : 0.0);
      world.Step();
      EXPECT_EQ(world.report().num_equality_rows, is_maximal ? entry.num_rows : entry.num_reduced_rows);
      EXPECT_EQ(CalcBilateralRank(world.problem()), is_maximal ? entry.rank : entry.reduced_rank);
      for (const TableRow& row : kTable) {
        if (is_maximal && std::string_view(row.name) == entry.name) {
          EXPECT_EQ(entry.rank, row.rank);
        }
      }
      // The same number of freedoms, counted twice.
      EXPECT_EQ(6 * entry.num_bodies - entry.rank, MakeScene(entry.name).nv() - entry.reduced_rank);
    }
  }
}

// A mechanism is put together without strain, and the velocity at the start agrees with its joints.
TEST(Scenes, FitTogetherAndMoveAlongTheirJoints) {
  for (const SceneEntry& entry : ListScenes()) {
    for (const Coordinates coordinates : CoordinatesOf(entry)) {
      SCOPED_TRACE(std::string(entry.name) + " " + ToString(coordinates));
      SceneParameters options{.coordinates = coordinates};
      if (!entry.is_held) options.speed = 0.3, options.spin = 1.0;
      World world = StartScene(entry.name, options);
      const MatrixXd V = BodyVelocities(world, world.model());
      EXPECT_NEAR(V(2, 1), options.spin, 1e-12);
      world.Step();
      const ContactProblem& problem = world.problem();
      State start = State::FromKeyframe(world.model(), *world.model().FindKeyframe(kStartKeyframe));
      VectorXd rate(problem.num_rows());
      problem.MultiplyJ(start.v.data(), rate.data());
      EXPECT_LT(rate.head(world.report().num_equality_rows).cwiseAbs().sum(), 1e-12);
      EXPECT_LT(world.report().loop, 1e-9);
    }
  }
}

TEST(Scenes, SeedsAndRatiosGiveOtherRobotsOfTheSameCounts) {
  for (const unsigned seed : {1u, 2u, 3u, 4u, 5u}) {
    for (const double ratio : {1.0, 2.5e4}) {
      for (const char* name : {"misha", "walker", "gazelle", "ironman"}) {
        SCOPED_TRACE(std::string(name) + " seed " + std::to_string(seed));
        World world(
            MakeScene(name, {.coordinates = Coordinates::kMaximal, .mass_ratio = ratio, .seed = seed}));
        world.Step();
        EXPECT_EQ(world.report().num_equality_rows, FindScene(name)->num_rows);
        EXPECT_EQ(CalcBilateralRank(world.problem()), FindScene(name)->rank);
        EXPECT_NEAR(MassRatio(world.model()), ratio, 1e-12 * ratio);
      }
    }
  }
  EXPECT_NE(MakeScene("walker", {.seed = 1}).bodies[2].inertia.mass,
            MakeScene("walker", {.seed = 2}).bodies[2].inertia.mass);
}

TEST(Scenes, LaddersAndChainsGrow) {
  for (const int count : {1, 3, 7}) {
    World ladder(MakeScene("ladder", {.coordinates = Coordinates::kMaximal, .count = count}));
    ladder.Step();
    EXPECT_EQ(ladder.report().num_equality_rows, 20 * count + 6);
    EXPECT_EQ(CalcBilateralRank(ladder.problem()), 17 * count + 6);
    EXPECT_EQ(MakeScene("chain", {.count = count}).nv(), 3 * count);
  }
}

// The velocity with which the rows as they stand end the step: without the bias that foresees how they bend
// along the way, and seen in the pose at the start.
World SolveFromRest(World world) {
  ContactProblem problem = world.problem();
  std::fill(problem.e.begin(), problem.e.end(), 0.0);
  Solution solution;
  ProblemSolver solver;
  const ProblemReport report = solver.Solve(problem, *MakeSolver("auto"), solution);
  EXPECT_LT(report.certificate.ncp_max, 1e-9);
  State state = State::FromKeyframe(world.model(), *world.model().FindKeyframe(kStartKeyframe));
  state.v = solution.v;
  world.set_state(state);
  return world;
}

// From rest and without contacts, pushed alike: the accelerations are those of one mechanism.
TEST(Scenes, CoordinatesAccelerateAlike) {
  for (const SceneEntry& entry : ListScenes()) {
    if (entry.is_pile) continue;
    SCOPED_TRACE(entry.name);
    MatrixXd a[2];
    const Model order = MakeScene(entry.name);
    for (const Coordinates coordinates : kBoth) {
      World world = StartScene(entry.name, {.coordinates = coordinates, .with_feet = false});
      Push(order, world, 11);
      world.Step();
      EXPECT_EQ(world.report().num_contacts, 0);
      world = SolveFromRest(std::move(world));
      a[coordinates == Coordinates::kMaximal] = BodyVelocities(world, order) / world.timestep();
    }
    const double size = a[0].cwiseAbs().maxCoeff();
    EXPECT_GT(size, 0.1);
    EXPECT_LT((a[0] - a[1]).cwiseAbs().maxCoeff(), 1e-9 * std::max(1.0, size)) << size;
  }
}

// What the contacts see: J_c A⁻¹ J_cᵀ and the free velocity at the contacts, without the motions that the
// bilateral rows forbid. Dense arithmetic, apart from the solvers'.
struct SeenByContacts {
  MatrixXd W;
  VectorXd g;
};
SeenByContacts CalcSeenByContacts(const World& world) {
  const ContactProblem& problem = world.problem();
  const int b = world.report().num_equality_rows, c = problem.num_rows() - b;
  const MatrixXd J = problem.DenseJ();
  const MatrixXd Yt = problem.A.ToDense().llt().matrixL().solve(J.transpose());
  const VectorXd g0 = J * problem.v_star + Eigen::Map<const VectorXd>(problem.e.data(), problem.num_rows());
  SeenByContacts seen{Yt.rightCols(c).transpose() * Yt.rightCols(c), g0.tail(c)};
  if (b == 0) return seen;
  MatrixXd B = Yt.leftCols(b);
  VectorXd g_b = g0.head(b);
  const double longest = B.colwise().norm().maxCoeff();
  for (int i = 0; i < b; ++i) {
    const double length = B.col(i).norm();
    if (length < 1e-12 * longest) B.col(i).setZero(), g_b[i] = 0.0;
    if (length >= 1e-12 * longest) B.col(i) /= length, g_b[i] /= length;
  }
  const TruncatedSvd svd = CalcSvd(B, 1e-10);
  const MatrixXd Y_c = Yt.rightCols(c) - svd.U * (svd.U.transpose() * Yt.rightCols(c));
  seen.W = Y_c.transpose() * Y_c;
  // The motion of least norm that the bilateral rows ask for.
  const VectorXd coordinates = (svd.V.transpose() * g_b).cwiseQuotient(svd.values);
  seen.g -= Yt.rightCols(c).transpose() * (svd.U * coordinates);
  return seen;
}

// For each contact of `a`, in the order of its rows, the same one of `b`: on a body of the same name, at the
// same point.
std::vector<int> MatchContacts(const World& a, const World& b) {
  std::vector<int> match;
  const auto body_of = [](const World& world, const Contact& contact) {
    return world.model().bodies[world.model().geoms[contact.geom_b].body].name;
  };
  for (const Contact& wanted : a.contacts()) {
    for (std::size_t k = 0; k < b.contacts().size(); ++k) {
      const Contact& other = b.contacts()[k];
      if (body_of(a, wanted) == body_of(b, other) && (wanted.p_W - other.p_W).norm() < 1e-9)
        match.push_back(static_cast<int>(k));
    }
  }
  return match;
}

TEST(Scenes, ContactsSeeTheSameProblemInBothCoordinates) {
  for (const SceneEntry& entry : ListScenes()) {
    if (entry.num_contacts == 0 || entry.is_pile) continue;
    SCOPED_TRACE(entry.name);
    World reduced = StartScene(entry.name, Sliding(entry.name, Coordinates::kReduced));
    World maximal = StartScene(entry.name, Sliding(entry.name, Coordinates::kMaximal));
    reduced.Step(), maximal.Step();
    const SeenByContacts a = CalcSeenByContacts(reduced), b = CalcSeenByContacts(maximal);
    const std::vector<int> match = MatchContacts(reduced, maximal);
    const int count = static_cast<int>(match.size());
    ASSERT_EQ(count, entry.num_contacts);
    ASSERT_EQ(a.g.size(), 3 * count);
    ASSERT_EQ(b.g.size(), 3 * count);
    const double size = a.W.cwiseAbs().maxCoeff();
    for (int i = 0; i < count; ++i) {
      EXPECT_LT((a.g.segment<3>(3 * i) - b.g.segment<3>(3 * match[i])).cwiseAbs().maxCoeff(), 1e-9);
      for (int j = 0; j < count; ++j) {
        const Matrix3d difference =
            a.W.block<3, 3>(3 * i, 3 * j) - b.W.block<3, 3>(3 * match[i], 3 * match[j]);
        ASSERT_LT(difference.cwiseAbs().maxCoeff(), 1e-8 * size) << "contacts " << i << " and " << j;
      }
    }
  }
}

// Reactions of loops: nothing of them lies in the null space of J_bᵀ.
TEST(Scenes, ReactionsAreOfLeastNorm) {
  for (const char* name : {"fourbar_fixed", "fourbar_free", "misha", "walker", "gazelle", "ironman"}) {
    for (const Coordinates coordinates : kBoth) {
      SCOPED_TRACE(std::string(name) + " " + ToString(coordinates));
      World world = StartScene(name, {.coordinates = coordinates});
      Push(world.model(), world, 5);
      world.Step();
      const int rows = world.report().num_equality_rows;
      const VectorXd reaction = world.solution().lambda.head(rows);
      const MatrixXd Jt = world.problem().DenseJ().topRows(rows).transpose();
      // The solution of least norm of J_bᵀ x = J_bᵀ λ is λ itself.
      // Rows that do not move, of planar loops, are rounding.
      const VectorXd least = CalcPseudoInverse(Jt, 1e-11) * (Jt * reaction);
      EXPECT_GT(reaction.norm(), 1e-5);
      EXPECT_LT((least - reaction).norm(), 1e-8 * reaction.norm());
    }
  }
}

// The largest residual of the exact laws over the first steps, sliding [m/s].
double WorstResidual(const char* name, Coordinates coordinates, double ratio, const std::string& solver) {
  SceneParameters options = Sliding(name, coordinates);
  if (FindScene(name)->has_ratio) options.mass_ratio = ratio;
  World world = StartScene(name, options, {.solver = solver});
  double worst = 0.0;
  for (int step = 0; step < 4; ++step) {
    world.Step();
    worst = std::max(worst, world.report().certificate.ncp_max);
    EXPECT_LT(world.report().loop, 1e-9);
  }
  return worst;
}

TEST(Scenes, StepsOfTheDefaultSolverAreExactOverMassRatios) {
  for (const TableRow& row : kTable) {
    for (const double ratio : {1.0, 1e2, 1e4, 2.5e4}) {
      for (const Coordinates coordinates : kBoth)
        EXPECT_LE(WorstResidual(row.name, coordinates, ratio, "auto"), 1e-8)
            << row.name << " " << ToString(coordinates) << " " << ratio;
    }
  }
}

// Canal alone, without sweeps before it.
TEST(Scenes, StepsOfCanalAreExactOverMassRatios) {
  for (const TableRow& row : kTable) {
    for (const double ratio : {1.0, 2.5e4}) {
      for (const Coordinates coordinates : kBoth)
        EXPECT_LE(WorstResidual(row.name, coordinates, ratio, "canal"), 1e-8)
            << row.name << " " << ToString(coordinates) << " " << ratio;
    }
  }
}

// With more sliding feet, and on the heavy cube in maximal coordinates from 1e4 on, it runs out of iterations
// at times.
TEST(Scenes, StepsOfAdmmAreExactOverMassRatiosWhereFewFeetSlide) {
  for (const char* name : {"box_on_plane", "nunchuk", "fourbar_fixed", "fourbar_free", "arm7d"}) {
    for (const double ratio : {1.0, 2.5e4}) {
      for (const Coordinates coordinates : kBoth)
        EXPECT_LE(WorstResidual(name, coordinates, ratio, "admm_ncp"), 1e-8)
            << name << " " << ToString(coordinates) << " " << ratio;
    }
  }
}

// A step on sliding feet where the balance of the residuals ends at a tenth of a penalty that converges.
TEST(Scenes, AdmmSearchesForAPenaltyWhereItGetsNowhere) {
  WorldOptions options;
  options.solver = "admm_ncp";
  options.solver_options = {{"tolerance", "1e-7"}, {"max_iterations", "10000"}};
  options.budget = Budget{1e-6};
  options.on_miss = OnMiss::kAccept;
  World world(MakeScene("bdx", {.coordinates = Coordinates::kMaximal, .speed = 0.3}), options);
  world.SetKeyframe(*world.model().FindKeyframe(kStartKeyframe));
  for (int step = 0; step < 6; ++step) {
    EXPECT_EQ(world.Step().status, StepStatus::kOk) << step;
    EXPECT_LE(world.report().certificate.ncp_max, 1e-6) << step;
  }
}

// Rows of six planar loops, three of each implied by the others: the bias must not ask for what no motion can
// do.
TEST(Scenes, BiasOfDependentRowsCanBeMet) {
  World world = StartScene("walker", {.coordinates = Coordinates::kMaximal, .speed = 0.3});
  for (int step = 0; step < 3; ++step) world.Step();
  const ContactProblem& problem = world.problem();
  const int rows = world.report().num_equality_rows;
  const VectorXd e = Eigen::Map<const VectorXd>(problem.e.data(), rows);
  const MatrixXd J = problem.DenseJ().topRows(rows);
  const VectorXd v = CalcPseudoInverse(J, 1e-9) * e;
  EXPECT_GT(e.lpNorm<Eigen::Infinity>(), 1e-6);
  EXPECT_LT((J * v - e).lpNorm<Eigen::Infinity>(), 1e-9);
}

TEST(SceneText, IsParsed) {
  EXPECT_TRUE(IsSceneText("scene:walker"));
  EXPECT_FALSE(IsSceneText("walker.xml"));
  const SceneText text =
      ParseSceneText("scene:quadruped:maximal:air:ratio=1e3:count=4:seed=7:speed=-0.5:spin=2");
  EXPECT_EQ(text.name, "quadruped");
  const SceneText heap = ParseSceneText("scene:quadrupeds"),
                  larger = ParseSceneText("scene:quadrupeds:count=27");
  EXPECT_EQ(heap.name + " " + larger.name, "quadruped quadruped");
  EXPECT_EQ(heap.options.count, 8);
  EXPECT_EQ(larger.options.count, 27);
  EXPECT_EQ(text.options.coordinates, Coordinates::kMaximal);
  EXPECT_FALSE(text.options.with_feet);
  EXPECT_EQ(text.options.mass_ratio, 1e3);
  EXPECT_EQ(text.options.count, 4);
  EXPECT_EQ(text.options.seed, 7u);
  EXPECT_EQ(text.options.speed, -0.5);
  EXPECT_EQ(text.options.spin, 2.0);
}

TEST(SceneText, FaultsAreNamed) {
  const auto what = [](const auto& call) -> std::string {
    try {
      call();
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(what([] { MakeScene("wolker"); }).find("walker"), std::string::npos);
  EXPECT_NE(what([] { MakeScene("walker", {.mass_ratio = 0.5}); }).find("mass ratio"), std::string::npos);
  EXPECT_NE(what([] { MakeScene("chain", {.count = -1}); }).find("count"), std::string::npos);
  EXPECT_NE(what([] { ParseSceneText("scene:walker:maximum"); }).find("maximal"), std::string::npos);
  EXPECT_NE(what([] { ParseSceneText("scene:walker:ratio=x"); }).find("ratio=x"), std::string::npos);
  EXPECT_NE(what([] { ParseSceneText("scene:chain:count=1.5"); }).find("count=1.5"), std::string::npos);
  EXPECT_NE(what([] { ParseSceneText("scene:chain:count=0"); }).find("from 1 to 10000"), std::string::npos);
  EXPECT_NE(what([] { ParseSceneText("scene:chain:ratio=0"); }).find("ratio=0"), std::string::npos);
}

// Problems of steps in the middle of things, ten of each scene, judged by dense matrices: the certificate
// that the step reports is right, and within the budget.
TEST(Scenes, StepsAreExactByDenseMatrices) {
  struct Case {
    const char* name;
    SceneParameters options;
    int every;
  };
  for (const Case& scene :
       {Case{"clutter", {.count = 20}, 12}, Case{"layers", {.count = 25}, 6}, Case{"brick_wall", {}, 4},
        Case{"quadruped", {.count = 3}, 20}, Case{"walker", {.speed = 1.0}, 15}, Case{"dishes", {}, 5}}) {
    SCOPED_TRACE(scene.name);
    // Islands that are left out have no rows in the problem, but what they missed by counts.
    World world = StartScene(scene.name, scene.options, {.skips_still = false});
    for (int step = 1; step <= 10 * scene.every; ++step) {
      const StepReport& report = world.Step();
      if (step % scene.every != 0 || world.problem().num_rows() == 0) continue;
      const DenseCertificate dense = CalcDenseCertificate(world.problem(), world.solution().lambda);
      EXPECT_NEAR(report.certificate.ncp_max, dense.ncp.maxCoeff(), 1e-9) << step;
      EXPECT_LE(dense.ncp.maxCoeff(), 1e-8) << step;
    }
  }
}

// Every word of every scene: those that it has change the model or its start, the others are refused, as
// words and as parameters, with a message that names those that it has.
TEST(SceneText, AWordTakesEffectOrIsRefused) {
  struct Word {
    const char* key;
    const char* text;
  };
  constexpr Word kWords[] = {{"maximal", "maximal"}, {"air", "air"},        {"ratio=", "ratio=7"},
                             {"count=", "count=3"},  {"seed=", "seed=5"},   {"speed=", "speed=0.25"},
                             {"spin=", "spin=0.5"},  {"reduced", "reduced"}};
  const auto start = [](const Model& model) { return model.FindKeyframe(kStartKeyframe)->v; };
  const auto positions = [](const Model& model) {
    MatrixXd p(4, model.num_bodies());
    for (int b = 0; b < model.num_bodies(); ++b)
      p.col(b) << model.bodies[b].X_PB.p, model.bodies[b].inertia.mass;
    return p;
  };
  for (const SceneEntry& entry : ListScenes()) {
    const std::vector<std::string_view> words = ListWords(entry);
    const Model plain = MakeScene(entry.name);
    for (const Word& word : kWords) {
      const std::string text = "scene:" + std::string(entry.name) + ":" + word.text;
      SCOPED_TRACE(text);
      if (std::find(words.begin(), words.end(), word.key) == words.end()) {
        try {
          ParseSceneText(text);
          ADD_FAILURE() << "was accepted";
        } catch (const std::invalid_argument& error) {
          EXPECT_NE(std::string(error.what()).find(words.back()), std::string::npos) << error.what();
        }
        continue;
      }
      const SceneText parsed = ParseSceneText(text);
      const Model model = MakeScene(parsed.name, parsed.options);
      const bool is_other = model.name != plain.name || model.num_bodies() != plain.num_bodies() ||
                            model.nv() != plain.nv() || model.num_geoms() != plain.num_geoms() ||
                            start(model) != start(plain) || positions(model) != positions(plain);
      EXPECT_EQ(is_other, word.key != std::string_view("reduced"));
    }
  }
  EXPECT_THROW(MakeScene("nut", {.mass_ratio = 2.0}), std::invalid_argument);
  EXPECT_THROW(MakeScene("stack", {.coordinates = Coordinates::kMaximal}), std::invalid_argument);
  EXPECT_THROW(MakeScene("walker", {.count = 2}), std::invalid_argument);
  EXPECT_THROW(MakeScene("arm7d", {.speed = 0.1}), std::invalid_argument);
  EXPECT_THROW(MakeScene("quadruped", {.coordinates = Coordinates::kMaximal, .count = 2}),
               std::invalid_argument);
}

// Robots of a heap: so many of them, apart at first, with the velocity that was asked for; they fall, land on
// the ground and on one another, and no joint opens.
TEST(Scenes, AHeapIsSoManyRobots) {
  for (const char* name : {"quadruped", "bdx", "lima"}) {
    SCOPED_TRACE(name);
    const Model one = MakeScene(name);
    for (const int count : {1, 2, 5, 8, 27}) {
      World world = StartScene(name, {.count = count, .seed = 3, .speed = 0.3, .spin = 1.0});
      EXPECT_EQ(world.model().num_bodies() - 1, count * (one.num_bodies() - 1));
      EXPECT_EQ(world.model().num_trees(), count);
      EXPECT_NEAR(MassRatio(world.model()), FindScene(name)->mass_ratio, 1e-9);
      world.Refresh();
      EXPECT_TRUE(std::all_of(world.contacts().begin(), world.contacts().end(),
                              [](const Contact& contact) { return contact.gap > 0.0; }));
      const MatrixXd V = BodyVelocities(world, world.model());
      for (int body = 1; body < world.model().num_bodies(); ++body) {
        const Vector3d p = world.kinematics().X_WB[body].p;
        EXPECT_LT((V.col(body).head<3>() - Vector3d(0, 0, 1)).norm(), 1e-12);
        EXPECT_LT((V.col(body).tail<3>() - Vector3d(0.3 - p.y(), p.x(), 0)).norm(), 1e-12);
      }
    }
  }
  World world = StartScene("quadruped", {.count = 8, .seed = 1});
  int among_robots = 0;
  while (world.time() < 1.5) {
    ASSERT_EQ(world.Step().bad_body, -1);
    const auto tree_of = [&](int geom) {
      return world.model().bodies[world.model().geoms[geom].body].name.substr(0, 3);
    };
    among_robots += static_cast<int>(
        std::count_if(world.contacts().begin(), world.contacts().end(), [&](const Contact& contact) {
          return world.model().geoms[contact.geom_a].body > 0 &&
                 world.model().geoms[contact.geom_b].body > 0 &&
                 tree_of(contact.geom_a) != tree_of(contact.geom_b);
        }));
    EXPECT_LT(world.report().penetration, 0.01);  // links of 3 cm whip round at up to 2 cm a step
  }
  EXPECT_GT(among_robots, 100);
  for (int body = 1; body < world.model().num_bodies(); ++body)
    EXPECT_GT(world.body_poses()[body].p.z(), 0.0);
}

}  // namespace
}  // namespace stiction::testing

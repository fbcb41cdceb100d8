// collision_stress: random and degenerate poses of every pair of shape kinds, in search of numbers that are
// not finite, calls that do not end, and overlaps without a point.
//
//   collision_stress [--pairs mesh-box,sphere-field | all] [--poses 10000] [--degenerate 1000] [--seed 1]
//                    [--seconds 60]
//
// One CSV row per pair: poses run of both sorts, time per call, points per call; `bad`, points that are not
// finite, not of unit normal or not below the margin; of every 64th random pose, `overlapping` as the
// independent distance has it, and `missed`, those of them without a point of negative gap; `stuck`, those of
// them that 200 moves along the deepest point do not take apart. `seconds` ends a pair early. Up to 512 calls
// that take more than 20 s of processor time together end the program, with the pose of the one that runs in
// hexadecimal: it hangs, or the build is as slow as a sanitized one with fine meshes.
//
// Exit status 1 if any point was bad or any pair of one solid each (no open mesh) missed more than 1 % of its
// overlaps; 3 for a call that did not end.
#include <sys/time.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>

#include "stiction/geometry/distance.h"
#include "tests/collision/narrowphase_checks.h"
#include "tests/support/meshes.h"

namespace stiction::test {
namespace {

constexpr double kMargin = 0.02;  // [m]
constexpr int kCheckEvery = 64;
constexpr int kLongestBatch = 20;  // of processor time [s]

struct Options {
  std::string pairs = "all";
  long poses = 10000, degenerate = 1000;
  unsigned seed = 1;
  double seconds = 1e9;
};

struct Kind {
  std::string name;
  Shape shape;
};

TriangleMesh MakeHills() {
  HeightGrid grid;
  grid.num_rows = grid.num_cols = 17;
  grid.half_extents = {0.3, 0.3};
  grid.base = 0.1;
  for (int row = 0; row < 17; ++row)
    for (int col = 0; col < 17; ++col)
      grid.heights.push_back(0.03 * std::sin(0.5 * col) * std::cos(0.4 * row));
  return MakeHeightFieldMesh(grid);
}

std::vector<Kind> MakeKinds() {
  Random random(1);
  std::vector<Vector3d> points;
  for (int k = 0; k < 32; ++k) points.push_back(0.15 * RandomDirection(random));
  return {{"plane", Plane{}},
          {"sphere", Sphere{0.1}},
          {"capsule", Capsule{0.05, 0.1}},
          {"ellipsoid", Ellipsoid{{0.05, 0.1, 0.15}}},
          {"cylinder", Cylinder{0.1, 0.08}},
          {"box", Box{{0.1, 0.05, 0.15}}},
          {"hull", MakeHull(points).hull},
          {"mesh", MakeMesh(testing::MakeTorus(0.15, 0.05, 12, 6)).mesh},
          {"cup", MakeMesh(testing::MakeCup(0.1, 0.2, 0.01, 12)).mesh},
          {"terrain", MakeMesh(MakeHills()).mesh},
          {"field", MakeField(MakeTorusField(0.15, 0.05), 0.02).shape}};
}

// One of the 24 rotations that take axes to axes, exact or as round-off makes them.
Matrix3d RandomTurn(Random& random) {
  Matrix3d R = Matrix3d::Identity();
  for (int k = 0; k < 3; ++k) {
    const double angle = 0.5 * M_PI * static_cast<int>(Uniform(random, 0.0, 4.0));
    R = QuaternionExp(angle * Vector3d::Unit(static_cast<int>(Uniform(random, 0.0, 3.0))))
            .toRotationMatrix() *
        R;
  }
  return Uniform(random, 0.0, 1.0) < 0.5 ? R : Matrix3d(R.array().round());
}

Vector3d HalfExtents(const Shape& shape, const Matrix3d& R) {
  const Vector3d half = CalcBoundingHalfExtents(shape, R);
  return half.allFinite() ? half : Vector3d(Vector3d::Zero());
}

// Aligned on a grid, with coincident middles, with boxes that touch in a face, or nearly, and face on face.
void MakeDegenerate(Random& random, const Shape& a, const Shape& b, RigidTransform& X_WA,
                    RigidTransform& X_WB) {
  const auto grid = [&] { return 0.05 * static_cast<int>(Uniform(random, -4.0, 5.0)); };
  const auto axis = [&] { return static_cast<int>(Uniform(random, 0.0, 3.0)); };
  const auto coin = [&] { return Uniform(random, 0.0, 1.0) < 0.5; };
  X_WA = {RandomTurn(random), Vector3d::Zero()};
  X_WB = {RandomTurn(random), Vector3d::Zero()};
  const int kind = static_cast<int>(Uniform(random, 0.0, 5.0)), k = axis();
  const Vector3d touching = HalfExtents(a, X_WA.R) + HalfExtents(b, X_WB.R);
  if (kind == 0) {
    X_WA.p = {grid(), grid(), grid()};
    X_WB.p = {grid(), grid(), grid()};
  } else if (kind == 1) {
    if (coin()) X_WA.R = RandomRotation(random);
    X_WB.R = coin() ? X_WA.R : RandomRotation(random);
  } else if (kind == 2) {
    X_WB.p = {grid(), grid(), grid()};
    X_WB.p[k] = touching[k];
  } else if (kind == 3) {
    X_WB.p[k] = touching[k] + (coin() ? -1.0 : 1.0) * std::pow(10.0, Uniform(random, -16.0, -6.0));
  } else {
    X_WA.p = {grid(), grid(), grid()};
    X_WB.R = X_WA.R;
    const double reach = HalfExtents(a, Matrix3d::Identity())[k] + HalfExtents(b, Matrix3d::Identity())[k];
    X_WB.p = X_WA.p + (coin() ? 0.5 : 1.0) * (coin() ? -reach : reach) * X_WA.R.col(k);
  }
}

double CalcSeconds() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// What the handler of a call that does not end prints.
const char* running_pair = "";
RigidTransform running_a, running_b;

void PrintPose(const RigidTransform& X) {
  for (int i = 0; i < 3; ++i)
    std::fprintf(stderr, "  %a %a %a | %a\n", X.R(i, 0), X.R(i, 1), X.R(i, 2), X.p[i]);
}

void OnAlarm(int) {
  std::fprintf(stderr, "%s does not end:\n", running_pair);
  PrintPose(running_a);
  PrintPose(running_b);
  _exit(3);
}

void SetAlarm(int seconds) {
  const itimerval value{{0, 0}, {seconds, 0}};
  setitimer(ITIMER_PROF, &value, nullptr);
}

class Stress {
 public:
  Stress(const Kind& a, const Kind& b) : a_(a.shape), b_(b.shape), name_(a.name + "-" + b.name) {}

  void Run(const Options& options) {
    Random random(options.seed);
    running_pair = name_.c_str();
    const double start = CalcSeconds();
    const long total = std::max(options.poses, options.degenerate);
    for (long k = 0; k < total; ++k) {
      if (k % 256 == 0) {
        SetAlarm(kLongestBatch);
        if (CalcSeconds() - start > options.seconds) break;
      }
      if (k < options.poses) RunRandom(random);
      if (k < options.degenerate) RunDegenerate(random);
    }
    SetAlarm(0);
  }

  static void PrintHeader() {
    std::printf("pair,poses,degenerate,us_mean,us_slowest,points_mean,bad,overlapping,missed,stuck\n");
  }
  void Print() const {
    const double calls = std::max(1.0, static_cast<double>(random_ + degenerate_));
    std::printf("%s,%ld,%ld,%.2f,%.0f,%.2f,%ld,%ld,%ld,%ld\n", name_.c_str(), random_, degenerate_,
                1e6 * time_ / calls, 1e6 * slowest_, static_cast<double>(points_) / calls, bad_, overlapping_,
                missed_, stuck_);
    std::fflush(stdout);
  }
  bool has_failed() const { return bad_ > 0 || missed_ > overlapping_ / 100; }

 private:
  void RunRandom(Random& random) {
    const RigidTransform X_WA = RandomPose(random, 0.15), X_WB = RandomPose(random, 0.15);
    Call(X_WA, X_WB, random_ % 2 == 0, kMargin);
    if (random_++ % kCheckEvery == 0) Check(X_WA, X_WB);
  }

  void RunDegenerate(Random& random) {
    RigidTransform X_WA, X_WB;
    MakeDegenerate(random, a_, b_, X_WA, X_WB);
    Call(X_WA, X_WB, degenerate_ % 2 == 0, degenerate_ % 3 == 0 ? 0.0 : kMargin);
    ++degenerate_;
  }

  void Call(const RigidTransform& X_WA, const RigidTransform& X_WB, bool swap, double margin) {
    running_a = X_WA, running_b = X_WB;
    manifold_.num_points = 0;
    const double start = CalcSeconds();
    if (swap)
      CalcManifold(b_, X_WB, a_, X_WA, margin, manifold_);
    else
      CalcManifold(a_, X_WA, b_, X_WB, margin, manifold_);
    const double took = CalcSeconds() - start;
    time_ += took;
    slowest_ = std::max(slowest_, took);
    points_ += manifold_.num_points;
    for (int k = 0; k < manifold_.num_points; ++k) {
      const ManifoldPoint& point = manifold_.points[k];
      const bool is_good = point.p_W.allFinite() && std::abs(point.n_W.norm() - 1.0) < 1e-9 &&
                           std::isfinite(point.gap) && point.gap < margin;
      if (!is_good) ReportBad(point);
    }
  }

  void ReportBad(const ManifoldPoint& point) {
    if (bad_++ > 0) return;
    std::fprintf(stderr, "%s: gap %g, normal %g %g %g, place %g %g %g\n", name_.c_str(), point.gap,
                 point.n_W.x(), point.n_W.y(), point.n_W.z(), point.p_W.x(), point.p_W.y(), point.p_W.z());
    PrintPose(running_a);
    PrintPose(running_b);
  }

  void Check(const RigidTransform& X_WA, const RigidTransform& X_WB) {
    // A field's triangles lie beside its surface by a little.
    const bool is_field = std::holds_alternative<Field>(a_) || std::holds_alternative<Field>(b_);
    if (is_field || !IsOverlapping(a_, X_WA, b_, X_WB)) return;
    ++overlapping_;
    if (!(SmallestGap(Collide(a_, X_WA, b_, X_WB, kMargin)) < 0.0)) {
      ++missed_;
    } else if (FindMovesApart(a_, X_WA, b_, X_WB) < 0) {
      ++stuck_;
    }
  }

  const Shape &a_, &b_;
  std::string name_;
  Manifold manifold_;
  long random_ = 0, degenerate_ = 0, points_ = 0, bad_ = 0, overlapping_ = 0, missed_ = 0, stuck_ = 0;
  double time_ = 0.0, slowest_ = 0.0;
};

bool IsChosen(const std::string& pairs, const std::string& a, const std::string& b) {
  if (pairs == "all") return true;
  const std::string list = "," + pairs + ",";
  return list.find("," + a + "-" + b + ",") != std::string::npos ||
         list.find("," + b + "-" + a + ",") != std::string::npos;
}

Options ReadOptions(int argc, char** argv) {
  Options options;
  for (int k = 1; k < argc; k += 2) {
    const std::string name = argv[k];
    const char* value = k + 1 < argc ? argv[k + 1] : nullptr;
    if (value && name == "--pairs") {
      options.pairs = value;
    } else if (value && name == "--poses") {
      options.poses = std::atol(value);
    } else if (value && name == "--degenerate") {
      options.degenerate = std::atol(value);
    } else if (value && name == "--seed") {
      options.seed = static_cast<unsigned>(std::atol(value));
    } else if (value && name == "--seconds") {
      options.seconds = std::atof(value);
    } else {
      std::fprintf(stderr, "%s: not an option, or without a value; see the head of collision_stress.cpp\n",
                   argv[k]);
      std::exit(2);
    }
  }
  return options;
}

int Main(int argc, char** argv) {
  const Options options = ReadOptions(argc, argv);
  std::signal(SIGPROF, OnAlarm);
  const std::vector<Kind> kinds = MakeKinds();
  int num_pairs = 0;
  bool has_failed = false;
  Stress::PrintHeader();
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    for (std::size_t j = i; j < kinds.size(); ++j) {
      if (j == 0 || !IsChosen(options.pairs, kinds[i].name, kinds[j].name)) continue;  // two planes
      Stress stress(kinds[i], kinds[j]);
      stress.Run(options);
      stress.Print();
      has_failed = has_failed || stress.has_failed();
      ++num_pairs;
    }
  }
  if (num_pairs == 0) std::fprintf(stderr, "--pairs %s: no such pair\n", options.pairs.c_str());
  return has_failed || num_pairs == 0 ? 1 : 0;
}

}  // namespace
}  // namespace stiction::test

int main(int argc, char** argv) {
  return stiction::test::Main(argc, argv);
}

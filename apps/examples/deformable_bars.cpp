// Fifteen bars of tetrahedra fall on the ground and on one another: a contact problem whose A is that of
// finite elements, put together here and handed to a contact solver. Prints a line per step: contacts,
// factorisations and back-solves (of all islands of contacts together), time of the solve, how exactly the
// contact laws were met (ncp: the exact ones; own: those of the solver), and how deep contacts had got
// before.
//
//   deformable_bars [--young PA] [--solver NAME] [--set OPTION=VALUE] [--tolerance M/S] [--steps N]
//                   [--bars N] [--obj PREFIX] [--problem FILE.h5]
//
// One step is implicit Euler, linearised: with M lumped, K(x) and f(x) of co-rotational linear tetrahedra and
// D = β K (Rayleigh),
//
//   (M + h D + h² K) v⁺ = M v + h (f(x) + M g) + Jᵀ λ,   x⁺ = x + h v⁺
//
// Contacts are nodes of a skin above the ground and above triangles of other skins, e_n = gap/h: edges that
// cross without a node near are not seen. After: A. Tasora, D. Mangoni, S. Benatti, R. Garziera, Solving
// variational inequalities and cone complementarity problems in nonsmooth dynamics using the alternating
// direction method of multipliers, 2021, §8.4, which gives neither sizes nor meshes of its bars: these are
// ours.
#include <stiction/stiction.h>

#include <Eigen/Geometry>
#include <Eigen/SVD>
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using stiction::Matrix3d;
using stiction::Vector3d;
using stiction::VectorXd;

namespace {

constexpr std::array<int, 3> kCells{12, 3, 3};  // of each bar: 208 nodes, 648 tetrahedra
constexpr double kLength = 0.6;                 // [m]
constexpr double kWidth = 0.08;                 // [m], less than the 0.1 m from layer to layer
constexpr double kStep = 0.05;                  // h [s]
constexpr double kDensity = 1000.0;             // [kg/m³]
constexpr double kPoisson = 0.3;
constexpr double kDamping = 0.01;  // β [s]
constexpr double kFriction = 0.3;
constexpr double kGravity = 9.8;   // [m/s²]
constexpr double kRecovery = 0.5;  // fastest way out of a penetration [m/s]
constexpr const char* kBarsSolver = "admm_ncp";
// Contacts that stay farther apart, whatever other contacts do, are left out [m].
constexpr double kMargin = 0.01;

struct Options {
  double young = 1e6;
  std::string solver = kBarsSolver;
  std::vector<std::pair<std::string, std::string>> settings;
  double tolerance = 1e-4;
  int steps = 10;
  int bars = 15;
  std::string obj, problem;
};

struct Tetrahedron {
  std::array<int, 4> nodes;
  std::array<Vector3d, 4> gradients;  // of the shape functions, at rest [1/m]
  double volume;                      // [m³]
};

// One bar at rest along x, its centre at the origin.
struct Mesh {
  std::vector<Vector3d> nodes;
  std::vector<Tetrahedron> tets;
  std::vector<std::array<int, 3>> skin;  // counterclockwise from outside
  std::vector<int> skin_nodes;
};

Tetrahedron MakeTetrahedron(const std::vector<Vector3d>& X, std::array<int, 4> nodes) {
  Tetrahedron tet{nodes, {}, 0.0};
  Matrix3d edges;
  for (int i = 0; i < 3; ++i) edges.col(i) = X[nodes[i + 1]] - X[nodes[0]];
  if (edges.determinant() < 0.0) {
    std::swap(tet.nodes[2], tet.nodes[3]);
    edges.col(1).swap(edges.col(2));
  }
  const Matrix3d inverse = edges.inverse();
  tet.gradients[0] = -inverse.colwise().sum().transpose();
  for (int i = 0; i < 3; ++i) tet.gradients[i + 1] = inverse.row(i).transpose();
  tet.volume = edges.determinant() / 6.0;
  return tet;
}

// Triangles of one tetrahedron alone.
void FindSkin(Mesh& mesh) {
  std::map<std::array<int, 3>, std::vector<std::array<int, 3>>> triangles;
  for (const Tetrahedron& tet : mesh.tets) {
    const auto [a, b, c, d] = tet.nodes;
    for (const std::array<int, 3>& face :
         {std::array{a, c, b}, std::array{a, b, d}, std::array{a, d, c}, std::array{b, c, d}}) {
      std::array<int, 3> key = face;
      std::sort(key.begin(), key.end());
      triangles[key].push_back(face);
    }
  }
  for (const auto& [key, faces] : triangles) {
    if (faces.size() != 1) continue;
    mesh.skin.push_back(faces[0]);
    mesh.skin_nodes.insert(mesh.skin_nodes.end(), key.begin(), key.end());
  }
  std::sort(mesh.skin_nodes.begin(), mesh.skin_nodes.end());
  mesh.skin_nodes.erase(std::unique(mesh.skin_nodes.begin(), mesh.skin_nodes.end()), mesh.skin_nodes.end());
}

// A grid of boxes, each cut into the six tetrahedra along its ascending paths from corner to corner.
Mesh MakeBar() {
  const auto [nx, ny, nz] = kCells;
  const auto index = [=](const std::array<int, 3>& i) { return (i[0] * (ny + 1) + i[1]) * (nz + 1) + i[2]; };
  Mesh mesh;
  for (int i = 0; i <= nx; ++i)
    for (int j = 0; j <= ny; ++j)
      for (int k = 0; k <= nz; ++k)
        mesh.nodes.emplace_back(kLength * (static_cast<double>(i) / nx - 0.5),
                                kWidth * (static_cast<double>(j) / ny - 0.5),
                                kWidth * (static_cast<double>(k) / nz - 0.5));
  for (int i = 0; i < nx; ++i) {
    for (int j = 0; j < ny; ++j) {
      for (int k = 0; k < nz; ++k) {
        std::array<int, 3> axes{0, 1, 2};
        do {
          std::array<int, 3> at{i, j, k};
          std::array<int, 4> nodes{index(at), 0, 0, 0};
          for (int step = 0; step < 3; ++step) ++at[axes[step]], nodes[step + 1] = index(at);
          mesh.tets.push_back(MakeTetrahedron(mesh.nodes, nodes));
        } while (std::next_permutation(axes.begin(), axes.end()));
      }
    }
  }
  FindSkin(mesh);
  return mesh;
}

// The block of an element's stiffness between nodes i and j, at rest: V (λ ∇i ∇jᵀ + μ ∇j ∇iᵀ + μ ∇i·∇j).
Matrix3d CalcStiffness(const Tetrahedron& tet, double young, int i, int j) {
  const double mu = young / (2.0 * (1.0 + kPoisson));
  const double lambda = young * kPoisson / ((1.0 + kPoisson) * (1.0 - 2.0 * kPoisson));
  const Vector3d &a = tet.gradients[i], &b = tet.gradients[j];
  return tet.volume *
         (lambda * a * b.transpose() + mu * b * a.transpose() + mu * a.dot(b) * Matrix3d::Identity());
}

// The rotation next to an element's deformation gradient.
Matrix3d CalcRotation(const Tetrahedron& tet, const Vector3d* x) {
  Matrix3d F = Matrix3d::Zero();
  for (int i = 0; i < 4; ++i) F += x[tet.nodes[i]] * tet.gradients[i].transpose();
  const Eigen::JacobiSVD<Matrix3d> svd(F, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Matrix3d U = svd.matrixU();
  if ((U * svd.matrixV().transpose()).determinant() < 0.0) U.col(2) *= -1.0;
  return U * svd.matrixV().transpose();
}

struct Bars {
  Mesh mesh;
  int count = 0;
  std::vector<Vector3d> x, v;  // of all nodes, bar by bar

  int nodes_each() const { return static_cast<int>(mesh.nodes.size()); }
  int num_nodes() const { return count * nodes_each(); }
};

// Five layers of three parallel bars, each layer turned by another angle, 0.1 to 0.5 m above the ground.
Bars MakeBars(int count) {
  constexpr double kYaw[] = {0.31, 1.94, 1.12, 2.77, 0.62};  // drawn once [rad]
  Bars bars;
  bars.mesh = MakeBar();
  bars.count = count;
  for (int bar = 0; bar < count; ++bar) {
    const int layer = bar / 3;
    const Matrix3d R = Eigen::AngleAxisd(kYaw[layer], Vector3d::UnitZ()).toRotationMatrix();
    const Vector3d centre(0.0, 0.2 * (bar % 3 - 1), 0.1 * (layer + 1));
    for (const Vector3d& X : bars.mesh.nodes) bars.x.push_back(R * (X + centre));
  }
  bars.v.assign(bars.x.size(), Vector3d::Zero());
  return bars;
}

// A = M + (h β + h²) K by its elements' entries, and b = M v + h (f + M g) = A v*.
struct Dynamics {
  std::vector<stiction::MatrixEntry> entries;
  VectorXd b;
};

void AddElement(const Tetrahedron& tet, double young, const Mesh& mesh, int first, const Bars& bars,
                Dynamics& out) {
  const Matrix3d R = CalcRotation(tet, bars.x.data() + first);
  const double implicit = kStep * kDamping + kStep * kStep;
  for (int i = 0; i < 4; ++i) {
    const int row = 3 * (first + tet.nodes[i]);
    Vector3d force = Vector3d::Zero();
    for (int j = 0; j < 4; ++j) {
      const int column = 3 * (first + tet.nodes[j]);
      const Matrix3d K = CalcStiffness(tet, young, i, j);
      force -= R * K * (R.transpose() * bars.x[first + tet.nodes[j]] - mesh.nodes[tet.nodes[j]]);
      const Matrix3d turned = implicit * R * K * R.transpose();
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) out.entries.push_back({row + r, column + c, turned(r, c)});
    }
    const double mass = kDensity * tet.volume / 4.0;
    for (int r = 0; r < 3; ++r) out.entries.push_back({row + r, row + r, mass});
    const Vector3d momentum = mass * (bars.v[first + tet.nodes[i]] - kStep * kGravity * Vector3d::UnitZ());
    out.b.segment<3>(row) += momentum + kStep * force;
  }
}

void AssembleDynamics(const Bars& bars, double young, Dynamics& dynamics, stiction::ContactProblem& problem) {
  dynamics.entries.clear();
  dynamics.b.setZero(3 * bars.num_nodes());
  problem.subsystems.clear();
  for (int bar = 0; bar < bars.count; ++bar) {
    const int first = bar * bars.nodes_each();
    problem.subsystems.push_back({3 * first, 3 * bars.nodes_each()});
    for (const Tetrahedron& tet : bars.mesh.tets) AddElement(tet, young, bars.mesh, first, bars, dynamics);
  }
  problem.A_sparse = stiction::MakeCompressedMatrix(3 * bars.num_nodes(), dynamics.entries);
  problem.v_star = dynamics.b;
  if (!stiction::SolveDynamics(problem, problem.v_star))
    throw std::runtime_error("A is not positive definite");
}

// Where a point is nearest to a triangle: its weights on the corners.
Vector3d FindFoot(const Vector3d& p, const std::array<Vector3d, 3>& corner) {
  const Vector3d normal = (corner[1] - corner[0]).cross(corner[2] - corner[0]);
  Vector3d weights;
  for (int i = 0; i < 3; ++i)
    weights[i] = normal.dot((corner[(i + 1) % 3] - p).cross(corner[(i + 2) % 3] - p)) / normal.squaredNorm();
  if (weights.minCoeff() >= 0.0) return weights;
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 3; ++i) {
    const int a = i, b = (i + 1) % 3;
    const Vector3d edge = corner[b] - corner[a];
    const double t = std::clamp(edge.dot(p - corner[a]) / edge.squaredNorm(), 0.0, 1.0);
    const double distance = (corner[a] + t * edge - p).norm();
    if (distance >= least) continue;
    least = distance;
    weights.setZero();
    weights[a] = 1.0 - t, weights[b] = t;
  }
  return weights;
}

// A node over the ground (triangle empty) or over a triangle of another bar.
struct Contact {
  int node = 0, bar = -1;
  std::array<int, 3> triangle{};
  Vector3d weights = Vector3d::Zero();
  Vector3d normal = Vector3d::UnitZ();
  double gap = 0.0;
};

// The nearest point of a bar's skin, if it is within reach. Of triangles that share it, the one that is faced
// most says which side is inside.
bool FindNearest(const Bars& bars, int node, int bar, double reach, Contact& contact) {
  const Vector3d& p = bars.x[node];
  double least = reach, facing = 0.0;
  bool is_found = false;
  for (const std::array<int, 3>& local : bars.mesh.skin) {
    std::array<Vector3d, 3> corner;
    for (int i = 0; i < 3; ++i) corner[i] = bars.x[bar * bars.nodes_each() + local[i]];
    const Vector3d normal = (corner[1] - corner[0]).cross(corner[2] - corner[0]).normalized();
    if (std::abs(normal.dot(p - corner[0])) > least + 1e-9) continue;
    const Vector3d weights = FindFoot(p, corner);
    const Vector3d away = p - (weights[0] * corner[0] + weights[1] * corner[1] + weights[2] * corner[2]);
    const double distance = away.norm(), side = normal.dot(away);
    const bool is_nearer = distance < least - 1e-9;
    if (!is_nearer && !(distance <= least + 1e-9 && std::abs(side) > facing)) continue;
    least = std::min(least, distance), facing = std::abs(side);
    is_found = true;
    contact.node = node, contact.bar = bar, contact.weights = weights;
    for (int i = 0; i < 3; ++i) contact.triangle[i] = bar * bars.nodes_each() + local[i];
    const bool is_outside = side > 0.0;
    contact.gap = is_outside ? distance : -distance;
    contact.normal = is_outside && distance > 1e-6 ? Vector3d(away / distance) : normal;
  }
  return is_found;
}

// The fastest approach that the velocities without impulses foretell: other contacts may stop either side.
double CalcApproach(const Contact& contact, const VectorXd& v_star) {
  const double own = contact.normal.dot(v_star.segment<3>(3 * contact.node));
  double others = 0.0;
  for (int i = 0; contact.bar >= 0 && i < 3; ++i)
    others += contact.weights[i] * contact.normal.dot(v_star.segment<3>(3 * contact.triangle[i]));
  return std::min({own - others, own, -others, 0.0});
}

std::vector<Contact> FindContacts(const Bars& bars, const VectorXd& v_star) {
  std::vector<Contact> contacts;
  const auto add = [&](const Contact& contact) {
    if (contact.gap + kStep * CalcApproach(contact, v_star) < kMargin) contacts.push_back(contact);
  };
  const double reach = kMargin + kStep * v_star.reshaped(3, bars.num_nodes()).colwise().norm().maxCoeff();
  std::vector<Eigen::AlignedBox3d> boxes(bars.count);
  for (int node = 0; node < bars.num_nodes(); ++node) boxes[node / bars.nodes_each()].extend(bars.x[node]);
  for (int bar = 0; bar < bars.count; ++bar) {
    for (const int local : bars.mesh.skin_nodes) {
      const int node = bar * bars.nodes_each() + local;
      const Vector3d& p = bars.x[node];
      Contact contact;
      contact.node = node, contact.gap = p.z();
      add(contact);
      for (int other = 0; other < bars.count; ++other) {
        if (other == bar || boxes[other].exteriorDistance(p) > reach) continue;
        if (FindNearest(bars, node, other, reach, contact)) add(contact);
      }
    }
  }
  return contacts;
}

// Columns t1, t2, n.
Matrix3d MakeFrame(const Vector3d& normal) {
  Matrix3d R;
  R.col(2) = normal;
  R.col(0) = normal.unitOrthogonal();
  R.col(1) = normal.cross(R.col(0));
  return R;
}

void AddRows(const Contact& contact, const Bars& bars, stiction::ContactProblem& problem) {
  const Matrix3d R = MakeFrame(contact.normal);
  problem.AddConstraint(stiction::ConstraintType::kContact, kFriction);
  problem.SetBias(2, std::max(contact.gap / kStep, -kRecovery));
  const int own = 3 * contact.node, own_dofs[] = {own, own + 1, own + 2};
  Eigen::Map<Matrix3d>(problem.AddBlock(contact.node / bars.nodes_each(), own_dofs, 3)) = R.transpose();
  if (contact.bar < 0) return;
  std::array<int, 3> order{0, 1, 2};  // dofs of a block ascend
  std::sort(order.begin(), order.end(),
            [&](int a, int b) { return contact.triangle[a] < contact.triangle[b]; });
  std::array<int, 9> dofs;
  for (int i = 0; i < 9; ++i) dofs[i] = 3 * contact.triangle[order[i / 3]] + i % 3;
  double* J = problem.AddBlock(contact.bar, dofs.data(), 9);
  for (int i = 0; i < 3; ++i) Eigen::Map<Matrix3d>(J + 9 * i) = -contact.weights[order[i]] * R.transpose();
}

// Impulses in world axes, by node and bar: the warm start of the next step.
using Impulses = std::map<std::pair<int, int>, Vector3d>;

void WarmStart(const std::vector<Contact>& contacts, const Impulses& impulses, stiction::Solution& solution) {
  solution.lambda.setZero(3 * static_cast<Eigen::Index>(contacts.size()));
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const auto before = impulses.find({contacts[i].node, contacts[i].bar});
    if (before == impulses.end()) continue;
    solution.lambda.segment<3>(3 * static_cast<Eigen::Index>(i)) =
        MakeFrame(contacts[i].normal).transpose() * before->second;
  }
}

void KeepImpulses(const std::vector<Contact>& contacts, const stiction::Solution& solution,
                  Impulses& impulses) {
  impulses.clear();
  for (std::size_t i = 0; i < contacts.size(); ++i)
    impulses[{contacts[i].node, contacts[i].bar}] =
        MakeFrame(contacts[i].normal) * solution.lambda.segment<3>(3 * static_cast<Eigen::Index>(i));
}

// The skins, for a viewer of meshes.
void WriteObj(const Bars& bars, const std::string& path) {
  std::ofstream out(path);
  for (const Vector3d& x : bars.x) out << "v " << x.x() << " " << x.y() << " " << x.z() << "\n";
  for (int bar = 0; bar < bars.count; ++bar) {
    const int first = bar * bars.nodes_each() + 1;
    for (const auto& [a, b, c] : bars.mesh.skin)
      out << "f " << first + a << " " << first + b << " " << first + c << "\n";
  }
  if (!out) throw std::runtime_error("cannot write " + path);
}

// A number in [least, most].
double ReadNumber(const std::string& name, const std::string& text, double least, double most) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || *end != '\0' || !(value >= least && value <= most)) {
    char range[64];
    std::snprintf(range, sizeof range, ": give a number from %g to %g", least, most);
    throw std::runtime_error(name + " " + text + range);
  }
  return value;
}

int ReadCount(const std::string& name, const std::string& text, int most) {
  const double value = ReadNumber(name, text, 1, most);
  if (value != std::floor(value)) throw std::runtime_error(name + " " + text + ": give a whole number");
  return static_cast<int>(value);
}

Options ParseOptions(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; i += 2) {
    const std::string name = argv[i];
    if (i + 1 == argc) throw std::runtime_error(name + " needs a value");
    const std::string value = argv[i + 1];
    const std::size_t equals = value.find('=');
    if (name == "--young") {
      options.young = ReadNumber(name, value, 1.0, 1e13);
    } else if (name == "--solver") {
      options.solver = value;
    } else if (name == "--set" && equals != std::string::npos) {
      options.settings.emplace_back(value.substr(0, equals), value.substr(equals + 1));
    } else if (name == "--tolerance") {
      options.tolerance = ReadNumber(name, value, 0.0, 1.0);
    } else if (name == "--steps") {
      options.steps = ReadCount(name, value, 1000);
    } else if (name == "--bars") {
      options.bars = ReadCount(name, value, 15);
    } else if (name == "--obj") {
      options.obj = value;
    } else if (name == "--problem") {
      options.problem = value;
    } else {
      throw std::runtime_error("no option " + name + " " + value);
    }
  }
  return options;
}

std::unique_ptr<stiction::ContactSolver> MakeSolver(const Options& options) {
  std::unique_ptr<stiction::ContactSolver> solver = stiction::MakeSolver(options.solver);
  if (!solver) throw std::runtime_error("no solver " + options.solver);
  solver->set_tolerance(options.tolerance);
  std::vector<std::pair<std::string, std::string>> settings;
  // A factorisation takes as long as sixty back-solves here, and a mixture of iterations needs a penalty
  // that stays for some of them (the paper's interval is 5, without mixing).
  if (options.solver == kBarsSolver) settings = {{"anderson", "10"}, {"update_every", "40"}};
  settings.insert(settings.end(), options.settings.begin(), options.settings.end());
  for (const auto& [option, value] : settings) {
    const std::string wrong = stiction::SetSolverOption(*solver, option, value);
    if (!wrong.empty()) throw std::runtime_error(wrong);
  }
  return solver;
}

struct Totals {
  int steps = 0, contacts = 0, factorizations = 0, least_solves = 0, most_solves = 0;
  double certificate = 0.0, depth = 0.0;
};

void Simulate(const Options& options) {
  Bars bars = MakeBars(options.bars);
  const std::unique_ptr<stiction::ContactSolver> solver = MakeSolver(options);
  stiction::ProblemSolver problems;
  stiction::ContactProblem problem;
  stiction::Solution solution;
  Dynamics dynamics;
  Impulses impulses;
  Totals totals;
  std::printf("%d bars, %d dofs, E = %g Pa, %s to %g m/s\n", bars.count, 3 * bars.num_nodes(), options.young,
              options.solver.c_str(), options.tolerance);
  std::printf("%5s %6s %9s %8s %8s %7s %9s %10s %10s %10s\n", "step", "t [s]", "contacts", "islands",
              "factors", "solves", "time [ms]", "ncp [m/s]", "own [m/s]", "depth [m]");
  for (int step = 1; step <= options.steps; ++step) {
    AssembleDynamics(bars, options.young, dynamics, problem);
    const std::vector<Contact> contacts = FindContacts(bars, problem.v_star);
    problem.ClearConstraints();
    double depth = 0.0;
    for (const Contact& contact : contacts) {
      AddRows(contact, bars, problem);
      depth = std::max(depth, -contact.gap);
    }
    WarmStart(contacts, impulses, solution);
    const auto start = std::chrono::steady_clock::now();
    const stiction::ProblemReport report = problems.Solve(problem, *solver, solution);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    KeepImpulses(contacts, solution, impulses);
    for (int node = 0; node < bars.num_nodes(); ++node) {
      bars.v[node] = solution.v.segment<3>(3 * node);
      bars.x[node] += kStep * bars.v[node];
    }
    std::printf("%5d %6.2f %9zu %8d %8d %7d %9.0f %10.1e %10.1e %10.1e\n", step, step * kStep,
                contacts.size(), report.num_islands, report.solve.factorizations, report.solve.back_solves,
                1e3 * seconds, report.certificate.ncp_max, report.certificate.own_law, depth);
    std::fflush(stdout);
    if (!options.obj.empty()) WriteObj(bars, options.obj + std::to_string(step) + ".obj");
    totals.certificate = std::max(totals.certificate, report.certificate.ncp_max);
    totals.depth = std::max(totals.depth, depth);
    if (report.solve.iterations == 0) continue;
    totals.least_solves = totals.steps == 0 ? report.solve.back_solves
                                            : std::min(totals.least_solves, report.solve.back_solves);
    totals.most_solves = std::max(totals.most_solves, report.solve.back_solves);
    totals.contacts += static_cast<int>(contacts.size());
    totals.factorizations += report.solve.factorizations;
    ++totals.steps;
  }
  if (totals.steps > 0)
    std::printf(
        "steps with iterations: %d; on average %.0f contacts, %.1f factorisations; %d to %d back-solves\n",
        totals.steps, static_cast<double>(totals.contacts) / totals.steps,
        static_cast<double>(totals.factorizations) / totals.steps, totals.least_solves, totals.most_solves);
  std::printf("largest certificate %.1e m/s, deepest contact %.1e m\n", totals.certificate, totals.depth);
  if (options.problem.empty()) return;
  stiction::CreateProblemHdf5(options.problem);
  stiction::AppendProblemHdf5(options.problem, "bars", problem, {});
}

}  // namespace

int main(int argc, char** argv) {
  try {
    Simulate(ParseOptions(argc, argv));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "deformable_bars: %s\n", error.what());
    return 1;
  }
  return 0;
}

// step_fuzz: random worlds, stepped with random control, in search of steps that crash, hang, or are wrong
// without a word.
//
//   step_fuzz [--seed 1] [--count 1000] [--steps 200] [--seconds 1e9] [--allowance 1e9] [--continued 1]
//     [--quiet 1] [--trace 1] [--worlds FILE] [--save PREFIX]
//
// World k is made of the seed `seed + k` alone: the finding of one is run again by --seed THAT --count 1. A
// file of worlds has one seed a line, and words behind it; they are run instead. --save writes the world of
// the finding, as far as MJCF has words for it, and the state that it begins with: PREFIX.xml and
// PREFIX.json. After every step
//   - state, sensors and report are finite, where the status does not say that they stopped being so;
//   - status kOk stands where the certificate is within the budget, and nowhere else;
//   - every 16th step the certificate agrees with that of dense matrices, to what their condition leaves;
//   - in passive worlds energy has not grown: kinetic energy, with that of the weight where there is one;
// and the second half of the run, begun anew from the state, or from the file that it was saved in, in a
// world of another number of threads, ends in the same bits, those of sensors included. A world ends with 40
// steps on end that missed their budget: a solver that is no match for it would take more time than a hundred
// others. With an allowance it also ends once it has taken so many seconds of processor time: 0.05 leave
// seven eighths of the steps of all worlds, in a sixth of the time or less. With --continued 4 one world in
// four is continued beside, and threads run in half of those alone: what waits for work in another thread
// takes as much time as a world.
//
// Prints each finding with its seed, and at the end how many steps ended in which status and how many worlds
// ended by their allowance. Exit status 1 with a finding; 3 for a step that took more than 60 s of processor
// time; that of the signal, and the seed, for a crash.
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include "stiction/io/mjcf_writer.h"
#include "stiction/io/state_file.h"
#include "tests/fuzz/random_world.h"
#include "tests/support/dense_certificate.h"

namespace stiction::fuzz {
namespace {

constexpr int kLongestStep = 60;  // of processor time [s]
constexpr int kCheckEvery = 16;
constexpr int kPatience = 40;
constexpr int kLargestDense = 60;      // rows
constexpr double kMaxPush = 0.02;      // of loops in a step: one that is open further has no bend [m or rad]
constexpr double kNegligible = 1e-11;  // difference of two certificates: a thousandth of the budget [m/s]

struct FuzzOptions {
  std::uint64_t seed = 1;
  long count = 1000;
  int steps = 200;
  double seconds = 1e9;         // of all, on the wall
  double allowance = 1e9;       // of a world [s]
  std::uint64_t continued = 1;  // one world in so many
  bool quiet = false;
  bool trace = false;
  std::string worlds;
  std::string save;
};

struct Totals {
  long worlds = 0, refused = 0, passive = 0, findings = 0, steps = 0, compared = 0, continued = 0,
       energies = 0, cut = 0;
  std::array<long, 5> statuses{};
  double slowest = 0.0;  // step [s]
  std::uint64_t slowest_seed = 0;
};

std::uint64_t running_seed = 0;

void OnAlarm(int) {
  std::fprintf(stderr, "world %llu: a step does not end\n", static_cast<unsigned long long>(running_seed));
  _exit(3);
}

void OnCrash(int signal) {
  std::signal(signal, SIG_DFL);
  std::fprintf(stderr, "world %llu: signal %d\n", static_cast<unsigned long long>(running_seed), signal);
  raise(signal);
}

void SetAlarm(int seconds) {
  const itimerval value{{0, 0}, {seconds, 0}};
  setitimer(ITIMER_PROF, &value, nullptr);
}

double CalcSeconds(clockid_t clock = CLOCK_PROCESS_CPUTIME_ID) {
  timespec time;
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// Of the matrix scaled to a diagonal of ones: what its factor loses to rounding.
double CalcCondition(const MatrixXd& A) {
  const VectorXd d = A.diagonal().cwiseSqrt().cwiseInverse();
  const testing::SymmetricEigen eigen = testing::CalcSymmetricEigen(d.asDiagonal() * A * d.asDiagonal());
  return eigen.values.maxCoeff() / std::max(eigen.values.minCoeff(), 1e-300);
}

class Run {
 public:
  Run(std::uint64_t seed, const RandomWorld& start, const FuzzOptions& options, Totals& totals)
      : seed_(seed),
        options_(options),
        start_(start),
        totals_(totals),
        world_(start.model, MakeOptions()),
        random_(static_cast<unsigned>(seed) + 7) {}

  void Execute() {
    const double deadline = CalcSeconds() + options_.allowance;
    world_.set_state(start_.state);
    kinetic_ = world_.CalcEnergy().kinetic;
    energy_ = start_energy_ = CalcPassiveEnergy();
    for (step_ = 0; step_ < options_.steps && !has_found_; ++step_) {
      if (CalcSeconds() > deadline) {
        ++totals_.cut;
        break;
      }
      if (step_ == options_.steps / 2) Branch();
      if (!start_.is_passive) ChangeWorldInput();
      const bool is_over = !Step();
      if (other_) FollowStep();
      if (is_over) return;
    }
    if (other_ && !has_found_) CompareBranch();
  }

 private:
  void Find(const char* format, ...) __attribute__((format(printf, 2, 3))) {
    if (has_found_) return;
    has_found_ = true;
    ++totals_.findings;
    std::printf("world %llu step %d (%s, %s, %s): ", static_cast<unsigned long long>(seed_), step_,
                ToString(world_.integrator()), world_.options().solver.c_str(),
                start_.is_passive ? "passive" : ToString(world_.model().options.contact_model));
    std::va_list arguments;
    va_start(arguments, format);
    std::vprintf(format, arguments);
    va_end(arguments);
    std::printf("\n");
    std::fflush(stdout);
  }

  bool is_arranged() const { return seed_ >= kArrangedWorlds; }
  bool is_continued() const { return (is_arranged() || seed_ % 4 == 0) && seed_ % options_.continued == 0; }
  // All of them, where all are continued.
  bool is_threaded() const { return options_.continued == 1 || seed_ % (2 * options_.continued) == 0; }
  WorldOptions MakeOptions() const {
    WorldOptions options = start_.options;
    if (!is_threaded()) options.num_threads = 1;
    return options;
  }

  void ChangeWorldInput() {
    if (is_arranged())
      DriveInput(start_, world_.timestep(), step_, random_, world_.input());
    else
      ChangeInput(world_.model(), random_, world_.input());
  }

  // False once the world has come to its end: a status that is not of a step done.
  bool Step() {
    SetAlarm(kLongestStep);
    const double start = CalcSeconds();
    const StepReport& report = world_.Step();
    const double took = CalcSeconds() - start;
    if (took > totals_.slowest) totals_.slowest = took, totals_.slowest_seed = seed_;
    ++totals_.steps;
    ++totals_.statuses[static_cast<std::size_t>(report.status)];
    if (!world_.q().allFinite() || !world_.v().allFinite() || !world_.state().activation.allFinite())
      Find("the state is not finite, status %s", ToString(report.status));
    if (!world_.sensors().allFinite() && IsDone(report.status)) Find("a sensor is not finite");
    if (options_.trace) Trace(report);
    if (!IsDone(report.status)) return false;
    num_missed_ = report.status == StepStatus::kOk ? 0 : num_missed_ + 1;
    CheckReport(report);
    CheckStatus(report);
    if (step_ % kCheckEvery == 0) CheckCertificate(report);
    if (start_.is_passive) CheckEnergy(report);
    return num_missed_ < kPatience;
  }

  static bool IsDone(StepStatus status) {
    return status == StepStatus::kOk || status == StepStatus::kBudgetMissed;
  }

  void Trace(const StepReport& report) const {
    std::printf(
        "step %d: %s, %d parts, kinetic energy %.17g J, speed %g, %d contacts, %d equality rows, ncp %.3g, "
        "loops "
        "%.3g, corrected by %.3g\n",
        step_, ToString(report.status), report.num_parts, world_.CalcEnergy().kinetic,
        world_.v().cwiseAbs().maxCoeff(), report.num_contacts, report.num_equality_rows,
        report.certificate.ncp_max, report.loop, report.correction);
  }

  void CheckReport(const StepReport& report) {
    const Certificate& c = report.certificate;
    for (const double number : {c.ncp_max, c.ncp_mean, c.canal, c.own_law, c.momentum, c.loop,
                                report.penetration, report.loop, report.correction, report.phases.total}) {
      if (!std::isfinite(number) || number < 0.0)
        return Find("a number of the report is %g, ncp %g, own law %g, canal %g, momentum %g, penetration %g",
                    number, c.ncp_max, c.own_law, c.canal, c.momentum, report.penetration);
    }
    for (const Contact& contact : world_.contacts()) {
      if (!contact.p_W.allFinite() || !contact.impulse_W.allFinite() ||
          std::abs(contact.n_W.norm() - 1.0) > 1e-6)
        return Find("a contact is not finite, or its normal has the length %g", contact.n_W.norm());
    }
  }

  void CheckStatus(const StepReport& report) {
    const bool is_within = report.certificate.ncp_max <= world_.budget().absolute;
    if (report.status == StepStatus::kOk && !is_within)
      Find("ok, but ncp is %g of a budget of %g", report.certificate.ncp_max, world_.budget().absolute);
    if (report.status == StepStatus::kBudgetMissed && is_within)
      Find("missed, but ncp is %g of a budget of %g", report.certificate.ncp_max, world_.budget().absolute);
  }

  void CheckCertificate(const StepReport& report) {
    const ContactProblem& problem = world_.problem();
    const bool is_plain =
        std::all_of(problem.constraints.begin(), problem.constraints.end(), [](const Constraint& c) {
          return c.type != ConstraintType::kTorsional && c.type != ConstraintType::kRolling &&
                 c.compliance_n == 0.0 && c.compliance_t == 0.0;
        });
    if (!is_plain || problem.nv() == 0 || problem.num_rows() == 0 || problem.num_rows() > kLargestDense ||
        report.num_sleeping > 0 || report.num_parts > 1 || report.num_still > 0)
      return;
    const VectorXd lambda = Eigen::Map<const VectorXd>(world_.solution().lambda.data(), problem.num_rows());
    const testing::DenseCertificate dense =
        testing::CalcDenseCertificate(problem, lambda, {}, world_.options().one_island);
    // Rounding of v and of the rows' products, each as large as what cancels in them: impulses of opposite
    // signs in Jᵀ λ too. No entry of W is larger than those of |J| |A⁻¹| |J|ᵀ.
    const MatrixXd A = problem.A.ToDense(), J = problem.DenseJ();
    const MatrixXd J_abs = J.cwiseAbs();
    const MatrixXd inverse = testing::SolvePositive(A, MatrixXd::Identity(A.rows(), A.cols()));
    const VectorXd change = inverse.cwiseAbs() * (J_abs.transpose() * lambda.cwiseAbs());
    const double flow = (J_abs * (problem.v_star.cwiseAbs() + change)).maxCoeff();
    const double speed = std::max(
        flow, Eigen::Map<const VectorXd>(problem.e.data(), problem.num_rows()).cwiseAbs().maxCoeff());
    // Three products after another, of sums of so many terms.
    const double rounding =
        3.0 * static_cast<double>(A.rows() + J.rows()) * std::numeric_limits<double>::epsilon();
    // Of w λ, from which the residual of what slides is taken.
    double product = 0.0;
    for (int i = 0; i < problem.num_constraints(); ++i) {
      const Constraint& c = problem.constraints[i];
      product = std::max(product, dense.scale[i] * lambda.segment(c.row, c.dim()).lpNorm<Eigen::Infinity>());
    }
    const double tolerance = rounding * CalcCondition(A) * speed +
                             4.0 * std::numeric_limits<double>::epsilon() * product + kNegligible;
    ++totals_.compared;
    const double other = dense.ncp.maxCoeff();
    // A missed step's number may be that of a limited effort, which the problem does not hold.
    const bool is_of_effort = report.status == StepStatus::kBudgetMissed && HasLimitedEfforts() &&
                              other < report.certificate.ncp_max;
    if (!is_of_effort && !(std::abs(other - report.certificate.ncp_max) <= tolerance))
      Find("ncp is %g, by dense matrices %g; rounding leaves %g", report.certificate.ncp_max, other,
           tolerance);
  }

  bool HasLimitedEfforts() const {
    const Model& model = world_.model();
    const auto is_limited = [](const auto& bounds) {
      return std::isfinite(bounds.actuator_force_lower) || std::isfinite(bounds.actuator_force_upper);
    };
    return std::any_of(model.joints.begin(), model.joints.end(), is_limited) ||
           std::any_of(model.tendons.begin(), model.tendons.end(), is_limited) ||
           std::any_of(model.actuators.begin(), model.actuators.end(), [](const Actuator& a) {
             return std::isfinite(a.force_lower) || std::isfinite(a.force_upper) ||
                    (a.motor && a.motor->voltage_max > 0.0);
           });
  }

  // To rounding and the budget without friction. What sticks while it turns slips in a step by what is of the
  // second order in its length; the memory of that slip brings it back, at a speed that is not the bodies'
  // own. With v⁺ = v + A⁻¹ Jᵀ λ the energy changes by λᵀ J v⁺ − ½ |v⁺ − v|²_A, and of λᵀ J v⁺ the law leaves
  // nothing above zero. What is certified to η leaves η per unit of impulse, of impulses that hold one
  // another's balance too, or η g/w, which is of the second order. Of a loop, whose law is J v⁺ = −e with an
  // e that foresees how its rows turn, it leaves −λ e. The position stage leaves to bodies the velocity of
  // their centre, and their spin: it adds nothing. A step in which loops were closed says little: what their
  // bends ask for comes and goes. But all such steps together do not double the energy of the start. Loops
  // that stay open, by more than a step closes, have no bend: there each step is judged, but for weights that
  // it may lift, and to a hundredth where others bend: bodies keep their momentum then, at the cost of energy
  // (sim/floating_momentum.h). What a step adds that missed its budget, it has said.
  // The position stage lifts weights by what it takes away of overlaps.
  void CheckEnergy(const StepReport& report) {
    const double energy = CalcPassiveEnergy(), before = energy_;
    energy_ = energy;
    // What a step adds that missed its budget, or closed loops, it has said.
    const bool has_bends = start_.has_weight || !(report.loop > kMaxPush);
    const bool is_closed = report.correction > 0.0 && report.num_equality_rows > 0 && has_bends;
    const bool is_judged = report.status == StepStatus::kOk && !is_closed;
    if (!is_judged && std::isfinite(lowest_)) lowest_ += std::max(0.0, energy - before);
    const double kinetic = world_.CalcEnergy().kinetic, largest = std::max(kinetic, kinetic_);
    kinetic_ = kinetic;
    if (report.status != StepStatus::kOk) start_energy_ = std::max(start_energy_, energy);
    if (!start_.has_weight && energy > 2.0 * start_energy_)
      Find(
          "kinetic energy grew from %.17g at the start to %.17g; speed %g, %d contacts, %d equality rows, "
          "loops open "
          "by %g",
          start_energy_, energy, world_.v().cwiseAbs().maxCoeff(), report.num_contacts,
          report.num_equality_rows, report.loop);
    if (!is_judged) return;
    ++totals_.energies;
    double mass = 0.0;
    for (const Body& body : world_.model().bodies) mass += body.inertia.mass;
    const bool is_exact = start_.is_frictionless && !HasBends();
    const double slack = (is_exact ? 1e-9 : 1e-2) * largest +
                         10.0 * world_.budget().absolute * std::sqrt(2.0 * mass * largest) +
                         2.0 * report.certificate.ncp_max * world_.solution().lambda.lpNorm<1>() +
                         CalcWorkOfLoops() + CalcWorkOfLifting(report, mass) + CalcRounding();
    if (start_.has_weight) return CheckClimb(energy, slack, mass);
    if (energy > before + slack)
      Find(
          "energy grew from %.17g to %.17g, by %.3g J, kinetic energy %.3g J; speed %g, %d contacts%s, %d "
          "equality rows",
          before, energy, energy - before, kinetic, world_.v().cwiseAbs().maxCoeff(), report.num_contacts,
          start_.is_frictionless ? " without friction" : "", report.num_equality_rows);
  }

  // What the law missed of friction is undone, and weights that crept down are drawn up again by it: over a
  // run they may climb by a little, but not on and on.
  void CheckClimb(double energy, double slack, double mass) {
    constexpr double kClimb = 1e-4;  // of the size of the scene
    const double weight = mass * world_.model().options.gravity.norm();
    lowest_ = std::min(lowest_, energy);
    slack_ += slack;
    const double least = slack_ + kClimb * weight * world_.q().cwiseAbs().maxCoeff();
    if (energy > lowest_ + least)
      Find(
          "energy climbed from %.17g to %.17g, by %.3g J; rounding and creep leave %.3g; speed %g, %d "
          "contacts",
          lowest_, energy, energy - lowest_, least, world_.v().cwiseAbs().maxCoeff(),
          static_cast<int>(world_.contacts().size()));
  }

  double CalcPassiveEnergy() const {
    const Energy energy = world_.CalcEnergy();
    return start_.has_weight ? energy.total() : energy.kinetic;
  }

  // And by the rounding of what the potential energy is a sum of.
  double CalcWorkOfLifting(const StepReport& report, double mass) const {
    if (!start_.has_weight) return 0.0;
    const double weight = mass * world_.model().options.gravity.norm();
    const double height = world_.q().cwiseAbs().maxCoeff();
    return weight * (report.correction + 64.0 * std::numeric_limits<double>::epsilon() * height);
  }

  // Of the kinetic energy, which is a sum over world axes: where a body's origin goes faster than its centre,
  // or a needle spins about itself, most of it cancels [J].
  double CalcRounding() const {
    double energy = 0.0;
    for (const stiction::Joint& joint : world_.model().joints) {
      if (!joint.is_free()) continue;
      const MassProperties& inertia = world_.model().bodies[static_cast<std::size_t>(joint.body)].inertia;
      const Vector3d v = world_.v().segment<3>(joint.v_address),
                     w = world_.v().segment<3>(joint.v_address + 3);
      energy += inertia.mass * v.squaredNorm() + inertia.I_BBcm_B.trace() * w.squaredNorm();
    }
    return 16.0 * std::numeric_limits<double>::epsilon() * energy;
  }

  // Whether the law of a loop foresees how its rows turn in the step.
  bool HasBends() const {
    const ContactProblem& problem = world_.problem();
    return std::any_of(problem.constraints.begin(), problem.constraints.end(), [&](const Constraint& c) {
      return c.type == ConstraintType::kBilateral && problem.e[static_cast<std::size_t>(c.row)] != 0.0;
    });
  }

  // −λ e of the loops that add to the energy [J].
  double CalcWorkOfLoops() const {
    const ContactProblem& problem = world_.problem();
    double work = 0.0;
    for (const Constraint& c : problem.constraints) {
      if (c.type != ConstraintType::kBilateral) continue;
      work += std::max(0.0, -world_.solution().lambda[c.row] * problem.e[static_cast<std::size_t>(c.row)]);
    }
    return work;
  }

  // From here on a second world steps beside, from what the first has in its state and input.
  void Branch() {
    if (!is_continued()) return;
    WorldOptions options = MakeOptions();
    if (is_threaded()) options.num_threads = options.num_threads == 2 ? 3 : 2;
    options.skips_still = !is_arranged() ? false : !options.skips_still;
    other_.emplace(start_.model, options);
    other_->set_state(is_arranged() ? SaveAndRead() : world_.state());
    other_->input() = world_.input();
  }
  State SaveAndRead() const {
    const std::string path = "/tmp/step_fuzz_" + std::to_string(getpid()) + ".json";
    world_.SaveState(path);
    State state = ReadState(path, world_.model());
    std::remove(path.c_str());
    return state;
  }
  void FollowStep() {
    other_->input() = world_.input();
    const StepStatus status = other_->Step().status;
    if (status != world_.report().status)
      Find("the run continued from its state reports %s, not %s", ToString(status),
           ToString(world_.report().status));
  }
  void CompareBranch() {
    ++totals_.continued;
    if (Hash(world_.state()) != Hash(other_->state()))
      Find("the run continued from its state in other threads ends in other bits: %g in q, %g in v",
           (world_.q() - other_->q()).cwiseAbs().maxCoeff(),
           (world_.v() - other_->v()).cwiseAbs().maxCoeff());
    if (world_.sensors().size() > 0 && !(world_.sensors().array() == other_->sensors().array()).all())
      Find("the run continued from its state has other sensors, by %g",
           (world_.sensors() - other_->sensors()).cwiseAbs().maxCoeff());
  }

  std::uint64_t seed_;
  const FuzzOptions& options_;
  const RandomWorld& start_;
  Totals& totals_;
  World world_;
  std::optional<World> other_;
  RandomNumbers random_;
  int step_ = 0;
  int num_missed_ = 0;  // of the last steps
  double energy_ = 0.0, start_energy_ = 0.0, kinetic_ = 0.0;
  double lowest_ = std::numeric_limits<double>::infinity();  // energy of a world with weights
  double slack_ = 0.0;                                       // of its steps so far
  bool has_found_ = false;
};

void Save(const RandomWorld& world, const std::string& prefix) {
  SaveMjcf(MakeMjcf(world.model, prefix + ".xml"), prefix + ".xml");
  WriteState(prefix + ".json", world.model, world.state);
}

void RunWorld(std::uint64_t seed, const FuzzOptions& options, Totals& totals) {
  running_seed = seed;
  SetAlarm(kLongestStep);
  std::string refusal;
  const std::optional<RandomWorld> start = MakeRandomWorld(seed, &refusal);
  ++totals.worlds;
  if (!start) {
    ++totals.refused;
    if (!options.quiet)
      std::printf("world %llu refused: %s\n", static_cast<unsigned long long>(seed), refusal.c_str());
    return;
  }
  if (start->is_passive) ++totals.passive;
  if (!options.save.empty()) Save(*start, options.save);
  Run(seed, *start, options, totals).Execute();
}

void Print(const Totals& totals) {
  std::printf(
      "%ld worlds (%ld refused by the builder, %ld passive, %ld ended by the allowance), %ld steps: %ld ok, "
      "%ld missed, %ld diverged, "
      "%ld singular; "
      "%ld certificates and %ld energies compared, %ld runs continued; slowest step %.3f s (world %llu); %ld "
      "findings\n",
      totals.worlds, totals.refused, totals.passive, totals.cut, totals.steps, totals.statuses[0],
      totals.statuses[1], totals.statuses[2], totals.statuses[3], totals.compared, totals.energies,
      totals.continued, totals.slowest, static_cast<unsigned long long>(totals.slowest_seed),
      totals.findings);
}

FuzzOptions ReadOptions(int argc, char** argv) {
  FuzzOptions options;
  for (int k = 1; k < argc; k += 2) {
    const std::string name = argv[k];
    const char* value = k + 1 < argc ? argv[k + 1] : nullptr;
    if (value && name == "--seed") {
      options.seed = std::strtoull(value, nullptr, 10);
    } else if (value && name == "--count") {
      options.count = std::atol(value);
    } else if (value && name == "--steps") {
      options.steps = std::atoi(value);
    } else if (value && name == "--seconds") {
      options.seconds = std::atof(value);
    } else if (value && name == "--allowance") {
      options.allowance = std::atof(value);
    } else if (value && name == "--continued") {
      options.continued = std::max(1ull, std::strtoull(value, nullptr, 10));
    } else if (value && name == "--quiet") {
      options.quiet = std::atoi(value) != 0;
    } else if (value && name == "--worlds") {
      options.worlds = value;
    } else if (value && name == "--save") {
      options.save = value;
    } else if (value && name == "--trace") {
      options.trace = std::atoi(value) != 0;
    } else {
      std::fprintf(stderr, "%s: not an option, or without a value; see the head of step_fuzz.cpp\n", argv[k]);
      std::exit(2);
    }
  }
  return options;
}

std::vector<std::uint64_t> ReadWorlds(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::uint64_t> seeds;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line[0] != '#') seeds.push_back(std::strtoull(line.c_str(), nullptr, 10));
  }
  if (!seeds.empty()) return seeds;
  std::fprintf(stderr, "%s: no worlds\n", path.c_str());
  std::exit(2);
}

int Main(int argc, char** argv) {
  const FuzzOptions options = ReadOptions(argc, argv);
  std::signal(SIGPROF, OnAlarm);
  for (const int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL}) std::signal(signal, OnCrash);
  Totals totals;
  const std::vector<std::uint64_t> worlds =
      options.worlds.empty() ? std::vector<std::uint64_t>{} : ReadWorlds(options.worlds);
  const double deadline = CalcSeconds(CLOCK_MONOTONIC) + options.seconds;
  const long count = worlds.empty() ? options.count : static_cast<long>(worlds.size());
  for (long k = 0; k < count && CalcSeconds(CLOCK_MONOTONIC) < deadline; ++k) {
    const auto i = static_cast<std::size_t>(k);
    RunWorld(worlds.empty() ? options.seed + i : worlds[i], options, totals);
  }
  Print(totals);
  return totals.findings > 0 ? 1 : 0;
}

}  // namespace
}  // namespace stiction::fuzz

int main(int argc, char** argv) {
  return stiction::fuzz::Main(argc, argv);
}

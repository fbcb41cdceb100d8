// Bodies that roll, spin and slip on a point: Euler's disk, a rattleback, a tippe top, balls.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "stiction/math/rotation.h"
#include "truth/convergence.h"
#include "truth/reference_motion.h"
#include "truth/truth_experiments.h"

namespace stiction::runner {
namespace {

constexpr double kGravity = 9.81;
constexpr const char* kInvariant = "invariant";
constexpr double kNoOrder = std::numeric_limits<double>::infinity();
constexpr double kNever = std::numeric_limits<double>::quiet_NaN();

// A disk of radius a and half thickness c that rolls on its rim while its middle stands still: axis n leans
// by α from upright and goes round at Ω. Its angular velocity is along the line from the middle to the
// contact, and the change of its angular momentum is the moment of the weight about the contact:
//   Ω² (I1 sin α cos α − I3 sin² α c/a) = m g (a cos α − c sin α),  for c = 0: Ω² = 4 g / (a sin α).
struct SteadyDisk {
  static constexpr double kA = 0.1, kC = 0.002;
  double lean = 0.5;  // α [rad]

  double CalcRate() const {
    const double I1 = kA * kA / 4.0 + kC * kC / 3.0, I3 = kA * kA / 2.0, s = std::sin(lean),
                 c = std::cos(lean);
    return std::sqrt(kGravity * (kA * c - kC * s) / (I1 * s * c - I3 * s * s * kC / kA));
  }
  double CalcHeight() const { return kA * std::sin(lean) + kC * std::cos(lean); }
  void Start(World& world) const {
    State state = world.state();
    const double rate = CalcRate() * std::sin(lean) / kA;
    state.q << 0.0, 0.0, CalcHeight(), std::cos(0.5 * lean), 0.0, std::sin(0.5 * lean), 0.0;
    state.v << 0.0, 0.0, 0.0, -rate * kA, 0.0, rate * kC;
    world.set_state(state);
  }
  // Of the axis, and of the middle over the radius.
  double CalcError(const World& world) const {
    const double turn = CalcRate() * world.time();
    const Vector3d axis(std::sin(lean) * std::cos(turn), std::sin(lean) * std::sin(turn), std::cos(lean));
    const RigidTransform& X = world.body_poses()[1];
    return std::max((X.R.col(2) - axis).norm(), (X.p - Vector3d(0.0, 0.0, CalcHeight())).norm() / kA);
  }
};

// The rattleback's own equations: an ellipsoid rolls without slipping. In body axes with γ upwards and r from
// the mass centre to the contact, v = r × ω, and the moment of the contact force about the mass centre is
//   I ω' + ω × I ω = r × m (v' + ω × v + g γ).
struct Rattleback {
  static constexpr double kSkew = 0.2, kSpin = -2.0, kTime = 2.4;

  // γ, ω after each; a row of 6.
  static VectorXd CalcRates(const VectorXd& x) {
    static const Matrix3d turned = Eigen::AngleAxisd(kSkew, Vector3d::UnitZ()).toRotationMatrix();
    static const Matrix3d I = turned * Vector3d(0.00272, 0.01872, 0.02).asDiagonal() * turned.transpose();
    const Vector3d squares(0.09, 0.01, 0.0036), up = x.head<3>(), omega = x.tail<3>();
    const double s = std::sqrt(squares.dot(up.cwiseAbs2()));
    const Vector3d up_rate = up.cross(omega), scaled = squares.cwiseProduct(up);
    const Vector3d r = -scaled / s;
    const Vector3d r_rate = -squares.cwiseProduct(up_rate) / s + scaled * scaled.dot(up_rate) / (s * s * s);
    Matrix3d cross;
    cross << 0, -r[2], r[1], r[2], 0, -r[0], -r[1], r[0], 0;
    const Vector3d known = r_rate.cross(omega) + omega.cross(r.cross(omega)) + kGravity * up;
    VectorXd rates(6);
    rates << up_rate, (I - cross * cross).ldlt().solve(-omega.cross(I * omega) + r.cross(known));
    return rates;
  }
  static VectorXd Start() { return VectorXd{{0.0, 0.0, 1.0, 0.02, 0.2, kSpin}}; }
  static double CalcSpin(const World& world) {
    return world.body_poses()[1].R.row(2).dot(world.v().tail<3>());
  }
};

using Curve = std::vector<std::pair<double, double>>;

// What is watched over time; `known` may be empty.
PaperPlot PlotWatched(const std::string& title, const std::string& y_title, Curve ours, Curve known) {
  PlotPanel panel{.y_title = y_title};
  panel.curves.push_back({.label = "ours", .points = std::move(ours)});
  if (!known.empty())
    panel.curves.push_back({.label = kReference, .points = std::move(known), .is_faint = true});
  return {"time", {.title = title, .x_title = "time [s]", .panels = {std::move(panel)}, .has_tight_x = true}};
}

// When a quantity that is watched first becomes positive, between two looks by a straight line.
class SignWatch {
 public:
  void Add(double time, double value) {
    if (std::isnan(when_) && last_ <= 0.0 && value > 0.0)
      when_ = last_time_ + (time - last_time_) * last_ / (last_ - value);
    last_time_ = time, last_ = value;
  }
  double when() const { return when_; }

 private:
  double when_ = kNever, last_ = 0.0, last_time_ = 0.0;
};

// A tippe top's own equations while it slips: a ball with its mass centre e below its middle, the same moment
// of inertia I about every axis. State: axis n, ω, velocity of the mass centre along the ground.
struct TippeTop {
  static constexpr double kRadius = 0.05, kE = 0.015, kMass = 0.1, kI = 1e-4, kFriction = 0.3;
  static constexpr double kSpin = 100.0, kLean = 0.1;

  static Vector3d CalcArm(const Vector3d& n) { return kE * n - kRadius * Vector3d::UnitZ(); }
  static Vector3d CalcSlip(const VectorXd& x) {
    const Vector3d n = x.head<3>(), omega = x.segment<3>(3);
    Vector3d slip = omega.cross(CalcArm(n)) + Vector3d(x[6], x[7], 0.0);
    slip[2] = 0.0;
    return slip;
  }
  static VectorXd CalcRates(const VectorXd& x) {
    const Vector3d n = x.head<3>(), omega = x.segment<3>(3), arm = CalcArm(n), z = Vector3d::UnitZ();
    const Vector3d friction = -kFriction * CalcSlip(x).normalized();
    const Vector3d moment = arm.cross(z + friction) / kI;  // a unit of normal force
    const double force =
        (kGravity - kE * z.dot(omega.cross(omega.cross(n)))) / (1.0 / kMass + kE * z.dot(moment.cross(n)));
    VectorXd rates(8);
    rates << omega.cross(n), force * moment, force / kMass * friction.head<2>();
    return rates;
  }
  static VectorXd StartOfReference() {
    VectorXd x(8);
    x << std::sin(kLean), 0.0, std::cos(kLean), 0.0, 0.0, kSpin, 0.0, 0.0;
    return x;
  }
  static void Start(World& world) {
    State state = world.state();
    const Quaterniond turn(Eigen::AngleAxisd(kLean, Vector3d::UnitY()));
    const Vector3d omega = turn.inverse() * Vector3d(0.0, 0.0, kSpin);
    state.q << 0.0, 0.0, kRadius - kE * std::cos(kLean), turn.w(), turn.x(), turn.y(), turn.z();
    state.v << Vector3d::Zero(), omega;
    world.set_state(state);
  }
  static Vector3d FindAxis(const World& world) { return world.body_poses()[1].R.col(2); }
  // Jellett's constant: no force at the contact changes the angular momentum along the line to it.
  static double CalcJellett(const World& world) {
    const Vector3d omega = world.body_poses()[1].R * world.v().tail<3>();
    return -kI * omega.dot(CalcArm(FindAxis(world)));
  }
};

void AddTippeTopFigures(const PaperOptions& options, PaperOutcome& outcome) {
  const double jellett =
      TippeTop::kI * TippeTop::kSpin * (TippeTop::kRadius - TippeTop::kE * std::cos(TippeTop::kLean));
  double energy = std::numeric_limits<double>::infinity(), gained = 0.0, first = kNever, drift = 0.0;
  Curve lean;
  KnownMotion whole{.file = "tippe_top.xml",
                    .duration = options.is_quick ? 1.0 : 3.0,
                    .steps = {2e-4},
                    .error = [](const World& world) { return TippeTop::FindAxis(world)[2]; },
                    .prepare = &TippeTop::Start,
                    .watch =
                        [&](const World& world) {
                          const double now = world.CalcEnergy().total();
                          if (std::isnan(first)) first = now;
                          gained = std::max(gained, now - energy);
                          lean.emplace_back(world.time(), TippeTop::FindAxis(world)[2]);
                          energy = now;
                          drift = std::max(drift, std::abs(TippeTop::CalcJellett(world) / jellett - 1.0));
                        }};
  double ncp = 0.0;
  const double upright = MeasureOnce(whole, &ncp);
  AddBoundedFigure(kInvariant, "Jellett's constant, relative change at 0.0002 s", drift, 0.02, "", outcome);
  AddBoundedFigure(kInvariant, "largest gain of energy in a step, relative", gained / std::abs(first), 1e-6,
                   "", outcome);
  AddBoundedFigure("certificate", "worst step", ncp, 1e-8, "m/s", outcome);
  if (!options.is_quick)
    AddBoundedFigure("theory", "turned over after 3 s: cosine of its lean, plus one", upright + 1.0, 0.1, "",
                     outcome);
  outcome.plots.push_back(PlotWatched("It turns over", "cosine of its lean", std::move(lean), {}));
}

}  // namespace

PaperOutcome MeasureDisk(const PaperOptions& options) {
  PaperOutcome outcome;
  outcome.about =
      "A disk rolls on its rim while its middle stands still (Euler's disk). Rolling without slipping, with "
      "the moment of the weight about the contact, gives the rate at which the contact runs round: for a "
      "thin disk 4 g / (a sin a) is its square. A contact point takes no power while it rolls, so the exact "
      "law keeps the motion for ever; the end in finite time of a real disk is the work of losses that are "
      "not in this law. Errors of the axis, and of the middle over the radius, after 0.2 s.";
  for (const double degrees : {30.0, 10.0}) {
    const SteadyDisk disk{degrees * std::numbers::pi / 180.0};
    const KnownMotion motion{.file = "disk.xml",
                             .duration = 0.2,
                             .steps = {0.0004, 0.0002, 0.0001},
                             .error = [=](const World& world) { return disk.CalcError(world); },
                             .prepare = [=](World& world) { disk.Start(world); }};
    const std::string name = "disk at " + std::to_string(static_cast<int>(degrees)) + " degrees";
    AddConvergence(name, "", kClosedForm, motion, {Integrator::kSymplecticEuler}, 0.02, 1e-6, outcome);
    if (!options.is_quick) AddMethodTable(name, "", motion, outcome);
  }
  return outcome;
}

PaperOutcome MeasureRattleback(const PaperOptions& options) {
  PaperOutcome outcome;
  outcome.about =
      "An ellipsoid whose axes of inertia are skew to its own, spun at 2 rad/s on ground that it does not "
      "slip on: it rattles, and turns back. The law is rolling without slipping at a point that takes no "
      "moment; its equations are integrated on their own in steps of 0.1 ms. Errors of the spin about the "
      "vertical, and of when it turns back.";
  Curve known_curve, our_curve;
  SignWatch known;
  const VectorXd end = IntegrateReference(&Rattleback::CalcRates, Rattleback::Start(), Rattleback::kTime,
                                          1e-4, [&](double time, const VectorXd& x) {
                                            const double now = x.head<3>().dot(x.tail<3>());
                                            known.Add(time, now);
                                            known_curve.emplace_back(time, now);
                                          });
  const double spin = end.head<3>().dot(end.tail<3>());
  std::vector<double> steps{0.001, 0.0005, 0.00025};
  if (options.is_quick) steps.pop_back();
  KnownMotion motion{
      .file = "rattleback.xml",
      .duration = Rattleback::kTime,
      .steps = steps,
      .error = [=](const World& world) { return std::abs(Rattleback::CalcSpin(world) - spin); }};
  AddConvergence("spin", "rad/s", kReference, motion, {Integrator::kSymplecticEuler}, 0.2, 1e-6, outcome);
  if (!options.is_quick) AddMethodTable("spin", "rad/s", motion, outcome);
  SignWatch ours;
  motion.watch = [&](const World& world) {
    ours.Add(world.time(), Rattleback::CalcSpin(world));
    our_curve.emplace_back(world.time(), Rattleback::CalcSpin(world));
  };
  double ncp = 0.0;
  MeasureOnce(motion, &ncp);
  AddBoundedFigure(kReference, "when it turns back", std::abs(ours.when() - known.when()), 0.05, "s",
                   outcome);
  AddBoundedFigure("certificate", "worst step", ncp, 1e-8, "m/s", outcome);
  outcome.plots.push_back(PlotWatched("It rattles, and turns back", "spin about the vertical [rad/s]",
                                      std::move(our_curve), std::move(known_curve)));
  return outcome;
}

PaperOutcome MeasureTippeTop(const PaperOptions& options) {
  PaperOutcome outcome;
  outcome.about =
      "A ball whose mass centre is below its middle, spun at 100 rad/s, slips on its point and turns over. "
      "Coulomb's law at the contact point decides: its own equations, integrated in steps of 10 microseconds "
      "while it slips, give the axis after 0.4 s; whatever the friction, Jellett's constant is kept and "
      "energy does not grow. It turns over until it rolls: then friction takes no more power, and what is "
      "left of its lean stays.";
  double least_slip = std::numeric_limits<double>::infinity();
  const VectorXd known = IntegrateReference(
      &TippeTop::CalcRates, TippeTop::StartOfReference(), 0.4, 1e-5,
      [&](double, const VectorXd& x) { least_slip = std::min(least_slip, TippeTop::CalcSlip(x).norm()); });
  KnownMotion motion{.file = "tippe_top.xml",
                     .duration = 0.4,
                     .steps = {4e-4, 2e-4, 1e-4},
                     .error = [n = Vector3d(known.head<3>())](
                                  const World& world) { return (TippeTop::FindAxis(world) - n).norm(); },
                     .prepare = &TippeTop::Start};
  if (options.is_quick) motion.steps.pop_back();
  AddConvergence("axis", "", kReference, motion, {Integrator::kSymplecticEuler}, 0.02, 1e-6, outcome);
  if (!options.is_quick) AddMethodTable("axis", "", motion, outcome);
  outcome.figures.front().remark = "the slip is never below " + std::to_string(least_slip) + " m/s by then";
  AddTippeTopFigures(options, outcome);
  return outcome;
}

PaperOutcome MeasureSpin(const PaperOptions&) {
  PaperOutcome outcome;
  outcome.about =
      "Balls that spin in place at 10 rad/s. A point contact takes no moment, so one spins on for ever; "
      "torsional friction s of 5 mm brakes the other by the moment s m g: its spin falls by 5/2 s g / r² = "
      "12.26 rad/s², and it stops after 0.82 s.";
  const double braking = 2.5 * 0.005 * kGravity / 0.01;
  KnownMotion motion{.file = "spin.xml", .duration = 10.0, .steps = {0.002}, .error = [](const World& world) {
                       return std::abs(world.v()[5] - 10.0);
                     }};
  double ncp = 0.0;
  AddBoundedFigure(kClosedForm, "without torsional friction: spin after 10 s", MeasureOnce(motion, &ncp),
                   1e-9, "rad/s", outcome);
  motion.error = [](const World& world) { return world.v().tail<6>().norm(); };
  motion.duration = 0.9;
  AddBoundedFigure(kClosedForm, "with it: speed after 0.9 s, when it has stopped", MeasureOnce(motion, &ncp),
                   1e-8, "m/s, rad/s", outcome);
  motion.error = [=](const World& world) { return std::abs(world.v()[11] - (10.0 - 0.5 * braking)); };
  motion.duration = 0.5;
  AddBoundedFigure(kClosedForm, "with it: spin after 0.5 s", MeasureOnce(motion, &ncp), 1e-7, "rad/s",
                   outcome);
  AddBoundedFigure("certificate", "worst step", ncp, 1e-8, "m/s", outcome);
  return outcome;
}

}  // namespace stiction::runner

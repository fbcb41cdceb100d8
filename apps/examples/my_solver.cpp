// A contact solver of one's own in 60 lines, stepped beside the default one: projected Gauss-Seidel with the
// natural map of the exact law, λ <- P_K(λ − (g + Γ(g))/r).
#include <stiction/contact/island.h>
#include <stiction/contact/laws.h>
#include <stiction/stiction.h>

#include <cstdio>
#include <string>
#include <vector>

class NaturalGaussSeidel : public stiction::ContactSolver {
 public:
  bool Supports(stiction::ConstraintType type) const override {
    return type != stiction::ConstraintType::kSoft;
  }

  stiction::SolveReport Solve(const stiction::Island& island, double* lambda) override {
    stiction::SolveReport report;
    lambda_.assign(lambda, lambda + island.num_rows());
    delta_.resize(island.num_dofs());
    island.MapImpulses(lambda_.data(), delta_.data());
    stiction::Incumbent best(lambda, island.num_rows(), island.CalcResidual(lambda, delta_.data()));
    while (best.residual() > tolerance() && report.sweeps < Scaled(max_sweeps_) && !island.is_over()) {
      for (const stiction::IslandConstraint& c : island.constraints) Relax(island, c, lambda_.data() + c.row);
      ++report.sweeps;
      island.Tick();                                      // for who has no time for all of them
      island.MapImpulses(lambda_.data(), delta_.data());  // δ = Yᵀλ afresh: no rounding adds up
      best.Offer(lambda_.data(), island.CalcResidual(lambda_.data(), delta_.data()));
    }
    report.iterations = report.sweeps;
    if (!(best.residual() <= tolerance())) report.status = stiction::SolveStatus::kMaxIterations;
    return report;
  }

 private:
  std::vector<stiction::SolverOption> ListOwnOptions() override {
    return {{"max_sweeps", max_sweeps_, 1, 1'000'000, "sweeps before giving up"}};
  }

  // One constraint's impulse while all others stand still.
  void Relax(const stiction::Island& island, const stiction::IslandConstraint& c, double* lambda) {
    double g[3], change[3];
    island.ReadVelocity(c, delta_.data(), g);
    if (c.type == stiction::ConstraintType::kContact) {
      const double r = 3.0 * c.scale;  // tr(W_ii): no eigenvalue of the block is larger
      const double gamma = c.mu * std::sqrt(g[0] * g[0] + g[1] * g[1]);
      const stiction::Vector3d before(lambda[0], lambda[1], lambda[2]);
      const stiction::Vector3d x = before - stiction::Vector3d(g[0], g[1], g[2] + gamma) / r;
      const stiction::Vector3d after = stiction::ProjectCone(x, c.mu);
      for (int i = 0; i < 3; ++i) change[i] = after[i] - before[i], lambda[i] = after[i];
    } else {
      const double before = lambda[0];
      lambda[0] = stiction::ClampImpulse(c, before - g[0] / c.scale);
      change[0] = lambda[0] - before;
    }
    island.AddImpulse(c, change, delta_.data());
  }

  int max_sweeps_ = 1000;
  std::vector<double> lambda_, delta_;  // the iterate, and Yᵀλ of it
};

stiction::Model MakeTower() {
  stiction::ModelBuilder builder("tower");
  builder.AddGeom({.name = "floor", .shape = stiction::Plane{}, .friction = 0.6});
  for (int i = 0; i < 5; ++i) {
    const int box =
        builder.AddBody({.name = "box" + std::to_string(i), .X_PB = {.p = {0.01 * i, 0, 0.1 + 0.2 * i}}});
    builder.AddJoint(box, {.kind = stiction::FreeJoint{}});
    builder.AddGeom({.body = box, .shape = stiction::Box{stiction::Vector3d::Constant(0.1)}, .friction = 0.6},
                    {.mass = 1.0});
  }
  return builder.Build();
}

int main() {
  stiction::RegisterSolver({"natural_gs", "projected Gauss-Seidel with the natural map",
                            [] { return std::unique_ptr<stiction::ContactSolver>(new NaturalGaussSeidel); }});
  for (const char* solver : {"natural_gs", stiction::kDefaultSolver}) {
    stiction::World world(MakeTower(), {.solver = solver, .budget = 1e-8});
    double worst = 0.0;
    int iterations = 0, missed = 0;
    while (world.time() < 0.5) {
      const stiction::StepReport& report = world.Step();
      worst = std::max(worst, report.certificate.ncp_max);
      iterations += report.solve.iterations;
      missed += report.status == stiction::StepStatus::kBudgetMissed;
    }
    std::printf("%s: %d iterations, largest residual %.1e m/s, %d steps over the budget\n", solver,
                iterations, worst, missed);
  }
  return 0;
}

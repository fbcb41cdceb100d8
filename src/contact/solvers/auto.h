// The default: the cheapest method that reaches the tolerance, island by island.
//
//   stage 0  the warm start already meets the acceptance threshold: no solve
//   stage 1  warm Gauss-Seidel sweeps with the exact Coulomb rule, kept only if the residual fell; few of one
//            robot alone, and none where it, or several free bodies, are nearly at rest
//   stage 2  a few primal-dual Newton steps, which solve most of what is left, with contacts that go round in
//            circles solved exactly among the others; of unilateral rows alone an interior point, where
//            impulses are not kept; in large islands damped steps after them. Where A is any sparse matrix,
//            as of finite elements, proximal ADMM before them: it factors A with the contacts a few times,
//            each Newton step once. Else robust CANAL from there, one penalty per contact; in huge islands a
//            walk (canal.h, difference 7)
//   stage 3  sweeps from the best iterate, CANAL with one small penalty for all that grows slowly; not of
//            huge islands, where that is hardly ever an answer
//   stage 4  if there are no bilateral rows: primal-dual steps from the warm start, which sweeps may have led
//            astray; of contacts and unilateral rows alone the central path (central_path.h), which finds
//            most of what nothing else does; then walks from the best iterate, the warm start and nothing, at
//            different rates, 12000 Newton steps in all. With an effort below 1 all that is left to the
//            retry, but for the steps from the warm start of huge islands
//   stage 5  likewise: CANAL of stage 2 from where a thousand to five thousand sweeps of projected
//            Gauss-Seidel have led the warm start. Where many contacts are about to stick, at 1e-5 m/s, walks
//            lose their way
//
// Where something comes after a failure (ContactSolver::is_last_chance), stage 4 is one walk, a short one of
// islands with fewer than 60 constraints, of huge islands none, and there is no stage 5: half a step is
// another problem, and mostly an easy one.
//
// Where that something is a smaller step (ContactSolver::may_leave), large islands whose bodies strike one
// another (Island::strikes) are left after 60 damped steps of stage 2.
//
// Neither of the last two of unilateral rows alone whose impulses are not kept: where the interior point
// finds no answer they contradict one another.
//
// Nor where rounding forbids: a residual of less than ε (|g0| + |Y| |Y|ᵀ |λ|) may be all rounding, and where
// that bound is a hundred times the acceptance no answer is certain to pass.
//
// What comes back is the first answer within the acceptance, and the best iterate with its status otherwise.
// Islands at rest (Island::rests) skip stage 1 and are solved to rounding: how long they rest without a solve
// goes by how exact the last one was. A run of Newton steps that gains little ends at six times the
// tolerance: the last digit of rows that contradict one another costs hundreds. Acceptance (1e-8 m/s) is
// looser than the tolerance of a solve, so that piles at rest are skipped instead of being reopened by
// residuals that sit at the tolerance.
//
// A solver budget's time is shared: seven tenths of what stage 1 leaves belong to the stages after it, and
// where they do not arrive the rest to sweeps from the best iterate. A Newton step of a large island costs
// tens of sweeps, and those under way to an answer are worth less than they are. More for sweeps would make
// steps that miss more exact still, and more of them miss.
//
// Stages 1 to 3 see the island without its bilateral rows (contact/bilateral_elimination.h), which makes
// those exact. Where limits stop a loop from both sides at once, its rounding times its lever then sets them
// against each other, by 1e-8 rad/s in legs of parallel bars, and no impulse helps. A miss as small as that
// is retried on all rows together: under one penalty for all the loop, which has to move least, takes the
// error. That is kept if it is good enough; else the loop stays exact.
#pragma once

#include "contact/bilateral_elimination.h"
#include "contact/solvers/block_sor.h"
#include "contact/solvers/canal.h"
#include "contact/solvers/central_path.h"
#include "contact/solvers/interior_point.h"
#include "contact/solvers/nbgs_c.h"
#include "contact/solvers/primal_dual.h"
#include "contact/solvers/proximal_admm.h"

namespace stiction {

struct AutoOptions {
  double acceptance =
      9e-9;         // warm starts below this are taken as they are: 1e-8 less the rounding of the check [m/s]
  int sweeps = 20;  // of stage 1: more would start Newton better, but cost more than they save
  int retry_sweeps = 100;   // of stage 3
  int path_newton = 1000;   // matrices that the central path of stage 4 factors; of small islands two times
  int walk_newton = 12000;  // Newton steps of stage 4 in all, of islands of up to 1000 constraints
  int last_sweeps = 5000;   // of stage 5, likewise
};

class SolverAuto : public ContactSolver {
 public:
  SolverAuto();
  void set_tolerance(double tolerance) override {
    ContactSolver::set_tolerance(tolerance);
    options_.acceptance = 9.0 * tolerance;
  }
  double acceptance() const override { return looseness() * options_.acceptance; }
  // Whether the impulses are where the next solve starts: islands at rest then are solved to rounding. Those
  // that are not may be an interior point's.
  void set_keeps_impulses(bool keeps_impulses) { keeps_impulses_ = keeps_impulses; }
  SolveReport Solve(const Island& island, double* lambda) override;

 private:
  std::vector<SolverOption> ListOwnOptions() override;
  // Sweeps until the tolerance, the limit, or no more progress; keeps the best lambda and its residual.
  void RunSweeps(const Island& island, int limit, double* lambda, double& residual, SolveReport& report);
  bool Polishes(const Island& island) const { return island.rests && keeps_impulses_; }
  // Of islands at rest, in place of stages 1 to 3: primal-dual steps as far as they lead. False if that is
  // not as far as the acceptance.
  bool Polish(const Island& island, double* lambda, double& residual, SolveReport& report);
  // Stages 1 to 3, from lambda with that residual; and stage 4, which changes nothing once it is accepted.
  void RunStages(const Island& island, double* lambda, double& residual, SolveReport& report);
  // Newton steps of stage 2, and CANAL's.
  void RunPrimalDual(const Island& island, bool has_loops, double* lambda, double& residual,
                     SolveReport& report);
  void RunCanal(const Island& island, double* lambda, double& residual, SolveReport& report);
  void RunAdmm(const Island& island, double* lambda, double& residual, SolveReport& report);
  // Where time ended the stages: sweeps in what was kept of it.
  void SweepToTheEnd(const Island& island, double* lambda, double& residual, SolveReport& report);
  // What rounding may leave of a residual at lambda: ε max_i (|g0| + |Y| |Y|ᵀ |λ|)_i [m/s].
  double CalcRounding(const Island& island, const double* lambda);
  // Whether an interior point finds an answer if there is one, and the impulses may be those in its middle.
  bool MayEndInside(const Island& island) const;
  // Whether the last resorts may come to an end: not where rounding alone may be all of the residual, or is
  // so much more than the acceptance that no answer will pass.
  bool MayBeSolved(const Island& island, const double* lambda, double residual);
  // Primal-dual steps from the warm start itself, which sweeps may have led astray.
  void RunWithoutSweeps(const Island& island, double* lambda, double& residual, SolveReport& report);
  void RunPath(const Island& island, double* lambda, double& residual, SolveReport& report);
  void RunWalks(const Island& island, double* lambda, double& residual, SolveReport& report);
  void RunFromSweeps(const Island& island, double* lambda, double& residual, SolveReport& report);
  // Where nothing carried load before, sweeps load the first points most. A face that presses at its edge
  // pivots about it, where all of it together would hold: the laws have both answers, and later steps stay
  // with the one. So, if a loaded point slides, CANAL, which treats all points alike, is asked too, and is
  // right if less moves.
  void SpreadNew(const Island& island, double* lambda, double& residual, SolveReport& report);
  // Speed of the fastest contact that carries load along its plane [m/s].
  double FindSlide(const Island& island, const double* lambda);
  // The same on the island without its bilateral rows; and a retry of small misses on all rows together, kept
  // if it reaches the acceptance. lambda and its residual change only for the better.
  void RunEliminated(const Island& island, double* lambda, double& residual, SolveReport& report);
  void RetryTogether(const Island& island, double* lambda, double& residual, SolveReport& report);
  SolveReport RunRetry(const Island& island, double* lambda, double& residual);

  AutoOptions options_;
  bool keeps_impulses_ = true;
  bool may_be_left_ = false;  // the island that is being solved
  CanalOptions canal_, retry_, walk_;
  GaussSeidelSweep sweep_;
  SolverBlockSor projected_{BlockRule::kPgsNcp};
  CanalMethod method_;
  PrimalDualNewton primal_dual_;
  InteriorPoint interior_point_;
  CentralPath path_;
  // A factorisation takes as long as dozens of back-solves, and a mixture of iterations needs a penalty that
  // stays.
  SolverAdmmNcp admm_{ProximalAdmmOptions{.update_every = 20, .anderson = 10}};
  PrimalDualOptions primal_dual_options_;
  DampedPrimalDualOptions damped_options_;
  BilateralElimination elimination_;
  std::vector<double> delta_, trial_, warm_, swept_, rest_lambda_, joined_;
};

}  // namespace stiction

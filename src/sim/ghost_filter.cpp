#include "sim/ghost_filter.h"

#include <Eigen/Geometry>
#include <algorithm>

#include "contact/solvers/nbgs_c.h"
#include "math/assert.h"
#include "math/task_pool.h"
#include "sim/divergence.h"
#include "stiction/collision/swept_contact.h"

namespace stiction {
namespace {

constexpr int kMaxSweeps = 10;          // a load goes on by one body in a sweep
constexpr int kMostLooks = 16;          // at a pair on its way
constexpr int kLeastPairs = 16;         // fewer are not worth handing to another thread
constexpr double kFastTurn = 0.05;      // in a step, from which it is seen that a pair has few points [rad]
constexpr double kOverlapDepth = 1e-6;  // what counts as overlap, of bodies whose slop is not less [m]
// Of overlaps at the start and at the end of a step that are one: their normals' cosine, and how far apart
// they are, in thicknesses of the smaller shape.
constexpr double kSameDirection = 0.9, kSamePlace = 0.25;

// Whether the points of a contact would come into one another at generalised velocity v.
bool WouldClose(const StepFrame& frame, const DetectedContact& contact, const VectorXd& v) {
  return contact.tracked.point.gap + frame.dt * CalcNormalVelocity(frame, contact.tracked, v) < 0.0;
}

// Whether the bodies of a contact turn so far against one another at v that others of their points may come
// into one another, though those of the contact do not.
bool MayTurnInto(const StepFrame& frame, const DetectedContact& contact, const VectorXd& v) {
  const double turn = frame.dt * CalcRelativeTurn(frame, contact.tracked, v).norm();
  if (turn < kFastTurn) return false;
  const double way = frame.dt * CalcNormalVelocity(frame, contact.tracked, v);
  return contact.tracked.point.gap + way < turn * contact.thickness;
}

// The way from one pose to another, that part of it.
RigidTransform Between(const RigidTransform& from, const RigidTransform& to, double share) {
  const Eigen::AngleAxisd turn(Matrix3d(from.R.transpose() * to.R));
  const Matrix3d part = Eigen::AngleAxisd(share * turn.angle(), turn.axis()).toRotationMatrix();
  return {from.R * part, from.p + share * (to.p - from.p)};
}

bool IsKnown(const VectorXd& v) {
  return (v.array().abs() < kDivergence).all();
}  // NaN is not below

std::unique_ptr<ContactSolver> MakeMethod() {
  auto method = std::make_unique<SolverNbgsC>(NbgsCOptions{.max_sweeps = kMaxSweeps});
  method->set_tolerance(GhostFilter::kTolerance);
  return method;
}

}  // namespace

GhostFilter::GhostFilter(const Model& model) : method_(MakeMethod()) {
  probe_.Resize(model);
  contains_.reserve(model.num_trees());
  meeting_.Reserve(model);
}

void GhostFilter::set_pool(const TaskPool& pool) {
  method_ = MakeMethod();
  helpers_.resize(CountOthers(pool));
  for (auto& helper : helpers_) helper = MakeMethod();
  pool_ = &pool;
}

// What near contacts have overlapped by before does not count, at their place and along their normal: rows
// keep it from becoming more. A peg that slides down a wall, a micrometre in it, does not meet the plate's
// top.
bool GhostFilter::Overlap(const Model& model, std::span<const DetectedContact> contacts,
                          const RigidTransform& X_WA, const RigidTransform& X_WB, double depth,
                          Manifold& manifold) const {
  const int a = contacts[0].tracked.geom_a, b = contacts[0].tracked.geom_b;
  CalcManifold(model.geoms[a].shape, X_WA, model.geoms[b].shape, X_WB, 0.0, manifold);
  const auto is_old = [&](const ManifoldPoint& point) {
    return std::any_of(contacts.begin(), contacts.end(), [&](const DetectedContact& contact) {
      const ManifoldPoint& before = contact.tracked.point;
      return !contact.is_far && point.gap >= before.gap - depth &&
             point.n_W.dot(before.n_W) > kSameDirection &&
             (point.p_W - before.p_W).norm() < kSamePlace * contact.thickness;
    });
  };
  return std::any_of(manifold.points.begin(), manifold.points.begin() + manifold.num_points,
                     [&](const ManifoldPoint& point) { return point.gap < -depth && !is_old(point); });
}

// Whether the pair meets on its way, though it may not overlap where that ends: a ball that is through a wall
// by then, or so deep in it that its middle is no more outside. It is looked at wherever its contacts have
// got deeper by half of the smaller shape.
bool GhostFilter::MeetsOnItsWay(const Model& model, const StepFrame& frame,
                                std::span<const DetectedContact> contacts, const VectorXd& v, double depth,
                                Manifold& manifold) const {
  const int a = contacts[0].tracked.geom_a, b = contacts[0].tracked.geom_b;
  double way = 0.0, gap = 0.0;  // of the contact that goes furthest
  for (const DetectedContact& contact : contacts) {
    const double moved = -frame.dt * CalcNormalVelocity(frame, contact.tracked, v);
    if (!contact.is_far || moved - contact.tracked.point.gap <= way - gap) continue;
    way = moved, gap = contact.tracked.point.gap;
  }
  if (!(way > gap)) return false;
  const double stride = CalcStride(model.geoms[a].shape, model.geoms[b].shape);
  const int count = static_cast<int>(std::min<double>(kMostLooks, (way - gap) / stride));
  for (int k = 1; k <= count; ++k) {
    const double share = (gap + k * stride) / way;
    const RigidTransform X_WA = Between(frame.kin.X_WG[a], probe_.X_WG[a], share);
    const RigidTransform X_WB = Between(frame.kin.X_WG[b], probe_.X_WG[b], share);
    if (Overlap(model, contacts, X_WA, X_WB, depth, manifold)) return true;
  }
  return false;
}

// Marks the trees of far contacts that the velocity of the start or the free one would close. False if there
// are none.
bool GhostFilter::FindClosing(const StepFrame& frame, const VectorXd& v_start, const VectorXd& v_star) {
  is_closing_.assign(frame.sleep.awake().contains.size(), 0);
  const int count = static_cast<int>(frame.contacts.size());
  closes_.resize(count);
  frame.pool.ForPieces(count, kLeastContacts, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      const DetectedContact& contact = frame.contacts[i];
      closes_[i] =
          contact.is_far && (WouldClose(frame, contact, v_star) || WouldClose(frame, contact, v_start));
    }
  });
  bool any = false;
  for (int i = 0; i < count; ++i) {
    if (closes_[i] == 0) continue;
    any = true;
    const DetectedContact& contact = frame.contacts[i];
    for (const int geom : {contact.tracked.geom_a, contact.tracked.geom_b}) {
      if (frame.chains[geom].tree >= 0) is_closing_[frame.chains[geom].tree] = 1;
    }
  }
  return any;
}

// Leaves the pairs out of whose velocity the loose solve knows nothing.
void GhostFilter::DropUnsolved(const StepFrame& frame) {
  if (method_->uses_bodies()) return;
  const auto is_unsolved = [&](int geom) {
    const int tree = frame.chains[geom].tree;
    return tree >= 0 && !part_.HasVelocityOf(tree);
  };
  std::erase_if(far_pairs_, [&](const FarPair& pair) {
    const TrackedContact& contact = frame.contacts[pair.begin].tracked;
    return is_unsolved(contact.geom_a) || is_unsolved(contact.geom_b);
  });
}

// Other islands do not matter, unless the method wants to know of bodies, which are those of the whole.
ProblemReport GhostFilter::SolveLoosely(const State& state, const StepRows& rows,
                                        const BranchSparseFactor& factor) {
  solution_.penalty = state.penalties;
  if (method_->uses_bodies()) {
    solution_.lambda = Eigen::Map<const VectorXd>(rows.warm_start.data(), rows.problem.num_rows());
    return solver_.Solve(rows.problem, factor, team(), solution_);
  }
  part_.Assign(rows.problem, is_closing_);
  part_.Gather(rows.warm_start, solution_.lambda);
  return solver_.Solve(part_.problem(), factor, team(), solution_);
}

void GhostFilter::FindFarPairs(const StepFrame& frame, const StepRows& rows) {
  const std::vector<DetectedContact>& contacts = frame.contacts;
  far_pairs_.clear();
  const int count = static_cast<int>(contacts.size());
  is_open_.resize(count);
  const auto pair_of = [&](int i) {
    return std::pair(contacts[i].tracked.geom_a, contacts[i].tracked.geom_b);
  };
  for (int begin = 0, end = 0; begin < count; begin = end) {
    bool any = false;
    for (end = begin; end < count && pair_of(end) == pair_of(begin); ++end) {
      is_open_[end] = contacts[end].is_far && rows.contact_constraint[end] < 0;
      any = any || is_open_[end];
    }
    if (any) far_pairs_.push_back({begin, end});
  }
}

// Marks the trees whose poses Overlap asks for in contains_. Returns how many dofs they have.
int GhostFilter::FindMeetingTrees(const Model& model, const StepFrame& frame) {
  contains_.assign(model.num_trees(), 0);
  int num_dofs = 0;
  for (const FarPair& pair : far_pairs_) {
    const DetectedContact& contact = frame.contacts[pair.begin];
    if (!pair.meets || pair.is_met) continue;
    for (const int geom : {contact.tracked.geom_a, contact.tracked.geom_b}) {
      const int tree = frame.chains[geom].tree;
      if (tree < 0 || contains_[tree] != 0 || !frame.sleep.IsAwake(tree)) continue;
      contains_[tree] = 1;
      num_dofs += model.trees[tree].num_dofs;
    }
  }
  return num_dofs;
}

// The poses to which v leads. Threads share all that is awake, where most of it is looked at: its parts stay
// the same from step to step.
void GhostFilter::MoveProbe(const Model& model, const Input& input, const State& state,
                            const StepFrame& frame, const VectorXd& v) {
  q_ = state.q;
  const auto move = [&](const TreeSet& trees) {
    IntegrateConfiguration(model, trees, v, frame.dt, q_);
    CalcPositionKinematics(model, trees, q_, input.mocap, probe_);
  };
  const TreeSet& awake = frame.sleep.awake();
  const int num_dofs = FindMeetingTrees(model, frame);
  if (frame.pool.num_threads() > 1 && IsWorthParts(awake, num_dofs)) {
    parts_.ForEach(model, awake, frame.pool, move);
  } else {
    if (meeting_.contains != contains_) meeting_.Assign(model, contains_);
    move(meeting_);
  }
}

void GhostFilter::FindMeeting(const Model& model, const Input& input, const State& state,
                              const StepFrame& frame, const VectorXd& v) {
  const int count = static_cast<int>(far_pairs_.size());
  frame.pool.ForPieces(count, kLeastContacts, [&](int begin, int end) {
    for (int p = begin; p < end; ++p) {
      FarPair& pair = far_pairs_[p];
      pair.meets = pair.is_met = false;
      for (int i = pair.begin; i < pair.end && !pair.is_met; ++i) {
        if (!is_open_[i]) continue;
        const bool closes = WouldClose(frame, frame.contacts[i], v);
        pair.meets = pair.meets || closes || MayTurnInto(frame, frame.contacts[i], v);
        pair.is_met = closes && frame.contacts[i].is_swept;
      }
    }
  });
  if (std::none_of(far_pairs_.begin(), far_pairs_.end(), [](const FarPair& pair) { return pair.meets; }))
    return;
  MoveProbe(model, input, state, frame, v);
  frame.pool.ForPieces(count, kLeastPairs, [&](int begin, int end) {
    Manifold manifold;
    for (int p = begin; p < end; ++p) {
      FarPair& pair = far_pairs_[p];
      const std::span contacts(frame.contacts.data() + pair.begin, frame.contacts.data() + pair.end);
      const double depth = std::min(kOverlapDepth, contacts[0].CalcSlop());
      if (!pair.meets || pair.is_met) continue;
      const int a = contacts[0].tracked.geom_a, b = contacts[0].tracked.geom_b;
      pair.meets = Overlap(model, contacts, probe_.X_WG[a], probe_.X_WG[b], depth, manifold) ||
                   MeetsOnItsWay(model, frame, contacts, v, depth, manifold);
    }
  });
}

void GhostFilter::ListMeeting(const StepFrame& frame, bool is_known, std::vector<int>& contacts) const {
  contacts.clear();
  for (const FarPair& pair : far_pairs_) {
    for (int i = pair.begin; i < pair.end; ++i) {
      const bool meets = pair.meets && (frame.contacts[i].is_swept || !pair.is_met);
      if (is_open_[i] && (meets || !is_known)) contacts.push_back(i);
    }
  }
}

StageSolve GhostFilter::Run(const Model& model, const Input& input, const State& state,
                            const StepFrame& frame, StepRows& rows, const BranchSparseFactor& factor,
                            std::vector<int>& admitted) {
  STICTION_ASSERT(static_cast<int>(rows.warm_start.size()) == rows.problem.num_rows());
  admitted.clear();
  if (frame.contacts.empty() || !FindClosing(frame, state.v, rows.problem.v_star)) return {};
  const ProblemReport solved = SolveLoosely(state, rows, factor);
  if (!method_->uses_bodies() && solution_.lambda.allFinite())
    part_.Scatter(solution_.lambda, rows.warm_start);
  FindFarPairs(frame, rows);
  DropUnsolved(frame);
  const bool is_known = IsKnown(solution_.v);
  if (is_known) FindMeeting(model, input, state, frame, solution_.v);
  ListMeeting(frame, is_known, admitted);
  return {true, solved.solve.status, solved.certificate.ncp_max, kTolerance};
}

void GhostFilter::FindLate(const Model& model, const Input& input, const State& state, const StepFrame& frame,
                           const StepRows& rows, const VectorXd& v, std::vector<int>& late) {
  late.clear();
  if (!IsKnown(v)) return;
  FindFarPairs(frame, rows);
  if (far_pairs_.empty()) return;
  FindMeeting(model, input, state, frame, v);
  ListMeeting(frame, true, late);
}

}  // namespace stiction

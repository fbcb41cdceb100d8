#include "sim/slip_memory.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>
#include <utility>

#include "math/assert.h"
#include "stiction/math/rotation.h"

namespace stiction {
namespace {

constexpr double kStickMargin = 1e-7;  // relative distance from the friction limit that may be sticking
constexpr double kSurelyStuck = 0.99;  // of the friction limit: sticks whatever the solve left open
constexpr double kSlidingError = 0.5;  // of the allowed slide; if more is to be undone: held, not slid
constexpr double kLeastUndo = 5e-9;    // speed that undoes slip: half the budget of a solve [m/s]
constexpr double kRounding =
    8.0 * std::numeric_limits<double>::epsilon();  // of what is carried from frame to frame
constexpr int kMostCarriedDofs = 128;              // of an island that is carried, whose slips agree
constexpr double kCarriedShare = 8.0;    // of what is undone, that contacts of an island that is carried go
constexpr double kWaitingShare = 0.1;    // of the way of an island's fastest contact in a step
constexpr double kFrictionShare = 10.0;  // of the last step's friction, that undoes slip
constexpr double kPushedShare = 0.005;   // of the way of a contact's bodies, of which a push counts as slip
// By the midpoint rule, of what other integrators miss: twice that, since the step that asks J v⁺ = 0 begins
// with what J v of the last one has become; and half of what is undone waits for the next step, in which as
// much again is missed.
constexpr double kMidpointMiss = 3.0;
constexpr double kLargestTurn = 0.1;  // of a body in a step whose slip counts [rad]
constexpr double kDriven = 1e-3;      // of an island's energy, that undoing slip may add in a step
constexpr int kSlipPause = 100;       // steps in which an island that missed the budget undoes what agrees

Vector3d AngularVelocityOf(const StepFrame& frame, int geom) {
  return CalcAngularVelocity(frame.kin, frame.chains[geom].body);
}

// Where a geom stood at the start of the step: mocap bodies are at its end already.
//   moved  holds it if it is not where the kinematics have it
const RigidTransform& StartPose(const StepFrame& frame, int geom, RigidTransform& moved) {
  if (!frame.mocap.is_moving()) return frame.kin.X_WG[geom];
  moved = frame.mocap.CalcStart(frame.chains[geom].body, frame.kin.X_WG[geom]);
  return moved;
}

// How far the points halfway between the anchors have parted, of which the law holds one on the other: the
// anchors lie on the surfaces, and how these turn about what lies between them is no slip. Tangential to the
// normal [m].
Vector3d CalcApart(const ManifoldPoint& point, const RigidTransform& X_WA, const RigidTransform& X_WB,
                   const ContactMemory& anchors) {
  const double half = point.patch > 0 ? 0.0 : 0.5 * point.gap;
  const Vector3d apart =
      X_WB * Vector3d(anchors.p_B - half * anchors.n_B) - X_WA * Vector3d(anchors.p_A + half * anchors.n_A);
  return apart - apart.dot(point.n_W) * point.n_W;
}

// Puts the anchors on the surfaces where the contact acts. Those of a point that was not found again stay, so
// that drift counts from when it was last found; CalcSlip adds their separation, and what of it is there
// already must not count twice. Returns that, tangential [m].
//   contacts  of the last step
Vector3d PlaceAnchors(const TrackedContact& tracked, const RigidTransform& X_WA, const RigidTransform& X_WB,
                      const std::vector<ContactMemory>& contacts, ContactMemory& memory) {
  const Vector3d& n_W = tracked.point.n_W;
  if (tracked.is_kept) {
    const ContactMemory& old = contacts[tracked.memory];
    memory.p_A = old.p_A;
    memory.p_B = old.p_B;
    memory.n_A = old.n_A;
    memory.n_B = old.n_B;
    return CalcApart(tracked.point, X_WA, X_WB, memory);
  }
  const Vector3d half = tracked.point.CalcHalfGap();
  memory.p_A = X_WA.Inverse() * Vector3d(tracked.point.p_W - half);
  memory.p_B = X_WB.Inverse() * Vector3d(tracked.point.p_W + half);
  memory.n_A = X_WA.R.transpose() * n_W;
  memory.n_B = X_WB.R.transpose() * n_W;
  return Vector3d::Zero();
}

// Impulses and slip go from frame to frame and back in every step. What differs from the step before by the
// rounding of that alone stays as it was: else slip would grow by it for ever, and no step would be the same
// as the one before (sim/stillness.h).
//   size  of the world coordinates around the contact [m]
void KeepBits(const ContactMemory& old, double size, ContactMemory& memory) {
  const auto keep = [](const Vector3d& before, double scale, Vector3d& now) {
    if ((now - before).lpNorm<Eigen::Infinity>() <= kRounding * scale) now = before;
  };
  keep(old.impulse_W, old.impulse_W.norm(), memory.impulse_W);
  keep(old.moment_W, old.moment_W.norm(), memory.moment_W);
  if (memory.n_A != old.n_A) return;
  const double scale = memory.p_A.norm() + memory.p_B.norm() + size;
  keep(old.slip_A, scale, memory.slip_A);
  keep(old.slide_A, scale, memory.slide_A);
}

// What a step can have missed of the motion of two points that belong together, beside what positions may be
// wrong by: the way of each body times the angle that it turned by, to second order [m]. Of bodies that turn
// further than orders of it mean anything, nothing is known: to undo what seems to be slip would be to throw
// them.
//   motion  of the trees
double CalcLargestMiss(const StepFrame& frame, const DetectedContact& detected,
                       const std::vector<TreeMotion>& motion) {
  double miss = 0.0;
  for (const int geom : {detected.tracked.geom_a, detected.tracked.geom_b}) {
    const GeomChain& chain = frame.chains[geom];
    if (chain.tree < 0) continue;
    const TreeMotion& tree = motion[chain.tree];
    const double spin = AngularVelocityOf(frame, geom).norm();
    if (frame.dt * spin > kLargestTurn) return 0.0;
    const double lever = (detected.tracked.point.p_W - frame.kin.p_WBcm[chain.body]).norm();
    const double turn = frame.dt * tree.spin;
    if (turn <= kLargestTurn) miss += turn * frame.dt * (tree.speed + lever * spin);
  }
  return detected.CalcSlop() + (frame.scheme == Integrator::kMidpoint ? kMidpointMiss * miss : miss);
}

// Whether slip is worth undoing.
bool IsEnough(const StepFrame& frame, const Vector3d& slip) {
  return slip.norm() >= kLeastUndo * frame.dt;
}

// Slip to undo, tangential to the new normal [m].
//   old    of the contact, which pressed
//   limit  of what the motion can have missed [m]
Vector3d CalcSlip(const StepFrame& frame, const TrackedContact& contact, const ContactMemory& old,
                  double limit) {
  RigidTransform moved_A, moved_B;
  const RigidTransform& X_WA = StartPose(frame, contact.geom_a, moved_A);
  const RigidTransform& X_WB = StartPose(frame, contact.geom_b, moved_B);
  const Vector3d& n = contact.point.n_W;
  const auto tangential = [&n](const Vector3d& x) { return Vector3d(x - x.dot(n) * n); };
  const Vector3d anchor_A = X_WA * old.p_A, anchor_B = X_WB * old.p_B;
  const Vector3d w_A = AngularVelocityOf(frame, contact.geom_a);
  const Vector3d w_B = AngularVelocityOf(frame, contact.geom_b);
  const Vector3d moved = CalcApart(contact.point, X_WA, X_WB, old);
  const Vector3d slip = tangential(X_WA.R * old.slip_A);
  // While the contact point travels over both surfaces, displacements up to |θ| times its way belong to the
  // finite rotation θ of the step: the lowest point of a rolling ball moves by r (θ − sin θ) without any
  // slip.
  const Vector3d half = contact.point.CalcHalfGap();
  const double on_A = (contact.point.p_W - half - anchor_A).norm();
  const double on_B = (contact.point.p_W + half - anchor_B).norm();
  const double rolling = frame.dt * (w_B - w_A).norm() * std::min(on_A, on_B);
  // A law that holds leaves of the slip before what no motion of the bodies undoes, next to nothing: all else
  // that there is now was missed in the last step. Where slip waits, the law may have left all of it.
  const auto forget_pushes = [&](const Vector3d& missed) {
    const bool is_missed = missed.norm() <= limit || (old.slip_pause > 0 && (missed - slip).norm() <= limit);
    return is_missed ? missed : Vector3d(Vector3d::Zero());
  };
  if (old.stuck) return moved.norm() <= rolling ? slip : forget_pushes(slip + moved);
  // What there is to be undone tells whether the contact slides, not by how much that changed: friction that
  // could not undo all of it at once goes on with it.
  const Vector3d slide = tangential(X_WA.R * old.slide_A), missed = slip + moved - slide;
  if (missed.norm() <= std::max(rolling, kSlidingError * slide.norm())) return Vector3d::Zero();
  return forget_pushes(missed);
}

// The way of the faster body of a contact in the step, as it begins: of its mass centre, and of the point in
// its turn about that. A body that rolls goes on, though the point that touches rests [m].
//   motion  of the trees
double CalcWay(const StepFrame& frame, const TrackedContact& contact, const std::vector<TreeMotion>& motion) {
  double speed = 0.0;
  for (const int geom : {contact.geom_a, contact.geom_b}) {
    const GeomChain& chain = frame.chains[geom];
    if (chain.tree < 0) continue;
    const double lever = (contact.point.p_W - frame.kin.p_WBcm[chain.body]).norm();
    speed = std::max(speed, motion[chain.tree].speed + lever * AngularVelocityOf(frame, geom).norm());
  }
  return frame.dt * speed;
}

// What of a push is no slip: how far it moves the bodies of a contact against one another, tangentially, but
// for a share of the way that the faster one of them goes in the step [m]. Nothing is known of a push beyond
// the slop, which turns bodies: CalcSlip forgets what it moved.
//   way     of the faster body
//   pushed  dofs, by the position stage or the closing of loops
Vector3d CalcPush(const ContactProblem& problem, const Constraint& c, const Matrix3d& R_WC, double slop,
                  double way, const VectorXd& pushed) {
  Vector3d push_C;
  problem.MultiplyRows(c, pushed.data(), push_C.data());
  const double push = push_C.head<2>().norm();
  if (push == 0.0 || push > slop) return Vector3d::Zero();
  const double share = std::max(0.0, 1.0 - kPushedShare * way / push);
  return share * (R_WC.leftCols<2>() * push_C.head<2>());
}

// Whether a displacement moves a contact along its plane by more than may count as slip.
bool IsMovedFar(const ContactProblem& problem, const Constraint& c, double slop, double way,
                const VectorXd& displacement) {
  Vector3d moved_C;
  problem.MultiplyRows(c, displacement.data(), moved_C.data());
  return moved_C.head<2>().norm() > slop + kPushedShare * way;
}

// How fast the bodies of a contact move against one another where they touch [m/s].
double CalcSpeed(const Model& model, const StepFrame& frame, const TrackedContact& contact) {
  const auto velocity = [&](int geom) {
    return CalcPointVelocity(model, frame.kin, frame.chains[geom].body, contact.point.p_W);
  };
  return (velocity(contact.geom_b) - velocity(contact.geom_a)).norm();
}

// How fast a unit of impulse along a direction moves the points of a contact apart [1/kg]: at least by what
// the dofs do one by one.
//   along_C  tangential, unit
double CalcMobility(const ContactProblem& problem, const Constraint& c, const Eigen::Vector2d& along_C) {
  double mobility = 0.0;
  for (int b = c.first_block; b < c.first_block + c.num_blocks; ++b) {
    const JacobianBlock& block = problem.blocks[b];
    const double* column = problem.jacobian.data() + block.first_value;
    for (int k = 0; k < block.num_dofs; ++k, column += c.dim()) {
      const double speed = along_C[0] * column[0] + along_C[1] * column[1];
      mobility += speed * speed / problem.DiagonalA(problem.block_dofs[block.first_dof + k]);
    }
  }
  return mobility;
}

}  // namespace

void SlipMemory::Recall(const Model& model, const StepFrame& frame, const std::vector<ContactMemory>& memory,
                        const SolvedLaw& law) {
  STICTION_ASSERT(
      std::all_of(frame.contacts.begin(), frame.contacts.end(), [&](const DetectedContact& contact) {
        return contact.tracked.memory < static_cast<int>(memory.size());
      }));
  const std::size_t count = frame.contacts.size();
  if (count == 0 && slip_W_.empty()) return;
  const bool counts_slip =
      model.options.contact_model != ContactModel::kSoft && !(law.regularization_t > 0.0);
  slip_W_.resize(count);
  undo_W_.resize(count);
  was_loaded_.resize(count);
  friction_.resize(count);
  speed_.resize(count);
  pause_.resize(count);
  agrees_.assign(count, 0);
  momentum_.resize(model.nv());
  // Contacts that give way are not pushed out of one another; their bodies may be by limits and loops.
  const bool are_moved = model.options.contact_model == ContactModel::kRigid || model.num_limits() > 0 ||
                         model.num_equality_rows > 0;
  if (are_moved) CalcTreeMotion(model, frame);
  const auto recall = [&](int i) {
    slip_W_[i].setZero();
    undo_W_[i].setZero();
    was_loaded_[i] = 0;
    friction_[i] = 0.0;
    pause_[i] = 0;
    speed_[i] = CalcSpeed(model, frame, frame.contacts[i].tracked);
    const TrackedContact& tracked = frame.contacts[i].tracked;
    if (!tracked.is_same || tracked.memory < 0) return;
    const ContactMemory& old = memory[tracked.memory];
    pause_[i] = std::max(0, old.slip_pause - 1);
    // What moved while nothing pressed, moved freely.
    was_loaded_[i] = !old.impulse_W.isZero(0.0);
    friction_[i] = frame.contacts[i].friction.sliding * std::max(0.0, old.impulse_W.dot(tracked.point.n_W));
    if (!counts_slip || pause_[i] > kSlipPause || !(friction_[i] > 0.0)) return;
    const double limit = are_moved ? CalcLargestMiss(frame, frame.contacts[i], tree_motion_)
                                   : std::numeric_limits<double>::infinity();
    slip_W_[i] = CalcSlip(frame, tracked, old, limit);
    if (pause_[i] == 0 && IsEnough(frame, slip_W_[i])) undo_W_[i] = slip_W_[i];
  };
  frame.pool.ForPieces(static_cast<int>(count), kLeastWholeContacts, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) recall(i);
  });
}

void SlipMemory::Drop(const std::vector<int>& contacts) {
  for (const int contact : contacts) {
    slip_W_[contact].setZero();
    undo_W_[contact].setZero();
  }
}

void SlipMemory::MakePlace(int place) {
  slip_W_.insert(slip_W_.begin() + place, Vector3d::Zero());
  undo_W_.insert(undo_W_.begin() + place, Vector3d::Zero());
  was_loaded_.insert(was_loaded_.begin() + place, 0);
  friction_.insert(friction_.begin() + place, 0.0);
  speed_.insert(speed_.begin() + place, 0.0);
  pause_.insert(pause_.begin() + place, 0);
  agrees_.insert(agrees_.begin() + place, 0);
}

void SlipMemory::CalcTreeMotion(const Model& model, const StepFrame& frame) {
  constexpr int kLeastTrees = 64;  // fewer are not worth handing to another thread
  tree_motion_.resize(model.trees.size());
  frame.pool.ForPieces(model.num_trees(), kLeastTrees, [&](int begin, int end) {
    for (int t = begin; t < end; ++t) {
      TreeMotion& tree = tree_motion_[t] = {};
      for (int b = model.trees[t].root_body; b < model.num_bodies() && model.bodies[b].tree == t; ++b) {
        tree.speed = std::max(tree.speed, CalcPointVelocity(model, frame.kin, b, frame.kin.p_WBcm[b]).norm());
        tree.spin = std::max(tree.spin, CalcAngularVelocity(frame.kin, b).norm());
      }
    }
  });
}

void SlipMemory::Agree(const StepFrame& frame, StepRows& rows) {
  if (std::all_of(undo_W_.begin(), undo_W_.end(), [](const Vector3d& undo) { return undo.isZero(0.0); }) &&
      std::all_of(pause_.begin(), pause_.end(), [](int pause) { return pause == 0; }))
    return;
  const IslandPartition& islands = rows.Islands();
  const int num_pieces = CountIslandPieces(frame.pool, islands);
  if (static_cast<int>(agreeing_.size()) < num_pieces) agreeing_.resize(num_pieces);
  ForIslandPieces(frame.pool, islands, [&](int piece, int begin, int end) {
    for (int island = begin; island < end; ++island)
      AgreeOnMotion(frame, islands.constraints_of(island), agreeing_[piece], rows);
  });
  // Pairs follow one another in the list of contacts, and belong to the piece where they begin.
  const int count = static_cast<int>(frame.contacts.size());
  const auto begins_pair = [&](int i) {
    if (i == 0 || i == count) return true;
    const TrackedContact &own = frame.contacts[i].tracked, &last = frame.contacts[i - 1].tracked;
    return own.geom_a != last.geom_a || own.geom_b != last.geom_b;
  };
  frame.pool.ForPieces(count, kLeastContacts, [&](int piece_begin, int piece_end) {
    for (int begin = piece_begin, end = 0; begin < piece_end; begin = end) {
      for (end = begin + 1; !begins_pair(end);) ++end;
      if (begins_pair(begin)) LimitToFriction(frame, begin, end, rows);
    }
  });
}

void SlipMemory::AgreeOnMotion(const StepFrame& frame, std::span<const int> island, Agreeing& agreeing,
                               StepRows& rows) {
  if (!GatherIsland(frame, rows, island, agreeing)) return;
  const auto agree = [&](int most_dofs) {
    return agreeing.fit.Run(rows.problem, agreeing.held, agreeing.slips, agreeing.num_known, most_dofs);
  };
  bool has_changed = agree(MotionFit::kMostDofs);
  const bool is_large = agreeing.fit.is_too_large();
  if (is_large) {
    const Motion motion = LetWait(frame, island, rows);
    if (!(motion.way < kCarriedShare * motion.undo)) return Forget(rows, island);
    has_changed = agree(kMostCarriedDofs);
    if (agreeing.fit.is_too_large()) return;
  }
  for (std::size_t i = 0; i < agreeing.slips.size(); i += 2) {
    const int contact = rows.sources[agreeing.slips[i].constraint].contact;
    if (has_changed) {
      const Eigen::Vector2d undo_C(agreeing.slips[i].value, agreeing.slips[i + 1].value);
      Vector3d undo_W = frame.R_WC[contact].leftCols<2>() * undo_C;
      if (is_large && !IsEnough(frame, undo_W)) undo_W.setZero();
      ChangeUndo(frame, contact, undo_W, rows);
      if (is_large || slip_W_[contact].isZero(0.0)) slip_W_[contact] = undo_W;  // forgets; it follows
    } else if (pause_[contact] > 0 && IsEnough(frame, slip_W_[contact])) {
      ChangeUndo(frame, contact, slip_W_[contact], rows);
    }
    agrees_[contact] = 1;
  }
}

// Where slip waits, that of an island that is not carried counts no more.
void SlipMemory::Forget(const StepRows& rows, std::span<const int> island) {
  for (const int i : island) {
    const int contact = rows.sources[i].contact;
    if (contact >= 0 && pause_[contact] > 0) slip_W_[contact].setZero();
  }
}

// What of the slip of a large island is little beside how its bodies move against one another is not undone
// yet. Returns what is left.
SlipMemory::Motion SlipMemory::LetWait(const StepFrame& frame, std::span<const int> island, StepRows& rows) {
  Motion motion;
  for (const int i : island) {
    if (const int contact = rows.sources[i].contact; contact >= 0)
      motion.way = std::max(motion.way, frame.dt * speed_[contact]);
  }
  for (const int i : island) {
    const int contact = rows.sources[i].contact;
    if (contact < 0) continue;
    if (pause_[contact] > 0) motion.undo = std::max(motion.undo, slip_W_[contact].norm());
    if (undo_W_[contact].isZero(0.0)) continue;
    const double least = std::min(kWaitingShare * motion.way, frame.contacts[contact].CalcSlop());
    if (undo_W_[contact].norm() < least) ChangeUndo(frame, contact, Vector3d::Zero(), rows);
    motion.undo = std::max(motion.undo, undo_W_[contact].norm());
  }
  return motion;
}

void SlipMemory::LimitToFriction(const StepFrame& frame, int begin, int end, StepRows& rows) {
  double friction = 0.0, wanted = 0.0;  // impulses [N·s]
  for (int i = begin; i < end; ++i) {
    friction += friction_[i];
    const int constraint = rows.contact_constraint[i];
    const double undo = undo_W_[i].norm();
    if (constraint < 0 || undo == 0.0) continue;
    const Eigen::Vector2d along_C = (frame.R_WC[i].transpose() * undo_W_[i]).head<2>() / undo;
    const double mobility = CalcMobility(rows.problem, rows.problem.constraints[constraint], along_C);
    if (mobility > 0.0) wanted = std::max(wanted, undo / (frame.dt * mobility));
  }
  if (wanted <= kFrictionShare * friction) return;
  const double share = kFrictionShare * friction / wanted;
  for (int i = begin; i < end; ++i) {
    if (rows.contact_constraint[i] >= 0) ChangeUndo(frame, i, share * undo_W_[i], rows);
  }
}

// Changes what the law of the step undoes at an admitted contact.
void SlipMemory::ChangeUndo(const StepFrame& frame, int contact, const Vector3d& undo_W, StepRows& rows) {
  const Vector3d change_C = frame.R_WC[contact].transpose() * (undo_W - undo_W_[contact]);
  double* e = rows.problem.e.data() + rows.problem.constraints[rows.contact_constraint[contact]].row;
  for (int r = 0; r < 2; ++r) e[r] += change_C[r] / frame.dt;
  undo_W_[contact] = undo_W;
}

// What of an island has to agree. False if it has nothing to undo.
bool SlipMemory::GatherIsland(const StepFrame& frame, const StepRows& rows, std::span<const int> island,
                              Agreeing& agreeing) const {
  const ContactProblem& problem = rows.problem;
  auto& [fit, held, slips, followers, num_known] = agreeing;
  held.clear();
  slips.clear();
  followers.clear();
  bool undoes = false;
  for (const int i : island) {
    const Constraint& c = problem.constraints[i];
    const int contact = rows.sources[i].contact, last = c.dim() - 1;
    const bool may_press = c.type == ConstraintType::kContact || c.type == ConstraintType::kUnilateral;
    const bool holds =
        c.type == ConstraintType::kBilateral || (may_press && rows.warm_start[c.row + last] > 0.0);
    if (holds && c.compliance_n == 0.0) held.push_back({i, last});
    if (contact < 0) continue;
    if (!slip_W_[contact].isZero(0.0)) {
      const Vector3d slip_C = frame.R_WC[contact].transpose() * slip_W_[contact];
      for (int r = 0; r < 2; ++r) slips.push_back({i, r, slip_C[r]});
      undoes = undoes || IsEnough(frame, slip_W_[contact]);
    } else if (Follows(frame, contact)) {
      for (int r = 0; r < 2; ++r) followers.push_back({i, r});
    }
  }
  num_known = static_cast<int>(slips.size());
  slips.insert(slips.end(), followers.begin(), followers.end());
  return undoes;
}

// Whether nothing pressed at a contact, but at others of its pair, which have slip.
bool SlipMemory::Follows(const StepFrame& frame, int contact) const {
  if (was_loaded_[contact] != 0 || pause_[contact] > 0) return false;
  const TrackedContact& own = frame.contacts[contact].tracked;
  const auto is_of_pair = [&](int i) {
    const TrackedContact& other = frame.contacts[i].tracked;
    return other.geom_a == own.geom_a && other.geom_b == own.geom_b;
  };
  for (int i = contact - 1; i >= 0 && is_of_pair(i); --i) {
    if (!slip_W_[i].isZero(0.0)) return true;
  }
  const int count = static_cast<int>(frame.contacts.size());
  for (int i = contact + 1; i < count && is_of_pair(i); ++i) {
    if (!slip_W_[i].isZero(0.0)) return true;
  }
  return false;
}

bool SlipMemory::Pause(const StepFrame& frame, const IslandPartition& partition,
                       const std::vector<double>& residuals, double budget, const GrowingVector& warm_start,
                       StepRows& rows, GrowingVector& lambda) {
  STICTION_ASSERT(lambda.size() == rows.problem.num_rows() && warm_start.size() == lambda.size());
  STICTION_ASSERT(residuals.size() == rows.problem.constraints.size());
  bool any = false;
  for (int island = 0; island < partition.num_islands; ++island) {
    bool missed = false, undoes = false;
    const auto begin = partition.constraints.begin() + partition.first_constraint[island];
    const auto end = partition.constraints.begin() + partition.first_constraint[island + 1];
    for (auto i = begin; i != end; ++i) {
      missed = missed || !(residuals[*i] <= budget);
      const int contact = rows.sources[*i].contact;
      undoes = undoes || (contact >= 0 && !undo_W_[contact].isZero(0.0));
    }
    if (!missed || !undoes) continue;
    any = true;
    for (auto i = begin; i != end; ++i) {
      const Constraint& c = rows.problem.constraints[*i];
      lambda.segment(c.row, c.dim()) = warm_start.segment(c.row, c.dim());
      const int contact = rows.sources[*i].contact;
      if (contact < 0) continue;
      const Vector3d slip_C = frame.R_WC[contact].transpose() * undo_W_[contact];
      for (int r = 0; r < 2; ++r) rows.problem.e[c.row + r] -= slip_C[r] / frame.dt;
      undo_W_[contact].setZero();
      const bool is_again = pause_[contact] > 0;
      if (is_again || agrees_[contact] == 0) slip_W_[contact].setZero();
      // As long again, before that, it undoes nothing.
      pause_[contact] = is_again ? 2 * kSlipPause : kSlipPause;
    }
  }
  return any;
}

// What undoing slip beyond the slop adds to the energy of an island, less what its impulses take from v* [J].
double SlipMemory::CalcGain(const StepFrame& frame, const StepRows& rows, std::span<const int> island,
                            const Solution& solution) const {
  const ContactProblem& problem = rows.problem;
  double gain = 0.0, taken = 0.0;
  for (const int i : island) {
    const int contact = rows.sources[i].contact;
    if (contact < 0 || !(undo_W_[contact].norm() > frame.contacts[contact].CalcSlop())) continue;
    const Vector3d lambda_W = frame.R_WC[contact] * solution.lambda.segment<3>(problem.constraints[i].row);
    gain -= lambda_W.dot(undo_W_[contact]) / frame.dt;
  }
  if (!(gain > 0.0)) return 0.0;
  for (const int i : island) {
    const Constraint& c = problem.constraints[i];
    Vector3d now = Vector3d::Zero(), free = Vector3d::Zero();
    problem.MultiplyRows(c, solution.v.data(), now.data());
    problem.MultiplyRows(c, problem.v_star.data(), free.data());
    taken += 0.5 * solution.lambda.segment(c.row, c.dim()).dot((now - free).head(c.dim()));
  }
  return gain - taken;
}

bool SlipMemory::ForgetDriving(const StepFrame& frame, const IslandPartition& partition,
                               const Solution& solution, StepRows& rows) {
  if (std::all_of(undo_W_.begin(), undo_W_.end(), [](const Vector3d& undo) { return undo.isZero(0.0); }))
    return false;
  const ContactProblem& problem = rows.problem;
  bool has_changed = false, has_momentum = false;
  for (int island = 0; island < partition.num_islands; ++island) {
    const std::span<const int> constraints = partition.constraints_of(island);
    const double gain = CalcGain(frame, rows, constraints, solution);
    if (!(gain > 0.0)) continue;
    if (!has_momentum) problem.A.Multiply(problem.v_star.data(), momentum_.data());
    has_momentum = true;
    double energy = 0.0;
    for (const int s : partition.subsystems_of(island)) {
      const Subsystem& dofs = problem.subsystems[s];
      energy += 0.5 * momentum_.segment(dofs.first_dof, dofs.num_dofs)
                          .dot(problem.v_star.segment(dofs.first_dof, dofs.num_dofs));
    }
    if (!(gain > kDriven * energy)) continue;
    has_changed = true;
    for (const int i : constraints) {
      const int contact = rows.sources[i].contact;
      if (contact < 0) continue;
      ChangeUndo(frame, contact, Vector3d::Zero(), rows);
      slip_W_[contact].setZero();
    }
  }
  return has_changed;
}

// What a sliding contact moves tangentially in the step, the slip that it undoes included [m].
Vector3d SlipMemory::CalcSlide(const StepFrame& frame, const ContactProblem& problem, const Constraint& c,
                               const VectorXd& v, int contact) const {
  const Matrix3d& R_WC = frame.R_WC[contact];
  const Vector3d& n_W = frame.contacts[contact].tracked.point.n_W;
  Vector3d v_C;
  problem.MultiplyRows(c, v.data(), v_C.data());
  const Vector3d carried = CalcMocapStep(frame, frame.contacts[contact]).travel;
  Vector3d slide = frame.dt * (R_WC.col(0) * v_C[0] + R_WC.col(1) * v_C[1]) + undo_W_[contact];
  slide += carried - carried.dot(n_W) * n_W;
  return slide;
}

// Whether a contact that presses sticks. Near the limit of friction a certificate does not tell: what slides
// may miss the limit by as much impulse as takes away the budget's speed. So it sticks if what it has left of
// friction could take away more than it slides.
bool SlipMemory::Sticks(const StepFrame& frame, const StepRows& rows, const Solution& solution,
                        int contact) const {
  const Constraint& c = rows.problem.constraints[rows.contact_constraint[contact]];
  const Vector3d lambda = solution.lambda.segment<3>(c.row);
  const double limit = frame.contacts[contact].friction.sliding * lambda[2], used = lambda.head<2>().norm();
  if (used < kSurelyStuck * limit) return true;
  if (!(used < limit * (1.0 - kStickMargin))) return false;
  const double slide = CalcSlide(frame, rows.problem, c, solution.v, contact).norm();
  return slide <= frame.dt * CalcMobility(rows.problem, c, lambda.head<2>() / used) * (limit - used);
}

// What the next step has to know of a contact that was admitted.
//   last    of the last step
//   memory  out: new
void SlipMemory::MakeMemory(const StepFrame& frame, const StepRows& rows, const Solution& solution,
                            const Displacements& moved, const std::vector<ContactMemory>& last, int contact,
                            ContactMemory& memory) const {
  const DetectedContact& detected = frame.contacts[contact];
  const TrackedContact& tracked = detected.tracked;
  const int constraint = rows.contact_constraint[contact];
  const Constraint& c = rows.problem.constraints[constraint];
  const Vector3d lambda = solution.lambda.segment<3>(c.row);
  const bool presses = lambda[2] > 0.0;
  memory.geom_a = tracked.geom_a;
  memory.geom_b = tracked.geom_b;
  memory.feature = tracked.point.feature;
  memory.slip_pause = pause_[contact];
  memory.impulse_W = frame.R_WC[contact] * lambda;
  const Eigen::Map<const Vector3d> last_C(rows.remembered.data() + c.row);
  if (presses && last_C[2] > 0.0) memory.change_W = frame.R_WC[contact] * (lambda - last_C);
  memory.moment_W = CalcFrictionMoment(rows, solution.lambda, frame.R_WC[contact], constraint);
  memory.stuck = presses && Sticks(frame, rows, solution, contact);
  RigidTransform moved_A, moved_B;
  const RigidTransform& X_WA = StartPose(frame, tracked.geom_a, moved_A);
  const RigidTransform& X_WB = StartPose(frame, tracked.geom_b, moved_B);
  Vector3d slip = presses ? slip_W_[contact] : Vector3d::Zero();
  slip -= PlaceAnchors(tracked, X_WA, X_WB, last, memory);
  if (presses && (moved.pushed != nullptr || moved.closing != nullptr)) {
    const double slop = detected.CalcSlop(), way = CalcWay(frame, tracked, tree_motion_);
    for (const VectorXd* by : {moved.pushed, moved.closing})
      if (by != nullptr) slip -= CalcPush(rows.problem, c, frame.R_WC[contact], slop, way, *by);
    if (moved.closing != nullptr && IsMovedFar(rows.problem, c, slop, way, *moved.closing)) {
      slip.setZero();
      // One of it is taken off before it counts.
      memory.slip_pause = std::max(memory.slip_pause, kSlipPause + 2);
    }
  }
  memory.slip_A = X_WA.R.transpose() * slip;
  if (presses && !memory.stuck)
    memory.slide_A = X_WA.R.transpose() * CalcSlide(frame, rows.problem, c, solution.v, contact);
  if (tracked.is_same && tracked.memory >= 0)
    KeepBits(last[tracked.memory], tracked.point.p_W.norm(), memory);
}

void SlipMemory::Remember(const StepFrame& frame, const StepRows& rows, const Solution& solution,
                          const VectorXd& pushed, const VectorXd& closing,
                          std::vector<ContactMemory>& memory) {
  if (rows.acting.empty() && memory.empty() && next_.empty()) return;
  next_.reserve(rows.acting.capacity());  // as many as there is room for rows of
  next_.resize(rows.acting.size());
  const auto find = [](const VectorXd& moved) { return moved.isZero(0.0) ? nullptr : &moved; };
  const Displacements moved{find(pushed), find(closing)};
  frame.pool.ForPieces(static_cast<int>(next_.size()), kLeastWholeContacts, [&](int begin, int end) {
    for (int k = begin; k < end; ++k) {
      next_[k] = ContactMemory{};
      MakeMemory(frame, rows, solution, moved, memory, rows.acting[k], next_[k]);
    }
  });
  if (frame.sleep.has_still()) {
    KeepStill(frame, memory);
  } else {
    memory.swap(next_);
  }
  // They take turns: what one of them would allocate later is allocated with all else of this size.
  const std::size_t room = std::max({memory.capacity(), next_.capacity(), merged_.capacity()});
  for (std::vector<ContactMemory>* buffer : {&memory, &next_, &merged_}) buffer->reserve(room);
  place_.reserve(room);
}

// Those in `memory` of trees that are still stay; next_ takes the place of the others, and becomes these.
void SlipMemory::KeepStill(const StepFrame& frame, std::vector<ContactMemory>& memory) {
  const auto is_still = [&](const ContactMemory& contact) {
    return !frame.sleep.IsAwake(frame.chains[contact.geom_a].tree) ||
           !frame.sleep.IsAwake(frame.chains[contact.geom_b].tree);
  };
  const auto pair_of = [](const ContactMemory& contact) { return std::pair(contact.geom_a, contact.geom_b); };
  // Mostly the same pairs have as many contacts as before.
  std::size_t next = 0;
  bool fits = true;
  place_.resize(next_.size());
  for (std::size_t i = 0; i < memory.size() && fits; ++i) {
    if (is_still(memory[i])) continue;
    fits = next < next_.size() && pair_of(next_[next]) == pair_of(memory[i]);
    if (fits) place_[next++] = static_cast<int>(i);
  }
  if (fits && next == next_.size()) {
    frame.pool.ForPieces(static_cast<int>(next), kLeastContacts, [&](int begin, int end) {
      for (int k = begin; k < end; ++k) std::swap(memory[place_[k]], next_[k]);
    });
    return;
  }
  merged_.clear();
  next = 0;
  for (const ContactMemory& contact : memory) {
    if (!is_still(contact)) continue;
    while (next < next_.size() && pair_of(next_[next]) < pair_of(contact)) merged_.push_back(next_[next++]);
    merged_.push_back(contact);
  }
  merged_.insert(merged_.end(), next_.begin() + static_cast<std::ptrdiff_t>(next), next_.end());
  next_.clear();
  std::copy_if(memory.begin(), memory.end(), std::back_inserter(next_), std::not_fn(is_still));
  memory.swap(merged_);
}

}  // namespace stiction

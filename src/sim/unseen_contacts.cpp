#include "sim/unseen_contacts.h"

#include <algorithm>
#include <cmath>

#include "collision/narrowphase/contact_point.h"
#include "collision/narrowphase/field.h"
#include "stiction/geometry/field_solid.h"

namespace stiction {
namespace {

constexpr double kDepth = 1e-6;  // what counts as overlap, and as deeper [m]
// Of what is one overlap, at the start and where v leads: the normals' cosine, and how far apart the places
// are, in thicknesses of the smaller shape.
constexpr double kSameDirection = 0.9, kSamePlace = 0.25;
constexpr double kDeep = 0.1;  // overlap, in thicknesses of the smaller shape

// By no more than this a point of B moves in A [m].
double CalcLargestMove(const RigidTransform& from, const RigidTransform& to, double radius) {
  return (to.p - from.p).norm() + radius * (to.R - from.R).norm();
}

}  // namespace

DetectedContact TakeToStart(const DetectedContact& known, const ManifoldPoint& point,
                            const std::array<RigidTransform, 2>& X_W,
                            const std::array<RigidTransform, 2>& end_W) {
  const Vector3d half = point.CalcHalfGap();
  const Vector3d from_A = X_W[0] * (end_W[0].Inverse() * Vector3d(point.p_W - half));
  const Vector3d from_B = X_W[1] * (end_W[1].Inverse() * Vector3d(point.p_W + half));
  DetectedContact contact = known;  // what those of a pair have in common
  contact.is_far = contact.is_swept = false;
  contact.tracked = {known.tracked.geom_a, known.tracked.geom_b, point, -1, false, false};
  contact.tracked.point.p_W = 0.5 * (from_A + from_B);
  contact.tracked.point.gap = point.n_W.dot(from_B - from_A);
  return contact;
}

UnseenContacts::UnseenContacts(const Model& model) {
  int num_fields = 0;
  for (const Geom& geom : model.geoms) {
    const bool is_field = IsRigidField(geom);
    radius_.push_back(is_field ? CalcBoundingRadius(geom.shape) : 0.0);
    num_fields += is_field ? 1 : 0;
  }
  // Where contacts give way, overlap is what they press by.
  is_needed_ = model.options.contact_model == ContactModel::kRigid && num_fields > 1;
  if (!is_needed_) return;
  probe_.Resize(model);
  found_.reserve(Manifold::kMaxPoints);
}

bool UnseenContacts::MayFind(const StepFrame& frame, const StepRows& rows, const FieldMemory& memory) const {
  if (!is_needed_ || rows.penetration_time > 0.0) return false;
  return std::any_of(frame.contacts.begin(), frame.contacts.end(), [&](const DetectedContact& contact) {
    return memory.is_field(contact.tracked.geom_a) && memory.is_field(contact.tracked.geom_b);
  });
}

const std::vector<LateContact>& UnseenContacts::Find(const Model& model, const Input& input,
                                                     const StepFrame& frame, const StepRows& rows,
                                                     const VectorXd& v, const VectorXd& q,
                                                     FieldMemory& memory) {
  found_.clear();
  if (!MayFind(frame, rows, memory)) return found_;
  const std::vector<DetectedContact>& contacts = frame.contacts;
  CalcPositionKinematics(model, frame.sleep.awake(), q, input.mocap, probe_);
  const int count = static_cast<int>(contacts.size());
  const auto is_of_one_pair = [&](int i, int j) {
    return contacts[i].tracked.geom_a == contacts[j].tracked.geom_a &&
           contacts[i].tracked.geom_b == contacts[j].tracked.geom_b;
  };
  for (int begin = 0, end = 0; begin < count; begin = end) {
    for (end = begin + 1; end < count && is_of_one_pair(begin, end);) ++end;
    if (memory.is_field(contacts[begin].tracked.geom_a) && memory.is_field(contacts[begin].tracked.geom_b))
      FindOfPair(model, frame, rows, v, begin, end, memory);
  }
  return found_;
}

void UnseenContacts::FindOfPair(const Model& model, const StepFrame& frame, const StepRows& rows,
                                const VectorXd& v, int begin, int end, FieldMemory& memory) {
  const int a = frame.contacts[begin].tracked.geom_a, b = frame.contacts[begin].tracked.geom_b;
  const RigidTransform &X_WA = frame.kin.X_WG[a], &X_WB = frame.kin.X_WG[b];
  const RigidTransform &end_WA = probe_.X_WG[a], &end_WB = probe_.X_WG[b];
  const double radius = std::min(radius_[a], radius_[b]);
  const double move = std::max(CalcLargestMove(X_WA.Inverse() * X_WB, end_WA.Inverse() * end_WB, radius),
                               CalcLargestMove(X_WB.Inverse() * X_WA, end_WB.Inverse() * end_WA, radius));
  if (move < kDepth) return;
  const Field& field_a = *std::get_if<Field>(&model.geoms[a].shape);
  const Field& field_b = *std::get_if<Field>(&model.geoms[b].shape);
  const narrowphase::FieldLows& lows =
      memory.Find(model, a, b, narrowphase::RelativePose(end_WA, end_WB),
                  narrowphase::CalcSearchReach(frame.contacts[begin].margin));
  if (lows.is_complete()) {
    overlap_.num_points = 0;
    narrowphase::CollideFields(field_a, end_WA, field_b, end_WB, -kDepth, &lows, overlap_);
  } else {
    narrowphase::FindDeepOverlap(field_a, end_WA, field_b, end_WB, kDepth, overlap_);
  }
  for (int k = 0; k < overlap_.num_points; ++k) {
    const ManifoldPoint& point = overlap_.points[k];
    if (IsForeseen(point, frame, rows, v, begin, end)) continue;
    DetectedContact contact = TakeToStart(frame.contacts[begin], point, {X_WA, X_WB}, {end_WA, end_WB});
    const Vector3d from_B = X_WB * (end_WB.Inverse() * Vector3d(point.p_W + point.CalcHalfGap()));
    const double gap = field_a.solid->field.CalcValue(X_WA.Inverse() * from_B);
    contact.tracked.point.gap = gap;
    // A distance changes by no more than its points move. What changes further in a deep overlap was measured
    // in two ways, and is no bend: the law would throw the bodies to make up for it.
    const bool is_deep = -point.gap > kDeep * contact.thickness;
    const bool is_bend = !is_deep || std::abs(gap - point.gap) <= 2.0 * move + kDepth;
    contact.bend = is_bend ? gap + frame.dt * CalcNormalVelocity(frame, contact.tracked, v) - point.gap : 0.0;
    found_.push_back({contact, end + static_cast<int>(found_.size())});
  }
}

// Whether a row near the point lets it be as deep.
bool UnseenContacts::IsForeseen(const ManifoldPoint& point, const StepFrame& frame, const StepRows& rows,
                                const VectorXd& v, int begin, int end) const {
  for (int i = begin; i < end; ++i) {
    const TrackedContact& known = frame.contacts[i].tracked;
    if (rows.contact_constraint[i] < 0 || point.n_W.dot(known.point.n_W) <= kSameDirection ||
        (point.p_W - known.point.p_W).norm() >= kSamePlace * frame.contacts[i].thickness)
      continue;
    const double gap =
        known.point.gap - frame.contacts[i].bend + frame.dt * CalcNormalVelocity(frame, known, v);
    if (point.gap >= gap - kDepth) return true;
  }
  return false;
}

}  // namespace stiction

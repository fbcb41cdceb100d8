#include "sim/detection.h"

#include <algorithm>
#include <atomic>
#include <limits>

#include "math/assert.h"

namespace stiction {
namespace {

constexpr double kSpeedFactor = 1.25;     // on dt times the speed bound
constexpr double kMinMargin = 1e-3;       // [m]
constexpr double kMinMarginRatio = 0.02;  // of the thickness
constexpr double kMaxMarginRatio = 0.5;
constexpr double kMaxMargin =
    0.02;                       // of thin shapes and of points: what half a thickness is too short for [m]
constexpr double kNear = 2e-3;  // contacts beyond this, or 2 % of the thickness, are far [m]
constexpr double kSameFace = 0.999;  // cosine between normals
constexpr double kOneSide = 0.5;     // likewise, of what is met before something else is
constexpr int kPairsPerPiece = 16;   // that a thread takes at a time
constexpr double kClosedGap = 1e-6;  // below this a contact counts as closed [m]

// Where fast shapes meet first is a corner more often than a face. The others of that face follow in the same
// step, once the first one is held: those that are seen at its start belong to the contact.
//   near        points closer than this to one that meets are the same [m]
//   names_last  whether those with the feature of one that meets are the same
void KeepOfSameFace(const Manifold& seen, double near, bool names_last, Manifold& met) {
  const int num_met = met.num_points;
  for (int k = 0; k < seen.num_points && met.num_points < Manifold::kMaxPoints; ++k) {
    const ManifoldPoint& point = seen.points[k];
    const auto first = met.points.begin(), last = first + num_met;
    const auto is_of_face = [&](const ManifoldPoint& other) { return point.n_W.dot(other.n_W) > kSameFace; };
    const auto is_same = [&](const ManifoldPoint& other) {
      return (names_last && point.feature == other.feature) || (point.p_W - other.p_W).norm() < near;
    };
    if (std::any_of(first, last, is_of_face) && std::none_of(first, last, is_same)) met.Add(point);
  }
}

std::pair<int, int> PairOf(const DetectedContact& contact) {
  return {contact.tracked.geom_a, contact.tracked.geom_b};
}

}  // namespace

ContactDetector::ContactDetector(const Model& model) : broadphase_(model) {
  for (const Geom& geom : model.geoms) {
    GeomSize size;
    if (std::holds_alternative<Plane>(geom.shape)) {
      size.thickness = std::numeric_limits<double>::infinity();
    } else {
      size.thickness = 2.0 * CalcSmallestRadius(geom.shape);
      size.reach = geom.X_BG.p.norm() + CalcBoundingRadius(geom.shape);
    }
    size.detection = std::max(0.0, geom.margin - geom.gap);
    size.body = geom.body;
    size.is_compliant = geom.hydroelastic.is_compliant();
    size.is_hollow = std::holds_alternative<Mesh>(geom.shape) || std::holds_alternative<Field>(geom.shape);
    if (model.bodies[geom.body].tree >= 0) size.core = CalcCoreRadius(geom.shape);
    sizes_.push_back(size);
  }
  if (std::any_of(sizes_.begin(), sizes_.end(), [](const GeomSize& size) { return size.is_compliant; })) {
    for (const Geom& geom : model.geoms) {
      patch::CellTree& cells = cells_.emplace_back();
      if (geom.hydroelastic.is_compliant())
        cells = patch::MakeCellTree(geom.shape, geom.hydroelastic.modulus);
    }
  }
  // A wider margin than a pair asks for only finds contacts earlier.
  for (const ContactPair& pair : model.contact_pairs) {
    for (const int g : {pair.geom_a, pair.geom_b})
      sizes_[g].detection = std::max(sizes_[g].detection, pair.margin - pair.gap);
  }
  normals_.reserve(Manifold::kMaxPoints);
  speed_.resize(sizes_.size());
  foreseen_speed_.resize(sizes_.size());
  is_outrun_.resize(sizes_.size());
  inflation_.resize(sizes_.size());
}

double ContactDetector::CalcPairThickness(int geom_a, int geom_b) const {
  return std::min(sizes_[geom_a].thickness, sizes_[geom_b].thickness);
}

double ContactDetector::CalcMinMargin(int geom_a, int geom_b) const {
  return std::max(kMinMargin, kMinMarginRatio * CalcPairThickness(geom_a, geom_b));
}

double ContactDetector::CalcMaxMargin(int geom_a, int geom_b) const {
  return std::max(
      {CalcMinMargin(geom_a, geom_b), kMaxMargin, kMaxMarginRatio * CalcPairThickness(geom_a, geom_b)});
}

double ContactDetector::CalcSwept(const std::vector<double>& speed, double dt, int geom_a, int geom_b) const {
  return kSpeedFactor * dt * (speed[geom_a] + speed[geom_b]);
}

double ContactDetector::CalcMargin(const std::vector<double>& speed, double dt, int geom_a,
                                   int geom_b) const {
  const double swept = CalcSwept(speed, dt, geom_a, geom_b);
  return std::max({std::clamp(swept, CalcMinMargin(geom_a, geom_b), CalcMaxMargin(geom_a, geom_b)),
                   sizes_[geom_a].detection, sizes_[geom_b].detection});
}

double ContactDetector::CalcNear(int geom_a, int geom_b) const {
  return std::max(kNear, kMinMarginRatio * CalcPairThickness(geom_a, geom_b));
}

void ContactDetector::DropOutOfReach(const Motion& motion, double dt, Manifold& manifold) const {
  const double reach =
      kSpeedFactor * dt * std::max(motion.speed[manifold.geom_a], motion.speed[manifold.geom_b]);
  const auto is_out_of_reach = [reach](const ManifoldPoint& point) { return point.gap > reach; };
  const auto begin = manifold.points.begin();
  const auto end = std::remove_if(begin, begin + manifold.num_points, is_out_of_reach);
  manifold.num_points = static_cast<int>(end - begin);
}

ShapeMotion ContactDetector::MakePath(const Model& model, const Kinematics& kin, const Shape& shape,
                                      int geom) const {
  const int body = sizes_[geom].body;
  const bool moves = model.bodies[body].tree >= 0;
  const Vector3d zero = Vector3d::Zero();
  return {&shape, kin.X_WG[geom], moves ? CalcPointVelocity(model, kin, body, kin.X_WG[geom].p) : zero,
          moves ? Vector3d(CalcAngularVelocity(kin, body)) : zero};
}

ContactDetector::Found ContactDetector::Collide(const Model& model, const Motion& motion, double dt,
                                                Manifold& manifold) const {
  Found found = CollideSurfaces(model, motion, dt, manifold);
  found.first_swept = found.is_swept ? 0 : manifold.num_points;
  if (MayTurn(motion, dt, manifold.geom_a) || MayTurn(motion, dt, manifold.geom_b))
    CollideCores(model, motion, dt, found, manifold);
  return found;
}

ContactDetector::Found ContactDetector::CollideSurfaces(const Model& model, const Motion& motion, double dt,
                                                        Manifold& manifold) const {
  const Kinematics& kin = motion.kin;
  const int geom_a = manifold.geom_a, geom_b = manifold.geom_b;
  const Shape &a = model.geoms[geom_a].shape, &b = model.geoms[geom_b].shape;
  const double margin = CalcMargin(motion.speed, dt, geom_a, geom_b);
  if (field_memory_ != nullptr) {
    field_memory_->CalcManifold(model, geom_a, kin.X_WG[geom_a], geom_b, kin.X_WG[geom_b], margin, manifold);
  } else {
    CalcManifold(a, kin.X_WG[geom_a], b, kin.X_WG[geom_b], margin, manifold);
  }
  if (CalcSwept(motion.speed, dt, geom_a, geom_b) <= CalcMaxMargin(geom_a, geom_b)) return {};
  for (int k = 0; k < manifold.num_points; ++k) {
    if (manifold.points[k].gap <= CalcNear(geom_a, geom_b)) return {.is_unmet = true, .touches = true};
  }
  Manifold met;
  met.geom_a = geom_a, met.geom_b = geom_b;
  if (!CalcSweptManifold(MakePath(model, kin, a, geom_a), MakePath(model, kin, b, geom_b), dt, met)) {
    DropOutOfReach(motion, dt, manifold);
    return {.is_unmet = true};
  }
  // At a field a triangle gives its nearest point, which is another corner once it has turned.
  const bool is_field = std::holds_alternative<Field>(a) || std::holds_alternative<Field>(b);
  KeepOfSameFace(manifold, CalcNear(geom_a, geom_b), !is_field, met);
  manifold = met;
  return {.is_swept = true};
}

// The cores of what turns, the shapes of what does not, on their way.
bool ContactDetector::MakeCorePaths(const Model& model, const Kinematics& kin, double dt,
                                    const int (&geoms)[2], CorePaths& out) const {
  bool any = false;
  for (int k = 0; k < 2; ++k) {
    out.path[k] = MakePath(model, kin, model.geoms[geoms[k]].shape, geoms[k]);
    if (!(sizes_[geoms[k]].core > 0.0) || !TurnsFar(out.path[k], dt)) continue;
    out.core[k] = Sphere{sizes_[geoms[k]].core};
    out.path[k].shape = &out.core[k];
    any = true;
  }
  return any;
}

void ContactDetector::CollideCores(const Model& model, const Motion& motion, double dt, Found& found,
                                   Manifold& manifold) const {
  const int geoms[] = {manifold.geom_a, manifold.geom_b};
  CorePaths paths;
  if (!MakeCorePaths(model, motion.kin, dt, geoms, paths)) return;
  const auto& [a, b] = paths.path;
  Manifold met;
  const bool meets = CalcSweptManifold(a, b, dt, met);
  if (!meets) {
    if (found.is_swept) return;  // in a corner
    // A blow may lead it there.
    CalcManifold(*a.shape, a.X_WG, *b.shape, b.X_WG, CalcMargin(motion.speed, dt, geoms[0], geoms[1]), met);
  }
  for (int k = 0; k < met.num_points; ++k) {
    met.points[k].feature ^= kCoreFeature;
    manifold.Add(met.points[k]);
  }
  if (!meets) found.first_swept = manifold.num_points;
}

bool ContactDetector::MeetsAnew(const Model& model, const Kinematics& foreseen, double dt, int num_known,
                                Manifold& manifold) const {
  const Found found = Collide(model, {foreseen, foreseen_speed_}, dt, manifold);
  if (manifold.num_points <= num_known) return false;
  if (found.is_swept) return num_known == 0;
  const int body_a = sizes_[manifold.geom_a].body, body_b = sizes_[manifold.geom_b].body;
  // Contacts that are there keep to their gaps, as far as rows that are linear can.
  const double missed = num_known > 0 ? kClosedGap : 0.0;
  const auto first = manifold.points.begin(), last = first + manifold.num_points;
  return std::any_of(first, last, [&](const ManifoldPoint& point) {
    const Vector3d v_AB = CalcPointVelocity(model, foreseen, body_b, point.p_W) -
                          CalcPointVelocity(model, foreseen, body_a, point.p_W);
    return dt * -v_AB.dot(point.n_W) > missed + (num_known > 0 ? std::max(point.gap, 0.0) : point.gap);
  });
}

void ContactDetector::CollidePatch(const Model& model, const Kinematics& kin, int geom_a, int geom_b,
                                   Piece& piece) const {
  const auto shape_of = [&](int g) {
    const Geom& geom = model.geoms[g];
    return patch::PatchShape{&geom.shape, kin.X_WG[g], geom.hydroelastic.modulus, &cells_[g]};
  };
  const Hydroelastic &a = model.geoms[geom_a].hydroelastic, &b = model.geoms[geom_b].hydroelastic;
  const int first = static_cast<int>(piece.manifolds.points.size());
  const auto& found = piece.finder.Find(shape_of(geom_a), shape_of(geom_b), CalcPairPolygons(a, b));
  for (const patch::PatchContact& contact : found) {
    piece.patch_contacts.push_back(contact);
    piece.manifolds.points.push_back({contact.p_W, contact.n_W, -contact.force / contact.stiffness,
                                      contact.feature,
                                      static_cast<std::uint32_t>(piece.patch_contacts.size())});
  }
  piece.manifolds.pairs.push_back({geom_a, geom_b, first, static_cast<int>(found.size())});
}

void ContactDetector::CollidePairs(const Model& model, const Kinematics& kin, const Kinematics* foreseen,
                                   double dt, Piece& piece) const {
  piece.manifolds.Clear();
  piece.swept_pairs.clear();
  piece.unmet_pairs.clear();
  piece.patch_contacts.clear();
  for (const auto& [a, b] : piece.pairs) {
    if (IsPatch(a, b)) {
      CollidePatch(model, kin, a, b, piece);
      continue;
    }
    piece.manifold.geom_a = a;
    piece.manifold.geom_b = b;
    Found found = Collide(model, {kin, speed_}, dt, piece.manifold);
    if (foreseen != nullptr &&
        std::binary_search(foreseen_pairs_.begin(), foreseen_pairs_.end(), std::pair(a, b)))
      found = Collide(model, {*foreseen, foreseen_speed_}, dt, piece.manifold);
    AddMet(piece.manifold);
    if (found.first_swept < piece.manifold.num_points)
      piece.swept_pairs.push_back({{a, b}, found.first_swept});
    if (found.is_unmet)
      piece.unmet_pairs.push_back({{a, b}, found.touches, sizes_[a].is_hollow || sizes_[b].is_hollow});
    piece.manifolds.Append(piece.manifold);
  }
}

void ContactDetector::Divide(std::span<const std::pair<int, int>> pairs) {
  const int count = static_cast<int>(pairs.size());
  const bool is_shared = pool_ != nullptr && pool_->num_threads() > 1;
  num_pieces_ = is_shared ? std::max(1, (count + kPairsPerPiece - 1) / kPairsPerPiece) : 1;
  if (static_cast<int>(pieces_.size()) < num_pieces_) pieces_.resize(num_pieces_);
  for (int i = 0; i < num_pieces_; ++i) {
    const int begin = is_shared ? i * kPairsPerPiece : 0;
    pieces_[i].pairs = pairs.subspan(begin, is_shared ? std::min(kPairsPerPiece, count - begin) : count);
  }
}

void ContactDetector::CalcSpeeds(const Model& model, const Kinematics& kin, IndexRange geoms,
                                 std::vector<double>& speed) const {
  int body = -1;  // of the last geom: those of a body follow one another
  double linear = 0.0, angular = 0.0;
  for (int g = geoms.begin; g < geoms.end; ++g) {
    const GeomSize& size = sizes_[g];
    if (size.body != body) {
      body = size.body;
      const bool moves = model.bodies[body].tree >= 0;
      linear = moves ? CalcPointVelocity(model, kin, body, kin.X_WB[body].p).norm() : 0.0;
      angular = moves ? CalcAngularVelocity(kin, body).norm() : 0.0;
    }
    speed[g] = linear + size.reach * angular;
  }
}

double ContactDetector::CalcInflation(int geom, double speed, double dt) const {
  const GeomSize& size = sizes_[geom];
  // Never less than half of any pair's margin: boxes of a pair within its margin overlap.
  const double least = size.reach > 0.0 ? std::max(kMinMargin, kMinMarginRatio * size.thickness) : kMinMargin;
  return least + kSpeedFactor * dt * speed + size.detection;
}

bool ContactDetector::FindOutrun(const Model& model, const TreeSet& trees, const Kinematics& foreseen,
                                 double dt) {
  has_foreseen_ = true;
  std::atomic<bool> any = false;
  for (const IndexRange& range : trees.geoms) {
    ForPieces(range.size(), [&](int begin, int end) {
      begin += range.begin, end += range.begin;
      CalcSpeeds(model, foreseen, {begin, end}, speed_);
      for (int g = begin; g < end; ++g) {
        if (!(dt * speed_[g] > inflation_[g])) continue;
        foreseen_speed_[g] = std::max(foreseen_speed_[g], speed_[g]);
        is_outrun_[g] = 1;
        any.store(true, std::memory_order_relaxed);
      }
    });
  }
  return any;
}

void ContactDetector::ForgetForeseen() {
  if (!has_foreseen_) return;
  has_foreseen_ = false;
  std::fill(foreseen_speed_.begin(), foreseen_speed_.end(), 0.0);
  std::fill(is_outrun_.begin(), is_outrun_.end(), 0);
  foreseen_pairs_.clear();
  met_again_.clear();
}

// What foreseen velocities have pairs with contacts meet besides: in their cores, or, of what was swept, on
// another side than that of the contacts. Once these are held they lead along them. True if there is anything.
bool ContactDetector::MeetAgain(const Model& model, const Kinematics& foreseen,
                                const std::vector<DetectedContact>& contacts, double dt) {
  bool any = false;
  for (std::size_t begin = 0, end = 0; begin < contacts.size(); begin = end) {
    const std::pair<int, int> pair = PairOf(contacts[begin]);
    for (end = begin; end < contacts.size() && PairOf(contacts[end]) == pair;) ++end;
    if (IsPatch(pair.first, pair.second)) continue;
    const auto known = std::span(contacts).subspan(begin, end - begin);
    any = MeetsInCore(model, foreseen, known, pair, dt) || any;
    if (contacts[begin].is_swept) any = MeetsAgain(model, foreseen, known, dt) || any;
  }
  return any;
}

bool ContactDetector::MeetsAgain(const Model& model, const Kinematics& foreseen,
                                 std::span<const DetectedContact> known, double dt) {
  const int a = known[0].tracked.geom_a, b = known[0].tracked.geom_b;
  trial_.geom_a = a, trial_.geom_b = b;
  for (const int geom : {a, b}) foreseen_speed_[geom] = std::max(foreseen_speed_[geom], speed_[geom]);
  has_foreseen_ = true;
  if (!Collide(model, {foreseen, foreseen_speed_}, dt, trial_).is_swept) return false;
  bool any = false;
  for (int k = 0; k < trial_.num_points; ++k) {
    const ManifoldPoint& point = trial_.points[k];
    const auto is_of_side = [&](const DetectedContact& contact) {
      return contact.tracked.point.n_W.dot(point.n_W) > kOneSide;
    };
    if (std::any_of(known.begin(), known.end(), is_of_side)) continue;
    met_again_.push_back({{a, b}, point});
    any = true;
  }
  return any;
}

bool ContactDetector::has_hollow_touch() const {
  const auto touches = [](const Unmet& unmet) { return unmet.touches && unmet.is_hollow; };
  return std::any_of(pieces_.begin(), pieces_.begin() + num_pieces_, [&](const Piece& piece) {
    return std::any_of(piece.unmet_pairs.begin(), piece.unmet_pairs.end(), touches);
  });
}

// What foreseen velocities lead the pairs into that no contact keeps from it. True if there is anything.
bool ContactDetector::MeetUnmet(const Model& model, const Kinematics& foreseen,
                                const std::vector<DetectedContact>& contacts, double dt) {
  bool any = false;
  for (int i = 0; i < num_pieces_; ++i) {
    for (const Unmet& unmet : pieces_[i].unmet_pairs) {
      const auto begin = std::lower_bound(
          contacts.begin(), contacts.end(), unmet.pair,
          [](const DetectedContact& contact, const auto& pair) { return PairOf(contact) < pair; });
      auto end = begin;
      while (end != contacts.end() && PairOf(*end) == unmet.pair) ++end;
      if (begin == end) any = MeetsInCore(model, foreseen, {}, unmet.pair, dt) || any;
      any = MeetsNext(model, foreseen, {begin, end}, unmet, dt) || any;
    }
  }
  return any;
}

// What a blow turns fast has no contact of its core yet, which is the same wherever the velocity leads.
bool ContactDetector::MeetsInCore(const Model& model, const Kinematics& foreseen,
                                  std::span<const DetectedContact> known, const std::pair<int, int>& pair,
                                  double dt) {
  constexpr double kSameNormal = 1.0 - 1e-6, kSameGap = 1e-7;
  const Motion motion{foreseen, speed_};
  if (!MayTurn(motion, dt, pair.first) && !MayTurn(motion, dt, pair.second)) return false;
  CorePaths paths;
  if (!MakeCorePaths(model, foreseen, dt, {pair.first, pair.second}, paths)) return false;
  if (!CalcSweptManifold(paths.path[0], paths.path[1], dt, trial_)) return false;
  bool any = false;
  for (int k = 0; k < trial_.num_points; ++k) {
    ManifoldPoint& point = trial_.points[k];
    const auto is_same = [&](const DetectedContact& contact) {
      const ManifoldPoint& other = contact.tracked.point;
      return point.n_W.dot(other.n_W) > kSameNormal && std::abs(point.gap - other.gap) < kSameGap;
    };
    if (std::any_of(known.begin(), known.end(), is_same)) continue;
    point.feature ^= kCoreFeature;
    met_again_.push_back({pair, point});
    any = has_foreseen_ = true;
  }
  return any;
}

// No further than the margin all is known.
bool ContactDetector::MeetsNext(const Model& model, const Kinematics& foreseen,
                                std::span<const DetectedContact> known, const Unmet& unmet, double dt) {
  const auto [a, b] = unmet.pair;
  const ShapeMotion path_a = MakePath(model, foreseen, model.geoms[a].shape, a);
  const ShapeMotion path_b = MakePath(model, foreseen, model.geoms[b].shape, b);
  const double turning = path_a.w_W.norm() * sizes_[a].reach + path_b.w_W.norm() * sizes_[b].reach;
  if (unmet.touches && !unmet.is_hollow) return false;
  if (dt * ((path_a.v_W - path_b.v_W).norm() + turning) <= CalcMaxMargin(a, b)) return false;
  normals_.clear();
  for (const DetectedContact& contact : known) normals_.push_back(contact.tracked.point.n_W);
  const bool meets = unmet.touches ? CalcNextManifold(path_a, path_b, dt, normals_, trial_)
                                   : CalcSweptManifold(path_a, path_b, dt, trial_);
  if (!meets) return false;
  bool any = false;
  for (int k = 0; k < trial_.num_points; ++k) {
    const auto is_of_side = [&](const Vector3d& n) { return n.dot(trial_.points[k].n_W) > kOneSide; };
    if (!unmet.touches && std::any_of(normals_.begin(), normals_.end(), is_of_side)) continue;
    met_again_.push_back({unmet.pair, trial_.points[k]});
    any = has_foreseen_ = true;
  }
  return any;
}

void ContactDetector::AddMet(Manifold& manifold) const {
  for (const MetPoint& met : met_again_) {
    if (met.pair == std::pair(manifold.geom_a, manifold.geom_b)) manifold.Add(met.point);
  }
}

const std::vector<std::pair<int, int>>& ContactDetector::FindPairs(const Model& model, const Kinematics& kin,
                                                                   const DetectionScope& scope, double dt) {
  if (scope.foreseen != nullptr) {
    for (std::size_t g = 0; g < sizes_.size(); ++g) {
      if (is_outrun_[g]) inflation_[g] = CalcInflation(static_cast<int>(g), foreseen_speed_[g], dt);
    }
  }
  return scope.stirs == nullptr
             ? broadphase_.FindPairs(model, kin.X_WG, inflation_)
             : broadphase_.FindPairs(model, kin.X_WG, inflation_, *scope.stirs, scope.still_moved);
}

bool ContactDetector::Foresee(const Model& model, const TreeSet& trees, const DetectionScope& scope,
                              const std::vector<DetectedContact>& contacts, double dt) {
  const bool is_outrun = FindOutrun(model, trees, *scope.foreseen, dt);
  bool meets_again = MeetAgain(model, *scope.foreseen, contacts, dt);
  meets_again = MeetUnmet(model, *scope.foreseen, contacts, dt) || meets_again;
  if (!is_outrun) return meets_again;
  const auto is_before = [](const DetectedContact& contact, const auto& pair) {
    return PairOf(contact) < pair;
  };
  const std::size_t before = foreseen_pairs_.size();
  for (const std::pair<int, int>& pair : FindPairs(model, *scope.foreseen, scope, dt)) {
    const auto [a, b] = pair;
    if ((!is_outrun_[a] && !is_outrun_[b]) || IsPatch(a, b)) continue;
    auto known = std::lower_bound(contacts.begin(), contacts.end(), pair, is_before);
    int num_known = 0;
    for (; known != contacts.end() && PairOf(*known) == pair; ++known) ++num_known;
    trial_.geom_a = a, trial_.geom_b = b;
    if (MeetsAnew(model, *scope.foreseen, dt, num_known, trial_)) foreseen_pairs_.push_back(pair);
  }
  const bool any = foreseen_pairs_.size() > before;
  std::sort(foreseen_pairs_.begin(), foreseen_pairs_.end());
  return any || meets_again;
}

void ContactDetector::Detect(const Model& model, const Kinematics& kin, const DetectionScope& scope,
                             const std::vector<ContactMemory>& memory, double dt,
                             std::vector<DetectedContact>& contacts) {
  STICTION_ASSERT(dt > 0.0 && kin.X_WG.size() == model.geoms.size());
  if (scope.foreseen == nullptr) ForgetForeseen();
  const bool is_whole = scope.trees == nullptr || scope.still_moved;
  for (const IndexRange& range : is_whole ? model.all_trees.geoms : scope.trees->geoms) {
    ForPieces(range.size(), [&](int begin, int end) {
      CalcSpeeds(model, kin, {range.begin + begin, range.begin + end}, speed_);
      for (int g = range.begin + begin; g < range.begin + end; ++g)
        inflation_[g] = CalcInflation(g, speed_[g], dt);
    });
  }
  const auto& pairs = FindPairs(model, kin, scope, dt);
  num_pieces_ = 0;
  if (pairs.empty()) return contacts.clear();
  Divide(pairs);
  const auto work = [&](int i, std::vector<DetectedContact>& out) {
    Piece& piece = pieces_[i];
    CollidePairs(model, kin, scope.foreseen, dt, piece);
    piece.tracker.Track(model, kin.X_WG, piece.manifolds, memory, piece.tracked);
    Describe(model, kin, dt, piece, out);
  };
  if (num_pieces_ == 1) return work(0, contacts);
  pool_->ForEach(num_pieces_, [&](int i) { work(i, pieces_[i].contacts); });
  int count = 0;
  for (int i = 0; i < num_pieces_; ++i) {
    pieces_[i].first_contact = count;
    count += static_cast<int>(pieces_[i].contacts.size());
  }
  contacts.resize(count);
  pool_->ForEach(num_pieces_, [&](int i) {
    const Piece& piece = pieces_[i];
    std::copy(piece.contacts.begin(), piece.contacts.end(), contacts.begin() + piece.first_contact);
  });
}

DetectedContact ContactDetector::MakeContactOf(const Model& model, double dt, int geom_a, int geom_b) const {
  const Geom &a = model.geoms[geom_a], &b = model.geoms[geom_b];
  const ContactPair* pair = FindContactPair(model, geom_a, geom_b);
  DetectedContact contact;
  contact.friction = CalcFriction(pair, a, b);
  contact.restitution = pair != nullptr ? pair->restitution : std::max(a.restitution, b.restitution);
  contact.thickness = CalcPairThickness(geom_a, geom_b);
  contact.min_margin = CalcMinMargin(geom_a, geom_b);
  contact.margin = CalcMargin(speed_, dt, geom_a, geom_b);
  if (IsPatch(geom_a, geom_b)) {
    contact.restitution = 0.0;
    contact.dissipation_time = CalcPairDissipation(a.hydroelastic, b.hydroelastic);
  }
  return contact;
}

void ContactDetector::Describe(const Model& model, const Kinematics& kin, double dt, const Piece& piece,
                               std::vector<DetectedContact>& contacts) const {
  contacts.clear();
  DetectedContact contact;  // the last one: those of a pair follow one another and share all but the point
  int body_a = -1, body_b = -1;
  double near = 0.0;
  int index = 0, first_swept = 0;  // of the pair's
  auto swept = piece.swept_pairs.begin();
  for (const TrackedContact& tracked : piece.tracked) {
    const int a = tracked.geom_a, b = tracked.geom_b;
    if (a != contact.tracked.geom_a || b != contact.tracked.geom_b) {
      contact = MakeContactOf(model, dt, a, b);
      body_a = sizes_[a].body, body_b = sizes_[b].body;
      near = CalcNear(a, b);
      index = 0;
      while (swept != piece.swept_pairs.end() && swept->pair < std::pair(a, b)) ++swept;
      const bool any = swept != piece.swept_pairs.end() && swept->pair == std::pair(a, b);
      first_swept = any ? swept->first_point : std::numeric_limits<int>::max();
    }
    contact.tracked = tracked;
    contact.is_swept = index++ >= first_swept;
    const ManifoldPoint& point = tracked.point;
    if (point.patch > 0) {
      const patch::PatchContact& piece_of_patch = piece.patch_contacts[point.patch - 1];
      contact.stiffness = piece_of_patch.stiffness;
      contact.area = piece_of_patch.area;
    }
    contact.is_far = point.gap > near;
    if (point.gap > kClosedGap && !contact.is_far) {
      const Vector3d v_AB =
          CalcPointVelocity(model, kin, body_b, point.p_W) - CalcPointVelocity(model, kin, body_a, point.p_W);
      contact.is_far = dt * -v_AB.dot(point.n_W) > point.gap;
    }
    contacts.push_back(contact);
  }
}

}  // namespace stiction

// Contact detection for one step: margins, broadphase, manifolds, tracking.
//
// margin(pair) = clamp(1.25 dt (s_A + s_B), m_min, m_max), s = |v| + r |ω| of each geom, m_min = 2 % of the
// smaller thickness and at least 1 mm, m_max = half of it; the file's margin − gap where that is larger. A
// margin below v dt costs penetration.
//
// Contacts found further away than 2 mm, or that the present velocities would close within the step, are
// far: they might never come about ("ghosts"), so the step admits them only if the pair really meets
// on its way (sim/ghost_filter.h).
//
// A pair of which one geom is compliant has a patch instead (collision/patch/patch_finder.h), whose pieces
// are contacts of their own stiffness, and nothing where it does not overlap.
//
// A pair that may move further in the step than m_max, and has nothing within the near distance, is swept:
// its contacts are those of the moment at which the two meet (collision/swept_contact.h). If they pass at the
// present velocities, there are far ones as well, as near as the faster one may move: a blow may stop either,
// or drive it at the other's speed.
//
// A blow may drive a body further than its own speed has had it looked for. Velocities that the step may end
// with (DetectionScope::foreseen) add what such bodies would then meet: pairs that have no contacts yet, or
// not all that they have within the wider margin. Pairs that may go further than was looked, and that were
// swept, or touch where one is hollow, are looked for again by them, too: what has met one wall of a cup goes
// on along it, and meets the next; what rolls along a floor comes to the wall that is of one piece with it.
//
// A body that turns by half a radian or more in the step is not told by the points that its surface has at
// the start: sim/core_ball.h.
#pragma once

#include <algorithm>
#include <span>

#include "collision/patch/patch_finder.h"
#include "math/task_pool.h"
#include "sim/core_ball.h"
#include "sim/field_memory.h"
#include "stiction/collision/broadphase.h"
#include "stiction/collision/contact_tracker.h"
#include "stiction/collision/narrowphase.h"
#include "stiction/collision/swept_contact.h"
#include "stiction/dynamics/kinematics.h"

namespace stiction {

struct DetectedContact {
  TrackedContact tracked;
  PairFriction friction;
  double restitution = 0.0;
  bool is_far = false;     // beyond the near distance, or would close in this step: subject to the ghost test
  bool is_swept = false;   // where a pair meets on its way, wherever it stands at the end of the step
  double thickness = 0.0;  // the smaller one of the pair; infinite for two planes [m]
  double min_margin = 0.0;  // m_min of the pair [m]
  double margin = 0.0;      // within which the pair was looked for [m]
  // What the way to the end of the step takes off the gap besides the velocity along the normal: of contacts
  // that were found there (sim/unseen_contacts.h) [m].
  double bend = 0.0;
  // Of a piece of a patch; zero: a point.
  double stiffness = 0.0;         // [N/m]
  double dissipation_time = 0.0;  // τ_d [s]
  double area = 0.0;              // [m²]

  // What positions may be wrong by without anyone asking: an overlap that stays [m].
  double CalcSlop() const { return std::clamp(1e-4 * thickness, 1e-7, 1e-5); }
};

// Where contacts are looked for.
struct DetectionScope {
  const TreeSet* trees = nullptr;  // that are awake; null: all
  // One a geom: pairs of which neither stirs are left out, and the kinematics of those that do not is that of
  // the last call; null: all stir.
  const std::vector<char>* stirs = nullptr;
  bool still_moved = false;  // unless this is set
  // That of the last ContactDetector::Foresee; null: nothing is foreseen any more.
  const Kinematics* foreseen = nullptr;
};

class ContactDetector {
 public:
  explicit ContactDetector(const Model& model);

  // Threads to share the pairs with.
  void set_pool(const TaskPool& pool) {
    pool_ = &pool;
    broadphase_.set_pool(pool);
  }

  // What is known already of pairs of fields.
  void set_field_memory(const FieldMemory& memory) { field_memory_ = &memory; }

  // Needs position and velocity kinematics. Contacts are sorted by (geom_a, geom_b).
  void Detect(const Model& model, const Kinematics& kin, const DetectionScope& scope,
              const std::vector<ContactMemory>& memory, double dt, std::vector<DetectedContact>& contacts);

  // Whether anything may be met that no velocity of the step's start tells, however little that changes.
  [[nodiscard]] bool has_hollow_touch() const;
  // Whether bodies whose velocities, scope.foreseen at the poses of the last call, lead them further in dt
  // than that call has looked, or than contacts are looked for, would meet where they have no contacts; the
  // next call, of this scope, then finds these, and those that were foreseen before.
  //   contacts  those of the last call
  [[nodiscard]] bool Foresee(const Model& model, const TreeSet& trees, const DetectionScope& scope,
                             const std::vector<DetectedContact>& contacts, double dt);

 private:
  struct GeomSize {
    double thickness = 0.0;  // smallest extent; infinite for a plane [m]
    double reach = 0.0;      // bounding radius about the body origin; 0 for a plane [m]
    double detection = 0.0;  // the file's margin − gap [m]
    double core = 0.0;       // sim/core_ball.h [m]
    bool is_hollow = false;  // a mesh or a field
    int body = 0;
    bool is_compliant = false;  // presses by patches
  };

  // Smaller thickness of a pair [m]; infinite for two planes.
  double CalcPairThickness(int geom_a, int geom_b) const;
  // The smallest and the largest margin of a pair [m].
  double CalcMinMargin(int geom_a, int geom_b) const;
  double CalcMaxMargin(int geom_a, int geom_b) const;
  // What the two come nearer by at most in a step, and the margin that it makes [m].
  //   speed  CalcSpeeds
  double CalcSwept(const std::vector<double>& speed, double dt, int geom_a, int geom_b) const;
  double CalcMargin(const std::vector<double>& speed, double dt, int geom_a, int geom_b) const;
  // Contacts beyond it are far. [m]
  double CalcNear(int geom_a, int geom_b) const;
  // Fills bounds on the speed of geoms' points.
  void CalcSpeeds(const Model& model, const Kinematics& kin, IndexRange geoms,
                  std::vector<double>& speed) const;
  // How much a geom's box has to grow for pairs to be found that it may meet [m].
  double CalcInflation(int geom, double speed, double dt) const;
  struct SweptPair {
    std::pair<int, int> pair;
    int first_point;  // of its manifold that it meets in on its way
  };
  // Of a pair that may go further than contacts are looked for, without a contact that would end its way.
  struct Unmet {
    std::pair<int, int> pair;
    bool touches;    // already, at another place
    bool is_hollow;  // one of the two
  };
  // What a pair has besides its manifold.
  struct Found {
    bool is_swept = false;  // the surfaces met on their way, in all points
    int first_swept = 0;    // of the points, in which anything of the pair does
    bool is_unmet = false, touches = false;
  };
  // Consecutive pairs, whose contacts a thread works out by itself.
  struct Piece {
    std::span<const std::pair<int, int>> pairs;
    Manifold manifold;  // of one pair at a time
    ManifoldList manifolds;
    std::vector<SweptPair> swept_pairs;  // sorted
    std::vector<Unmet> unmet_pairs;      // likewise
    patch::PatchFinder finder;
    std::vector<patch::PatchContact> patch_contacts;  // ManifoldPoint::patch counts them
    ContactTracker tracker;
    std::vector<TrackedContact> tracked;
    std::vector<DetectedContact> contacts;  // of one of several pieces
    int first_contact = 0;                  // among those of all pieces
  };

  // Calls work(begin, end) for pieces of [0, count), geoms or pairs, on all threads.
  template <typename Work>
  void ForPieces(int count, const Work& work) const {
    constexpr int kLeast = 64;
    if (pool_ != nullptr) return pool_->ForPieces(count, kLeast, work);
    work(0, count);
  }
  // Raises foreseen_speed_ and marks in is_outrun_; true if anything goes further than was looked for.
  bool FindOutrun(const Model& model, const TreeSet& trees, const Kinematics& foreseen, double dt);
  void ForgetForeseen();
  bool MeetAgain(const Model& model, const Kinematics& foreseen, const std::vector<DetectedContact>& contacts,
                 double dt);
  bool MeetsAgain(const Model& model, const Kinematics& foreseen, std::span<const DetectedContact> known,
                  double dt);
  bool MeetUnmet(const Model& model, const Kinematics& foreseen, const std::vector<DetectedContact>& contacts,
                 double dt);
  bool MeetsInCore(const Model& model, const Kinematics& foreseen, std::span<const DetectedContact> known,
                   const std::pair<int, int>& pair, double dt);
  bool MeetsNext(const Model& model, const Kinematics& foreseen, std::span<const DetectedContact> known,
                 const Unmet& unmet, double dt);
  void AddMet(Manifold& manifold) const;
  const std::vector<std::pair<int, int>>& FindPairs(const Model& model, const Kinematics& kin,
                                                    const DetectionScope& scope, double dt);
  // Shares the pairs out among pieces_.
  void Divide(std::span<const std::pair<int, int>> pairs);
  // Velocities by which contacts are looked for.
  struct Motion {
    const Kinematics& kin;
    const std::vector<double>& speed;  // CalcSpeeds
  };
  // The manifolds of the piece.
  void CollidePairs(const Model& model, const Kinematics& kin, const Kinematics* foreseen, double dt,
                    Piece& piece) const;
  // Keeps what is nearer than the faster one of the two may move.
  void DropOutOfReach(const Motion& motion, double dt, Manifold& manifold) const;
  // A geom on its way, of the shape given.
  ShapeMotion MakePath(const Model& model, const Kinematics& kin, const Shape& shape, int geom) const;
  // Of the manifold's geoms.
  Found Collide(const Model& model, const Motion& motion, double dt, Manifold& manifold) const;
  Found CollideSurfaces(const Model& model, const Motion& motion, double dt, Manifold& manifold) const;
  struct CorePaths {
    Shape core[2] = {Sphere{}, Sphere{}};
    ShapeMotion path[2];
  };
  bool MakeCorePaths(const Model& model, const Kinematics& kin, double dt, const int (&geoms)[2],
                     CorePaths& out) const;
  // Adds what the core of what turns meets.
  void CollideCores(const Model& model, const Motion& motion, double dt, Found& found,
                    Manifold& manifold) const;
  bool MayTurn(const Motion& motion, double dt, int geom) const {
    return sizes_[geom].core > 0.0 && dt * motion.speed[geom] > kFarTurn * sizes_[geom].reach;
  }
  // Whether a pair would meet in points that are not among the `num_known` contacts that it has.
  bool MeetsAnew(const Model& model, const Kinematics& foreseen, double dt, int num_known,
                 Manifold& manifold) const;
  bool IsPatch(int geom_a, int geom_b) const {
    return sizes_[geom_a].is_compliant || sizes_[geom_b].is_compliant;
  }
  // The patch of a pair that presses by one.
  void CollidePatch(const Model& model, const Kinematics& kin, int geom_a, int geom_b, Piece& piece) const;
  // The contacts of the piece, of its tracked ones.
  void Describe(const Model& model, const Kinematics& kin, double dt, const Piece& piece,
                std::vector<DetectedContact>& contacts) const;
  // What the contacts of a pair have in common.
  DetectedContact MakeContactOf(const Model& model, double dt, int geom_a, int geom_b) const;

  Broadphase broadphase_;
  std::vector<GeomSize> sizes_;
  std::vector<patch::CellTree> cells_;  // one per geom, of compliant ones; empty if there are none
  std::vector<double> speed_, inflation_;
  // Of all velocities that were foreseen in the step.
  bool has_foreseen_ = false;
  std::vector<double> foreseen_speed_;               // the largest
  std::vector<char> is_outrun_;                      // goes further by it than its inflation
  std::vector<std::pair<int, int>> foreseen_pairs_;  // that would meet anew; sorted
  struct MetPoint {
    std::pair<int, int> pair;
    ManifoldPoint point;
  };
  std::vector<MetPoint> met_again_;  // beside their manifolds
  std::vector<Vector3d> normals_;    // of a pair's contacts, scratch
  Manifold trial_;                   // scratch
  const TaskPool* pool_ = nullptr;
  const FieldMemory* field_memory_ = nullptr;
  std::vector<Piece> pieces_;
  int num_pieces_ = 0;  // of them in use
};

}  // namespace stiction

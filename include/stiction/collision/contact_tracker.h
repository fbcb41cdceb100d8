// Gives contact points an identity from step to step, and brings back points that the narrowphase lost.
//
// An exact rigid step has no compliance to hide a missing point, and the certificate cannot see one: the laws
// are met on the points given. A stack whose face contact falls from four points to one rocks and falls. So
// when a pair of polyhedra returns fewer points than it had, each old point comes back if it still touches:
// its anchors' gap is small, they have hardly drifted apart along the surface, and no point found lies near
// it. There is no age limit: the misjudgement can last.
#pragma once

#include <vector>

#include "stiction/collision/manifold.h"
#include "stiction/model/model.h"
#include "stiction/model/state.h"

namespace stiction {

struct TrackedContact {
  int geom_a = -1;
  int geom_b = -1;
  ManifoldPoint point;
  int memory = -1;       // index of its past in the memory, -1: new
  bool is_same = false;  // the memory is of the same physical contact, so that its slip carries over
  bool is_kept = false;  // brought back from memory; its anchors stay as they are
};

class ContactTracker {
 public:
  // Matches the points of `manifolds` with `memory`, both sorted by (geom_a, geom_b), and appends lost
  // points. What memory has of other pairs does not matter.
  //   X_WG      one per geom
  //   contacts  out, in the order of the manifolds, kept points of a pair after the found ones
  void Track(const Model& model, const std::vector<RigidTransform>& X_WG, const ManifoldList& manifolds,
             const std::vector<ContactMemory>& memory, std::vector<TrackedContact>& contacts);

 private:
  void MatchPair(const Model& model, const std::vector<RigidTransform>& X_WG,
                 const std::vector<ContactMemory>& memory, int first_memory, int last_memory,
                 std::vector<TrackedContact>& contacts, int first_contact);
  void KeepLostPoints(const Model& model, const std::vector<RigidTransform>& X_WG,
                      const std::vector<ContactMemory>& memory, int first_memory, int last_memory,
                      std::vector<TrackedContact>& contacts, int first_contact);

  std::vector<char> taken_;  // one per memory of the pair
};

}  // namespace stiction

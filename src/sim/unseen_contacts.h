// Contacts that a step's own answer brings about where none was seen at its start.
//
// Two threads, or a pin in its slot, touch in places of which a list of contacts holds a few, one each. Rows
// that are linear hold these; where the bodies go in the step, the surfaces between may come into one
// another all the same, most where an edge of one runs off the end of the other's. So pairs of fields are
// looked at once more where the velocity leads: what is deeper there than the rows near it say becomes a
// contact of this step too, with the normal that it has there, and the step is solved on. By how much the way
// bends towards overlap is no approach, and a velocity that made up for it would be energy from nowhere: the
// bend closes what is open, and the position stage takes out the rest.
//
// The second look asks for overlaps alone, and pairs that hardly move against one another are not asked at
// all. Where it changes nothing the next step starts from its poses, and finds in FieldMemory what it found.
#pragma once

#include <array>
#include <vector>

#include "sim/field_memory.h"
#include "sim/step_frame.h"
#include "sim/step_rows.h"
#include "stiction/collision/manifold.h"
#include "stiction/model/input.h"
#include "stiction/model/state.h"

namespace stiction {

// A contact to be added to those of the step.
struct LateContact {
  DetectedContact contact;
  int place;  // among the contacts, once all before it are there
};

// The contact that the step begins with where a point overlaps at its end: the same material points, and the
// distance that they have along the normal there.
//   known     any contact of the pair, at the start
//   X_W, end_W  poses of the two geoms, A first
DetectedContact TakeToStart(const DetectedContact& known, const ManifoldPoint& point,
                            const std::array<RigidTransform, 2>& X_W,
                            const std::array<RigidTransform, 2>& end_W);

class UnseenContacts {
 public:
  explicit UnseenContacts(const Model& model);

  // After the kinematics of those who sleep was computed: here they stay as they are.
  void Refresh(const Kinematics& kin) {
    if (is_needed_) probe_ = kin;
  }

  // Whether there is anything to be looked at.
  bool MayFind(const StepFrame& frame, const StepRows& rows, const FieldMemory& memory) const;

  // What the solved step brings about, by ascending place.
  //   v       of its end
  //   q       where it leads
  //   memory  of the pairs that are looked at
  const std::vector<LateContact>& Find(const Model& model, const Input& input, const StepFrame& frame,
                                       const StepRows& rows, const VectorXd& v, const VectorXd& q,
                                       FieldMemory& memory);

 private:
  void FindOfPair(const Model& model, const StepFrame& frame, const StepRows& rows, const VectorXd& v,
                  int begin, int end, FieldMemory& memory);
  bool IsForeseen(const ManifoldPoint& point, const StepFrame& frame, const StepRows& rows, const VectorXd& v,
                  int begin, int end) const;

  bool is_needed_ = false;
  std::vector<double> radius_;  // of each field's bounding ball about its geom's frame, else 0 [m]
  Kinematics probe_;            // where v leads
  Manifold overlap_;
  std::vector<LateContact> found_;
};

}  // namespace stiction

// The rows of a contact: velocity of B relative to A at the contact point, in the contact's axes.
//
//   J = ± R_CW (S_lin + S_ang × p_TQ)   over the dofs at and above each body
//
// with the motion columns S of a tree about its reference point T (dynamics/kinematics.h). Friction moments
// have S_ang alone.
#pragma once

#include "sim/step_frame.h"
#include "stiction/contact/problem.h"

namespace stiction {

// Sizes of the parts of a problem: what rows take, or where they begin.
struct RowExtent {
  int constraints = 0, rows = 0, blocks = 0, dofs = 0, values = 0;

  RowExtent& operator+=(const RowExtent& other);
  RowExtent operator+(const RowExtent& other) const { return RowExtent(*this) += other; }
};
RowExtent CalcExtent(const ContactProblem& problem);
// New biases are zero; constraints and blocks are to be placed, and the Jacobian is to be filled.
void Resize(const RowExtent& extent, ContactProblem& problem);

// What the constraints of a contact take: its three rows (t1, t2, n), then those of the relative angular
// velocity, torsional about n and rolling about t1 and t2, as far as the pair has such friction.
//   contact  index into frame.contacts
RowExtent CalcContactExtent(const StepFrame& frame, int contact);
// Writes the constraints, without their Jacobian, into room that is theirs alone; returns its end.
RowExtent PlaceContactRows(const StepFrame& frame, int contact, const RowExtent& begin,
                           ContactProblem& problem);
// Both: appends them, with room for the Jacobian. Returns the number of constraints.
int AddContactRows(const StepFrame& frame, int contact, ContactProblem& problem);

// Their Jacobian, which writes what is theirs alone.
//   constraint  the first of them
void FillContactRows(const StepFrame& frame, int contact, int constraint, ContactProblem& problem);

// The contact on its two bodies, for problem.body_contacts; `constraint` holds its rows.
BodyContact MakeBodyContact(const StepFrame& frame, int contact, int constraint);

}  // namespace stiction

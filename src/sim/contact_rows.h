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

// Appends the constraints of a contact: its three rows (t1, t2, n), then those of the relative angular
// velocity, torsional about n and rolling about t1 and t2, as far as the pair has such friction. Their
// Jacobian is zero until FillContactRows. Returns the number of constraints.
//   contact  index into frame.contacts
int AddContactRows(const StepFrame& frame, int contact, ContactProblem& problem);

// Their Jacobian, which writes what is theirs alone.
//   constraint  the first of them
void FillContactRows(const StepFrame& frame, int contact, int constraint, ContactProblem& problem);

// Appends the contact on its two bodies to problem.body_contacts; `constraint` holds its rows.
void AddBodyContact(const StepFrame& frame, int contact, int constraint, ContactProblem& problem);

}  // namespace stiction

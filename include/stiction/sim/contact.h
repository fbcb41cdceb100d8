// Contacts as a user sees them, and what can be asked of a list of them (World::contacts).
#pragma once

#include <vector>

#include "stiction/model/model.h"

namespace stiction {

// A contact as it acts in the last step. Of a step that was divided (StepReport::num_parts) these are those
// of its last part, with impulses as large as if they acted all through the step: over the timestep they give
// the force at its end, not the mean.
struct Contact {
  int geom_a = -1;
  int geom_b = -1;
  Vector3d p_W;                          // midway between the two surfaces, at the start of the step [m]
  Vector3d n_W;                          // from A to B
  double gap = 0.0;                      // at the start of the step [m]
  Vector3d impulse_W;                    // on B, world axes [N·s]; divide by the timestep for the mean force
  Vector3d moment_W = Vector3d::Zero();  // of torsional and rolling friction, likewise [N·m·s]
  // Of a piece of a patch, which presses with n · impulse/(dt area); 0: a point, or of bodies asleep [m²]
  double area = 0.0;
  // Of World::problem; -1: it has no row of it, because its bodies sleep or repeat themselves at rest.
  int constraint = -1;
};

// Contact frame R_WC = [t1 t2 n]: t1 is the world axis least aligned with n, made orthogonal.
Matrix3d MakeContactFrame(const Vector3d& n_W);

// The contacts of `body` with anything else, each turned so that geom_b belongs to the body: its impulse acts
// on the body and its normal points into it. Bodies welded together count one by one. Allocates.
std::vector<Contact> FindContacts(const Model& model, const std::vector<Contact>& contacts, int body);

// The contacts between two bodies, turned so that geom_a belongs to body_a and geom_b to body_b. Allocates.
std::vector<Contact> FindContacts(const Model& model, const std::vector<Contact>& contacts, int body_a,
                                  int body_b);

// The mean wrench over the step that all contacts together exert on `body`: moment about p_WQ and force,
// world axes [N·m, N]. With Q at the body's centre of mass it is what Input::applied_wrench would hold.
//   dt  timestep that the impulses belong to [s]
Vector6d CalcContactWrench(const Model& model, const std::vector<Contact>& contacts, double dt, int body,
                           const Vector3d& p_WQ);

}  // namespace stiction

#include "stiction/sim/contact.h"

#include <utility>

#include "math/axes_about.h"

namespace stiction {
namespace {

// The same contact with A and B exchanged.
Contact Turn(const Contact& contact) {
  Contact turned = contact;
  std::swap(turned.geom_a, turned.geom_b);
  turned.n_W = -contact.n_W;
  turned.impulse_W = -contact.impulse_W;
  turned.moment_W = -contact.moment_W;
  return turned;
}

}  // namespace

Matrix3d MakeContactFrame(const Vector3d& n_W) {
  return MakeAxesAbout(n_W);
}

std::vector<Contact> FindContacts(const Model& model, const std::vector<Contact>& contacts, int body) {
  std::vector<Contact> found;
  for (const Contact& contact : contacts) {
    if (model.geoms[contact.geom_b].body == body)
      found.push_back(contact);
    else if (model.geoms[contact.geom_a].body == body)
      found.push_back(Turn(contact));
  }
  return found;
}

std::vector<Contact> FindContacts(const Model& model, const std::vector<Contact>& contacts, int body_a,
                                  int body_b) {
  std::vector<Contact> found;
  for (const Contact& contact : contacts) {
    const int a = model.geoms[contact.geom_a].body, b = model.geoms[contact.geom_b].body;
    if (a == body_a && b == body_b)
      found.push_back(contact);
    else if (a == body_b && b == body_a)
      found.push_back(Turn(contact));
  }
  return found;
}

Vector6d CalcContactWrench(const Model& model, const std::vector<Contact>& contacts, double dt, int body,
                           const Vector3d& p_WQ) {
  Vector6d wrench = Vector6d::Zero();
  for (const Contact& contact : contacts) {
    const double on_b = model.geoms[contact.geom_b].body == body ? 1.0 : 0.0;
    const double on_a = model.geoms[contact.geom_a].body == body ? 1.0 : 0.0;
    if (on_a == on_b) continue;
    const double sign = (on_b - on_a) / dt;
    const Vector3d force = sign * contact.impulse_W;
    wrench.head<3>() += (contact.p_W - p_WQ).cross(force) + sign * contact.moment_W;
    wrench.tail<3>() += force;
  }
  return wrench;
}

}  // namespace stiction

// A contact as NumPy sees it, in World.contacts and in rollouts.
#pragma once

#include <vector>

#include "stiction/sim/contact.h"

namespace stiction::python {

// The fields, in the order of the structured array.
struct ContactRow {
  int geom_a, geom_b, body_a, body_b;
  double position[3], normal[3], gap, impulse[3], moment[3];
};

inline void Put(const Vector3d& from, double* to) {
  for (int i = 0; i < 3; ++i) to[i] = from[i];
}

// Without a geom, as where a rollout has room for more contacts than there are: without a body.
inline ContactRow MakeContactRow(const std::vector<Geom>& geoms, const Contact& contact) {
  const auto body_of = [&](int geom) { return geom < 0 ? -1 : geoms[geom].body; };
  ContactRow row;
  row.geom_a = contact.geom_a, row.geom_b = contact.geom_b;
  row.body_a = body_of(contact.geom_a), row.body_b = body_of(contact.geom_b);
  row.gap = contact.gap;
  Put(contact.p_W, row.position), Put(contact.n_W, row.normal);
  Put(contact.impulse_W, row.impulse), Put(contact.moment_W, row.moment);
  return row;
}

}  // namespace stiction::python

// Orders a model's bodies and derives what the algorithms need to know about the tree.
#pragma once

#include <vector>

#include "stiction/model/model.h"

namespace stiction {

// order[i] = new index of the body that stands at i: depth first, children in the order in which they stand.
std::vector<int> CalcDepthFirstOrder(const std::vector<Body>& bodies);

// Fills the derived fields of bodies and joints (addresses, weld, last_dof, tree), trees, the dof arrays and
// q0. Bodies stand depth first and joints follow their bodies.
void FillTopology(Model& model);

// Where cameras that track stand in the file. Bodies stand depth first.
void FillFilePlaces(Model& model);

// Body::inertia_box, along the axes of R_BI, of every body that has mass: m (b_y² + b_z²) / 12 is the first
// moment, and so on.
void FillInertiaBoxes(std::vector<Body>& bodies);

}  // namespace stiction

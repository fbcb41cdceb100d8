// By how much bodies, joints and tendons give way to a unit impulse at q0: what MJCF's softness
// (sim/soft_rows.h) takes for the Delassus diagonal of a row, wherever the model stands.
//
// MuJoCo measures the impedance of its rows so, and files have their solref and solimp from it: four corners
// of a box on the floor sink a quarter as deep as one point that carries the box would. That is so of its
// elliptic cones; the depth of its pyramids goes by friction, too, which has no counterpart here.
//
// References: MuJoCo's documentation, "Computation: Constraint model, Diagonal regularizer", and
// "mjModel: body_invweight0, dof_invweight0, tendon_invweight0".
#pragma once

#include <vector>

#include "stiction/model/model.h"

namespace stiction {

struct InverseWeights {
  // Nothing where no row of the model can give way by MJCF's words, or M is singular at q0.
  explicit InverseWeights(const Model& model);

  // W of a row of one pair of bodies, of one joint, or of a tendon. 0: not known, as where q0 lets nothing
  // move along the axis.
  double Translation(int body_a, int body_b) const { return Sum(translation_, body_a, body_b); }  // [1/kg]
  double Rotation(int body_a, int body_b) const { return Sum(rotation_, body_a, body_b); }  // [1/(kg m²)]
  // Of one or two; -1: none.
  double Joints(int joint, int other = -1) const { return Sum(joints_, joint, other); }
  double Tendons(int tendon, int other = -1) const { return Sum(tendons_, tendon, other); }

 private:
  static double Sum(const std::vector<double>& weights, int i, int j) {
    if (weights.empty()) return 0.0;
    return weights[i] + (j >= 0 ? weights[j] : 0.0);
  }

  // Of J M⁻¹ Jᵀ: the mean over the axes, of a body's at its centre of mass; 0 of what is fixed to the world.
  std::vector<double> translation_, rotation_;  // one per body
  std::vector<double> joints_;                  // of a coordinate; ball: the mean; free: 0
  std::vector<double> tendons_;
};

}  // namespace stiction

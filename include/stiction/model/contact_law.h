// How two surfaces act on one another, and how the coefficients of two geoms become those of a pair.
//
// Friction of a contact with normal impulse λ_n between bodies whose relative velocity is v_t (sliding) and
// ω = ω_n n + ω_t (spin and rolling):
//
//   sliding    ‖λ_t‖ ≤ μ λ_n      opposed to v_t where v_t ≠ 0
//   torsional  |τ_n| ≤ μ_n λ_n     opposed to ω_n   from condim 4 on
//   rolling    ‖τ_t‖ ≤ μ_r λ_n     opposed to ω_t   condim 6
//
// each by itself, as Coulomb's law is for sliding: the three do not share one budget. μ_n and μ_r are lengths
// [m]: a disc of radius r that presses evenly has μ_n = 2/3 μ r, and a wheel that dents the ground starts to
// roll on a slope of angle μ_r/r.
#pragma once

#include "stiction/model/softness.h"

namespace stiction {

// A larger μ counts as this. What is held by 10⁴ times the force that presses is held for good, and of a cone
// so close to the half space that the natural map measures (contact/certificate.h) no contact can be told
// from none: its error in g_n is up to μ times what the certificate says.
inline constexpr double kMaxFriction = 1e4;

// Whether bodies give way where they touch. kRigid is exact and has nothing to tune; the others are opt-in.
enum class ContactModel {
  kRigid,
  kSoft,       // solref and solimp of MJCF, as MuJoCo's users know them: sim/soft_rows.h
  kCompliant,  // spring and damper in parallel, without pull: Geom::stiffness, Geom::dissipation_time
};
// "rigid", "soft", "compliant".
const char* ToString(ContactModel model);

// Friction of a pair.
struct PairFriction {
  double sliding = 0.0;    // μ; see kMaxFriction
  double torsional = 0.0;  // μ_n [m]
  double rolling = 0.0;    // μ_r [m]
};

// A pair of geoms that has coefficients of its own, and touches whatever contype says (MJCF's <pair>).
struct ContactPair {
  int geom_a = -1;  // the smaller index
  int geom_b = -1;
  PairFriction friction{};
  double restitution = 0.0;
  double margin = 0.0;  // as Geom::margin, instead of the larger of the two [m]
  double gap = 0.0;
  Softness softness{};
};

struct Geom;
class Model;

// What its condim leaves of a friction: 1 nothing, 3 sliding, 4 torsional as well, 6 all.
PairFriction RestrictFriction(const PairFriction& friction, int condim);

// Friction by MJCF's rule: the geom with the higher priority decides, else element-wise maximum, of
// condim too.
PairFriction CalcPairFriction(const Geom& a, const Geom& b);

// Softness by the same rule: the geom with the higher priority decides, else the mean weighted by
// Geom::softness_weight; where a reference is given as stiffness and damping, the element-wise minimum.
Softness CalcPairSoftness(const Geom& a, const Geom& b);

// Two springs in series: 1/k = 1/k_a + 1/k_b [N/m]; infinite if both are.
double CalcPairStiffness(const Geom& a, const Geom& b);
// Of two springs and dampers in series, each with its own dissipation time: the mean weighted by compliance,
// or without any compliance the larger [s].
double CalcPairDissipation(const Geom& a, const Geom& b);

// The entry of the two geoms in Model::contact_pairs, nullptr if there is none.
const ContactPair* FindContactPair(const Model& model, int geom_a, int geom_b);
// Of the two geoms' contact pair, or by the rule above; at most kMaxFriction.
PairFriction CalcFriction(const Model& model, int geom_a, int geom_b);
PairFriction CalcFriction(const ContactPair* pair, const Geom& a, const Geom& b);
Softness CalcSoftness(const Model& model, int geom_a, int geom_b);

}  // namespace stiction

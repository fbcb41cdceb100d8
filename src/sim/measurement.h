// The quantities of a scenario's expectations, measured in a World.
#pragma once

#include "stiction/scenario/scenario.h"
#include "stiction/sim/world.h"

namespace stiction {

// Least impulse of a contact that carries load [N·s]. A solver may leave rounding on one that is open; a gram
// at rest on four points for 1 ms has 2e-6.
inline constexpr double kLoadedImpulse = 1e-9;

// Whether the quantity is one of a step, of which there is none at the start.
bool IsOfStep(Quantity quantity);

// Frames with body = -1 are not given: I is then the world. World axes where not said otherwise.
//   p_IF, and the velocity of F's origin as seen from I, both in I's axes [m, m/s]
Vector3d MeasurePosition(const World& world, const Frame& F, const Frame& I);
Vector3d MeasureVelocity(const World& world, const Frame& F, const Frame& I);
// Of the fastest body's origin [m/s].
double MeasureLargestSpeed(const World& world);
// Of F's body, or of all: deepest overlap of the contacts [m].
double MeasurePenetration(const Model& model, const std::vector<Contact>& contacts, const Frame& F);
// Of the last step, of F's body or of all: contact points that carry load, and their impulse on F's body, in
// I's axes [N·s]; of contacts with the body of `by` alone where that is given.
//   recorded  the contacts; null: what the State remembers of them, which survives its being saved
int CountLoadedContacts(const World& world, const Frame& F, const Frame& by,
                        const std::vector<Contact>* recorded = nullptr);
Vector3d MeasureImpulse(const World& world, const Frame& F, const Frame& I, const Frame& by,
                        const std::vector<Contact>* recorded = nullptr);
// Mean force over the last step [N].
Vector3d MeasureForce(const World& world, const Frame& F, const Frame& I, const Frame& by);

}  // namespace stiction

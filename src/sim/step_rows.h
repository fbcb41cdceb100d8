// The contact problem of a step, put together from what the step found.
#pragma once

#include "stiction/sim/step.h"

namespace stiction {

// Equalities, dry friction, slopes that A has no place for, near contacts and limits, with their warm start;
// far contacts wait for AdmitFarContacts. Needs the free velocity.
void AssembleProblem(const Model& model, const Input& input, const State& state, StepWorkspace& ws);

// A far contact acts only if its pair would really overlap at the end of a step without it, or was found to
// meet on its way: a body that passes an edge closely would otherwise be deflected by a contact that never
// happens.
void AdmitFarContacts(const Model& model, const Input& input, const State& state, StepWorkspace& ws);

// The rows of all active equalities and their bias, in ws.equality_stage, for the displacement ws.foreseen.
// They come first in the problem, where EqualityStage::UpdateRows renews them.
void CalcEqualityRows(const Model& model, const Input& input, const State& state, StepWorkspace& ws);

// What mocap bodies alone move of B at the contact point against A in the step, world axes
// (sim/mocap_motion.h).
struct MocapStep {
  Vector3d displacement = Vector3d::Zero();  // [m]
  Vector3d turn = Vector3d::Zero();          // rotation vector [rad]
};
MocapStep CalcMocapStep(const Model& model, const StepWorkspace& ws, const TrackedContact& contact);

}  // namespace stiction

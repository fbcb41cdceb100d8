// Checks of a model under construction. All throw ModelError; indices are the builder's.
#pragma once

#include <vector>

#include "stiction/model/model_builder.h"

namespace stiction {

// "body 'arm'", or "body 3" for one without a name.
std::string Quote(const char* what, const std::string& name, int index);

// At the door of Add...: signs, sizes, ranges; of a camera the pose, too.
void CheckJoint(const Model& model, int body, const Joint& joint);
void CheckGeom(const Geom& geom, const GeomMass& mass, int index);
void CheckVisual(const Visual& visual, int index);
void CheckCamera(const ModelCamera& camera, int index);

// At Build: options; numbers finite and rotations orthonormal; triangles of vertices that exist; mass
// properties physical; mocap bodies free to be moved.
void CheckOptions(const Options& options);
void CheckBodies(const Model& model);
void CheckJoints(const Model& model);
void CheckGeoms(const Model& model);
void CheckVisuals(const Model& model);
void CheckActuators(const Model& model);

// Names are unique among the elements of one kind; elements without a name are exempt.
void CheckNames(const Model& model);

// Every joint moves something: the bodies at and below it, frozen at q0, have inertia along each of its dofs,
// or else the joint has armature. Bodies may stand in any order in which parents come first.
void CheckJointsMoveMass(const Model& model);

}  // namespace stiction

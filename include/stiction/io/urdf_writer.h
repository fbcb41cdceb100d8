// Writes models as URDF files, as far as that format goes: links with their inertias, what they look like and
// what of them collides, joints with limits, damping and friction, mimics, motors.
//
//   const stiction::Model model = stiction::LoadModel("arm.xml", {.visuals = true});
//   const stiction::ModelDocument document = stiction::MakeUrdf(model, "arm.urdf");
//   for (const stiction::ImportItem& item : document.report.items) Log(Describe(item));
//   stiction::SaveDocument(document, "arm.urdf");  // and arm_assets/*.obj
//
// A model that was read from a URDF file comes back as the same one, and when it is written again as the same
// text. Of others the report says what is lost, or written in other words:
//
//   several joints on a body    a chain of links, of which only the last has mass
//   an anchor beside the frame  the link's frame stands at its last joint
//   universal joint             two revolute joints
//   ball joint                  three revolute joints about x, y and z: locks with the second one at ±90°
//   screw joint                 a revolute joint, and a prismatic one that mimics it
//   free body                   a joint of the type "floating" on the root link, which is called "world" or
//                               as a frame of the world that stands at its origin: read without
//                               --floating-base, and however many there are without --several-roots
//   body without joints         a link behind a fixed joint, which is one with what carries it when it is
//   read frame (MJCF's site)         a link without mass behind a fixed joint a joint's coordinate counts
//   from where the body stands in the file ends of ranges              1e10 where there is none, which is
//   read as none motors on a joint           transmissions; limits of control and force are the joint's
//   effort
//
// The format has no word for what else a model may have: tendons, equalities, servos, sensors,
// keyframes, friction, gravity. Meshes lie beside the file, as they do of MJCF files (mjcf_writer.h).
#pragma once

#include <string>

#include "stiction/io/model_document.h"
#include "stiction/model/model.h"

namespace stiction {

// The document's extensions are words that other readers of URDF may not know: "collision[@concave]",
// "capsule".
//
//   path  where it will be saved: names the folder of the assets, <stem>_assets, and stands in the report
// Throws std::invalid_argument: a text too long for any reader.
ModelDocument MakeUrdf(const Model& model, const std::string& path);

}  // namespace stiction

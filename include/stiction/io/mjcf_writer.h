// Writes models as MJCF files, so that LoadModel() reads the same model again: tree, masses, joints, shapes
// and their contact laws, looks, cameras, frames, tendons, equalities, actuators, sensors, keyframes,
// options.
//
//   const stiction::Model model = stiction::LoadModel("arm.urdf", {.visuals = true});
//   const stiction::MjcfDocument document = stiction::MakeMjcf(model, "arm.xml");
//   for (const stiction::ImportItem& item : document.report.items) Log(Describe(item));
//   stiction::SaveMjcf(document, "arm.xml");  // and arm_assets/*.obj
//
// Numbers read back bit for bit, rotations to the last bits: quaternions stand in the file. A model that was
// read from a file so written gives that very file again.
//
// A convex hull is made again of its vertices. Those that then lie in a face, to 1e-6 of its size, go; the
// report says so.
//
// What is different afterwards, and means the same:
//   - what others refer to has a name ("geom7"), and a place that an actuator, equality, tendon or sensor
//     means is a site, and so a frame of the model
//   - a shape that is only looked at is a geom that touches nothing; one that collides and is a mesh is not
//     looked at, but its triangles are; what is not looked at is in group 3
//   - geoms excluded from one another in all combinations of two bodies are an exclusion of these bodies
//
// The words are those of MuJoCo's own reader wherever it has them. MjcfDocument::extensions names the others:
//   geom[@concave], geom[@field], geom[@resolution]    surfaces and distance fields as they are
//   geom[@restitution], geom[@stiffness], geom[@dissipation_time], pair[@restitution]
//   geom[@hydroelastic], geom[@modulus], geom[@dissipation], geom[@polygons]    patches of pressure
//   exclude[@geom1]                                    a pair of geoms; with geom2
//   lock                                               two sites keep some of their six relative motions
//   distance                                           two sites keep their distance
//   option[@contact], option[@integrator], option[@sleep_time]
#pragma once

#include <string>

#include "stiction/io/model_document.h"
#include "stiction/model/model.h"

namespace stiction {

using MjcfAsset = ModelAsset;
using MjcfDocument = ModelDocument;  // its extensions: what MuJoCo does not know

//   path  where it will be saved: names the folder of the assets, <stem>_assets, and stands in the report
// Throws std::invalid_argument for a model that no reader would take: bodies nested too deeply, a text that
// is too long.
MjcfDocument MakeMjcf(const Model& model, const std::string& path);

// SaveDocument (model_document.h).
void SaveMjcf(const MjcfDocument& document, const std::string& path);

}  // namespace stiction

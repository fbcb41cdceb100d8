// Loads model files. The kind of a file is its root element: <robot> is URDF, <mujoco> is MJCF, <sdf> is
// SDFormat, which needs a build that found libsdformat.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "stiction/io/import_report.h"
#include "stiction/model/load_error.h"
#include "stiction/model/model.h"
#include "stiction/model/model_repairs.h"

namespace stiction {

struct LoadOptions {
  // URDF: the root link moves freely. With `ground`, the model is lifted so that its lowest point is 1 mm
  // above it. A root link called "world" stays, and what a fixed joint holds to it moves; LoadError if that
  // is not one link. An MJCF file says itself what floats: LoadError.
  bool floating_base = false;
  // Where `package://name/...` is looked for after the file's own package tree: folders that are, or hold,
  // packages. The environment's STICTION_PACKAGE_PATH and ROS_PACKAGE_PATH (separated by colons) follow.
  std::vector<std::string> package_paths{};
  // Adds the plane z = *ground with friction 1.
  std::optional<double> ground{};
  // How bodies touch, whatever the file says. kSoft reads MJCF's solref, solimp and solmix, which are
  // otherwise reported as approximated, and makes limits and equalities give way, too, as the file says; a
  // URDF's contacts then have MJCF's defaults.
  std::optional<ContactModel> contact_model{};
  // Reads what the model looks like into Model::visuals, and sets Geom::is_seen. Costs the time to read the
  // meshes that are only looked at, and has no effect on the simulation; what of it cannot be read is
  // reported as ignored and does not stop the load.
  //   URDF  every <visual>, with its material's colour. Geoms of a link that has one are not seen.
  //   MJCF  every mesh geom, with its own triangles. Mesh geoms that collide are also geoms, of which the
  //         hulls are not seen. As in MuJoCo, groups 3 to 5 are hidden: they become no visuals, and no geom
  //         of theirs is seen unless its body has nothing else to show. The same holds for what does not
  //         collide under discardvisual.
  // Textures are read with it, and what mesh files of a URDF say of their colours. Off: the only visuals are
  // the marks of MJCF's sites, and all geoms are seen.
  bool visuals = false;
  // What may be made of a file that does not say enough.
  ModelRepairs repairs{};
  // "name:=value", for the user's own program xacro, which expands files whose name ends in ".xacro".
  // LoadError for others.
  std::vector<std::string> xacro_arguments{};
};

// Throws LoadError. `report`, where given, receives what was approximated and ignored (and what was
// honoured).
Model LoadModel(const std::string& path, const LoadOptions& options = {}, ImportReport* report = nullptr);

// The same of a text, URDF or MJCF, as if it stood in a file "(text)" of this folder: there meshes, includes
// and packages are looked for.
Model LoadModelText(const std::string& text, const std::string& folder = ".", const LoadOptions& options = {},
                    ImportReport* report = nullptr);

}  // namespace stiction

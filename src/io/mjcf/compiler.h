// <compiler>: how the numbers of an MJCF file are to be understood.
#pragma once

#include <string>

#include "io/xml/element.h"
#include "stiction/model/model.h"

namespace stiction::mjcf {

// true, false, or by whether a range was given (with autolimits).
enum class Limited { kAuto, kTrue, kFalse };

struct Compiler {
  enum class InertiaFromGeom { kAuto, kTrue, kFalse };

  bool degrees = true;
  bool auto_limits = true;
  std::string euler_sequence =
      "xyz";  // lower case: about the axes as they turn; upper case: about fixed axes
  InertiaFromGeom inertia_from_geom = InertiaFromGeom::kAuto;
  double bound_mass = 0.0;     // [kg]
  double bound_inertia = 0.0;  // [kg·m²]
  double total_mass = -1.0;    // [kg]; not positive: as written
  bool balance_inertia = false;
  bool fuse_static = false;         // bodies fixed to the world, and named nowhere, are no bodies
  bool align_free = false;          // frames of free bodies without children become their inertial frames
  bool fits_bounds = false;         // primitives to the bounds of a mesh, not to its inertia
  bool exact_mesh_inertia = false;  // of meshes that do not say by which rule they weigh
  int inertia_groups[2] = {0, 5};
  std::string mesh_dir;     // below the main file's folder
  std::string texture_dir;  // likewise
  bool strip_path = false;
  bool discard_visual = false;     // read by who reads visuals
  bool contacts_are_soft = false;  // LoadOptions::contact_model
  double timestep = Options{}.timestep;

  double ToRadians(double angle) const;
};

// Later sections override earlier ones, attribute by attribute.
void ReadCompiler(xml::Element& element, Compiler& compiler);

// What of it concerns masses alone: bounds, balance, the total, and which geoms count.
void ReadInertiaRules(xml::Element& element, Compiler& compiler);

// What an <option> says of time, gravity, the fluid around bodies and the integrator.
void ReadCommonOptions(xml::Element& element, Options& options);

// Whether a range holds. Throws LoadError if it does and is empty, or if autolimits is off and the file does
// not say.
bool DecideLimited(const xml::Element& element, const Compiler& compiler, Limited limited,
                   const double* range, const std::string& what);

// "auto", "true" or "false".
bool ReadLimited(xml::Element& element, std::string_view attribute, Limited& limited);

}  // namespace stiction::mjcf

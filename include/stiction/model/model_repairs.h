// What a reader may do, if asked, where a file does not say enough or says what cannot be. All of it is off
// by default, and whatever is done stands in the import report.
//
//   Model model = stiction::LoadModel("drawing.urdf", {.repairs = {.infer_inertia = 1000.0}});
#pragma once

#include <optional>

namespace stiction {

struct ModelRepairs {
  // URDF: mass and inertia of every link without an <inertial>, or whose mass there is 0, as if its collision
  // shapes, else its visual ones, were solid and of this density [kg/m³]; meshes count as their hulls. Masses
  // without moments get those of the same shapes, and stay where they are. Links that are only frames stay
  // without mass, unless they move by themselves: those become a ball of 1 cm radius. MJCF says itself what
  // geoms weigh: no effect.
  std::optional<double> infer_inertia{};
  // Shapes whose mesh file is not there or cannot be read are left out. Off: LoadError.
  bool skip_missing_meshes = false;
  // Inertia tensors with a negative principal moment, or that break the triangle inequality of rigid bodies,
  // become the nearest that some rigid body has (geometry/mass_properties.h). Off: the first is a LoadError,
  // the second used as written.
  bool repair_inertia = false;
  // URDF: links without a parent each carry a tree of their own. Off: more than one is a LoadError.
  bool several_roots = false;

  bool operator==(const ModelRepairs&) const = default;
};

}  // namespace stiction

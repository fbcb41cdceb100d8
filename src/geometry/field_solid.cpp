#include "stiction/geometry/field_solid.h"

#include <mutex>
#include <stdexcept>

#include "geometry/field_mass_properties.h"
#include "geometry/field_surface.h"
#include "geometry/surface_samples.h"

namespace stiction {

class UnitDensityOnDemand {
 public:
  const MassProperties& Calc(const FieldSolid& solid) {
    std::call_once(once_, [&] {
      try {
        unit_density_ = CalcSolidMassProperties(solid.field);
      } catch (const std::invalid_argument&) {
        unit_density_ = solid.surface.surface->unit_density;
      }
    });
    return unit_density_;
  }

 private:
  std::once_flag once_;
  MassProperties unit_density_;
};

namespace {

// Of the surface's radius: the length of patches that are told apart by their normals before they are cut
// further.
constexpr double kTurnLength = 0.3;

}  // namespace

const MassProperties& FieldSolid::CalcUnitDensity() const {
  return mass->Calc(*this);
}

PlacedField MakeField(const DistanceField& field, double spacing) {
  if (spacing == 0.0) spacing = field.bounds().sizes().maxCoeff() / 40.0;
  const PlacedMesh placed = MakeMesh(CalcSurface(field, spacing));
  const MeshSurface& surface = *placed.mesh.surface;
  const DistanceField own = Transform({Matrix3d::Identity(), -placed.p_MG}, field);
  auto samples =
      std::make_shared<const SurfaceSamples>(MakeSurfaceSamples(own, surface, kTurnLength * surface.radius));
  return {{std::make_shared<const FieldSolid>(FieldSolid{own, placed.mesh, spacing, std::move(samples),
                                                         std::make_shared<UnitDensityOnDemand>()})},
          placed.p_MG};
}

}  // namespace stiction

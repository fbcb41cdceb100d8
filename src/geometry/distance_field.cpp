#include "stiction/geometry/distance_field.h"

#include "geometry/field_machine.h"

namespace stiction {

FieldSample DistanceField::Evaluate(const Vector3d& p) const {
  return FieldMachine<Vector3d, FieldSample>::Run(*program_, p);
}

FieldSamplePack EvaluatePack(const DistanceField& field, const VectorPack& p) {
  return FieldMachine<VectorPack, FieldSamplePack>::Run(field.program(), p);
}

const Eigen::AlignedBox3d& DistanceField::bounds() const {
  return program_->bounds;
}

}  // namespace stiction

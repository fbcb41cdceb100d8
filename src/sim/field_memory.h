// Where the surfaces of pairs of fields were found to come near (collision/narrowphase/field_pair.h), for who
// looks at the same pose again. What is not remembered is found anew, and is the same: how much is, decides
// on time alone.
#pragma once

#include <cstddef>
#include <vector>

#include "collision/narrowphase/field_pair.h"
#include "stiction/model/model.h"

namespace stiction {

// Whether the geom is a distance field that does not give way.
bool IsRigidField(const Geom& geom);

class FieldMemory {
 public:
  // Allocates, which nothing else does.
  explicit FieldMemory(const Model& model);

  // Rigid fields, whose pairs are remembered.
  bool is_field(int geom) const { return is_field_[geom] != 0; }
  int num_fields() const { return num_fields_; }

  // In place of what is remembered of the pair.
  const narrowphase::FieldLows& Find(const Model& model, int geom_a, int geom_b, const RigidTransform& X_AB,
                                     double reach);
  // As CalcManifold. Several threads may call it.
  void CalcManifold(const Model& model, int geom_a, const RigidTransform& X_WA, int geom_b,
                    const RigidTransform& X_WB, double margin, Manifold& out) const;

 private:
  struct Pair {
    int geom_a = -1, geom_b = -1;
    narrowphase::FieldLows lows;
  };
  // Its place among pairs_; the size of that if it is not remembered.
  std::size_t Recall(int geom_a, int geom_b) const;

  std::vector<char> is_field_;  // one per geom
  int num_fields_ = 0;
  std::vector<Pair> pairs_;
  std::size_t next_ = 0;  // the one to be forgotten
};

}  // namespace stiction

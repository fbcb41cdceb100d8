// Where a joint's spring rests.
#pragma once

#include <algorithm>

#include "stiction/model/model.h"

namespace stiction {

class SpringRest {
 public:
  SpringRest(const Model& model, const Joint& joint) {
    if (joint.has_quaternion())
      std::copy_n(model.q0.data() + joint.q_address, joint.nq(), q_);
    else
      std::fill_n(q_, joint.nq(), joint.spring_reference);
  }
  const double* q() const { return q_; }  // size nq of the joint

 private:
  double q_[7];
};

}  // namespace stiction

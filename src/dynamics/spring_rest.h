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

// Of all joints: where the springs of tendons rest, too, unless they say it themselves.
inline VectorXd FindSpringRest(const Model& model) {
  VectorXd q = model.q0;
  for (const Joint& joint : model.joints)
    std::copy_n(SpringRest(model, joint).q(), joint.nq(), q.data() + joint.q_address);
  return q;
}

}  // namespace stiction

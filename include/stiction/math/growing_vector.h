// A column of numbers whose length changes from step to step, such as the rows of the contact problem.
//
// An Eigen vector gives its memory back at every change of size; this one keeps what it once had. It is a Map
// over its own storage, so that it takes part in every Eigen expression.
#pragma once

#include <vector>

#include "stiction/math/types.h"

namespace stiction {

class GrowingVector : public Eigen::Map<VectorXd> {
 public:
  using Map = Eigen::Map<VectorXd>;

  GrowingVector() : Map(nullptr, 0) {}
  GrowingVector(const GrowingVector& other);
  GrowingVector(GrowingVector&& other) noexcept;
  template <typename Derived>
  GrowingVector(const Eigen::MatrixBase<Derived>& values) : Map(nullptr, 0) {  // NOLINT: as Eigen's own
    *this = values;
  }

  GrowingVector& operator=(const GrowingVector& other);
  GrowingVector& operator=(GrowingVector&& other) noexcept;
  // The values must not refer to this vector unless they have its size.
  template <typename Derived>
  GrowingVector& operator=(const Eigen::MatrixBase<Derived>& values) {
    resize(values.size());
    Map::operator=(values);
    return *this;
  }

  // Keeps the first values; new ones are zero.
  void resize(Eigen::Index size);
  using Map::setZero;
  void setZero(Eigen::Index size);

 private:
  void Place();

  std::vector<double> storage_;
};

}  // namespace stiction

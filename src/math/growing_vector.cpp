#include "stiction/math/growing_vector.h"

#include <utility>

namespace stiction {

GrowingVector::GrowingVector(const GrowingVector& other) : Map(nullptr, 0), storage_(other.storage_) {
  Place();
}

GrowingVector::GrowingVector(GrowingVector&& other) noexcept
    : Map(nullptr, 0), storage_(std::move(other.storage_)) {
  Place();
  other.storage_.clear();
  other.Place();
}

GrowingVector& GrowingVector::operator=(const GrowingVector& other) {
  storage_ = other.storage_;
  Place();
  return *this;
}

GrowingVector& GrowingVector::operator=(GrowingVector&& other) noexcept {
  storage_.swap(other.storage_);
  Place();
  other.Place();
  return *this;
}

void GrowingVector::resize(Eigen::Index size) {
  storage_.resize(static_cast<std::size_t>(size));
  Place();
}

void GrowingVector::setZero(Eigen::Index size) {
  resize(size);
  Map::setZero();
}

void GrowingVector::Place() {
  new (static_cast<Map*>(this)) Map(storage_.data(), static_cast<Eigen::Index>(storage_.size()));
}

}  // namespace stiction

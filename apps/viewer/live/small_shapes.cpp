#include "small_shapes.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <iterator>

namespace stiction::viewer {
namespace {

using Eigen::Vector3f;

// How far the normals of an outline lean to the eye: most of what is seen lies within it, and faces the eye.
constexpr float kLean = 0.8f, kRoundLean = 0.6f;

std::uint8_t ToByte(float share) {
  return static_cast<std::uint8_t>(255.0f * std::clamp(share, 0.0f, 1.0f) + 0.5f);
}

std::array<float, 3> ToArray(const Vector3f& p) {
  return {p.x(), p.y(), p.z()};
}

// Points of the unit circle.
template <int kCount>
std::array<Eigen::Vector2f, kCount> MakeCircle() {
  std::array<Eigen::Vector2f, kCount> points;
  for (int k = 0; k < kCount; ++k) {
    const float angle = 2.0f * static_cast<float>(M_PI) * static_cast<float>(k) / static_cast<float>(kCount);
    points[static_cast<std::size_t>(k)] = {std::cos(angle), std::sin(angle)};
  }
  return points;
}

}  // namespace

void SmallShapes::Clear() {
  vertices_.clear();
  indices_.clear();
  num_shapes_ = 0;
}

void SmallShapes::Begin(const DrawInstance& instance) {
  const Eigen::Map<const Eigen::Matrix<float, 3, 4>> pose(instance.pose);
  axes_ = pose.leftCols<3>();
  center_ = pose.col(3);
  const DrawColor& c = instance.color;
  const DrawSurface& s = instance.surface;
  look_.color = {ToByte(c.r), ToByte(c.g), ToByte(c.b), ToByte(c.a)};
  look_.surface = {ToByte(s.roughness), ToByte(s.metallic), ToByte(s.specular), ToByte(s.emission)};
  ++num_shapes_;
}

void SmallShapes::AddVertex(const Vector3f& p, const Vector3f& n) {
  look_.position = ToArray(p);
  look_.normal = ToArray(n);
  vertices_.push_back(look_);
}

// Of the last `count` vertices, from the one at `first`; closed: around it.
void SmallShapes::AddFan(int first, int count, bool is_closed) {
  const auto start = static_cast<std::uint32_t>(first);
  const auto end = start + static_cast<std::uint32_t>(count);
  for (std::uint32_t k = start + 1; k + 1 < end; ++k) indices_.insert(indices_.end(), {start, k, k + 1});
  if (is_closed) indices_.insert(indices_.end(), {start, end - 1, start + 1});
}

// Six corners, in their order around the outline. Every other one is nearer to the eye.
void SmallShapes::AddOutline(const DrawInstance& instance, float share, const Vector3f& to_eye) {
  Begin(instance);
  Eigen::Matrix3f sides = share * axes_;
  for (int k = 0; k < 3; ++k)
    if (sides.col(k).dot(to_eye) < 0.0f) sides.col(k) *= -1.0f;
  constexpr float kSigns[6][3] = {{-1, 1, 1}, {-1, -1, 1}, {1, -1, 1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1}};
  const auto first = static_cast<std::uint32_t>(vertices_.size());
  const Vector3f lean = kLean * to_eye.normalized();
  for (const auto& [x, y, z] : kSigns) {
    const Vector3f corner = x * sides.col(0) + y * sides.col(1) + z * sides.col(2);
    AddVertex(center_ + corner, corner.normalized() + lean);
  }
  constexpr std::uint32_t kTriangles[] = {0, 1, 2, 2, 3, 4, 4, 5, 0, 0, 2, 4};
  for (const std::uint32_t corner : kTriangles) indices_.push_back(first + corner);
}

bool SmallShapes::AddShape(DrawPrimitive primitive, const DrawInstance& instance, const Vector3f& to_eye) {
  const bool is_known = primitive == DrawPrimitive::kBox || primitive == DrawPrimitive::kSphere ||
                        primitive == DrawPrimitive::kCylinder;
  if (!is_known) return false;
  Begin(instance);
  for (int k = 0; k < 3; ++k)
    normal_axes_.col(k) = axes_.col(k) / std::max(axes_.col(k).squaredNorm(), 1e-30f);
  if (primitive == DrawPrimitive::kBox) AddBox(to_eye);
  if (primitive == DrawPrimitive::kSphere) AddSphere(to_eye);
  if (primitive == DrawPrimitive::kCylinder) AddCylinder(to_eye);
  return true;
}

// The sides that face the eye.
void SmallShapes::AddBox(const Vector3f& to_eye) {
  for (int k = 0; k < 3; ++k) {
    const float towards = normal_axes_.col(k).dot(to_eye);
    if (std::abs(towards) <= 1.0f) continue;
    const Vector3f side = std::copysign(1.0f, towards) * axes_.col(k);
    const Vector3f u = axes_.col((k + 1) % 3), v = axes_.col((k + 2) % 3), p = center_ + side;
    const int first = static_cast<int>(vertices_.size());
    for (const Vector3f& corner :
         {Vector3f(p - u - v), Vector3f(p + u - v), Vector3f(p + u + v), Vector3f(p - u + v)})
      AddVertex(corner, side);
    AddFan(first, 4, false);
  }
}

// A disc that bulges towards the eye.
void SmallShapes::AddSphere(const Vector3f& to_eye) {
  static const auto circle = MakeCircle<10>();
  const Vector3f front = (normal_axes_.transpose() * to_eye).normalized();
  const Vector3f u = front.unitOrthogonal(), v = front.cross(u);
  const int first = static_cast<int>(vertices_.size());
  AddVertex(center_ + axes_ * front, normal_axes_ * front);
  for (const Eigen::Vector2f& p : circle) {
    const Vector3f rim = p.x() * u + p.y() * v;
    AddVertex(center_ + axes_ * rim, normal_axes_ * (rim + kRoundLean * front));
  }
  AddFan(first, 11, true);
}

// The cap that faces the eye, and the half of the side that does.
void SmallShapes::AddCylinder(const Vector3f& to_eye) {
  constexpr int kSides = 8;
  static const auto circle = MakeCircle<kSides>();
  const Vector3f eye = normal_axes_.transpose() * to_eye;
  if (std::abs(eye.z()) > 1.0f) {
    const float up = std::copysign(1.0f, eye.z());
    const int first = static_cast<int>(vertices_.size());
    for (const Eigen::Vector2f& p : circle)
      AddVertex(center_ + axes_ * Vector3f(p.x(), p.y(), up), up * normal_axes_.col(2));
    AddFan(first, kSides, false);
  }
  // Four sides from where the outline begins, nearly: the circle's points from a quarter turn before the eye.
  const float turn = std::atan2(eye.y(), eye.x()) * kSides / (2.0f * static_cast<float>(M_PI));
  const int from = static_cast<int>(std::lround(turn)) - kSides / 4 + kSides;
  const auto first = static_cast<std::uint32_t>(vertices_.size());
  for (int k = 0; k <= kSides / 2; ++k) {
    const Eigen::Vector2f& p = circle[static_cast<std::size_t>((from + k) % kSides)];
    for (const float end : {-1.0f, 1.0f})
      AddVertex(center_ + axes_ * Vector3f(p.x(), p.y(), end), normal_axes_ * Vector3f(p.x(), p.y(), 0.0f));
    if (k == 0) continue;
    const std::uint32_t last = first + 2 * static_cast<std::uint32_t>(k);
    indices_.insert(indices_.end(), {last - 2, last, last + 1, last - 2, last + 1, last - 1});
  }
}

}  // namespace stiction::viewer

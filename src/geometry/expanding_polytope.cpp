#include "geometry/expanding_polytope.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <utility>

#include "math/constants.h"

namespace stiction::geometry {
void ExpandingPolytope::MakeTetrahedron(const SupportPoint points[4]) {
  for (int k = 0; k < 4; ++k) vertices_[k] = points[k];
  num_vertices_ = 4;
  // Swap two, if need be, so that face 012 looks away from vertex 3.
  const Vector3d& a = points[0].x;
  if ((points[1].x - a).cross(points[2].x - a).dot(points[3].x - a) > 0.0) {
    std::swap(vertices_[1], vertices_[2]);
  }
  constexpr std::int16_t kVertices[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
  constexpr std::int16_t kNeighbors[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
  num_faces_ = 4;
  for (int f = 0; f < 4; ++f) {
    SetFace(f, kVertices[f][0], kVertices[f][1], kVertices[f][2]);
    for (int k = 0; k < 3; ++k) faces_[f].neighbor[k] = kNeighbors[f][k];
  }
}

int ExpandingPolytope::FindNearestFace() const {
  int nearest = 0;
  for (int f = 1; f < num_faces_; ++f) {
    if (distances_[f] < distances_[nearest]) nearest = f;
  }
  return nearest;
}

bool ExpandingPolytope::PlaneHolds(int f, const Vector3d& x) const {
  return std::abs(faces_[f].normal.dot(x) - distances_[f]) <= 1e-9 * scale_;
}

bool ExpandingPolytope::Holds(const SupportPoint& w) const {
  const double squared = kRoundoff * scale_ * kRoundoff * scale_;
  for (int k = 0; k < num_vertices_; ++k) {
    if ((vertices_[k].x - w.x).squaredNorm() <= squared) return true;
  }
  return false;
}

void ExpandingPolytope::Retire(int f) {
  faces_[f].distance = distances_[f] = kInfinity;
}

bool ExpandingPolytope::Grow(const SupportPoint& w, int seed) {
  if (num_vertices_ == kMaxVertices) return false;
  if (!FindHorizon(w.x, seed)) return false;
  const int free_faces = num_visible_ + num_free_ + kMaxFaces - num_faces_;
  if (num_horizon_ > free_faces) return false;
  for (int k = 0; k < num_visible_; ++k) {
    distances_[visible_[k]] = kInfinity;
    free_[num_free_++] = visible_[k];
  }
  const std::int16_t apex = static_cast<std::int16_t>(num_vertices_);
  vertices_[num_vertices_++] = w;
  for (int k = 0; k < num_horizon_; ++k) {
    Ridge& ridge = horizon_[k];
    ridge.fan = num_free_ > 0 ? free_[--num_free_] : static_cast<std::int16_t>(num_faces_++);
    fan_from_[ridge.from] = ridge.fan;
  }
  for (int k = 0; k < num_horizon_; ++k) {
    const Ridge& ridge = horizon_[k];
    SetFace(ridge.fan, ridge.from, ridge.to, apex);
    const std::int16_t next = fan_from_[ridge.to];
    faces_[ridge.fan].neighbor[0] = ridge.outer;
    faces_[ridge.fan].neighbor[1] = next;
    faces_[next].neighbor[2] = ridge.fan;
    Face& outer = faces_[ridge.outer];
    for (int e = 0; e < 3; ++e) {
      if (outer.vertex[e] == ridge.to && outer.vertex[(e + 1) % 3] == ridge.from) {
        outer.neighbor[e] = ridge.fan;
      }
    }
  }
  return true;
}

void ExpandingPolytope::SetFace(int f, int a, int b, int c) {
  Face& face = faces_[f];
  face.vertex[0] = static_cast<std::int16_t>(a);
  face.vertex[1] = static_cast<std::int16_t>(b);
  face.vertex[2] = static_cast<std::int16_t>(c);
  const Vector3d &p = vertices_[a].x, &q = vertices_[b].x, &r = vertices_[c].x;
  const Vector3d pq = q - p, pr = r - p, normal = pq.cross(pr);
  const double area = normal.norm();
  const double longest = std::max(pq.squaredNorm(), pr.squaredNorm());
  mark_[f] = 0;
  if (area <= 1e-14 * longest) {
    face.normal.setZero();
    face.distance = distances_[f] = kInfinity;
    return;
  }
  face.normal = normal / area;
  // Of the three corners the farthest out: the plane then bounds the face whatever the normal's last bits.
  face.distance = std::max({face.normal.dot(p), face.normal.dot(q), face.normal.dot(r)});
  distances_[f] = face.distance;
}

// A face without area is visible wherever its neighbour is.
bool ExpandingPolytope::Sees(const Face& face, const Vector3d& x) const {
  return face.distance == kInfinity || face.normal.dot(x) > face.distance + kRoundoff * scale_;
}

bool ExpandingPolytope::FindHorizon(const Vector3d& x, int seed) {
  num_visible_ = num_horizon_ = 0;
  visible_[num_visible_++] = static_cast<std::int16_t>(seed);
  mark_[seed] = 1;
  for (int k = 0; k < num_visible_; ++k) {
    const Face& face = faces_[visible_[k]];
    for (const std::int16_t neighbor : face.neighbor) {
      if (mark_[neighbor] || !Sees(faces_[neighbor], x)) continue;
      mark_[neighbor] = 1;
      visible_[num_visible_++] = neighbor;
    }
  }
  for (int k = 0; k < num_visible_; ++k) {
    const Face& face = faces_[visible_[k]];
    for (int e = 0; e < 3; ++e) {
      if (mark_[face.neighbor[e]]) continue;
      fan_from_[face.vertex[e]] = -1;
      horizon_[num_horizon_++] = {face.vertex[e], face.vertex[(e + 1) % 3], face.neighbor[e], -1};
    }
  }
  const bool is_loop = num_horizon_ >= 3 && HorizonIsOneLoop();
  if (!is_loop) {
    for (int k = 0; k < num_visible_; ++k) mark_[visible_[k]] = 0;
  }
  return is_loop;
}

bool ExpandingPolytope::HorizonIsOneLoop() {
  for (int k = 0; k < num_horizon_; ++k) {
    if (fan_from_[horizon_[k].from] != -1) return false;  // two ridges start there
    fan_from_[horizon_[k].from] = static_cast<std::int16_t>(k);
  }
  int at = 0, length = 0;
  do {
    at = fan_from_[horizon_[at].to];
    ++length;
  } while (at != 0 && length <= num_horizon_);
  return length == num_horizon_;
}

}  // namespace stiction::geometry

// The polytope that EPA grows inside D: triangles, their neighbours and their distances from the origin.
#pragma once

#include <cstdint>
#include <limits>

#include "geometry/support.h"

namespace stiction::geometry {

// Fixed storage, about 220 kB, on the stack.
class ExpandingPolytope {
 public:
  // Two hulls of 500 vertices, laid into one another, end well below; a typical contact takes 20.
  static constexpr int kMaxVertices = 1024;
  static constexpr int kMaxFaces = 2 * kMaxVertices;  // a closed polytope has 2 V − 4 triangles
  // Of the coordinates' size: what lies no further beyond a face lies in its plane.
  static constexpr double kRoundoff = 1e-14;

  struct Face {
    std::int16_t vertex[3];    // counter-clockwise seen from outside
    std::int16_t neighbor[3];  // across the edge from vertex k to vertex k + 1
    Vector3d normal;           // unit, outward; zero for a face without area
    double distance;           // of its plane from the origin, signed; infinite without area
  };

  //   scale  of the coordinates [m]
  explicit ExpandingPolytope(double scale) : scale_(scale) {}

  void MakeTetrahedron(const SupportPoint points[4]);

  int num_faces() const { return num_faces_; }  // free ones included
  const Face& face(int f) const { return faces_[f]; }
  const SupportPoint& corner(int f, int k) const { return vertices_[faces_[f].vertex[k]]; }
  // Its distance is infinite if no face is left.
  int FindNearestFace() const;
  // Whether x lies in the plane of face f; free faces hold nothing.
  bool PlaneHolds(int f, const Vector3d& x) const;
  // Whether w was there before. A point that comes back although a face seems to lie inside of it gives the
  // face away as a needle, whose normal is round-off.
  bool Holds(const SupportPoint& w) const;

  // Takes a face out of the search; visible to all from now on.
  void Retire(int f);
  // Replaces the faces that see the point w, `seed` among them, by a fan from w to their horizon. False, and
  // nothing changed, if the storage is full or round-off spoiled the horizon.
  bool Grow(const SupportPoint& w, int seed);

 private:
  // An edge between a visible face and one that is not, as the visible one runs along it.
  struct Ridge {
    std::int16_t from, to, outer, fan;
  };

  void SetFace(int f, int a, int b, int c);
  bool Sees(const Face& face, const Vector3d& x) const;
  // Fills visible_ and horizon_. False unless the horizon is one closed loop.
  bool FindHorizon(const Vector3d& x, int seed);
  bool HorizonIsOneLoop();

  double scale_;
  int num_vertices_ = 0, num_faces_ = 0, num_free_ = 0, num_visible_ = 0, num_horizon_ = 0;
  SupportPoint vertices_[kMaxVertices];
  Face faces_[kMaxFaces];
  double distances_[kMaxFaces];  // infinite for free faces
  std::int16_t free_[kMaxFaces], visible_[kMaxFaces];
  Ridge horizon_[kMaxFaces];
  std::int16_t fan_from_[kMaxVertices];  // of a vertex on the horizon: its ridge, then its fan's face
  bool mark_[kMaxFaces];                 // visible
};

}  // namespace stiction::geometry

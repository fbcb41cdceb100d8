// The pressure field of a compliant shape, in its own frame G.
//
//   p(x) = E e(x),   e = 0 on the surface, 1 in the middle, concave in between:
//
//   sphere     1 − ‖x‖/R                               middle: the centre
//   ellipsoid  1 − ‖D⁻¹ x‖, D = diag(radii)             the centre
//   capsule    1 − dist(x, segment)/R                  the segment
//   cylinder   min(R − r, L − |z|)/H, H = min(R, L)    what is furthest from the surface: its medial axis
//   box        min (h_i − |x_i|)/H, H = min h          the same
//   hull       1 − max n_f·x/d_f over the faces        the centre of volume
//
// that is, pressure grows with the depth below the nearest surface, as in a soft layer of thickness H on a
// core that nothing reaches.
//
// Cells. The shape is cut into tetrahedra in which the field is linear: exactly that of boxes and hulls,
// which are cut once. Round shapes are cut anew for every patch, about the direction of the contact and as
// far as it can reach (LayCells), so that the mesh is as fine as the patch is large: the patch does not
// depend on how the mesh happens to lie, and vanishes smoothly. Cells of round shapes are inscribed and lead
// to the place of the patch; its pressure is then taken from the field itself (SampleSide).
//
// References: [Elandt 2019] R. Elandt, E. Drumwright, M. Sherman, A. Ruina, A pressure field model for fast,
// robust approximation of net contact force and moment between nominally rigid objects, IROS 2019;
// [Masterjohn 2022] J. Masterjohn, D. Guoy, J. Shepherd, A. Castro, Velocity level approximation of pressure
// field contact patches, RA-L 2022. Differences: 1. round shapes have no mesh of their own; 2. a cylinder's
// and an ellipsoid's field are exact, too.
#pragma once

#include <array>
#include <vector>

#include "collision/aligned_box.h"
#include "collision/box_tree.h"
#include "collision/patch/convex_polygon.h"
#include "stiction/geometry/shape.h"

namespace stiction::patch {

// A tetrahedron with a linear pressure.
struct PressureCell {
  static constexpr int kMaxFaces = 5;

  std::array<Vector3d, 4> vertex;
  std::array<double, 4> pressure;  // at the vertices [Pa]
  std::array<HalfSpace, kMaxFaces> inside;
  int num_faces = 4;       // and a seam, beyond which other cells are
  Vector3d gradient;       // [Pa/m]
  double at_origin = 0.0;  // p(x) = at_origin + gradient · x
  bool is_linear = true;   // the field is; else SampleSide's
  AlignedBox box;          // of what matters of it

  double CalcPressure(const Vector3d& x) const { return at_origin + gradient.dot(x); }
};

// Fills all but a seam and is_linear. False if the four vertices lie in a plane. Most exact where close
// vertices come first: a slender cell keeps its precision.
bool SetCell(const std::array<Vector3d, 4>& vertex, const std::array<double, 4>& pressure,
             PressureCell& cell);
// The same cell seen from a frame F, in which G stands at X_FG.
void MoveCell(const RigidTransform& X_FG, PressureCell& cell);

// Where something may press: in n · x >= support − depth, `support` the furthest that the shape reaches along
// the unit vector n. Infinite depth: anywhere.
struct PressedRegion {
  Vector3d n;
  double depth = 0.0;  // [m]
  // What presses, if it is round: caps then end where the two surfaces meet.
  const Shape* other = nullptr;
  RigidTransform X_OG{};  // the shape's frame in the other's
};

// Whether cells are laid for each patch.
bool IsRound(const Shape& shape);

// The cells of a round shape that a region needs, appended.
void LayCells(const Shape& shape, double modulus, const PressedRegion& region,
              std::vector<PressureCell>& cells);

struct PressureSample {
  double pressure = 0.0;  // negative outside of the shape [Pa]
  Vector3d gradient;      // [Pa/m]
};
// The field of a round shape.
PressureSample SampleField(const Shape& shape, double modulus, const Vector3d& x_G);
// Its smooth piece in a cell that is not linear: below the side of a cylinder without regard to the ends, so
// that no kink runs along the cell's faces.
PressureSample SampleSide(const Shape& shape, double modulus, const Vector3d& x_G);

// The cells of a shape that is not round, found by their place.
struct CellTree {
  std::vector<PressureCell> cells;
  BoxTree tree;
};
CellTree MakeCellTree(const Shape& shape, double modulus);

}  // namespace stiction::patch

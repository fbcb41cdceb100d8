// The patch between a compliant shape and another one, as polygons, and as the contacts that they become.
//
//   two compliant shapes    the surface of equal pressures: of two cells a plane, clipped by both
//   compliant and rigid     the rigid surface, facet by facet, clipped by the cells
//
// Pressure is that of the fields themselves. Where the two differ on a polygon, because cells are flat and
// shapes are round, the surface lies beside it. Along the direction c in which A and B overlap least (else
// the polygon's normal), from A to B, the surface that stands over the polygon has to first order
//
//   p = (p_A g_B + p_B g_A)/(g_A + g_B),   g_A = −∇p_A·c,   g_B = ∇p_B·c,   g = g_A g_B/(g_A + g_B)
//
// as its pressure, and g says how fast that grows as the shapes approach. Its normal n is along
// ∇p_B − ∇p_A, and its area that of the polygon as c sees it. A rigid shape has p_B/g_B, its own depth, with
// g_B → ∞. Integrals are exact where the pressure is linear, and to third order of round ones.
//
// Contacts. The polygons that face one way, to 30°, are cut by a grid over their extent, of as many bins as
// the pair may have polygons, and what falls into a bin becomes one contact:
//
//   f = ∫ p n dA,  at the point x with x × f = ∫ y × p n dA,   k = ∫ g dA,   gap = −‖f‖/k
//
// so that neither force nor moment of the patch depends on the grid (but for what of the moment is along f).
// The bins grow with the patch, and a contact that persists keeps its bin.
//
// References: [Elandt 2019], [Masterjohn 2022] (patch/pressure_field.h); [Dunavant 1985] D. Dunavant, High
// degree efficient symmetrical Gaussian quadrature rules for the triangle, IJNME 21. Differences: 1. the
// pressure is corrected to that of round shapes; 2. a grid joins what cells cut.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "collision/patch/pressure_field.h"

namespace stiction::patch {

// One of the two shapes.
struct PatchShape {
  const Shape* shape = nullptr;
  RigidTransform X_WG;
  double modulus = 0.0;             // [Pa]; infinite: rigid
  const CellTree* cells = nullptr;  // of a compliant shape that is not round

  bool is_compliant() const { return modulus < std::numeric_limits<double>::infinity(); }
};

// A piece of a patch.
struct PatchContact {
  Vector3d p_W;
  Vector3d n_W;            // unit, from A to B
  double force = 0.0;      // without dissipation [N]
  double stiffness = 0.0;  // [N/m]
  double area = 0.0;       // [m²]
  std::uint32_t feature = 0;
};

class PatchFinder {
 public:
  // At least one is compliant; two planes do not meet. Allocates where there is more than ever.
  //   max_polygons  per direction that polygons face; a square number, or what is over is not used
  const std::vector<PatchContact>& Find(const PatchShape& a, const PatchShape& b, int max_polygons);

 private:
  struct Facet {
    ConvexPolygon polygon;  // S
    Vector3d n;             // unit, from S to O
    AlignedBox box;
    int cell = -1;  // of O, whose surface it is, if O is round
  };
  struct Fine {
    ConvexPolygon polygon;
    Vector3d n;      // from S to O
    int soft = 0;    // cell of S
    int other = -1;  // cell of O; -1: none, a flat facet
    int sheet = 0;
  };
  struct Sheet {
    Matrix3d R;  // t1, t2, n in S
    Vector2d lower, upper;
    int first_bin = 0;
  };
  struct Bin {
    Vector3d force = Vector3d::Zero(), moment = Vector3d::Zero();  // about the origin of S
    Vector3d weighted = Vector3d::Zero();
    double pressing = 0.0, stiffness = 0.0, area = 0.0;
  };
  // The direction c along which a polygon is corrected, and how much of its area c sees.
  struct View {
    bool has_column = false;  // c is column_, not the polygon's normal
    double share = 0.0;
    Vector3d c;
  };
  // Of an area, per area of the polygon.
  struct Pressing {
    double pressure = 0.0;  // [Pa]
    Vector3d force;         // p n dA, from S to O [Pa]
    double slope = 0.0;     // [Pa/m]
  };

  bool FindRegions(PressedRegion& on_soft, PressedRegion& on_other) const;
  void CollectOther(const PressedRegion& region, const AlignedBox& reach);
  void CollectFacets(const PressedRegion& region, const AlignedBox& reach);
  void AddFacet(const ConvexPolygon& polygon_O, const Vector3d& n_O, const AlignedBox& reach, int cell = -1);
  template <typename Visit>
  void ForSoftCells(const AlignedBox& box, const Visit& visit) const;
  void CutFacets();
  void CutCells();
  void Keep(const ConvexPolygon& polygon, const Vector3d& n, int soft, int other);
  int FindSheet(const Vector3d& n);
  void Integrate(int grid);
  void AddPiece(const ConvexPolygon& piece, const Fine& fine, Bin& bin) const;
  bool IsFlat(const Fine& fine) const;
  PressureSample SampleOther(int cell, const Vector3d& x) const;
  View CalcView(const Fine& fine) const;
  Pressing CalcPressing(const Fine& fine, const View& view, const Vector3d& x) const;
  void MakeContacts();

  PatchShape soft_, other_;
  RigidTransform X_SO_, X_OS_;
  Vector3d column_;         // c in S, from S to O; zero: the polygons' normals
  bool is_turned_ = false;  // S is B
  const std::vector<PressureCell>* soft_cells_ = nullptr;
  std::vector<PressureCell> laid_, other_cells_;  // in S
  std::vector<Facet> facets_;
  std::vector<Fine> fine_;
  std::vector<Sheet> sheets_;
  std::vector<Bin> bins_;
  std::vector<PatchContact> contacts_;
};

}  // namespace stiction::patch

// Free bodies, without joints, that stand on, fall upon or strike one another.
#pragma once

#include <string>
#include <vector>

#include "stiction/geometry/field_solid.h"
#include "stiction/model/model.h"
#include "stiction/scenes/scenes.h"

namespace stiction {

class Pile {
 public:
  //   timestep  [s]
  //   friction  of all bodies and of what they stand on
  Pile(double timestep, double friction) : timestep_(timestep), friction_(friction) {}

  // A body "b0", "b1", ... of uniform density, whose frame is the shape's; v_W is its velocity at the start.
  void Add(const Shape& shape, const RigidTransform& X_WB, double mass,
           const Vector3d& v_W = Vector3d::Zero());
  // The same with the frame of the field.
  void Add(const PlacedField& field, const RigidTransform& X_WF, double mass);
  // What bodies stand on: the ground at z = 0 and walls, say. Left out where a scene is to have none.
  void AddFixed(const Shape& shape, const RigidTransform& X_WG = {});

  // Coordinates have no effect: all bodies are free.
  Model Build(const std::string& name, const SceneParameters& options) const;

 private:
  struct PileBody {
    Shape shape;
    RigidTransform X_WB, X_BG;
    double mass;   // [kg]
    Vector3d v_W;  // [m/s]
  };
  struct FixedGeom {
    Shape shape;
    RigidTransform X_WG;
  };
  double timestep_, friction_;
  std::vector<PileBody> bodies_;
  std::vector<FixedGeom> fixed_;
};

// Cubes of 10 cm on top of one another; all of 1 kg, but the top one of `ratio` kg.
Pile MakeStack(int count, double ratio);
// Cubes of 10 cm, a little askew, in layers of 25 dropped 1 cm onto one another; of 1 kg in the lowest layer,
// and heavier from one to the next, up to `ratio` kg.
Pile MakeLayers(int count, double ratio, unsigned seed);
// Spheres and cubes of 10 cm, in turns, dropped in four columns into a box [Castro 2022, §VI.C]. A cube has
// `ratio` times the mass of a sphere.
Pile MakeClutter(int count, double ratio, unsigned seed);
// Spheres of 10 kg and radius 1 m on top of one another, the middle one `ratio` times as heavy; beside them
// one of a tenth of that one's mass, 10 kg or more [Tasora 2021, §IX, test 1].
Pile MakeSphereStack(int count, double ratio);
// Bricks of 3168 kg in bond, as many in a row as there are rows (25: five by five) or one more, the top row
// filled as far as they go; and a ball of radius 4 m and `ratio` times that mass which strikes the wall in
// the middle at 10 m/s [Tasora 2021, §IX, test 2].
Pile MakeBrickWall(int count, double ratio);
// Two bowls in one another, a plate in them and a pot on top, `ratio` times as heavy as each of the others
// [Lee 2024, §VII-B].
Pile MakeDishes(double ratio);
// An M48 nut on the thread of an upright bolt that is steeper than its friction holds [Lee 2024, §VII-A].
Pile MakeNut();

}  // namespace stiction

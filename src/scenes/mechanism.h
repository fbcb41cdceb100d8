// Rigid bodies and joints between them at given poses, from which a Model in either coordinates is built.
#pragma once

#include <string>
#include <vector>

#include "stiction/model/model_builder.h"
#include "stiction/scenes/scenes.h"

namespace stiction {

constexpr int kWorld = -1;  // as a joint's base

// A rotation whose last column is the unit vector z, orthonormal to the last digit: loops of parallel axes
// must not be tilted by rounding.
Matrix3d RotationWithZ(const Vector3d& z);

enum class LinkJointType { kFixed, kHinge, kBall };

struct LinkJoint {
  std::string name;
  LinkJointType type = LinkJointType::kFixed;
  int base = kWorld;
  int follower = 0;
  Vector3d p_W = Vector3d::Zero();      // a point of the joint [m]
  Vector3d axis_W = Vector3d::UnitZ();  // of a hinge, unit length
};

class Mechanism {
 public:
  // A box of uniform density whose centre is the link's origin. Links must be added before the joints that
  // reach them. Returns its index.
  int AddBox(const std::string& name, const RigidTransform& X_WL, double mass, const Vector3d& half_extents);
  int AddSphere(const std::string& name, const Vector3d& p_WL, double mass, double radius);
  // Shapes touch the ground and nothing else; they do not count for the mass.
  void AddGeom(int link, const Shape& shape, const RigidTransform& X_WG);
  // The first joint that reaches a link carries it in reduced coordinates: its base must have a smaller
  // index.
  void AddFixed(int base, int follower);
  void AddHinge(int base, int follower, const Vector3d& p_W, const Vector3d& axis_W);
  void AddBall(int base, int follower, const Vector3d& p_W);

  int num_links() const { return static_cast<int>(links_.size()); }
  const RigidTransform& pose(int link) const { return links_[link].X_WL; }
  double mass(int link) const { return links_[link].inertia.mass; }
  // With the inertia in proportion.
  void set_mass(int link, double mass);

  // The ground is at z = 0, where there is one.
  Model Build(const std::string& name, const SceneParameters& options) const;

 private:
  struct Link {
    std::string name;
    RigidTransform X_WL;
    MassProperties inertia;
    int carrier = -1;  // the joint that carries it; -1: it is free
  };
  struct LinkGeom {
    int link;
    Shape shape;
    RigidTransform X_LG;
  };
  int AddLink(const std::string& name, const RigidTransform& X_WL, const MassProperties& inertia);
  void AddJoint(LinkJointType type, int base, int follower, const Vector3d& p_W, const Vector3d& axis_W);

  std::vector<int> AddBodies(Coordinates coordinates, ModelBuilder& builder) const;
  void AddLock(const LinkJoint& joint, const std::vector<int>& body, ModelBuilder& builder) const;
  void AddStart(const SceneParameters& options, ModelBuilder& builder) const;

  std::vector<Link> links_;
  std::vector<LinkJoint> joints_;
  std::vector<LinkGeom> geoms_;
};

}  // namespace stiction

// A URDF file as it is written: links and the joints between them, checked to be one tree.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "io/mjcf/compiler.h"
#include "io/urdf/mesh.h"
#include "io/xml/element.h"
#include "stiction/geometry/mass_properties.h"
#include "stiction/model/actuator.h"
#include "stiction/model/joint.h"
#include "stiction/model/visual.h"

namespace stiction::urdf {

// A collision shape that the engine has; G is its frame, L the link's.
struct Collision {
  xml::Element* element = nullptr;
  Shape shape = Sphere{0.0};
  RigidTransform X_LG = {};
  std::optional<double> friction = {};  // instead of the link's
};

// What the link looks like there; V is its frame.
struct LinkVisual {
  std::string name = {};
  std::variant<Shape, SharedMesh> shape = Sphere{0.0};
  RigidTransform X_LV = {};
  std::optional<Color> color = {};
  SharedMaterial material = {};  // of a texture
};

struct Link {
  xml::Element* element = nullptr;  // null for a "world" that joints name and no <link> defines
  std::string name;
  MassProperties inertia = {};  // in L; zero without <inertial>
  bool is_inferred = false;     // the inertia is that of the shapes
  double friction = 1.0;        // of its collision shapes, and their restitution
  double restitution = 0.0;
  std::vector<Collision> collisions = {};
  std::vector<LinkVisual> visuals = {};  // empty unless they are asked for
  int parent_joint = -1;                 // -1: the root
  std::vector<int> child_joints = {};    // in the file's order
};

enum class JointType {
  kFixed,
  kRevolute,
  kContinuous,
  kPrismatic,
  kFloating,
  kPlanar,
  kSpherical,
  kScrew,      // of Drake, as the next
  kUniversal,  // about the joint's x, then its y
};

struct JointEntry {
  xml::Element* element = nullptr;
  JointType type = JointType::kFixed;
  int parent = -1;  // links
  int child = -1;
  RigidTransform X_PJ = {};           // the child link's frame in the parent link's, at zero
  Vector3d axis = Vector3d::UnitX();  // in the child link's frame
  Joint joint = {};                   // name, limits, damping, friction; its kind is set by the assembly
  double pitch = 0.0;                 // of a screw [m per revolution]
  std::optional<Vector3d> damping_by_dof = {};  // of a planar joint: along x, along y, about z
  double effort = 0.0;                          // the limit's effort [N or N·m]; 0 where it gives none
  // <mimic>: q = multiplier * q_of + offset. -1: none, or none that can be kept.
  int mimicked = -1;
  double multiplier = 1.0;
  double offset = 0.0;
};

// A motor on one joint, of a <transmission>.
struct Motor {
  xml::Element* element = nullptr;  // the transmission
  std::string name;
  int joint = -1;          // into Robot::joints
  double reduction = 1.0;  // joint torque over motor torque
};

struct Robot {
  std::string name;
  mjcf::Compiler compiler = {};  // what a <mujoco> says of masses
  Options options = {};          // and of time and gravity
  std::vector<Link> links;
  std::vector<JointEntry> joints;
  std::vector<Motor> motors;
  std::vector<int> roots = {};  // links without a parent, in the file's order; at least one
};

// Throws LoadError: unexpanded xacro, malformed elements, duplicate names, unknown links, meshes that cannot
// be read, and everything that is not one tree, or, if asked for, several.
Robot ReadRobot(xml::Element& root, MeshSource& meshes, const LoadOptions& options);

// surface.cpp: what extensions say of the link's friction and restitution, Bullet's in the <link> and
// Gazebo's; and Drake's of a <collision>.
void ReadContact(const xml::Element& link_element, Link& link);
void ReadProximity(const xml::Element& collision_element, Collision& collision);
void ReadGazebo(xml::Element& gazebo, Link& link);

// link.cpp; visuals are left to the caller.
Link ReadLink(xml::Element& element, MeshSource& meshes, const ModelRepairs& repairs);
// Throws LoadError if there is none of this name.
xml::Element& RequireChild(const xml::Element& parent, std::string_view name);
// The box, sphere, cylinder or capsule of a <geometry>; nothing where it is something else.
std::optional<Shape> ReadPrimitive(const xml::Element& geometry);
// The xyz and rpy of the element's <origin>; identity without one.
RigidTransform ReadOrigin(const xml::Element& parent);
// joint.cpp; parent and child links and the mimicked joint are left to the caller.
JointEntry ReadJoint(xml::Element& element);
// True for joints with one degree of freedom.
bool IsScalar(JointType type);
// transmission.cpp: the motors of the robot's simple transmissions; others are noted as ignored.
void ReadTransmissions(const xml::Element& root, Robot& robot);

// For the end of a message about a missing mass or inertia.
constexpr const char* kInferHint =
    "; or take that of its shapes by --infer-inertia (ModelRepairs::infer_inertia)";
// infer_inertia.cpp: masses of links that have none, of solid shapes of this density [kg/m³], and moments of
// masses that have none.
// Throws LoadError for a mesh that is needed for it and cannot be read, unless those are skipped.
void InferInertias(double density, const ModelRepairs& repairs, MeshSource& meshes, Robot& robot);

// visual.cpp: what a <visual> shows, without its colour; nothing if that is no shape of this engine. Throws
// LoadError.
std::optional<LinkVisual> ReadVisualShape(xml::Element& visual, MeshSource& meshes);
// The links' visuals, with the colours of their materials. Throws nothing: what cannot be
// read is noted as ignored.
void ReadVisuals(const xml::Element& root, MeshSource& meshes, Robot& robot);
// Instead of that, for a robot that nobody looks at now: only notes which visuals name files that cannot be
// found, so that whoever looks at it later knows why a part is missing.
void CheckVisuals(const MeshSource& meshes, Robot& robot);

// Why the URDF reader leaves an element or attribute alone, for the import report.
xml::Unread ExplainUnread(const xml::Element& element, std::string_view attribute);

}  // namespace stiction::urdf

// Builds a Model body by body, with checks. The readers use it, and so can a program:
//
//   ModelBuilder builder("pendulum");
//   int arm = builder.AddBody({.name = "arm", .parent = 0, .X_PB = {.p = {0, 0, 1}}});
//   builder.AddJoint(arm, {.name = "hinge", .kind = HingeJoint{.axis_B = Vector3d::UnitY()}});
//   builder.AddGeom({.name = "rod", .body = arm, .shape = Capsule{0.02, 0.25}, .X_BG = {.p = {0, 0, -0.25}}},
//   {.mass = 1.0}); Model model = builder.Build();
//
// Bodies may be added in any order in which parents come first; Build() sorts them depth first, children in
// the order in which they were added. The indices returned by Add... are the builder's; after Build() look
// things up by name, or through body_index().
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "stiction/model/model.h"

namespace stiction {

// A model that cannot be simulated: what() names the element and says what to do; kind() and index() let a
// reader add file and line.
class ModelError : public std::runtime_error {
 public:
  enum class Kind { kBody, kJoint, kGeom, kActuator, kKeyframe, kTendon, kEquality, kSensor, kModel };
  ModelError(Kind kind, int index, const std::string& message)
      : std::runtime_error(message), kind_(kind), index_(index) {}
  Kind kind() const { return kind_; }
  int index() const { return index_; }  // the builder's index of the element; -1 for the model as a whole

 private:
  Kind kind_;
  int index_;
};

// How a geom contributes to its body's mass: by mass, by density, or not at all (both empty).
struct GeomMass {
  std::optional<double> mass{};     // [kg]
  std::optional<double> density{};  // [kg/m³]
};

// How a model that is added to another stands in the world.
enum class ModelBase {
  kAsInModel,  // bodies on free joints float, the others do not
  kFixed,      // no body floats: free joints are left out, and their bodies stand where the model has them
  kFloating,   // its only root body floats: on its own free joint, or on a new one called "floating_base"
};

// What refers to bodies, joints and geoms. Each kind may refer to those before it.
enum class Mechanisms { kTendons, kEqualities, kActuators, kSensors, kKeyframes };

// Where a model's elements went: the builder's index of each.
struct AddedModel {
  std::vector<int> bodies;  // [0]: the world
  std::vector<int> joints;  // -1: a free joint that was left out
  std::vector<int> geoms;
  std::vector<int> cameras;
  std::vector<int> actuators;
  std::vector<int> tendons;
  std::vector<int> equalities;
  std::vector<int> sensors;
};

class ModelBuilder {
 public:
  explicit ModelBuilder(std::string name = "");

  Options& options() { return model_.options; }
  void set_name(std::string name) { model_.name = std::move(name); }

  // Body 0 is the world and exists from the start. Throws ModelError if the parent does not exist.
  int AddBody(const Body& body);
  // Explicit mass properties: the masses of the body's geoms no longer count. Calling it again replaces them.
  //   axes  of the body's inertial frame, in B, along which of equal moments the box stands that a fluid
  //   drags
  //         at (Body::R_BI); none, or not principal: any
  void SetInertia(int body, const MassProperties& inertia, const std::optional<Matrix3d>& axes = {});
  // Mass that no geom stands for, such as that of a part which does not collide, in the body's frame: counts
  // together with the masses of the geoms. Throws ModelError if the body does not exist.
  //   axes  of the part's inertial frame, in the body's; none: of its principal moments, largest first
  void AddMass(int body, const MassProperties& part, const std::optional<Matrix3d>& axes = {});
  // The axes of a body's inertial frame I, as columns in B: those of the only geom or part that has a mass,
  // else of the principal moments, largest first.
  Matrix3d FindInertialAxes(int body) const;
  // Turns and moves the frame B of some bodies to their inertial frame I, at the centre of mass, with all
  // that is on them; they must have no children. Returns X_BI of each; identity, and nothing is done, where
  // one has no mass.
  //   axes  of I in B, one per body; none: FindInertialAxes
  std::vector<RigidTransform> AlignWithInertia(const std::vector<int>& bodies,
                                               const std::vector<std::optional<Matrix3d>>& axes);
  // Appends a joint to the body's joints. Axes are normalised. Throws ModelError on what the type refuses,
  // such as a zero axis (FindFault() in joint/joint_type.h), reversed limits, a free joint beside another
  // joint or on a body that is not a child of the world, negative damping, stiffness or armature, or any
  // joint of the world.
  int AddJoint(int body, const Joint& joint);
  // Throws ModelError on sizes that are not positive, a negative mass or density, friction < 0.
  int AddGeom(const Geom& geom, const GeomMass& mass = {});
  // Of no effect on the simulation. Throws ModelError on sizes that are not positive, or no mesh.
  int AddVisual(const Visual& visual);
  // Of no effect on the simulation. Throws ModelError on a body that does not exist, a pose that is not
  // finite and orthonormal, or a field of view outside (0, π).
  int AddCamera(const ModelCamera& camera);
  // How a camera that was added moves. Throws ModelError: a target that is wanted and does not exist.
  void AimCamera(int camera, CameraMode mode, int target = -1);
  // The same of a light; throws ModelError on numbers that are not finite or a direction of zero length. The
  // direction is normalised.
  int AddLight(const Light& light);
  void AimLight(int light, CameraMode mode, int target = -1);
  Surroundings& surroundings() { return model_.surroundings; }
  int AddFrame(const Frame& frame);
  int AddActuator(const Actuator& actuator);
  // Throws ModelError: a joint of a fixed tendon does not exist or has several coordinates; a path with fewer
  // than two sites, or with a wrap or pulley where none can be; numbers that are negative or not finite.
  int AddTendon(const Tendon& tendon);
  // Throws ModelError: a body, joint or tendon that does not exist; a joint of several coordinates, or one
  // that would follow itself; a lock of a body to itself or of two bodies that cannot move; no locked motion;
  // a distance that is not positive.
  int AddEquality(const Equality& equality);
  int AddSensor(const Sensor& sensor);
  // Sizes are checked in Build(); an empty vector takes the default.
  int AddKeyframe(const Keyframe& keyframe);
  void ExcludeBodies(int body_a, int body_b);
  void ExcludeGeoms(int geom_a, int geom_b);
  // Two geoms that touch by a law of their own, whatever contype, parents and exclusions say; geoms of bodies
  // without a joint between them still do not. Throws ModelError: a geom that does not exist, the same one
  // twice, a negative number; Build(): two pairs of the same geoms.
  void AddContactPair(ContactPair pair);

  // Adds all of a built model, placed at X_WM in the world, or in the body `parent`: its bodies, what is
  // fixed to its world, and its keyframes, with which the rest of this model is at its default. Poses and
  // velocities of free joints, mocap poses too, are taken along into this world. Its options stay behind.
  //   prefix  "arm" turns the name "hand" into "arm/hand"; empty: names stay
  // A pair of bodies excluded from contact of which one is the world becomes pairs of geoms, so that it does
  // not concern what else the world holds. A keyframe's pose of a free joint that is left out has no effect.
  // Throws ModelError: kFloating and there is not exactly one root body, or it has joints that are not free,
  // or a plane is attached to it; kFixed and an actuator, tendon, equality or sensor needs a free joint; a
  // prefix with a slash; a free joint or mocap body in a parent that is not the world.
  AddedModel AddModel(const Model& model, const std::string& prefix, const RigidTransform& X_WM = {},
                      ModelBase base = ModelBase::kAsInModel, int parent = 0);
  // The same in steps, so that other elements may stand before the added ones: first without mechanisms, then
  // each kind of these; the keyframes after the actuators.
  AddedModel AddModelBodies(const Model& model, const std::string& prefix, const RigidTransform& X_WM = {},
                            ModelBase base = ModelBase::kAsInModel, int parent = 0);
  void AddModelMechanisms(Mechanisms kind, const Model& model, const std::string& prefix,
                          const RigidTransform& X_WM, AddedModel& added);

  int num_bodies() const { return static_cast<int>(model_.bodies.size()); }
  const Body& body(int index) const { return model_.bodies[index]; }
  const Joint& joint(int index) const { return model_.joints[index]; }
  int num_activations() const;  // of the actuators so far
  bool HasInertia(int body) const { return explicit_inertia_[body]; }
  // Mass properties that the body would have if built now.
  MassProperties CalcInertia(int body) const;
  // Those of its geoms and added masses alone, whether or not they count: the world's do not.
  MassProperties CalcInertiaOfParts(int body) const;

  // Checks and completes the model. Throws ModelError: duplicate names; a moving body whose mass or inertia,
  // together with all that is rigidly attached below it, leaves M singular (a joint that moves no mass and
  // has no armature); non-finite numbers. May be called once.
  Model Build();

  // After Build(): the model's index of the body (joint, geom) that Add... returned.
  int body_index(int builder_body) const { return body_order_[builder_body]; }
  int joint_index(int builder_joint) const { return joint_order_[builder_joint]; }
  int geom_index(int builder_geom) const { return geom_order_[builder_geom]; }

 private:
  void CheckTarget(CameraMode mode, int target, const std::string& element) const;
  // Gives every body without explicit mass properties those of its geoms.
  void SumGeomInertias();
  // Puts bodies, joints, geoms, visuals and cameras in the model's order; renames all references to them.
  void SortElements();
  void SortContactPairs();

  // A keyframe of an added model: its vectors run over these elements alone, by the builder's indices.
  struct PartialKeyframe {
    Keyframe values;
    std::vector<int> joints, actuators, mocap_bodies;
  };
  // Steps of AddModel.
  void AddBodies(const Model& model, const std::string& prefix, const RigidTransform& X_WM, ModelBase base,
                 int parent, AddedModel& added);
  void AddFloatingBase(const Model& model, const std::string& prefix, const AddedModel& added);
  void AddExclusions(const Model& model, const AddedModel& added);
  void AddPartialKeyframes(const Model& model, const std::string& prefix, const RigidTransform& X_WM,
                           const AddedModel& added);
  // Appends the added models' keyframes to the finished model's own.
  void CompletePartialKeyframes();

  Model model_;
  std::vector<bool> explicit_inertia_;           // one per body
  std::vector<GeomMass> geom_mass_;              // one per geom
  std::vector<std::vector<int>> geoms_of_body_;  // those with a mass
  struct AddedMass {
    int body;
    MassProperties part;
    Matrix3d axes;
  };
  std::vector<AddedMass> added_mass_;
  std::vector<PartialKeyframe> partial_keyframes_;
  std::vector<int> body_order_, joint_order_, geom_order_;
};

}  // namespace stiction

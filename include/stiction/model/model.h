// The constant description of a mechanism: bodies in kinematic trees, joints, shapes, actuators, keyframes;
// and what it looks like, and from where.
//
// A Model is made by ModelBuilder::Build() or by the readers (io/load.h) and never changes afterwards;
// everything that changes in time is in State, Input and the workspaces. Flat arrays, parents before
// children:
//
//   bodies   0 = world, then depth first in document order
//   joints   in body order, several per body in their own order; q and v follow them (math/conventions.h)
//   dofs     dof_parent[k] < k is the next dof towards the root, -1 at a tree's root: the sparsity of M
//            (Featherstone 2008, §6.5). The dofs of one kinematic tree are contiguous.
//
// A new kind of element also has its lines in ModelBuilder::AddModel, or scenarios lose it.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "stiction/model/actuator.h"
#include "stiction/model/body.h"
#include "stiction/model/camera.h"
#include "stiction/model/equality.h"
#include "stiction/model/geom.h"
#include "stiction/model/joint.h"
#include "stiction/model/light.h"
#include "stiction/model/sensor.h"
#include "stiction/model/tendon.h"
#include "stiction/model/tree_set.h"
#include "stiction/model/visual.h"

namespace stiction {

// How a step advances the state (sim/step.h).
enum class Integrator {
  kSymplecticEuler,  // velocity first, then position with the new velocity; first order
  kImplicitEuler,    // the same with the gyroscopic and actuator forces of the step's end; first order
  kMidpoint,         // forces and inertia of the step's middle; second order
  kRungeKutta4,    // of the smooth motion between impulses; fourth order, closed loops included; contacts of
                   // first
  kExplicitEuler,  // all with what holds at the start, springs and dampers too; first order
};
// "euler", "explicit", "implicit", "midpoint", "rk4".
const char* ToString(Integrator integrator);

struct Options {
  double timestep = 0.002;               // [s]
  Vector3d gravity = {0.0, 0.0, -9.81};  // [m/s²]
  Integrator integrator = Integrator::kSymplecticEuler;
  // A fluid at rest but for the wind, which drags at every body that has mass (dynamics/fluid_drag.h).
  double density = 0.0;                        // [kg/m³]
  double viscosity = 0.0;                      // [Pa·s]
  Vector3d wind = Vector3d::Zero();            // world axes [m/s]
  Vector3d magnetic_field = {0.0, -0.5, 0.0};  // of magnetometers, world axes [G]
  ContactModel contact_model = ContactModel::kRigid;
  bool filter_parent = true;  // bodies do not collide with what carries them by joints, but for the world
  // Islands of trees at rest fall asleep: they stop to the last bit and cost nothing until something touches
  // them (sim/sleep.h). Off by default, because it stops a body that creeps more slowly than the tolerance.
  bool sleep = false;
  double sleep_tolerance = 1e-4;  // a tree rests while it moves more slowly [m/s]; measured as in sim/sleep.h
  double sleep_time = 0.5;        // and falls asleep after that long [s]
};

// A stored configuration. Vectors not given in the file hold the model's defaults.
struct Keyframe {
  std::string name{};
  double time = 0.0;      // [s]
  VectorXd q{};           // size nq
  VectorXd v{};           // size nv
  VectorXd ctrl{};        // size nu
  VectorXd activation{};  // size na
  VectorXd mocap{};       // size 7 a mocap body: p (3), quaternion w,x,y,z (4)
};

// Dofs [first_dof, first_dof + num_dofs) that share one kinematic tree.
struct Tree {
  int first_dof = 0;
  int num_dofs = 0;
  int root_body = 0;  // the body that carries the tree's first joint
  bool is_free_body =
      false;  // a single body on a free joint, without anything attached that moves relative to it
  bool has_tendon_inertia = false;  // a tendon with an armature acts on it
  bool may_sleep = true;            // no body of it says otherwise
};

// Where tendons with an armature act: their dofs tree by tree, each ascending and with all dofs above.
struct TendonInertia {
  struct Block {
    int tendon = 0;
    int tree = 0;
    int first = 0;  // into dofs
    int num_dofs = 0;
  };
  std::vector<Block> blocks;
  std::vector<int> dofs;
};

class Model {
 public:
  // Defaulted in model.cpp: each is some 10 KB of code, which every file that holds a model would make again.
  Model();
  Model(const Model& other);
  Model(Model&& other) noexcept;
  Model& operator=(const Model& other);
  Model& operator=(Model&& other) noexcept;
  ~Model();

  std::string name;
  Options options;
  std::vector<Body> bodies;
  std::vector<Joint> joints;
  std::vector<Geom> geoms;
  std::vector<Visual> visuals;       // in body order; empty unless asked for (LoadOptions::visuals)
  std::vector<ModelCamera> cameras;  // in body order
  std::vector<Light> lights;         // in body order
  Surroundings surroundings;         // of the model as a whole
  std::vector<Frame> frames;
  std::vector<Actuator> actuators;
  std::vector<Tendon> tendons;
  std::vector<Equality> equalities;
  std::vector<Sensor> sensors;
  std::vector<Keyframe> keyframes;
  std::vector<std::pair<int, int>>
      excluded_bodies;  // smaller index first, sorted: no contact between these bodies
  std::vector<std::pair<int, int>> excluded_geoms;  // the same for single pairs of geoms
  std::vector<ContactPair> contact_pairs;           // ascending by geom_a, then geom_b

  // Filled by ModelBuilder.
  std::vector<Tree> trees;
  std::vector<int> dof_parent;  // size nv
  std::vector<int> dof_joint;   // size nv
  std::vector<int> dof_tree;    // size nv
  TreeSet all_trees;
  TendonInertia tendon_inertia;
  VectorXd q0;                // size nq: the configuration in the file
  int num_mocap = 0;          // mocap bodies, numbered in body order
  int num_activations = 0;    // of actuators with dynamics
  int num_joint_limits = 0;   // entries of State::limits that joints have
  int num_equality_rows = 0;  // of all equalities, active or not
  int num_sensor_values = 0;

  int nq() const { return static_cast<int>(q0.size()); }
  int nv() const { return static_cast<int>(dof_parent.size()); }
  int nu() const { return static_cast<int>(actuators.size()); }
  int num_bodies() const { return static_cast<int>(bodies.size()); }
  int num_joints() const { return static_cast<int>(joints.size()); }
  int num_geoms() const { return static_cast<int>(geoms.size()); }
  int num_trees() const { return static_cast<int>(trees.size()); }
  int num_tendons() const { return static_cast<int>(tendons.size()); }
  int num_equalities() const { return static_cast<int>(equalities.size()); }
  int num_limits() const { return num_joint_limits + num_tendons(); }  // entries of State::limits
  int na() const { return num_activations; }

  // Index by name, -1 if there is none. Linear time: look up once, keep the index.
  int FindBody(std::string_view body_name) const;
  int FindJoint(std::string_view joint_name) const;
  int FindActuator(std::string_view actuator_name) const;
  int FindGeom(std::string_view geom_name) const;
  int FindTendon(std::string_view tendon_name) const;
  int FindEquality(std::string_view equality_name) const;
  int FindSensor(std::string_view sensor_name) const;
  int FindFrame(std::string_view frame_name) const;
  int FindCamera(std::string_view camera_name) const;
  const Keyframe* FindKeyframe(std::string_view keyframe_name) const;  // nullptr if there is none

  // The frame of a body, or a frame, of this name, else the frame of the body without a name that is
  // displayed by it; body = -1 if there is none of these.
  Frame FindBodyOrFrame(std::string_view frame_name) const;

  // The name, or "body<index>" for a body without one.
  std::string DisplayName(int body) const;

  // True if geoms a and b may touch: a contact pair names them, or contype and conaffinity, not rigidly
  // attached to one another or both to the world, not parent and child (unless the parent is fixed to the
  // world), not excluded. Planes never collide with planes.
  bool PairCollides(int geom_a, int geom_b) const;
};

// q <- q ⊕ dt v, joint by joint; quaternions stay unit.
//   v  size nv;  q  size nq, overwritten
void IntegrateConfiguration(const Model& model, const VectorXd& v, double dt, VectorXd& q);

// The same for some trees; the q of the others stays as it is.
void IntegrateConfiguration(const Model& model, const TreeSet& trees, const VectorXd& v, double dt,
                            VectorXd& q);

// Normalises every quaternion of q; those that are unit to 1e-15 stay as they are, bit for bit.
void NormalizeQuaternions(const Model& model, VectorXd& q);

// Random q inside the joint limits; without limits hinges turn to ±π, slides go to ±1 m, free bodies to ±1 m
// from where q has them.
void SampleConfiguration(const Model& model, JointSampler& sampler, VectorXd& q);

}  // namespace stiction

// What MJCF elements say, before it becomes part of a model: each Read...() lays the attributes of one
// element over a spec, so that a <default> and the element that takes it go through the same code.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/mjcf/compiler.h"
#include "io/mjcf/reflected.h"
#include "io/xml/element.h"
#include "stiction/geometry/triangle_mesh.h"
#include "stiction/math/rigid_transform.h"
#include "stiction/model/actuator.h"
#include "stiction/model/camera.h"
#include "stiction/model/color.h"
#include "stiction/model/contact_law.h"
#include "stiction/model/hydroelastic.h"
#include "stiction/model/light.h"
#include "stiction/model/material.h"

namespace stiction::mjcf {

struct GeomSpec {
  std::string type = "sphere";
  double size[3] = {0.0, 0.0, 0.0};
  RigidTransform X_BG;
  std::optional<std::array<double, 6>> from_to;
  std::optional<double> mass;
  double density = 1000.0;
  double friction = 1.0;
  double torsional_friction = 0.005;
  double rolling_friction = 0.0001;
  double restitution = 0.0;
  Softness softness;
  double softness_weight = 1.0;
  std::optional<double> stiffness;  // of compliant contacts [N/m]; none: rigid
  double dissipation_time = 0.0;    // [s]
  std::string hydroelastic = "rigid";
  std::optional<double> modulus;  // of a compliant one [Pa]
  double dissipation = 0.0;       // likewise [s]
  int polygons = Hydroelastic{}.max_polygons;
  int condim = 3;
  int priority = 0;
  int group = 0;
  double margin = 0.0;
  double gap = 0.0;
  std::uint32_t contype = 1;
  std::uint32_t conaffinity = 1;
  bool concave = false;    // a mesh geom collides as the surface that it is, not as its hull
  std::string mesh;        // asset of a mesh geom, or of a primitive fitted to a mesh
  double fit_scale = 1.0;  // of what is fitted
  bool is_shell = false;   // a primitive's mass is on its surface, the density by area [kg/m²]
  std::string hfield;
  std::string field;        // of an sdf geom (geometry/field_text.h); empty: its mesh is sampled
  double resolution = 0.0;  // of an sdf geom; 0: the engine chooses [m]
  std::optional<Color> rgba;
  std::string material;
  bool is_fluid_ellipsoid = false;
  double fluid[5] = {0.5, 0.25, 1.5, 1.0, 1.0};  // as FluidEllipsoid has them
};
void ReadGeomSpec(xml::Element& element, const Compiler& compiler, GeomSpec& spec);

// MJCF's own defaults: what the two geoms say does not count, but for restitution, which is a word of ours.
struct PairSpec {
  int condim = 3;
  PairFriction friction{1.0, 0.005, 0.0001};  // as read: condim restricts it
  double margin = 0.0, gap = 0.0;             // [m]
  Softness softness{};
  std::optional<double> restitution;  // none: of the two geoms
};
void ReadPairSpec(xml::Element& element, const Compiler& compiler, PairSpec& spec);

struct MeshSpec {
  Vector3d scale = Vector3d::Ones();
  std::optional<MeshSolid> solid;  // none: MJCF's default, legacy
};
void ReadMeshSpec(xml::Element& element, MeshSpec& spec);

inline constexpr Color kDefaultColor{0.5f, 0.5f, 0.5f, 1.0f};  // MJCF's own, of geoms and sites

struct MaterialSpec {
  std::optional<Color> rgba;
  std::string texture;  // asset
  Material look;        // all but name, colour and texture
};
void ReadMaterialSpec(xml::Element& element, MaterialSpec& spec);
// The colour that the material gives on its own: one with a texture that nothing tints has none.
std::optional<Color> ColorOf(const MaterialSpec& material);

// Of cameras and lights. Of a word that is no mode: a note, and the mode stays.
void ReadCameraMode(xml::Element& element, CameraMode& mode);

// False if something in it cannot be read: the element is noted as ignored then, and the spec is as before.
bool ReadLightSpec(xml::Element& element, Light& spec);

struct CameraSpec {
  RigidTransform X_BC;
  double fovy = 45.0;  // vertical, in (0, 180) [degrees]
  bool is_orthographic = false;
  std::array<int, 2> resolution{1, 1};
  // Of the chip and the lens behind it, which give the field of view where there are both; zero: none [m].
  Vector2d sensor_size = Vector2d::Zero(), focal = Vector2d::Zero();
  Vector2d focal_pixel = Vector2d::Zero();  // goes before `focal` [pixels]
  CameraMode mode = CameraMode::kFixed;
};
// False if the pose is no pose: the element is noted as ignored then, and the spec is as before.
bool ReadCameraSpec(xml::Element& element, const Compiler& compiler, CameraSpec& spec);

// A place on a body, and for touch sensors a region about it.
struct SiteSpec {
  RigidTransform X_BS;
  std::string type = "sphere";
  double size[3] = {0.005, 0.005, 0.005};
  std::optional<double> half_length;  // of fromto [m]
  int group = 0;
  std::optional<Color> rgba;
  std::string material;
};
void ReadSiteSpec(xml::Element& element, const Compiler& compiler, SiteSpec& spec);
// Of the box about the site's shape, in its own axes [m].
Vector3d HalfExtents(const SiteSpec& spec);

// Angles as written: their unit depends on the type, which may come later.
struct JointSpec {
  std::string type = "hinge";
  Vector3d pos = Vector3d::Zero();
  Vector3d axis = Vector3d::UnitZ();
  Vector3d axis2 = Vector3d::UnitX();  // of a universal joint; not MuJoCo's
  double pitch = 0.0;                  // of a screw [m per revolution]; not MuJoCo's
  double range[2] = {0.0, 0.0};
  Limited limited = Limited::kAuto;
  double reference = 0.0;
  double spring_reference = 0.0;
  double stiffness[3] = {0.0, 0.0, 0.0};  // linear, and the polynomial's (Joint)
  double damping[3] = {0.0, 0.0, 0.0};
  double spring_damper[2] = {0.0, 0.0};  // time constant [s] and damping ratio; both > 0: instead of these
  double armature = 0.0;
  double friction_loss = 0.0;
  Softness limit_softness;
  double actuator_force_range[2] = {0.0, 0.0};
  Limited actuator_force_limited = Limited::kAuto;
  bool actuators_compensate_gravity = false;
};
void ReadJointSpec(xml::Element& element, const Compiler& compiler, JointSpec& spec);

// Words for the motions of a FrameLock, in its order: rotations about x, y, z and translations along them.
inline constexpr std::array<std::string_view, 6> kMotions{"rx", "ry", "rz", "x", "y", "z"};

struct EqualitySpec {
  bool is_active = true;
  Softness softness;
};
void ReadEqualitySpec(xml::Element& element, const Compiler& compiler, EqualitySpec& spec);

// All kinds of actuators share one set of defaults, as they do in MuJoCo: <position kp="5"/> writes the gains
// that <general> sees.
// What <dcmotor> says, as it is written: a class may have some of it.
struct DcMotorSpec {
  double constants[2] = {0.0, 0.0}, nominal[3] = {0.0, 0.0, 0.0};
  double resistance = 0.0;
  double inductance[2] = {0.0, 0.0};
  double thermal[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
  double saturation[3] = {0.0, 0.0, 0.0};
  double cogging[3] = {0.0, 0.0, 0.0};
  double friction[5] = {0.0, 0.0, 0.0, 0.0, 0.0};
  double controller[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
  std::string input = "voltage";
};

struct ActuatorSpec {
  double gear[6] = {1.0, 0.0, 0.0, 0.0, 0.0, 0.0};
  std::string gain_type = "fixed";
  std::string bias_type = "none";
  double gain[3] = {1.0, 0.0, 0.0};
  double bias[3] = {0.0, 0.0, 0.0};  // of a servo with a damping ratio the last is that, and positive
  Muscle muscle_gain, muscle_bias;   // of these types
  double length_range[2] = {0.0, 0.0};
  double ctrl_range[2] = {0.0, 0.0};
  double force_range[2] = {0.0, 0.0};
  Limited ctrl_limited = Limited::kAuto;
  Limited force_limited = Limited::kAuto;
  std::string dynamics = "none";
  double time_constant = 1.0;             // of a filter [s]
  double muscle_times[2] = {0.01, 0.04};  // of activation and deactivation [s]
  double smoothing = 0.0;                 // of the change between them
  double activation_range[2] = {0.0, 0.0};
  Limited activation_limited = Limited::kAuto;
  bool acts_early = false;
  int group = 0;
  Reflected geared{};          // as written: of what the gear turns
  double inherit_range = 0.0;  // ctrl range as a multiple of the joint's; 0: as written
  DcMotorSpec motor{};         // of <dcmotor>
};
// True if the element is an actuator of any kind, simulated or not.
bool IsActuator(const xml::Element& element);
// gear, damping and armature alone, of any kind of actuator.
void ReadGearedSpec(xml::Element& element, ActuatorSpec& spec);
// False if this kind of actuator is not simulated; nothing is read then.
bool ReadActuatorSpec(xml::Element& element, ActuatorSpec& spec);
// Of <dcmotor>, an input after the first.
struct MotorInput {
  const char* word;
  double gain;  // force per unit
};
// Of <dcmotor>: gain and bias where these say it all, else the motor that takes their place; and the range of
// force that it saturates at.
//   further  out: what has a control of its own besides the first input
std::optional<DcMotor> MakeMotor(xml::Element& element, ActuatorSpec& spec, std::vector<MotorInput>& further);

struct TendonSpec {
  double range[2] = {0.0, 0.0};
  Limited limited = Limited::kAuto;
  double spring_length[2] = {-1.0, -1.0};  // both -1: the length in the reference configuration
  double stiffness[3] = {0.0, 0.0, 0.0};   // linear, and the polynomial's (Tendon)
  double damping[3] = {0.0, 0.0, 0.0};
  double friction_loss = 0.0;
  double armature = 0.0;
  Softness limit_softness;
  double actuator_force_range[2] = {0.0, 0.0};
  Limited actuator_force_limited = Limited::kAuto;
};
// Of <fixed>, <spatial> and a default's <tendon>.
void ReadTendonSpec(xml::Element& element, const Compiler& compiler, TendonSpec& spec);

}  // namespace stiction::mjcf

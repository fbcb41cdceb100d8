// Reads an MJCF file into a ModelBuilder.
//
// The sections are read in the order in which they depend on one another, wherever they stand in the file:
// <compiler> and <option>, <default>, <asset>, <worldbody>, <contact>, <tendon>, <equality>, <actuator>,
// <keyframe>, <sensor>. Included files are spliced in first (include.h). What no function here asks for
// ends in the import report as ignored (xml/element.h).
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "io/mjcf/compiler.h"
#include "io/mjcf/hfield.h"
#include "io/mjcf/mesh.h"
#include "io/mjcf/specs.h"
#include "io/xml/element.h"
#include "io/xml/element_table.h"
#include "stiction/geometry/field_solid.h"
#include "stiction/io/load.h"
#include "stiction/model/model_builder.h"

namespace stiction::mjcf {

class Reader {
 public:
  //   folder  of the main file: where the paths of assets begin
  Reader(xml::Element& root, const std::filesystem::path& folder, const LoadOptions& options)
      : root_(root), folder_(folder), load_options_(options) {}
  // Throws LoadError. May be called once.
  Model Read();
  // The files of attached models, for the import report.
  const std::vector<std::unique_ptr<xml::Element>>& attached_roots() const { return attached_roots_; }

 private:
  // Where the element being read stands: on which body, in which <frame>, under which childclass.
  struct Scope {
    int body = 0;
    RigidTransform X_BF;  // frame F of the enclosing <frame> and <replicate> elements on the body
    int default_class = 0;
    std::string suffix;  // appended to names by <replicate>
  };
  struct DefaultClass {
    std::string name;
    MaterialSpec material;
    MeshSpec mesh;
    GeomSpec geom;
    SiteSpec site;
    CameraSpec camera;
    JointSpec joint;
    ActuatorSpec actuator;
    EqualitySpec equality;
    TendonSpec tendon;
    PairSpec pair;
  };
  struct SensedGeom {
    Frame frame;
    bool is_mesh = false;
  };
  // What decides a body's mass once all of its elements are known.
  struct BodyMass {
    xml::Element* inertial = nullptr;
    MassProperties explicit_inertia;
    bool has_geom_mass = false;
  };
  struct Flags {
    bool contact = true, gravity = true, limit = true, spring = true, damper = true, clamp_ctrl = true;
  };

  // Each section, in every place where it occurs.
  template <typename Function>
  void ForEachSection(const char* name, Function&& function);

  // option.cpp
  void ReadOption(xml::Element& element);
  void ReadContactModel(xml::Element& element);
  void ReadFlags(xml::Element& element);
  // defaults.cpp
  void ReadMainDefault(xml::Element& element);
  void ReadDefault(xml::Element& element, int index);
  int FindClass(const xml::Element& element, std::string_view attribute, const std::string& name) const;
  int ClassOf(xml::Element& element, int inherited) const;
  // body.cpp
  void ReadChildren(xml::Element& parent, const Scope& scope);
  void ReadBody(xml::Element& element, const Scope& scope);
  void ReadFrame(xml::Element& element, const Scope& scope);
  void ReadReplicate(xml::Element& element, const Scope& scope);
  void ReadJointElement(xml::Element& element, const Scope& scope);
  void ReadFreeJoint(xml::Element& element, const Scope& scope);
  void ReadSite(xml::Element& element, const Scope& scope);
  std::string ReadName(xml::Element& element, const Scope& scope) const;
  // attach.cpp
  void ReadModelAsset(xml::Element& element);
  void ReadOnlyBody(xml::Element& world);
  const Model& LoadAttached(const xml::Element& element, const std::string& name, const std::string& body);
  void ReadAttach(xml::Element& element, const Scope& scope);
  // joint.cpp
  void AddJoint(xml::Element& element, const JointSpec& spec, const std::string& name, const Scope& scope);
  // mesh_geom.cpp
  void ReadAssets(xml::Element& element);
  void ReadMeshAsset(xml::Element& element);
  void ReadMeshGeom(xml::Element& element, const GeomSpec& spec, const std::string& name, const Scope& scope);
  void AddMeshShape(xml::Element& element, const GeomSpec& spec, Geom geom, MeshAsset& asset);
  bool MassIsWritten(const xml::Element& geom) const;
  void AddMeshMass(xml::Element& element, const GeomSpec& spec, MeshAsset& asset, const Scope& scope);
  // hfield_geom.cpp
  void ReadHeightField(xml::Element& element);
  void ReadHeightFieldGeom(xml::Element& element, const GeomSpec& spec, const std::string& name,
                           const Scope& scope);
  // field_geom.cpp
  const PlacedField& FindField(xml::Element& element, const GeomSpec& spec);
  void ReadFieldGeom(xml::Element& element, const GeomSpec& spec, const std::string& name,
                     const Scope& scope);
  // material.cpp
  void ReadMaterialAsset(xml::Element& element);
  std::optional<Color> FindColor(xml::Element& element, const GeomSpec& spec) const;
  // geom.cpp
  void ReadGeomElement(xml::Element& element, const Scope& scope);
  void AddGeom(xml::Element& element, const GeomSpec& spec, Geom geom, const GeomMass& mass);
  void AddGround();
  void CheckPlanes(const Model& model) const;
  // visual.cpp
  bool IsSeen(const GeomSpec& spec) const;
  bool AddMeshVisual(xml::Element& element, const GeomSpec& spec, const std::string& name, MeshAsset& asset,
                     const Scope& scope);
  static void ShowBareBodies(Model& model);
  // camera.cpp
  void ReadCameraElement(xml::Element& element, const Scope& scope);
  void ClaimCameraNames(xml::Element& element, std::vector<ModelCamera>& cameras);
  // inertia.cpp
  void ReadInertial(xml::Element& element, const Scope& scope);
  bool CountsForMass(const GeomSpec& spec) const;
  void FinishInertias();
  void ApplyInertiaRules();
  // constraint.cpp: <contact>
  void ReadContact(xml::Element& element);
  void ReadExclude(xml::Element& element);
  bool ReadGeomPair(xml::Element& element, std::array<int, 2>& index) const;
  void ReadContactPair(xml::Element& element);
  int FindBody(const xml::Element& element, std::string_view attribute) const;
  // equality.cpp
  void ReadEquality(xml::Element& element);
  bool NamesOfEqualityAreHere(xml::Element& element);
  bool ReadLockedPair(xml::Element& element, FrameLock& lock);
  FrameLock ReadConnect(xml::Element& element);
  FrameLock ReadWeld(xml::Element& element);
  FrameLock ReadLock(xml::Element& element);
  PointDistance ReadPointDistance(xml::Element& element);
  JointPolynomial ReadJointPolynomial(xml::Element& element);
  TendonPolynomial ReadTendonPolynomial(xml::Element& element);
  RigidTransform PoseInFile(int body) const;
  const Frame& FindSite(const xml::Element& element, std::string_view attribute) const;
  // tendon.cpp
  void ReadTendons(xml::Element& element);
  void ReadTendonElement(xml::Element& element);
  bool ReadFixedPath(xml::Element& element, FixedTendon& path) const;
  bool ReadSpatialPath(xml::Element& element, SpatialTendon& path) const;
  bool ReadWrap(xml::Element& element, SpatialTendon::Wrap& wrap) const;
  const Frame* FindSiteHere(xml::Element& element, std::string_view attribute) const;
  // actuator.cpp
  void ReadActuators(xml::Element& element);
  bool ReadActuatorElement(xml::Element& element);
  bool ReadTransmission(xml::Element& element, Actuator& actuator);
  bool SetForce(xml::Element& element, const ActuatorSpec& spec, Actuator& actuator) const;
  bool SetDynamics(xml::Element& element, const ActuatorSpec& spec, Actuator& actuator) const;
  void SetRanges(const xml::Element& element, const ActuatorSpec& spec, Actuator& actuator) const;
  // sensor.cpp
  void ReadSensors(xml::Element& element);
  bool ReadSensorElement(xml::Element& element, Sensor& sensor);
  bool ReadJointSensor(xml::Element& element, Sensor& sensor) const;
  bool ReadActuatorSensor(xml::Element& element, Sensor& sensor) const;
  bool ReadFrameSensor(xml::Element& element, Sensor& sensor) const;
  bool ReadSiteSensor(xml::Element& element, Sensor& sensor) const;
  bool ReadContactSensor(xml::Element& element, Sensor& sensor) const;
  bool ReadContactSide(xml::Element& element, char side, ContactSide& out) const;
  bool ReadRegion(xml::Element& element, Sensor& sensor) const;
  std::optional<Frame> FindSensedFrame(xml::Element& element, const std::string& type,
                                       std::string_view attribute) const;
  template <typename Map>
  const typename Map::mapped_type* FindSensed(xml::Element& element, std::string_view attribute,
                                              const Map& map, const char* what) const;
  // keyframe.cpp
  void ReadKeyframe(xml::Element& element);
  VectorXd ReadMocap(xml::Element& element) const;

  xml::Element& root_;
  std::filesystem::path folder_;
  const LoadOptions& load_options_;
  ModelBuilder builder_;
  ElementTable table_;
  Compiler compiler_;
  Flags flags_;
  std::vector<DefaultClass> classes_{{.name = "main",
                                      .material = {},
                                      .mesh = {},
                                      .geom = {},
                                      .site = {},
                                      .camera = {},
                                      .joint = {},
                                      .actuator = {},
                                      .equality = {},
                                      .tendon = {},
                                      .pair = {}}};
  std::unordered_map<std::string, int> class_index_{{"main", 0}};
  std::unordered_map<std::string, MeshAsset> meshes_;             // by name
  std::unordered_map<std::string, MaterialSpec> materials_;       // by name
  std::unordered_map<std::string, HeightFieldAsset> hfields_;     // by name
  std::map<std::pair<std::string, double>, PlacedField> fields_;  // by text or mesh, and resolution
  std::vector<BodyMass> body_mass_{1};                            // one a body
  std::unordered_map<std::string, int> body_index_{{"world", 0}};
  std::unordered_map<std::string, int> joint_index_;
  std::unordered_map<std::string, int> tendon_index_;
  std::unordered_set<std::string> camera_names_;
  std::unordered_map<std::string, Geom> named_geoms_;
  std::unordered_map<std::string, int> geom_index_;  // of the builder
  std::unordered_map<std::string, Frame> sites_;     // by name
  std::unordered_map<std::string, SiteSpec> site_specs_;
  std::unordered_map<std::string, SensedGeom> geom_frames_;
  std::unordered_map<std::string, Frame> camera_frames_;
  std::unordered_map<std::string, int> actuator_index_;  // -1: not simulated
  std::vector<int>
      actuator_of_ctrl_;  // one an actuator in the file: the builder's index, -1 if it is not simulated
  std::unordered_map<std::string, std::filesystem::path> model_files_;  // <model> assets, by name
  std::map<std::pair<std::string, std::string>, Model> attached_;       // by model and body
  std::vector<std::unique_ptr<xml::Element>> attached_roots_;
  std::string only_body_;  // of an attached model: the body that is wanted; empty: all
  bool found_only_body_ = false;
  int depth_ = 0;  // 1 for a model that is attached to the main one, and so on
  int num_mocap_ = 0;
  int num_elements_read_ = 0;  // of <worldbody>, every copy counted
};

}  // namespace stiction::mjcf

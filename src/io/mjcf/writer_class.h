// Writes a Model as an MJCF file: the reverse of ReadModel (read_model.h).
//
// Sections that refer to elements are written first, and give names to those that have none; then
// <worldbody>, with all sites that were asked for; the document has them in MJCF's usual order.
#pragma once

#include <tinyxml2.h>

#include <map>
#include <set>

#include "geometry/field_source.h"
#include "io/mjcf/output.h"
#include "io/mjcf/writer_assets.h"
#include "model/unique_names.h"
#include "stiction/io/mjcf_writer.h"

namespace stiction::mjcf {

inline constexpr int kHiddenGroup = 3;  // as MuJoCo's viewer starts, and IsSeen (geom.h)

// Whose force is nothing, whatever it does. As MuJoCo takes no range without width, these are written in a
// group that is disabled.
inline bool IsDisabled(const Actuator& actuator) {
  return actuator.force_lower == 0.0 && actuator.force_upper == 0.0;
}
inline constexpr int kDisabledGroup = 30;

class Writer {
 public:
  Writer(const Model& model, const std::string& path);
  // May be called once.
  MjcfDocument Write();

 private:
  // A place on a body: a frame of the model, or one that something refers to.
  struct Site {
    std::string name;
    WrittenPose pose;
    bool has_region = false;  // of a sensor
    Vector3d region = Vector3d::Zero();
    RegionShape shape = RegionShape::kEllipsoid;
    const Visual* look = nullptr;  // null: it is not drawn
  };
  // A mesh that is drawn beside the geoms of a body.
  struct Look {
    std::string name;
    std::string mesh;  // asset
    WrittenPose pose;
    std::optional<Color> color;
    std::string material{};  // asset
  };

  void CheckDepth() const;
  void RequireNames();
  void Note(ImportStatus status, const std::string& item, const std::string& why);
  void NoteSoftness(const Output& element, const std::string& owner, bool is_soft);
  // Says that MuJoCo does not know this word.
  void Extend(const std::string& word) { extensions_.insert(word); }
  void SetRange(Output& element, const char* attribute, double lower, double upper, const std::string& owner);
  void SetSoftness(Output& element, const char* reference, const char* impedance, const Softness& softness);

  // writer_option.cpp
  void WriteCompiler(Output& root);
  void WriteOption(Output& root);
  void WriteIntegrator(Output& option);
  void WriteSurroundings(Output& root);
  void WriteKeyframes(Output& section);
  // writer_body.cpp
  void WriteBody(int index, Output& element);
  void WriteInertial(const Body& body, Output& parent);
  void WriteJoint(int index, Output& body);
  void WriteLimits(const Joint& joint, Output& element);
  void WriteSites(int body, Output& element);
  void WriteRegion(const Site& site, Output& element);
  void WriteCameras(int body, Output& element);
  void WriteView(const ModelCamera& camera, Output& element);
  void SetMode(Output& element, CameraMode mode, int target);  // of a camera or light
  void WriteLights(int body, Output& element);
  // writer_geom.cpp
  bool IsWritten(int geom) const;
  void WriteGeoms(int body, Output& element);
  void WriteGeom(int index, Output& body, std::vector<Look>& looks);
  void WriteMeshGeom(int index, const Shape& shape, Output& body, std::vector<Look>& looks);
  void WriteField(int index, const Field& field, Output& body, std::vector<Look>& looks);
  void WriteContactRules(const Geom& geom, Output& element);
  std::string ClaimLookName(const std::string& name);
  std::vector<Look> MakeLooks(const Visual& visual);
  std::vector<Look> MakePartLooks(const Visual& visual, const TriangleMesh& mesh);
  void SetLook(Output& element, const std::optional<Color>& color, const SharedMaterial& material, int group);
  void WriteVisualShape(const Visual& visual, Output& body);
  void WriteSiteLook(const Visual& site, bool has_size, Output& element);
  // writer_constraint.cpp
  void WriteContacts(Output& section);
  void WritePair(const ContactPair& pair, Output& section);
  void WriteExclusions(Output& section);
  void WriteEqualities(Output& section);
  Output& WriteKind(const FrameLock& lock, Output& section);
  Output& WriteKind(const JointPolynomial& couple, Output& section);
  Output& WriteKind(const TendonPolynomial& couple, Output& section);
  Output& WriteKind(const PointDistance& points, Output& section);
  // writer_tendon.cpp
  void WriteTendons(Output& section);
  void WriteTendon(int index, Output& element);
  void WriteRestRange(std::pair<double, double> range, const std::string& owner, Output& element);
  void WritePath(const SpatialTendon& path, Output& tendon);
  std::string FindWrapGeom(const SpatialTendon::Wrap& wrap);
  // writer_actuator.cpp
  void WriteActuators(Output& section);
  void WriteTransmission(const Actuator& actuator, Output& element);
  void WriteRanges(const Actuator& actuator, Output& element);
  // writer_sensor.cpp
  void WriteSensors(Output& section);
  void WriteSensor(const Sensor& sensor, Output& section);
  bool AreWritten(const Sensor& sensor) const;
  void WriteContactData(const Sensor& sensor, Output& element);
  void WriteSensedFrame(const Frame& frame, const char* type, const char* name, Output& element);
  void WriteContactSide(const ContactSide& side, char number, Output& element);

  // Names of the sites at a frame, at a point and at a region; found among those that are there, or new.
  std::string SiteAt(const Frame& frame);
  std::string SiteAt(const SpatialTendon::Site& point);
  std::string SiteOf(const Sensor& sensor, const Frame& frame);
  std::string AddSite(int body, const Site& site);

  const Model& model_;
  std::string path_;
  tinyxml2::XMLDocument document_;
  ImportReport report_;
  std::set<std::string> extensions_;
  AssetWriter assets_;
  UniqueNames bodies_, joints_, geoms_, tendons_, actuators_, sites_, cameras_;
  std::vector<std::vector<Site>> sites_of_;       // by body
  std::vector<std::vector<Geom>> wrap_geoms_of_;  // by body: of tendons, where the model has none
  int num_visual_shapes_ = 0;
  std::set<std::string> noted_hulls_;                                                           // assets
  std::vector<std::vector<int>> children_of_, geoms_of_, visuals_of_, cameras_of_, lights_of_;  // by body
};

}  // namespace stiction::mjcf

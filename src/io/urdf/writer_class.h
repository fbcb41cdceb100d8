// Writes a Model as a URDF file: the reverse of ReadRobot and Assembly.
//
// A body becomes a link whose frame L stands at the body's last joint, turned as the body's frame B; the
// joints before that one are on links of their own, without mass. In the file come, body by body, the joints
// that lead to its link, the link, and the frames on it: the order in which they are read.
#pragma once

#include <tinyxml2.h>

#include <map>
#include <unordered_set>

#include "io/mjcf/output.h"
#include "io/mjcf/writer_assets.h"
#include "stiction/io/urdf_writer.h"

namespace stiction::urdf {

using mjcf::Output;

// The roll, pitch and yaw that are read as this rotation, to 2e-14, and that are written of what is read.
Vector3d SettleRollPitchYaw(const Matrix3d& R);

// <origin> as the first child; none for the identity.
void SetOrigin(const RigidTransform& X, Output& parent);

class Writer {
 public:
  Writer(const Model& model, const std::string& path);
  // May be called once.
  ModelDocument Write();

 private:
  // A joint of the file, between the link before it and one that it moves.
  struct Piece {
    std::string name;
    const char* type = "fixed";
    Vector3d axis = Vector3d::UnitX();
    Vector3d p_BJ = Vector3d::Zero();  // anchor [m]
    const Joint* joint = nullptr;      // of the model
    std::string mimicked{};            // a joint that this one follows
    double multiplier = 1.0;
    double offset = 0.0;
  };
  // The motors of a joint, and what bounds their force.
  struct Motors {
    std::vector<int> actuators;
    double effort = std::numeric_limits<double>::infinity();
  };

  void Note(ImportStatus status, const std::string& item, const std::string& why,
            ImportLoss loss = ImportLoss::kPhysical);
  // "3 geoms: ..." for what is said of many; nothing if there are none.
  void NoteCount(int count, const std::string& item, const std::string& what, const std::string& why);
  std::string ClaimLink(const std::string& wanted);
  std::string ClaimJoint(const std::string& wanted);

  // urdf_writer.cpp
  void NameElements();
  int FindRootFrame() const;
  void WriteBody(int body);
  void WriteFrames(int body);
  void WriteMaterials();

  // writer_link.cpp
  Output& AddLink(const std::string& name);
  void WriteInertial(const MassProperties& inertia, const Vector3d& p_BL, Output& link);
  void WriteShapes(int body, Output& link);
  void WriteVisual(const Visual& visual, const Vector3d& p_BL, Output& link);
  void WriteCollision(const Geom& geom, const Vector3d& p_BL, Output& link);
  const Geom* FindSurface(int body) const;  // null: the link touches nothing
  void WriteSurface(const Geom& geom, Output& link);
  std::optional<mjcf::WrittenMesh> WriteShape(const Shape& shape, const std::string& name, Output& parent);
  void SetMesh(const mjcf::WrittenMesh& mesh, Output& parent);
  void SetMaterial(const std::optional<Color>& color, Output& visual);

  // writer_joint.cpp
  void CollectMimics();
  void CollectMotors();
  std::vector<Piece> MakePieces(int body);
  void AddPieces(int joint, std::vector<Piece>& pieces);
  std::optional<Piece> MakePlanar(const Body& body) const;
  void AddJoint(const Piece& piece, const RigidTransform& X_PJ, const std::string& parent,
                const std::string& child);
  void WriteLimit(const Piece& piece, Output& element);
  void WriteTransmissions();

  // writer_lost.cpp
  void NoteJoints();
  void NoteGeoms();
  void NoteContacts();
  void NoteMechanisms();
  void NoteOptions();

  const Model& model_;
  std::string path_;
  tinyxml2::XMLDocument document_;
  Output* root_ = nullptr;
  ImportReport report_;
  std::set<std::string> extensions_;
  mjcf::AssetWriter assets_;
  std::unordered_set<std::string> taken_links_, taken_joints_;
  std::vector<std::string> link_names_, joint_names_, frame_names_;  // by body, joint, frame
  std::vector<Vector3d> p_BL_;                                       // by body [m]
  std::vector<int> num_pieces_;                                      // by body
  int root_frame_ = -1;
  std::vector<std::vector<int>> geoms_of_, visuals_of_, frames_of_;  // by body
  std::map<int, const Equality*> mimics_;                            // by joint
  std::map<int, Motors> motors_;                                     // by joint
  std::map<std::array<float, 4>, std::string> materials_;
  std::vector<std::pair<std::string, Color>> material_list_;
  int num_massless_ = 0, num_hidden_ = 0;
};

}  // namespace stiction::urdf

// A ModelBuilder's model of what stands in an SDFormat file.
#pragma once

#include "io/friction_note.h"
#include "io/sdf/geometry.h"
#include "io/sdf/tree.h"
#include "io/xml/element_table.h"

namespace stiction::sdformat {

class Assembly {
 public:
  // All are referred to and must outlive the assembly.
  Assembly(File& file, Paths& paths, const LoadOptions& options);
  // Throws LoadError. May be called once.
  Model Build();
  const std::vector<ImportItem>& notes() const { return notes_; }
  int num_hits() const { return geometry_.num_hits(); }

 private:
  // assembly.cpp
  void AddLink(int link);
  void AddCollisions(const Link& link, int body);
  void AddVisuals(const Link& link, int body);
  void AddFrames();
  void ExcludeContacts();
  void AddGround();
  void NotePart(const xml::Element& element, ImportStatus status, const std::string& why);
  // dynamics.cpp
  MassProperties ReadInertial(const Link& link);
  void JudgeInertia(xml::Element& inertial, Matrix3d& I) const;
  void ReadWorld();
  // joint.cpp
  void AddJoints(const JointEntry& entry, int body, const RigidTransform& X_WC);
  void AddAxisJoint(const JointEntry& entry, const Axis& axis, const std::string& name, int body,
                    const RigidTransform& X_WC);
  void AddClosure(const JointEntry& entry);
  void AddMimics();

  int BodyOf(int link) const { return link == kWorld ? 0 : body_of_link_[link]; }
  RigidTransform PoseOf(int link) const { return link == kWorld ? RigidTransform{} : file_.links[link].X_WL; }

  File& file_;
  const LoadOptions& options_;
  ModelBuilder builder_;
  ElementTable table_;
  FrictionNote friction_note_;
  Tree tree_;
  GeometryReader geometry_;
  std::vector<int> body_of_link_;
  std::vector<bool> stands_;  // by link: nothing moves it
  bool has_masks_ = false;
  struct Mimic {
    xml::Element* element;
    std::string follower, leader;
    bool is_second_axis;  // of the leader
    double multiplier, offset;
  };
  std::vector<Mimic> mimics_;
  std::vector<std::pair<std::string, int>> joints_by_name_;
  std::vector<ImportItem> notes_;
};

}  // namespace stiction::sdformat

// Makes a model of a URDF robot.
#pragma once

#include <utility>
#include <vector>

#include "io/friction_note.h"
#include "io/urdf/overlap.h"
#include "io/urdf/robot.h"
#include "io/xml/element_table.h"
#include "stiction/io/load.h"

namespace stiction::urdf {

// Links become bodies where a joint moves them; links behind fixed joints fuse into the body that carries
// them, and a fixed base into the world. Fused links stay findable as Model::frames.
class Assembly {
 public:
  // All are referred to and must outlive the assembly.
  Assembly(const Robot& robot, const xml::Element& root, const LoadOptions& options)
      : robot_(robot), root_(root), options_(options) {}

  // Throws LoadError. May be called once.
  Model Build();

  // What the file does not say, for the import report: the pairs of links that do not collide.
  const std::vector<ImportItem>& notes() const { return notes_; }

 private:
  // assembly.cpp
  void CalcLinkPoses();
  double CalcLift() const;
  int FloatingLink(int root) const;
  std::vector<int> FloatingLinks() const;
  void AddLinks();
  void AttachLink(int link, int body, const RigidTransform& X_BL);
  int AddMovingLink(const JointEntry& entry, int parent_body, const RigidTransform& X_PB);
  void AddJoints(const JointEntry& entry, int body);
  int AddJoint(const xml::Element* element, int body, const Joint& joint);
  void AddMimics();
  void AddMotors();
  void NoteMissingInertia(const Link& link);
  void CheckFloatingLinks() const;
  void SetInertias();
  void FillEmptyLeaves();
  std::string FindHint(const ModelError& error) const;
  void AddGround();
  // collision_filter.cpp
  void FindParts();
  void ExcludeAdjacent();
  void ExcludeOverlapping();
  void Exclude(int link_a, int link_b);

  const Robot& robot_;
  const xml::Element& root_;
  const LoadOptions& options_;
  ModelBuilder builder_;
  ElementTable table_;
  FrictionNote friction_note_;
  std::vector<RigidTransform> X_WL_;     // one per link, in the first configuration
  std::vector<int> body_of_link_;        // one per link
  std::vector<int> builder_joint_;       // one per robot joint: the builder's index, -1 for a fixed one
  std::vector<MassProperties> inertia_;  // one per body: the sum over its links
  std::vector<int> floating_bodies_;
  std::vector<PlacedShape> placed_;      // collision shapes
  std::vector<int> link_of_placed_, geom_of_placed_;
  std::vector<int> part_of_link_;    // the body, or a number beyond all bodies
  std::vector<int> island_of_link_;  // the topmost link above it below a floating joint; -1: there is none
  std::vector<std::vector<int>> geoms_of_part_;
  std::vector<ImportItem> notes_;
};

}  // namespace stiction::urdf

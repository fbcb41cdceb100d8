// What is recorded of a simulation, as plain data: sim/recorder.h fills the rows from a World, io/log.h
// writes them to a file, and io/log_reader.h reads them back.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "stiction/contact/budget.h"
#include "stiction/contact/certificate.h"
#include "stiction/contact/solution.h"
#include "stiction/scenario/model_source.h"

namespace stiction {

// What to log besides time, q, v, ctrl, certificate, counts and times, which every row holds.
struct RecordOptions {
  std::vector<std::string> bodies{};  // names of bodies or frames whose poses are recorded
  bool all_bodies = false;            // every body instead, the world left out
  bool contacts = false;              // contact points and impulses; HDF5 alone
  bool energy = false;
  bool sensors = false;  // all of them
  bool pulls = false;    // by which a user pulled at a body: LogPull
  int every = 1;         // a row every so many steps, >= 1
  ModelSource source{};  // of the model: HDF5 alone
};

// Pose of a recorded body or frame B.
struct LogPose {
  Vector3d p_WB = Vector3d::Zero();                      // [m]
  std::array<double, 4> quat_WB = {1.0, 0.0, 0.0, 0.0};  // w,x,y,z
};

struct LogContact {
  int geom_a = -1;
  int geom_b = -1;
  Vector3d p_W = Vector3d::Zero();        // [m]
  Vector3d n_W = Vector3d::Zero();        // unit normal from A to B
  double gap = 0.0;                       // at the start of the step [m]
  Vector3d impulse_W = Vector3d::Zero();  // on B [N·s]
  Vector3d moment_W = Vector3d::Zero();   // of torsional and rolling friction, on B [N·m·s]
  double area = 0.0;                      // of a piece of a patch (sim/contact.h); 0: a point [m²]
};

// What pulled at a body in the step, as a user does in a window.
struct LogPull {
  int body = -1;                         // -1: nothing did
  Vector3d p_W = Vector3d::Zero();       // where, at the end of the step [m]
  Vector3d force_W = Vector3d::Zero();   // [N]
  Vector3d torque_W = Vector3d::Zero();  // [N·m]
};

// One recorded step. Kept from row to row by its filler: the vectors keep their capacity.
struct LogRow {
  double time = 0.0;  // at the end of the step [s]
  VectorXd q, v;      // at the end of the step, sizes nq and nv
  VectorXd ctrl;      // size nu: as it acted in the step, before clamping
  Certificate certificate;
  SolveReport solve;
  int step_status = 0;               // sim/step_report.h: StepStatus
  int num_contacts = 0;              // contact constraints, open ones included
  int num_limits = 0;                // joint limits within reach
  int num_islands = 0;               // groups of trees coupled by constraints
  int num_parts = 1;                 // of the timestep, of which each was a step of its own
  double penetration = 0.0;          // deepest overlap at the start of the step [m]
  double loop = 0.0;                 // largest residual of an equality at its end [m or rad]
  double correction = 0.0;           // largest displacement that removed penetration [m or rad]
  std::vector<double> phases;        // wall times [s], one per name of LogHeader::phases
  double kinetic = 0.0;              // at the end of the step [J], with RecordOptions::energy
  double potential = 0.0;            // [J]
  VectorXd sensors;                  // one per name of LogHeader::sensors, in units of the sensor
  std::vector<LogPose> bodies;       // at the end of the step, one per name of LogHeader::recorded_bodies
  std::vector<LogContact> contacts;  // in the step, with RecordOptions::contacts
  LogPull pull;                      // in the step, with RecordOptions::pulls
};

// What is the same for all rows.
struct LogHeader {
  std::string model;
  std::string solver;
  double timestep = 0.0;  // [s]
  ModelSource source{};
  std::optional<Budget> budget{};  // not given: not known

  std::vector<std::string> joints, bodies, geoms, actuators;
  std::vector<std::string> coordinates;  // one per entry of q: "elbow", "cup_joint.x", "cup_joint.qw"
  std::vector<std::string> dofs;         // one per entry of v: "elbow", "cup_joint.vx", "cup_joint.wx"
  std::vector<int> geom_body;            // one per geom

  std::vector<std::string> phases;         // "kinematics", ..., the last one "total"
  std::vector<std::string> step_statuses;  // names of LogRow::step_status
  std::vector<std::string> recorded_bodies;
  std::vector<std::string> sensors;  // one per value: "touch", "gyro.x"; empty if they are not recorded
  bool contacts = false;
  bool energy = false;
  bool pulls = false;

  int nq() const { return static_cast<int>(coordinates.size()); }
  int nv() const { return static_cast<int>(dofs.size()); }
  int nu() const { return static_cast<int>(actuators.size()); }
};

}  // namespace stiction

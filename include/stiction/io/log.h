// Logs of a simulation: one row a recorded step, to CSV or HDF5. Plain data: sim/recorder.h fills it from a
// World.
//
// HDF5 (.h5, .hdf5), n rows:
//
//   /time [n], /q [n,nq], /v [n,nv], /ctrl [n,nu], /penetration [n], /correction [n]
//   /certificate/{ncp_max, ncp_mean, canal, own_law, momentum, loop, worst_constraint} [n]
//   /solver/{step_status, status, iterations, newton_steps, sweeps, factorizations, stage} [n]
//   /counts/{contacts, limits, islands} [n]
//   /phases/{kinematics, ..., total} [n]
//   /energy/{kinetic, potential} [n]                             with RecordOptions::energy
//   /sensors [n,ns]                                              with RecordOptions::sensors; /names/sensors
//   /bodies/pos [n,nb,3], /bodies/quat [n,nb,4]                  where bodies are recorded; w,x,y,z
//   /contacts/{first, count} [n]                                 with RecordOptions::contacts: row i has the
//   /contacts/{geom_a, geom_b, body_a, body_b, gap} [m],         entries first[i] ... first[i] + count[i] − 1
//             {pos, normal, impulse, moment} [m,3]
//   /names/{joints, coordinates, dofs, actuators, bodies, geoms, recorded_bodies}, /names/geom_body
//
// A joint without a name goes by its body where that has no other, else as "joint<index>"; others alike.
// Every dataset has the attributes `unit` and `description`; the file has format, format_version, engine,
// engine_version, model, solver and timestep. What has no name goes by its index, "geom3"; a joint by its
// body, where that has no other. The file is in single-writer-multiple-reader mode: it can be read while it
// grows (h5py: File(path, "r", swmr=True)), and any reader opens what a killed writer left. /time grows last,
// so that len(time) rows are complete in every dataset.
//
// CSV (.csv): time; q0...; v0...; contacts; iterations; ncp_max [m/s]; penetration [m]; step_us, the wall
// time of the step [µs]; then ctrl0...; the rest of the certificate and of the solver's report (statuses as
// numbers, in the order of their enumerations); the phases [µs]; energy [J]; x, y, z, qw, qx, qy, qz of every
// recorded body; the values of sensors, as "sensor.gyro.x" (sim/sensors.h). It holds no contact points. Every
// number is the shortest text that reads back bit for bit.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "stiction/contact/certificate.h"
#include "stiction/contact/solution.h"
#include "stiction/math/rotation.h"

namespace stiction {

// What to log besides time, q, v, ctrl, certificate, counts and times, which every row holds.
struct RecordOptions {
  std::vector<std::string> bodies{};  // names of bodies or frames whose poses are recorded
  bool all_bodies = false;            // every body instead, the world left out
  bool contacts = false;              // contact points and impulses; HDF5 alone
  bool energy = false;
  bool sensors = false;  // all of them
  int every = 1;         // a row every so many steps, >= 1
};

// Pose of a recorded body or frame B.
struct LogPose {
  Vector3d p_WB = Vector3d::Zero();  // [m]
  Quaterniond quat_WB = Quaterniond::Identity();
};

struct LogContact {
  int geom_a = -1;
  int geom_b = -1;
  Vector3d p_W = Vector3d::Zero();        // [m]
  Vector3d n_W = Vector3d::Zero();        // unit normal from A to B
  double gap = 0.0;                       // at the start of the step [m]
  Vector3d impulse_W = Vector3d::Zero();  // on B [N·s]
  Vector3d moment_W = Vector3d::Zero();   // of torsional and rolling friction, on B [N·m·s]
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
  double penetration = 0.0;          // deepest overlap at the start of the step [m]
  double loop = 0.0;                 // largest residual of an equality at its end [m or rad]
  double correction = 0.0;           // largest displacement that removed penetration [m or rad]
  std::vector<double> phases;        // wall times [s], one a name of LogHeader::phases
  double kinetic = 0.0;              // at the end of the step [J], with RecordOptions::energy
  double potential = 0.0;            // [J]
  VectorXd sensors;                  // one a name of LogHeader::sensors, in units of the sensor
  std::vector<LogPose> bodies;       // at the end of the step, one a name of LogHeader::recorded_bodies
  std::vector<LogContact> contacts;  // in the step, with RecordOptions::contacts
};

// What is the same for all rows.
struct LogHeader {
  std::string model;
  std::string solver;
  double timestep = 0.0;  // [s]

  std::vector<std::string> joints, bodies, geoms, actuators;
  std::vector<std::string> coordinates;  // one an entry of q: "elbow", "cup_joint.x", "cup_joint.qw"
  std::vector<std::string> dofs;         // one an entry of v: "elbow", "cup_joint.vx", "cup_joint.wx"
  std::vector<int> geom_body;            // one a geom

  std::vector<std::string> phases;         // "kinematics", ..., the last one "total"
  std::vector<std::string> step_statuses;  // names of LogRow::step_status
  std::vector<std::string> recorded_bodies;
  std::vector<std::string> sensors;  // one a value: "touch", "gyro.x"; empty if they are not recorded
  bool contacts = false;
  bool energy = false;

  int nq() const { return static_cast<int>(coordinates.size()); }
  int nv() const { return static_cast<int>(dofs.size()); }
  int nu() const { return static_cast<int>(actuators.size()); }
};

// Writes rows in blocks. An error of the file system (a full disk, say) is thrown as a std::runtime_error
// with path and reason by the call that meets it, which may be later than the Append that filled the block;
// rows written before stay readable, and every later call does nothing.
class LogWriter {
 public:
  // Throws std::runtime_error if Open cannot take this name: unknown extension, HDF5 in a build without it.
  static void CheckName(const std::string& path);

  // Creates or overwrites the file, its format chosen by the extension. Throws std::runtime_error: as
  // CheckName, or a file that cannot be written.
  static std::unique_ptr<LogWriter> Open(const std::string& path, const LogHeader& header);

  virtual ~LogWriter() = default;  // closes; an error is lost here, so call Close() first
  LogWriter(const LogWriter&) = delete;
  LogWriter& operator=(const LogWriter&) = delete;

  // Sizes have to be those of the header. Written at the latest with the first Append a second later.
  // Allocates nothing once its buffers have seen the largest number of contacts, HDF5's own memory aside.
  virtual void Append(const LogRow& row) = 0;
  // Hands all rows to the operating system: readers see them from here on.
  virtual void Flush() = 0;
  virtual void Close() = 0;

 protected:
  LogWriter() = default;
};

}  // namespace stiction

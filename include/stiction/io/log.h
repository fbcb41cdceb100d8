// Logs of a simulation: one row a recorded step, to CSV or HDF5. The rows are
// plain data (scenario/record.h) that sim/recorder.h fills from a World.
//
// HDF5 (.h5, .hdf5), n rows:
//
//   /time [n], /q [n,nq], /v [n,nv], /ctrl [n,nu], /penetration [n], /correction [n]
//
//   /certificate/{ncp_max, ncp_mean, canal, own_law, momentum, loop, worst_constraint} [n]
//
//   /solver/{step_status, status, iterations, iterations_sum, newton_steps, sweeps} [n]
//
//   /solver/{factorizations, stage} [n]
//
//   /counts/{contacts, limits, islands, parts} [n]
//
//   /phases/{kinematics, ..., total} [n]
//
//   /energy/{kinetic, potential} [n]: with RecordOptions::energy
//
//   /pull/{body, x, y, z, fx, fy, fz, mx, my, mz} [n]: with RecordOptions::pulls
//
//   /sensors [n,ns], /names/sensors: with RecordOptions::sensors
//
//   /bodies/pos [n,nb,3], /bodies/quat [n,nb,4]: where bodies are recorded; w,x,y,z
//
//   /contacts/{first, count} [n], /contacts/{geom_a, geom_b, body_a, body_b, gap, area} [m],
//   /contacts/{pos, normal, impulse, moment} [m,3]: with RecordOptions::contacts; row i has the entries
//   first[i] ... first[i] + count[i] − 1
//
//   /names/{joints, coordinates, dofs, actuators, bodies, geoms, recorded_bodies}, /names/geom_body
//
// A joint without a name goes by its body where that has no other, else as "joint<index>"; others alike.
// Every dataset has the attributes `unit` and `description`; the file has format, format_version, engine,
// engine_version, model, solver, timestep, budget where it is known [m/s], budget_relative where it has such
// a part (contact/budget.h), and model_source: where the model was read from and how, so that the log can be
// shown without being told (io/model_source.h). What has no name goes by its index, "geom3"; a joint by its
// body, where that has no other. The file is in
// single-writer-multiple-reader mode: it can be read while it grows (h5py: File(path, "r", swmr=True)), and
// any reader opens what a killed writer left. /time grows last, so that len(time) rows are complete in every
// dataset.
//
// CSV (.csv): time; q:elbow..., an entry of q each; v:elbow...; contacts; iterations; ncp_max [m/s];
// penetration [m]; step_us, the wall time of the step [µs]; then ctrl:motor...; the rest of the certificate
// and of the solver's report (statuses as numbers, in the order of their enumerations); the phases [µs];
// energy [J]; pulls; x, y, z, qw, qx, qy, qz of every recorded body; the values of sensors, as
// "sensor.gyro.x" (sim/sensors.h). It holds no contact points. Every number is the shortest text that reads
// back bit for bit.
#pragma once

#include <memory>
#include <string>

#include "stiction/scenario/record.h"

namespace stiction {

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

// Records a World into a log, a row every few steps (io/log.h).
//
//   stiction::Recorder recorder("run.h5", world, {.all_bodies = true, .contacts = true, .energy = true});
//   while (world.time() < 5.0) {
//     world.Step();
//     recorder.Record(world);
//   }
//   recorder.Close();
//
// Recording reads the World and changes nothing in it: a run takes the same steps with a log and without.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "stiction/dynamics/kinematics.h"
#include "stiction/scenario/record.h"
#include "stiction/sim/world.h"

namespace stiction {

class LogWriter;  // io/log.h

class Recorder {
 public:
  // Throws std::invalid_argument: a body that the model does not have, `every` below 1; std::runtime_error:
  // the file cannot be written (LogWriter::Open).
  Recorder(const std::string& path, const World& world, const RecordOptions& options = {});
  ~Recorder();
  Recorder(Recorder&&) noexcept;
  Recorder& operator=(Recorder&&) noexcept;

  // After each step of the world given to the constructor; appends every `every`-th. Allocates nothing once
  // it has seen the largest number of contacts. Throws std::runtime_error if a block of rows cannot be
  // written (LogWriter).
  //   pull  at a body in that step, with RecordOptions::pulls
  void Record(const World& world, const LogPull& pull = {});

  void Flush();
  void Close();

 private:
  struct RecordedFrame {
    int body = 0;
    RigidTransform X_BF{};
  };
  void FillMotion(const World& world);

  RecordOptions options_;
  std::vector<RecordedFrame> frames_;
  std::unique_ptr<LogWriter> writer_;
  LogRow row_;
  long long num_steps_ = 0;
};

// What every row of the world's logs has in common. Throws std::invalid_argument as the Recorder does.
LogHeader MakeLogHeader(const World& world, const RecordOptions& options);

}  // namespace stiction

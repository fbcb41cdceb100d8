// Where `stiction run --problems` writes the contact problems of its steps.
#pragma once

#include <string>

#include "stiction/sim/world.h"

namespace stiction::runner {

class ProblemOutput {
 public:
  // Throws UsageError for an extension other than .json, .h5 and .hdf5.
  static void CheckName(const std::string& path);

  //   path   p.json: with every > 0 p_000010.json, p_000020.json, ...; p.h5 (or .hdf5): one file, a group
  //          step_000000010 a step; p.fclib.h5: FCLib, again one file per step
  //   every  0: the last step alone
  // A .h5 file is created at once. Throws UsageError if it cannot be.
  ProblemOutput(const std::string& path, long long every);

  bool wants(long long step, bool is_last) const { return every_ > 0 ? step % every_ == 0 : is_last; }

  // Writes the problem of the world's last step with the warm start that the step had. Throws
  // std::runtime_error if the file cannot be written, or FCLib has no such rows.
  void Freeze(const World& world, const std::string& model_name, long long step) const;

 private:
  std::string MakePath(const std::string& number) const;

  std::string stem_, extension_;  // p and .json, .h5, .fclib.h5
  long long every_;
};

}  // namespace stiction::runner

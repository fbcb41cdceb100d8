// Contact problems of a file, and what every solver makes of them: each in turn, in a thread of their own.
#pragma once

#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "shadow_solves.h"

namespace stiction::viewer {

struct ProblemView {
  std::string name;  // its own, or its group in the file
  int num_dofs = 0;
  int num_contacts = 0;               // frictional
  int num_constraints = 0;            // all kinds
  std::vector<ShadowResult> results;  // of the solvers that have ended, in the order of ListSolvers()
};

class ProblemSolves {
 public:
  // Reads the file. Throws LoadError.
  explicit ProblemSolves(const std::string& path);
  // Waits for the solve under way.
  ~ProblemSolves();
  ProblemSolves(const ProblemSolves&) = delete;
  ProblemSolves& operator=(const ProblemSolves&) = delete;

  const std::string& path() const { return path_; }
  int num_problems() const { return static_cast<int>(steps_.size()); }
  // Starts with the problem that is shown. What was found of others is kept.
  void Show(int index);
  int shown() const { return shown_; }
  ProblemView Look() const;
  bool is_solving() const;

 private:
  void Work();

  std::string path_;
  std::vector<FrozenStep> steps_;
  int shown_ = 0;
  mutable std::mutex mutex_;
  std::vector<ProblemView> views_;
  int wanted_ = 0;
  bool is_ending_ = false;
  std::condition_variable wake_;
  std::thread thread_;  // last: starts when all else is there
};

}  // namespace stiction::viewer

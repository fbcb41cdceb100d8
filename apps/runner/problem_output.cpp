#include "problem_output.h"

#include <cstdio>
#include <stdexcept>

#include "command.h"
#include "stiction/io/problem_file.h"

namespace stiction::runner {
namespace {

// The longest that fits comes first.
constexpr const char* kExtensions[] = {".fclib.h5", ".fclib.hdf5", ".h5", ".hdf5", ".json"};

bool IsFclib(const std::string& extension) {
  return extension.starts_with(".fclib");
}
bool IsHdf5(const std::string& extension) {
  return extension == ".h5" || extension == ".hdf5";
}

// Empty if it is none of those that are known.
std::string FindExtension(const std::string& path) {
  for (const char* extension : kExtensions)
    if (path.ends_with(extension)) return extension;
  return {};
}

}  // namespace

void ProblemOutput::CheckName(const std::string& path) {
  if (FindExtension(path).empty())
    throw UsageError("--problems: " + path + ": give a file that ends in .json, .h5 or .hdf5");
}

ProblemOutput::ProblemOutput(const std::string& path, long long every)
    : extension_(FindExtension(path)), every_(every) {
  stem_ = path.substr(0, path.size() - extension_.size());
  if (!IsHdf5(extension_)) return;
  try {
    CreateProblemHdf5(path);
  } catch (const std::runtime_error& error) {
    throw UsageError("--problems: " + std::string(error.what()));
  }
}

std::string ProblemOutput::MakePath(const std::string& number) const {
  return stem_ + (every_ > 0 ? number : "") + extension_;
}

void ProblemOutput::Freeze(const World& world, const std::string& model_name, long long step) const {
  char number[32], group[32];
  std::snprintf(number, sizeof number, "_%06lld", step);
  std::snprintf(group, sizeof group, "step_%09lld", step);
  ContactProblem problem = world.MakeProblem();
  problem.name = model_name + number;
  const Solution warm_start = world.warm_start();
  if (IsHdf5(extension_))
    AppendProblemHdf5(stem_ + extension_, group, problem, warm_start);
  else if (IsFclib(extension_))
    WriteProblemFclib(MakePath(number), problem, warm_start);
  else
    WriteProblemJson(MakePath(number), problem, warm_start);
}

}  // namespace stiction::runner

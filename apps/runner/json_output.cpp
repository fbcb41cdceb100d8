#include "json_output.h"

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "command.h"
#include "stiction/math/rotation.h"

namespace stiction::runner {
namespace {

std::string Dump(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void CheckWritable(const OutputFile& output) {
  // Opening for appending changes nothing in a file that is there.
  std::error_code error;
  const bool existed = std::filesystem::exists(output.path, error);
  if (!std::ofstream(output.path, std::ios::app))
    throw UsageError(output.option + ": cannot write " + output.path + ": " + std::strerror(errno));
  if (!existed) std::filesystem::remove(output.path, error);
}

// Of files that need not exist.
bool IsSameFile(const std::string& a, const std::string& b) {
  const auto place = [](const std::string& path) {
    std::error_code error;
    return std::filesystem::weakly_canonical(std::filesystem::absolute(path, error), error);
  };
  return place(a) == place(b);
}

}  // namespace

Json ToJson(const VectorXd& vector) {
  return std::vector<double>(vector.begin(), vector.end());
}

Json ToJson(const Vector3d& vector) {
  return Json::array({vector.x(), vector.y(), vector.z()});
}

Json ToJson(const RigidTransform& pose) {
  Quaterniond quat(pose.R);
  quat.normalize();
  if (quat.w() < 0.0) quat.coeffs() *= -1.0;
  double wxyz[4];
  QuaternionToWxyz(quat, wxyz);
  return {{"pos", ToJson(pose.p)}, {"quat", wxyz}};
}

Json ToJson(const Model& model, const std::vector<Spring>& springs) {
  Json out = Json::array();
  for (const Spring& spring : springs)
    out.push_back({{"name", DisplayName(model, spring)},
                   {"angle", spring.angle},
                   {"treatment", spring.is_implicit ? "implicit" : "explicit"}});
  return out;
}

Json RowMajor(const MatrixXd& matrix) {
  Json out = Json::array();
  for (int i = 0; i < matrix.rows(); ++i)
    for (int j = 0; j < matrix.cols(); ++j) out.push_back(matrix(i, j));
  return out;
}

void AddJsonOption(CLI::App& command, JsonTarget& target) {
  command
      .add_option("--json", target.path,
                  "Answer in JSON, to a file or to standard output (-), which then holds nothing else")
      ->option_text("FILE|-");
}

void CheckOutputs(const std::vector<OutputFile>& outputs, const std::vector<std::string>& inputs) {
  std::vector<OutputFile> files;
  for (const OutputFile& output : outputs) {
    if (output.path.empty() || output.path == "-") continue;
    std::error_code error;
    for (const std::string& input : inputs) {
      if (std::filesystem::equivalent(output.path, input, error))
        throw UsageError(output.option + ": " + output.path + " is the input; it would be overwritten");
    }
    CheckWritable(output);
    for (const OutputFile& other : files) {
      if (IsSameFile(output.path, other.path))
        throw UsageError(output.option + ": " + output.path + " is also the file of " + other.option);
    }
    files.push_back(output);
  }
}

void RefuseOverwriting(const std::string& option, const std::string& path) {
  std::error_code error;
  if (!path.empty() && std::filesystem::is_regular_file(path, error) &&
      std::filesystem::file_size(path, error) > 0)
    throw UsageError(option + ": " + path + " exists; --force overwrites it");
}

void Write(const JsonTarget& target, const Json& object) {
  std::ostringstream text;
  const char* separator = "{\n";
  for (const auto& [key, value] : object.items()) {
    text << separator << Dump(key) << ": " << Dump(value);
    separator = ",\n";
  }
  text << "\n}\n";
  if (target.is_stdout()) {
    const std::string out = std::move(text).str();
    const bool written = std::fwrite(out.data(), 1, out.size(), stdout) == out.size();
    if (!written || std::fflush(stdout) != 0) throw UsageError("--json: standard output cannot be written");
    return;
  }
  std::ofstream file(target.path);
  file << text.str();
  file.close();
  if (!file) throw UsageError("--json: cannot write " + target.path);
}

}  // namespace stiction::runner

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

void CheckOutput(const std::string& option, const std::string& output, const std::string& input) {
  if (output.empty() || output == "-") return;
  std::error_code error;
  if (std::filesystem::equivalent(output, input, error))
    throw UsageError(option + ": " + output + " is the input; it would be overwritten");
  // Opening for appending changes nothing in a file that is there.
  const bool existed = std::filesystem::exists(output, error);
  if (!std::ofstream(output, std::ios::app))
    throw UsageError(option + ": cannot write " + output + ": " + std::strerror(errno));
  if (!existed) std::filesystem::remove(output, error);
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

// JSON answers of the commands.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "stiction/contact/certificate.h"
#include "stiction/math/rigid_transform.h"
#include "stiction/sim/springs.h"

namespace CLI {
class App;
}

namespace stiction::runner {

// Keys stay in the order in which they are set. Numbers that are not finite become null.
using Json = nlohmann::ordered_json;

Json ToJson(const VectorXd& vector);
Json ToJson(const Vector3d& vector);
// {pos [3], quat [w,x,y,z]}, with w >= 0.
Json ToJson(const RigidTransform& pose);
// [{name, angle: ω dt, null where the stiffness varies; treatment: explicit or implicit}].
Json ToJson(const Model& model, const std::vector<Spring>& springs);
// One array after another.
Json RowMajor(const MatrixXd& matrix);

// The option of a command that answers in JSON; "-" is stdout.
struct JsonTarget {
  std::string path;  // empty: no JSON
  bool wanted() const { return !path.empty(); }
  bool is_stdout() const { return path == "-"; }
};

void AddJsonOption(CLI::App& command, JsonTarget& target);

// A file that a command is to write, and the option that names it; an empty path or "-" is no file.
struct OutputFile {
  std::string option, path;
};

// Throws UsageError: a file that cannot be written, that is an input and would be overwritten, or that two
// options name.
void CheckOutputs(const std::vector<OutputFile>& outputs, const std::vector<std::string>& inputs);

// Throws UsageError where the file exists and holds anything, which would be lost: `option` names it, --force
// overwrites it. Devices and pipes hold nothing.
void RefuseOverwriting(const std::string& option, const std::string& path);

// Valid UTF-8 whatever the strings hold; one key of the outermost object per line. Throws UsageError if it
// cannot be written.
void Write(const JsonTarget& target, const Json& object);

}  // namespace stiction::runner

// JSON answers of the commands.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "stiction/contact/certificate.h"
#include "stiction/math/rigid_transform.h"

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
// One array after another.
Json RowMajor(const MatrixXd& matrix);

// The option of a command that answers in JSON; "-" is stdout.
struct JsonTarget {
  std::string path;  // empty: no JSON
  bool wanted() const { return !path.empty(); }
  bool is_stdout() const { return path == "-"; }
};

void AddJsonOption(CLI::App& command, JsonTarget& target);

// Throws UsageError if `output` cannot be written, or is the file `input`, which it would overwrite. An empty
// name is fine.
void CheckOutput(const std::string& option, const std::string& output, const std::string& input);

// Valid UTF-8 whatever the strings hold; one key of the outermost object a line. Throws UsageError if it
// cannot be written.
void Write(const JsonTarget& target, const Json& object);

}  // namespace stiction::runner

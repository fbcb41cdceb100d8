#include "recorded_file.h"

#include <filesystem>

namespace stiction::viewer {
namespace {

constexpr const char* kAdvice = "; name the model: --model FILE";

// The file of the model, if it is there.
std::string FindFile(const std::string& path, const ModelMention& mention) {
  const std::string& file = mention.source.file;
  std::error_code error;
  if (IsSceneText(file) || (!file.empty() && std::filesystem::exists(file, error))) return file;
  const std::string kind = FindFileKind(path) == FileKind::kState ? "a saved state" : "a log";
  const std::string name = mention.name.empty() ? "" : " of the model \"" + mention.name + "\"";
  throw LoadError(path, 0, "",
                  kind + name +
                      (file.empty() ? ", which does not say where its model is"
                                    : ", which was read from " + file + ", and there is no such file") +
                      kAdvice);
}

}  // namespace

bool IsRecorded(const std::string& path) {
  const FileKind kind = FindFileKind(path);
  return kind == FileKind::kLog || kind == FileKind::kState;
}

runner::ModelArguments FindModelOf(const std::string& path, const std::string& model,
                                   const runner::ModelArguments& arguments) {
  runner::ModelArguments found = arguments;
  found.path = model;
  if (!model.empty()) return found;
  const ModelMention mention = ReadModelMention(path);
  const ModelSource& source = mention.source;
  found.path = FindFile(path, mention);
  found.floating_base = arguments.floating_base || source.floating_base;
  if (!arguments.ground) found.ground = source.ground;
  if (arguments.contact.empty()) found.contact = source.contact;
  if (arguments.repairs == ModelRepairs{}) found.repairs = source.repairs;
  if (arguments.xacro_arguments.empty()) found.xacro_arguments = source.xacro_arguments;
  found.package_paths.insert(found.package_paths.end(), source.package_paths.begin(),
                             source.package_paths.end());
  return found;
}

std::string TakeRecorded(const std::string& model, runner::ModelArguments& arguments) {
  const std::string path = arguments.path;
  if (IsRecorded(path)) {
    arguments = FindModelOf(path, model, arguments);
    return path;
  }
  if (!model.empty())
    throw runner::UsageError("--model: goes with a log or a saved state, which '" + path + "' is not");
  return "";
}

}  // namespace stiction::viewer

#include "paper_picture.h"

#include <filesystem>

#include "shell_command.h"

namespace stiction::runner {

std::string DrawPaperPicture(const PaperPicture& picture, const std::string& folder,
                             const std::string& file) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path viewer = fs::read_symlink("/proc/self/exe", error).parent_path() / "stiction-view";
  if (error || !fs::exists(viewer)) return "this build has no viewer (CMake option STICTION_WITH_VIEWER)";
  std::vector<std::string> words{viewer.string(), "--render"};
  words.insert(words.end(), picture.arguments.begin(), picture.arguments.end());
  words.insert(words.end(), {"--out", file});
  const CommandAnswer answer = RunCommand(folder, words);
  if (answer.code == 0) return "";
  return "the viewer ended with code " + std::to_string(answer.code) + ": " +
         answer.text.substr(0, answer.text.find('\n'));
}

}  // namespace stiction::runner

#include "io/xacro_program.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include "io/xml/reader.h"
#include "stiction/model/load_error.h"

extern char** environ;

namespace stiction {
namespace {

// A file without a name, gone when it is closed.
class ScratchFile {
 public:
  ScratchFile() : file_(std::tmpfile()) {}
  bool is_open() const { return file_ != nullptr; }
  int descriptor() const { return fileno(file_.get()); }
  // What was written to it, up to one byte more than any reader takes.
  std::string Read() const {
    std::string text;
    char bytes[1 << 14];
    std::rewind(file_.get());
    while (const std::size_t count = std::fread(bytes, 1, sizeof bytes, file_.get())) {
      text.append(bytes, count);
      if (text.size() > xml::kMaxFileBytes) break;
    }
    return text;
  }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, Close> file_;
};

std::string CommandLine(const std::string& path, const std::vector<std::string>& arguments) {
  std::string line = "xacro " + path;
  for (const std::string& argument : arguments) line += " " + argument;
  return line;
}

// Python's tracebacks end with what is wrong.
std::string LastLine(const std::string& text) {
  const std::size_t end = text.find_last_not_of(" \t\r\n");
  if (end == text.npos) return "";
  const std::size_t begin = text.find_last_of('\n', end);
  constexpr std::size_t kMostShown = 300;
  return text.substr(begin == text.npos ? 0 : begin + 1, std::min(end - begin, kMostShown));
}

// The program's exit status; an error number, negative, where it could not be started.
int RunProgram(const std::vector<std::string>& words, const ScratchFile& out, const ScratchFile& err) {
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out.descriptor(), 1);
  posix_spawn_file_actions_adddup2(&actions, err.descriptor(), 2);
  pid_t child = 0;
  const int error = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return -error;
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

bool IsXacroFile(const std::string& path) {
  return std::filesystem::path(path).extension() == ".xacro";
}

std::string ExpandXacro(const std::string& path, const std::vector<std::string>& arguments) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) throw LoadError(path, 0, "", "no such file");
  const ScratchFile out, err;
  if (!out.is_open() || !err.is_open()) throw LoadError(path, 0, "", "no room for temporary files");
  std::vector<std::string> words{"xacro", path};
  words.insert(words.end(), arguments.begin(), arguments.end());
  const int status = RunProgram(words, out, err);
  if (status == -ENOENT || status == 127) {
    throw LoadError(
        path, 0, "",
        "is expanded by the program xacro, which is not on PATH; install it, or run where it is: " +
            CommandLine(path, arguments) + " > expanded.urdf");
  }
  if (status < 0)
    throw LoadError(path, 0, "", std::string("xacro cannot be started: ") + std::strerror(-status));
  if (status > 0) {
    throw LoadError(path, 0, "",
                    "\"" + CommandLine(path, arguments) + "\" ends with status " + std::to_string(status) +
                        ": " + LastLine(err.Read()));
  }
  return out.Read();
}

}  // namespace stiction

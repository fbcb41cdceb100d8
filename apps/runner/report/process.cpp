#include "process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace stiction::runner {
namespace {

constexpr int kPipePollInterval = 50;  // [ms]
constexpr int kNotStarted = 127;       // exit code, as a shell's

struct Pipe {
  int read = -1, write = -1;
  Pipe() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
      throw std::runtime_error(std::string("no pipe could be made: ") + std::strerror(errno));
    read = ends[0], write = ends[1];
  }
  ~Pipe() { CloseRead(), CloseWrite(); }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  void CloseRead() { Close(read); }
  void CloseWrite() { Close(write); }

 private:
  static void Close(int& end) {
    if (end >= 0) close(end);
    end = -1;
  }
};

// In the child, where nothing may allocate. A group of its own, so that it can be killed with what it
// started.
[[noreturn]] void BecomeCommand(char* const* words, int out, int err) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  execvp(words[0], words);
  _exit(kNotStarted);
}

std::vector<char*> ListWords(const std::vector<std::string>& words) {
  std::vector<char*> list;
  for (const std::string& word : words) list.push_back(const_cast<char*>(word.c_str()));
  list.push_back(nullptr);
  return list;
}

// What there is to be read; false at its end.
bool ReadSome(int from, std::string& text) {
  std::array<char, 65536> buffer{};
  const ssize_t n = read(from, buffer.data(), buffer.size());
  if (n > 0) text.append(buffer.data(), static_cast<std::size_t>(n));
  return n > 0 || (n < 0 && (errno == EINTR || errno == EAGAIN));
}

}  // namespace

std::string ProcessEnd::Describe(double limit) const {
  if (is_good()) return "";
  if (is_stopped) return "was interrupted";
  char text[64];
  std::snprintf(text, sizeof text, "took longer than %g s, and was stopped", limit);
  if (is_late) return text;
  if (signal != 0) return "ended by signal " + std::to_string(signal) + " (" + strsignal(signal) + ")";
  return "ended with code " + std::to_string(code);
}

ProcessEnd RunProcess(const std::vector<std::string>& words, double limit, const std::atomic<bool>& stop) {
  using Clock = std::chrono::steady_clock;
  Pipe out, err;
  const std::vector<char*> list = ListWords(words);
  const pid_t child = fork();
  if (child < 0)
    throw std::runtime_error(std::string("no process could be started: ") + std::strerror(errno));
  if (child == 0) BecomeCommand(list.data(), out.write, err.write);
  setpgid(child, child);  // here too: whoever comes first
  out.CloseWrite(), err.CloseWrite();
  ProcessEnd end;
  const Clock::time_point start = Clock::now();
  while (out.read >= 0 || err.read >= 0) {
    std::array<pollfd, 2> files{pollfd{out.read, POLLIN, 0}, pollfd{err.read, POLLIN, 0}};
    poll(files.data(), files.size(), kPipePollInterval);
    if (files[0].revents != 0 && !ReadSome(out.read, end.out)) out.CloseRead();
    if (files[1].revents != 0 && !ReadSome(err.read, end.err)) err.CloseRead();
    end.is_stopped = end.is_stopped || stop;
    end.is_late = end.is_late || std::chrono::duration<double>(Clock::now() - start).count() > limit;
    if (end.is_stopped || end.is_late) {
      kill(-child, SIGKILL);
      break;
    }
  }
  int status = 0;
  rusage used{};
  while (wait4(child, &status, 0, &used) < 0 && errno == EINTR) continue;
  for (const timeval& time : {used.ru_utime, used.ru_stime})
    end.processor_time += static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  if (WIFEXITED(status)) end.code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) end.signal = WTERMSIG(status);
  return end;
}

}  // namespace stiction::runner

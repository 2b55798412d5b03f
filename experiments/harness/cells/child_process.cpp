// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/cells/child_process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <utility>

#include "experiments/harness/trace/contained.hpp"
#include "methods/model/error.hpp"

extern char** environ;

namespace deformbench::harness {
namespace {

using Clock = std::chrono::steady_clock;

/// Lack of descriptors, memory or processes affects every cell.
[[noreturn]] void fail(const char* what) {
  throw InputError(std::string("the process of a cell cannot be started: ") + what + ": " + std::strerror(errno));
}

std::set<pid_t>& living_cells() {
  static std::set<pid_t> cells;
  return cells;
}

std::set<pid_t> children() {
  std::ifstream file("/proc/thread-self/children");
  return {std::istream_iterator<pid_t>(file), {}};
}

/// Children that this process had when it began to run cells: it may have been started by exec in a process that had
/// some.
std::set<pid_t>& inherited_children() {
  static std::set<pid_t> inherited = children();
  return inherited;
}

/// Kills processes that outlive their cell, even in their own sessions: this process is the subreaper, so they are
/// its children. What they have in their environment does not matter: an exiting process shows none.
void kill_leftovers() {
  for (bool any = true; any;) {
    any = false;
    for (const pid_t child : children()) {
      if (living_cells().contains(child)) continue;
      if (inherited_children().contains(child)) {
        if (waitpid(child, nullptr, WNOHANG) == child) inherited_children().erase(child);
        continue;
      }
      if (kill(child, SIGKILL) != 0) continue;  // it runs as another user
      waitpid(child, nullptr, 0);
      any = true;  // its orphans are children of this process now
    }
  }
}

std::string contents(std::FILE* file, long from_end) {
  std::fflush(file);
  std::fseek(file, 0, SEEK_END);
  const long size = std::ftell(file);
  const long begin = from_end > 0 && size > from_end ? size - from_end : 0;
  std::fseek(file, begin, SEEK_SET);
  std::string text(std::size_t(size - begin), '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file));
  return text;
}

std::string last_line(const std::string& text) {
  const auto end = text.find_last_not_of(" \n\r\t");
  if (end == std::string::npos) return "";
  const auto begin = text.find_last_of('\n', end);
  std::string line =
      text.substr(begin == std::string::npos ? 0 : begin + 1, end - (begin == std::string::npos ? 0 : begin + 1) + 1);
  if (line.size() > 300) line.resize(300);
  return line;
}

constexpr off_t kPrintedKept = 1 << 20;  // bytes

/// Empties a large output file, so that endless printing cannot fill memory.
void restart_if_large(std::FILE* file) {
  struct stat status {};
  if (fstat(fileno(file), &status) != 0 || status.st_size <= kPrintedKept) return;
  static_cast<void>(!ftruncate(fileno(file), 0));
}

/// Needs no temporary folder, which could be full.
std::FILE* file_in_memory() {
  const int descriptor = memfd_create("deformbench_cell", MFD_CLOEXEC);
  std::FILE* file = descriptor < 0 ? nullptr : fdopen(descriptor, "w+");
  if (file == nullptr) fail("its input and output");
  return file;
}

/// Kills the child and its process group.
void kill_group(pid_t pid) {
  if (kill(-pid, SIGKILL) != 0) kill(pid, SIGKILL);  // the group may not exist yet
}

/// SIGCHLD stays blocked in the supervisor, so that sigtimedwait can wait for it without a race.
void prepare_signals() {
  inherited_children();
  prctl(PR_SET_CHILD_SUBREAPER, 1);  // for kill_leftovers
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGCHLD);
  sigprocmask(SIG_BLOCK, &set, nullptr);
}

}  // namespace

std::string ChildEnd::description(double time_limit_s) const {
  const std::string words = last_words.empty() ? "" : ": " + last_words;
  if (timed_out) {
    char text[64];
    std::snprintf(text, sizeof text, "exceeded its time limit of %g s", time_limit_s);
    return text;
  }
  if (signal != 0) {
    return "killed by " + signal_name(signal) + " (" + strsignal(signal) + ")" + words;
  }
  return "ended with exit code " + std::to_string(exit_code) + words;
}

ChildProcess::ChildProcess(const std::vector<std::string>& arguments, const std::string& input, int threads,
                           TimeLimit limit)
    : output_(file_in_memory()), errors_(file_in_memory()), start_(Clock::now()), limit_(limit) {
  const File in(file_in_memory());
  if (std::fwrite(input.data(), 1, input.size(), in.get()) != input.size() || std::fflush(in.get()) != 0) {
    fail("its spec cannot be handed over");
  }
  std::rewind(in.get());
  fcntl(fileno(errors_.get()), F_SETFL, O_APPEND);
  prepare_signals();

  // All allocations happen before the fork.
  std::vector<char*> argv{const_cast<char*>("deformbench")};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  const std::string omp = "OMP_NUM_THREADS=" + std::to_string(threads);
  std::vector<char*> environment;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    if (std::strncmp(*entry, "OMP_NUM_THREADS=", 16) != 0) environment.push_back(*entry);
  }
  environment.push_back(const_cast<char*>(omp.c_str()));
  environment.push_back(nullptr);
  const pid_t parent = getpid();

  const pid_t pid = fork();
  if (pid < 0) fail("fork");
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_CHILD_SUBREAPER, 1);     // while the cell runs, its orphans stay below it
    if (getppid() != parent) _exit(127);  // the parent died in between
    setpgid(0, 0);                        // group of the cell and its descendants, killed together
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    dup2(fileno(in.get()), STDIN_FILENO);
    dup2(fileno(output_.get()), STDOUT_FILENO);
    dup2(fileno(errors_.get()), STDERR_FILENO);
    execve("/proc/self/exe", argv.data(), environment.data());
    _exit(127);
  }
  pid_.value = pid;
  living_cells().insert(pid);
}

ChildProcess::~ChildProcess() {
  if (pid_.value == 0) return;
  kill_group(pid_.value);
  waitpid(pid_.value, nullptr, 0);
  living_cells().erase(pid_.value);
  kill_leftovers();
}

bool ChildProcess::poll() {
  if (pid_.value == 0) return true;
  int status = 0;
  rusage usage{};
  const pid_t ended = wait4(pid_.value, &status, WNOHANG, &usage);
  if (ended == pid_.value) {
    reap(status, usage);
    return true;
  }
  if (ended < 0 && errno != EINTR) fail("wait4");
  restart_if_large(errors_.get());
  if (!was_killed_ && limit_.exceeded()) {
    was_killed_ = true;
    kill_group(pid_.value);
  }
  return false;
}

void ChildProcess::reap(int status, const rusage& usage) {
  kill(-pid_.value, SIGKILL);  // remaining descendants
  living_cells().erase(pid_.value);
  kill_leftovers();
  pid_.value = 0;
  end_.seconds = std::chrono::duration<double>(Clock::now() - start_).count();
  for (const timeval& time : {usage.ru_utime, usage.ru_stime})
    end_.processor_seconds += double(time.tv_sec) + 1e-6 * double(time.tv_usec);
  if (WIFEXITED(status)) end_.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) end_.signal = WTERMSIG(status);
  end_.timed_out = was_killed_ && end_.signal == SIGKILL;
  end_.output = contents(output_.get(), 0);
  const std::string words = contents(errors_.get(), 4096);
  end_.last_words = last_line(words);
  std::istringstream lines(words);
  for (std::string line; std::getline(lines, line);)
    if (line.rfind("warning: ", 0) == 0) end_.warnings.push_back(line);
}

void wait_for_children(int milliseconds) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGCHLD);
  const timespec timeout{milliseconds / 1000, (milliseconds % 1000) * 1000000L};
  sigtimedwait(&set, nullptr, &timeout);
}

}  // namespace deformbench::harness

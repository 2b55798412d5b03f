// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/cells/child_process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <system_error>
#include <utility>

extern char** environ;

namespace deformbench::harness {
namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
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

/// A child that prints for ever must not fill the disk: its file, written at its end, starts anew when it is large.
void restart_if_large(std::FILE* file) {
  struct stat status {};
  if (fstat(fileno(file), &status) != 0 || status.st_size <= kPrintedKept) return;
  static_cast<void>(!ftruncate(fileno(file), 0));
}

/// The child and whatever it has started.
void kill_group(pid_t pid) {
  if (kill(-pid, SIGKILL) != 0) kill(pid, SIGKILL);  // it may not have its group yet
}

/// SIGCHLD stays blocked in the supervisor, so that sigtimedwait can wait for it without a race.
void prepare_signals() {
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
    const char* abbreviation = sigabbrev_np(signal);
    return std::string("killed by SIG") + (abbreviation != nullptr ? abbreviation : std::to_string(signal).c_str()) +
           " (" + strsignal(signal) + ")" + words;
  }
  return "ended with exit code " + std::to_string(exit_code) + words;
}

ChildProcess::ChildProcess(const std::vector<std::string>& arguments, const std::string& input, int threads,
                           TimeLimit limit)
    : output_(std::tmpfile()), errors_(std::tmpfile()), start_(Clock::now()), limit_(limit) {
  const File in(std::tmpfile());
  if (!in || !output_ || !errors_) fail("temporary file for a cell's process");
  if (std::fwrite(input.data(), 1, input.size(), in.get()) != input.size() || std::fflush(in.get()) != 0) {
    fail("writing the cell's spec");
  }
  std::rewind(in.get());
  fcntl(fileno(errors_.get()), F_SETFL, O_APPEND);
  prepare_signals();

  // Everything that allocates happens before the fork.
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
    if (getppid() != parent) _exit(127);  // the parent died in between
    setpgid(0, 0);                        // a group with whatever it starts, so that nothing outlives it
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
}

ChildProcess::~ChildProcess() {
  if (pid_.value == 0) return;
  kill_group(pid_.value);
  waitpid(pid_.value, nullptr, 0);
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
  kill(-pid_.value, SIGKILL);  // what it started and left behind
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

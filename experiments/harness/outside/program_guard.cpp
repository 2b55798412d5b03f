// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/outside/program_guard.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>

#include "experiments/harness/outside/pipe.hpp"
#include "experiments/harness/trace/contained.hpp"
#include "methods/model/error.hpp"

namespace deformbench::harness {
namespace {

constexpr int kQuestionsDescriptor = 3, kAnswersDescriptor = 4;

// From here to be_guard: code between fork and exec of a possibly threaded process, so nothing may allocate.

/// Moves descriptors to the numbers 0, 1, 2, … and closes all others; `kept` is closed on exec.
template <std::size_t count>
void keep_only(std::array<int, count> wanted, int* kept = nullptr) {
  for (int& descriptor : wanted)
    descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 64);  // out of the way of the target numbers
  if (kept != nullptr) *kept = fcntl(*kept, F_DUPFD_CLOEXEC, 64);
  for (std::size_t i = 0; i < count; ++i) dup2(wanted[i], int(i));
  close_range(unsigned(count), ~0u, kept != nullptr ? CLOSE_RANGE_CLOEXEC : 0);
}

[[noreturn]] void be_program(char* const* argv, const ProgramGuard::Descriptors& d, int null, int failed, pid_t guard) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != guard) _exit(127);
  keep_only(std::array{null, d.output, d.output, d.questions, d.answers}, &failed);
  static_assert(kQuestionsDescriptor == 3 && kAnswersDescriptor == 4);
  signal(SIGPIPE, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  execvp(argv[0], argv);
  const int why = errno;
  static_cast<void>(!write(failed, &why, sizeof why));
  _exit(127);
}

/// Kills all children until none are left: this process is the subreaper, so orphans become its children.
void kill_all_children() {
  for (;;) {
    std::array<char, 4096> text;
    ssize_t size = 0;
    if (const int list = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC); list >= 0) {
      size = read(list, text.data(), text.size() - 1);
      close(list);
    }
    text[std::size_t(size > 0 ? size : 0)] = '\0';
    for (char* at = text.data(); *at != '\0';) {
      char* next = at;
      const long pid = std::strtol(at, &next, 10);
      if (next == at || pid <= 0) break;
      if (*next != '\0') kill(pid_t(pid), SIGKILL);  // a truncated number is read in full the next time
      at = next;
    }
    pid_t ended = 0;
    do ended = waitpid(-1, nullptr, WNOHANG);
    while (ended > 0);
    if (ended < 0 && errno == ECHILD) return;
    usleep(1000);
  }
}

[[noreturn]] void be_guard(char* const* argv, const ProgramGuard::Descriptors& d, int life, int told, int failed) {
  setpgid(0, 0);  // outlives the cell's process group, to kill processes outside it
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  prctl(PR_SET_NAME, "program_guard");
  const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  const pid_t self = getpid(), program = fork();
  if (program == 0) be_program(argv, d, null, failed, self);
  keep_only(std::array{null, null, null, life, told});
  if (program < 0) _exit(1);
  const int handle = int(syscall(SYS_pidfd_open, program, 0));
  std::array<pollfd, 2> ready{{{3, POLLIN, 0}, {handle, POLLIN, 0}}};
  while (poll(ready.data(), ready.size(), -1) < 0 && errno == EINTR) {
  }
  siginfo_t info{};
  if (ready[1].revents != 0 && waitid(P_PID, id_t(program), &info, WEXITED | WNOHANG) == 0 && info.si_pid == program) {
    const std::array<int, 2> how{info.si_code, info.si_status};
    static_cast<void>(!write(4, how.data(), sizeof how));
  }
  kill_all_children();
  _exit(0);
}

}  // namespace

std::string ProgramEnd::text() const {
  return signal == 0 ? fmt::format("it ended with exit code {}", exit_code)
                     : fmt::format("it was killed by {}", signal_name(signal));
}

ProgramGuard::ProgramGuard(std::vector<std::string> words, const Descriptors& descriptors) {
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  Pipe life, told, start;  // `start` carries the reason of a failed start
  guard_ = fork();
  if (guard_ < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (guard_ == 0) be_guard(argv.data(), descriptors, life.ends[0], told.ends[1], start.ends[1]);
  close(start.release(1));
  life_ = life.release(1);
  told_ = told.release(0);
  int why = 0;
  ssize_t size = 0;
  do size = read(start.ends[0], &why, sizeof why);
  while (size < 0 && errno == EINTR);
  if (size != sizeof why) return;
  finish();
  throw InputError(fmt::format("\"{}\" cannot be started ({})", words[0], std::strerror(why)));
}

ProgramGuard::~ProgramGuard() {
  finish();
}

void ProgramGuard::finish() {
  close(life_);
  close(told_);
  while (waitpid(guard_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

std::optional<ProgramEnd> ProgramGuard::end(int milliseconds) {
  if (end_) return end_;
  pollfd ready{told_, POLLIN, 0};
  std::array<int, 2> how{};
  if (poll(&ready, 1, milliseconds) <= 0 || read(told_, how.data(), sizeof how) != sizeof how) return std::nullopt;
  end_ = how[0] == CLD_EXITED ? ProgramEnd{how[1], 0} : ProgramEnd{-1, how[1]};
  return end_;
}

}  // namespace deformbench::harness

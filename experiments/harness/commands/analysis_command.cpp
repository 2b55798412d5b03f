// SPDX-License-Identifier: BSD-3-Clause
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <system_error>

#include "experiments/harness/cells/fingerprint.hpp"
#include "experiments/harness/cells/fingerprint_table.hpp"
#include "experiments/harness/commands/commands.hpp"
#include "experiments/harness/files/data_directory.hpp"
#include "experiments/harness/outside/pipe.hpp"
#include "methods/model/error.hpp"

namespace deformbench::harness {
namespace {

/// `draws`: needs paper_figures, the layer above the analysis. compare draws only if methods are given.
struct AnalysisVerb {
  const char* name;
  bool draws;
};
constexpr std::array kVerbs{
    AnalysisVerb{"measure", false},  AnalysisVerb{"verify", false},   AnalysisVerb{"compare", true},
    AnalysisVerb{"figures", true},   AnalysisVerb{"report", true},    AnalysisVerb{"paraview", false},
    AnalysisVerb{"surfaces", false}, AnalysisVerb{"pack", false},     AnalysisVerb{"merge", false},
    AnalysisVerb{"view", false},     AnalysisVerb{"register", false}, AnalysisVerb{"new", false},
    AnalysisVerb{"scorecard", true}, AnalysisVerb{"publish", true},   AnalysisVerb{"dispute", true}};

bool draws(const std::string& verb) {
  return std::ranges::any_of(kVerbs, [&](const AnalysisVerb& known) { return known.draws && verb == known.name; });
}

constexpr int kLeftEarly = 1;  // exit code

/// The child process; signals that would end this process are forwarded to it.
volatile pid_t verb_process = 0;

/// Signals from the terminal (SI_KERNEL) reach the whole process group; forwarded, they would arrive twice.
void pass_on(int number, siginfo_t* info, void*) {
  if (info->si_code != SI_KERNEL) kill(verb_process, number);
}

/// Waits for the verb and returns its exit code. Reports an early exit with code 0: imported code of papers can leave
/// the interpreter with any exit code.
int end_of_verb(const std::string& verb, int finished) {
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
    struct sigaction given {};
    sigaction(number, nullptr, &given);
    if (given.sa_handler == SIG_IGN) continue;
    struct sigaction passing {};
    passing.sa_sigaction = pass_on;
    passing.sa_flags = SA_SIGINFO | SA_RESTART;
    sigaction(number, &passing, nullptr);
  }
  int status = 0;
  while (waitpid(verb_process, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) {  // die by the same signal
    signal(WTERMSIG(status), SIG_DFL);
    raise(WTERMSIG(status));
  }
  char word = 0;
  const bool is_finished = read(finished, &word, 1) == 1;
  const int code = WEXITSTATUS(status);
  if (is_finished || code != 0) return code;
  std::cerr << fmt::format("deformbench: {}: its process left before it was done (exit code 0)\n", verb);
  return kLeftEarly;
}

}  // namespace

std::vector<std::string> analysis_verbs() {
  std::vector<std::string> names;
  for (const AnalysisVerb& verb : kVerbs) names.emplace_back(verb.name);
  return names;
}

bool is_analysis_verb(const std::string& verb) {
  return std::ranges::any_of(kVerbs, [&](const AnalysisVerb& known) { return verb == known.name; });
}

int analysis_command(const std::vector<std::string>& arguments) {
  const std::string python = python_of_analysis();
  const std::filesystem::path data = data_directory();
  std::string path = (data / "analysis").string() + ":" + data.string();
  if (const char* before = std::getenv("PYTHONPATH"); before != nullptr && *before != '\0')
    path += std::string(":") + before;
  setenv("PYTHONPATH", path.c_str(), 1);
  setenv("DEFORMBENCH_DATA", data.c_str(), 1);
  std::error_code none;
  const std::filesystem::path executable = std::filesystem::read_symlink("/proc/self/exe", none);
  if (!none) setenv("DEFORMBENCH", executable.c_str(), 1);  // verbs that run cells start this command, not another one
  const nlohmann::json build = {{"harness", harness_fingerprint()}, {"methods", compiled_method_fingerprints()}};
  setenv("DEFORMBENCH_BUILD", build.dump().c_str(), 1);
  setenv("OPENBLAS_NUM_THREADS", "1", 0);  // one process per core already; its threads would wait for each other
  unsetenv("PYTHONOPTIMIZE");              // it strips docstrings, which the pages print as definitions
  Pipe finished;
  setenv("DEFORMBENCH_FINISHED_DESCRIPTOR", std::to_string(finished.ends[1]).c_str(), 1);  // read by ending.py

  // -P: modules in the current folder must not shadow Python's.
  std::vector<std::string> words{python, "-P", "-m",
                                 draws(arguments.front()) ? "paper_figures" : "deformbench_analysis"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const pid_t self = getpid();
  verb_process = fork();
  if (verb_process < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (verb_process > 0) {
    fcntl(finished.ends[0], F_SETFL, O_NONBLOCK);  // a forked worker may still hold the other end
    return end_of_verb(arguments.front(), finished.ends[0]);
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != self) _exit(127);
  fcntl(finished.ends[1], F_SETFD, 0);
  execvp(argv[0], argv.data());
  throw InputError(python + ": cannot be started (" + std::strerror(errno) +
                   "); expected a Python with h5py, numpy and matplotlib; DEFORMBENCH_PYTHON names another one");
}

}  // namespace deformbench::harness

// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/benchmarks/step_process.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <stdexcept>

#include "methods/facets.hpp"

namespace deformbench::benchmarks {

namespace {

StepSample take_step(Simulation& simulation) {
  StepSample sample;
  const auto start = std::chrono::steady_clock::now();
  const StepReport report = simulation.step();
  sample.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  sample.residual = report.residual;
  sample.finite = report.outcome == StepOutcome::Advanced;
  if (const auto* phases = dynamic_cast<const PhaseTimesFacet*>(&simulation)) {
    const auto names = phases->phase_names();
    const auto seconds = phases->phase_seconds();
    for (std::size_t k = 0; k < names.size(); ++k) {
      if (names[k] == "rotation") sample.rotation_seconds = seconds[k];
      if (names[k] == "assembly") sample.assembly_seconds = seconds[k];
      if (names[k] == "solve") sample.solve_seconds = seconds[k];
    }
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  sample.peak_rss_mb = static_cast<double>(usage.ru_maxrss) / 1024.0;
  return sample;
}

[[noreturn]] void serve(const std::function<std::unique_ptr<Simulation>()>& create, int warmup_steps, int request,
                        int reply) {
  const std::unique_ptr<Simulation> simulation = create();
  for (int k = 0; k < warmup_steps; ++k) simulation->step();
  char order = 0;
  while (read(request, &order, 1) == 1) {
    const StepSample sample = take_step(*simulation);
    if (write(reply, &sample, sizeof sample) != sizeof sample) break;
  }
  _exit(0);
}

}  // namespace

StepProcess::StepProcess(const std::function<std::unique_ptr<Simulation>()>& create, int warmup_steps) {
  int to_child[2], from_child[2];
  if (pipe(to_child) != 0 || pipe(from_child) != 0) throw std::runtime_error("no pipe to the child process");
  std::signal(SIGPIPE, SIG_IGN);
  child_ = fork();
  if (child_ < 0) throw std::runtime_error("no child process");
  if (child_ == 0) {
    close(to_child[1]);
    close(from_child[0]);
    serve(create, warmup_steps, to_child[0], from_child[1]);
  }
  close(to_child[0]);
  close(from_child[1]);
  request_ = to_child[1];
  reply_ = from_child[0];
}

StepProcess::~StepProcess() {
  close(request_);
  close(reply_);
  waitpid(child_, nullptr, 0);
}

StepSample StepProcess::step() {
  StepSample sample;
  const char order = 1;
  if (write(request_, &order, 1) != 1 || read(reply_, &sample, sizeof sample) != sizeof sample)
    throw std::runtime_error("the child process died (out of memory?)");
  return sample;
}

}  // namespace deformbench::benchmarks

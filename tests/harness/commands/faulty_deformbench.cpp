// SPDX-License-Identifier: BSD-3-Clause
// The whole command with one method from outside, which does what its parameter says: stays at rest, diverges,
// crashes, hangs, throws, or takes its time. With FAULTY_FSYNC_SECONDS in the environment its disk is slow; the process
// of a cell dies before it writes to its trace for the FAULTY_KILL_AT_WRITE-th time, with FAULTY_KILL_PARENT its
// supervisor, too, and with FAULTY_WRITES leaves the number of its writes in that file.
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <stdexcept>

#include "experiments/harness/commands/deformbench_main.hpp"

/// Instead of the library's: this executable's files are synced late.
extern "C" int fsync(int descriptor) {
  if (const char* seconds = std::getenv("FAULTY_FSYNC_SECONDS")) usleep(useconds_t(1e6 * std::atof(seconds)));
  return int(syscall(SYS_fsync, descriptor));
}

namespace {
bool is_cell = false;  ///< the process of a cell, not the supervisor
long long writes = 0;
}  // namespace

/// Instead of the library's, which HDF5 calls.
extern "C" ssize_t pwrite(int descriptor, const void* data, size_t size, off_t at) {
  const char* last = is_cell ? std::getenv("FAULTY_KILL_AT_WRITE") : nullptr;
  if (++writes == (last != nullptr ? std::atoll(last) : -1)) {
    const char* parent = std::getenv("FAULTY_KILL_PARENT");
    if (parent != nullptr && *parent != '\0') kill(getppid(), SIGKILL);
    raise(SIGKILL);
  }
  return syscall(SYS_pwrite64, descriptor, data, size, at);
}

namespace {

using namespace deformbench;

/// What a method that writes over the traces below the current folder leaves of those in work: their user blocks.
void overwrite_parts() {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(".")) {
    if (entry.path().extension() != ".part") continue;
    std::fstream file(entry.path(), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(512);
    file << std::string(std::filesystem::file_size(entry.path()) - 512, '\0');
  }
}

class FaultySimulation : public Simulation {
 public:
  FaultySimulation(const Scene& scene, const Parameters& parameters)
      : fault_(parameters.text("fault")),
        at_step_(parameters.integer("at_step")),
        step_seconds_(parameters.real("step_seconds")),
        time_step_(scene.time_step),
        positions_(scene.start_positions()),
        velocities_(scene.start_velocities()),
        masses_(lumped_masses(scene)) {}

  StepReport step() override {
    StepReport report;
    usleep(useconds_t(1e6 * step_seconds_));
    if (step_++ == at_step_) {
      if (fault_ == "crash") raise(SIGSEGV);
      if (fault_ == "hang") pause();
      if (fault_ == "exit") _exit(3);
      if (fault_ == "throw") throw std::runtime_error("the matrix has no inverse");
      if (fault_ == "diverge") report.outcome = StepOutcome::Diverged;
    }
    time_ += time_step_;
    if (step_ > at_step_ && fault_ == "turn_back") time_ = 0.0;
    if (step_ > at_step_ && fault_ == "no_time") time_ = std::numeric_limits<double>::quiet_NaN();
    if (step_ > at_step_ && fault_ == "overwrite") overwrite_parts();
    return report;
  }
  StateView state() const override {
    return {time_, PointsView(positions_.data(), positions_.rows(), 3),
            PointsView(velocities_.data(), velocities_.rows(), 3), ScalarsView(masses_.data(), masses_.size())};
  }

 private:
  std::string fault_;
  long long at_step_, step_ = 0;
  double step_seconds_, time_step_, time_ = 0.0;
  Points positions_, velocities_;
  Eigen::VectorXd masses_;
};

MethodDescriptor faulty_method() {
  MethodDescriptor method;
  method.id = "faulty";
  method.summary = "Stays at rest until its fault";
  method.paper = {"none", "none"};
  ParameterInfo fault{"fault", "", std::string("none"), "What happens."};
  fault.choices = {"none", "crash", "hang", "exit", "throw", "diverge", "refuse", "turn_back", "no_time", "overwrite"};
  method.parameters = {fault,
                       {"at_step", "1", 3LL, "Step at which it happens.", 0.0},
                       {"step_seconds", "s", 0.0, "Wall time of a step.", 0.0}};
  method.supports = [](const Scene&, const Parameters& p) {
    return p.text("fault") == "refuse" ? Support::no("it does not feel like it") : Support::yes();
  };
  method.create = [](const Scene& scene, const Parameters& p, const RunContext&) {
    return std::make_unique<FaultySimulation>(scene, p);
  };
  return method;
}

/// One whose library was not there.
MethodDescriptor absent_method() {
  MethodDescriptor method = faulty_method();
  method.id = "absent";
  method.not_comparable = {"Its numbers are of another kind."};
  method.not_built = "the library was not found";
  method.supports = nullptr;
  method.create = nullptr;
  return method;
}

/// Another method without its facets: what it knows is in its positions alone.
class Veiled final : public Simulation {
 public:
  explicit Veiled(std::unique_ptr<Simulation> hidden) : hidden_(std::move(hidden)) {}
  StepReport step() override { return hidden_->step(); }
  StateView state() const override { return hidden_->state(); }

 private:
  std::unique_ptr<Simulation> hidden_;
};

MethodDescriptor veiled(MethodDescriptor method) {
  method.id = "veiled_" + method.id;
  method.create = [create = method.create](const Scene& scene, const Parameters& p, const RunContext& context) {
    return std::make_unique<Veiled>(create(scene, p, context));
  };
  return method;
}

}  // namespace

int main(int argc, char** argv) {
  Registry methods = builtin_registry();
  methods.add(faulty_method());
  methods.add(absent_method());
  methods.add(veiled(methods.at("implicit_fem")));
  is_cell = argc > 1 && std::strcmp(argv[1], "__run-cell") == 0;
  const int code = harness::deformbench_main(argc, argv, methods, builtin_scenes());
  const char* count = std::getenv("FAULTY_WRITES");
  if (is_cell && count != nullptr) std::ofstream(count) << writes;
  return code;
}

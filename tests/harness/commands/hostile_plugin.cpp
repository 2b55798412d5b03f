// SPDX-License-Identifier: BSD-3-Clause
// A plug-in whose method keeps every vertex where it is until its fault; with HOSTILE_PLUGIN_AT_LOAD in the environment
// it does something else when it is loaded.
#include <signal.h>
#include <unistd.h>
#ifdef __SSE__
#include <xmmintrin.h>
#endif

#include <cfenv>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <stdexcept>
#include <string>

#include "methods/plugin.hpp"

namespace {

using namespace deformbench;

std::string fault_at_load() {
  const char* fault = std::getenv("HOSTILE_PLUGIN_AT_LOAD");
  return fault != nullptr ? fault : "";
}

[[maybe_unused]] const bool is_loaded = [] {
  const std::string fault = fault_at_load();
  if (const char* loads = std::getenv("HOSTILE_PLUGIN_LOADS")) std::ofstream(loads, std::ios::app) << getpid() << '\n';
  if (fault == "crash") raise(SIGSEGV);
  if (fault == "exit") std::exit(0);
  if (fault == "upward") std::fesetround(FE_UPWARD);
#ifdef __SSE__
  if (fault == "flush") _mm_setcsr(_mm_getcsr() | 0x8040);  // as -Ofast does
#else
  if (fault == "flush") std::fesetround(FE_DOWNWARD);
#endif
  if (fault == "hang")
    for (volatile bool goes_on = true; goes_on;) {
    }
  return true;
}();

class Hostile final : public Simulation {
 public:
  Hostile(const Scene& scene, std::string fault)
      : fault_(std::move(fault)),
        time_step_(scene.time_step),
        positions_(scene.start_positions()),
        velocities_(scene.start_velocities()),
        masses_(lumped_masses(scene)) {
    if (fault_ == "upward_at_create") std::fesetround(FE_UPWARD);
    if (fault_ == "create") throw std::runtime_error("no room");
  }
  StepReport step() override {
    time_ += time_step_;
    if (fault_ == "print") std::puts("{\"status\": \"completed\"} or not");
    if (++step_ < 3) return {};
    if (fault_ == "throw") throw std::runtime_error("no inverse");
    if (fault_ == "throw_number") throw 7;
    if (fault_ == "crash") raise(SIGSEGV);
    if (fault_ == "exit") std::exit(0);
    if (fault_ == "nan") positions_(0, 0) = std::numeric_limits<double>::quiet_NaN();
    while (fault_ == "flood") std::fputs(std::string(1 << 16, 'x').c_str(), step_ % 2 == 0 ? stdout : stderr);
    if (fault_ == "child" && fork() == 0) {  // keeps the test's mark alone
      const char* mark = std::getenv("DEFORMBENCH_TEST_MARK");
      std::string entry = std::string("DEFORMBENCH_TEST_MARK=") + (mark != nullptr ? mark : "");
      char* const environment[] = {entry.data(), nullptr};
      setsid();
      execle("/bin/sleep", "sleep", "86399", nullptr, environment);
      _exit(127);
    }
    if (fault_ == "upward_at_step") std::fesetround(FE_UPWARD);
    if (fault_ == "daemon" && step_ == 3 && fork() == 0) {
      setsid();
      if (fork() == 0) pause();
      _exit(0);
    }
    if (fault_ == "hang" || fault_ == "child") pause();
    return {};
  }
  StateView state() const override {
    return {time_, PointsView(positions_.data(), positions_.rows(), 3),
            PointsView(velocities_.data(), velocities_.rows(), 3), ScalarsView(masses_.data(), masses_.size())};
  }

 private:
  std::string fault_;
  int step_ = 0;
  double time_step_, time_ = 0.0;
  Points positions_, velocities_;
  Eigen::VectorXd masses_;
};

}  // namespace

extern "C" const char* deformbench_plugin_abi() {
  return fault_at_load() == "stamp" ? "interface 000, GCC of yesterday" : kPluginAbi;
}

extern "C" void deformbench_plugin_register(Registry& registry) {
  if (fault_at_load() == "throw") throw std::runtime_error("no licence");
  if (fault_at_load() == "throw_number") throw 7;
  if (fault_at_load() == "nothing") return;
  MethodDescriptor method;
  method.id = "hostile_plugin";
  method.summary = "Stays where it is until its fault";
  method.paper = {"none", "none"};
  method.parameters = {{"fault", "", std::string("none"), "What happens in step 3."}};
  method.supports = [](const Scene&, const Parameters&) { return Support::yes(); };
  method.create = [](const Scene& scene, const Parameters& parameters, const RunContext&) {
    return std::make_unique<Hostile>(scene, parameters.text("fault"));
  };
  registry.add(std::move(method));
}

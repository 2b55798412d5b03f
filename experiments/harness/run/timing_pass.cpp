// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/run/timing_pass.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "experiments/harness/run/cell_setup.hpp"
#include "experiments/harness/trace/floating_point.hpp"
#include "methods/facets.hpp"
#include "methods/model/error.hpp"

namespace deformbench::harness {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// VmHWM of this process; 0 where there is no /proc.
std::int64_t peak_rss_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    if (word != "VmHWM:") continue;
    std::int64_t kibibytes = 0;
    status >> kibibytes;
    return 1024 * kibibytes;
  }
  return 0;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

struct Protocol {
  std::size_t repeats, warmup_steps, min_steps;
  double min_seconds;
};

Protocol protocol_of(const nlohmann::json& spec) {
  const auto timing = spec.value("timing", nlohmann::json::object());
  const auto count = [&](const char* key, long long otherwise, long long minimum) {
    const long long value = timing.value(key, otherwise);
    if (value < minimum) throw InputError(fmt::format("timing: '{}' is {}, expected ≥ {}", key, value, minimum));
    return std::size_t(value);
  };
  // At least one warm-up step: their median sets the number of steps.
  return {count("repeats", 5, 1), count("warmup_steps", 20, 1), count("min_steps", 20, 1),
          timing.value("min_seconds", 0.3)};
}

class Repeat {
 public:
  Repeat(TimingSamples& samples, const CellSetup& setup) : samples_(samples) {
    const auto start = Clock::now();
    simulation_ = floating_point_.during(
        [&] { return setup.method->create(setup.scene, setup.method_parameters, setup.context); });
    samples_.create_seconds.push_back(seconds_since(start));
    phases_ = find_facet<PhaseTimesFacet>(*simulation_);
    if (phases_) samples_.phase_names.assign(phases_->phase_names().begin(), phases_->phase_names().end());
  }

  /// False, with the reason in the samples, if the method diverged or its solver missed its tolerance.
  bool step(std::vector<double>& seconds, bool with_phases) {
    const StepReport report = floating_point_.during([&] {
      const auto start = Clock::now();
      StepReport made = simulation_->step();
      seconds.push_back(seconds_since(start));
      return made;
    });
    if (with_phases && phases_) {
      const auto phase = phases_->phase_seconds();
      samples_.phase_seconds.insert(samples_.phase_seconds.end(), phase.begin(), phase.end());
    }
    const auto missed = missed_tolerance(report);
    if (report.outcome == StepOutcome::Advanced && !missed) return true;
    const bool diverged = report.outcome != StepOutcome::Advanced;
    samples_.status = diverged ? CellStatus::Diverged : CellStatus::Failed;
    samples_.reason = diverged ? "the method diverged while it was timed" : "while it was timed " + *missed;
    return false;
  }

 private:
  TimingSamples& samples_;
  KeptFloatingPoint floating_point_;
  std::unique_ptr<Simulation> simulation_;
  const PhaseTimesFacet* phases_ = nullptr;
};

}  // namespace

TimingSamples time_cell(const nlohmann::json& spec, const Registry& registry, const SceneRegistry& scenes) {
  const Protocol protocol = protocol_of(spec);
  if (spec.at("schedule").contains("poses"))
    throw InputError("timing: the schedule imposes poses and has no steps, expected steps, duration_s or until_static");
  CellSetup setup = prepare_cell(spec, registry, scenes, member_seeds(spec).front());
  setup.context.time_phases = true;
  setup.context.check_residual = false;
  TimingSamples samples;
  if (!setup.support.supported) {
    samples.status = CellStatus::Unsupported;
    samples.reason = setup.support.reason;
    return samples;
  }
  samples.warmup_steps = protocol.warmup_steps;
  for (std::size_t r = 0; r < protocol.repeats; ++r) {
    Repeat repeat(samples, setup);
    for (std::size_t k = 0; k < protocol.warmup_steps; ++k)
      if (!repeat.step(samples.warmup_seconds, false)) return samples;
    if (r == 0) {
      const double typical = std::max(median(samples.warmup_seconds), 1e-7);
      samples.steps = std::max(protocol.min_steps, std::size_t(std::ceil(protocol.min_seconds / typical)));
    }
    for (std::size_t k = 0; k < samples.steps; ++k)
      if (!repeat.step(samples.step_seconds, true)) return samples;
    ++samples.repeats;
  }
  samples.peak_rss_bytes = peak_rss_bytes();
  return samples;
}

}  // namespace deformbench::harness

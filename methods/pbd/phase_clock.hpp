// SPDX-License-Identifier: BSD-3-Clause
// Wall time of the phases of a step, charged as they end.
#pragma once

#include <array>
#include <chrono>
#include <span>
#include <string>

namespace deformbench::pbd {

class PhaseClock {
 public:
  enum Phase { Predict, Detect, Sweep, Contacts, Update };
  static constexpr std::size_t phase_count = 5;

  explicit PhaseClock(bool runs) : runs_(runs) {}
  void start() {
    if (!runs_) return;
    seconds_.fill(0.0);
    last_ = Clock::now();
  }
  /// The time since the last charge belongs to `phase`.
  void charge(Phase phase) {
    if (!runs_) return;
    const auto now = Clock::now();
    seconds_[phase] += std::chrono::duration<double>(now - last_).count();
    last_ = now;
  }
  static std::span<const std::string> names() {
    static const std::array<std::string, phase_count> names = {"predict", "detect", "sweep", "contacts", "update"};
    return names;
  }
  std::span<const double> seconds() const {
    return runs_ ? std::span<const double>(seconds_) : std::span<const double>();
  }

 private:
  using Clock = std::chrono::steady_clock;
  bool runs_;
  std::array<double, phase_count> seconds_{};
  Clock::time_point last_{};
};

}  // namespace deformbench::pbd

// SPDX-License-Identifier: BSD-3-Clause
// Wall time per phase of a step, charged when the phase ends.
#pragma once

#include <array>
#include <chrono>
#include <span>
#include <string>

namespace deformbench {

/// `Phases` has an enumeration `Phase` that counts from 0, and `kNames`, an array with one name per phase.
template <class Phases>
class PhaseClock : public Phases {
 public:
  using Phase = typename Phases::Phase;

  explicit PhaseClock(bool runs) : runs_(runs) {}
  /// Start of a step: resets all phases to zero.
  void start() {
    if (!runs_) return;
    seconds_.fill(0.0);
    last_ = Clock::now();
  }
  /// Adds the time since the last charge to `phase`.
  void charge(Phase phase) {
    if (!runs_) return;
    const auto now = Clock::now();
    seconds_[phase] += std::chrono::duration<double>(now - last_).count();
    last_ = now;
  }
  /// Moves `parts` (s) from `from` to `first` and the phases after it.
  void move(Phase from, Phase first, std::span<const double> parts) {
    if (!runs_) return;
    for (std::size_t k = 0; k < parts.size(); ++k) {
      seconds_[from] -= parts[k];
      seconds_[std::size_t(first) + k] += parts[k];
    }
  }
  /// Time per phase of the last step, in the order of kNames; zeros if the clock does not run.
  std::span<const double> seconds() const { return seconds_; }

 private:
  using Clock = std::chrono::steady_clock;
  bool runs_;
  std::array<double, Phases::kNames.size()> seconds_{};
  Clock::time_point last_{};
};

}  // namespace deformbench

// SPDX-License-Identifier: BSD-3-Clause
// What the solver of a step does, iteration by iteration, for steps that somebody watches (IterationFacet).
#pragma once

#include <array>
#include <chrono>
#include <limits>
#include <vector>

namespace deformbench {

/// What may be known of the state after an iteration.
enum class IterationQuantity {
  Objective,            ///< J, of the minimisation problem that the step solves, up to a constant of the (sub)step
  GradientNorm,         ///< N, ‖∂objective/∂z‖₂ over free components, z the positions that the step seeks
  LinearIterations,     ///< of linear solvers, since the step began
  StretchViolationRms,  ///< root mean square of length/rest length − 1 over the stretch constraints of a cloth
  StretchViolationMax,  ///< largest magnitude of it
};
inline constexpr std::size_t kIterationQuantities = 5;

enum class IterationKind { Newton, ConjugateGradient, Projection, Other };

/// The state after one iteration.
struct Iteration {
  IterationKind kind;
  int substep = 0;       ///< each has a problem of its own
  int iteration = 0;     ///< of the substep; 0 is where its iterations start from
  double seconds = 0.0;  ///< wall time since the step began, without what watching took
  std::array<double, kIterationQuantities> values = no_values();

  double& operator[](IterationQuantity quantity) { return values[std::size_t(quantity)]; }
  double operator[](IterationQuantity quantity) const { return values[std::size_t(quantity)]; }

 private:
  static constexpr std::array<double, kIterationQuantities> no_values() {
    std::array<double, kIterationQuantities> none{};
    none.fill(std::numeric_limits<double>::quiet_NaN());
    return none;
  }
};

/// The iterations of one step, and a clock that stands while they are looked at.
class IterationLog {
 public:
  void begin_step() {
    rows_.clear();
    watching_ = Clock::duration::zero();
    start_ = Clock::now();
  }
  /// The clock stands until `add`.
  void stop_clock() { stopped_ = Clock::now(); }
  /// Keeps the row, with the seconds at which the clock stopped, and lets the clock run again.
  void add(Iteration row) {
    row.seconds = std::chrono::duration<double>(stopped_ - start_ - watching_).count();
    rows_.push_back(row);
    watching_ += Clock::now() - stopped_;
  }
  /// Keeps a row whose seconds somebody else has measured.
  void add_timed(const Iteration& row) { rows_.push_back(row); }
  const std::vector<Iteration>& rows() const { return rows_; }

 private:
  using Clock = std::chrono::steady_clock;
  std::vector<Iteration> rows_;
  Clock::time_point start_{}, stopped_{};
  Clock::duration watching_{};
};

}  // namespace deformbench

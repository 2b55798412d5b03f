// SPDX-License-Identifier: BSD-3-Clause
// Record of the solver iterations of an observed step (IterationFacet).
#pragma once

#include <array>
#include <chrono>
#include <limits>
#include <optional>
#include <vector>

#include "methods/work.hpp"

namespace deformbench {

/// Quantities of the state after an iteration.
enum class IterationQuantity {
  Objective,         ///< J, of the step's minimisation problem, up to a constant per (sub)step
  GradientNorm,      ///< N, ‖∂objective/∂z‖₂ over free components, z: the unknown positions
  LinearIterations,  ///< of linear solvers, since the step began
  NewtonDecrement,   ///< J, −gᵀd with the gradient g and the step d solved for here; NaN where none is solved for
  StretchViolationRms,  ///< root mean square of length/rest length − 1 over the stretch constraints of a cloth
  StretchViolationMax,  ///< largest magnitude of length/rest length − 1
};
inline constexpr std::size_t kIterationQuantities = 6;

enum class IterationKind { Newton, ConjugateGradient, Projection, Other };

/// The state after one iteration.
struct Iteration {
  IterationKind kind;
  int substep = 0;                ///< each solves its own problem
  int iteration = 0;              ///< within the substep; 0: the initial guess
  double seconds = 0.0;           ///< wall time since the step began, excluding observation
  std::optional<Work> work = {};  ///< since the step began; empty: not counted
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

/// The iterations of one step, with a clock that is paused during observation.
class IterationLog {
 public:
  void begin_step() {
    rows_.clear();
    watching_ = Clock::duration::zero();
    start_ = Clock::now();
  }
  /// Pauses the clock until `add`.
  void stop_clock() { stopped_ = Clock::now(); }
  /// Appends the row with the time at which the clock was paused, and resumes the clock.
  void add(Iteration row) {
    row.seconds = std::chrono::duration<double>(stopped_ - start_ - watching_).count();
    rows_.push_back(row);
    watching_ += Clock::now() - stopped_;
  }
  /// The row that was added last.
  Iteration& last() { return rows_.back(); }
  /// Appends a row that already has its seconds.
  void add_timed(const Iteration& row) { rows_.push_back(row); }
  const std::vector<Iteration>& rows() const { return rows_; }

 private:
  using Clock = std::chrono::steady_clock;
  std::vector<Iteration> rows_;
  Clock::time_point start_{}, stopped_{};
  Clock::duration watching_{};
};

}  // namespace deformbench

// SPDX-License-Identifier: BSD-3-Clause
// Implicit Euler by vertex block descent [CLYY24]: a step (or substep) lowers
//   Φ(x) = w/2 (x − ŷ)ᵀ M (x − ŷ) + Ψ(x) + D(x) + P(x) − f_extᵀ x,  w = 1/Δt², ŷ = x(t) + Δt v(t)
// by sweeps over the vertices (block_sweep.hpp); Ψ elasticity, D damping, P the penalty of obstacles
// (obstacle_potential.hpp), in which a vertex sinks by d̂ p/κ under the pressure p. v(t + Δt) = (x − x(t))/Δt.
//
// DEVIATION [CLYY24] §3.7: the adaptive guess takes gravity as the only external acceleration, as a point load moves
// just one vertex; the first step, without a previous acceleration, takes full gravity, so that free fall is exact
// from the first step.
//
// DEVIATION [CLYY24] §3.6: friction uses the normal forces at the end of the previous step.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "methods/descent/block_sweep.hpp"
#include "methods/fem/integrators/integrator.hpp"
#include "methods/fem/nonlinear/euler_objective.hpp"
#include "methods/fem/nonlinear/hyperelasticity.hpp"

namespace deformbench::descent {

/// x before the first sweep [CLYY24] §3.7; a = (v(t) − v(t − Δt))/Δt, â the direction of gravity g.
enum class InitialGuess {
  Previous,         ///< x(t)
  Inertia,          ///< x(t) + Δt v
  InertiaAndLoads,  ///< x(t) + Δt v + Δt² f_ext/m
  Adaptive,         ///< x(t) + Δt v + Δt² min(max(a·â, 0), |g|) â
};

struct DescentOptions {
  std::string law;
  SweepOrder order = SweepOrder::Index;
  bool is_plain = false;
  int iterations = 100;  ///< sweeps per substep; the maximum if tolerance > 0
  int substeps = 1;
  InitialGuess initial_guess = InitialGuess::Adaptive;
  /// ρ of [CLYY24] §3.8: x ← x⁻² + ω (x − x⁻²) after sweep n ≥ 2, ω₂ = 2/(2 − ρ²), ω_n = 4/(4 − ρ² ω_{n−1}), not for
  /// vertices in reach of an obstacle; 0: off.
  double spectral_radius = 0.0;
  /// Sweeps end once ‖∂Φ‖₂ ≤ tolerance (‖wM(ŷ − x(t))‖₂ + ‖f_ext‖₂ + ‖f_el(x₀)‖₂), x₀ the initial guess; 0: fixed
  /// number.
  double tolerance = 0.0;
  bool may_miss_tolerance = false;
  bool is_static = false;  ///< without inertia: equilibrium under the loads at the step's end [CHCZMT24]
  SweepSettings sweep;
  fem::PotentialOptions potential;
};

class BlockDescent final : public fem::Integrator<double>, public EventsFacet {
 public:
  using Vector = numerics::AlignedVector<double>;
  /// `body` and `elasticity` (of options.law) must outlive the integrator. Sweeps sum forces themselves; only the
  /// stop test and iteration logs evaluate `elasticity`.
  BlockDescent(fem::Body<double>& body, fem::Hyperelasticity& elasticity, const DescentOptions& options,
               std::uint64_t seed);

  StepReport step(fem::PhaseClock& clock) override;
  void follow(std::span<const int>) override {}  // no fracture
  Support iterates() const override { return Support::yes(); }
  Support iterations_have(IterationQuantity quantity) const override;
  /// `blocks_skipped` per substep with singular vertex blocks: their number, and the first vertex.
  std::span<const SimulationEvent> step_events() const override { return events_; }
  const BlockSweep& sweep() const { return *sweep_; }
  const StepProblem& problem() const { return problem_; }

 private:
  void substep(int index, StepReport& report, fem::PhaseClock& clock);
  void start();
  void descend(int substep, StepReport& report);
  void accelerate(const Vector& last, double omega);
  bool is_damped() const { return options_.sweep.damping > 0.0; }
  bool has_objective() const { return !is_damped() || options_.sweep.damping_form == DampingForm::Strain; }
  /// Φ (J) and ∂Φ/∂x (N, 0 in prescribed components) at x_, by `elasticity`.
  double objective(Vector& gradient, Work& work);
  double add_damping(Vector& gradient);
  void log_iterate(int substep, int iteration);
  /// False with a line search: threads do not count its trials.
  bool counts_work() const { return options_.sweep.search == BlockSearch::None; }
  void count_skips();

  fem::Body<double>& body_;
  const DescentOptions options_;
  std::unique_ptr<BlockSweep> sweep_;
  std::optional<fem::ObstaclePotential<double>> obstacles_;
  StepProblem problem_;
  std::optional<fem::EulerObjective> objective_;  ///< without damping
  Work work_, sweep_work_;                        ///< of the step; of one sweep
  Vector x_;
  Vector last_velocities_;  ///< v(t − Δt); empty in the first substep
  std::vector<SimulationEvent> events_;
};

}  // namespace deformbench::descent

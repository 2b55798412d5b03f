// SPDX-License-Identifier: BSD-3-Clause
// Implicit Euler with one matrix that is factorised once: an iteration descends the step's objective Φ
// (fem/nonlinear/euler_objective.hpp) along −A⁻¹ ∂Φ/∂x, A of prefactored_system.hpp [LBK17]. Without line
// search and acceleration, with the law `corotational`, ν = 0 and k = 2μ, an iteration is the local and global step
// of projective dynamics [BMLLP14].
//
// DEVIATION [LBK17]: k is a sum of the Lamé constants, in place of a secant stiffness of the law.
//
// DEVIATION [BMLLP14]: obstacles act by the penalty of fem/body/obstacle_potential.hpp, whose blocks are added to A
// in conjugate gradient solves, in place of projected constraints.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "methods/fem/integrators/integrator.hpp"
#include "methods/fem/nonlinear/euler_objective.hpp"
#include "methods/fem/nonlinear/hyperelasticity.hpp"
#include "methods/projective/element_split.hpp"

namespace deformbench::projective {

enum class Acceleration {
  None,
  LimitedBfgs,  ///< two-loop recursion on `history` changes, from A⁻¹ [LBK17]
  /// [W15]: x ← x⁻² + ω (x − x⁻²) after `delay` iterations, ω = 2/(2 − ρ²), then 4/(4 − ρ²ω).
  Chebyshev,
  Anderson,  ///< over the last `history` moves; dropped if Φ does not fall [PDZGQL18]
  Admm,      ///< no acceleration: the ADMM splitting of element_split.hpp
};

struct QuasiNewtonOptions {
  std::string law;
  MatrixStiffness stiffness = MatrixStiffness::Bound;
  Acceleration acceleration = Acceleration::LimitedBfgs;
  int history = 5;
  double spectral_radius = 0.0;  ///< ρ
  int delay = 10;                ///< of Chebyshev
  double weight = 1.0;           ///< w of Admm
  bool searches = true;          ///< halves a step until Φ falls enough; else full steps
  int iterations = 20;           ///< per substep; the maximum if tolerance > 0
  int substeps = 1;
  /// Iterations end once ‖∂Φ‖₂ ≤ tolerance · EulerObjective::scale at the start; 0: fixed number.
  double tolerance = 0.0;
  bool may_miss_tolerance = false;
  fem::PotentialOptions potential;
};

class QuasiNewton final : public fem::Integrator<double> {
 public:
  using Vector = numerics::AlignedVector<double>;
  /// `body` and `elasticity` (of options.law) must outlive the integrator.
  QuasiNewton(fem::Body<double>& body, fem::Hyperelasticity& elasticity, const QuasiNewtonOptions& options);

  StepReport step(fem::PhaseClock& clock) override;
  void follow(std::span<const int>) override {}  // no fracture
  Support iterates() const override { return Support::yes(); }
  Support iterations_have(IterationQuantity quantity) const override;

 private:
  struct Change {
    Vector place, gradient;  ///< s, y
    double curvature;        ///< sᵀy > 0
  };
  struct Mapped {
    Vector image, move;  ///< x + d and d of an iteration without acceleration
  };
  void substep(int index, StepReport& report, fem::PhaseClock& clock);
  void descend(int substep, StepReport& report);
  /// `move_` = −H ∂Φ, H ≈ (∂²Φ)⁻¹; without history (A + D)⁻¹, D the obstacles' blocks.
  void find_move(StepReport& report);
  /// Local step, then `move_` to the global step's minimiser.
  void find_split_move(StepReport& report);
  void apply_inverse(const Vector& b, Vector& x, StepReport& report);
  /// x ← x + t move with sufficient decrease, by ∂Φ below the rounding of Φ. False if no t does.
  bool search();
  void accelerate_by_chebyshev(int iteration, const Vector& before);
  bool accelerate_by_anderson();  ///< false: see search
  void keep_change(const Vector& place, const Vector& gradient);
  void evaluate() { value_ = objective_->value(x_, gradient_, work_); }
  double rounding_of_value() const;
  void log_iterate(int substep, int iteration, const StepReport& report);

  fem::Body<double>& body_;
  fem::Hyperelasticity& elasticity_;
  const QuasiNewtonOptions options_;
  std::optional<fem::ObstaclePotential<double>> obstacles_;
  std::optional<fem::EulerObjective> objective_;
  std::optional<PrefactoredSystem> system_;
  std::optional<ElementSplit> split_;  ///< of Admm
  double value_ = 0.0, omega_ = 1.0;   ///< Φ at x_, J
  Work work_;                          ///< of the step
  Vector x_, gradient_, move_;
  std::deque<Change> changes_;
  std::deque<Mapped> mapped_;
  std::vector<fem::NodeBlock> blocks_;
};

}  // namespace deformbench::projective

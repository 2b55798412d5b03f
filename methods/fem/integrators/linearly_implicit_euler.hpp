// SPDX-License-Identifier: BSD-3-Clause
// Implicit Euler with one linear solve per step, [MG04] §2.2 and §6:
//   (M + Δt C + Δt² K') v⁺ = M v − Δt (K'x + f0' − f_ext), x⁺ = x + Δt v⁺, C = αM + βK'.
// With c = Δt (Δt + β) the matrix is A = (1 + αΔt) M + c K'. If it is symmetric, conjugate gradients minimise
//   q(v) = ½ vᵀ A v − bᵀ v,  b the right-hand side,
// which for α = β = 0 and a constant K' is the objective of implicit Euler (newton.hpp) up to a constant; v = 0 in
// prescribed components. Its gradient with respect to x⁺ = x + Δt v is −r/Δt, r = b − A v. With contact_rule penalty
// the step minimises q(v) + P(x + Δt v), P the potential of obstacles (obstacle_potential.hpp). If the first solve
// enters no obstacle, its v is the minimiser; otherwise Newton's method adds one linear solve per correction. If A is
// not symmetric the same corrections find the root of A v − b + Δt ∂P/∂x.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "methods/fem/body/linear_system.hpp"
#include "methods/fem/body/obstacle_potential.hpp"
#include "methods/fem/elasticity/elasticity.hpp"
#include "methods/fem/integrators/integrator.hpp"

namespace deformbench::fem {

enum class StartVector {
  Zero,
  Velocity,           ///< v_n
  VelocityPlusForce,  ///< v_n + Δt M⁻¹ f_ext
};

struct ImplicitEulerOptions {
  LinearSolverOptions solver;
  StartVector start = StartVector::VelocityPlusForce;
  double mass_damping = 0.0;       ///< α, 1/s
  double stiffness_damping = 0.0;  ///< β, s
  bool check_residual = false;     ///< fill StepReport::true_residual
  /// Keeps A of the first step, reassembled only if mesh or materials change; forces are those of the step.
  bool keeps_first_matrix = false;
  PotentialOptions potential;  ///< of a body with the contact rule Penalty

  /// c = Δt (Δt + β), s².
  double matrix_scale(double time_step) const { return time_step * (time_step + stiffness_damping); }
};

template <class T>
class LinearlyImplicitEuler final : public Integrator<T>, public SystemOperatorFacet {
 public:
  /// Body and elasticity must outlive the integrator.
  LinearlyImplicitEuler(Body<T>& body, AffineElasticity<T>& elasticity, const ImplicitEulerOptions& options);

  StepReport step(PhaseClock& clock) override;
  void follow(std::span<const int> sources) override;
  Support iterates() const override;
  Support iterations_have(IterationQuantity quantity) const override;
  const LinearSystem<T>& system() const { return system_; }

  Eigen::SparseMatrix<double> system_matrix(const Eigen::Ref<const Points>& x) const override;
  Eigen::SparseMatrix<double> stiffness_matrix(const Eigen::Ref<const Points>& x) const override {
    return elasticity_.stiffness(x);
  }
  double stiffness_bound() const override { return elasticity_.stiffness_bound(); }

 private:
  void size_vectors();
  void assemble();
  void form_matrix(StepReport& report);
  void keep_first_matrix(StepReport& report);  ///< with the forces of the step
  void solve(StepReport& report);
  /// Moves the velocities from the minimiser of q to that of q + P.
  void correct_contacts(StepReport& report);
  /// A v, with zeros in prescribed rows.
  void multiply(const T* v, T* to);
  class Watch;
  /// ‖b − A v‖₂ / ‖b‖₂ of the step's equation, from the double-precision model at the start of the step with the
  /// velocities `before` and the solved ones; independent of the solver's matrix, right-hand side and arithmetic.
  double true_residual(const Points& before) const;
  void add_prescribed(T* to, double factor = 1.0) const;

  Body<T>& body_;
  AffineElasticity<T>& elasticity_;
  const ImplicitEulerOptions options_;
  const double scale_;  ///< c, s²
  LinearSystem<T> system_;
  std::optional<ObstaclePotential<T>> obstacles_;
  /// rest_force_: −c f0', or c f(x) with keeps_first_matrix.
  numerics::AlignedVector<T> operand_, product_, rest_force_;
  Points matrix_positions_;                         ///< of the kept matrix, n×3
  numerics::AlignedVector<double> contact_forces_;  ///< N, of the potential at the end of the step
};

extern template class LinearlyImplicitEuler<float>;
extern template class LinearlyImplicitEuler<double>;

}  // namespace deformbench::fem

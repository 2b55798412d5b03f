// SPDX-License-Identifier: BSD-3-Clause
// Implicit steps solved by Newton's method [BW98]. Every scheme's step minimises over z
//   E(z) = ½ w (z − ŷ)ᵀ M (z − ŷ) + Ψ(z) + s P(x + (z − x)/s) − f_extᵀ z,
// with Ψ the elastic energy, P the contact potential at x⁺ (obstacle_potential.hpp, surface_contact.hpp), s given by
// z − x = s (x⁺ − x), and w, ŷ from time_scheme.hpp.
// One full step from z = x is the step of [BW98]; more iterations, with line search, reach a minimum.
#pragma once

#include <optional>

#include "methods/fem/body/linear_system.hpp"
#include "methods/fem/body/obstacle_potential.hpp"
#include "methods/fem/elasticity/elasticity.hpp"
#include "methods/fem/integrators/integrator.hpp"
#include "methods/fem/nonlinear/hessian_filter.hpp"
#include "methods/fem/nonlinear/surface_contact.hpp"
#include "methods/fem/nonlinear/time_scheme.hpp"

namespace deformbench::fem {

struct NewtonOptions {
  ImplicitScheme scheme = ImplicitScheme::Euler;
  LinearSolverOptions solver;  ///< may_miss_tolerance also applies to Newton itself
  int fixed_iterations = 0;    ///< > 0: exactly this many full steps
  /// If 0: stops at ‖∂E/∂z‖₂ ≤ tolerance · (‖wM (ŷ − x)‖₂ + ‖f_ext‖₂ + ‖f(z₀)‖₂), or at rounding error.
  double tolerance = 1e-10;
  int max_iterations = 1000;    ///< upper bound. z₀ above: initial guess; f includes contact
  bool adapts_forcing = false;  ///< linear tolerance by [EW96], no tighter than that of `solver`
  HessianRule hessian = HessianRule::Projected;
  bool single_precision = false;  ///< for element Hessians
  double mass_damping = 0.0;      ///< α, 1/s
  PotentialOptions potential;     ///< of contact within the solve, and of self-contact
  /// Coulomb coefficient of self-contact; empty: no self-contact. Not with fixed_iterations.
  std::optional<double> self_friction;
};

class Newton final : public Integrator<double>, public SystemOperatorFacet {
 public:
  /// Body and elasticity must outlive the integrator.
  Newton(Body<double>& body, NonlinearElasticity<double>& elasticity, const NewtonOptions& options);

  StepReport step(PhaseClock& clock) override;
  void follow(std::span<const int> sources) override;
  Support iterates() const override { return Support::yes(); }
  Support iterations_have(IterationQuantity quantity) const override;
  const LinearSystem<double>& system() const { return system_; }

  Eigen::SparseMatrix<double> system_matrix(const Eigen::Ref<const Points>& x) const override;
  Eigen::SparseMatrix<double> stiffness_matrix(const Eigen::Ref<const Points>& x) const override {
    return elasticity_.stiffness(x);
  }
  double stiffness_bound() const override { return elasticity_.stiffness_bound(); }

 private:
  using Vector = numerics::AlignedVector<double>;
  double inertia() const { return scheme_.inertia(); }
  const Vector& target() const { return scheme_.target(); }
  void start(const Vector& x);
  /// `start` with self-contact: chooses z so that the path from x to z is free of collisions.
  void start_apart(const Vector& x, const Vector3& mean);
  /// Moves prescribed components of z towards their targets; stops before contact; false if already there.
  bool move_prescribed(const Vector& x);
  /// Moves z towards `to`; stops before contact.
  void approach(const Vector& to, const Vector& x);
  /// Adds to `change_` the translation that makes a free body's momentum exact despite an inexact linear solve.
  void correct_momentum();
  double share() const { return scheme_.share(); }
  /// x⁺ for z: a reference to z if s = 1, otherwise to `end_`.
  const Vector& end_of(const Vector& z, const Vector& x);
  /// Moves z so that no vertex of x⁺ is inside an obstacle.
  void bring_outside(const Vector& x);
  void iterate(const Vector& x, StepReport& report, PhaseClock& clock);
  /// Assembles the matrix at z, and element forces if `forces` is not null.
  void assemble(double* forces, StepReport& report);
  /// Solves for the step from z; if it does not descend, filters more and solves again while possible. Returns the
  /// last report.
  StepReport solve(double norm, StepReport& report);
  /// Slope of the objective along `change_`.
  double slope() const;
  double longest_move(const Vector& x);
  /// longest_move of the surface, for any `move`.
  double surface_move(const Vector& x, const Vector& move, bool obstacles = false);
  /// z ← z + length_ · change_, with sufficient decrease or a change within rounding (`is_at_noise_`); updates
  /// `value`. Returns the fraction of the longest move taken, 0 if none was accepted.
  double search_line(const Vector& x, double& value, double first);
  /// E(z)/w, work of loads from x.
  double objective(const Vector& z, const Vector& x);
  /// Right-hand side −(∂E/∂z)/w with the forces at z; returns its norm.
  double form_right_side(const Vector& z);
  double rounding() const;
  /// Relative tolerance of the linear solve at gradient norm `norm`; `last`: the norm one iteration before (infinite:
  /// none); `goal`: the norm to stop at.
  double forcing(double norm, double last, double goal) const;
  /// Logs E and ‖∂E/∂z‖ after `iteration` iterations, from facets that leave the elasticity unchanged.
  void log_iterate(const Vector& x, int iteration, int linear_iterations);
  void evaluate_forces();
  void finish(const Vector& x, const Vector& v, StepReport& report);

  Body<double>& body_;
  NonlinearElasticity<double>& elasticity_;
  const NewtonOptions options_;
  TimeScheme scheme_;
  LinearSystem<double> system_;
  HessianFilter filter_;
  std::optional<ObstaclePotential<double>> obstacles_;
  std::optional<SurfaceContact> surface_;
  double contact_stiffness_ = 0.0;  ///< largest in last assembly, N/m
  Work work_;                       ///< of the step
  bool is_at_noise_ = false;        ///< the last line search
  double length_ = 0.0;             ///< of the last line search
  double largest_stiffness_ = 0.0;  ///< of the elasticity at rest, N/m
  Vector z_, change_, forces_, trial_, end_;
};

}  // namespace deformbench::fem

// SPDX-License-Identifier: BSD-3-Clause
// Implicit steps solved by Newton's method [BW98]. Every scheme's step minimises over z
//   E(z) = ½ w (z − ŷ)ᵀ M (z − ŷ) + Ψ(z) + s P(x + (z − x)/s) − f_extᵀ z,
// Ψ the elastic energy, P the potential of obstacles (obstacle_potential.hpp) and of the surface (surface_contact.hpp)
// at x⁺, s = (z − x)/(x⁺ − x), w and ŷ of the scheme (time_scheme.hpp).
// One iteration of full length from z = x is the step of [BW98]; more, with a line search, converge.
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
  LinearSolverOptions solver;  ///< its may_miss_tolerance also applies to the iteration
  int fixed_iterations = 0;    ///< > 0: exactly this many, full steps
  /// Else until ‖∂E/∂z‖₂ ≤ tolerance · (‖wM (ŷ − x)‖₂ + ‖f_ext‖₂ + ‖f(z₀)‖₂), or as far as rounding allows …
  double tolerance = 1e-10;
  int max_iterations = 1000;    ///< … or this many iterations; z₀: the initial guess, f with contact
  bool adapts_forcing = false;  ///< tolerance of linear solves by [EW96], not below that of `solver`
  HessianRule hessian = HessianRule::Projected;
  bool single_precision = false;  ///< of the Hessians of the elements
  double mass_damping = 0.0;      ///< α, 1/s
  PotentialOptions potential;     ///< of a body whose contact rule is within the solve
  /// Coulomb's coefficient of the surface against itself; empty: it passes through itself. Not with fixed_iterations.
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
  /// The choice of `start` where the surface meets itself: nothing passes through anything on the way from x to z.
  void start_apart(const Vector& x, const Vector3& mean);
  /// Moves prescribed components of z towards their targets as far as nothing meets; false if they are there.
  bool move_prescribed(const Vector& x);
  /// Moves z towards `to` as far as nothing meets.
  void approach(const Vector& to, const Vector& x);
  /// Of `change_`: adds the translation that makes the momentum of a free body exact, which a solve to a tolerance
  /// and its preconditioner leave inexact.
  void correct_momentum();
  double share() const { return scheme_.share(); }
  /// x⁺ for z; a reference to z itself where s = 1, else to `end_`.
  const Vector& end_of(const Vector& z, const Vector& x);
  /// Moves z so that no vertex of x⁺ is inside an obstacle.
  void bring_outside(const Vector& x);
  void iterate(const Vector& x, StepReport& report, PhaseClock& clock);
  /// The matrix at z, and the forces of the elements unless `forces` is null.
  void assemble(double* forces, StepReport& report);
  /// Solves for the step from z, again as long as the filter has more where that does not descend; returns the report
  /// of the last solve.
  StepReport solve(double norm, StepReport& report);
  /// Slope of the objective along `change_`.
  double slope() const;
  double longest_move(const Vector& x);
  /// The same of the surface alone, for any move.
  double surface_move(const Vector& x, const Vector& move, bool obstacles = false);
  /// z ← z + length_ · change with sufficient decrease of the objective, or one below its rounding (`is_at_noise_`);
  /// updates `value`. Returns the part of the longest move that was made, 0 if none is found.
  double search_line(const Vector& x, double& value, double first);
  /// E(z)/w, loads measured from x.
  double objective(const Vector& z, const Vector& x);
  /// Right-hand side −(∂E/∂z)/w with the forces at z; returns its norm.
  double form_right_side(const Vector& z);
  double rounding() const;
  /// Relative tolerance of the linear solve where the gradient's norm is `norm`, and was `last` one iteration before
  /// (infinite: none); `goal` ends the iteration.
  double forcing(double norm, double last, double goal) const;
  /// Logs z after `iteration` iterations: E and ‖∂E/∂z‖ from the facets, which leave the elasticity unchanged.
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
  double contact_stiffness_ = 0.0;  ///< largest of the last assembly, N/m
  Work work_;                       ///< of the step
  bool is_at_noise_ = false;        ///< the last line search
  double length_ = 0.0;             ///< of the last line search
  double largest_stiffness_ = 0.0;  ///< of the elasticity at rest, N/m
  Vector z_, change_, forces_, trial_, end_;
};

}  // namespace deformbench::fem

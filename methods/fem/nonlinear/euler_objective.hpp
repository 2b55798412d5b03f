// SPDX-License-Identifier: BSD-3-Clause
// The objective of an implicit Euler step in the positions at its end,
//   Φ(x) = w/2 (x − ŷ)ᵀ M (x − ŷ) + Ψ(x) + P(x) − f_extᵀ (x − x(t)),  w = 1/Δt², ŷ = x(t) + Δt v(t),
// Ψ the elastic energy, P the potential of obstacles. A static step has w = 0; minima are equilibria under the
// loads at its end. Vectors have four numbers per node, in the graph's order.
#pragma once

#include "methods/fem/body/obstacle_potential.hpp"
#include "methods/fem/elasticity/elasticity.hpp"

namespace deformbench::fem {

class EulerObjective {
 public:
  using Vector = numerics::AlignedVector<double>;
  /// Body, elasticity and `obstacles` (null: none) must outlive the objective.
  EulerObjective(Body<double>& body, NonlinearElasticity<double>& elasticity,
                 const ObstaclePotential<double>* obstacles, bool is_static = false);

  /// Call after BodyState::begin_step; a (sub)step of state.time_step begins.
  void begin_step();
  double inertia() const { return inertia_; }       ///< w, 1/s²
  const Vector& before() const { return before_; }  ///< x(t)
  const Vector& ballistic() const {
    return ballistic_;
  }  ///< ŷ + M⁻¹ f_ext/w; prescribed components too; x(t) if static
  /// Sets prescribed components of x to their end-of-step positions.
  void place_prescribed(Vector& x) const;

  /// Φ (J); `gradient`: ∂Φ/∂x (N), 0 if prescribed. Adds to `work`.
  double value(const Vector& x, Vector& gradient, Work& work);
  void clear_prescribed(Vector& gradient) const;
  /// N: ‖wM (ŷ − x(t))‖₂ + ‖f_ext‖₂ + ‖f_el(x)‖₂
  double scale(const Vector& x, Work& work);
  /// N: rounding error of ∂Φ from differences of nearly equal positions, as in newton.cpp.
  double rounding();

 private:
  Body<double>& body_;
  NonlinearElasticity<double>& elasticity_;
  const ObstaclePotential<double>* obstacles_;
  const bool is_static_;
  double inertia_ = 0.0;
  double largest_stiffness_ = -1.0;  ///< of the elasticity at rest, N/m; negative: not computed yet
  Vector before_, ballistic_;
};

double length_of(const EulerObjective::Vector& a);

}  // namespace deformbench::fem

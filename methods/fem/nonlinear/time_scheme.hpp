// SPDX-License-Identifier: BSD-3-Clause
// An implicit scheme's part of the objective that Newton's method minimises (newton.hpp): w, ŷ, s, and the
// velocities at the end of the step. Mass damping is C = αM.
//   implicit Euler     z = x⁺,  w = 1/Δt² + α/Δt,         v⁺ = (z − x)/Δt
//   implicit midpoint  z = (x + x⁺)/2, w = 4/Δt² + 2α/Δt, v⁺ = 2·(2 (z − x)/Δt) − v; loads at mid-step
//   BDF2               z = x⁺,  w = 9/(4Δt²) + 3α/(2Δt),  v⁺ = (3z − 4x + x⁻)/(2Δt); its first step, and the one after
//                      vertices have split, are implicit Euler
#pragma once

#include <cstddef>

#include "methods/numerics/aligned_vector.hpp"

namespace deformbench::fem {

enum class ImplicitScheme { Euler, Midpoint, Bdf2 };

/// Vectors have four numbers per node.
class TimeScheme {
 public:
  using Vector = numerics::AlignedVector<double>;
  TimeScheme(ImplicitScheme scheme, double mass_damping) : scheme_(scheme), mass_damping_(mass_damping) {}

  bool is_midpoint() const { return scheme_ == ImplicitScheme::Midpoint; }
  double share() const { return is_midpoint() ? 0.5 : 1.0; }     ///< s
  double inertia() const { return inertia_; }                    ///< w of the step, 1/s²
  const Vector& target() const { return target_; }               ///< ŷ of the step, m
  double euler_inertia(double time_step) const;                  ///< w of implicit Euler, 1/s²
  void forget(std::size_t size);                                 ///< earlier steps; vectors now have `size` numbers
  void begin_step(const Vector& x, const Vector& v, double dt);  ///< from x, m, and v, m/s
  /// (x⁺ − x)/Δt for the minimiser z.
  void mean_velocities(const Vector& x, const Vector& z, Vector& velocities) const;
  /// Replaces mean `velocities` by v⁺ if they differ, returns whether. Ends the step.
  bool end_velocities(const Vector& x, const Vector& v, const Vector& z, Vector& velocities);

 private:
  ImplicitScheme scheme_;
  double mass_damping_;
  double time_step_ = 0.0;
  double inertia_ = 0.0;
  bool is_own_ = false;  ///< not the implicit Euler step that starts BDF2
  Vector target_;
  Vector last_x_, last_v_;  ///< x⁻, v⁻ for BDF2; empty at the start
};

}  // namespace deformbench::fem

// SPDX-License-Identifier: BSD-3-Clause
#include "methods/fem/nonlinear/time_scheme.hpp"

namespace deformbench::fem {

double TimeScheme::euler_inertia(double time_step) const {
  return 1.0 / (time_step * time_step) + mass_damping_ / time_step;
}

void TimeScheme::forget(std::size_t size) {
  target_.assign(size, 0.0);
  last_x_.clear(), last_v_.clear();
}

void TimeScheme::begin_step(const Vector& x, const Vector& v, double dt) {
  time_step_ = dt;
  is_own_ = true;
  if (is_midpoint()) {
    inertia_ = 4.0 / (dt * dt) + 2.0 * mass_damping_ / dt;
    for (std::size_t n = 0; n < x.size(); ++n) target_[n] = x[n] + 2.0 * v[n] / dt / inertia_;
  } else if (scheme_ == ImplicitScheme::Bdf2 && !last_x_.empty()) {
    inertia_ = 9.0 / (4.0 * dt * dt) + 1.5 * mass_damping_ / dt;
    for (std::size_t n = 0; n < x.size(); ++n) {
      const double back = x[n] - last_x_[n];  // w (ŷ − x) from differences
      const double push =
          0.75 * back / (dt * dt) + (2.0 * v[n] - 0.5 * last_v_[n]) / dt + 0.5 * mass_damping_ * back / dt;
      target_[n] = x[n] + push / inertia_;
    }
  } else {
    inertia_ = euler_inertia(dt);
    for (std::size_t n = 0; n < x.size(); ++n) target_[n] = x[n] + v[n] / dt / inertia_;
    is_own_ = scheme_ == ImplicitScheme::Euler;
  }
}

void TimeScheme::mean_velocities(const Vector& x, const Vector& z, Vector& velocities) const {
  const double rate = (is_midpoint() ? 2.0 : 1.0) / time_step_;
  for (std::size_t n = 0; n < x.size(); ++n) velocities[n] = rate * (z[n] - x[n]);
}

bool TimeScheme::end_velocities(const Vector& x, const Vector& v, const Vector& z, Vector& velocities) {
  const bool differs = is_midpoint() || (scheme_ == ImplicitScheme::Bdf2 && is_own_);
  for (std::size_t n = 0; differs && n < x.size(); ++n)
    velocities[n] =
        is_midpoint() ? 2.0 * velocities[n] - v[n] : (3.0 * (z[n] - x[n]) - (x[n] - last_x_[n])) / (2.0 * time_step_);
  if (scheme_ == ImplicitScheme::Bdf2) last_x_ = x, last_v_ = v;
  return differs;
}

}  // namespace deformbench::fem

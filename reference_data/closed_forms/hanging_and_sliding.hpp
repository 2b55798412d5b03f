// SPDX-License-Identifier: BSD-3-Clause
// Elementary tests of constraint methods: the inextensible hanging chain, the pendulum, sliding with Coulomb
// friction, a bounce.
#pragma once

namespace deformbench::references {

/// An inextensible chain hanging between two points at the same height.
struct HungChain {
  double sag;               ///< m, of the lowest point below the ends
  double horizontal_force;  ///< relative to the weight of the chain, 1
};
/// Continuous chain: the catenary y = a cosh(x/a), sinh(u)/u = length/span with u = span/2a. Throws std::domain_error
/// unless length > span > 0.
HungChain catenary(double length, double span);
/// N straight links of equal length with equal masses at their N − 1 inner joints; tends to the catenary as 1/N².
HungChain linked_chain(double length, double span, int links);

/// Period relative to that of small swings: 2/π K(sin(θ0/2)).
double pendulum_period_ratio(double amplitude_rad);

/// Particle on a slope, friction μ. It stays at rest if tan α ≤ μ.
double slope_acceleration(double slope_rad, double friction, double gravity);  ///< downhill while it slides, m/s²
/// Distance (m) downhill until it stops; infinite if friction does not stop it.
double slope_stop_distance(double slope_rad, double friction, double gravity, double speed);

/// Height of the first bounce relative to the drop height.
double bounce_height_ratio(double restitution);

}  // namespace deformbench::references

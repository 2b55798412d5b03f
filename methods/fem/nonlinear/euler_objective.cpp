// SPDX-License-Identifier: BSD-3-Clause
#include "methods/fem/nonlinear/euler_objective.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace deformbench::fem {

double length_of(const EulerObjective::Vector& a) {
  double sum = 0.0;
  for (const double number : a) sum += number * number;
  return std::sqrt(sum);
}

EulerObjective::EulerObjective(Body<double>& body, NonlinearElasticity<double>& elasticity,
                               const ObstaclePotential<double>* obstacles, bool is_static)
    : body_(body), elasticity_(elasticity), obstacles_(obstacles), is_static_(is_static) {}

void EulerObjective::begin_step() {
  const BodyState<double>& state = body_.state;
  const double dt = state.time_step;
  before_ = ballistic_ = state.positions;
  if (is_static_) return;
  inertia_ = 1.0 / (dt * dt);
  for (std::size_t n = 0; n < before_.size(); ++n)
    ballistic_[n] = before_[n] + dt * state.velocities[n] + state.loads[n] / (inertia_ * state.masses[n / 4]);
}

void EulerObjective::place_prescribed(Vector& x) const {
  const BodyState<double>& state = body_.state;
  state.each_prescribed([&](std::size_t k, std::size_t node, std::size_t c) {
    x[4 * node + c] =
        before_[4 * node + c] + state.time_step * state.prescribed_velocities()(Eigen::Index(k), Eigen::Index(c));
  });
}

double EulerObjective::value(const Vector& x, Vector& gradient, Work& work) {
  work.energies += body_.graph.element_count(), work.gradients += body_.graph.element_count();
  const BodyState<double>& state = body_.state;
  gradient.resize(x.size());
  elasticity_.forces(x.data(), gradient.data());
  double sum = elasticity_.energy(x.data());
  if (obstacles_ != nullptr) {
    std::vector<NodeBlock> unused;
    sum += obstacles_->energy(x);
    obstacles_->add_forces(x, gradient, unused);
  }
  for (std::size_t n = 0; n < x.size(); ++n) {
    // Without the loads, whose work is measured from x(t).
    const double away = x[n] - before_[n] - state.time_step * state.velocities[n];
    const double push = inertia_ * state.masses[n / 4] * away;
    sum += 0.5 * push * away - state.loads[n] * (x[n] - before_[n]);
    gradient[n] = push - state.loads[n] - gradient[n];
  }
  clear_prescribed(gradient);
  return sum;
}

void EulerObjective::clear_prescribed(Vector& gradient) const {
  body_.state.each_prescribed([&](std::size_t, std::size_t node, std::size_t c) { gradient[4 * node + c] = 0.0; });
  for (std::size_t n = 3; n < gradient.size(); n += 4) gradient[n] = 0.0;
}

double EulerObjective::scale(const Vector& x, Work& work) {
  work.gradients += body_.graph.element_count();
  const BodyState<double>& state = body_.state;
  Vector push(x.size()), forces(x.size());
  for (std::size_t n = 0; n < push.size(); ++n)
    push[n] = state.masses[n / 4] * inertia_ * state.time_step * state.velocities[n];
  elasticity_.forces(x.data(), forces.data());
  return length_of(push) + length_of(state.loads) + length_of(forces);
}

double EulerObjective::rounding() {
  if (largest_stiffness_ < 0.0) largest_stiffness_ = elasticity_.stiffness_bound();
  double size = 0.0;
  for (const double number : body_.state.positions) size = std::max(size, std::abs(number));
  const double heaviest = *std::max_element(body_.state.masses.begin(), body_.state.masses.end());
  return 16.0 * std::numeric_limits<double>::epsilon() * size * (inertia_ * heaviest + largest_stiffness_) *
         std::sqrt(double(body_.graph.node_count()));
}

}  // namespace deformbench::fem

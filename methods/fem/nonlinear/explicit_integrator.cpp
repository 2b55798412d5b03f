// SPDX-License-Identifier: BSD-3-Clause
#include "methods/fem/nonlinear/explicit_integrator.hpp"

#include <algorithm>
#include <cmath>

namespace deformbench::fem {

ExplicitIntegrator::ExplicitIntegrator(Body<double>& body, NonlinearElasticity<double>& elasticity,
                                       const ExplicitOptions& options)
    : body_(body), elasticity_(elasticity), options_(options), substeps_(options.substeps) {
  if (substeps_ == 0)
    substeps_ = std::max(1, int(std::ceil(body.scene.time_step / (options.safety * elasticity.stable_time_step()))));
  body_.state.time_step = body_.scene.time_step / substeps_;
  follow({});
}

void ExplicitIntegrator::follow(std::span<const int>) {
  forces_.assign(body_.state.positions.size(), 0.0);
  forces_are_current_ = false;
}

StepReport ExplicitIntegrator::step(PhaseClock& clock) {
  StepReport report;
  report.substeps = substeps_;
  evaluations_ = 0;
  const double end = body_.state.time + body_.scene.time_step;
  for (int k = 0; k < substeps_ && report.outcome == StepOutcome::Advanced; ++k) {
    substep(clock);
    if (!std::isfinite(speed_squared_)) report.outcome = StepOutcome::Diverged;
  }
  report.work.emplace().gradients = std::int64_t(evaluations_) * body_.graph.element_count();
  body_.state.time = end;  // not the sum of rounded substeps
  body_.state_has_changed();
  clock.charge(PhaseClock::Other);
  return report;
}

void ExplicitIntegrator::evaluate(PhaseClock& clock) {
  clock.charge(PhaseClock::Other);
  elasticity_.forces(body_.state.positions.data(), forces_.data());
  ++evaluations_;
  clock.charge(PhaseClock::Assembly);
}

void ExplicitIntegrator::substep(PhaseClock& clock) {
  BodyState<double>& state = body_.state;
  const double h = state.time_step, alpha = options_.mass_damping;
  if (options_.scheme == ExplicitScheme::LeapFrog) {
    if (!forces_are_current_) evaluate(clock);
    if (state.loads_change()) state.load_at(state.time);
    kick(1.0 - 0.5 * h * alpha, 0.5 * h);
    state.begin_step();
    drift();
    evaluate(clock);
    forces_are_current_ = true;
    kick(1.0 / (1.0 + 0.5 * h * alpha), 0.5 * h / (1.0 + 0.5 * h * alpha));  // damped with the velocity at its end
    give_prescribed_velocities();
    return;
  }
  evaluate(clock);
  state.begin_step();
  if (options_.scheme == ExplicitScheme::SymplecticEuler) {
    kick(1.0 - h * alpha, h);
    drift();
    return;
  }
  const numerics::AlignedVector<double> before = state.velocities;
  drift();
  for (std::size_t n = 0; n < before.size(); ++n)
    state.velocities[n] += h * ((forces_[n] + state.loads[n]) / state.masses[n / 4] - alpha * before[n]);
  give_prescribed_velocities();
}

void ExplicitIntegrator::kick(double kept, double push) {
  BodyState<double>& state = body_.state;
  double* v = state.velocities.data();
  const double *f = forces_.data(), *loads = state.loads.data(), *masses = state.masses.data();
  body_.each_range([&](int, int low, int high) {
    for (std::size_t i = std::size_t(low); i < std::size_t(high); ++i) {
      const double share = push / masses[i];
      for (std::size_t n = 4 * i; n < 4 * i + 4; ++n) v[n] = kept * v[n] + share * (f[n] + loads[n]);
    }
  });
}

void ExplicitIntegrator::give_prescribed_velocities() {
  BodyState<double>& state = body_.state;
  state.each_prescribed([&](std::size_t k, std::size_t node, std::size_t c) {
    state.velocities[4 * node + c] = state.prescribed_velocities()(Eigen::Index(k), Eigen::Index(c));
  });
}

void ExplicitIntegrator::drift() {
  BodyState<double>& state = body_.state;
  give_prescribed_velocities();
  std::vector<double> sums(std::size_t(body_.threads()), 0.0);
  body_.each_range([&](int t, int low, int high) { sums[std::size_t(t)] = state.finish_nodes(low, high); });
  state.finish_step();
  speed_squared_ = 0.0;
  for (const double part : sums) speed_squared_ += part;
}

Eigen::SparseMatrix<double> ExplicitIntegrator::system_matrix(const Eigen::Ref<const Points>& x) const {
  Eigen::SparseMatrix<double> none(3 * x.rows(), 3 * x.rows());
  return system_of_free_vertices(body_, none, 0.0, 1.0);
}

}  // namespace deformbench::fem

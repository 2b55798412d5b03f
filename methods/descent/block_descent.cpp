// SPDX-License-Identifier: BSD-3-Clause
#include "methods/descent/block_descent.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace deformbench::descent {
namespace {

double length_of(const numerics::AlignedVector<double>& a) {
  double sum = 0.0;
  for (const double number : a) sum += number * number;
  return std::sqrt(sum);
}

}  // namespace

BlockDescent::BlockDescent(fem::Body<double>& body, fem::Hyperelasticity& elasticity, const DescentOptions& options,
                           std::uint64_t seed)
    : body_(body),
      elasticity_(elasticity),
      options_(options),
      sweep_(make_sweep(options.law, options.is_plain, body, schedule_of(body.graph, options.order, seed),
                        options.sweep)) {
  fem::BodyState<double>& state = body.state;
  state.time_step = body.scene.time_step / options.substeps;
  problem_.time_step = state.time_step;
  problem_.inertia = 1.0 / (state.time_step * state.time_step);
  problem_.held.assign(state.masses.size(), numerics::kNoComponents);
  for (std::size_t k = 0; k < state.prescribed.size(); ++k)
    problem_.held[std::size_t(state.prescribed[k])] = state.prescribed_components[k];
  if (!body.scene.colliders.empty() || !body.scene.rigid_bodies.empty()) {
    obstacles_.emplace(body, options.potential);
    problem_.obstacles = &*obstacles_;
  }
  problem_.y.assign(state.positions.size(), 0.0);
  if (options_.tolerance > 0.0) largest_stiffness_ = elasticity_.stiffness_bound();
}

StepReport BlockDescent::step(fem::PhaseClock& clock) {
  StepReport report;
  report.substeps = options_.substeps;
  events_.clear();
  const double end = body_.state.time + body_.scene.time_step;
  for (int k = 0; k < options_.substeps && report.outcome == StepOutcome::Advanced; ++k) substep(k, report, clock);
  body_.state.time = end;  // not the sum of rounded substeps
  body_.state_has_changed();
  return report;
}

void BlockDescent::substep(int index, StepReport& report, fem::PhaseClock& clock) {
  fem::BodyState<double>& state = body_.state;
  state.begin_step();
  set_problem();
  if (obstacles_) obstacles_->begin_step(state.positions);
  start();
  sweep_->begin_step(problem_);
  clock.charge(fem::PhaseClock::Other);
  descend(index, report);
  clock.charge(fem::PhaseClock::Solve);

  last_velocities_ = state.velocities;
  for (std::size_t n = 0; n < x_.size(); ++n) state.velocities[n] = (x_[n] - problem_.before[n]) / problem_.time_step;
  const double squares = state.finish_nodes(0, body_.graph.node_count());
  state.finish_step();
  if (obstacles_) obstacles_->hold_friction(state.positions), obstacles_->finish_step(state.positions);
  if (!std::isfinite(squares) || !std::isfinite(report.residual)) report.outcome = StepOutcome::Diverged;
  count_skips();
  clock.charge(fem::PhaseClock::Other);
}

void BlockDescent::set_problem() {
  const fem::BodyState<double>& state = body_.state;
  problem_.before = state.positions;
  for (std::size_t n = 0; n < problem_.y.size(); ++n)
    problem_.y[n] = state.positions[n] + problem_.time_step * state.velocities[n] +
                    state.loads[n] / (problem_.inertia * state.masses[n / 4]);
}

void BlockDescent::start() {
  const fem::BodyState<double>& state = body_.state;
  const double dt = problem_.time_step;
  x_ = state.positions;
  const Vector3 gravity = body_.scene.gravity;
  const double strength = gravity.norm();
  const Vector3 along = strength > 0.0 ? Vector3(gravity / strength) : Vector3::Zero();
  for (std::size_t n = 0; n < x_.size() && options_.initial_guess != InitialGuess::Previous; n += 4) {
    if (options_.initial_guess == InitialGuess::InertiaAndLoads) {
      std::copy_n(problem_.y.begin() + long(n), 3, x_.begin() + long(n));
      continue;
    }
    double share = 0.0;
    if (options_.initial_guess == InitialGuess::Adaptive) {
      share = strength;
      if (!last_velocities_.empty()) {
        double change = 0.0;
        for (std::size_t i = 0; i < 3; ++i)
          change += (state.velocities[n + i] - last_velocities_[n + i]) / dt * along[Eigen::Index(i)];
        share = std::clamp(change, 0.0, strength);
      }
    }
    for (std::size_t i = 0; i < 3; ++i)
      x_[n + i] += dt * state.velocities[n + i] + dt * dt * share * along[Eigen::Index(i)];
  }
  state.each_prescribed([&](std::size_t k, std::size_t node, std::size_t c) {
    x_[4 * node + c] =
        problem_.before[4 * node + c] + dt * state.prescribed_velocities()(Eigen::Index(k), Eigen::Index(c));
  });
}

void BlockDescent::descend(int substep, StepReport& report) {
  const bool has_tolerance = options_.tolerance > 0.0;
  Vector gradient, older, old;
  const double scale = has_tolerance ? gradient_scale() : 0.0, rounding = has_tolerance ? gradient_rounding() : 0.0;
  if (log_ != nullptr) log_iterate(substep, 0);
  double omega = 1.0;
  if (has_tolerance) report.is_nonlinear = true, report.tolerance = options_.tolerance, report.converged = true;
  for (int n = 1; n <= options_.iterations; ++n) {
    if (obstacles_) obstacles_->hold_crossings(x_);
    if (options_.spectral_radius > 0.0) older.swap(old), old = x_;
    sweep_->run(problem_, x_.data());
    if (options_.spectral_radius > 0.0 && n > 1) {
      const double square = options_.spectral_radius * options_.spectral_radius;
      omega = n == 2 ? 2.0 / (2.0 - square) : 4.0 / (4.0 - square * omega);
      accelerate(older, omega);
    }
    ++report.iterations;
    if (log_ != nullptr) log_iterate(substep, n);
    if (!has_tolerance) continue;
    objective(gradient);
    const double norm = length_of(gradient);
    report.residual = norm / (scale > 0.0 ? scale : 1.0);
    if (report.residual <= options_.tolerance || !std::isfinite(report.residual)) return;
    if (norm <= rounding) {  // as far as rounding allows: a body at rest has no other terms
      report.tolerance = report.residual;
      return;
    }
  }
  if (!has_tolerance) return;
  report.converged = report.residual <= options_.tolerance;
  report.may_miss_tolerance = options_.may_miss_tolerance;
}

/// [CLYY24] §3.8.
void BlockDescent::accelerate(const Vector& older, double omega) {
  for (std::size_t n = 0; n < x_.size(); n += 4) {
    if (obstacles_) {
      Vector3 force = Vector3::Zero();
      Matrix3 block = Matrix3::Zero();
      if (obstacles_->add_force(int(n / 4), Vector3(x_[n], x_[n + 1], x_[n + 2]), force, block)) continue;
    }
    for (std::size_t i = n; i < n + 3; ++i) x_[i] = older[i] + omega * (x_[i] - older[i]);
  }
}

double BlockDescent::gradient_scale() {
  const fem::BodyState<double>& state = body_.state;
  Vector push(x_.size()), forces(x_.size());
  for (std::size_t n = 0; n < push.size(); ++n)
    push[n] = state.masses[n / 4] * problem_.inertia * problem_.time_step * state.velocities[n];
  elasticity_.forces(x_.data(), forces.data());
  return length_of(push) + length_of(state.loads) + length_of(forces);
}

double BlockDescent::gradient_rounding() const {
  double size = 0.0;
  for (const double number : body_.state.positions) size = std::max(size, std::abs(number));
  const double heaviest = *std::max_element(body_.state.masses.begin(), body_.state.masses.end());
  return 16.0 * std::numeric_limits<double>::epsilon() * size * (problem_.inertia * heaviest + largest_stiffness_) *
         std::sqrt(double(body_.graph.node_count()));
}

double BlockDescent::objective(Vector& gradient) {
  const fem::BodyState<double>& state = body_.state;
  gradient.resize(x_.size());
  elasticity_.forces(x_.data(), gradient.data());
  double sum = elasticity_.energy(x_.data());
  if (obstacles_) {
    std::vector<fem::NodeBlock> unused;
    sum += obstacles_->energy(x_);
    obstacles_->add_forces(x_, gradient, unused);
  }
  for (double& number : gradient) number = -number;
  if (is_damped()) sum += add_damping(gradient);
  for (std::size_t n = 0; n < x_.size(); ++n) {
    // Without the loads, whose work is measured from x(t).
    const double away = x_[n] - problem_.before[n] - problem_.time_step * state.velocities[n];
    const double push = problem_.inertia * state.masses[n / 4] * away;
    sum += 0.5 * push * away - state.loads[n] * (x_[n] - problem_.before[n]);
    gradient[n] += push - state.loads[n];
  }
  state.each_prescribed([&](std::size_t, std::size_t node, std::size_t c) { gradient[4 * node + c] = 0.0; });
  for (std::size_t n = 3; n < gradient.size(); n += 4) gradient[n] = 0.0;
  return sum;
}

/// DampingForm::Strain, element by element.
double BlockDescent::add_damping(Vector& gradient) {
  const fem::MeshGraph& graph = body_.graph;
  const double rate = options_.sweep.damping / problem_.time_step;
  double sum = 0.0;
  for (int slot = 0; slot < graph.element_count(); ++slot) {
    const int element = graph.element_of[std::size_t(slot)];
    const fem::RestElement rest = fem::rest_element(body_.scene.tet_mesh, element);
    const model::Material& material = body_.scene.material_of(element);
    Matrix3 now = Matrix3::Zero(), then = Matrix3::Zero();
    for (std::size_t a = 0; a < 4; ++a) {
      const std::size_t at = 4 * std::size_t(graph.corners[4 * std::size_t(slot) + a]);
      now += Eigen::Map<const Vector3>(x_.data() + at) * rest.gradients.col(Eigen::Index(a)).transpose();
      then += Eigen::Map<const Vector3>(problem_.before.data() + at) * rest.gradients.col(Eigen::Index(a)).transpose();
    }
    const Matrix3 e = 0.5 * (now.transpose() * now - then.transpose() * then);
    const double lambda = rate * rest.volume * material.lame_lambda(), mu = rate * rest.volume * material.lame_mu();
    sum += mu * e.squaredNorm() + 0.5 * lambda * e.trace() * e.trace();
    const Matrix3 piola = now * (lambda * e.trace() * Matrix3::Identity() + 2.0 * mu * e);
    for (std::size_t a = 0; a < 4; ++a)
      Eigen::Map<Vector3>(gradient.data() + 4 * std::size_t(graph.corners[4 * std::size_t(slot) + a])) +=
          piola * rest.gradients.col(Eigen::Index(a));
  }
  return sum;
}

Support BlockDescent::iterations_have(IterationQuantity quantity) const {
  if (quantity == IterationQuantity::LinearIterations) return Support::no("a sweep solves no linear system");
  if (quantity != IterationQuantity::Objective && quantity != IterationQuantity::GradientNorm)
    return Support::no("finite elements have no stretch constraints");
  if (!has_objective()) return Support::no("the printed damping is no gradient of a potential");
  return Support::yes();
}

void BlockDescent::log_iterate(int substep, int iteration) {
  log_->stop_clock();
  Iteration row{IterationKind::Other};
  row.substep = substep;
  row.iteration = iteration;
  if (has_objective()) {
    Vector gradient;
    row[IterationQuantity::Objective] = objective(gradient);
    row[IterationQuantity::GradientNorm] = length_of(gradient);
  }
  log_->add(row);
}

void BlockDescent::count_skips() {
  const std::vector<int>& skips = sweep_->skips();
  const auto first = std::find_if(skips.begin(), skips.end(), [](int count) { return count > 0; });
  if (first == skips.end()) return;
  long long sum = 0;
  for (const int count : skips) sum += count;
  events_.push_back({"blocks_skipped", sum,
                     fmt::format("{} blocks singular, the first of vertex {}", sum,
                                 body_.graph.node_of[std::size_t(first - skips.begin())])});
}

}  // namespace deformbench::descent

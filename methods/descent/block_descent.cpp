// SPDX-License-Identifier: BSD-3-Clause
#include "methods/descent/block_descent.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace deformbench::descent {

BlockDescent::BlockDescent(fem::Body<double>& body, fem::Hyperelasticity& elasticity, const DescentOptions& options,
                           std::uint64_t seed)
    : body_(body),
      options_(options),
      sweep_(make_sweep(options.law, options.is_plain, body, schedule_of(body.graph, options.order, seed),
                        options.sweep)) {
  fem::BodyState<double>& state = body.state;
  state.time_step = body.scene.time_step / options.substeps;
  problem_.time_step = state.time_step;
  problem_.held.assign(state.masses.size(), numerics::kNoComponents);
  for (std::size_t k = 0; k < state.prescribed.size(); ++k)
    problem_.held[std::size_t(state.prescribed[k])] = state.prescribed_components[k];
  if (!body.scene.colliders.empty() || !body.scene.rigid_bodies.empty()) {
    obstacles_.emplace(body, options.potential);
    problem_.obstacles = &*obstacles_;
  }
  objective_.emplace(body, elasticity, problem_.obstacles, options.is_static);
  if (options.tolerance > 0.0) objective_->rounding();  // its bound on the stiffness is for the body, not for a step
  for (const int corner : body.graph.corners)
    if (problem_.held[std::size_t(corner)] != numerics::kAllComponents) ++sweep_work_.gradients;
  sweep_work_.hessians = sweep_work_.gradients;
  for (const numerics::Components held : problem_.held)
    if (held != numerics::kAllComponents) ++sweep_work_.local_solves;
}

StepReport BlockDescent::step(fem::PhaseClock& clock) {
  StepReport report;
  report.substeps = options_.substeps;
  events_.clear();
  work_ = {};
  const double end = body_.state.time + body_.scene.time_step;
  for (int k = 0; k < options_.substeps && report.outcome == StepOutcome::Advanced; ++k) substep(k, report, clock);
  if (counts_work()) report.work = work_;
  body_.state.time = end;  // not the sum of rounded substeps
  body_.state_has_changed();
  return report;
}

void BlockDescent::substep(int index, StepReport& report, fem::PhaseClock& clock) {
  fem::BodyState<double>& state = body_.state;
  state.begin_step();
  objective_->begin_step();
  problem_.inertia = objective_->inertia(), problem_.before = objective_->before(),
  problem_.y = objective_->ballistic();
  if (options_.is_static) problem_.loads = state.loads;
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
  objective_->place_prescribed(x_);
}

void BlockDescent::descend(int substep, StepReport& report) {
  const bool has_tolerance = options_.tolerance > 0.0;
  Vector gradient, older, old;
  const double scale = has_tolerance ? objective_->scale(x_, work_) : 0.0;
  const double rounding = has_tolerance ? objective_->rounding() : 0.0;
  if (log_ != nullptr) log_iterate(substep, 0);
  double omega = 1.0;
  if (has_tolerance) report.is_nonlinear = true, report.tolerance = options_.tolerance, report.converged = true;
  for (int n = 1; n <= options_.iterations; ++n) {
    if (obstacles_) obstacles_->hold_crossings(x_);
    if (options_.spectral_radius > 0.0) older.swap(old), old = x_;
    sweep_->run(problem_, x_.data());
    work_ += sweep_work_;
    if (options_.spectral_radius > 0.0 && n > 1) {
      const double square = options_.spectral_radius * options_.spectral_radius;
      omega = n == 2 ? 2.0 / (2.0 - square) : 4.0 / (4.0 - square * omega);
      accelerate(older, omega);
    }
    ++report.iterations;
    if (log_ != nullptr) log_iterate(substep, n);
    if (!has_tolerance) continue;
    objective(gradient, work_);
    const double norm = fem::length_of(gradient);
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

double BlockDescent::objective(Vector& gradient, Work& work) {
  double sum = objective_->value(x_, gradient, work);
  if (is_damped()) {
    sum += add_damping(gradient);
    objective_->clear_prescribed(gradient);
  }
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
  if (quantity == IterationQuantity::LinearIterations || quantity == IterationQuantity::NewtonDecrement)
    return Support::no("a sweep solves no linear system");
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
  if (counts_work()) row.work = work_;
  if (has_objective()) {
    Vector gradient;
    Work unused;
    row[IterationQuantity::Objective] = objective(gradient, unused);
    row[IterationQuantity::GradientNorm] = fem::length_of(gradient);
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

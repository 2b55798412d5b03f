// SPDX-License-Identifier: BSD-3-Clause
#include "methods/fem/nonlinear/newton.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace deformbench::fem {
namespace {

double norm_of(const numerics::AlignedVector<double>& a) {
  double sum = 0.0;
  for (const double number : a) sum += number * number;
  return std::sqrt(sum);
}

double largest_number(const numerics::AlignedVector<double>& a) {
  double most = 0.0;
  for (const double number : a) most = std::max(most, std::abs(number));
  return most;
}

}  // namespace

Newton::Newton(Body<double>& body, NonlinearElasticity<double>& elasticity, const NewtonOptions& options)
    : body_(body),
      elasticity_(elasticity),
      options_(options),
      scheme_(options.scheme, options.mass_damping),
      system_(body, options.solver, true),
      filter_(options.hessian, options.single_precision) {
  follow({});
  const bool has_obstacles = !body.scene.colliders.empty() || !body.scene.rigid_bodies.empty();
  if (is_within_solve(body.state.contact_rule) && has_obstacles) obstacles_.emplace(body, options.potential);
  if (options_.self_friction) surface_.emplace(body, options_.potential, *options_.self_friction);
  if (options_.fixed_iterations == 0) largest_stiffness_ = elasticity_.stiffness_bound();  // a split cannot increase it
}

void Newton::follow(std::span<const int> sources) {
  system_.follow();
  for (std::size_t i = 0; i < body_.state.masses.size(); ++i) system_.weights()[i] = body_.state.masses[i];
  const std::size_t size = body_.state.positions.size();
  scheme_.forget(size);
  forces_.assign(size, 0.0), trial_.assign(size, 0.0);
  change_.assign(size, 0.0), z_.assign(size, 0.0);
  if (obstacles_) obstacles_->follow(sources);
}

const Newton::Vector& Newton::end_of(const Vector& z, const Vector& x) {
  if (share() == 1.0) return z;
  end_.resize(z.size());
  for (std::size_t n = 0; n < z.size(); ++n) end_[n] = x[n] + (z[n] - x[n]) / share();
  return end_;
}

void Newton::bring_outside(const Vector& x) {
  if (!obstacles_) return;
  Vector end = end_of(z_, x);
  obstacles_->bring_outside(end);
  for (std::size_t n = 0; n < x.size(); ++n) z_[n] = share() == 1.0 ? end[n] : x[n] + share() * (end[n] - x[n]);
}

StepReport Newton::step(PhaseClock& clock) {
  StepReport report;
  work_ = {};
  BodyState<double>& state = body_.state;
  const double dt = state.time_step;
  state.begin_step();
  if (scheme_.is_midpoint() && state.loads_change()) state.load_at(state.time + 0.5 * dt);
  const Vector x = state.positions, v = state.velocities;
  scheme_.begin_step(x, v, dt);

  if (obstacles_) obstacles_->begin_step(x);
  if (surface_) surface_->begin_step(x);
  start(x);
  clock.charge(PhaseClock::Other);
  // A fixed number of iterations is that of the step: friction is then that of the step before.
  int passes = obstacles_ && options_.fixed_iterations == 0 ? obstacles_->friction_passes() : 1;
  if (surface_) passes = std::max(passes, surface_->friction_passes());
  for (int pass = 1;; ++pass) {
    constexpr double kAgreement = 1e-3;  // of normal forces
    iterate(x, report, clock);
    // What prescribed vertices push ahead of them recedes before they go on.
    constexpr int kMostStages = 100;
    for (int stage = 0; surface_ && report.converged.value_or(false) && move_prescribed(x); ++stage) {
      iterate(x, report, clock);
      if (stage == kMostStages) report.converged = false;
    }
    double change = obstacles_ ? obstacles_->hold_friction(end_of(z_, x)) : 0.0;
    if (surface_) change = std::max(change, surface_->hold_friction(end_of(z_, x)));
    if (pass >= passes || change < kAgreement || !report.converged.value_or(false)) break;
  }
  finish(x, v, report);
  report.work = work_;
  clock.charge(PhaseClock::Other);
  return report;
}

/// Initial guess. For a fixed number of iterations x, as [BW98]; otherwise the ballistic positions ŷ + M⁻¹ f_ext/w
/// or, for a free body, x moved by their mean displacement, whichever has the lower objective. With these the
/// right-hand sides of a free body sum to zero, so its momentum is exact however far the solve converges.
void Newton::start(const Vector& x) {
  const BodyState<double>& state = body_.state;
  const auto hold = [&] {
    state.each_prescribed([&](std::size_t k, std::size_t node, std::size_t c) {
      const std::size_t n = 4 * node + c;
      z_[n] = x[n] + share() * state.time_step * state.prescribed_velocities()(Eigen::Index(k), Eigen::Index(c));
    });
  };
  z_ = x;
  hold();
  bring_outside(x);
  if (options_.fixed_iterations > 0) return;
  Vector3 mean = Vector3::Zero();
  if (state.prescribed.empty()) {
    double mass = 0.0;
    for (std::size_t i = 0; i < state.masses.size(); ++i) {
      mass += state.masses[i];
      for (std::size_t c = 0; c < 3; ++c)
        mean[Eigen::Index(c)] +=
            state.masses[i] * (target()[4 * i + c] - x[4 * i + c]) + state.loads[4 * i + c] / inertia();
    }
    mean /= mass;
  }
  if (surface_) return start_apart(x, mean);
  if (state.prescribed.empty()) {
    for (std::size_t n = 0; n < x.size(); ++n)
      if (n % 4 < 3) z_[n] += mean[Eigen::Index(n % 4)];
  }
  bring_outside(x);
  const double here = objective(z_, x);
  const Vector carried = z_;
  for (std::size_t n = 0; n < x.size(); ++n) z_[n] = target()[n] + state.loads[n] / (inertia() * state.masses[n / 4]);
  hold();
  bring_outside(x);
  if (!(objective(z_, x) <= here)) z_ = carried;
}

void Newton::start_apart(const Vector& x, const Vector3& mean) {
  const BodyState<double>& state = body_.state;
  z_ = x;
  Vector to = x;
  for (std::size_t n = 0; n < x.size(); ++n)
    if (n % 4 < 3) to[n] += mean[Eigen::Index(n % 4)];
  std::swap(z_, to), bring_outside(x), std::swap(z_, to);
  approach(to, x);
  move_prescribed(x);
  surface_->prepare(end_of(z_, x));
  const double here = objective(z_, x);
  const Vector apart = z_;
  const double progress = surface_->progress();
  for (std::size_t n = 0; n < x.size(); ++n) z_[n] = target()[n] + state.loads[n] / (inertia() * state.masses[n / 4]);
  state.each_prescribed([&](std::size_t, std::size_t node, std::size_t c) { z_[4 * node + c] = apart[4 * node + c]; });
  bring_outside(x);
  to = z_, z_ = apart;
  approach(to, x);
  if (!(objective(z_, x) <= here)) z_ = apart, surface_->set_progress(progress);
}

bool Newton::move_prescribed(const Vector& x) {
  const BodyState<double>& state = body_.state;
  Vector to = z_;
  state.each_prescribed([&](std::size_t k, std::size_t node, std::size_t c) {
    const std::size_t n = 4 * node + c;
    to[n] = x[n] + share() * state.time_step * state.prescribed_velocities()(Eigen::Index(k), Eigen::Index(c));
  });
  if (to == z_ && surface_->have_arrived()) return false;
  approach(to, x);
  return true;
}

double Newton::surface_move(const Vector& x, const Vector& move, bool obstacles) {
  if (share() == 1.0) return surface_->longest_move(z_, move, obstacles);
  Vector scaled = move;
  for (double& number : scaled) number /= share();
  return surface_->longest_move(end_of(z_, x), scaled, obstacles);
}

void Newton::approach(const Vector& to, const Vector& x) {
  Vector move = to;
  for (std::size_t n = 0; n < move.size(); ++n) move[n] -= z_[n];
  const Vector from = end_of(z_, x);
  for (double length = surface_move(x, move, true); length > 1e-10; length *= 0.5) {
    for (std::size_t n = 0; n < move.size(); ++n) trial_[n] = length == 1.0 ? to[n] : z_[n] + length * move[n];
    if (!surface_->is_free(from, end_of(trial_, x), length)) continue;
    z_ = trial_;
    const double gone = surface_->progress();
    surface_->set_progress(length == 1.0 ? 1.0 : gone + length * (1.0 - gone));
    return;
  }
}

void Newton::correct_momentum() {
  if (!body_.state.prescribed.empty() || obstacles_) return;
  std::array<double, 3> gap{};
  double mass = 0.0;
  for (std::size_t i = 0; i < body_.state.masses.size(); ++i) {
    mass += body_.state.masses[i];
    for (std::size_t c = 0; c < 3; ++c)
      gap[c] += system_.right_side()[4 * i + c] - body_.state.masses[i] * change_[4 * i + c];
  }
  for (std::size_t n = 0; n < change_.size(); ++n)
    if (n % 4 < 3) change_[n] += gap[n % 4] / mass;
}

double Newton::form_right_side(const Vector& z) {
  const BodyState<double>& state = body_.state;
  Vector& b = system_.right_side();
  for (std::size_t n = 0; n < z.size(); ++n)
    b[n] = state.masses[n / 4] * (target()[n] - z[n]) + (forces_[n] + state.loads[n]) / inertia();
  system_.clear_prescribed(b.data(), 0, body_.graph.node_count());
  return norm_of(b);
}

double Newton::objective(const Vector& z, const Vector& x) {
  const BodyState<double>& state = body_.state;
  work_.energies += body_.graph.element_count();
  double inertial = 0.0, work = 0.0;
  for (std::size_t n = 0; n < z.size(); ++n) {
    const double away = z[n] - target()[n];
    inertial += state.masses[n / 4] * away * away;
    work += state.loads[n] * (z[n] - x[n]);
  }
  double contact = obstacles_ ? share() * obstacles_->energy(end_of(z, x)) : 0.0;
  if (surface_ && std::isfinite(contact)) contact += share() * surface_->energy(end_of(z, x));
  if (!std::isfinite(contact)) return contact;
  return 0.5 * inertial + (elasticity_.energy(z.data()) + contact - work) / inertia();
}

/// Rounding error of the right-hand side where the inertia of nearly equal places and element forces cancel.
double Newton::rounding() const {
  double size = 0.0;
  for (const double number : body_.state.positions) size = std::max(size, std::abs(number));
  const double heaviest = *std::max_element(body_.state.masses.begin(), body_.state.masses.end());
  return 16.0 * std::numeric_limits<double>::epsilon() * size *
         (heaviest + (largest_stiffness_ + contact_stiffness_) / inertia()) *
         std::sqrt(double(body_.graph.node_count()));
}

/// [EW96] choice 2 with γ = 0.9, α = 2, and no smaller than what leaves a tenth of the goal (half in [K95] §6.3: what
/// is not linear then misses it more often). Above 1e-2, solves would save less than the assemblies of additional
/// iterations cost: 0.1 doubles their number on bars of 20,000 elements. So far below 0.1, [EW96] needs no safeguard.
double Newton::forcing(double norm, double last, double goal) const {
  constexpr double kLoosest = 1e-2;
  const double tightest = options_.solver.settings.tolerance;
  if (!options_.adapts_forcing || tightest >= kLoosest) return tightest;
  const double progress = norm / last;
  const double asked = std::isfinite(last) ? 0.9 * progress * progress : kLoosest;
  return std::clamp(std::max(asked, 0.1 * goal / norm), tightest, kLoosest);
}

void Newton::iterate(const Vector& x, StepReport& report, PhaseClock& clock) {
  const bool is_fixed = options_.fixed_iterations > 0;
  const int most = is_fixed ? options_.fixed_iterations : options_.max_iterations;
  const BodyState<double>& state = body_.state;
  double scale = 0.0, value = 0.0, last = std::numeric_limits<double>::infinity();
  double friction_damping = 0.0;  // while steps have to be shortened
  // Under the surface's potential the gradient turns within d̂ times the angle between two triangles, which a vertex
  // below their edge passes in one step and back in the next, where the objective no longer tells: half steps find it.
  double first = 1.0;
  if (surface_) surface_->prepare(end_of(z_, x));
  // Where forces cost little, the iteration that finds itself converged assembles nothing.
  const bool forces_first = (!is_fixed && elasticity_.has_direct_forces()) || filter_.needs_gradient();
  filter_.begin_step();
  for (int iteration = 0;; ++iteration) {
    if (obstacles_ && obstacles_->hold_crossings(end_of(z_, x)) && iteration > 0) value = objective(z_, x);
    if (forces_first) {
      evaluate_forces();
    } else {
      filter_.begin_iteration(system_.right_side());
      assemble(forces_.data(), report);
    }
    if (obstacles_) {
      contact_stiffness_ = obstacles_->add_forces(end_of(z_, x), forces_, system_.added_blocks(), friction_damping);
      for (NodeBlock& added : system_.added_blocks()) added.block /= share() * inertia();
    }
    if (surface_) {
      const double stiffness = surface_->add_forces(end_of(z_, x), forces_, system_.couplings(), friction_damping);
      contact_stiffness_ = std::max(obstacles_ ? contact_stiffness_ : 0.0, stiffness);
      for (NodeCoupling& coupling : system_.couplings()) coupling.block /= share() * inertia();
    }
    const double norm = form_right_side(z_);
    if (iteration == 0) {
      value = is_fixed ? 0.0 : objective(z_, x);
      Vector push(x.size());
      for (std::size_t n = 0; n < x.size(); ++n) push[n] = state.masses[n / 4] * (target()[n] - x[n]);
      scale = norm_of(push) + (norm_of(state.loads) + norm_of(forces_)) / inertia();
    }
    clock.charge(PhaseClock::Assembly);
    if (log_ != nullptr) log_iterate(x, iteration, report.iterations);
    report.residual = norm / (scale > 0.0 ? scale : 1.0);
    if (!is_fixed) system_.set_tolerance(forcing(norm, last, options_.tolerance * scale));
    const auto stop_at_rounding = [&] {  // converged as far as rounding allows
      report.converged = norm <= rounding();
      if (*report.converged) report.tolerance = std::max(options_.tolerance, report.residual);
    };
    if (!is_fixed) {
      report.converged = norm <= options_.tolerance * scale;
      report.tolerance = options_.tolerance;
      report.is_nonlinear = true;
      report.may_miss_tolerance = options_.solver.may_miss_tolerance;
      if (*report.converged) return;
      if (norm > 0.5 * last) stop_at_rounding();
      if (*report.converged) return;
      if (surface_) first = is_at_noise_ && norm > 0.9 * last ? 0.5 * first : 1.0;
      last = norm;
    }
    if (iteration == most || !std::isfinite(norm)) return;

    if (forces_first) {
      filter_.begin_iteration(system_.right_side());
      assemble(nullptr, report);
      clock.charge(PhaseClock::Assembly);
    }
    const StepReport solved = solve(norm, report);
    clock.charge(PhaseClock::Solve);
    if (!system_.is_regular()) return;
    if (surface_) correct_momentum();
    if (log_ != nullptr) log_->last()[IterationQuantity::NewtonDecrement] = -slope() * inertia();
    double exact_curvature = 0.0;
    if (filter_.needs_ratio()) {
      system_.exchange_matrix();  // that of the step stays the solved one
      elasticity_.assemble_hessian(z_.data(), 1.0 / inertia(), {1.0}, system_, nullptr);
      ++report.assemblies;
      work_.hessians += body_.graph.element_count();
      exact_curvature = system_.curvature(change_.data());
      system_.exchange_matrix();
      clock.charge(PhaseClock::Assembly);
    }
    if (is_fixed) {
      for (std::size_t n = 0; n < z_.size(); ++n) z_[n] += change_[n];
      filter_.end_iteration(system_.right_side(), 0.0, false);
      if (iteration + 1 < most) continue;
      if (log_ != nullptr) log_iterate(x, most, report.iterations);
      report.residual = solved.residual;
      report.converged = solved.converged;
      report.tolerance = solved.tolerance;
      report.may_miss_tolerance = solved.may_miss_tolerance;
      return;
    }
    if (first < 1e-3 && first * largest_number(change_) < std::numeric_limits<double>::epsilon() * largest_number(z_)) {
      report.converged = true;  // the least place is there, though the gradient turns within the rounding of places
      report.tolerance = std::max(options_.tolerance, report.residual);
      return;
    }
    const double before = value, part = search_line(x, value, first);
    clock.charge(PhaseClock::Other);
    if (part == 0.0) return stop_at_rounding();
    const double modelled = length_ * (slope() + 0.5 * length_ * exact_curvature);
    filter_.end_iteration(system_.right_side(), (value - before) / modelled, part < first);
    friction_damping = part < first ? 1.0 : 0.25 * friction_damping;
  }
}

void Newton::assemble(double* forces, StepReport& report) {
  elasticity_.assemble_hessian(z_.data(), 1.0 / inertia(), filter_.form(), system_, forces);
  ++report.assemblies;
  work_.hessians += body_.graph.element_count();
  const HessianForm& form = filter_.form();
  if (form.negative_share != 1.0)
    work_.projections += form.filtered_nodes != nullptr ? elasticity_.selected_elements(*form.filtered_nodes)
                                                        : body_.graph.element_count();
  if (forces != nullptr) work_.gradients += body_.graph.element_count();
}

void Newton::evaluate_forces() {
  elasticity_.forces(z_.data(), forces_.data());
  work_.gradients += body_.graph.element_count();
}

StepReport Newton::solve(double norm, StepReport& report) {
  for (;;) {
    system_.matrix_has_changed();
    std::fill(change_.begin(), change_.end(), 0.0);
    std::copy(system_.right_side().begin(), system_.right_side().end(), system_.residual().begin());
    StepReport solved;
    system_.solve(change_.data(), norm, solved);
    ++report.solves;
    report.iterations += solved.iterations;
    work_.products += solved.iterations;
    if (system_.is_direct()) ++work_.factorisations, ++work_.back_substitutions;
    const bool descends = system_.is_regular() && system_.is_definite() && slope() < 0.0;
    if (descends || !filter_.filters_more(system_.right_side())) return solved;
    assemble(nullptr, report);
  }
}

double Newton::slope() const {
  const Vector& b = system_.right_side();
  double sum = 0.0;
  for (std::size_t n = 0; n < b.size(); ++n) sum -= b[n] * change_[n];
  return sum;
}

Support Newton::iterations_have(IterationQuantity quantity) const {
  switch (quantity) {
    case IterationQuantity::Objective:
    case IterationQuantity::GradientNorm:
    case IterationQuantity::LinearIterations:
    case IterationQuantity::NewtonDecrement:
      return Support::yes();
    case IterationQuantity::StretchViolationRms:
    case IterationQuantity::StretchViolationMax:
      break;
  }
  return Support::no("finite elements have no stretch constraints");
}

void Newton::log_iterate(const Vector& x, int iteration, int linear_iterations) {
  log_->stop_clock();
  const BodyState<double>& state = body_.state;
  const std::vector<int>& vertex_of = body_.graph.node_of;
  Points z(Eigen::Index(vertex_of.size()), 3);
  for (std::size_t i = 0; i < vertex_of.size(); ++i)
    for (std::size_t c = 0; c < 3; ++c) z(vertex_of[i], Eigen::Index(c)) = z_[4 * i + c];
  const Points f = elasticity_.elastic_forces(z);
  Vector gradient(z_.size(), 0.0), contact(z_.size(), 0.0);
  double energy = elasticity_.elastic_energy(z);
  if (obstacles_) {
    std::vector<NodeBlock> unused;
    energy += share() * obstacles_->energy(end_of(z_, x));
    obstacles_->add_forces(end_of(z_, x), contact, unused);
  }
  if (surface_) {
    std::vector<NodeCoupling> unused;
    energy += share() * surface_->energy(end_of(z_, x));
    surface_->add_forces(end_of(z_, x), contact, unused, 0.0);
  }
  for (std::size_t i = 0; i < vertex_of.size(); ++i)
    for (std::size_t c = 0; c < 3; ++c) {
      const std::size_t n = 4 * i + c;
      const double away = z_[n] - target()[n], push = inertia() * state.masses[i] * away;
      energy += 0.5 * push * away - state.loads[n] * (z_[n] - x[n]);
      gradient[n] = push - f(vertex_of[i], Eigen::Index(c)) - contact[n] - state.loads[n];
    }
  system_.clear_prescribed(gradient.data(), 0, body_.graph.node_count());
  Iteration row{IterationKind::Newton};
  row.iteration = iteration;
  row[IterationQuantity::Objective] = energy;
  row[IterationQuantity::GradientNorm] = norm_of(gradient);
  row[IterationQuantity::LinearIterations] = linear_iterations;
  row.work = work_;
  log_->add(row);
}

/// The largest share of `change_` that takes no vertex into an obstacle, and no part of the surface into another.
double Newton::longest_move(const Vector& x) {
  double longest = surface_ ? surface_move(x, change_) : 1.0;
  if (!obstacles_) return longest;
  if (share() == 1.0) return std::min(longest, obstacles_->longest_move(z_, change_));
  Vector move = change_;
  for (double& number : move) number /= share();
  return std::min(longest, obstacles_->longest_move(end_of(z_, x), move));
}

/// Backtracking from `first` until the decrease is sufficient, or below the rounding of the objective. Returns the part
/// of the longest move that was made, 0 where none was.
double Newton::search_line(const Vector& x, double& value, double first) {
  const double slope = this->slope();
  if (!(slope < 0.0)) return 0.0;
  const double longest = longest_move(x);
  const Vector from = surface_ ? end_of(z_, x) : Vector();
  for (double part = first; part * longest > 1e-10; part *= 0.5) {
    const double length = part * longest;
    for (std::size_t n = 0; n < z_.size(); ++n) trial_[n] = z_[n] + length * change_[n];
    const double there = objective(trial_, x);
    ++work_.trials;
    if (!std::isfinite(there)) continue;  // inverted element; the rounding bound below would be infinite too
    const double noise = 4.0 * std::numeric_limits<double>::epsilon() *
                             (std::abs(value) + std::abs(there) + elasticity_.energy_scale() / inertia()) +
                         (surface_ ? surface_->energy_rounding() / inertia() : 0.0);
    if (!(there <= value + 1e-4 * length * slope + noise)) continue;
    if (surface_ && !surface_->is_free(from, end_of(trial_, x))) continue;
    z_.swap(trial_);
    is_at_noise_ = std::abs(value - there) <= noise;
    value = there;
    length_ = length;
    return part;
  }
  return 0.0;
}

void Newton::finish(const Vector& x, const Vector& v, StepReport& report) {
  BodyState<double>& state = body_.state;
  scheme_.mean_velocities(x, z_, state.velocities);
  std::vector<double> sums(std::size_t(body_.threads()), 0.0);
  body_.each_range([&](int t, int low, int high) { sums[std::size_t(t)] = state.finish_nodes(low, high); });
  state.finish_step();
  if (obstacles_) obstacles_->finish_step(state.positions);
  const Vector mean = state.velocities;
  if (scheme_.end_velocities(x, v, z_, state.velocities))
    state.each_prescribed(  // they keep the velocity of their prescribed motion
        [&](std::size_t, std::size_t node, std::size_t c) { state.velocities[4 * node + c] = mean[4 * node + c]; });
  body_.state_has_changed();
  for (const double sum : sums)
    if (!std::isfinite(sum)) report.outcome = StepOutcome::Diverged;
  if (!system_.is_regular() || !std::isfinite(report.residual)) report.outcome = StepOutcome::Diverged;
}

Eigen::SparseMatrix<double> Newton::system_matrix(const Eigen::Ref<const Points>& x) const {
  const double dt = body_.scene.time_step;
  return system_of_free_vertices(body_, elasticity_.hessian(x, HessianFilter(options_.hessian, false).form()), dt * dt,
                                 scheme_.euler_inertia(dt) * dt * dt);
}

}  // namespace deformbench::fem

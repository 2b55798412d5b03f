// SPDX-License-Identifier: BSD-3-Clause
#include "methods/projective/quasi_newton.hpp"

#include <Eigen/QR>
#include <cmath>
#include <limits>

namespace deformbench::projective {
namespace {

double dot(const numerics::AlignedVector<double>& a, const numerics::AlignedVector<double>& b) {
  double sum = 0.0;
  for (std::size_t n = 0; n < a.size(); ++n) sum += a[n] * b[n];
  return sum;
}

void add(double factor, const numerics::AlignedVector<double>& a, numerics::AlignedVector<double>& to) {
  for (std::size_t n = 0; n < a.size(); ++n) to[n] += factor * a[n];
}

}  // namespace

QuasiNewton::QuasiNewton(fem::Body<double>& body, fem::Hyperelasticity& elasticity, const QuasiNewtonOptions& options)
    : body_(body), elasticity_(elasticity), options_(options) {
  body.state.time_step = body.scene.time_step / options.substeps;
  if (!body.scene.colliders.empty() || !body.scene.rigid_bodies.empty()) obstacles_.emplace(body, options.potential);
  objective_.emplace(body, elasticity, obstacles_ ? &*obstacles_ : nullptr);
  if (options.tolerance > 0.0) objective_->rounding();  // its bound on the stiffness is for the body, not for a step
  const bool is_split = options.acceleration == Acceleration::Admm;
  if (is_split) split_.emplace(body, options.stiffness, options.weight);
  system_.emplace(body, 1.0 / (body.state.time_step * body.state.time_step), options.stiffness,
                  is_split ? options.weight * options.weight : 1.0);
}

StepReport QuasiNewton::step(fem::PhaseClock& clock) {
  StepReport report;
  report.substeps = options_.substeps;
  work_ = {};
  const double end = body_.state.time + body_.scene.time_step;
  for (int k = 0; k < options_.substeps && report.outcome == StepOutcome::Advanced; ++k) substep(k, report, clock);
  report.work = work_;
  body_.state.time = end;  // not the sum of rounded substeps
  body_.state_has_changed();
  return report;
}

void QuasiNewton::substep(int index, StepReport& report, fem::PhaseClock& clock) {
  fem::BodyState<double>& state = body_.state;
  state.begin_step();
  objective_->begin_step();
  if (obstacles_) obstacles_->begin_step(state.positions);
  x_ = objective_->ballistic();
  objective_->place_prescribed(x_);
  clock.charge(fem::PhaseClock::Other);
  descend(index, report);
  clock.charge(fem::PhaseClock::Solve);
  const Vector& before = objective_->before();
  for (std::size_t n = 0; n < x_.size(); ++n) state.velocities[n] = (x_[n] - before[n]) / state.time_step;
  const double squares = state.finish_nodes(0, body_.graph.node_count());
  state.finish_step();
  if (obstacles_) obstacles_->hold_friction(state.positions), obstacles_->finish_step(state.positions);
  if (!std::isfinite(squares) || !std::isfinite(report.residual) || !system_->is_regular())
    report.outcome = StepOutcome::Diverged;
}

void QuasiNewton::descend(int substep, StepReport& report) {
  const bool has_tolerance = options_.tolerance > 0.0;
  changes_.clear(), mapped_.clear();
  omega_ = 1.0;
  if (obstacles_) obstacles_->hold_crossings(x_);
  if (split_) split_->begin();
  evaluate();
  const double scale = has_tolerance ? objective_->scale(x_, work_) : 0.0;
  const double rounding = has_tolerance ? objective_->rounding() : 0.0;
  if (has_tolerance) report.is_nonlinear = true, report.tolerance = options_.tolerance;
  if (log_ != nullptr) log_iterate(substep, 0, report);
  for (int n = 0;; ++n) {
    const double norm = fem::length_of(gradient_);
    report.residual = has_tolerance ? norm / (scale > 0.0 ? scale : 1.0) : 0.0;
    if (has_tolerance) {
      report.converged = report.residual <= options_.tolerance;
      if (*report.converged) return;
      if (norm <= rounding) {  // as far as rounding allows: a body at rest has no other terms
        report.converged = true, report.tolerance = report.residual;
        return;
      }
    }
    if (n == options_.iterations || !std::isfinite(norm)) break;
    const Vector before = x_, slope = gradient_;
    if (split_)
      find_split_move(report);
    else
      find_move(report);
    ++report.iterations;
    bool has_moved = true;
    if (options_.acceleration == Acceleration::Anderson) {
      has_moved = accelerate_by_anderson();
    } else if (options_.searches) {
      has_moved = search();
    } else {
      add(1.0, move_, x_);
      if (options_.acceleration == Acceleration::Chebyshev) accelerate_by_chebyshev(n, before);
      evaluate();
    }
    if (obstacles_ && obstacles_->hold_crossings(x_)) evaluate(), changes_.clear();
    if (options_.acceleration == Acceleration::LimitedBfgs) keep_change(before, slope);
    if (log_ != nullptr) log_iterate(substep, n + 1, report);
    if (!has_moved && changes_.empty()) break;  // not even A⁻¹ gives less
    if (!has_moved) changes_.clear();
  }
  if (has_tolerance) report.may_miss_tolerance = options_.may_miss_tolerance;
}

void QuasiNewton::apply_inverse(const Vector& b, Vector& x, StepReport& report) {
  ++report.solves;
  const int products = blocks_.empty() ? 0 : system_->solve(b, blocks_, x);
  if (blocks_.empty()) system_->solve(b, x);
  work_.products += products, work_.back_substitutions += products + 1;
}

/// The two loops of L-BFGS about A⁻¹ [LBK17].
void QuasiNewton::find_move(StepReport& report) {
  blocks_.clear();
  if (obstacles_) {
    Vector unused(x_.size(), 0.0);
    obstacles_->add_forces(x_, unused, blocks_);
  }
  Vector q = gradient_;
  std::vector<double> shares(changes_.size());
  for (std::size_t k = changes_.size(); k-- > 0;) {
    shares[k] = dot(changes_[k].place, q) / changes_[k].curvature;
    add(-shares[k], changes_[k].gradient, q);
  }
  apply_inverse(q, move_, report);
  for (std::size_t k = 0; k < changes_.size(); ++k)
    add(shares[k] - dot(changes_[k].gradient, move_) / changes_[k].curvature, changes_[k].place, move_);
  for (double& number : move_) number = -number;
}

void QuasiNewton::find_split_move(StepReport& report) {
  work_.local_solves += split_->element_count();
  Vector slope(x_.size(), 0.0);
  const Vector& ballistic = objective_->ballistic();
  for (std::size_t n = 0; n < x_.size(); ++n)
    slope[n] = objective_->inertia() * body_.state.masses[n / 4] * (x_[n] - ballistic[n]);
  split_->add_gradient(x_, slope);
  apply_inverse(slope, move_, report);
  for (double& number : move_) number = -number;
}

double QuasiNewton::rounding_of_value() const {
  return 4.0 * std::numeric_limits<double>::epsilon() * (std::abs(value_) + elasticity_.energy_scale());
}

bool QuasiNewton::search() {
  const double slope = dot(gradient_, move_), start = value_, noise = rounding_of_value();
  if (!(slope < 0.0)) return false;
  const Vector from = x_, gradient = gradient_;
  for (double length = 1.0; length > 1e-10; length *= 0.5) {
    x_ = from;
    add(length, move_, x_);
    evaluate();
    ++work_.trials;
    const double share = 1e-4;
    if (value_ <= start + share * length * slope) return true;
    // Below the rounding of Φ its slope decides, as in [HZ05] eq. 4: full steps with this matrix may overshoot.
    if (value_ <= start + noise && dot(gradient_, move_) <= (2.0 * share - 1.0) * slope) return true;
  }
  x_ = from, gradient_ = gradient, value_ = start;
  return false;
}

void QuasiNewton::accelerate_by_chebyshev(int iteration, const Vector& before) {
  const double square = options_.spectral_radius * options_.spectral_radius;
  if (iteration >= options_.delay && !mapped_.empty()) {
    omega_ = iteration == options_.delay ? 2.0 / (2.0 - square) : 4.0 / (4.0 - square * omega_);
    const Vector& older = mapped_.back().image;
    for (std::size_t n = 0; n < x_.size(); ++n) x_[n] = older[n] + omega_ * (x_[n] - older[n]);
  }
  mapped_.assign(1, {before, {}});
}

bool QuasiNewton::accelerate_by_anderson() {
  const Vector from = x_, gradient = gradient_;
  const double start = value_, noise = rounding_of_value();
  Mapped now{x_, move_};
  add(1.0, move_, now.image);
  const auto m = Eigen::Index(mapped_.size());
  bool has_moved = false;
  if (m > 0) {
    const auto move_of = [](const Mapped& one) {
      return Eigen::Map<const Eigen::VectorXd>(one.move.data(), Eigen::Index(one.move.size()));
    };
    Eigen::MatrixXd differences(Eigen::Index(move_.size()), m);
    for (Eigen::Index k = 0; k < m; ++k) differences.col(k) = move_of(now) - move_of(mapped_[std::size_t(k)]);
    const Eigen::VectorXd shares = differences.colPivHouseholderQr().solve(move_of(now));
    x_ = now.image;
    for (Eigen::Index k = 0; k < m; ++k)
      for (std::size_t n = 0; n < x_.size(); ++n)
        x_[n] -= shares[k] * (now.image[n] - mapped_[std::size_t(k)].image[n]);
    evaluate();
    has_moved =
        value_ < start - noise || (value_ <= start + noise && fem::length_of(gradient_) < fem::length_of(gradient));
  }
  if (!has_moved) {  // without acceleration, and from here on
    mapped_.clear();
    x_ = from, gradient_ = gradient, value_ = start;
    has_moved = !options_.searches || search();
    if (!options_.searches) x_ = now.image, evaluate();
  }
  mapped_.push_back(std::move(now));
  if (mapped_.size() > std::size_t(options_.history)) mapped_.pop_front();
  return has_moved;
}

/// Keeps the changes of an iteration if Φ curves upwards along it.
void QuasiNewton::keep_change(const Vector& place, const Vector& gradient) {
  Change change{x_, gradient_, 0.0};
  add(-1.0, place, change.place), add(-1.0, gradient, change.gradient);
  body_.state.each_prescribed([&](std::size_t, std::size_t node, std::size_t c) { change.place[4 * node + c] = 0.0; });
  change.curvature = dot(change.place, change.gradient);
  const double least = 1e-10 * std::sqrt(dot(change.place, change.place) * dot(change.gradient, change.gradient));
  if (!(change.curvature > least)) return;
  changes_.push_back(std::move(change));
  if (changes_.size() > std::size_t(options_.history)) changes_.pop_front();
}

Support QuasiNewton::iterations_have(IterationQuantity quantity) const {
  switch (quantity) {
    case IterationQuantity::Objective:
    case IterationQuantity::GradientNorm:
    case IterationQuantity::LinearIterations:
      return Support::yes();
    case IterationQuantity::NewtonDecrement:
      return Support::no("the matrix of its systems is not the Hessian");
    case IterationQuantity::StretchViolationRms:
    case IterationQuantity::StretchViolationMax:
      break;
  }
  return Support::no("finite elements have no stretch constraints");
}

void QuasiNewton::log_iterate(int substep, int iteration, const StepReport& report) {
  log_->stop_clock();
  Iteration row{IterationKind::Other};
  row.substep = substep;
  row.iteration = iteration;
  row[IterationQuantity::Objective] = value_;
  row[IterationQuantity::GradientNorm] = fem::length_of(gradient_);
  row[IterationQuantity::LinearIterations] = report.solves;
  row.work = work_;
  log_->add(row);
}

}  // namespace deformbench::projective

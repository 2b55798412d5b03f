// SPDX-License-Identifier: BSD-3-Clause
#include "methods/fem/integrators/linearly_implicit_euler.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace deformbench::fem {

/// q(v) and its gradient after every iteration, in double, from the solver's own numbers.
template <class T>
class LinearlyImplicitEuler<T>::Watch final : public numerics::IterateWatch<T> {
 public:
  /// `v`: initial velocities of the solve; b and v are nonzero only in free rows.
  Watch(LinearSystem<T>& system, const BodyState<T>& state, IterationLog& log, const T* v) : log_(log) {
    log_.stop_clock();
    dt_ = state.time_step;
    system.matrix_of_nodes(a_);
    b_ = three_a_node(system.right_side().data());
    is_free_ = Eigen::VectorXd::Ones(a_.rows());
    state.each_prescribed(
        [&](std::size_t, std::size_t node, std::size_t c) { is_free_[Eigen::Index(3 * node + c)] = 0.0; });
    add(v);
  }
  void stop_clock() override { log_.stop_clock(); }
  void see(const T* v) override { add(v); }

 private:
  Eigen::VectorXd three_a_node(const T* of) const {
    Eigen::VectorXd result(a_.rows());
    for (Eigen::Index n = 0; n < result.size(); ++n) result[n] = double(of[4 * (n / 3) + n % 3]);
    return result;
  }
  void add(const T* of) {
    const Eigen::VectorXd v = three_a_node(of).cwiseProduct(is_free_), av = a_ * v;
    Iteration row{IterationKind::ConjugateGradient};
    row.iteration = iteration_++;
    row[IterationQuantity::Objective] = v.dot(0.5 * av - b_);
    row[IterationQuantity::GradientNorm] = (av - b_).cwiseProduct(is_free_).norm() / dt_;
    row[IterationQuantity::LinearIterations] = row.iteration;
    log_.add(row);
  }

  IterationLog& log_;
  double dt_;
  Eigen::SparseMatrix<double> a_;
  Eigen::VectorXd b_, is_free_;
  int iteration_ = 0;
};

template <class T>
Support LinearlyImplicitEuler<T>::iterates() const {
  if (system_.is_direct()) return Support::no("a factorisation solves its system without iterations");
  if (!elasticity_.is_symmetric())
    return Support::no("the matrix of its step is not symmetric, and BiCGSTAB minimises nothing");
  return Support::yes();
}

template <class T>
Support LinearlyImplicitEuler<T>::iterations_have(IterationQuantity quantity) const {
  switch (quantity) {
    case IterationQuantity::Objective:
    case IterationQuantity::GradientNorm:
    case IterationQuantity::LinearIterations:
      return iterates();
    case IterationQuantity::NewtonDecrement:
      return Support::no("its iterations are those of one linear system");
    case IterationQuantity::StretchViolationRms:
    case IterationQuantity::StretchViolationMax:
      break;
  }
  return Support::no("finite elements have no stretch constraints");
}

template <class T>
LinearlyImplicitEuler<T>::LinearlyImplicitEuler(Body<T>& body, AffineElasticity<T>& elasticity,
                                                const ImplicitEulerOptions& options)
    : body_(body),
      elasticity_(elasticity),
      options_(options),
      scale_(options.matrix_scale(body.scene.time_step)),
      system_(body, options.solver, elasticity.is_symmetric()) {
  size_vectors();
  const bool has_obstacles = !body.scene.colliders.empty() || !body.scene.rigid_bodies.empty();
  if (body.state.contact_rule == ContactRule::Penalty && has_obstacles) obstacles_.emplace(body, options.potential);
  if (!elasticity_.has_constant_matrix()) return;
  assemble();
  elasticity_.release();
}

template <class T>
void LinearlyImplicitEuler<T>::size_vectors() {
  product_.assign(body_.state.positions.size(), T(0));
  rest_force_.assign(body_.state.positions.size(), T(0));
  const T damped = T(1.0 + options_.mass_damping * body_.scene.time_step);
  for (std::size_t i = 0; i < body_.state.masses.size(); ++i) system_.weights()[i] = damped * body_.state.masses[i];
}

template <class T>
void LinearlyImplicitEuler<T>::follow(std::span<const int> sources) {
  system_.follow();
  size_vectors();
  if (obstacles_) obstacles_->follow(sources);
}

template <class T>
void LinearlyImplicitEuler<T>::assemble() {
  elasticity_.assemble(system_, rest_force_.data());
  system_.matrix_has_changed();
}

template <class T>
void LinearlyImplicitEuler<T>::form_matrix(StepReport& report) {
  if (!elasticity_.has_constant_matrix() || !elasticity_.matrix_is_current()) {
    assemble();
    report.assemblies = 1;
  } else {
    elasticity_.renew_forces(rest_force_.data());
  }
}

template <class T>
void LinearlyImplicitEuler<T>::keep_first_matrix(StepReport& report) {
  if (!elasticity_.matrix_is_current()) {
    assemble();
    report.assemblies = 1;
    matrix_positions_ = body_.positions();
  }
  const Points forces = scale_ * elasticity_.elastic_forces(body_.positions());
  for (std::size_t i = 0; i < body_.state.masses.size(); ++i)
    for (std::size_t c = 0; c < 3; ++c) rest_force_[4 * i + c] = T(forces(body_.graph.node_of[i], Eigen::Index(c)));
}

/// One linear solve by implicit Euler ([MG04] §2.2) of [MG04] eq. 5, 16, in the order of [MG04] §6: rotations at x_i,
/// plastic strain, matrix and forces, solve, x_{i+1}. Fracture comes after (fracture.hpp).
template <class T>
StepReport LinearlyImplicitEuler<T>::step(PhaseClock& clock) {
  StepReport report;
  body_.state.begin_step();
  clock.charge(PhaseClock::Other);
  elasticity_.prepare();
  clock.charge(PhaseClock::Rotation);
  if (options_.keeps_first_matrix)
    keep_first_matrix(report);
  else
    form_matrix(report);
  clock.charge(PhaseClock::Assembly);
  Points before;
  if (options_.check_residual) body_.state.write_velocities(before);
  solve(report);
  if (options_.check_residual) report.true_residual = true_residual(before);
  clock.charge(PhaseClock::Solve);
  Work& work = report.work.emplace();
  work.gradients = body_.graph.element_count();
  work.hessians = std::int64_t(report.assemblies) * body_.graph.element_count();
  if (system_.is_direct())
    work.factorisations = report.assemblies, work.back_substitutions = report.solves;
  else
    work.products = report.iterations;

  std::vector<double> sums(std::size_t(body_.threads()), 0.0);
  body_.each_range([&](int t, int low, int high) { sums[std::size_t(t)] = body_.state.finish_nodes(low, high); });
  body_.state.finish_step();
  body_.state_has_changed();
  for (const double sum : sums)
    if (!std::isfinite(sum)) report.outcome = StepOutcome::Diverged;
  if (!system_.is_regular() || !std::isfinite(report.residual)) report.outcome = StepOutcome::Diverged;
  clock.charge(PhaseClock::Other);
  return report;
}

template <class T>
void LinearlyImplicitEuler<T>::solve(StepReport& report) {
  const double dt = body_.scene.time_step;
  const T gamma = T(dt / scale_);  // Δt K' = γ (c K')
  T* v = body_.state.velocities.data();
  const T* x = body_.state.positions.data();
  const T* m = body_.state.masses.data();
  const T* loads = body_.state.loads.data();
  const T* weights = system_.weights().data();
  T* b = system_.right_side().data();
  T* r = system_.residual().data();

  // b = M v − Δt (K'x + f0' − f_ext) − c K' v̂, v̂ the prescribed velocities (zero on free nodes), and the first
  // residual r = b − A v0, share one pass over the matrix. With an earlier step's matrix, K'x + f0' is in
  // rest_force_.
  const T* operand = x;
  if (body_.state.prescribed_move() || options_.keeps_first_matrix) {
    operand_.assign(body_.state.positions.begin(), body_.state.positions.end());
    if (options_.keeps_first_matrix) std::fill(operand_.begin(), operand_.end(), T(0));
    add_prescribed(operand_.data(), double(scale_ / dt));
    operand = operand_.data();
  }
  const StartVector start = system_.is_direct() ? StartVector::Zero : options_.start;
  body_.each_range([&](int, int low, int high) {
    for (std::size_t i = std::size_t(low); i < std::size_t(high); ++i) {
      const T push = T(dt) / m[i];
      for (std::size_t n = 4 * i; n < 4 * i + 4; ++n) {
        b[n] = m[i] * v[n] + T(dt) * loads[n] + gamma * rest_force_[n];
        if (start == StartVector::Zero) v[n] = T(0);
        if (start == StartVector::VelocityPlusForce) v[n] += push * loads[n];
      }
    }
  });
  system_.clear_prescribed(v, 0, body_.graph.node_count());
  system_.stiffness_products({operand, v}, {product_.data(), r});
  std::vector<double> squares(std::size_t(body_.threads()), 0.0);
  body_.each_range([&](int t, int low, int high) {
    system_.clear_prescribed(b, low, high);
    system_.clear_prescribed(product_.data(), low, high);
    system_.clear_prescribed(r, low, high);
    T sums[4] = {};
    for (std::size_t i = std::size_t(low); i < std::size_t(high); ++i) {
      for (std::size_t k = 0; k < 4; ++k) {
        const std::size_t n = 4 * i + k;
        b[n] -= gamma * product_[n];
        r[n] = b[n] - weights[i] * v[n] - r[n];
        sums[k] += b[n] * b[n];
      }
    }
    squares[std::size_t(t)] = double(sums[0]) + double(sums[1]) + double(sums[2]);
  });
  double norm = 0.0;
  for (const double sum : squares) norm += sum;
  std::optional<Watch> watch;
  if (this->log_ != nullptr && iterates().supported)
    system_.watch(&watch.emplace(system_, body_.state, *this->log_, v));
  system_.solve(v, std::sqrt(norm), report);
  system_.watch(nullptr);
  if (obstacles_) correct_contacts(report);
  add_prescribed(v);
}

template <class T>
void LinearlyImplicitEuler<T>::multiply(const T* v, T* to) {
  const T* weights = system_.weights().data();
  system_.stiffness_products({v, v}, {product_.data(), to});
  for (std::size_t n = 0; n < product_.size(); ++n) to[n] += weights[n / 4] * v[n];
  system_.clear_prescribed(to, 0, body_.graph.node_count());
}

template <class T>
void LinearlyImplicitEuler<T>::correct_contacts(StepReport& report) {
  constexpr int kMostCorrections = 200;
  constexpr double kAgreement = 1e-3;                                      // of normal forces
  constexpr double kTolerance = sizeof(T) < sizeof(double) ? 1e-5 : 1e-8;  // of the residual, relative to b
  const double dt = body_.scene.time_step;
  const std::size_t size = body_.state.positions.size();
  T* v = body_.state.velocities.data();
  const T* x = body_.state.positions.data();
  using Wide = numerics::AlignedVector<double>;
  const Wide start(x, x + size);
  obstacles_->begin_step(start);
  Wide end(size);
  std::vector<NodeBlock> blocks;
  const auto place = [&](const T* of) {
    for (std::size_t n = 0; n < size; ++n) end[n] = start[n] + dt * double(of[n]);
    body_.state.each_prescribed([&](std::size_t k, std::size_t node, std::size_t c) {
      end[4 * node + c] += dt * body_.state.prescribed_velocities()(Eigen::Index(k), Eigen::Index(c));
    });
  };
  const auto add_forces = [&](double damping) {
    contact_forces_.assign(size, 0.0);
    place(v);
    obstacles_->add_forces(end, contact_forces_, blocks, damping);
  };
  place(v);
  obstacles_->hold_crossings(end);
  add_forces(0.0);
  if (blocks.empty()) {
    obstacles_->hold_friction(end);
    obstacles_->finish_step(end);
    return;
  }
  const numerics::AlignedVector<T> b = system_.right_side();
  numerics::AlignedVector<T> av(size), change(size), moved(size), trial(size);
  double magnitude = 0.0;  // of the terms of the last objective, whose rounding is that of their sum
  const auto half_square = [&](const auto& of) {
    double sum = 0.0;
    for (const auto number : of) sum += double(number) * double(number);
    return 0.5 * sum;
  };
  const auto form_residual = [&](const T* of, numerics::AlignedVector<T>& r) {
    multiply(of, av.data());
    for (std::size_t n = 0; n < size; ++n) r[n] = b[n] - av[n] + T(dt * contact_forces_[n]);
    system_.clear_prescribed(r.data(), 0, body_.graph.node_count());
  };
  // Without a symmetric matrix nothing is minimised. A line search then lowers ½ wᵀAw + wᵀ(A v − b) + P, w the change
  // of v, whose slope is that of the step's equation at v.
  const bool is_minimised = elasticity_.is_symmetric();
  numerics::AlignedVector<T> base, slope_at_base;
  const auto objective = [&](const T* of) {
    double sum = 0.0;
    magnitude = 0.0;
    const auto add_terms = [&](const T* w, const auto& linear, double sign) {
      multiply(w, av.data());
      for (std::size_t n = 0; n < size; ++n) {
        sum += double(w[n]) * (0.5 * double(av[n]) + sign * double(linear[n]));
        magnitude += std::abs(double(w[n])) * (std::abs(double(av[n])) + std::abs(double(linear[n])));
      }
    };
    if (is_minimised) {
      add_terms(of, b, -1.0);
    } else {
      for (std::size_t n = 0; n < size; ++n) trial[n] = of[n] - base[n];
      add_terms(trial.data(), slope_at_base, 1.0);
    }
    place(of);
    for (std::size_t n = 0; n < size; ++n) magnitude += std::abs(contact_forces_[n] * end[n]);  // of distances
    return sum + obstacles_->energy(end);
  };
  const double b_norm = half_square(b) > 0.0 ? std::sqrt(2.0 * half_square(b)) : 1.0;
  for (int pass = 0; pass < obstacles_->friction_passes(); ++pass) {
    double value = is_minimised ? objective(v) : 0.0, friction_damping = 0.0, residual = 0.0;
    bool is_done = false;
    for (int k = 0;; ++k) {
      add_forces(friction_damping);
      is_done = blocks.empty();
      if (is_done) break;
      form_residual(v, system_.right_side());
      if (!is_minimised) {
        base.assign(v, v + size), slope_at_base = av;
        for (std::size_t n = 0; n < size; ++n) slope_at_base[n] -= b[n];
        value = objective(v);
      }
      std::copy(system_.right_side().begin(), system_.right_side().end(), system_.residual().begin());
      std::fill(change.begin(), change.end(), T(0));
      const double norm = std::sqrt(2.0 * half_square(system_.right_side()));
      residual = norm / b_norm;
      is_done = residual <= kTolerance;
      if (is_done || k == kMostCorrections) break;
      for (NodeBlock& block : blocks) block.block *= dt * dt;
      system_.added_blocks() = blocks;
      system_.matrix_has_changed();
      system_.solve(change.data(), norm, report);
      double slope = 0.0;
      for (std::size_t n = 0; n < size; ++n) slope -= double(system_.right_side()[n]) * double(change[n]);
      // Too small for the objective to show, the last correction is made whole.
      is_done = -slope <= 1e2 * double(std::numeric_limits<T>::epsilon()) * magnitude;
      double length = 1.0, there = value;
      for (; length > 1e-6; length *= 0.5) {
        for (std::size_t n = 0; n < size; ++n) moved[n] = v[n] + T(length) * change[n];
        there = objective(moved.data());
        if (is_done || there <= value + 1e-4 * length * slope) break;
      }
      if (!is_done && !(there < value)) break;
      std::copy(moved.begin(), moved.end(), v);
      place(v);
      const bool crosses_more = obstacles_->hold_crossings(end);
      if (is_done && !crosses_more) break;
      friction_damping = length < 1.0 ? 1.0 : 0.25 * friction_damping;
      value = crosses_more ? objective(v) : there;
    }
    add_forces(0.0);
    if (!is_done) {
      report.residual = residual, report.converged = false, report.is_nonlinear = true;
      report.tolerance = kTolerance;
      break;
    }
    if (obstacles_->hold_friction(end) < kAgreement) break;
  }
  obstacles_->finish_step(end);
  system_.right_side() = b;
  system_.added_blocks().clear();
  system_.matrix_has_changed();
}

template <class T>
void LinearlyImplicitEuler<T>::add_prescribed(T* to, double factor) const {
  const std::vector<int>& prescribed = body_.state.prescribed;
  const Points& velocities = body_.state.prescribed_velocities();
  for (std::size_t k = 0; k < prescribed.size(); ++k)
    for (std::size_t c = 0; c < 3; ++c)
      to[4 * std::size_t(prescribed[k]) + c] += T(factor * velocities(Eigen::Index(k), Eigen::Index(c)));
}

template <class T>
double LinearlyImplicitEuler<T>::true_residual(const Points& before) const {
  const double dt = body_.scene.time_step, damped = 1.0 + options_.mass_damping * dt;
  Points x, v;
  body_.state.write_positions(x);
  body_.state.write_velocities(v);
  Points given = Points::Zero(v.rows(), 3);
  Points is_free = Points::Ones(v.rows(), 3);
  body_.state.each_prescribed([&](std::size_t, std::size_t node, std::size_t c) {
    const Eigen::Index vertex = body_.graph.node_of[node], component = Eigen::Index(c);
    given(vertex, component) = v(vertex, component);
    is_free(vertex, component) = 0.0;
  });
  const Eigen::SparseMatrix<double> k = elasticity_.stiffness(options_.keeps_first_matrix ? matrix_positions_ : x);
  const auto damping_and_stiffness = [&](const Points& of) {
    const Eigen::VectorXd product = k * Eigen::Map<const Eigen::VectorXd>(of.data(), of.size());
    return Points(scale_ * Eigen::Map<const Points>(product.data(), of.rows(), 3));
  };
  Points b = dt * (elasticity_.elastic_forces(x) + external_forces(body_.scene, body_.masses, body_.state.time + dt));
  b += body_.masses.asDiagonal() * before;
  Points r = b - damping_and_stiffness(v);
  r -= damped * (body_.masses.asDiagonal() * v);
  if (!contact_forces_.empty())
    for (std::size_t i = 0; i < body_.state.masses.size(); ++i)
      for (std::size_t c = 0; c < 3; ++c) r(body_.graph.node_of[i], Eigen::Index(c)) += dt * contact_forces_[4 * i + c];
  b -= damping_and_stiffness(given);
  const double size = b.cwiseProduct(is_free).norm();
  return r.cwiseProduct(is_free).norm() / (size > 0.0 ? size : 1.0);
}

template <class T>
Eigen::SparseMatrix<double> LinearlyImplicitEuler<T>::system_matrix(const Eigen::Ref<const Points>& x) const {
  const bool is_kept = matrix_positions_.rows() == x.rows();
  return system_of_free_vertices(body_, elasticity_.stiffness(is_kept ? matrix_positions_ : Points(x)), scale_,
                                 1.0 + options_.mass_damping * body_.scene.time_step);
}

template class LinearlyImplicitEuler<float>;
template class LinearlyImplicitEuler<double>;

}  // namespace deformbench::fem

// SPDX-License-Identifier: BSD-3-Clause
#include "methods/fem/implicit_euler.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "methods/numerics/team.hpp"

namespace deformbench::fem {

template <class T>
ImplicitEuler<T>::ImplicitEuler(const Scene& scene, const FemOptions& options, const RunContext& context)
    : scene_(scene),
      options_(options),
      threads_(std::clamp(context.threads, 1, std::max(1, int(scene.tet_mesh.vertex_count()) / 64))),
      check_residual_(context.check_residual),
      scale_(scene.time_step * (scene.time_step + options.stiffness_damping)),
      graph_(scene_.tet_mesh),
      masses_(lumped_masses(scene_)),
      body_(scene_, graph_, masses_),
      clock_(context.time_phases),
      heating_(scene_),
      krylov_(graph_.edges, body_.prescribed, threads_) {
  if (options.warping == Warping::Vertex) {
    model_ = std::make_unique<VertexModel>(scene_);
    vertices_.emplace(scene_, graph_, scale_);
  } else {
    PlasticStrainSource source;
    if (is_plastic()) source = [this](int e) { return Vector6(options_.plastic->law.force_sign() * stored_strain(e)); };
    model_ = std::make_unique<ElementModel>(scene_, options.rotation, std::move(source));
    elements_.emplace(scene_, graph_, options.rotation, scale_);
    if (is_plastic()) set_plasticity();
    if (options.fracture) elements_->set_fracture_threshold(scene_, options.fracture->threshold);
  }
  // Half the matrix is faster at every size measured, 540 to 10⁶ elements; only vertex warping is not symmetric.
  if (options.warping == Warping::Vertex)
    full_ = numerics::FullBlockMatrix<T>(graph_.edges);
  else
    upper_ = numerics::UpperBlockMatrix<T>(graph_.edges);
  if (options.direct)
    direct_.emplace(options.warping == Warping::Vertex ? numerics::DirectSolver::Kind::General
                                                       : numerics::DirectSolver::Kind::SymmetricPositiveDefinite);
  size_vectors();
  if (options.warping == Warping::None) {
    assemble();
    if (!is_plastic() && !options.fracture && !heating_.has_sources()) elements_->release();
  }
}

template <class T>
void ImplicitEuler<T>::set_plasticity() {
  elements_->set_plastic_law(options_.plastic->law, scene_.time_step);
  for (int e = 0; e < graph_.element_count(); ++e) elements_->set_plastic_parameters(e, options_.plastic->parameters);
}

template <class T>
void ImplicitEuler<T>::size_vectors() {
  const std::size_t size = body_.positions.size();
  right_side_.assign(size, T(0));
  product_.assign(size, T(0));
  rest_force_.assign(size, T(0));
  weights_.resize(body_.masses.size());
  const T damped = T(1.0 + options_.mass_damping * scene_.time_step);
  for (std::size_t i = 0; i < weights_.size(); ++i) weights_[i] = damped * body_.masses[i];
}

/// One linear solve by implicit Euler ([MG04] §2.2) of [MG04] eq. 5, 16, in the order of [MG04] §6: rotations at x_i,
/// plastic strain, matrix and forces, solve, x_{i+1}, fracture. What the next step needs of x_{i+1} first, its
/// rotations and plastic strains, is done together with the stress test of fracture.
template <class T>
StepReport ImplicitEuler<T>::step() {
  clock_.start();
  StepReport report;
  report.solves = 1;
  body_.begin_step();
  clock_.charge(PhaseClock::Other);
  if (!prepared_) prepare({}, nullptr);
  prepared_ = false;
  if (is_plastic()) elements_->accept_plastic_strains();
  clock_.charge(PhaseClock::Rotation);
  if (options_.warping != Warping::None || !matrix_is_current_) {
    assemble();
    report.assemblies = 1;
  } else if (is_plastic()) {
    numerics::run_team(threads_, [&](int t) {
      elements_->gather_forces(krylov_.ranges()[std::size_t(t)], krylov_.ranges()[std::size_t(t) + 1],
                               rest_force_.data());
    });
  }
  clock_.charge(PhaseClock::Assembly);
  Points before;
  if (check_residual_) body_.write_velocities(before);
  if (full_.nodes() > 0)
    solve(full_, report);
  else
    solve(upper_, report);
  if (check_residual_) report.true_residual = true_residual(before);
  matrix_was_solved_ = true;
  clock_.charge(PhaseClock::Solve);

  std::vector<double> sums(std::size_t(threads_), 0.0);
  numerics::run_team(threads_, [&](int t) {
    sums[std::size_t(t)] = body_.finish_nodes(krylov_.ranges()[std::size_t(t)], krylov_.ranges()[std::size_t(t) + 1]);
  });
  body_.finish_step();
  state_is_stale_ = true;
  stepped_ = true;
  for (const double sum : sums)
    if (!std::isfinite(sum)) report.outcome = StepOutcome::Diverged;
  if (!factorised_ || !std::isfinite(report.residual)) report.outcome = StepOutcome::Diverged;
  clock_.charge(PhaseClock::Other);
  if (report.outcome == StepOutcome::Advanced) after_step();
  return report;
}

template <class T>
StateView ImplicitEuler<T>::state() const {
  if (state_is_stale_) {
    body_.write_positions(positions_);
    body_.write_velocities(velocities_);
    state_is_stale_ = false;
  }
  return {body_.time, PointsView(positions_.data(), positions_.rows(), 3),
          PointsView(velocities_.data(), velocities_.rows(), 3), ScalarsView(masses_.data(), masses_.size())};
}

/// B-IVM-3: the printed listing uses x⁺ with the rotation of x, that of the last step's matrix.
template <class T>
std::vector<Vector6> ImplicitEuler<T>::element_stresses(const Eigen::Ref<const Points>& x) const {
  const bool stale = options_.warping == Warping::Element && !options_.fresh_stress_rotation && stepped_;
  std::vector<Matrix3> fresh;
  if (!stale) fresh = model_->element_rotations(x);
  const bool elastic = !options_.fracture || options_.fracture->elastic_strain;
  std::vector<Vector6> stresses(std::size_t(graph_.element_count()));
  for (std::size_t e = 0; e < stresses.size(); ++e) {
    const Matrix3 r = !stale      ? fresh[e]
                      : prepared_ ? elements_->previous_rotation(int(e))
                                  : elements_->rotation(int(e));
    stresses[e] = model_->stress(Eigen::Index(e), x, r, elastic ? stored_strain(int(e)) : Vector6(Vector6::Zero()));
  }
  return stresses;
}

template <class T>
std::vector<Vector6> ImplicitEuler<T>::plastic_strains() const {
  std::vector<Vector6> strains(std::size_t(graph_.element_count()), Vector6::Zero());
  if (is_plastic())
    for (std::size_t e = 0; e < strains.size(); ++e) strains[e] = stored_strain(int(e));
  return strains;
}

template <class T>
Eigen::SparseMatrix<double> ImplicitEuler<T>::system_matrix(const Eigen::Ref<const Points>& x) const {
  const Eigen::SparseMatrix<double> k = model_->stiffness(x);
  std::vector<int> row(std::size_t(k.rows()), 0);
  for (const int node : body_.prescribed)
    for (int c = 0; c < 3; ++c) row[std::size_t(3 * graph_.node_of[std::size_t(node)] + c)] = -1;
  int free = 0;
  for (int& r : row)
    if (r == 0) r = free++;
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(std::size_t(k.nonZeros()) + row.size());
  for (int column = 0; column < k.outerSize(); ++column)
    for (Eigen::SparseMatrix<double>::InnerIterator it(k, column); it; ++it)
      if (row[std::size_t(it.row())] >= 0 && row[std::size_t(column)] >= 0)
        entries.emplace_back(row[std::size_t(it.row())], row[std::size_t(column)], scale_ * it.value());
  for (std::size_t i = 0; i < row.size(); ++i)
    if (row[i] >= 0)
      entries.emplace_back(row[i], row[i],
                           masses_[Eigen::Index(i / 3)] * (1.0 + options_.mass_damping * scene_.time_step));
  Eigen::SparseMatrix<double> a(free, free);
  a.setFromTriplets(entries.begin(), entries.end());
  return a;
}

template <class T>
Eigen::SparseMatrix<double> ImplicitEuler<T>::solved_matrix() const {
  if (!matrix_was_solved_) return {};
  const Eigen::SparseMatrix<double> of_nodes = full_.nodes() > 0 ? full_.to_sparse() : upper_.to_sparse();
  const auto vertex_row = [&](Eigen::Index row) { return 3 * graph_.node_of[std::size_t(row / 3)] + int(row % 3); };
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(std::size_t(of_nodes.nonZeros()));
  for (int column = 0; column < of_nodes.outerSize(); ++column)
    for (Eigen::SparseMatrix<double>::InnerIterator it(of_nodes, column); it; ++it)
      entries.emplace_back(vertex_row(it.row()), vertex_row(column), it.value());
  Eigen::SparseMatrix<double> a(of_nodes.rows(), of_nodes.cols());
  a.setFromTriplets(entries.begin(), entries.end());
  return a;
}

template <class T>
std::vector<StepMatrixFacet::StoredStiffness> ImplicitEuler<T>::stored_stiffness() const {
  std::vector<StoredStiffness> stored;
  if (!elements_ || !elements_->keeps_stiffness()) return stored;
  for (int e = 0; e < graph_.element_count(); ++e) stored.push_back(elements_->stored_stiffness(e));
  return stored;
}

template <class T>
void ImplicitEuler<T>::heat() {
  const std::vector<Heating::Change> changes = heating_.update(scene_, body_.time, state().positions);
  for (const Heating::Change& change : changes) {
    elements_->set_material(change.element, scene_.material_of(change.element),
                            rest_element(scene_.tet_mesh, change.element));
    if (!is_plastic()) continue;
    PlasticParameters parameters = options_.plastic->parameters;
    if (change.source >= 0) {
      const model::HeatSource& source = scene_.heat_sources[std::size_t(change.source)];
      parameters = {source.plastic_yield, source.plastic_creep, source.plastic_max};
    }
    elements_->set_plastic_parameters(change.element, parameters);
  }
  if (changes.empty()) return;
  elements_->refresh_traces();
  matrix_is_current_ = false;
}

template <class T>
void ImplicitEuler<T>::prepare(const std::optional<StressTest>& test, std::vector<Suspect>* suspects) {
  const T* x = body_.positions.data();
  if (vertices_) {
    vertices_->rotate(x);
    return;
  }
  if (heating_.has_sources()) heat();
  Matrix3 global = Matrix3::Identity();
  if (options_.rotation.kind == RotationKind::Global) {
    Points now;
    body_.write_positions(now);
    global = best_fit_rotation(scene_, masses_, now, options_.rotation.keep_reflection);
  }
  const long long batches = elements_->batch_count();
  std::vector<std::vector<Suspect>> found(std::size_t(test ? threads_ : 0));
  numerics::run_team(threads_, [&](int t) {
    elements_->pass(x, int(batches * t / threads_), int(batches * (t + 1) / threads_), global, test,
                    test ? &found[std::size_t(t)] : nullptr);
  });
  for (const std::vector<Suspect>& some : found) suspects->insert(suspects->end(), some.begin(), some.end());
}

template <class T>
void ImplicitEuler<T>::follow_topology(const GraphChange& change) {
  krylov_ = numerics::KrylovSpace<T>(graph_.edges, body_.prescribed, threads_);
  upper_ = numerics::UpperBlockMatrix<T>(graph_.edges);
  elements_->follow(change);
  size_vectors();
  if (direct_) direct_.emplace(numerics::DirectSolver::Kind::SymmetricPositiveDefinite);
  matrix_is_current_ = matrix_was_solved_ = false;
  state_is_stale_ = true;
}

template <class T>
void ImplicitEuler<T>::assemble() {
  if (vertices_) {
    vertices_->assemble(weights_.data(), full_, rest_force_.data());
  } else {
    numerics::run_team(threads_, [&](int t) {
      const int low = krylov_.ranges()[std::size_t(t)], high = krylov_.ranges()[std::size_t(t) + 1];
      elements_->assemble(low, high, weights_.data(), upper_, rest_force_.data());
    });
  }
  matrix_is_current_ = true;
  if (direct_) factorised_ = factorise();
}

template <class T>
bool ImplicitEuler<T>::factorise() {
  const Eigen::SparseMatrix<double> a = full_.nodes() > 0 ? full_.to_sparse() : upper_.to_sparse();
  free_rows_.clear();
  std::vector<int> row(std::size_t(a.rows()), 0);
  for (const int node : body_.prescribed)
    for (int c = 0; c < 3; ++c) row[std::size_t(3 * node + c)] = -1;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (row[i] < 0) continue;
    row[i] = int(free_rows_.size());
    free_rows_.push_back(int(i));
  }
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(std::size_t(a.nonZeros()));
  for (int column = 0; column < a.outerSize(); ++column)
    for (Eigen::SparseMatrix<double>::InnerIterator it(a, column); it; ++it)
      if (row[std::size_t(it.row())] >= 0 && row[std::size_t(column)] >= 0) {
        if (!std::isfinite(it.value())) return false;
        entries.emplace_back(row[std::size_t(it.row())], row[std::size_t(column)], it.value());
      }
  Eigen::SparseMatrix<double> reduced{Eigen::Index(free_rows_.size()), Eigen::Index(free_rows_.size())};
  reduced.setFromTriplets(entries.begin(), entries.end());
  return direct_->factorise(reduced);
}

template <class T>
template <class Matrix>
void ImplicitEuler<T>::solve(Matrix& a, StepReport& report) {
  const double dt = scene_.time_step;
  const T gamma = T(dt / scale_);  // Δt K' = γ (c K')
  const int nodes = graph_.node_count();
  T* v = body_.velocities.data();
  const T* x = body_.positions.data();
  const T* m = body_.masses.data();
  const T* loads = body_.loads.data();
  const auto each_node = [&](auto&& work) {
    numerics::run_team(threads_, [&](int t) {
      for (int i = krylov_.ranges()[std::size_t(t)]; i < krylov_.ranges()[std::size_t(t) + 1]; ++i)
        work(std::size_t(i));
    });
  };

  // b = M v − Δt (K'x + f0' − f_ext) − c K' v̂, v̂ the prescribed velocities (zero on free nodes), and the first
  // residual r = b − A v0, share one pass over the matrix.
  const T* operand = x;
  if (body_.prescribed_move()) {
    operand_.assign(body_.positions.begin(), body_.positions.end());
    add_prescribed(operand_.data(), double(scale_ / dt));
    operand = operand_.data();
  }
  const StartVector start = direct_ ? StartVector::Zero : options_.start;
  each_node([&](std::size_t i) {
    const T push = T(dt) / m[i];
    for (std::size_t n = 4 * i; n < 4 * i + 4; ++n) {
      right_side_[n] = m[i] * v[n] + T(dt) * loads[n] + gamma * rest_force_[n];
      if (start == StartVector::Zero) v[n] = T(0);
      if (start == StartVector::VelocityPlusForce) v[n] += push * loads[n];
    }
  });
  krylov_.clear_frozen(v, 0, nodes);
  T* r = krylov_.residual.data();
  krylov_.stiffness_products(a, {operand, v}, {product_.data(), r});
  std::vector<double> squares(std::size_t(threads_), 0.0);
  numerics::run_team(threads_, [&](int t) {
    const int low = krylov_.ranges()[std::size_t(t)], high = krylov_.ranges()[std::size_t(t) + 1];
    krylov_.clear_frozen(right_side_.data(), low, high);
    krylov_.clear_frozen(product_.data(), low, high);
    krylov_.clear_frozen(r, low, high);
    T sums[4] = {};
    for (std::size_t i = std::size_t(low); i < std::size_t(high); ++i) {
      for (std::size_t k = 0; k < 4; ++k) {
        const std::size_t n = 4 * i + k;
        right_side_[n] -= gamma * product_[n];
        r[n] = right_side_[n] - weights_[i] * v[n] - r[n];
        sums[k] += right_side_[n] * right_side_[n];
      }
    }
    squares[std::size_t(t)] = double(sums[0]) + double(sums[1]) + double(sums[2]);
  });
  double norm = 0.0;
  for (const double sum : squares) norm += sum;

  if (direct_) {
    solve_direct(v);
  } else {
    set_preconditioner(a);
    iterate(a, v, std::sqrt(norm), report);
  }
  krylov_.clear_frozen(v, 0, nodes);
  add_prescribed(v);
}

/// A fixed number of iterations, or until the residual is below the tolerance. The recurrence of the solver believes
/// that without limit, while rounding holds the residual up, in single precision soon: so the residual is formed anew,
/// and the solver goes on from it as long as that halves it.
template <class T>
template <class Matrix>
void ImplicitEuler<T>::iterate(const Matrix& a, T* v, double b_norm, StepReport& report) {
  numerics::SolverSettings settings = options_.solver;
  const double scale = b_norm > 0.0 ? b_norm : 1.0;
  for (double last = std::numeric_limits<double>::infinity();;) {
    numerics::SolverResult result;
    // DEVIATION [MDMJC02]: rows R_i K_ij R_iᵀ make the matrix nonsymmetric, so BiCGSTAB or LU takes the place of CG.
    if (options_.warping == Warping::Vertex)
      result = krylov_.bicgstab(full_, v, b_norm, settings);
    else
      result = krylov_.conjugate_gradient(a, v, b_norm, settings);
    report.iterations += result.iterations;
    report.residual = result.residual;
    if (!result.converged) return;
    report.residual = form_residual(a, v) / scale;
    report.converged = report.residual <= settings.tolerance;
    report.tolerance = settings.tolerance;
    report.may_miss_tolerance = options_.may_miss_tolerance;
    settings.max_iterations = options_.solver.max_iterations - report.iterations;
    if (*report.converged || !*result.converged || settings.max_iterations <= 0) return;
    if (!(report.residual < 0.5 * last)) return;
    last = report.residual;
  }
}

template <class T>
template <class Matrix>
double ImplicitEuler<T>::form_residual(const Matrix& a, const T* v) {
  T* r = krylov_.residual.data();
  krylov_.stiffness_products(a, {v, v}, {product_.data(), r});
  krylov_.clear_frozen(r, 0, graph_.node_count());
  double square = 0.0;
  for (std::size_t n = 0; n < right_side_.size(); ++n) {
    r[n] = right_side_[n] - weights_[n / 4] * v[n] - r[n];
    square += double(r[n]) * double(r[n]);
  }
  return std::sqrt(square);
}

template <class T>
double ImplicitEuler<T>::true_residual(const Points& before) const {
  const double dt = scene_.time_step, damped = 1.0 + options_.mass_damping * dt;
  Points x, v;
  body_.write_positions(x);
  body_.write_velocities(v);
  Points given = Points::Zero(v.rows(), 3);
  std::vector<bool> is_free(std::size_t(v.rows()), true);
  for (const int node : body_.prescribed) {
    const int vertex = graph_.node_of[std::size_t(node)];
    given.row(vertex) = v.row(vertex);
    is_free[std::size_t(vertex)] = false;
  }
  const Eigen::SparseMatrix<double> k = model_->stiffness(x);
  const auto damping_and_stiffness = [&](const Points& of) {
    const Eigen::VectorXd product = k * Eigen::Map<const Eigen::VectorXd>(of.data(), of.size());
    return Points(scale_ * Eigen::Map<const Points>(product.data(), of.rows(), 3));
  };
  Points b = dt * (model_->forces(x) + external_forces(scene_, masses_, body_.time + dt));
  b += masses_.asDiagonal() * before;
  Points r = b - damping_and_stiffness(v);
  r -= damped * (masses_.asDiagonal() * v);
  b -= damping_and_stiffness(given);
  double left = 0.0, size = 0.0;
  for (Eigen::Index i = 0; i < v.rows(); ++i) {
    if (!is_free[std::size_t(i)]) continue;
    left += r.row(i).squaredNorm();
    size += b.row(i).squaredNorm();
  }
  return std::sqrt(left) / (size > 0.0 ? std::sqrt(size) : 1.0);
}

template <class T>
void ImplicitEuler<T>::add_prescribed(T* to, double factor) const {
  for (std::size_t k = 0; k < body_.prescribed.size(); ++k)
    for (std::size_t c = 0; c < 3; ++c)
      to[4 * std::size_t(body_.prescribed[k]) + c] +=
          T(factor * body_.prescribed_velocities()(Eigen::Index(k), Eigen::Index(c)));
}

template <class T>
void ImplicitEuler<T>::solve_direct(T* v) {
  if (!factorised_) return;
  Eigen::VectorXd b{Eigen::Index(free_rows_.size())};
  for (std::size_t i = 0; i < free_rows_.size(); ++i)
    b[Eigen::Index(i)] = double(right_side_[4 * std::size_t(free_rows_[i] / 3) + std::size_t(free_rows_[i] % 3)]);
  const Eigen::VectorXd solution = direct_->solve(b);
  for (std::size_t i = 0; i < free_rows_.size(); ++i)
    v[4 * std::size_t(free_rows_[i] / 3) + std::size_t(free_rows_[i] % 3)] = T(solution[Eigen::Index(i)]);
}

template <class T>
template <class Matrix>
void ImplicitEuler<T>::set_preconditioner(const Matrix& a) {
  auto& inverse = krylov_.inverse_diagonal;
  if (options_.preconditioner == Preconditioner::None) return;
  if (options_.preconditioner == Preconditioner::Mass && !inverse.empty()) return;
  if (options_.preconditioner == Preconditioner::Jacobi && !inverse.empty() && options_.warping == Warping::None &&
      !heating_.has_sources())
    return;
  inverse.resize(body_.positions.size());
  if (options_.preconditioner == Preconditioner::Mass) {
    for (std::size_t i = 0; i < weights_.size(); ++i)
      for (std::size_t k = 0; k < 4; ++k) inverse[4 * i + k] = T(1) / weights_[i];
    return;
  }
  a.diagonal_entries(inverse.data());
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) inverse[4 * i + k] = T(1) / inverse[4 * i + k];
    inverse[4 * i + 3] = T(0);
  }
}

template class ImplicitEuler<float>;
template class ImplicitEuler<double>;

}  // namespace deformbench::fem

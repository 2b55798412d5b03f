// SPDX-License-Identifier: BSD-3-Clause
#include "methods/fem/body/linear_system.hpp"

#include <Eigen/LU>
#include <cmath>
#include <limits>

namespace deformbench::fem {

template <class T>
LinearSystem<T>::LinearSystem(const Body<T>& body, const LinearSolverOptions& options, bool is_symmetric)
    : body_(body), options_(options), is_symmetric_(is_symmetric) {
  follow();
}

template <class T>
void LinearSystem<T>::follow() {
  krylov_ = numerics::KrylovSpace<T>(body_.graph.edges, body_.state.prescribed, body_.threads(),
                                     body_.state.prescribed_components);
  if (is_symmetric_)
    upper_ = numerics::UpperBlockMatrix<T>(body_.graph.edges);
  else
    full_ = numerics::FullBlockMatrix<T>(body_.graph.edges);
  if (options_.direct)
    direct_.emplace(is_symmetric_ ? numerics::DirectSolver::Kind::SymmetricPositiveDefinite
                                  : numerics::DirectSolver::Kind::General);
  const std::size_t nodes = body_.state.masses.size();
  right_side_.assign(4 * nodes, T(0));
  product_.assign(4 * nodes, T(0));
  weights_.assign(nodes, T(0));
  added_.clear(), couplings_.clear(), formed_couplings_.clear(), diagonal_.clear();
  multigrid_.reset(), aside_.reset();
  has_formed_full_ = false;
  was_solved_ = false;
}

template <class T>
void LinearSystem<T>::form_full() {
  const numerics::EdgePattern& edges = body_.graph.edges;
  if (full_.nodes() != edges.nodes || diagonal_.empty()) full_ = numerics::FullBlockMatrix<T>(edges);
  constexpr int kTransposed[9] = {0, 1, 2, 8, 6, 7, 4, 5, 3};  // of cyclic diagonals (block_matrix.hpp)
  diagonal_.assign(std::size_t(edges.nodes), {});
  for (int i = 0; i < edges.nodes; ++i) {
    std::array<double, 9>& own = diagonal_[std::size_t(i)];
    for (std::size_t k = 0; k < 3; ++k) own[k] += double(upper_.weight(i));
    for (int e = edges.row_start[std::size_t(i)]; e < edges.row_start[std::size_t(i) + 1]; ++e) {
      const T* block = upper_.upper(e);
      T *above = full_.upper(e), *below = full_.lower(e);
      std::array<double, 9>& other = diagonal_[std::size_t(edges.column[std::size_t(e)])];
      for (std::size_t k = 0; k < 9; ++k) {
        above[k] = block[k], below[k] = block[kTransposed[k]];
        own[k] -= double(block[k]), other[k] -= double(block[kTransposed[k]]);
      }
    }
  }
  const auto add = [&](std::size_t node, const Matrix3& added) {
    std::array<double, 9> block;
    numerics::put_block(block.data(), added);
    for (std::size_t k = 0; k < 9; ++k) diagonal_[node][k] += block[k];
  };
  for (const NodeBlock& added : added_) add(std::size_t(added.node), added.block);
  for (const NodeCoupling& coupling : couplings_)
    for (std::size_t k = 0; k < 4; ++k)
      add(std::size_t(coupling.nodes[k]), coupling.block.block<3, 3>(3 * Eigen::Index(k), 3 * Eigen::Index(k)));
  for (std::size_t i = 0; i < diagonal_.size(); ++i)
    for (std::size_t k = 0; k < 9; ++k) full_.diagonal(int(i))[k] = T(diagonal_[i][k]);
  if (preconditioner() == Preconditioner::Multigrid) return;
  inverse_blocks_.resize(9 * std::size_t(edges.nodes));
  for (std::size_t i = 0; i < diagonal_.size(); ++i) {
    const Matrix3 inverse = numerics::block_at(diagonal_[i].data()).inverse();
    for (int k = 0; k < 9; ++k) inverse_blocks_[9 * i + std::size_t(k)] = T(inverse(k / 3, k % 3));
  }
}

template <class T>
void LinearSystem<T>::add_couplings(const T* x, T* y, bool with_diagonal) const {
  for (const NodeCoupling& coupling : couplings_)
    for (std::size_t i = 0; i < 4; ++i) {
      Vector3 sum = Vector3::Zero();
      for (std::size_t j = 0; j < 4; ++j) {
        const T* of = x + 4 * std::size_t(coupling.nodes[j]);
        if (i != j || with_diagonal)
          sum += coupling.block.block<3, 3>(3 * Eigen::Index(i), 3 * Eigen::Index(j)) *
                 Vector3(double(of[0]), double(of[1]), double(of[2]));
      }
      for (std::size_t c = 0; c < 3; ++c) y[4 * std::size_t(coupling.nodes[i]) + c] += T(sum[Eigen::Index(c)]);
    }
}

template <class T>
numerics::SolverResult LinearSystem<T>::block_conjugate_gradient(T* v, double b_norm,
                                                                 const numerics::SolverSettings& settings) {
  const std::size_t nodes = weights_.size();
  const bool is_fixed = settings.fixed_iterations > 0;
  const int most = is_fixed ? settings.fixed_iterations : settings.max_iterations;
  const double goal = settings.tolerance * (b_norm > 0.0 ? b_norm : 1.0);
  T* r = krylov_.residual.data();
  numerics::AlignedVector<T> p(4 * nodes, T(0)), q(4 * nodes, T(0)), z(4 * nodes, T(0));
  const auto dot = [&](const T* a, const T* b) {
    double sum = 0.0;
    for (std::size_t n = 0; n < 4 * nodes; ++n) sum += double(a[n]) * double(b[n]);
    return sum;
  };
  const auto precondition = [&] {
    if (multigrid_) return multigrid_->apply(r, z.data());
    body_.each_range([&](int, int low, int high) {
      for (std::size_t i = std::size_t(low); i < std::size_t(high); ++i) {
        const T *m = inverse_blocks_.data() + 9 * i, *of = r + 4 * i;
        for (std::size_t c = 0; c < 3; ++c)
          z[4 * i + c] = m[3 * c] * of[0] + m[3 * c + 1] * of[1] + m[3 * c + 2] * of[2];
      }
      krylov_.clear_frozen(z.data(), low, high);
    });
  };
  numerics::SolverResult result;
  double rz = 0.0, norm = std::sqrt(dot(r, r));
  for (; result.iterations < most && norm > (is_fixed ? 0.0 : goal) && std::isfinite(norm); ++result.iterations) {
    precondition();
    const double next = dot(r, z.data());
    if (!(next > 0.0)) {  // so is the preconditioner
      result.is_indefinite = settings.needs_definite;
      break;
    }
    const T along = T(result.iterations == 0 ? 0.0 : next / rz);
    rz = next;
    for (std::size_t n = 0; n < 4 * nodes; ++n) p[n] = z[n] + along * p[n];
    body_.each_range([&](int, int low, int high) {
      full_.multiply_rows(low, high, p.data(), q.data());
      krylov_.clear_frozen(q.data(), low, high);
    });
    if (!couplings_.empty()) {
      add_couplings(p.data(), q.data(), false);
      krylov_.clear_frozen(q.data(), 0, int(nodes));
    }
    const double curvature = dot(p.data(), q.data());
    if (!(curvature > 0.0)) {
      result.is_indefinite = settings.needs_definite;
      break;
    }
    const T step = T(rz / curvature);
    for (std::size_t n = 0; n < 4 * nodes; ++n) v[n] += step * p[n], r[n] -= step * q[n];
    norm = std::sqrt(dot(r, r));
    if (krylov_.watch != nullptr) krylov_.watch->stop_clock(), krylov_.watch->see(v);
  }
  result.residual = norm / (b_norm > 0.0 ? b_norm : 1.0);
  if (!is_fixed) result.converged = norm <= goal;
  return result;
}

template <class T>
void LinearSystem<T>::matrix_has_changed() {
  diagonal_is_stale_ = true;
  formed_couplings_ = couplings_, has_formed_full_ = has_added();
  if (is_symmetric_ && (has_added() || preconditioner() == Preconditioner::Multigrid)) form_full();
  if (direct_) is_regular_ = factorise();
}

/// The diagonal is restored from a copy: differences would lose it beside stiff blocks.
template <class T>
template <class Work>
void LinearSystem<T>::with_added(Work&& work) {
  std::vector<std::array<T, 9>> kept;
  for (const NodeBlock& added : added_) {
    T* diagonal = full_.diagonal(added.node);
    std::copy_n(diagonal, 9, kept.emplace_back().begin());
    std::array<double, 9> block;
    numerics::put_block(block.data(), added.block);
    for (std::size_t k = 0; k < 9; ++k) diagonal[k] += T(block[k]);
  }
  work();
  for (std::size_t n = 0; n < kept.size(); ++n) std::copy_n(kept[n].begin(), 9, full_.diagonal(added_[n].node));
}

template <class T>
void LinearSystem<T>::stiffness_products(std::array<const T*, 2> x, std::array<T*, 2> y) {
  if (is_symmetric_)
    krylov_.stiffness_products(upper_, x, y);
  else
    krylov_.stiffness_products(full_, x, y);
}

template <class T>
void LinearSystem<T>::solve(T* v, double b_norm, StepReport& report) {
  ++report.solves;
  is_definite_ = true;
  if (direct_) {
    if (options_.settings.needs_definite) is_definite_ = direct_->is_positive_definite();
    solve_direct(v);
  } else {
    set_preconditioner();
    if (!is_regular_) return;
    const int before = report.iterations;
    iterate(v, b_norm, report);
    const int taken = report.iterations - before;
    const double decades = std::log10(tolerance_);
    if (!is_definite_)
      first_iterations_ = 0;  // neither its iterations nor its matrix are a measure of those that follow
    else if (first_iterations_ == 0)
      first_iterations_ = std::max(taken, 1), first_decades_ = decades;
    else if (options_.settings.fixed_iterations > 0 || 5.0 * taken * first_decades_ < 7.0 * first_iterations_ * decades)
      first_iterations_ = 0;  // the next matrix refreshes multigrid
    constexpr int kMany = 50;
    const bool is_free = body_.state.prescribed.empty();
    if (options_.preconditioner == Preconditioner::Automatic && !uses_multigrid_ && !is_free && taken > kMany) {
      uses_multigrid_ = diagonal_is_stale_ = true;
      first_iterations_ = 0;
      form_full();
    }
  }
  krylov_.clear_frozen(v, 0, body_.graph.node_count());
  was_solved_ = true;
}

/// A fixed number of iterations, or until the residual is below the tolerance. The solver's recurrence keeps
/// decreasing after rounding has stalled the residual, early in single precision. So the residual is recomputed, and
/// the solver restarted as long as that halves it.
template <class T>
void LinearSystem<T>::iterate(T* v, double b_norm, StepReport& report) {
  numerics::SolverSettings settings = options_.settings;
  settings.tolerance = tolerance_;
  const double scale = b_norm > 0.0 ? b_norm : 1.0;
  int iterations = 0;
  for (double last = std::numeric_limits<double>::infinity();;) {
    numerics::SolverResult result;
    // DEVIATION [MDMJC02]: rows R_i K_ij R_iᵀ make the matrix nonsymmetric, so BiCGSTAB or LU takes the place of CG.
    if (is_symmetric_ && (has_added() || multigrid_)) {
      result = block_conjugate_gradient(v, b_norm, settings);
    } else if (is_symmetric_) {
      result = krylov_.conjugate_gradient(upper_, v, b_norm, settings);
    } else {
      with_added([&] {
        const auto kept = krylov_.inverse_diagonal;
        if (!added_.empty()) invert_diagonal();  // stiff blocks on few nodes
        result = krylov_.bicgstab(full_, v, b_norm, settings);
        krylov_.inverse_diagonal = kept;
      });
    }
    iterations += result.iterations;
    report.iterations += result.iterations;
    report.residual = result.residual;
    is_definite_ = !result.is_indefinite;
    if (!result.converged && !result.is_indefinite) return;  // a fixed number of iterations
    report.tolerance = settings.tolerance;
    report.may_miss_tolerance = options_.may_miss_tolerance;
    if (result.is_indefinite) {
      report.converged = false;
      return;
    }
    report.residual = form_residual(v) / scale;
    report.converged = report.residual <= settings.tolerance;
    settings.max_iterations = options_.settings.max_iterations - iterations;
    if (*report.converged || !*result.converged || settings.max_iterations <= 0) return;
    if (!(report.residual < 0.5 * last)) return;
    last = report.residual;
  }
}

/// r = b − A v in the arithmetic of the step. Returns ‖r‖₂.
template <class T>
double LinearSystem<T>::form_residual(const T* v) {
  T* r = krylov_.residual.data();
  stiffness_products({v, v}, {product_.data(), r});
  for (const NodeBlock& added : added_) {
    const std::size_t n = 4 * std::size_t(added.node);
    const Vector3 push = added.block * Vector3(v[n], v[n + 1], v[n + 2]);
    for (std::size_t c = 0; c < 3; ++c) r[n + c] += T(push[Eigen::Index(c)]);
  }
  add_couplings(v, r, true);
  krylov_.clear_frozen(r, 0, body_.graph.node_count());
  double square = 0.0;
  for (std::size_t n = 0; n < right_side_.size(); ++n) {
    r[n] = right_side_[n] - weights_[n / 4] * v[n] - r[n];
    square += double(r[n]) * double(r[n]);
  }
  return std::sqrt(square);
}

template <class T>
void LinearSystem<T>::exchange_matrix() {
  if (!aside_) aside_.emplace(body_.graph.edges);
  std::swap(upper_, *aside_);
}

template <class T>
double LinearSystem<T>::curvature(const T* v) {
  form_residual(v);
  double sum = 0.0;
  for (std::size_t n = 0; n < right_side_.size(); ++n) sum += double(v[n]) * double(right_side_[n] - residual()[n]);
  return sum;
}

template <class T>
Preconditioner LinearSystem<T>::preconditioner() const {
  if (options_.preconditioner != Preconditioner::Automatic) return options_.preconditioner;
  return uses_multigrid_ ? Preconditioner::Multigrid : Preconditioner::Mass;
}

template <class T>
void LinearSystem<T>::set_preconditioner() {
  auto& inverse = krylov_.inverse_diagonal;
  if (preconditioner() == Preconditioner::None) return;
  if (preconditioner() == Preconditioner::Multigrid) return refresh_multigrid();
  if (!inverse.empty() && (preconditioner() == Preconditioner::Mass || !diagonal_is_stale_)) return;
  diagonal_is_stale_ = false;
  inverse.resize(right_side_.size());
  if (preconditioner() == Preconditioner::Mass) {
    for (std::size_t i = 0; i < weights_.size(); ++i)
      for (std::size_t k = 0; k < 4; ++k) inverse[4 * i + k] = T(1) / weights_[i];
    return;
  }
  invert_diagonal();
}

template <class T>
void LinearSystem<T>::invert_diagonal() {
  auto& inverse = krylov_.inverse_diagonal;
  inverse.resize(right_side_.size());
  if (is_symmetric_)
    upper_.diagonal_entries(inverse.data());
  else
    full_.diagonal_entries(inverse.data());
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) inverse[4 * i + k] = T(1) / inverse[4 * i + k];
    inverse[4 * i + 3] = T(0);
  }
}

template <class T>
void LinearSystem<T>::refresh_multigrid() {
  if (!multigrid_) {
    Points places(Eigen::Index(weights_.size()), 3);
    for (Eigen::Index i = 0; i < places.rows(); ++i)
      places.row(i) = body_.scene.tet_mesh.rest_positions.row(body_.graph.node_of[std::size_t(i)]);
    multigrid_.emplace(places, body_.graph.edges, body_.state.prescribed, body_.state.prescribed_components);
    first_iterations_ = 0;
  }
  if (diagonal_is_stale_ && first_iterations_ == 0) is_regular_ = multigrid_->refresh(full_);
  diagonal_is_stale_ = false;
}

template <class T>
void LinearSystem<T>::matrix_of_nodes(Eigen::SparseMatrix<double>& to) const {
  if (is_symmetric_ && !has_formed_full_)
    upper_.to_sparse(to);
  else
    full_.to_sparse(to);
  if (formed_couplings_.empty()) return;
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(144 * formed_couplings_.size());
  for (const NodeCoupling& coupling : formed_couplings_)
    for (Eigen::Index i = 0; i < 12; ++i)
      for (Eigen::Index j = 0; j < 12; ++j)
        if (i / 3 != j / 3)
          entries.emplace_back(3 * coupling.nodes[std::size_t(i / 3)] + int(i % 3),
                               3 * coupling.nodes[std::size_t(j / 3)] + int(j % 3), coupling.block(i, j));
  Eigen::SparseMatrix<double> sum(to.rows(), to.cols());
  sum.setFromTriplets(entries.begin(), entries.end());
  to += sum;
}

template <class T>
bool LinearSystem<T>::factorise() {
  if (!couplings_.empty() || pattern_has_couplings_)
    direct_.emplace(numerics::DirectSolver::Kind::SymmetricPositiveDefinite);
  pattern_has_couplings_ = !couplings_.empty();
  if (is_symmetric_)
    matrix_of_nodes(all_rows_);
  else
    with_added([&] { matrix_of_nodes(all_rows_); });
  free_rows_.clear();
  std::vector<int> row(std::size_t(all_rows_.rows()), 0);
  body_.state.each_prescribed([&](std::size_t, std::size_t node, std::size_t c) { row[3 * node + c] = -1; });
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (row[i] < 0) continue;
    row[i] = int(free_rows_.size());
    free_rows_.push_back(int(i));
  }
  unknowns_.resize(Eigen::Index(free_rows_.size()), Eigen::Index(free_rows_.size()));
  unknowns_.reserve(all_rows_.nonZeros());
  for (int j = 0; j < unknowns_.outerSize(); ++j) {
    unknowns_.startVec(j);
    for (Eigen::SparseMatrix<double>::InnerIterator it(all_rows_, free_rows_[std::size_t(j)]); it; ++it) {
      if (row[std::size_t(it.row())] < 0) continue;
      if (!std::isfinite(it.value())) return false;
      unknowns_.insertBack(row[std::size_t(it.row())], j) = it.value();
    }
  }
  unknowns_.finalize();
  return direct_->factorise(unknowns_);
}

template <class T>
void LinearSystem<T>::solve_direct(T* v) {
  if (!is_regular_) return;
  Eigen::VectorXd b{Eigen::Index(free_rows_.size())};
  for (std::size_t i = 0; i < free_rows_.size(); ++i)
    b[Eigen::Index(i)] = double(right_side_[4 * std::size_t(free_rows_[i] / 3) + std::size_t(free_rows_[i] % 3)]);
  const Eigen::VectorXd solution = direct_->solve(b);
  for (std::size_t i = 0; i < free_rows_.size(); ++i)
    v[4 * std::size_t(free_rows_[i] / 3) + std::size_t(free_rows_[i] % 3)] = T(solution[Eigen::Index(i)]);
}

template <class T>
Eigen::SparseMatrix<double> LinearSystem<T>::solved_matrix() const {
  if (!was_solved_) return {};
  Eigen::SparseMatrix<double> a;
  matrix_of_nodes(a);
  return body_.graph.in_mesh_order(a);
}

template <class T>
Eigen::SparseMatrix<double> system_of_free_vertices(const Body<T>& body, const Eigen::SparseMatrix<double>& k, double c,
                                                    double mass_factor) {
  std::vector<int> row(std::size_t(k.rows()), 0);
  body.state.each_prescribed([&](std::size_t, std::size_t node, std::size_t component) {
    row[3 * std::size_t(body.graph.node_of[node]) + component] = -1;
  });
  int free = 0;
  for (int& r : row)
    if (r == 0) r = free++;
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(std::size_t(k.nonZeros()) + row.size());
  for (int column = 0; column < k.outerSize(); ++column)
    for (Eigen::SparseMatrix<double>::InnerIterator it(k, column); it; ++it)
      if (row[std::size_t(it.row())] >= 0 && row[std::size_t(column)] >= 0)
        entries.emplace_back(row[std::size_t(it.row())], row[std::size_t(column)], c * it.value());
  for (std::size_t i = 0; i < row.size(); ++i)
    if (row[i] >= 0) entries.emplace_back(row[i], row[i], body.masses[Eigen::Index(i / 3)] * mass_factor);
  Eigen::SparseMatrix<double> a(free, free);
  a.setFromTriplets(entries.begin(), entries.end());
  return a;
}

template Eigen::SparseMatrix<double> system_of_free_vertices(const Body<float>&, const Eigen::SparseMatrix<double>&,
                                                             double, double);
template Eigen::SparseMatrix<double> system_of_free_vertices(const Body<double>&, const Eigen::SparseMatrix<double>&,
                                                             double, double);
template class LinearSystem<float>;
template class LinearSystem<double>;

}  // namespace deformbench::fem

// SPDX-License-Identifier: BSD-3-Clause
#include "methods/fem/fem_simulation.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <optional>

#include "methods/facets.hpp"
#include "methods/fem/body_state.hpp"
#include "methods/fem/vertex_warping.hpp"
#include "methods/fem/warped_elements.hpp"
#include "methods/numerics/direct_solver.hpp"
#include "methods/numerics/team.hpp"

namespace deformbench::fem {
namespace {

enum Phase { Rotation, Assembly, Solve, Other };

class PhaseClock {
 public:
  explicit PhaseClock(bool on) : on_(on) {}
  void start() {
    if (!on_) return;
    seconds.fill(0.0);
    last_ = std::chrono::steady_clock::now();
  }
  void charge(Phase phase) {
    if (!on_) return;
    const auto now = std::chrono::steady_clock::now();
    seconds[phase] += std::chrono::duration<double>(now - last_).count();
    last_ = now;
  }
  std::array<double, 4> seconds{};

 private:
  bool on_;
  std::chrono::steady_clock::time_point last_;
};

template <class T>
class FemSimulation final : public Simulation,
                            public ElasticityFacet,
                            public RotationFacet,
                            public StressFacet,
                            public SystemOperatorFacet,
                            public PhaseTimesFacet {
 public:
  FemSimulation(const Scene& scene, const FemOptions& options, const RunContext& context)
      : scene_(scene),
        options_(options),
        threads_(std::clamp(context.threads, 1, std::max(1, int(scene.tet_mesh.vertex_count()) / 64))),
        scale_(scene.time_step * (scene.time_step + options.stiffness_damping)),
        graph_(scene_.tet_mesh),
        body_(scene_, graph_),
        krylov_(graph_.edges, body_.prescribed, threads_),
        masses_(lumped_masses(scene_)),
        clock_(context.time_phases) {
    if (options.warping == Warping::Vertex) model_ = std::make_unique<VertexModel>(scene_);
    else model_ = std::make_unique<ElementModel>(scene_, options.rotation);

    const std::size_t size = body_.positions.size();
    right_side_.assign(size, T(0));
    product_.assign(size, T(0));
    rest_force_.assign(size, T(0));
    weights_.resize(body_.masses.size());
    const T damped = T(1.0 + options.mass_damping * scene.time_step);
    for (std::size_t i = 0; i < weights_.size(); ++i) weights_[i] = damped * body_.masses[i];

    if (options.warping == Warping::Vertex) vertices_.emplace(scene_, graph_, scale_);
    else elements_.emplace(scene_, graph_, options.rotation, scale_);
    // Half the matrix is faster at every size measured, 540 to 10⁶ elements; only vertex warping is not symmetric.
    if (options.warping == Warping::Vertex) full_ = numerics::FullBlockMatrix<T>(graph_.edges);
    else upper_ = numerics::UpperBlockMatrix<T>(graph_.edges);
    if (options.direct)
      direct_.emplace(options.warping == Warping::Vertex ? numerics::DirectSolver::Kind::General
                                                         : numerics::DirectSolver::Kind::SymmetricPositiveDefinite);
    if (options.warping == Warping::None) {
      assemble();
      elements_->release();
      if (direct_) factorised_ = factorise();
    }
  }

  StepReport step() override {
    clock_.start();
    StepReport report;
    report.solves = 1;
    body_.begin_step();
    clock_.charge(Other);
    if (options_.warping != Warping::None) {
      rotate();
      clock_.charge(Rotation);
      assemble();
      report.assemblies = 1;
      clock_.charge(Assembly);
      if (direct_) factorised_ = factorise();
    }
    if (full_.nodes() > 0) solve(full_, report);
    else solve(upper_, report);
    clock_.charge(Solve);

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
    clock_.charge(Other);
    return report;
  }

  StateView state() const override {
    if (state_is_stale_) {
      body_.write_positions(positions_);
      body_.write_velocities(velocities_);
      state_is_stale_ = false;
    }
    return {body_.time, PointsView(positions_.data(), positions_.rows(), 3),
            PointsView(velocities_.data(), velocities_.rows(), 3), ScalarsView(masses_.data(), masses_.size())};
  }

  double elastic_energy(const Eigen::Ref<const Points>& x) const override { return model_->energy(x); }
  Points elastic_forces(const Eigen::Ref<const Points>& x) const override { return model_->forces(x); }
  std::vector<Matrix3> rotations(const Eigen::Ref<const Points>& x) const override { return model_->rotations(x); }
  /// B-IVM-3: the printed listing uses x⁺ with the rotation of x, that of the last step's matrix.
  std::vector<Vector6> element_stresses(const Eigen::Ref<const Points>& x) const override {
    const bool stale = options_.warping == Warping::Element && !options_.fresh_stress_rotation && stepped_;
    return model_->stresses(x, stale ? elements_->rotations() : model_->element_rotations(x));
  }
  Eigen::SparseMatrix<double> system_matrix(const Eigen::Ref<const Points>& x) const override {
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
        entries.emplace_back(row[i], row[i], masses_[Eigen::Index(i / 3)] * (1.0 + options_.mass_damping * scene_.time_step));
    Eigen::SparseMatrix<double> a(free, free);
    a.setFromTriplets(entries.begin(), entries.end());
    return a;
  }
  Eigen::SparseMatrix<double> stiffness_matrix(const Eigen::Ref<const Points>& x) const override {
    return model_->stiffness(x);
  }
  double stiffness_bound() const override { return model_->stiffness_bound(); }

  std::span<const std::string> phase_names() const override {
    static const std::array<std::string, 4> names = {"rotation", "assembly", "solve", "other"};
    return names;
  }
  std::span<const double> phase_seconds() const override { return clock_.seconds; }

 private:
  void rotate() {
    const T* x = body_.positions.data();
    if (vertices_) {
      vertices_->rotate(x);
      return;
    }
    Matrix3 global = Matrix3::Identity();
    if (options_.rotation.kind == RotationKind::Global) {
      Points now;
      body_.write_positions(now);
      global = best_fit_rotation(scene_, masses_, now, options_.rotation.keep_reflection);
    }
    const long long batches = elements_->batch_count();
    numerics::run_team(threads_, [&](int t) {
      elements_->rotate(x, int(batches * t / threads_), int(batches * (t + 1) / threads_), global);
    });
  }

  void assemble() {
    if (vertices_) {
      vertices_->assemble(weights_.data(), full_, rest_force_.data());
      return;
    }
    numerics::run_team(threads_, [&](int t) {
      const int low = krylov_.ranges()[std::size_t(t)], high = krylov_.ranges()[std::size_t(t) + 1];
      if (full_.nodes() > 0) elements_->assemble(low, high, weights_.data(), full_, rest_force_.data());
      else elements_->assemble(low, high, weights_.data(), upper_, rest_force_.data());
    });
  }

  bool factorise() {
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

  template <class Matrix>
  void solve(Matrix& a, StepReport& report) {
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
      numerics::SolverResult result;
      // DEVIATION [M02]: rows R_i K_ij R_iᵀ make the matrix nonsymmetric, for which CG is not defined.
      if (options_.warping == Warping::Vertex) result = krylov_.bicgstab(full_, v, std::sqrt(norm), options_.solver);
      else result = krylov_.conjugate_gradient(a, v, std::sqrt(norm), options_.solver);
      report.iterations = result.iterations;
      report.residual = result.residual;
    }
    krylov_.clear_frozen(v, 0, nodes);
    add_prescribed(v);
  }

  void add_prescribed(T* to, double factor = 1.0) const {
    for (std::size_t k = 0; k < body_.prescribed.size(); ++k)
      for (std::size_t c = 0; c < 3; ++c)
        to[4 * std::size_t(body_.prescribed[k]) + c] +=
            T(factor * body_.prescribed_velocities()(Eigen::Index(k), Eigen::Index(c)));
  }

  void solve_direct(T* v) {
    if (!factorised_) return;
    Eigen::VectorXd b{Eigen::Index(free_rows_.size())};
    for (std::size_t i = 0; i < free_rows_.size(); ++i)
      b[Eigen::Index(i)] = double(right_side_[4 * std::size_t(free_rows_[i] / 3) + std::size_t(free_rows_[i] % 3)]);
    const Eigen::VectorXd solution = direct_->solve(b);
    for (std::size_t i = 0; i < free_rows_.size(); ++i)
      v[4 * std::size_t(free_rows_[i] / 3) + std::size_t(free_rows_[i] % 3)] = T(solution[Eigen::Index(i)]);
  }

  template <class Matrix>
  void set_preconditioner(const Matrix& a) {
    auto& inverse = krylov_.inverse_diagonal;
    if (options_.preconditioner == Preconditioner::None) return;
    if (options_.preconditioner == Preconditioner::Mass && !inverse.empty()) return;
    if (options_.preconditioner == Preconditioner::Jacobi && !inverse.empty() && options_.warping == Warping::None) return;
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

  const Scene scene_;
  const FemOptions options_;
  const int threads_;
  const double scale_;  ///< c = Δt (Δt + β), s²
  const MeshGraph graph_;
  BodyState<T> body_;
  numerics::KrylovSpace<T> krylov_;
  const Eigen::VectorXd masses_;
  PhaseClock clock_;
  std::unique_ptr<ElasticModel> model_;
  std::optional<WarpedElements<T>> elements_;
  std::optional<VertexWarping<T>> vertices_;
  numerics::FullBlockMatrix<T> full_;
  numerics::UpperBlockMatrix<T> upper_;
  std::optional<numerics::DirectSolver> direct_;
  std::vector<int> free_rows_;  ///< scalar row of the graph's order behind each unknown of the factorisation
  bool factorised_ = true;
  numerics::AlignedVector<T> operand_, right_side_, product_, rest_force_, weights_;
  mutable Points positions_, velocities_;
  mutable bool state_is_stale_ = true;
  bool stepped_ = false;
};

}  // namespace

std::unique_ptr<Simulation> make_fem_simulation(const Scene& scene, const FemOptions& options,
                                                const RunContext& context) {
  if (options.single_precision) return std::make_unique<FemSimulation<float>>(scene, options, context);
  return std::make_unique<FemSimulation<double>>(scene, options, context);
}

}  // namespace deformbench::fem

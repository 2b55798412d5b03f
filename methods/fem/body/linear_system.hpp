// SPDX-License-Identifier: BSD-3-Clause
// The linear system of a step or Newton iteration, A v = b with A = diag(w) + K, and its solvers: conjugate
// gradients (BiCGSTAB if A is not symmetric) or a sparse factorisation. Nodes in the graph's order, four numbers per
// node; prescribed components are not unknowns.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "methods/facets.hpp"
#include "methods/fem/body/body.hpp"
#include "methods/numerics/conjugate_gradient.hpp"
#include "methods/numerics/direct_solver.hpp"
#include "methods/numerics/lattice_multigrid.hpp"

namespace deformbench::fem {

enum class Preconditioner {
  None,    ///< as printed
  Jacobi,  ///< diagonal of the system matrix
  Mass,    ///< the weights w, lumped masses: keeps the momentum exact (B-IVM-15)
  /// A V-cycle (lattice_multigrid.hpp): its matrices are reused until a solve takes over 1.4 times the iterations
  /// per decade of tolerance of the first solve with them.
  Multigrid,
  /// Mass until a solve takes more than 50 iterations, then multigrid; always mass if nothing is prescribed, so a
  /// free body keeps its momentum exactly. On a bar of 20,000 elements, 50 cost as much as the two to four of
  /// multigrid that replace them, refreshes included.
  Automatic,
};

struct LinearSolverOptions {
  bool direct = false;  ///< factorise instead of iterating
  numerics::SolverSettings settings;
  bool may_miss_tolerance = false;  ///< continue if the solver stops before its tolerance
  Preconditioner preconditioner = Preconditioner::Mass;
};

template <class T>
class LinearSystem final : public SimulationPart, public StepMatrixFacet {
 public:
  /// Keeps a reference to `body`, which must outlive it. If symmetric, rows of K must sum to zero, and only blocks
  /// i < j are stored (faster at every size measured, 540 to 10⁶ elements).
  LinearSystem(const Body<T>& body, const LinearSolverOptions& options, bool is_symmetric);

  bool is_direct() const { return direct_.has_value(); }
  numerics::UpperBlockMatrix<T>& upper() { return upper_; }
  numerics::FullBlockMatrix<T>& full() { return full_; }
  numerics::AlignedVector<T>& weights() { return weights_; }        ///< w, kg, one per node
  numerics::AlignedVector<T>& right_side() { return right_side_; }  ///< b
  const numerics::AlignedVector<T>& right_side() const { return right_side_; }
  numerics::AlignedVector<T>& residual() { return krylov_.residual; }
  void clear_prescribed(T* y, int low, int high) const { krylov_.clear_frozen(y, low, high); }

  /// Observer of conjugate gradients; null (default): none.
  void watch(numerics::IterateWatch<T>* watch) { krylov_.watch = watch; }
  /// A as it was when matrix_has_changed was called last, for all nodes, 3n×3n in the graph's order, kg.
  void matrix_of_nodes(Eigen::SparseMatrix<double>& to) const;

  /// Positive semidefinite blocks D, ascending by node, added to the next matrix's diagonal: A = diag(w) + K + D.
  std::vector<NodeBlock>& added_blocks() { return added_; }
  /// Positive semidefinite couplings C of nodes, added to the next matrix: A = diag(w) + K + D + C. Only if
  /// symmetric. Products add them one by one, so that no pattern is rebuilt; a factorisation assembles them.
  std::vector<NodeCoupling>& couplings() { return couplings_; }
  /// Call after every assembly.
  void matrix_has_changed();
  /// False if a factorisation or multigrid failed.
  bool is_regular() const { return is_regular_; }
  /// False when the last solve found a direction p with pᵀAp ≤ 0, or a pivot ≤ 0; checked only if
  /// `settings.needs_definite`.
  bool is_definite() const { return is_definite_; }
  /// vᵀAv of the present K, D and C, kg times the unit of v squared; v: four numbers per node, zero in prescribed rows.
  /// Overwrites `residual`.
  double curvature(const T* v);
  /// Swaps diag(w) + K with a spare matrix, so that one can be formed without being solved. Only if symmetric.
  void exchange_matrix();
  /// y = K x for two operands at once.
  void stiffness_products(std::array<const T*, 2> x, std::array<T*, 2> y);
  /// Later solves stop at ‖b − A v‖₂ ≤ tolerance ‖b‖₂; default: the options' one.
  void set_tolerance(double tolerance) { tolerance_ = tolerance; }
  /// Starts from v and its `residual` b − A v. Adds to iterations, sets residual and convergence of the report.
  /// Prescribed rows of v are zero afterwards.
  void solve(T* v, double b_norm, StepReport& report);

  Eigen::SparseMatrix<double> solved_matrix() const override;
  /// Call after Body::follow.
  void follow();

 private:
  void iterate(T* v, double b_norm, StepReport& report);
  double form_residual(const T* v);
  Preconditioner preconditioner() const;
  void set_preconditioner();
  void invert_diagonal();
  bool has_added() const { return !added_.empty() || !couplings_.empty(); }
  /// Sets full_ to diag(w) + K + D + the diagonal blocks of C. Only if symmetric.
  void form_full();
  /// Calls work() with the added blocks in full_. Only if not symmetric.
  template <class Work>
  void with_added(Work&& work);
  /// y += C x, with or without the blocks on the diagonal.
  void add_couplings(const T* x, T* y, bool with_diagonal) const;
  void refresh_multigrid();
  /// Conjugate gradients on the whole matrix, preconditioned by multigrid or by its 3×3 diagonal blocks: with stiff
  /// blocks on few nodes, other preconditioners need many times the iterations.
  numerics::SolverResult block_conjugate_gradient(T* v, double b_norm, const numerics::SolverSettings& settings);
  bool factorise();
  void solve_direct(T* v);

  const Body<T>& body_;
  const LinearSolverOptions options_;
  const bool is_symmetric_;
  double tolerance_ = options_.settings.tolerance;
  std::vector<NodeBlock> added_;
  std::vector<std::array<double, 9>> diagonal_;  ///< of full_, in put_block's layout; empty until it is formed
  numerics::AlignedVector<T> inverse_blocks_;    ///< 9 numbers per node, by rows
  numerics::KrylovSpace<T> krylov_;
  numerics::FullBlockMatrix<T> full_;
  numerics::UpperBlockMatrix<T> upper_;
  std::optional<numerics::UpperBlockMatrix<T>> aside_;
  std::optional<numerics::LatticeMultigrid> multigrid_;
  int first_iterations_ = 0;     ///< of the first solve since the last multigrid refresh; 0: none
  double first_decades_ = 0.0;   ///< log₁₀ of its tolerance, negative
  bool uses_multigrid_ = false;  ///< Automatic has switched to it
  std::optional<numerics::DirectSolver> direct_;
  std::vector<int> free_rows_;  ///< scalar row, in the graph's order, of each unknown of the factorisation
  Eigen::SparseMatrix<double> all_rows_, unknowns_;  ///< A, and its free rows: kept to reuse their memory
  bool is_regular_ = true, is_definite_ = true, diagonal_is_stale_ = true, was_solved_ = false;
  numerics::AlignedVector<T> weights_, right_side_, product_;
  std::vector<NodeCoupling> couplings_, formed_couplings_;  ///< of the next matrix, of the last
  bool has_formed_full_ = false;                            ///< the last one has added blocks or couplings
  bool pattern_has_couplings_ = false;                      ///< of the factorisation
};

/// mass_factor·M + c K on the components not prescribed, in mesh order. `k`: 3n×3n, of all vertices.
template <class T>
Eigen::SparseMatrix<double> system_of_free_vertices(const Body<T>& body, const Eigen::SparseMatrix<double>& k, double c,
                                                    double mass_factor);

extern template class LinearSystem<float>;
extern template class LinearSystem<double>;

}  // namespace deformbench::fem

// SPDX-License-Identifier: BSD-3-Clause
// The linear system of a step or of a Newton iteration, A v = b with A = diag(w) + K, and its solvers: conjugate
// gradients (BiCGSTAB if A is not symmetric) or a sparse factorisation. Nodes in the graph's order, four numbers per
// node; prescribed nodes are not unknowns.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "methods/facets.hpp"
#include "methods/fem/body/body.hpp"
#include "methods/numerics/conjugate_gradient.hpp"
#include "methods/numerics/direct_solver.hpp"

namespace deformbench::fem {

enum class Preconditioner {
  None,    ///< as printed
  Jacobi,  ///< diagonal of the system matrix
  Mass,    ///< the weights w, lumped masses: keeps the momentum exact (B-IVM-15)
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
  /// Keeps a reference to `body`, which must outlive it. If symmetric, rows of K must sum to zero, and only its upper
  /// triangle is stored (faster at every size measured, 540 to 10⁶ elements).
  LinearSystem(const Body<T>& body, const LinearSolverOptions& options, bool is_symmetric);

  bool is_direct() const { return direct_.has_value(); }
  numerics::UpperBlockMatrix<T>& upper() { return upper_; }
  numerics::FullBlockMatrix<T>& full() { return full_; }
  numerics::AlignedVector<T>& weights() { return weights_; }        ///< w, kg, one per node
  numerics::AlignedVector<T>& right_side() { return right_side_; }  ///< b
  numerics::AlignedVector<T>& residual() { return krylov_.residual; }
  void clear_prescribed(T* y, int low, int high) const { krylov_.clear_frozen(y, low, high); }

  /// Observer of conjugate gradients; null (default): none.
  void watch(numerics::IterateWatch<T>* watch) { krylov_.watch = watch; }
  /// A as stored, for all nodes, 3n×3n in the graph's order.
  void matrix_of_nodes(Eigen::SparseMatrix<double>& to) const;

  /// Blocks D, positive semidefinite and ascending by node, that the next matrix has on its diagonal: A = diag(w) + K +
  /// D. Only if symmetric.
  std::vector<NodeBlock>& added_blocks() { return added_; }
  /// Call after every assembly.
  void matrix_has_changed();
  /// False when the matrix could not be factorised.
  bool is_regular() const { return is_regular_; }
  /// y = K x for two operands at once.
  void stiffness_products(std::array<const T*, 2> x, std::array<T*, 2> y);
  /// Starts from v and its `residual` b − A v. Adds to iterations, sets residual and convergence of the report.
  /// Prescribed rows of v are zero afterwards.
  void solve(T* v, double b_norm, StepReport& report);

  Eigen::SparseMatrix<double> solved_matrix() const override;
  /// Call after Body::follow.
  void follow();

 private:
  void size_vectors();
  void iterate(T* v, double b_norm, StepReport& report);
  double form_residual(const T* v);
  void set_preconditioner();
  /// The whole matrix, with added blocks.
  void form_full();
  /// Conjugate gradients on the whole matrix with its 3×3 diagonal blocks as preconditioner: with stiff blocks on few
  /// nodes, other preconditioners need many times the iterations.
  numerics::SolverResult block_conjugate_gradient(T* v, double b_norm, const numerics::SolverSettings& settings);
  bool factorise();
  void solve_direct(T* v);

  const Body<T>& body_;
  const LinearSolverOptions options_;
  const bool is_symmetric_;
  std::vector<NodeBlock> added_;
  std::vector<Matrix3> diagonal_;              ///< of the whole matrix; empty until there are added blocks
  numerics::AlignedVector<T> inverse_blocks_;  ///< 9 numbers per node, by rows
  numerics::KrylovSpace<T> krylov_;
  numerics::FullBlockMatrix<T> full_;
  numerics::UpperBlockMatrix<T> upper_;
  std::optional<numerics::DirectSolver> direct_;
  std::vector<int> free_rows_;  ///< scalar row of the graph's order behind each unknown of the factorisation
  Eigen::SparseMatrix<double> all_rows_, unknowns_;  ///< A, and its free rows: kept to reuse their memory
  bool is_regular_ = true, diagonal_is_stale_ = true, was_solved_ = false;
  numerics::AlignedVector<T> weights_, right_side_, product_;
};

/// mass_factor·M + c K of the vertices that are not prescribed, in the order of the mesh. `k`: 3n×3n, of all vertices.
template <class T>
Eigen::SparseMatrix<double> system_of_free_vertices(const Body<T>& body, const Eigen::SparseMatrix<double>& k, double c,
                                                    double mass_factor);

extern template class LinearSystem<float>;
extern template class LinearSystem<double>;

}  // namespace deformbench::fem

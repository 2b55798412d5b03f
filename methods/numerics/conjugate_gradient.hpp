// SPDX-License-Identifier: BSD-3-Clause
// Conjugate gradients on the block matrices, one thread or a team. Vector updates are fused with the matrix product:
// rows are processed in chunks, and x, p are updated just ahead of the rows that the product reads. BiCGSTAB for the
// nonsymmetric matrix of vertex warping.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "methods/numerics/aligned_vector.hpp"
#include "methods/numerics/block_matrix.hpp"
#include "methods/numerics/components.hpp"

namespace deformbench::numerics {

struct SolverSettings {
  int fixed_iterations = 0;     ///< > 0: exactly this many (fewer if the residual is 0 or not finite)
  double tolerance = 1e-10;     ///< else until ‖r‖₂ ≤ tolerance ‖b‖₂ …
  int max_iterations = 10000;   ///< … or this many iterations
  bool needs_definite = false;  ///< conjugate gradients stop when pᵀAp ≤ 0; x is then unusable
};

struct SolverResult {
  int iterations = 0;
  double residual = 0.0;               ///< ‖r‖₂/‖b‖₂ by the recurrence; ‖r‖₂ where b = 0
  std::optional<bool> converged = {};  ///< residual ≤ tolerance; empty for a fixed number of iterations
  bool is_indefinite = false;          ///< stopped by `needs_definite`
};

/// Observer of the iterates of conjugate gradients, called by the solving thread or by the first of a team.
template <class T>
class IterateWatch {
 public:
  virtual ~IterateWatch() = default;
  virtual void stop_clock() = 0;     ///< before any work for the observer
  virtual void see(const T* x) = 0;  ///< x after one more iteration
};

/// Data of a solver besides the matrix. Rows of `frozen` nodes (sorted) are not unknowns: x keeps its value there.
/// `components` selects the rows, one entry per frozen node; if empty, all three. The residual must be zero in those
/// rows. `inverse_diagonal` (4 numbers per node) is the preconditioner unless empty.
template <class T>
class KrylovSpace {
 public:
  KrylovSpace() = default;
  KrylovSpace(const EdgePattern& pattern, std::vector<int> frozen, int threads,
              std::vector<Components> components = {});

  AlignedVector<T> residual;          ///< in: b − A x; out: the last residual
  AlignedVector<T> inverse_diagonal;  ///< empty: none
  IterateWatch<T>* watch = nullptr;   ///< of conjugate_gradient; null: none. Changes no bit of the solution
  int threads() const { return int(ranges_.size()) - 1; }
  const std::vector<int>& ranges() const { return ranges_; }
  const std::vector<int>& frozen() const { return frozen_; }
  /// Sets the frozen rows of nodes in [low, high) to zero.
  void clear_frozen(T* y, int low, int high) const;

  /// y = K x (rows summing to zero, no diagonal) for two operands at once, formed from differences, by the whole team.
  void stiffness_products(const FullBlockMatrix<T>& a, std::array<const T*, 2> x, std::array<T*, 2> y);
  void stiffness_products(const UpperBlockMatrix<T>& a, std::array<const T*, 2> x, std::array<T*, 2> y);

  /// Solves A x = b for symmetric positive definite A; `b_norm` = ‖b‖₂ scales the residual.
  template <class Matrix>
  SolverResult conjugate_gradient(const Matrix& a, T* x, double b_norm, const SolverSettings& settings);
  /// Solves A x = b for any regular A, one thread; right-preconditioned.
  SolverResult bicgstab(const FullBlockMatrix<T>& a, T* x, double b_norm, const SolverSettings& settings);

 private:
  struct Team;
  struct Dots {
    double rr = 0.0, rz = 0.0;  ///< r·r, r·z
  };
  /// r −= step q on rows [low, high), and their share of the dot products.
  template <bool Weighted>
  void update_residual(T step, int low, int high, Dots& dots);
  template <class Matrix, bool Weighted>
  SolverResult cg_alone(const Matrix& a, T* x, double b_norm, const SolverSettings& settings);
  template <class Matrix, bool Weighted>
  void cg_thread(int thread, Team& team, const Matrix& a, T* x, double b_norm, const SolverSettings& settings);
  /// Shows the iterate x + alpha p + owed (p − z), including updates not yet applied to x.
  template <bool Weighted>
  void show(const T* x, T alpha, T owed);
  /// The thread's halo for operand `which`, cleared: receives its results for rows ≥ high.
  T* beyond(int thread, int high, T* y, std::size_t which = 0);
  /// Sets the frozen rows of the k-th frozen node to zero.
  void clear_node(T* y, std::size_t k) const;
  void reserve_halo(const UpperBlockMatrix<T>& a);
  void add_halos(int low, int high, int thread, T* y, std::size_t which = 0) const;

  std::vector<int> ranges_{0, 0}, frozen_;
  std::vector<Components> components_;  ///< empty: all three of every frozen node
  AlignedVector<T> direction_, product_;
  AlignedVector<T> shown_;  ///< x for the watch
  std::array<std::vector<AlignedVector<T>>, 2>
      halos_;  ///< per operand and thread: results for the rows after its range
};

extern template class KrylovSpace<float>;
extern template class KrylovSpace<double>;

}  // namespace deformbench::numerics

// SPDX-License-Identifier: BSD-3-Clause
// Square matrices of 3×3 blocks whose pattern is built once from a mesh and filled again every step. Vectors have
// four numbers a node, of which the last is zero. Two storages of one matrix A = diag(w) + K:
//   FullBlockMatrix   every block, padded to 3 columns of 4: fastest while it fits a cache; K may be nonsymmetric
//   UpperBlockMatrix  symmetric K of which rows sum to zero: blocks above the diagonal only, 9 numbers each, and no
//                     diagonal: (K x)_i = Σ_j K_ij (x_j − x_i). A third of the memory.
#pragma once

#include <Eigen/SparseCore>
#include <vector>

#include "methods/numerics/aligned_vector.hpp"

namespace deformbench::numerics {

/// Neighbour pairs i < j of an undirected graph, sorted by i, then j.
struct EdgePattern {
  int nodes = 0;
  std::vector<int> row_start;  ///< n+1, into `column`
  std::vector<int> column;     ///< j of each edge
  int edge_count() const { return int(column.size()); }
  int row_of(int edge) const;  ///< O(log n)
};

/// Splits nodes into `threads` ranges of about equal work (edges + nodes); threads+1 bounds.
std::vector<int> balanced_ranges(const EdgePattern& pattern, int threads);

/// Rows whose products can be formed once the operand is known up to front(chunk).
inline constexpr int chunk_rows = 32;

template <class T>
class FullBlockMatrix {
 public:
  static constexpr bool scatters = false;
  FullBlockMatrix() = default;
  explicit FullBlockMatrix(const EdgePattern& pattern);

  int nodes() const { return nodes_; }
  int front(int chunk) const { return front_[std::size_t(chunk)]; }
  /// Column-major 3 columns of 4 numbers: block (i, j) and block (j, i) of edge (i < j), and block (i, i).
  T* upper(int edge) { return blocks_.data() + 12 * std::size_t(upper_slot_[std::size_t(edge)]); }
  T* lower(int edge) { return blocks_.data() + 12 * std::size_t(lower_slot_[std::size_t(edge)]); }
  T* diagonal(int node) { return diagonal_.data() + 12 * std::size_t(node); }
  const T* diagonal(int node) const { return diagonal_.data() + 12 * std::size_t(node); }
  void set_zero();

  /// y_i = Σ_j A_ij x_j for rows low ≤ i < high.
  void multiply_rows(int low, int high, const T* x, T* y) const;
  /// y_i = Σ_{j≠i} A_ij (x_j − x_i): K x without the cancellation of large equal numbers, for rows summing to zero.
  void multiply_differences(int low, int high, const T* x, T* y) const;
  /// Diagonal entries of A, 4 numbers a node.
  void diagonal_entries(T* to) const;
  /// A as a scalar sparse matrix (3n×3n).
  Eigen::SparseMatrix<double> to_sparse() const;

 private:
  int nodes_ = 0;
  std::vector<int> row_start_, column_, upper_slot_, lower_slot_, front_;
  AlignedVector<T> blocks_, diagonal_;
};

template <class T>
class UpperBlockMatrix {
 public:
  static constexpr bool scatters = true;
  UpperBlockMatrix() = default;
  /// Keeps a pointer to `pattern`, which must outlive the matrix.
  explicit UpperBlockMatrix(const EdgePattern& pattern);

  int nodes() const { return pattern_ ? pattern_->nodes : 0; }
  int front(int chunk) const { return front_[std::size_t(chunk)]; }
  /// Column-major 9 numbers: block (i, j) of edge (i < j).
  T* upper(int edge) { return blocks_.data() + 9 * std::size_t(edge); }
  const T* upper(int edge) const { return blocks_.data() + 9 * std::size_t(edge); }
  T& weight(int node) { return weight_[std::size_t(node)]; }  ///< w_i
  T weight(int node) const { return weight_[std::size_t(node)]; }
  /// One past the last column that rows [low, high) reach.
  int reach(int low, int high) const;

  /// y += K x over the edges of rows [low, high); results for nodes ≥ limit go to `beyond`, whose first entry is
  /// node `limit`.
  void add_rows_within(int low, int high, int limit, const T* x, T* y, T* beyond) const;
  void add_rows(int low, int high, const T* x, T* y, T* beyond) const { add_rows_within(low, high, high, x, y, beyond); }
  void diagonal_entries(T* to) const;
  Eigen::SparseMatrix<double> to_sparse() const;

 private:
  const EdgePattern* pattern_ = nullptr;
  std::vector<int> front_;
  AlignedVector<T> blocks_, weight_;
};

extern template class FullBlockMatrix<float>;
extern template class FullBlockMatrix<double>;
extern template class UpperBlockMatrix<float>;
extern template class UpperBlockMatrix<double>;

}  // namespace deformbench::numerics

// SPDX-License-Identifier: BSD-3-Clause
// Square matrices of 3×3 blocks whose pattern is built once from a mesh and filled again every step. Vectors have
// four numbers per node, of which the last is zero. Two storages of one matrix A = diag(w) + K:
//   FullBlockMatrix   every block: fastest while it fits a cache; K may be nonsymmetric
//   UpperBlockMatrix  symmetric K whose rows sum to zero: blocks above the diagonal only, 9 numbers each, and no
//                     diagonal: (K x)_i = Σ_j K_ij (x_j − x_i). Half the memory.
// A block B is stored as its cyclic diagonals h = (B00, B11, B22), p = (B20, B01, B12), s = (B10, B21, B02). With
// ∘ the lane-wise product and ↑a = (a1, a2, a0), ↓a = (a2, a0, a1),
//   B d = h∘d + ↑(p∘d) + ↓(s∘d)   and   Bᵀd = h∘d + s∘↑d + p∘↓d:
// a row of products B d is shuffled only at its end, and both products load the same h, p, s.
#pragma once

#include <Eigen/SparseCore>
#include <array>
#include <vector>

#include "methods/model/types.hpp"
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

/// Writes a block as its cyclic diagonals h, p, s: 9 numbers.
template <class T>
void put_block(T* to, const Matrix3& b) {
  for (int k = 0; k < 3; ++k) {
    to[k] = T(b(k, k));
    to[3 + k] = T(b((k + 2) % 3, k));
    to[6 + k] = T(b((k + 1) % 3, k));
  }
}
template <class T>
Matrix3 block_at(const T* from) {
  Matrix3 b;
  for (int k = 0; k < 3; ++k) {
    b(k, k) = double(from[k]);
    b((k + 2) % 3, k) = double(from[3 + k]);
    b((k + 1) % 3, k) = double(from[6 + k]);
  }
  return b;
}

/// Rows of a vector (floats or doubles) that fill whole cache lines; thread ranges start at multiples.
inline constexpr int kLineRows = 4;

/// Rows per chunk; a chunk's product reads operand rows < front(chunk).
inline constexpr int kChunkRows = 32;

template <class T>
class FullBlockMatrix {
 public:
  static constexpr bool scatters = false;
  FullBlockMatrix() = default;
  explicit FullBlockMatrix(const EdgePattern& pattern);

  int nodes() const { return nodes_; }
  int front(int chunk) const { return front_[std::size_t(chunk)]; }
  /// 9 numbers (put_block): block (i, j) and block (j, i) of edge (i < j), and block (i, i).
  T* upper(int edge) { return blocks_.data() + 9 * std::size_t(upper_slot_[std::size_t(edge)]); }
  T* lower(int edge) { return blocks_.data() + 9 * std::size_t(lower_slot_[std::size_t(edge)]); }
  const T* upper(int edge) const { return const_cast<FullBlockMatrix*>(this)->upper(edge); }
  const T* lower(int edge) const { return const_cast<FullBlockMatrix*>(this)->lower(edge); }
  T* diagonal(int node) { return diagonal_.data() + 9 * std::size_t(node); }
  const T* diagonal(int node) const { return diagonal_.data() + 9 * std::size_t(node); }

  /// y_i = Σ_j A_ij x_j for rows low ≤ i < high.
  void multiply_rows(int low, int high, const T* x, T* y) const;
  /// y_i = Σ_{j≠i} A_ij (x_j − x_i): K x without the cancellation of large equal numbers, for rows summing to zero.
  /// For N = 1 or 2 operands in one pass over the matrix.
  template <std::size_t N>
  void multiply_differences(int low, int high, std::array<const T*, N> x, std::array<T*, N> y) const;
  /// Diagonal entries of A, 4 numbers per node.
  void diagonal_entries(T* to) const;
  /// A as a scalar sparse matrix (3n×3n); reuses the memory of `to`.
  void to_sparse(Eigen::SparseMatrix<double>& to) const;
  Eigen::SparseMatrix<double> to_sparse() const {
    Eigen::SparseMatrix<double> a;
    to_sparse(a);
    return a;
  }

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
  /// 9 numbers (put_block): block (i, j) of edge (i < j).
  T* upper(int edge) { return blocks_.data() + 9 * std::size_t(edge); }
  const T* upper(int edge) const { return blocks_.data() + 9 * std::size_t(edge); }
  T& weight(int node) { return weight_[std::size_t(node)]; }  ///< w_i
  T weight(int node) const { return weight_[std::size_t(node)]; }
  /// One past the last column that rows [low, high) reach.
  int reach(int low, int high) const;

  /// y = diag(w) x for rows [low, high); add_rows() completes it to A x.
  void start_product(int low, int high, const T* x, T* y) const;
  /// y += K x for the edges of rows [low, high), with N = 1 or 2 operands in one pass over the matrix; results for
  /// nodes ≥ limit go to `beyond`, whose first entry is node `limit`.
  template <std::size_t N>
  void add_rows(int low, int high, int limit, std::array<const T*, N> x, std::array<T*, N> y,
                std::array<T*, N> beyond) const;
  void diagonal_entries(T* to) const;
  void to_sparse(Eigen::SparseMatrix<double>& to) const;
  Eigen::SparseMatrix<double> to_sparse() const {
    Eigen::SparseMatrix<double> a;
    to_sparse(a);
    return a;
  }

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

// SPDX-License-Identifier: BSD-3-Clause
// The fast half of warped stiffness: rotations of all elements, several a register, and the gather of the step's
// matrix from the rotated gradients. No 12×12 matrix is formed: with b'_a = R b_a and c = Δt (Δt + β) the block of an
// edge is c Σ_e V (λ b'_i b'_jᵀ + μ b'_j b'_iᵀ + μ (b_i·b_j) I). Elements keep B_a = √(cμV) b_a, so that this is
// (λ/μ) S + Sᵀ + κ I with S = Σ_e B'_i B'_jᵀ, and κ = Σ_e B_i·B_j does not change under rotation.
#pragma once

#include <vector>

#include "methods/fem/elastic_model.hpp"
#include "methods/fem/mesh_graph.hpp"
#include "methods/numerics/aligned_vector.hpp"
#include "methods/numerics/block_matrix.hpp"

namespace deformbench::fem {

template <class T>
class WarpedElements {
 public:
  /// `scale` = c = Δt (Δt + β), s². Keeps a pointer to `graph`, which must outlive it.
  WarpedElements(const Scene& scene, const MeshGraph& graph, RotationRule rule, double scale);

  /// Groups of elements that one register holds; the unit of work of `rotate`.
  int batch_count() const { return batches_; }
  /// Rotations at x (4 numbers a node) of batches [low, high). With RotationKind::Global every element gets `global`.
  void rotate(const T* x, int low, int high, const Matrix3& global);
  /// Blocks of the edges of rows [low, high), with the diagonal blocks w_i I + c K'_ii, and the rest force
  /// g_i = Σ_e c (3λ+2μ) V b'_i = −c f0'_i (4 numbers a node).
  void assemble(int low, int high, const T* weights, numerics::FullBlockMatrix<T>& a, T* g) const;
  void assemble(int low, int high, const T* weights, numerics::UpperBlockMatrix<T>& a, T* g) const;
  /// R of every element of the mesh as last extracted.
  std::vector<Matrix3> rotations() const;
  /// Frees what only `rotate` and `assemble` need: for a matrix that stays constant.
  void release();

 private:
  template <bool Uniform, class Matrix>
  void assemble_rows(int low, int high, const T* weights, Matrix& a, T* g) const;

  /// Where in rotated_ the two corners of one of the graph's edge_places start.
  struct Pair {
    unsigned i, j;
  };

  const MeshGraph* graph_;
  RotationRule rule_;
  int batches_ = 0;
  bool uniform_ratio_ = true;  ///< λ/μ the same in all elements
  T ratio_ = T(0);
  std::vector<unsigned> corners_;  ///< 4 a slot: where the node starts in x; padded to whole batches
  std::vector<Pair> pairs_;        ///< as edge_places
  numerics::AlignedVector<T> gradients_;    ///< [batch][corner 1…3 × xyz][lane]: √(cμV) b_a
  numerics::AlignedVector<T> quaternions_;  ///< [batch][wxyz][lane]
  numerics::AlignedVector<T> rotated_;      ///< [slot][corner 0…3][xyz]
  numerics::AlignedVector<T> rest_force_;   ///< [slot]: √(cμV) (3λ/μ + 2)
  numerics::AlignedVector<T> ratios_;       ///< [slot]: λ/μ, empty when uniform
  numerics::AlignedVector<T> edge_trace_;   ///< κ of each edge
  numerics::AlignedVector<T> node_trace_;   ///< κ of each diagonal block
};

extern template class WarpedElements<float>;
extern template class WarpedElements<double>;

}  // namespace deformbench::fem

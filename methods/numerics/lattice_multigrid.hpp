// SPDX-License-Identifier: BSD-3-Clause
// A preconditioner for the symmetric matrices of elastic bodies: one V-cycle in single precision on regular lattices
// that cover the body, independent of its mesh. The finest has a spacing of two mean edges (half the longest, if that
// is more); each further one doubles it. Interpolation P is trilinear in the nodes' rest positions, so it reproduces
// translations and linear maps, also the near null space of a rotated stiffness; coarse matrices are Pᵀ A P
// (Galerkin). Pre- and post-smoothing: a Chebyshev polynomial of degree 3 in D⁻¹ A, D the 3×3 diagonal blocks. The
// coarsest matrix is factorised. The cycle is symmetric and, up to the rounding of single precision, linear in r.
#pragma once

#include <Eigen/Cholesky>
#include <array>
#include <vector>

#include "methods/numerics/block_matrix.hpp"
#include "methods/numerics/components.hpp"

namespace deformbench::numerics {

class LatticeMultigrid {
 public:
  /// `places` (m, n×3): rest positions. Rows of `frozen` nodes are not unknowns; `components` selects the rows,
  /// one entry per frozen node; if empty, all three.
  LatticeMultigrid(const Points& places, const EdgePattern& edges, std::vector<int> frozen,
                   std::vector<Components> components);

  /// Copies a matrix on the constructor's edges. False (do not apply) if it is not finite or indefinite.
  template <class T>
  bool refresh(const FullBlockMatrix<T>& a);
  /// z ≈ A⁻¹ r; four numbers per node, those of frozen rows are zero.
  template <class T>
  void apply(const T* r, T* z);
  int level_count() const { return int(levels_.size()); }

 private:
  using Vector = AlignedVector<float>;
  /// Interpolation to one node: the corners of its lattice cell.
  struct Stencil {
    std::array<int, 3> base;         ///< lattice coordinates of the first corner
    std::array<int, 8> nodes{};      ///< coarse nodes; 0 where the weight is 0
    std::array<float, 8> weights{};  ///< corner 4x + 2y + z
  };
  struct Level {
    EdgePattern edges;
    FullBlockMatrix<float> matrix;
    std::vector<Stencil> stencils;                ///< of its nodes on the next level; empty on the last
    std::vector<std::array<int, 3>> coordinates;  ///< of lattice nodes
    int reach = 0;                                ///< largest coordinate difference of neighbours
    std::vector<int> edge_at;  ///< (2 reach + 1)³ per node: edge to a higher-numbered neighbour, else −1
    Vector inverse;            ///< of the diagonal blocks, 12 numbers each: columns of four
    Vector x, r, d, product;
    Vector strongest;  ///< eigenvector estimate of the largest eigenvalue of D⁻¹ A
    float largest = 0.0f;
  };

  /// Completes the stencils of `fine`.
  static Level coarser(Level& fine);
  void form_galerkin(std::size_t k);
  static bool invert_diagonal(Level& level);
  void estimate_largest(Level& level) const;
  bool factorise_last();
  void cycle(std::size_t k);
  /// Chebyshev iteration on A x = b from r = b − A x; r is the final residual if `keeps_residual`.
  static void smooth(Level& level, bool keeps_residual);
  static void apply_inverse(const Level& level, const Vector& from, float factor, Vector& to);
  template <class Work>
  void each_frozen(Work&& work) const;

  std::vector<int> frozen_;
  std::vector<Components> components_;
  std::vector<Level> levels_;  ///< [0]: the nodes
  Eigen::LLT<Eigen::MatrixXf> last_;
};

extern template bool LatticeMultigrid::refresh(const FullBlockMatrix<float>&);
extern template bool LatticeMultigrid::refresh(const FullBlockMatrix<double>&);
extern template void LatticeMultigrid::apply(const float*, float*);
extern template void LatticeMultigrid::apply(const double*, double*);

}  // namespace deformbench::numerics

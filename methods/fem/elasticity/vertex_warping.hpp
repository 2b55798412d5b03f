// SPDX-License-Identifier: BSD-3-Clause
// The matrix of vertex-based warping in the step's precision: rows of the constant K rotated by one rotation per
// vertex.
#pragma once

#include <vector>

#include "methods/fem/body/mesh_graph.hpp"
#include "methods/model/scene.hpp"
#include "methods/numerics/block_matrix.hpp"

namespace deformbench::fem {

/// [MDMJC02], Müller et al. 2002, "Stable real-time deformations": f_i = −R_i Σ_j K_ij (R_iᵀx_j − x0_j).
template <class T>
class VertexWarping {
 public:
  VertexWarping(const Scene& scene, const MeshGraph& graph, double scale);
  /// Rotations of all nodes at x (4 numbers per node).
  void rotate(const T* x);
  /// a = diag(w) + c R_i K_ij R_iᵀ; g_i = c R_i Σ_j K_ij x0_j.
  void assemble(const T* weights, numerics::FullBlockMatrix<T>& a, T* g) const;

 private:
  const MeshGraph& graph_;
  std::vector<Matrix3> blocks_;          ///< c K_ij of each edge i < j
  std::vector<Matrix3> diagonal_;        ///< c K_ii
  std::vector<Vector3> rest_edges_;      ///< x0_j − x0_i
  std::vector<Matrix3> inverse_spread_;  ///< (Σ_j e_ij e_ijᵀ)⁻¹ of each node
  std::vector<Matrix3> rotations_;
};

extern template class VertexWarping<float>;
extern template class VertexWarping<double>;

}  // namespace deformbench::fem

// SPDX-License-Identifier: BSD-3-Clause
// Work-equivalent nodal forces of point forces; nodes carry points like surfels:
//    x(X) = X + Σ_j w_j (u_j + G_j (X − X_j)),  G_j = Σ_k (u_k − u_j) d_jkᵀ
// A force f at x(X) adds w_j (f − Σ_k (d_jk·r_j) f) to node j and w_j (d_jk·r_j) f to its neighbours k, r_j = X − X_j.
// They sum to f and have the moment of f at x(X) if no node has only coplanar neighbours.
// [PKAGDG05] §3.2, eq. 2
#pragma once

#include <Eigen/SparseCore>
#include <vector>

#include "methods/meshless/nodes/node_cloud.hpp"
#include "methods/meshless/surface/surfel_motion.hpp"

namespace deformbench::meshless {

/// Sets `gradients` of the `nodes` to G_j at displacements u (n×3, m).
void set_displacement_gradients(const NodeCloud& cloud, const Eigen::Ref<const Points>& u, std::span<const int> nodes,
                                std::vector<Matrix3>& gradients);

/// ∂x/∂X with the weights of a surfel.
Matrix3 carried_gradient(const SurfelMotion& motion, std::size_t surfel, std::span<const Matrix3> gradients);

/// Material point that a surfel's weights carry to `place` (m), near the surfel's current position `now` (m), by
/// linearising x(X) about the surfel with gradient f. `rest` if |det f| ≤ 1e-6.
Vector3 material_point(const Vector3& rest, const Vector3& now, const Matrix3& f, const Vector3& place);

class CarriedForces {
 public:
  /// Both must outlive it.
  CarriedForces(const NodeCloud& cloud, const SurfelMotion& motion);

  /// Adds a force (N) at the material point X, with the weights of a surfel.
  void add(std::size_t surfel, const Vector3& material, const Vector3& force);
  /// Adds the accumulated forces to the nodes (N, n×3) and clears them.
  void move_to(Points& forces);

 private:
  const NodeCloud& cloud_;
  const SurfelMotion& motion_;
  Points pushes_;                 // n×3: Σ w_j f
  std::vector<Matrix3> moments_;  // n: Σ w_j f r_jᵀ
  std::vector<char> is_touched_;
  std::vector<int> touched_;
};

/// S: a row per surfel, a column per node; x = S (node positions) if all nodes have neighbours in three directions.
Eigen::SparseMatrix<double, Eigen::RowMajor> carrying_shares(const NodeCloud& cloud, const SurfelMotion& motion);

}  // namespace deformbench::meshless

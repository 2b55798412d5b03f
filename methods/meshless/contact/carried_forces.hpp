// SPDX-License-Identifier: BSD-3-Clause
// Forces on points that nodes carry as they carry surfels, as forces on the nodes: what does the same work.
//   x(X) = X + Σ_j w_j (u_j + G_j (X − X_j)),  G_j = Σ_k (u_k − u_j) d_jkᵀ
// so that f at x(X) puts w_j (f − Σ_k (d_jk·r_j) f) on node j and w_j (d_jk·r_j) f on its neighbours k, r_j = X − X_j.
// These add up to f, and have the moment of f at x(X) where all nodes have neighbours in three directions.
// [PKAGDG05] §3.2, eq. 2
#pragma once

#include <Eigen/SparseCore>
#include <vector>

#include "methods/meshless/node_cloud.hpp"
#include "methods/meshless/surface/surfel_motion.hpp"

namespace deformbench::meshless {

/// G_j of the nodes listed, at displacements u (n×3, m), into their rows of `gradients`.
void set_displacement_gradients(const NodeCloud& cloud, const Eigen::Ref<const Points>& u, std::span<const int> nodes,
                                std::vector<Matrix3>& gradients);

/// ∂x/∂X of what the weights of a surfel carry.
Matrix3 carried_gradient(const SurfelMotion& motion, std::size_t surfel, std::span<const Matrix3> gradients);

/// The material point that the weights of a surfel carry to `place` (m), near to where the surfel is `now` (m): x(X) is
/// linear about the surfel, with the gradient f. The surfel's own point where f has no inverse.
Vector3 material_point(const Vector3& rest, const Vector3& now, const Matrix3& f, const Vector3& place);

class CarriedForces {
 public:
  /// Both must outlive it.
  CarriedForces(const NodeCloud& cloud, const SurfelMotion& motion);

  /// A force (N) at the material point X, with the weights of a surfel.
  void add(std::size_t surfel, const Vector3& material, const Vector3& force);
  /// Adds all of them to the forces on nodes (N, n×3), and forgets them.
  void move_to(Points& forces);

 private:
  const NodeCloud& cloud_;
  const SurfelMotion& motion_;
  Points pushes_;                 // n×3: Σ w_j f
  std::vector<Matrix3> moments_;  // n: Σ w_j f r_jᵀ
  std::vector<char> is_touched_;
  std::vector<int> touched_;
};

/// S: a row for every surfel, a column for every node; x = S (nodes' positions) where all nodes have neighbours in
/// three directions.
Eigen::SparseMatrix<double, Eigen::RowMajor> carrying_shares(const NodeCloud& cloud, const SurfelMotion& motion);

}  // namespace deformbench::meshless

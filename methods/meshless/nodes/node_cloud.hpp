// SPDX-License-Identifier: BSD-3-Clause
// Nodes of a body: supports, masses, volumes, neighbours, and the moving least squares operators for gradients at
// nodes. All in the rest shape. [PKAGDG05] §2
#pragma once

#include <cstddef>
#include <vector>

#include "methods/meshless/nodes/parted_pairs.hpp"
#include "methods/model/scene.hpp"

namespace deformbench::meshless {

/// Eigenvalues of A_i below this fraction of the largest count as zero. They scale with the squared relative
/// thickness of a neighbourhood: 1e-6 is a thousandth of its width, and 1e10 times the rounding of coordinates.
inline constexpr double kRankThreshold = 1e-6;

/// Definition of node masses.
enum class NodeMasses {
  Consistent,  ///< m_i = M ρ_i h_i³ / Σ_j ρ_j h_j³: sums to the mass M of the body
  AsPrinted,   ///< m_i = 4/3 π h_i³ ρ_i, [PKAGDG05] §4: counts every overlap of supports
  KernelSum,   ///< m_i = ρ_i v_i with the volumes v_i of the printed masses
};

struct CloudOptions {
  double support_factor = 2.0;  ///< h_i / longest edge at the vertex; for nodes at vertices of tetrahedra
  NodeMasses masses = NodeMasses::Consistent;
  double rank_threshold = kRankThreshold;  ///< of A_i
};

/// Pair (i, j) belongs to i, in whose support j lies; (j, i) may be missing if supports differ.
struct NodeCloud {
  Points rest;                             ///< n×3, m
  std::vector<double> supports;            ///< n, h_i (m)
  std::vector<double> masses, volumes;     ///< n, kg and m³; v_i = m_i / Σ_j m_j w(|x_i − x_j|, h_i)
  std::vector<model::Material> materials;  ///< n; volume-weighted means of the tetrahedra at the vertex
  std::vector<std::size_t> first;          ///< n + 1: pairs of node i are first[i] … first[i + 1] − 1
  std::vector<int> neighbours;             ///< j of every pair, without i itself
  std::vector<double> plain_weights;       ///< ω(|x_j − x_i| / h_i) of every pair
  std::vector<double> weights;             ///< ω_ij of every pair, reduced by cracks
  std::vector<Vector3> gradients;  ///< d_ij of every pair = A_i⁺ (x_j − x_i) ω_ij (1/m): ∇u_i = Σ_j d_ij (u_j − u_i)ᵀ
  std::vector<Matrix3> inverse_moments;  ///< n, A_i⁺ (1/m²)
  std::vector<Matrix3> projections;      ///< n, P = A_i A_i⁺: projection on directions with neighbours
  std::vector<int> ranks;                ///< n, of A_i
  double rank_threshold = kRankThreshold;

  Eigen::Index size() const { return rest.rows(); }
};

/// Sets pairs, weights and operators from rest positions and supports, without cracks. Pairs in `parted` are left out
/// (null: none).
void connect(NodeCloud& cloud, const PartedPairs* parted = nullptr);

/// The nodes of the scene with their supports, or a node at every vertex of its tetrahedra.
NodeCloud make_node_cloud(const Scene& scene, const CloudOptions& options);

/// Rebuilds the cloud from the scene's current nodes with these masses (n, kg); weights ignore cracks.
void renew_node_cloud(const Scene& scene, std::vector<double> masses, NodeCloud& cloud,
                      const PartedPairs* parted = nullptr);

/// Sets A_i and all derived quantities from the node's pair weights.
void set_node_gradients(NodeCloud& cloud, Eigen::Index node);

}  // namespace deformbench::meshless

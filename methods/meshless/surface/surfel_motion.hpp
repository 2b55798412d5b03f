// SPDX-License-Identifier: BSD-3-Clause
// Surfels carried by nodes. [PKAGDG05] §3.2, [MKNPGA04]
//   u(x) = Σ_j w_j (u_j + G_j (x − x_j)) / Σ w_j,  w_j = ω(|x − x_j| / h_j + the crack's term of weight_rule.hpp)
// with G_j = (∇u_j)ᵀ. Weights are in material coordinates and change only where a crack front advances.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "methods/meshless/surface/point_grid.hpp"
#include "methods/meshless/surface/surfel.hpp"
#include "methods/meshless/weights/weight_rule.hpp"

namespace deformbench::meshless {

class SurfelMotion {
 public:
  struct Counts {
    std::int64_t surfels = 0, pairs = 0;  ///< number with recomputed weights
  };

  /// Nodes at `rest` (n×3, m) with supports h_j (n, m), both copied; see `renew_nodes`.
  SurfelMotion(const Points& rest, std::vector<double> supports, const WeightRule& rule);

  /// Appends surfels in material coordinates, weights reduced by `cracks` (null: none). A surfel sees nodes from
  /// slightly inside the solid, so that its own crack separates it from nodes behind.
  Counts append(std::span<const Surfel> surfels, const CrackGeometry* cracks);
  /// After cracks have advanced within `advanced` (boxes around new surface, and around fronts before and after):
  /// recomputes only weights of surfel–node pairs whose segment is closer to a box than the separating depth. Bitwise
  /// equal to a full computation.
  Counts update(const CrackGeometry& cracks, std::span<const numerics::Box> advanced);

  /// Replaces the nodes with unchanged cracks. Only pairs with nodes of changed position or support are recomputed.
  Counts renew_nodes(const Points& rest, std::vector<double> supports, const CrackGeometry& cracks);

  std::span<const Surfel> surfels() const { return surfels_; }
  /// Surfels carried by nodal displacements u (n×3, m) and G (n): p + u(p), normals along F⁻ᵀ n and axes F a, with F =
  /// I + Σ w_j G_j, neglecting the gradient of the weights.
  std::vector<Surfel> carried(const Eigen::Ref<const Points>& u, std::span<const Matrix3> gradients) const;
  /// I + Σ w_j G_j at any point.
  Matrix3 gradient_at(const Vector3& x, const CrackGeometry* cracks, std::span<const Matrix3> gradients) const;
  /// u(x) (m) at any point with newly computed weights, as `carried` displaces a surfel at x. `towards` (m) is added to
  /// x only for visibility of nodes.
  Vector3 displacement_at(const Vector3& x, const Vector3& towards, const CrackGeometry* cracks,
                          const Eigen::Ref<const Points>& u, std::span<const Matrix3> gradients) const;

  /// Nodes and weights of one surfel; the weights sum to 1.
  std::span<const int> nodes_of(std::size_t surfel) const;
  std::span<const double> weights_of(std::size_t surfel) const;
  /// Number of surfels whose weights are all zero: they follow the nearest node alone.
  std::int64_t unseen_count() const;

 private:
  struct Range {
    std::vector<int> nodes;
    std::vector<double> plain;    ///< weights before they are normalised
    std::vector<double> weights;  ///< normalised
    bool is_unseen = false;
  };
  /// Nodes whose supports contain x, ascending.
  std::vector<int> nodes_about(const Vector3& x) const;
  int nearest_node(const Vector3& x) const;
  /// Weight of one node of a range.
  double weight_of(const Vector3& x, const Vector3& towards, const CrackGeometry* cracks, int node) const;
  void weigh(const Vector3& x, const Vector3& towards, const CrackGeometry* cracks, Range& range) const;
  static void normalise(Range& range);
  static Vector3 inwards(const Surfel& surfel);

  Points rest_;
  std::vector<double> supports_;
  WeightRule rule_;
  double largest_support_ = 0.0;
  PointGrid grid_;
  std::vector<Surfel> surfels_;
  std::vector<Range> ranges_;
};

/// Per surfel, the piece (`pieces`, per node) of its node of largest weight; −1 if it sees no node.
std::vector<int> pieces_of_surfels(const SurfelMotion& motion, const std::vector<int>& pieces);

}  // namespace deformbench::meshless

// SPDX-License-Identifier: BSD-3-Clause
// Rebasing: the current shape of a solid that has flowed far becomes its reference. [PKAGDG05] §5
#pragma once

#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

#include "methods/meshless/nodes/mls_elasticity.hpp"
#include "methods/meshless/nodes/parted_pairs.hpp"
#include "methods/meshless/nodes/strain_plasticity.hpp"
#include "methods/meshless/surface/surfel_motion.hpp"
#include "methods/model/triangle_mesh.hpp"

namespace deformbench::meshless {

/// Makes the positions x (n×3, m) the cloud's rest positions: neighbours within supports except `parted`, then weights
/// (still without cracks), moments and gradients. Masses, materials and volumes are kept: flow preserves volume, and
/// they are stress-free volumes. Supports grow with the largest stretch of F so that no neighbour is lost, up to
/// `largest` (n, m; empty: supports are kept).
/// `plastic` (n) becomes G' = b_e⁻¹, b_e = F G⁻¹ Fᵀ: with F' = I every node keeps its elastic strain up to rotation,
/// and its energy. Coplanar neighbours do not determine F along their normal n; it is set so that n maps to the current
/// normal. Below rank 2, stress is reset. Clamps elastic stretches to [0.1, 10]; returns for how many nodes.
/// DEVIATION [PKAGDG05] §5: [MKNPGA04], the paper's basis, makes the current shape the reference in every step and
/// subtracts the strain from the plastic one, which keeps the stress only for small strains.
int rebase(NodeCloud& cloud, const MlsElasticity& elasticity, const Points& x, std::span<PlasticStretch> plastic,
           const PartedPairs& parted, std::span<const double> largest = {});

/// G' of one node, see `rebase`; `is_cut`: whether a stretch was clamped.
Matrix3 rebased_metric(const Matrix3& gradient, const Matrix3& projection, int rank, const Matrix3& metric,
                       bool& is_cut);

/// Maps material points of an old reference to the new one with SurfelMotion.
class ReferenceMap {
 public:
  /// `cracks` in the old reference. u (n×3, m) and `gradients` (n, ∂u/∂x) map the old reference to the new one.
  ReferenceMap(const NodeCloud& before, const WeightRule& rule, const CrackGeometry& cracks, Points u,
               std::vector<Matrix3> gradients);

  Vector3 place(const Vector3& x) const;
  /// Midpoint of both faces' new positions at a crack point. Bitwise equal for equal x.
  Vector3 place_between(const Vector3& x, const Vector3& normal);
  /// ∂(place)/∂x, without the gradient of the weights.
  Matrix3 gradient(const Vector3& x) const;
  /// Overrides the later results of `place_between` for x.
  void set_place(const Vector3& x, const Vector3& place);

 private:
  struct Hash {
    std::size_t operator()(const Vector3& x) const;
  };
  SurfelMotion motion_;
  const CrackGeometry& cracks_;
  Points u_;
  std::vector<Matrix3> gradients_;
  double eye_;  ///< m: offset of a face's points towards either side for visibility
  std::unordered_map<Vector3, Vector3, Hash> places_;
};

/// Subdivides every triangle into four until no edge is longer than `longest` (m), at most eight times.
model::TriangleMesh refined(model::TriangleMesh mesh, double longest);

}  // namespace deformbench::meshless

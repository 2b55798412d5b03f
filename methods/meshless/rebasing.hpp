// SPDX-License-Identifier: BSD-3-Clause
// A new reference for a solid that has flowed far: its shape now. [PKAGDG05] §5
#pragma once

#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

#include "methods/meshless/mls_elasticity.hpp"
#include "methods/meshless/parted_pairs.hpp"
#include "methods/meshless/strain_plasticity.hpp"
#include "methods/meshless/surface/surfel_motion.hpp"
#include "methods/model/triangle_mesh.hpp"

namespace deformbench::meshless {

/// Takes the positions x (n×3, m) as rest positions of the cloud: neighbours within the supports there, but for
/// `parted`, and weights, moments and gradients of them, which no crack has lowered yet. Masses, materials and volumes
/// stay: flow changes no volume, and those are volumes without stress. Supports grow by the largest stretch of F, so
/// that who was reached is reached, up to `largest` (n, m; empty: they stay).
/// `plastic` (n) becomes G' = b_e⁻¹, b_e = F G⁻¹ Fᵀ, so that with F' = I every node has the elastic strain it had but
/// for a turn, and its energy. Neighbours of a node that lie in a plane know nothing across it: F takes the normal to
/// the normal there; with fewer it forgets its stress. Elastic stretches are cut at a tenth and at ten. Returns how
/// many were.
/// DEVIATION [PKAGDG05] §5: [MKNPGA04], which the text builds on, takes the shape as reference in every step
/// and subtracts the strain from the plastic one, which keeps the stress of small strains alone.
int rebase(NodeCloud& cloud, const MlsElasticity& elasticity, const Points& x, std::span<PlasticStretch> plastic,
           const PartedPairs& parted, std::span<const double> largest = {});

/// G' of one node (see there); `is_cut`: whether a stretch was.
Matrix3 rebased_metric(const Matrix3& gradient, const Matrix3& projection, int rank, const Matrix3& metric,
                       bool& is_cut);

/// Where the material about the nodes of an old reference is in the new one: what carries surfels, at any point.
class ReferenceMap {
 public:
  /// `cracks` in the old reference. u (n×3, m) and `gradients` (n) of ∂u/∂x take the old reference to the new one.
  ReferenceMap(const NodeCloud& before, const WeightRule& rule, const CrackGeometry& cracks, Points u,
               std::vector<Matrix3> gradients);

  Vector3 place(const Vector3& x) const;
  /// Of a point of a crack whose faces have come apart: half way between them. The same for the same x, to the bit.
  Vector3 place_between(const Vector3& x, const Vector3& normal);
  /// ∂(place)/∂x, without the gradient of the weights.
  Matrix3 gradient(const Vector3& x) const;
  /// What `place_between` will return for x from now on.
  void set_place(const Vector3& x, const Vector3& place);

 private:
  struct Hash {
    std::size_t operator()(const Vector3& x) const;
  };
  SurfelMotion motion_;
  const CrackGeometry& cracks_;
  Points u_;
  std::vector<Matrix3> gradients_;
  double eye_;  ///< m: how far to either side of a face points see from
  std::unordered_map<Vector3, Vector3, Hash> places_;
};

/// The surface with every triangle cut into four until no edge is longer than `longest` (m): one that can follow a
/// solid that deforms unevenly.
model::TriangleMesh refined(model::TriangleMesh mesh, double longest);

}  // namespace deformbench::meshless

// SPDX-License-Identifier: BSD-3-Clause
// Distance of a point from a triangle, and of two edges, with gradient and Hessian, for distance potentials
// [LFSLZPJK20] §2.1. The region (face, edge or vertex of the triangle; interior or end of each edge) is that of the
// closest points: vertices whose weight is 0 take no part.
//
// Let δ(x, s) = Σ w_i(s) x_i be the difference of the points with the barycentric coordinates s, d = min_s |δ|, n =
// δ/d, B = ∂δ/∂s (3×k, k the dimension of both closest features together) and D_m = ∂w/∂s_m ⊗ n. Since ∂d/∂s = 0,
//   ∇d = w ⊗ n,
//   ∇²d = w wᵀ ⊗ T/d − (w ⊗ E)Dᵀ − D (w ⊗ E)ᵀ − d D (BᵀB)⁻¹ Dᵀ,  E = B (BᵀB)⁻¹,  T = 1 − n nᵀ − B (BᵀB)⁻¹ Bᵀ,
// in which no large terms cancel however small d is.
#pragma once

#include "methods/collision/moving_pair.hpp"

namespace deformbench::collision {

using Vector12 = Eigen::Matrix<double, 12, 1>;
using Matrix12 = Eigen::Matrix<double, 12, 12>;

/// d (m), by the direction of `closest`, which loses less to rounding than its difference.
double distance_between(const std::array<Vector3, 4>& x, const Closest& closest);

/// Derivatives of a function of the four positions, in the order of the vertices.
struct TwiceDerived {
  double value;
  Vector12 gradient;
  Matrix12 hessian;
};
/// d (m), ∇d, ∇²d (1/m) where the features of `closest` stay the closest ones; d must be positive.
TwiceDerived distance_derivatives(const std::array<Vector3, 4>& x, const Closest& closest);

/// Factor of the potential of two edges that are nearly parallel, where d is not smooth [LFSLZPJK20] §2.2:
///   m = (2 − c/ε) c/ε for c < ε, else 1,  c = |(x1 − x0) × (x3 − x2)|², `threshold` ε in m⁴.
TwiceDerived edge_mollifier(const std::array<Vector3, 4>& x, double threshold);

}  // namespace deformbench::collision

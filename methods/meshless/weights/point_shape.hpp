// SPDX-License-Identifier: BSD-3-Clause
// Shape functions at any point, with weights of the caller's. [PKAGDG05] eq. 1
#pragma once

#include <Eigen/Eigenvalues>
#include <span>
#include <vector>

#include "methods/meshless/node_cloud.hpp"

namespace deformbench::meshless {

/// Φ at a point, of the nodes that have a weight there.
struct PointShape {
  std::vector<int> nodes;
  std::vector<double> values;
  int rank = 0;  ///< of M: 4 where the nodes span space, 0 where none has a weight
};

/// Below this part of its largest eigenvalue, another one of M counts as zero, p being in units of supports: nodes in a
/// plane have it at rounding, 1e-16.
inline constexpr double kMomentThreshold = 1e-13;

/// Φ_i(x) = ω_i(x) p(x)ᵀ M(x)⁻¹ p(x_i) of the `candidates`, with ω_i(x) = weight(i, x). Φ does not depend on the basis
/// of linear polynomials: here it is (1, (y − x)/h), h the support of the first candidate, of which p(x) = (1, 0, 0,
/// 0). Where the nodes lie in a plane, the pseudo-inverse takes the place of M⁻¹: their functions reproduce linear
/// fields in it.
template <class Weight>
PointShape shape_functions_at(const NodeCloud& cloud, std::span<const int> candidates, const Vector3& x,
                              Weight&& weight) {
  using Basis = Eigen::Vector4d;
  PointShape shape;
  std::vector<Basis> weighted;
  Eigen::Matrix4d moment = Eigen::Matrix4d::Zero();
  for (const int node : candidates) {
    const double omega = weight(node, x);
    if (!(omega > 0.0)) continue;
    Basis p;
    p << 1.0, (Vector3(cloud.rest.row(node)) - x) / cloud.supports[std::size_t(candidates.front())];
    moment += omega * p * p.transpose();
    shape.nodes.push_back(node);
    weighted.push_back(omega * p);
  }
  // Of a size known at run time alone: GCC 12 warns about its own AVX-512 headers where Eigen unrolls a 4×4 matrix.
  using Moment = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 4, 4>;
  const Eigen::SelfAdjointEigenSolver<Moment> eigen(Moment{moment});
  Basis row = Basis::Zero();  // p(x)ᵀ M⁺
  for (int k = 0; k < 4; ++k) {
    if (!(eigen.eigenvalues()[k] > kMomentThreshold * eigen.eigenvalues()[3])) continue;
    row += eigen.eigenvectors()(0, k) / eigen.eigenvalues()[k] * eigen.eigenvectors().col(k);
    ++shape.rank;
  }
  for (const Basis& p : weighted) shape.values.push_back(row.dot(p));
  return shape;
}

}  // namespace deformbench::meshless

// SPDX-License-Identifier: BSD-3-Clause
// Shape functions at any point, with weights given by the caller. [PKAGDG05] eq. 1
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "methods/meshless/nodes/node_cloud.hpp"
#include "methods/numerics/symmetric_eigen.hpp"

namespace deformbench::meshless {

/// Φ at a point, for nodes with non-zero weight there.
struct PointShape {
  std::vector<int> nodes;
  std::vector<double> values;
  int rank = 0;  ///< of M: 4 if the nodes span space, 0 without weights
  /// Σω / smallest non-zero eigenvalue of C (below): about the condition of M.
  double condition = std::numeric_limits<double>::infinity();
};

/// Covariance eigenvalues below this fraction of Σω count as zero; coplanar nodes give about 1e-16.
inline constexpr double kCovarianceThreshold = 1e-12;

/// Φ_i(x) = ω_i(x) p(x)ᵀ M(x)⁻¹ p(x_i) of the `candidates`, with ω_i(x) = weight(i, x). With a linear basis this is the
/// value at x of the best linear fit: y = (x_i − x)/h, h the first candidate's support, s = Σω, c = Σωy/s,
/// C = Σω (y − c)(y − c)ᵀ give Φ_i = ω_i (1/s − (y − c)ᵀ C⁻¹ c), C⁻¹ = C⁺ if coplanar.
template <class Weight>
PointShape shape_functions_at(const NodeCloud& cloud, std::span<const int> candidates, const Vector3& x,
                              Weight&& weight) {
  PointShape shape;
  std::vector<double> omega;
  std::vector<Vector3> ways;
  double sum = 0.0;
  Vector3 centre = Vector3::Zero();
  for (const int node : candidates) {
    const double own = weight(node, x);
    if (!(own > 0.0)) continue;
    shape.nodes.push_back(node);
    omega.push_back(own);
    ways.push_back((Vector3(cloud.rest.row(node)) - x) / cloud.supports[std::size_t(candidates.front())]);
    sum += own;
    centre += own * ways.back();
  }
  if (shape.nodes.empty()) return shape;
  centre /= sum;
  Matrix3 covariance = Matrix3::Zero();
  for (std::size_t k = 0; k < ways.size(); ++k)
    covariance += omega[k] * (ways[k] - centre) * (ways[k] - centre).transpose();
  const numerics::SymmetricEigen3 eigen = numerics::symmetric_eigen(covariance);
  Vector3 slope = Vector3::Zero();  // C⁺ c
  shape.rank = 1;
  shape.condition = 1.0;
  for (int k = 2; k >= 0; --k) {
    if (!(eigen.values[k] > kCovarianceThreshold * sum)) continue;
    const Vector3 direction = eigen.vectors.col(k);
    slope += direction.dot(centre) / eigen.values[k] * direction;
    shape.condition = sum / eigen.values[k];
    ++shape.rank;
  }
  for (std::size_t k = 0; k < ways.size(); ++k)
    shape.values.push_back(omega[k] * (1.0 / sum - (ways[k] - centre).dot(slope)));
  return shape;
}

}  // namespace deformbench::meshless

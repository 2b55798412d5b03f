// SPDX-License-Identifier: BSD-3-Clause
#include "methods/meshless/nodes/shape_functions.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <limits>

#include "methods/meshless/nodes/kernels.hpp"
#include "methods/numerics/random.hpp"

namespace deformbench::meshless {

ShapeFunctions::ShapeFunctions(const NodeCloud& cloud) : cloud_(cloud) {
  for (Eigen::Index i = 0; i < cloud.size(); ++i) {
    const Vector3 x = cloud.rest.row(i), reach = Vector3::Constant(cloud.supports[std::size_t(i)]);
    boxes_.push_back({x - reach, x + reach});
  }
  hash_.build(boxes_, 2.0 * *std::min_element(cloud.supports.begin(), cloud.supports.end()));
}

/// [PKAGDG05] eq. 1. The basis is shifted to x and scaled by 1/h; this does not change Φ, only the condition of M.
ShapeValues ShapeFunctions::at(const Vector3& x) const {
  ShapeValues found;
  double largest = 0.0;
  hash_.for_overlaps({x, x}, [&](int i) {
    const double h = cloud_.supports[std::size_t(i)];
    if (!((Vector3(cloud_.rest.row(i)) - x).norm() < h)) return;
    found.nodes.push_back(i);
    largest = std::max(largest, h);
  });
  std::sort(found.nodes.begin(), found.nodes.end());
  std::vector<Eigen::Vector4d> weighted;
  Eigen::Matrix4d moment = Eigen::Matrix4d::Zero();
  for (const int i : found.nodes) {
    const Vector3 edge = Vector3(cloud_.rest.row(i)) - x;
    const double weight = mls_weight(edge.norm() / cloud_.supports[std::size_t(i)]);
    const Eigen::Vector4d p(1.0, edge.x() / largest, edge.y() / largest, edge.z() / largest);
    weighted.push_back(weight * p);
    moment += weight * p * p.transpose();
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d> eigen(moment);
  const Eigen::Vector4d values = eigen.eigenvalues();
  Eigen::Vector4d row = Eigen::Vector4d::Zero();  // p(x)ᵀ M⁺
  found.rank = 0;
  for (int k = 0; k < 4; ++k) {
    if (!(values[k] > kRankThreshold * values[3])) continue;
    const Eigen::Vector4d direction = eigen.eigenvectors().col(k);
    row += direction[0] / values[k] * direction;
    ++found.rank;
  }
  found.condition = found.rank == 4 ? values[3] / values[0] : std::numeric_limits<double>::infinity();
  for (const Eigen::Vector4d& p : weighted) found.values.push_back(row.dot(p));
  return found;
}

Points sample_points(const numerics::Box& box, int count, std::uint64_t seed) {
  numerics::RandomStream random(seed, 1);
  Points points(count, 3);
  for (int k = 0; k < count; ++k) {
    for (int c = 0; c < 3; ++c) points(k, c) = random.uniform(box.low[c], box.high[c]);
    const auto face = int(random.below(6));
    if (k % 3 == 2) points(k, face / 2) = face % 2 == 0 ? box.low[face / 2] : box.high[face / 2];
  }
  return points;
}

}  // namespace deformbench::meshless

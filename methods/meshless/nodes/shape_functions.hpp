// SPDX-License-Identifier: BSD-3-Clause
// MLS shape functions of the linear basis at any point, without cracks. Not used by forces. [PKAGDG05] eq. 1
#pragma once

#include <vector>

#include "methods/meshless/nodes/node_cloud.hpp"
#include "methods/numerics/spatial_hash.hpp"

namespace deformbench::meshless {

/// Φ of all nodes at one point.
struct ShapeValues {
  std::vector<int> nodes;      ///< nodes whose supports contain the point, ascending
  std::vector<double> values;  ///< Φ_i
  int rank;                    ///< of the moment matrix M; 4 unless nodes are coplanar, collinear or fewer than four
  double condition;  ///< of M in the basis [1, (y − x)/h], h the largest support; infinite if the rank is below 4
};

class ShapeFunctions {
 public:
  /// `cloud` must outlive it.
  explicit ShapeFunctions(const NodeCloud& cloud);
  ShapeFunctions(const ShapeFunctions&) = delete;  // the hash points into boxes_
  ShapeFunctions& operator=(const ShapeFunctions&) = delete;

  /// Φ at a point of the rest shape (m). Singular M: pseudo-inverse; Φ then reproduces linear fields only in the span
  /// of the nodes, at points within it.
  ShapeValues at(const Vector3& x) const;

 private:
  const NodeCloud& cloud_;
  std::vector<numerics::Box> boxes_;  ///< of each node's support
  numerics::SpatialHash hash_;
};

/// `count` points in a box, every third moved onto one of its six faces; deterministic for a given seed.
Points sample_points(const numerics::Box& box, int count, std::uint64_t seed);

}  // namespace deformbench::meshless

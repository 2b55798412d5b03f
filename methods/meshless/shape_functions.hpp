// SPDX-License-Identifier: BSD-3-Clause
// Moving least squares shape functions of the linear basis, anywhere in the body. Forces do not use them. [PKAGDG05]
// eq. 1
#pragma once

#include <vector>

#include "methods/meshless/node_cloud.hpp"
#include "methods/numerics/spatial_hash.hpp"

namespace deformbench::meshless {

/// Φ of all nodes at one point.
struct ShapeValues {
  std::vector<int> nodes;      ///< in whose support the point lies, ascending
  std::vector<double> values;  ///< Φ_i of each
  int rank;          ///< of the moment matrix M; 4 unless the nodes lie in a plane, on a line, or are fewer than four
  double condition;  ///< of M in the basis [1, (y − x)/h], h the largest support; infinite where the rank is below 4
};

class ShapeFunctions {
 public:
  /// `cloud` must outlive it.
  explicit ShapeFunctions(const NodeCloud& cloud);
  ShapeFunctions(const ShapeFunctions&) = delete;  // the hash points into boxes_
  ShapeFunctions& operator=(const ShapeFunctions&) = delete;

  /// At a point of the rest shape (m). Of a singular M the pseudo-inverse counts: what Φ gives is then exact for linear
  /// fields of the directions in which nodes differ, at points that lie in them.
  ShapeValues at(const Vector3& x) const;

 private:
  const NodeCloud& cloud_;
  std::vector<numerics::Box> boxes_;  ///< of every node's support
  numerics::SpatialHash hash_;
};

/// `count` points in a box, of which every third is moved onto one of its six faces; the same for the same seed.
Points sample_points(const numerics::Box& box, int count, std::uint64_t seed);

}  // namespace deformbench::meshless

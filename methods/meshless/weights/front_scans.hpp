// SPDX-License-Identifier: BSD-3-Clause
// Weights and shape functions along lines past cracks and over a plane through a front. [PKAGDG05] Fig. 2
#pragma once

#include <vector>

#include "methods/meshless/weights/crack_weights.hpp"

namespace deformbench::meshless {

enum class ScannedFunction {
  Weight = 0,         ///< ω_i
  ShapeFunction = 1,  ///< Φ_i
};

/// The steepest place of a function of one node on a straight line, enclosed by bisection. The line crosses no crack.
struct FrontScan {
  int node;
  ScannedFunction function;
  Vector3 from, to;                ///< m, of the line
  double left_share, right_share;  ///< of the way, at most kScanWidth supports apart
  double left_value, right_value;  ///< of the function there
};

inline constexpr int kScansOfBody = 16;     ///< lines, half of them past fronts
inline constexpr double kScanWidth = 1e-9;  ///< supports
inline constexpr int kSliceSide = 81;       ///< points of a slice along each of its sides

/// Random lines near random nodes, past the fronts of all cracks and over their surfaces; both functions of each. Every
/// line lies among the nodes, crosses no crack, and has shape functions everywhere: M has a condition of 1e5 at most.
/// The same for the same cloud and cracks. None without cracks, fewer where such lines are rare.
std::vector<FrontScan> scan_fronts(const NodeCloud& cloud, const CrackWeights& weights);

/// ω and Φ of one node at a square lattice of points.
struct WeightSlice {
  int node = -1;
  Points points;                      ///< kSliceSide² × 3, m, row by row
  std::vector<double> weight, shape;  ///< at every point
};
/// Across the middle of the first front, 2.4 supports wide: of a node behind the front, a quarter of a support off the
/// crack. Empty without a front.
WeightSlice slice_of_front(const NodeCloud& cloud, const CrackWeights& weights);

}  // namespace deformbench::meshless

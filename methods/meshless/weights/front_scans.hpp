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

/// Steepest point of a node's function on a straight line that crosses no crack, enclosed by bisection.
struct FrontScan {
  int node;
  ScannedFunction function;
  Vector3 from, to;                ///< m, of the line
  double left_share, right_share;  ///< parameters on the line, at most kScanWidth supports apart
  double left_value, right_value;  ///< of the function there
};

inline constexpr int kScansOfBody = 16;     ///< lines, half of them past fronts
inline constexpr double kScanWidth = 1e-9;  ///< supports
inline constexpr int kSliceSide = 81;       ///< points per side of a slice

/// Both functions on random lines near random nodes, past fronts and above surfaces of all cracks. Every line lies in
/// the nodes' bounding box, crosses no crack, and has cond(M) ≤ 1e5. Deterministic for a given cloud and cracks.
/// Empty without cracks; fewer if such lines are rare.
std::vector<FrontScan> scan_fronts(const NodeCloud& cloud, const CrackWeights& weights);

/// ω and Φ of one node on a square lattice of points.
struct WeightSlice {
  int node = -1;
  Points points;                      ///< kSliceSide² × 3, m, row by row
  std::vector<double> weight, shape;  ///< per point
};
/// Slice through the middle of the first front, 2.4 supports wide, for a node behind the front, about ¼ support off
/// the crack. Empty without a front.
WeightSlice slice_of_front(const NodeCloud& cloud, const CrackWeights& weights);

}  // namespace deformbench::meshless

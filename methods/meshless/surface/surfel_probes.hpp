// SPDX-License-Identifier: BSD-3-Clause
// Probes of a surfel surface for experiments: projected points, and displacements on lines past crack fronts.
#pragma once

#include <vector>

#include "methods/meshless/surface/surfel_surface.hpp"

namespace deformbench::meshless {

inline constexpr int kProjectedPoints = 1000;
inline constexpr double kProjectedReach = 2.0;  ///< radii, maximum distance of a probe to its surfel
inline constexpr int kMotionLines = 16;
inline constexpr int kGapsOfBody = 16;            ///< positions on fronts
inline constexpr double kMotionScanWidth = 1e-9;  ///< supports

/// A front end that has left its sheet, and its projection.
struct ProjectedEnd {
  int sheet;
  Vector3 from;               ///< m, up to kProjectedReach radii from a surfel of the sheet, in any direction
  std::optional<Vector3> to;  ///< m, project_end
};
/// At random surfels, deterministic for a given surface.
std::vector<ProjectedEnd> project_ends(const SurfelSurface& surface);

/// Nodal motion used by surfels.
struct NodeMotion {
  const Points& u;                        ///< n×3, m
  const std::vector<Matrix3>& gradients;  ///< n
};

/// Steepest point of the carried displacement on a straight line that passes a front without crossing a crack.
struct MotionScan {
  Vector3 from, to;                ///< m, of the line, at rest
  double support;                  ///< m, of the nearest node
  double left_share, right_share;  ///< parameters on the line, at most kMotionScanWidth supports apart
  Vector3 left_u, right_u;         ///< m, displacements there
};
std::vector<MotionScan> scan_motion(const SurfelSurface& surface, const NodeCloud& cloud,
                                    const TriangulatedCracks& cracks, const NodeMotion& motion);

/// Opening between both faces of a crack at a depth behind its front.
struct FrontGap {
  Vector3 front;          ///< m, a point of the front at rest
  double depth, support;  ///< m; the support of the nearest node
  Vector3 above, below;   ///< m, displacements of both faces
};
/// At random positions on fronts, at depths of 1e-6, 1/4, 1/2 and 1 support.
std::vector<FrontGap> gaps_behind_fronts(const SurfelSurface& surface, const NodeCloud& cloud,
                                         const TriangulatedCracks& cracks, const NodeMotion& motion);

}  // namespace deformbench::meshless

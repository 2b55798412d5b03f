// SPDX-License-Identifier: BSD-3-Clause
// What experiments ask a surface of surfels: points that are projected, and displacements on lines past crack fronts.
#pragma once

#include <vector>

#include "methods/meshless/surface/surfel_surface.hpp"

namespace deformbench::meshless {

inline constexpr int kProjectedPoints = 1000;
inline constexpr double kProjectedReach = 2.0;  ///< radii, of a point from the surfel where it starts
inline constexpr int kMotionLines = 16;
inline constexpr int kGapsOfBody = 16;            ///< places on fronts
inline constexpr double kMotionScanWidth = 1e-9;  ///< supports

/// The end of a front that has left its sheet, and where it goes back to.
struct ProjectedEnd {
  int sheet;
  Vector3 from;               ///< m, up to kProjectedReach radii from a surfel of the sheet, in any direction
  std::optional<Vector3> to;  ///< m, project_end
};
/// At random surfels, the same for the same surface.
std::vector<ProjectedEnd> project_ends(const SurfelSurface& surface);

/// The nodes' motion as surfels see it.
struct NodeMotion {
  const Points& u;                        ///< n×3, m
  const std::vector<Matrix3>& gradients;  ///< n
};

/// Where the carried displacement is steepest on a straight line that passes a front and crosses no crack.
struct MotionScan {
  Vector3 from, to;                ///< m, of the line, at rest
  double support;                  ///< m, of the nearest node
  double left_share, right_share;  ///< of the way, at most kMotionScanWidth supports apart
  Vector3 left_u, right_u;         ///< m, displacements there
};
std::vector<MotionScan> scan_motion(const SurfelSurface& surface, const NodeCloud& cloud,
                                    const TriangulatedCracks& cracks, const NodeMotion& motion);

/// How far both faces of a crack have parted at a depth behind its front.
struct FrontGap {
  Vector3 front;          ///< m, a point of the front at rest
  double depth, support;  ///< m; the support of the nearest node
  Vector3 above, below;   ///< m, displacements of both faces
};
/// At random places of fronts, at depths of 1e-6, 1/4, 1/2 and 1 support.
std::vector<FrontGap> gaps_behind_fronts(const SurfelSurface& surface, const NodeCloud& cloud,
                                         const TriangulatedCracks& cracks, const NodeMotion& motion);

}  // namespace deformbench::meshless

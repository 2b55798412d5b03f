// SPDX-License-Identifier: BSD-3-Clause
// The prescribed motions of a scene, all together: which coordinates they hold, and where.
#pragma once

#include "methods/model/scene.hpp"

namespace deformbench {

/// Whether the scene prescribes a coordinate of a vertex (n×3).
using HeldCoordinates = Eigen::Array<bool, Eigen::Dynamic, 3, Eigen::RowMajor>;
HeldCoordinates prescribed_coordinates(const Scene& scene);

/// Puts the prescribed coordinates of `positions` (n×3, m) where they are at `time`; the others stay as they are.
void impose_prescribed(const Scene& scene, double time, Points& positions);

}  // namespace deformbench

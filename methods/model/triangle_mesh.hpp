// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "methods/model/types.hpp"

namespace deformbench::model {

/// A triangle surface: counter-clockwise seen from outside.
struct TriangleMesh {
  Points positions;     ///< n×3, m
  Triangles triangles;  ///< m×3

  Eigen::Index vertex_count() const { return positions.rows(); }
  Eigen::Index triangle_count() const { return triangles.rows(); }
};

}  // namespace deformbench::model

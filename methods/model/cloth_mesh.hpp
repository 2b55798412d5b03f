// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "methods/model/types.hpp"

namespace deformbench::model {

/// Cloth in its rest configuration: a manifold triangle surface, closed or open; several cloths are several connected
/// components. Plain data.
struct ClothMesh {
  Points rest_positions;      ///< n×3, m
  Triangles triangles;        ///< m×3; consistently oriented
  double area_density = 0.1;  ///< kg/m²

  Eigen::Index vertex_count() const { return rest_positions.rows(); }
  Eigen::Index triangle_count() const { return triangles.rows(); }
};

/// Particles connected only by explicit constraints: chains, pendulums, single constraints. With supports: the nodes
/// that sample a solid, whose boundary is the scene's skin. Plain data.
struct ParticleSet {
  Points rest_positions;     ///< n×3, m
  Eigen::VectorXd masses;    ///< n, kg
  Eigen::VectorXd supports;  ///< n, m: radius within which a node of a solid acts on others; empty for free particles

  bool is_solid() const { return supports.size() > 0; }

  Eigen::Index vertex_count() const { return rest_positions.rows(); }
};

}  // namespace deformbench::model

// SPDX-License-Identifier: BSD-3-Clause
// Energy and stretch of a body, shared by the channels and the bounds watch.
#pragma once

#include <span>
#include <vector>

#include "methods/method.hpp"

namespace deformbench::harness {

/// J: Σ m|v|²/2 of vertices plus m|v|²/2 + ω·Iω/2 of rigid bodies of finite mass. `velocities` n×3, m/s; `masses`
/// n, kg.
double kinetic_energy(const Eigen::Ref<const Eigen::VectorXd>& masses, const Eigen::Ref<const Points>& velocities,
                      std::span<const RigidBodyState> rigid_bodies);

/// A pair of vertices with a length at rest (m).
struct RestEdge {
  int a = 0, b = 0;
  double rest_length = 0.0;
};

/// Edges of the triangles without duplicates, sorted by (a, b), with their lengths at `rest` (n×3, m).
std::vector<RestEdge> triangle_edges(const Eigen::Ref<const Triangles>& triangles,
                                     const Eigen::Ref<const Points>& rest);
/// Same for the six edges of tetrahedra.
std::vector<RestEdge> tetrahedron_edges(const Tetrahedra& tetrahedra, const Eigen::Ref<const Points>& rest);
/// Edges of the scene's mesh or cloth, and its distance constraints, except inequalities and edges of zero rest
/// length.
std::vector<RestEdge> rest_edges(const Scene& scene);

/// |x_a − x_b| / rest length.
double stretch(const RestEdge& edge, const Eigen::Ref<const Points>& positions);

}  // namespace deformbench::harness

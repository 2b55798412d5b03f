// SPDX-License-Identifier: BSD-3-Clause
// Node clouds of the tests: blocks of 1 m with displaced vertices.
#pragma once

#include <map>
#include <string>

#include "methods/meshless/meshless_options.hpp"
#include "methods/meshless/nodes/node_cloud.hpp"
#include "methods/model/structured.hpp"
#include "methods/numerics/random.hpp"

namespace deformbench::meshless {

/// n×n×n cells; every vertex is moved by up to `jitter` cells along each axis. 0.15 leaves no tetrahedron inverted.
inline Scene jittered_block(int n, double jitter = 0.15, std::uint64_t seed = 1) {
  Scene scene;
  scene.name = "jittered_block";
  scene.tet_mesh = model::make_block({n, n, n}, Vector3::Zero(), Vector3::Ones(), model::BlockSplit::AlternatingFive);
  scene.materials = {model::Material{}};
  numerics::RandomStream random(seed);
  for (Eigen::Index k = 0; k < scene.tet_mesh.rest_positions.size(); ++k)
    scene.tet_mesh.rest_positions.data()[k] += jitter / n * random.uniform(-1.0, 1.0);
  return scene;
}

/// All vertices in the plane z = 0: the gradient across it does not exist.
inline Scene flat_block(int n) {
  Scene scene = jittered_block(n);
  scene.tet_mesh.rest_positions.col(2).setZero();
  return scene;
}

inline Points random_points(Eigen::Index rows, double size, std::uint64_t seed) {
  numerics::RandomStream random(seed);
  Points points(rows, 3);
  for (Eigen::Index k = 0; k < points.size(); ++k) points.data()[k] = size * random.uniform(-1.0, 1.0);
  return points;
}

inline MeshlessOptions options_with(const std::map<std::string, ParameterValue>& settings) {
  return meshless_options(Parameters(meshless_parameters(), settings, "meshless"));
}

}  // namespace deformbench::meshless

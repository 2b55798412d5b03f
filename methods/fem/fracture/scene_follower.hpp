// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <span>
#include <vector>

#include "methods/fem/body/vertex_split.hpp"
#include "methods/model/scene.hpp"

namespace deformbench::fem {

/// Updates the scene after `splits`: connectivity from `topology`, rest and initial states of new vertices (copies),
/// prescribed vertices and targets, named sets and loaded triangles,
/// each still a face of its element. A point load stays with the vertex that keeps its index.
class SceneFollower {
 public:
  explicit SceneFollower(const Scene& scene);
  void follow(Scene& scene, const FractureTopology& topology, std::span<const VertexSplit> splits) const;

 private:
  /// Element with this face (−1: none), and the face's corners.
  struct LoadedTriangle {
    int element;
    std::array<int, 3> corners;
  };
  std::vector<std::vector<LoadedTriangle>> loaded_;  ///< one list per traction load
};

}  // namespace deformbench::fem

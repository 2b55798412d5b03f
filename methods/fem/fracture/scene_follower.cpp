// SPDX-License-Identifier: BSD-3-Clause
#include "methods/fem/fracture/scene_follower.hpp"

#include <algorithm>
#include <map>

namespace deformbench::fem {
namespace {

/// The corners of an element's faces; face f is the one opposite corner f.
constexpr int kFaceCorners[4][3] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};

void append_copies_of_sources(const FractureTopology& topology, Points& rows) {
  if (rows.rows() > 0) append_copies(topology, rows);
}

}  // namespace

SceneFollower::SceneFollower(const Scene& scene) {
  loaded_.resize(scene.traction_loads.size());
  if (loaded_.empty()) return;
  std::map<std::array<int, 3>, std::pair<int, int>> faces;  // sorted vertices → element, face
  for (int e = 0; e < int(scene.tet_mesh.element_count()); ++e) {
    for (int f = 0; f < 4; ++f) {
      std::array<int, 3> key;
      for (std::size_t k = 0; k < 3; ++k) key[k] = scene.tet_mesh.tetrahedra(e, kFaceCorners[f][k]);
      std::sort(key.begin(), key.end());
      faces[key] = {e, f};
    }
  }
  for (std::size_t load = 0; load < loaded_.size(); ++load) {
    const Triangles& triangles = scene.traction_loads[load].triangles;
    for (Eigen::Index t = 0; t < triangles.rows(); ++t) {
      std::array<int, 3> key = {triangles(t, 0), triangles(t, 1), triangles(t, 2)};
      std::sort(key.begin(), key.end());
      const auto found = faces.find(key);
      LoadedTriangle loaded{-1, {}};
      if (found != faces.end()) {
        loaded.element = found->second.first;
        for (std::size_t k = 0; k < 3; ++k)
          for (int c = 0; c < 4; ++c)
            if (scene.tet_mesh.tetrahedra(loaded.element, c) == triangles(t, Eigen::Index(k))) loaded.corners[k] = c;
      }
      loaded_[load].push_back(loaded);
    }
  }
}

void SceneFollower::follow(Scene& scene, const FractureTopology& topology, std::span<const VertexSplit> splits) const {
  scene.tet_mesh.tetrahedra = topology.tetrahedra();
  append_copies(topology, scene.tet_mesh.rest_positions);
  append_copies_of_sources(topology, scene.initial_positions);
  append_copies_of_sources(topology, scene.initial_velocities);
  const auto index_in = [](const std::vector<int>& list, int vertex) {
    return std::size_t(std::find(list.begin(), list.end(), vertex) - list.begin());
  };
  for (const VertexSplit& split : splits) {
    for (const NewVertex& born : split.new_vertices) {
      for (auto& motion : scene.prescribed) {
        const std::size_t k = index_in(motion.vertices, born.source);
        if (k == motion.vertices.size()) continue;
        motion.vertices.push_back(born.vertex);
        if (motion.targets.rows() == 0) continue;
        motion.targets.conservativeResize(motion.targets.rows() + 1, 3);
        for (int c = 0; c < 3; ++c) motion.targets(motion.targets.rows() - 1, c) = motion.targets(Eigen::Index(k), c);
      }
      for (auto& [name, vertices] : scene.vertex_sets)
        if (index_in(vertices, born.source) < vertices.size()) vertices.push_back(born.vertex);
    }
  }
  for (std::size_t load = 0; load < loaded_.size(); ++load)
    for (std::size_t t = 0; t < loaded_[load].size(); ++t)
      if (const LoadedTriangle& loaded = loaded_[load][t]; loaded.element >= 0)
        for (std::size_t k = 0; k < 3; ++k)
          scene.traction_loads[load].triangles(Eigen::Index(t), Eigen::Index(k)) =
              scene.tet_mesh.tetrahedra(loaded.element, loaded.corners[k]);
}

}  // namespace deformbench::fem

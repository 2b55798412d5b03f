// SPDX-License-Identifier: BSD-3-Clause
// Selections in a scene file: vertices, tetrahedra or boundary triangles by box, sphere, plane, list or group.
#pragma once

#include <functional>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "experiments/harness/cells/scene_file/json_node.hpp"
#include "methods/model/mesh_files/mesh_files.hpp"
#include "methods/model/scene.hpp"

namespace deformbench::harness {

/// Mesh file of each vertex; group of each element in its mesh file.
struct BodyOrigin {
  static constexpr long long kNoGroup = std::numeric_limits<long long>::min();

  std::vector<std::string> mesh_ids;
  std::vector<int> vertex_mesh;           ///< index into mesh_ids; empty for a body from lists
  std::vector<long long> element_group;   ///< kNoGroup if the file has no groups
  std::vector<model::GroupedFace> faces;  ///< of all mesh files, by body vertex indices
};

class Selector {
 public:
  /// Selects in the rest state; uses the vertex sets of `scene`. `scene` and `origin` must outlive it.
  Selector(const Scene& scene, const BodyOrigin& origin);

  /// In list order if the selection is one list of vertices, else ascending. All three throw InputError if nothing is
  /// selected.
  std::vector<int> vertices(const JsonNode& selection) const;
  std::vector<int> elements(const JsonNode& selection) const;
  /// Triangles of the boundary of tetrahedra, or of the cloth.
  Triangles triangles(const JsonNode& selection) const;

 private:
  using Mask = std::vector<char>;
  enum class Kind { Vertex, Element, Triangle };

  std::size_t count(Kind kind) const;
  /// Vertices inside, triangles with all corners inside, elements with their centroid inside.
  Mask by_point(Kind kind, const std::function<bool(const Vector3&)>& is_inside) const;
  Mask by_vertices(Kind kind, const Mask& vertices) const;
  Mask by_elements(Kind kind, const Mask& elements, const JsonNode& node) const;
  Mask mask(Kind kind, const JsonNode& selection) const;
  Mask mask_of_key(Kind kind, const JsonNode& selection, const std::string& key) const;
  Mask group_mask(const JsonNode& node) const;
  Mask face_group_mask(Kind kind, const JsonNode& node) const;
  std::vector<int> chosen(Kind kind, const JsonNode& selection) const;
  void expect_some(Kind kind, std::size_t selected, const JsonNode& selection) const;
  void read_boundary() const;

  const Scene& scene_;
  const BodyOrigin& origin_;
  double size_;                                ///< m, diagonal of the bounding box
  mutable bool has_boundary_ = false;          ///< computed on first use
  mutable Triangles boundary_;                 ///< of the tetrahedra, or all cloth triangles
  mutable std::vector<int> boundary_element_;  ///< tetrahedron of each boundary triangle
};

}  // namespace deformbench::harness

// SPDX-License-Identifier: BSD-3-Clause
// Selections of a scene file: vertices, tetrahedra or boundary triangles by box, sphere, plane, list, group.
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

/// Which mesh file a vertex of the body is from, and which group of its file an element is in.
struct BodyOrigin {
  static constexpr long long kNoGroup = std::numeric_limits<long long>::min();

  std::vector<std::string> mesh_ids;
  std::vector<int> vertex_mesh;           ///< index into mesh_ids; empty where the body is from lists
  std::vector<long long> element_group;   ///< kNoGroup where the file distinguishes none
  std::vector<model::GroupedFace> faces;  ///< of all mesh files, by the vertices of the body
};

class Selector {
 public:
  /// Of the rest state; `scene` and `origin` must outlive it. Vertex sets are those of `scene`.
  Selector(const Scene& scene, const BodyOrigin& origin);

  /// In the order of the list where the selection is one list of vertices, else ascending. All three throw InputError
  /// where nothing is selected.
  std::vector<int> vertices(const JsonNode& selection) const;
  std::vector<int> elements(const JsonNode& selection) const;
  /// Triangles of the boundary of tetrahedra, or of the cloth.
  Triangles triangles(const JsonNode& selection) const;

 private:
  using Mask = std::vector<char>;
  enum class Kind { Vertex, Element, Triangle };

  std::size_t count(Kind kind) const;
  /// Vertices and triangles whose corners are all inside; elements by their centroid.
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
  double size_;                                ///< m, diagonal of the box of all vertices
  mutable bool has_boundary_ = false;          ///< computed when first asked for
  mutable Triangles boundary_;                 ///< of tetrahedra; or the triangles of the cloth
  mutable std::vector<int> boundary_element_;  ///< the tetrahedron of each
};

}  // namespace deformbench::harness

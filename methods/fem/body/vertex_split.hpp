// SPDX-License-Identifier: BSD-3-Clause
// Fracture by splitting vertices, [MG04] §4: connectivity of elements through vertices and faces, and the split of a
// vertex by a plane. Elements and old vertices keep their index; new vertices are appended. Split costs are
// proportional to the star (the elements at the vertex), not to the mesh.
//
// Where the paper says nothing (B-IVM-17):
//   all elements on one side      the vertex stays whole
//   centroid on the plane         + side, also when its distance is below the rounding of the coordinates
//   which side keeps the index    +; if that side is disconnected, the component with the lowest element
//   hinges                        elements that after the split meet only at a vertex or at an edge of it, not
//                                 through faces: every component gets its own vertex (Separate), or they stay joined
//                                 (Keep, as printed). Only the stars of v+, v− and of vertices of exposed faces can
//                                 become disconnected; a hinge of the initial mesh is cut when a crack reaches it.
//   hinge edges                   an edge may keep several fans of elements although the stars of both its ends are
//                                 connected; no vertex split resolves that without exposing faces, so it is reported
//   crack tips                    v1, v2 of an exposed face (v, v1, v2) are marked. Vertices that were split, v± and
//                                 separated hinges, lose the mark: the crack has passed them
//   isolated elements             are legal, and cannot split any further
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "methods/model/types.hpp"

namespace deformbench::fem {

/// A node's or an element's number as the index of a standard container.
constexpr std::size_t at(int i) {
  return std::size_t(i);
}

enum class HingeRule {
  Separate,  ///< no two elements stay joined by a vertex alone; boundary vertices stay manifold but for hinge edges
  Keep,      ///< as printed: one vertex v+ and one v−, even with disconnected stars
};

/// Corner `corner` (0…3) of `element` was vertex `from` and is vertex `to`.
struct CornerMove {
  int element, corner, from, to;
};

struct NewVertex {
  int vertex;                 ///< its index
  int source;                 ///< the vertex that it was split from: same position and velocity
  int parent;                 ///< its ancestor in the initial mesh
  bool hinge;                 ///< made to separate a hinge, not by the plane
  std::vector<int> elements;  ///< all its elements, which moved to it; ascending
};

/// A face that two elements shared. Face f of an element is the one opposite its corner f.
struct ExposedFace {
  int element_a, face_a;  ///< on the + side
  int element_b, face_b;
};

struct VertexSplit {
  int vertex = -1;                      ///< v
  Vector3 normal = {0, 0, 0};           ///< of the plane
  double stress = 0.0;                  ///< Pa, that caused it; set by FractureRule
  int element = -1;                     ///< element with that stress, −1: a vertex; set by FractureRule
  std::vector<NewVertex> new_vertices;  ///< the first is v−
  std::vector<CornerMove> moves;        ///< one per corner that changed
  std::vector<ExposedFace> exposed_faces;
  std::vector<int> tips;                        ///< marked by this split (or already before), ascending
  std::vector<int> hinges;                      ///< vertices other than v whose star was separated, ascending
  std::vector<std::array<int, 2>> hinge_edges;  ///< edges of exposed faces left with more than two boundary faces
};

/// Numbers of a star's element centroids on each side of a plane through its vertex.
struct SplitTrial {
  int positive = 0, negative = 0;
  bool splits() const { return positive > 0 && negative > 0; }
  /// Why it does not split, "" when it does: "all 3 elements round it lie on the positive side".
  std::string reason() const;
};

class FractureTopology {
 public:
  /// InputError when a corner is not a vertex, an element repeats one, or a face belongs to three elements.
  FractureTopology(const Tetrahedra& tetrahedra, int vertex_count, HingeRule hinges = HingeRule::Separate);

  const Tetrahedra& tetrahedra() const { return tetrahedra_; }  ///< current, m×4
  int vertex_count() const { return int(stars_.size()); }
  int element_count() const { return int(tetrahedra_.rows()); }
  std::span<const int> parents() const { return parents_; }           ///< one per vertex: ancestor in the initial mesh
  std::span<const int> sources() const { return sources_; }           ///< one per vertex: split from, or itself
  std::span<const std::uint8_t> crack_tips() const { return tips_; }  ///< one per vertex: 1 when marked
  /// Corners 4·element + corner that are this vertex, ascending.
  std::span<const int> star(int vertex) const { return stars_[std::size_t(vertex)]; }
  /// Element across the face opposite `corner`, −1 when there is none.
  int neighbour(int element, int corner) const { return neighbours_[std::size_t(4 * element + corner)]; }
  /// Plane splits so far.
  std::int64_t split_count() const { return split_count_; }

  /// What `split` would do. `positions` (m): one row per vertex; vertices beyond its rows lie where their source
  /// lies, so that several vertices can be split before positions are updated. `normal` of any length > 0.
  SplitTrial would_split(int vertex, const Vector3& normal, const Eigen::Ref<const Points>& positions) const;
  /// Splits `vertex` by the plane through its position; nullopt, and no change, if all elements are on one side. A
  /// normal that is zero or not finite separates nothing. InputError when there is no such vertex.
  std::optional<VertexSplit> split(int vertex, const Vector3& normal, const Eigen::Ref<const Points>& positions);

  /// Vertices whose star is not connected by faces, ascending. O(m); for reports and tests.
  std::vector<int> hinge_vertices() const;

 private:
  Vector3 position(int vertex, const Eigen::Ref<const Points>& positions) const;
  bool is_negative(int place, const Vector3& normal, const Eigen::Ref<const Points>& positions) const;
  void require_vertex(int vertex, const Eigen::Ref<const Points>& positions) const;
  int corner_of(int element, int vertex) const;
  std::vector<std::vector<int>> face_components(int vertex) const;
  void give_new_vertex(int source, std::vector<int> places, bool hinge, VertexSplit& record);
  void expose_faces(int vertex, const std::vector<int>& negative, VertexSplit& record);
  bool is_hinge_edge(int a, int b) const;

  Tetrahedra tetrahedra_;
  HingeRule hinges_;
  std::vector<std::vector<int>> stars_;
  std::vector<int> neighbours_;  ///< 4 per element
  std::vector<int> parents_, sources_;
  std::vector<std::uint8_t> tips_;
  std::int64_t split_count_ = 0;
  mutable std::vector<int> label_;  ///< scratch, one per element: −1 outside face_components and expose_faces
};

/// Appends to `rows` (positions or velocities) the vertices it does not have yet: copies of their sources.
void append_copies(const FractureTopology& topology, Points& rows);

/// Lumped masses (kg, one per vertex) after `splits`: a quarter of the mass of each element of the star, summed
/// in ascending order as for a new mesh, so independent of the splits' order. Resizes `masses`; other vertices
/// keep theirs. With copied positions and velocities this conserves mass, momentum, angular momentum and energies.
void update_masses(const FractureTopology& topology, std::span<const VertexSplit> splits,
                   std::span<const double> element_masses, Eigen::VectorXd& masses);

}  // namespace deformbench::fem

// SPDX-License-Identifier: BSD-3-Clause
// Balanced octree round a closed surface, fine where the surface is. [PKAGDG05] §4
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "methods/model/triangle_mesh.hpp"

namespace deformbench::meshless {

/// Which cells are adjacent, for the balance and for supports; the text does not say.
enum class Adjacency {
  Corners,  ///< cells that have a face, an edge or a corner in common: 26 in a lattice
  Faces,    ///< cells that have a part of a face in common: 6 in a lattice
};

/// What the root cell is, before it is divided.
enum class RootCell {
  Cube,  ///< about the centre of the bounding box, as long as its longest side
  Box,   ///< the bounding box itself: all cells have its proportions
};

struct OctreeOptions {
  int levels = 5;  ///< of division at most, 0 … 10
  Adjacency adjacency = Adjacency::Corners;
  RootCell root = RootCell::Cube;
};

/// Corner and edge in finest cells, of which the root has 2^levels along each axis.
struct OctreeCell {
  std::array<int, 3> corner;
  int edge;
};

class Octree {
 public:
  /// Cells that `surface` touches are divided down to `levels`, then all whose adjacent cells are more than twice as
  /// fine. `surface` needs at least one triangle, and an extent along every axis.
  Octree(const model::TriangleMesh& surface, const OctreeOptions& options);

  /// The leaves, sorted by corner: z, then y, then x.
  const std::vector<OctreeCell>& cells() const { return cells_; }
  /// 0 of the root.
  int level_of(const OctreeCell& cell) const;
  /// Leaves adjacent to a leaf, ascending.
  std::vector<int> adjacent(int cell, Adjacency adjacency) const;

  /// m, along each axis; three equal lengths where the root is a cube.
  Vector3 edges_of(const OctreeCell& cell) const { return unit_ * cell.edge; }
  Vector3 low_of(const OctreeCell& cell) const;
  Vector3 centre_of(const OctreeCell& cell) const { return low_of(cell) + 0.5 * edges_of(cell); }

 private:
  using Key = std::uint64_t;
  static Key key_of(const OctreeCell& cell);
  static OctreeCell cell_of(Key key);
  void divide_at(const model::TriangleMesh& surface);
  void balance(Adjacency adjacency);
  /// Takes the leaf out; its eight parts.
  std::array<OctreeCell, 8> divide(const OctreeCell& leaf);
  /// Calls f with every leaf whose closed cell meets that of `cell`, itself too.
  template <class F>
  void for_touching(const OctreeCell& cell, F&& f) const;

  int levels_;
  Vector3 low_, unit_;                 ///< m; of a finest cell
  std::unordered_map<Key, int> leaf_;  ///< place in `cells_`
  std::vector<OctreeCell> cells_;
};

}  // namespace deformbench::meshless

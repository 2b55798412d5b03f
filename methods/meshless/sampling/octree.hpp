// SPDX-License-Identifier: BSD-3-Clause
// Balanced octree around a closed surface, refined at the surface. [PKAGDG05] §4
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "methods/model/triangle_mesh.hpp"

namespace deformbench::meshless {

/// Adjacency of cells, for balance and supports; the paper leaves it open.
enum class Adjacency {
  Corners,  ///< cells with a common face, edge or corner: 26 in a lattice
  Faces,    ///< cells with a common part of a face: 6 in a lattice
};

/// Shape of the root cell.
enum class RootCell {
  Cube,  ///< around the bounding box's centre, with its longest side
  Box,   ///< the bounding box: all cells have its proportions
};

struct OctreeOptions {
  int levels = 5;  ///< maximum depth, 0 … 10
  Adjacency adjacency = Adjacency::Corners;
  RootCell root = RootCell::Cube;
};

/// Corner and edge in units of the finest cells (2^levels along each axis of the root).
struct OctreeCell {
  std::array<int, 3> corner;
  int edge;
};

class Octree {
 public:
  /// Divides cells touched by `surface` down to `levels`, then all with adjacent cells more than twice as fine.
  /// `surface` needs at least one triangle and an extent along every axis.
  Octree(const model::TriangleMesh& surface, const OctreeOptions& options);

  /// Leaves, sorted by corner: z, then y, then x.
  const std::vector<OctreeCell>& cells() const { return cells_; }
  /// 0 for the root.
  int level_of(const OctreeCell& cell) const;
  /// Leaves adjacent to a leaf, ascending.
  std::vector<int> adjacent(int cell, Adjacency adjacency) const;

  /// m, per axis; equal for a cubic root cell.
  Vector3 edges_of(const OctreeCell& cell) const { return unit_ * cell.edge; }
  Vector3 low_of(const OctreeCell& cell) const;
  Vector3 centre_of(const OctreeCell& cell) const { return low_of(cell) + 0.5 * edges_of(cell); }

 private:
  using Key = std::uint64_t;
  static Key key_of(const OctreeCell& cell);
  static OctreeCell cell_of(Key key);
  void divide_at(const model::TriangleMesh& surface);
  void balance(Adjacency adjacency);
  /// Replaces the leaf by its eight parts and returns them.
  std::array<OctreeCell, 8> divide(const OctreeCell& leaf);
  /// Calls f with every leaf whose closed cell touches that of `cell`, including itself.
  template <class F>
  void for_touching(const OctreeCell& cell, F&& f) const;

  int levels_;
  Vector3 low_, unit_;                 ///< m; lowest corner of the root, edges of a finest cell
  std::unordered_map<Key, int> leaf_;  ///< index in `cells_`
  std::vector<OctreeCell> cells_;
};

}  // namespace deformbench::meshless

// SPDX-License-Identifier: BSD-3-Clause
// Cells of the two lattices used by tetrahedralize(): contact with a surface, neighbours, and their tetrahedra.
// Internal to methods/surface.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "methods/model/tet_mesh.hpp"
#include "methods/model/triangle_mesh.hpp"
#include "methods/surface/triangle_tree.hpp"

namespace deformbench::surface {

/// Cubes of edge `size` over a box, with margin cubes on all sides for cells added by repairs.
struct CubeGrid {
  Vector3 origin;
  double size = 1.0;
  Eigen::Vector3i count;

  /// `anchor` in [0,1)³: position of the centre of [low, high] within its cube.
  CubeGrid(const Vector3& low, const Vector3& high, double cell_size, const Vector3& anchor);
  std::size_t cube_count() const;
  std::size_t index(const Eigen::Vector3i& c) const {
    return (std::size_t(c[0]) * std::size_t(count[1]) + std::size_t(c[1])) * std::size_t(count[2]) + std::size_t(c[2]);
  }
  Eigen::Vector3i cube(std::size_t index) const;
  Eigen::Vector3i cube_at(const Vector3& p) const;  ///< clamped to the grid
  Vector3 corner(const Eigen::Vector3i& c) const { return origin + size * c.cast<double>(); }
  Vector3 centre(const Eigen::Vector3i& c) const { return origin + size * (c.cast<double>().array() + 0.5).matrix(); }
  bool contains(const Eigen::Vector3i& c) const { return (c.array() >= 0).all() && (c.array() < count.array()).all(); }
};

using KeptCells = std::vector<std::uint8_t>;  ///< one per cell

/// Cells are cubes, five tetrahedra each.
class CubeCells {
 public:
  static constexpr int kTetrahedraPerCell = 5;
  explicit CubeCells(const CubeGrid& grid) : grid_(grid) {}
  std::size_t cell_count() const { return grid_.cube_count(); }
  bool is_cell(std::size_t) const { return true; }
  bool on_border(std::size_t cell) const;
  Vector3 centre(std::size_t cell) const { return grid_.centre(grid_.cube(cell)); }
  /// Face neighbours within the grid; returns their number.
  int neighbours(std::size_t cell, std::array<std::size_t, 6>& out) const;
  void keep_touched(const model::TriangleMesh& surface, const TriangleTree& tree, KeptCells& kept) const;
  /// Adds cells until, at every lattice vertex, kept cells are connected and others too; returns the count.
  int make_boundary_manifold(KeptCells& kept) const;
  model::TetMesh mesh(const KeptCells& kept) const;

 private:
  CubeGrid grid_;
};

/// Cells are tetrahedra of the body-centred lattice: two centres of neighbouring cubes and an edge of their common
/// face. Cell 12 c + 4 axis + e is edge e of the lower face of cube c normal to `axis`.
class BodyCentredCells {
 public:
  static constexpr int kTetrahedraPerCell = 1;
  explicit BodyCentredCells(const CubeGrid& grid) : grid_(grid) {}
  std::size_t cell_count() const { return 12 * grid_.cube_count(); }
  bool is_cell(std::size_t cell) const;
  bool on_border(std::size_t cell) const;
  Vector3 centre(std::size_t cell) const;
  int neighbours(std::size_t cell, std::array<std::size_t, 6>& out) const;
  void keep_touched(const model::TriangleMesh& surface, const TriangleTree& tree, KeptCells& kept) const;
  int make_boundary_manifold(KeptCells& kept) const;
  model::TetMesh mesh(const KeptCells& kept) const;
  /// Cell that contains `p`.
  std::size_t cell_at(const Vector3& p) const;
  /// Lattice vertices of a cell: even numbers are cube corners, odd ones cube centres.
  std::array<std::int64_t, 4> vertices(std::size_t cell) const;
  Vector3 position(std::int64_t vertex) const;

 private:
  CubeGrid grid_;
};

}  // namespace deformbench::surface

// SPDX-License-Identifier: BSD-3-Clause
// A closed surface embedded in a tetrahedral mesh and cut with it, [MG04] §5.2: where two elements separate, the
// surface is cut along their common face and closed by two copies of the face's part inside it. All in rest
// coordinates. The result is closed, edge-manifold and consistently oriented after every cut by construction: decisions
// are exact signs (perturbed_points.hpp), and a vertex is a key (surface_cells.hpp) plus a part of the elements around
// it.
// DEVIATION [MG04] §5.2: when the first face opens across a triangle, the triangle is divided by all elements it passes
// through, not by T_v alone: no triangle is cut twice, but more triangles than needed are made.
// DEVIATION [MG04] §5.2: the two copies of T_v end exactly on the cut surface and share its vertices; the paper
// subdivides T_v along the surface and leaves open how the two sets of points agree.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "methods/model/tet_mesh.hpp"
#include "methods/model/triangle_mesh.hpp"
#include "methods/surface/linked_points.hpp"

namespace deformbench::surface {

/// Changes made by one call of follow.
struct SurfaceCut {
  int faces_opened = 0;   ///< of the tetrahedral mesh
  int triangles_cut = 0;  ///< original triangles cut for the first time
  int triangles_added = 0;
  int vertices_added = 0;
  int slivers = 0;        ///< new triangles thinner than kSliverAltitude
  int first_sliver = -1;  ///< index of the first; −1 if none
  int edges_divided = 0;  ///< of the mesh, given a midpoint: else two surface edges there would join the same vertices
  int overlapping_cracks = 0;  ///< faces at self-intersections, closed by overlapping triangles
};

/// Connected components of the surface, each closed.
struct SurfacePieces {
  std::vector<int> of_triangle;  ///< piece of each triangle
  std::vector<double> volumes;   ///< m³ at rest; negative for cavities
};

class FracturingSurface {
 public:
  /// A sliver's shortest altitude is below this times the longest edge of the original surface.
  static constexpr double kSliverAltitude = 1e-6;

  /// Throws InputError (one line, beginning with `name`) if the surface is open, non-manifold or inside out (naming the
  /// edge), sticks out of the mesh (naming vertex or triangle, position and distance), or the mesh cannot be simulated.
  /// A vertex shared by several fans is split, with a warning.
  FracturingSurface(const model::TetMesh& rest, const model::TriangleMesh& surface,
                    const std::string& name = "surface");
  ~FracturingSurface();
  FracturingSurface(FracturingSurface&&) noexcept;
  FracturingSurface& operator=(FracturingSurface&&) noexcept;

  /// Follows the elements' vertices (same element order as `rest`; a face has opened if its two elements name different
  /// vertices). Opened faces stay open. Vertices and triangles keep their index (a cut triangle's index goes to one of
  /// its parts); new ones are appended. O(elements), plus the size of the cut.
  SurfaceCut follow(const Tetrahedra& current);

  Eigen::Index vertex_count() const;
  Eigen::Index triangle_count() const;
  Eigen::Map<const Triangles> triangles() const;                 ///< counter-clockwise from outside
  const std::vector<int>& triangle_origins() const;              ///< original triangle, or −1 − face for a crack
  PointsView rest_positions() const;                             ///< n×3, m
  PointsView rest_normals() const;                               ///< n×3; of the outer triangles at a vertex, if any
  const std::vector<int>& elements() const;                      ///< element that each vertex follows
  Eigen::Map<const BarycentricCoordinates> barycentric() const;  ///< n×4, in that element
  const std::vector<int>& source_vertices() const;               ///< in the original surface; −1 for new vertices
  const std::vector<std::string>& warnings() const;

  /// Positions (m) and F⁻ᵀ normals at the mesh's current vertices `x` (m) and elements, in one pass.
  void update(const Eigen::Ref<const Points>& x, const Tetrahedra& current, Points& positions, Points& normals) const;

  SurfacePieces pieces() const;
  int grid_builds() const;  ///< how often the search grid was built ([MG04]: once)

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace deformbench::surface

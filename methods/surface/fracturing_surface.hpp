// SPDX-License-Identifier: BSD-3-Clause
// A closed surface that rides on a tetrahedral mesh and is cut with it, [MG04] §5.2: where two elements come apart the
// surface is cut along their common face and closed by two copies of the part of the face inside it. All in rest
// coordinates. The result is closed, edge-manifold and consistently oriented after every cut, by construction: every
// decision is an exact sign (perturbed_points.hpp), and a vertex of the fractured surface is a name (surface_cells.hpp)
// with a part of the elements around it.
// DEVIATION [MG04] §5.2: when the first face opens across a triangle, it is divided by all elements that it passes
// through, not by T_v alone: no triangle is cut twice, and more triangles than needed are made.
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

/// What one call of follow did.
struct SurfaceCut {
  int faces_opened = 0;   ///< of the tetrahedral mesh
  int triangles_cut = 0;  ///< of the first surface, that were whole until now
  int triangles_added = 0;
  int vertices_added = 0;
  int slivers = 0;        ///< triangles new now and thinner than kSliverAltitude
  int first_sliver = -1;  ///< the first of them; −1 without
  int edges_divided =
      0;  ///< of the mesh, inside the surface: cracks meet there that their ends alone cannot tell apart
  int overlapping_cracks = 0;  ///< faces where the surface meets itself: closed all the same, by overlapping triangles
};

/// Parts of the surface that hang together, each of them closed.
struct SurfacePieces {
  std::vector<int> of_triangle;  ///< piece of each triangle
  std::vector<double> volumes;   ///< m³ at rest; negative for the surface of a cavity
};

class FracturingSurface {
 public:
  /// A triangle is a sliver when its shortest altitude is below this times the longest edge of the first surface.
  static constexpr double kSliverAltitude = 1e-6;

  /// Throws InputError (one line, beginning with `name`) when the surface is open, not manifold or inside out, naming
  /// the edge; when it sticks out of the mesh, naming the vertex or triangle, where and by how much; and when the mesh
  /// cannot be simulated. A vertex that several fans share is split: `warnings` says so.
  FracturingSurface(const model::TetMesh& rest, const model::TriangleMesh& surface,
                    const std::string& name = "surface");
  ~FracturingSurface();
  FracturingSurface(FracturingSurface&&) noexcept;
  FracturingSurface& operator=(FracturingSurface&&) noexcept;

  /// Brings the surface up to date with the elements' vertices (same elements in the same order as `rest`; a face has
  /// opened when its two elements name different vertices). Opened faces stay open. Vertices and triangles keep their
  /// index (a cut triangle's becomes one of its parts'); new ones are appended. O(elements), and what is cut.
  SurfaceCut follow(const Tetrahedra& current);

  Eigen::Index vertex_count() const;
  Eigen::Index triangle_count() const;
  Eigen::Map<const Triangles> triangles() const;     ///< counter-clockwise seen from outside
  const std::vector<int>& triangle_origins() const;  ///< triangle of the first surface, or −1 − face for a crack
  PointsView rest_positions() const;                 ///< n×3, m
  PointsView rest_normals() const;                   ///< n×3; of the first surface's triangles where there are any
  const std::vector<int>& elements() const;          ///< the element that each vertex follows
  Eigen::Map<const BarycentricCoordinates> barycentric() const;  ///< n×4, in that element
  const std::vector<int>& source_vertices() const;  ///< of the first surface as given; −1 for new vertices
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

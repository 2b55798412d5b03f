// SPDX-License-Identifier: BSD-3-Clause
// Meshes that break, and what must hold of a surface that breaks with them.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "methods/model/tet_mesh.hpp"
#include "methods/numerics/random.hpp"
#include "methods/surface/cutting/fracturing_surface.hpp"

namespace deformbench::surface_test {

/// The elements of a mesh whose vertices split; where a vertex comes from.
class BreakingMesh {
 public:
  explicit BreakingMesh(const model::TetMesh& rest);
  /// Elements at `vertex` with their centroid on the positive side of the plane get a new vertex, and so does every
  /// part of a star that then hangs on by no face. False when all elements are on one side.
  bool split(int vertex, const Vector3& normal);
  bool split_at_random(numerics::RandomStream& random);
  /// Elements at a vertex, chosen one by one, get a new vertex; what then hangs on by less than a face stays joined.
  bool detach_at_random(numerics::RandomStream& random);
  void separate_all();

  const Tetrahedra& tetrahedra() const { return tetrahedra_; }
  int vertex_count() const { return int(parents_.size()); }
  /// Positions of the current vertices, given those of the first ones.
  Points positions(const Points& of_parents) const;
  /// Part of the mesh, connected through faces, that each element belongs to.
  std::vector<int> parts() const;

 private:
  std::vector<int> elements_at(int vertex) const;
  bool share_face_at(int e, int f, int vertex) const;
  void replace(const std::vector<int>& elements, int vertex);
  void separate_hinges(std::vector<int> vertices);

  const model::TetMesh rest_;
  Tetrahedra tetrahedra_;
  std::vector<int> parents_;
  std::vector<std::vector<int>> elements_of_;
};

/// Closed, every edge of two triangles in opposite directions; the area vectors add up to nothing; the volumes of the
/// pieces add up to `rest_volume`; no vertex outside its element; origins and rest positions agree.
testing::AssertionResult is_watertight(const surface::FracturingSurface& surface, double rest_volume);
/// The corners of every triangle follow elements that are still connected.
testing::AssertionResult follows_connected_elements(const surface::FracturingSurface& surface,
                                                    const BreakingMesh& mesh);
/// Both, after each of `splits` random splits (and detachments, for an odd seed) (or every `check_every`-th), and
/// before; what happened, added up.
testing::AssertionResult stays_watertight(const model::TetMesh& mesh, const model::TriangleMesh& shape, int splits,
                                          std::uint64_t seed, surface::SurfaceCut* total = nullptr,
                                          int check_every = 1);
/// After complete separation: watertight, and the volume in each element is that of the clipped surface within
/// `tolerance` (m³).
testing::AssertionResult separates_into_clipped_parts(const model::TetMesh& mesh, const model::TriangleMesh& shape,
                                                      double tolerance, surface::SurfaceCut* total = nullptr);
/// Volume of the part of a closed surface inside each element: every triangle with the origin, clipped.
std::vector<double> clipped_volumes(const model::TriangleMesh& surface, const model::TetMesh& mesh);

}  // namespace deformbench::surface_test

// SPDX-License-Identifier: BSD-3-Clause
// The constraints of a cloth: one stretch constraint per edge, one bend constraint per interior edge, one volume
// constraint per closed component. [MHHR07] §4.1, §4.4
#pragma once

#include <array>
#include <vector>

#include "methods/model/cloth_mesh.hpp"

namespace deformbench::pbd {

struct StretchConstraint {
  int a, b;
  double rest_length;  ///< m
};

/// Across the edge (v0, v1), with the opposite vertices v2 and v3; model::dihedral_angle(v0, v1, v2, v3).
struct BendConstraint {
  std::array<int, 4> vertices;
  double rest_angle;  ///< rad, signed; 0 where the rest shape is flat
};

/// [MHHR07] eq. 13: Σ (p1 × p2)·p3 over the triangles of one closed component, six times its volume.
struct VolumeConstraint {
  std::vector<int> vertices;  ///< of the component
  Triangles triangles;        ///< vertex indices of the mesh
  double rest_sum;            ///< m³, the sum over the rest shape
};

/// The listed order, in which SweepOrder::Forward visits them: all stretch constraints, sorted by (b − a, a) with a <
/// b, then all bend constraints, in the same order of their edges. In a cloth numbered row by row these are all edges
/// along the rows, one row after the other, then all edges across them, then the diagonals: as one writes a rectangular
/// cloth by hand. Of any two rows neither waits for the other, which gives list scheduling its width.
struct MeshConstraints {
  std::vector<StretchConstraint> stretch;  ///< a < b
  std::vector<BendConstraint> bend;        ///< vertices[0] < vertices[1]
  std::vector<VolumeConstraint> volume;    ///< in the order of their lowest vertices
};

/// Throws InputError naming the edge or triangle: non-manifold edge, neighbours wound against each other, area zero.
MeshConstraints build_mesh_constraints(const model::ClothMesh& cloth);

}  // namespace deformbench::pbd

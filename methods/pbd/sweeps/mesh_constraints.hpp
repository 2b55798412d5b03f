// SPDX-License-Identifier: BSD-3-Clause
// Constraints of a cloth: a stretch constraint per edge, a bend constraint per interior edge, a volume constraint per
// closed component. [MHHR07] §4.1, §4.4
#pragma once

#include <array>
#include <vector>

#include "methods/model/cloth_mesh.hpp"

namespace deformbench::pbd {

struct StretchConstraint {
  int a, b;
  double rest_length;  ///< m
};

/// Bend constraint of edge (v0, v1) with opposite vertices v2 and v3; angle model::dihedral_angle(v0, v1, v2, v3).
struct BendConstraint {
  std::array<int, 4> vertices;
  double rest_angle;  ///< rad, signed; 0 for a flat rest shape
};

/// [MHHR07] eq. 13: Σ (p1 × p2)·p3 over the triangles of one closed component, six times its volume.
struct VolumeConstraint {
  std::vector<int> vertices;  ///< of the component
  Triangles triangles;        ///< vertex indices of the mesh
  double rest_sum;            ///< m³, the sum over the rest shape
};

/// Constraints in the order of SweepOrder::Forward: stretch constraints sorted by (b − a, a) with a < b, then bend
/// constraints in the same order of their edges. For cloth numbered row by row: edges along rows, then edges across,
/// then diagonals. Different rows are independent, which gives list scheduling its width.
struct MeshConstraints {
  std::vector<StretchConstraint> stretch;  ///< a < b
  std::vector<BendConstraint> bend;        ///< vertices[0] < vertices[1]
  std::vector<VolumeConstraint> volume;    ///< ordered by their lowest vertices
};

/// Throws InputError naming the edge or triangle: non-manifold edge, inconsistently wound neighbours, area zero.
MeshConstraints build_mesh_constraints(const model::ClothMesh& cloth);

}  // namespace deformbench::pbd

// SPDX-License-Identifier: BSD-3-Clause
// Triangles as an exact sheet: any surface with inside and ray queries can be used. [PKAGDG05] §6
#pragma once

#include "methods/meshless/surface/sheet.hpp"
#include "methods/model/triangle_mesh.hpp"
#include "methods/numerics/mesh_distance.hpp"

namespace deformbench::meshless {

class TriangleSheet final : public Sheet {
 public:
  /// Copies the mesh data. Throws InputError if no triangle has an area.
  explicit TriangleSheet(const model::TriangleMesh& mesh);

  /// Defined everywhere. Beyond the border of an open mesh the sign is that of the nearest triangle's plane.
  std::optional<double> signed_distance(const Vector3& x) const override { return front_.nearest(x)->distance; }
  std::optional<Vector3> project(const Vector3& x) const override { return front_.nearest(x)->closest; }
  /// Angle-weighted pseudo-normal on edges and vertices.
  Vector3 normal(const Vector3& on_sheet) const override { return front_.nearest(on_sheet)->normal; }
  std::optional<double> first_hit(const Vector3& a, const Vector3& b) const override;

 private:
  numerics::MeshDistance front_;
  numerics::MeshDistance back_;  ///< the same triangles reversed: first_entry finds only hits from the front
};

}  // namespace deformbench::meshless

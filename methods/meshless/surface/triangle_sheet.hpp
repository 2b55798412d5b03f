// SPDX-License-Identifier: BSD-3-Clause
// Triangles as a sheet, exact: any surface with queries for inside and for rays serves. [PKAGDG05] §6
#pragma once

#include "methods/meshless/surface/sheet.hpp"
#include "methods/model/triangle_mesh.hpp"
#include "methods/numerics/mesh_distance.hpp"

namespace deformbench::meshless {

class TriangleSheet final : public Sheet {
 public:
  /// Copies what it needs. Throws InputError where no triangle has an area.
  explicit TriangleSheet(const model::TriangleMesh& mesh);

  /// Defined everywhere. Beyond the border of an open mesh the sign is that of the plane of the nearest triangle.
  std::optional<double> signed_distance(const Vector3& x) const override { return front_.nearest(x)->distance; }
  std::optional<Vector3> project(const Vector3& x) const override { return front_.nearest(x)->closest; }
  /// Angle-weighted pseudo-normal on edges and vertices.
  Vector3 normal(const Vector3& on_sheet) const override { return front_.nearest(on_sheet)->normal; }
  std::optional<double> first_hit(const Vector3& a, const Vector3& b) const override;

 private:
  numerics::MeshDistance front_;
  numerics::MeshDistance back_;  ///< the same triangles turned over: segments are found from their front alone
};

}  // namespace deformbench::meshless

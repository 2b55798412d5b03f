// SPDX-License-Identifier: BSD-3-Clause
#include "methods/meshless/surface/triangle_sheet.hpp"

#include <algorithm>

namespace deformbench::meshless {
namespace {

model::TriangleMesh turned_over(model::TriangleMesh mesh) {
  mesh.triangles.col(1).swap(mesh.triangles.col(2));
  return mesh;
}

}  // namespace

TriangleSheet::TriangleSheet(const model::TriangleMesh& mesh) : front_(mesh), back_(turned_over(mesh)) {}

std::optional<double> TriangleSheet::first_hit(const Vector3& a, const Vector3& b) const {
  const auto in = front_.first_entry(a, b, 0.0), out = back_.first_entry(a, b, 0.0);
  if (!in && !out) return {};
  if (!in || !out) return in ? in->time : out->time;
  return std::min(in->time, out->time);
}

}  // namespace deformbench::meshless

// SPDX-License-Identifier: BSD-3-Clause
// Cracks of a rebased solid (its current shape becomes the reference). [PKAGDG05] §5
#include <Eigen/Geometry>
#include <Eigen/LU>
#include <utility>

#include "methods/meshless/cracks/crack_part.hpp"
#include "methods/meshless/cracks/crack_system.hpp"
#include "methods/meshless/surface/rebasing.hpp"
#include "methods/meshless/surface/triangle_sheet.hpp"

namespace deformbench::meshless {
namespace {

constexpr double kInside = 1e-3;  // in surfel radii below the surface, for nodes mapped outside

/// F⁻ᵀ n, unit; n if F is singular.
Vector3 carried_normal(const Matrix3& f, const Vector3& normal) {
  Matrix3 cofactor;
  cofactor << f.col(1).cross(f.col(2)), f.col(2).cross(f.col(0)), f.col(0).cross(f.col(1));
  const Vector3 carried = f.determinant() < 0.0 ? Vector3(-cofactor * normal) : Vector3(cofactor * normal);
  return carried.norm() > 0.0 ? Vector3(carried.normalized()) : normal;
}

}  // namespace

void CrackSystem::carry(CrackBody body, ReferenceMap& map) {
  body_ = std::move(body);
  const std::vector<Vector3> before = area_.vertices();
  std::vector<Vector3> normals(before.size(), Vector3::Zero());
  for (std::size_t t = 0; t < area_.triangles().size(); ++t)
    for (const int v : area_.triangles()[t].vertices)
      if (normals[std::size_t(v)].isZero(0.0)) normals[std::size_t(v)] = area_.normal(int(t));
  std::vector<Vector3> after;
  for (std::size_t v = 0; v < before.size(); ++v) after.push_back(map.place_between(before[v], normals[v]));
  for (AdvancingFront& front : fronts_) {
    const std::size_t n = front.nodes.size();
    for (std::size_t i = 0; i < n; ++i) {
      CrackNode& node = front.nodes[i];
      Vector3& place = after[std::size_t(node.vertex)];
      const SheetName* sheet = front.is_closed ? nullptr
                               : i == 0        ? &front.first_sheet
                               : i + 1 == n    ? &front.last_sheet
                                               : nullptr;
      const int own = sheet != nullptr && sheet->kind == SheetName::Kind::Body ? sheet->number : -1;
      if (own >= 0) place = body_.sheet(own).project(place).value_or(place);
      if (const int outside = body_.outside(place, own); outside >= 0)
        if (const auto back = body_.sheet(outside).project(place))
          place = *back - kInside * options_.surfel_radius * body_.sheet(outside).normal(*back);
      map.set_place(before[std::size_t(node.vertex)], place);
      const Matrix3 f = map.gradient(node.position);
      node.position = place;
      node.normal = carried_normal(f, node.normal);
      node.drive = f * node.drive;
      node.rate = f * node.rate;
      node.history = f * node.history;
    }
  }
  area_.move(after);
  for (CrackSurfel& surfel : surfels_) {
    const Matrix3 f = map.gradient(surfel.position);
    surfel.position = map.place_between(surfel.position, surfel.normal);
    surfel.normal = carried_normal(f, surfel.normal);
  }
}

void CrackPart::carry(const model::TriangleMesh& skin, ReferenceMap& map) {
  cracks_.carry(CrackBody({std::make_shared<TriangleSheet>(skin)}), map);
  for (CrackSample& sample : samples_) {
    sample.position = sample.node >= 0 ? Vector3(cloud_.rest.row(sample.node)) : map.place(sample.position);
    if (sample.is_on_surface) sample.position = *cracks_.body().sheet(0).project(sample.position);
  }
  low_ = skin.positions.colwise().minCoeff();
  high_ = skin.positions.colwise().maxCoeff();
}

}  // namespace deformbench::meshless

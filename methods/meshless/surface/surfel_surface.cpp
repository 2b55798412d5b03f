// SPDX-License-Identifier: BSD-3-Clause
#include "methods/meshless/surface/surfel_surface.hpp"

#include <Eigen/Geometry>
#include <Eigen/SVD>
#include <utility>

#include "methods/model/boundary_surface.hpp"
#include "methods/numerics/mesh_distance.hpp"

namespace deformbench::meshless {
namespace {

numerics::Box box_around(const FrontSegment& segment) {
  return {segment.from.cwiseMin(segment.to), segment.from.cwiseMax(segment.to)};
}

Surfel turned_over(const Surfel& surfel) {
  return {surfel.position, -surfel.normal, surfel.axis_v, surfel.axis_u};
}

/// Carried axes are conjugate half diameters; the columns of A V, A = (u v) = U S Vᵀ, are the axes of the ellipse.
Surfel with_ellipse_axes(Surfel surfel) {
  Eigen::Matrix<double, 3, 2> axes;
  axes << surfel.axis_u, surfel.axis_v;
  axes = (Matrix3::Identity() - surfel.normal * surfel.normal.transpose()) * axes;
  const Eigen::JacobiSVD<Eigen::Matrix<double, 3, 2>> svd(axes, Eigen::ComputeFullV);
  axes = axes * svd.matrixV();
  surfel.axis_u = axes.col(0);
  surfel.axis_v = axes.col(1);
  if (surfel.axis_u.cross(surfel.axis_v).dot(surfel.normal) < 0.0) surfel.axis_v *= -1.0;
  return surfel;
}

}  // namespace

model::TriangleMesh skin_of(const Scene& scene) {
  if (scene.skin.triangle_count() > 0) return scene.skin;
  return model::boundary_surface(scene.tet_mesh).surface;
}

SurfelSurface::SurfelSurface(const Scene& scene, const SurfelSampling& sampling, const NodeCloud& cloud,
                             const WeightRule& rule, const CrackGeometry& cracks)
    : radius_(sampling.radius), motion_(cloud.rest, cloud.supports, rule) {
  if (!(radius_ > 0.0)) return;
  const model::TriangleMesh skin = skin_of(scene);
  for (const auto& surfels : sample_surface(skin, sampling)) append(add_sheet(), surfels, cracks);
  skin_sheets_ = sheet_count();
  if (!scene.cracks.empty()) {
    const numerics::MeshDistance body(skin);
    const numerics::Box region{body.lower().array() - radius_, body.upper().array() + radius_};
    for (const model::InitialCrack& crack : scene.cracks)
      for (std::vector<Surfel>& surfels : sample_surface(crack.surface, sampling, region)) {
        std::erase_if(surfels, [&](const Surfel& s) { return body.nearest(s.position)->distance > radius_; });
        append(add_sheet(), surfels, cracks);
        for (Surfel& surfel : surfels) surfel = turned_over(surfel);
        append(add_sheet(), surfels, cracks);
      }
  }
  last_ = {};
}

int SurfelSurface::add_sheet() {
  sheets_.emplace_back(radius_);
  return sheet_count() - 1;
}

void SurfelSurface::append(int sheet, std::span<const Surfel> surfels, const CrackGeometry& cracks) {
  for (const Surfel& surfel : surfels) sheets_[std::size_t(sheet)].append(surfel);
  sheet_of_.insert(sheet_of_.end(), surfels.size(), sheet);
  now_.insert(now_.end(), surfels.begin(), surfels.end());
  count(motion_.append(surfels, &cracks));
}

std::optional<Vector3> SurfelSurface::project_end(int sheet, const Vector3& x) const {
  return sheets_[std::size_t(sheet)].project(x);
}

void SurfelSurface::renew_nodes(const NodeCloud& cloud, const CrackGeometry& cracks) {
  if (!empty()) count(motion_.renew_nodes(cloud.rest, cloud.supports, cracks));
}

void SurfelSurface::rebase(const NodeCloud& cloud, const WeightRule& rule, const CrackGeometry& cracks) {
  if (empty()) return;
  for (Surfel& surfel : now_) surfel = with_ellipse_axes(surfel);
  for (SurfelSheet& sheet : sheets_) sheet = SurfelSheet(radius_);
  for (std::size_t s = 0; s < now_.size(); ++s) sheets_[std::size_t(sheet_of_[s])].append(now_[s]);
  SurfelMotion renewed(cloud.rest, cloud.supports, rule);
  count(renewed.append(now_, &cracks));
  motion_ = std::move(renewed);
}

void SurfelSurface::update(const TriangulatedCracks& cracks, const CrackChanges& changes) {
  last_ = {};
  if (empty() || changes.empty()) return;
  std::vector<numerics::Box> advanced;
  for (const auto& [a, b, c] : changes.surfaces)
    advanced.push_back({a.cwiseMin(b).cwiseMin(c), a.cwiseMax(b).cwiseMax(c)});
  for (const FrontSegment& segment : changes.fronts) advanced.push_back(box_around(segment));
  count(motion_.update(cracks, advanced));
}

void SurfelSurface::carry(const Eigen::Ref<const Points>& u, std::span<const Matrix3> gradients) {
  now_ = motion_.carried(u, gradients);
}

void SurfelSurface::count(const SurfelMotion::Counts& counts) {
  for (SurfelMotion::Counts* sum : {&last_, &all_}) {
    sum->surfels += counts.surfels;
    sum->pairs += counts.pairs;
  }
}

}  // namespace deformbench::meshless

// SPDX-License-Identifier: BSD-3-Clause
#include "methods/surface/cutting/surface_grid.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace deformbench::surface {
namespace {

constexpr int kMostCellsAlongAxis = 128;  // along an axis

}  // namespace

SurfaceGrid::SurfaceGrid(const model::TriangleMesh& surface) {
  build(surface);
}

void SurfaceGrid::build(const model::TriangleMesh& surface) {
  ++builds_;
  const Eigen::Index count = surface.triangle_count();
  stamps_.assign(std::size_t(count), 0);
  if (count == 0) return;
  const numerics::Box bounds{surface.positions.colwise().minCoeff().transpose(),
                             surface.positions.colwise().maxCoeff().transpose()};
  const std::vector<numerics::Box> boxes = numerics::boxes_of(surface.positions, surface.triangles);
  double mean = 0.0;
  for (const numerics::Box& box : boxes) mean += (box.high - box.low).maxCoeff() / double(count);
  slack_ = 1e-9 * std::max((bounds.high - bounds.low).maxCoeff(), 1e-300);  // above rounding, below the cell size
  grid_ = numerics::UniformGrid(boxes, bounds, 2.0 * mean, kMostCellsAlongAxis);
}

const std::vector<int>& SurfaceGrid::near(const Vector3& a, const Vector3& b, const Vector3& c) {
  found_.clear();
  ++stamp_;
  const Vector3 low = a.cwiseMin(b).cwiseMin(c).array() - slack_;
  const Vector3 high = a.cwiseMax(b).cwiseMax(c).array() + slack_;
  for (int k = 0; k < 3; ++k) {
    const double from = std::floor(grid_.place(low[k], k)), to = std::floor(grid_.place(high[k], k));
    // The last cell includes the far side of the box.
    if (to < 0.0 || from > grid_.count()[k]) return found_;
  }
  Vector3 normal = (b - a).cross(c - a);
  // A segment has no plane, but its cross product may be non-zero by rounding.
  const double thin = 1e-9 * (high - low).squaredNorm();
  normal = normal.norm() > thin ? Vector3(normal.normalized()) : Vector3::Zero();
  const double reach = 0.5 * grid_.cell_size() * normal.cwiseAbs().sum() + slack_;
  grid_.for_cells(grid_.cell_of(low), grid_.cell_of(high), [&](const numerics::UniformGrid::Cell& at) {
    if (std::abs(normal.dot(grid_.centre(at) - a)) > reach) return;
    for (const int t : grid_.boxes_in(at)) {
      if (stamps_[std::size_t(t)] == stamp_) continue;
      stamps_[std::size_t(t)] = stamp_;
      found_.push_back(t);
    }
  });
  std::sort(found_.begin(), found_.end());
  return found_;
}

}  // namespace deformbench::surface

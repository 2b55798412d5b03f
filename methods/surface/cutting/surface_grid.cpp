// SPDX-License-Identifier: BSD-3-Clause
#include "methods/surface/cutting/surface_grid.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace deformbench::surface {
namespace {

constexpr int kMostCellsAlongAxis = 128;  // along an axis

template <class F>
void for_box(const Eigen::Vector3i& low, const Eigen::Vector3i& high, F&& f) {
  for (int i = low[0]; i <= high[0]; ++i) {
    for (int j = low[1]; j <= high[1]; ++j) {
      for (int k = low[2]; k <= high[2]; ++k) f(i, j, k);
    }
  }
}

}  // namespace

SurfaceGrid::SurfaceGrid(const model::TriangleMesh& surface) {
  build(surface);
}

void SurfaceGrid::build(const model::TriangleMesh& surface) {
  ++builds_;
  const Eigen::Index count = surface.triangle_count();
  stamps_.assign(static_cast<std::size_t>(count), 0);
  if (count == 0) {
    starts_.assign(2, 0);
    return;
  }
  low_ = surface.positions.colwise().minCoeff().transpose();
  const Vector3 extent = surface.positions.colwise().maxCoeff().transpose() - low_;
  const auto corner = [&](Eigen::Index t, int c) -> Vector3 {
    return surface.positions.row(surface.triangles(t, c)).transpose();
  };
  double mean = 0.0;
  for (Eigen::Index t = 0; t < count; ++t) {
    const Vector3 a = corner(t, 0), b = corner(t, 1), c = corner(t, 2);
    mean += (a.cwiseMax(b).cwiseMax(c) - a.cwiseMin(b).cwiseMin(c)).maxCoeff() / static_cast<double>(count);
  }
  const double longest = std::max(extent.maxCoeff(), 1e-300);
  size_ = std::max(2.0 * mean, longest / kMostCellsAlongAxis);
  slack_ = 1e-9 * longest;  // far above the rounding here, far below a cell
  for (int k = 0; k < 3; ++k)
    count_[k] = std::clamp(static_cast<int>(std::ceil(extent[k] / size_)), 1, kMostCellsAlongAxis);
  const auto cell = [&](const Vector3& p) {
    Eigen::Vector3i at;
    for (int k = 0; k < 3; ++k)
      at[k] = std::clamp(static_cast<int>(std::floor((p[k] - low_[k]) / size_)), 0, count_[k] - 1);
    return at;
  };
  const auto index = [&](int i, int j, int k) { return static_cast<std::size_t>((i * count_[1] + j) * count_[2] + k); };
  starts_.assign(static_cast<std::size_t>(count_.prod()) + 1, 0);
  const auto for_cells = [&](Eigen::Index t, auto&& f) {
    const Vector3 a = corner(t, 0), b = corner(t, 1), c = corner(t, 2);
    for_box(cell(a.cwiseMin(b).cwiseMin(c)), cell(a.cwiseMax(b).cwiseMax(c)),
            [&](int i, int j, int k) { f(index(i, j, k)); });
  };
  for (Eigen::Index t = 0; t < count; ++t) for_cells(t, [&](std::size_t i) { ++starts_[i + 1]; });
  std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
  entries_.resize(static_cast<std::size_t>(starts_.back()));
  std::vector<int> next(starts_.begin(), starts_.end() - 1);
  for (Eigen::Index t = 0; t < count; ++t) {
    for_cells(t, [&](std::size_t i) { entries_[static_cast<std::size_t>(next[i]++)] = static_cast<int>(t); });
  }
}

const std::vector<int>& SurfaceGrid::near(const Vector3& a, const Vector3& b, const Vector3& c) {
  found_.clear();
  ++stamp_;
  const Vector3 low = a.cwiseMin(b).cwiseMin(c).array() - slack_;
  const Vector3 high = a.cwiseMax(b).cwiseMax(c).array() + slack_;
  Eigen::Vector3i first, last;
  for (int k = 0; k < 3; ++k) {
    const double from = std::floor((low[k] - low_[k]) / size_);
    const double to = std::floor((high[k] - low_[k]) / size_);
    // The last cell also holds what lies on the far side of the box.
    if (to < 0.0 || from > count_[k]) return found_;
    first[k] = static_cast<int>(std::clamp(from, 0.0, count_[k] - 1.0));
    last[k] = static_cast<int>(std::clamp(to, 0.0, count_[k] - 1.0));
  }
  Vector3 normal = (b - a).cross(c - a);
  // A segment has no plane; its product may still differ from zero by rounding.
  const double thin = 1e-9 * (high - low).squaredNorm();
  normal = normal.norm() > thin ? Vector3(normal.normalized()) : Vector3::Zero();
  const double reach = 0.5 * size_ * normal.cwiseAbs().sum() + slack_;
  const Vector3 half = Vector3::Constant(0.5 * size_);
  for_box(first, last, [&](int i, int j, int k) {
    const Vector3 centre = low_ + size_ * Vector3(i, j, k) + half;
    if (std::abs(normal.dot(centre - a)) > reach) return;
    const auto row = static_cast<std::size_t>((i * count_[1] + j) * count_[2] + k);
    for (int n = starts_[row]; n < starts_[row + 1]; ++n) {
      const int t = entries_[static_cast<std::size_t>(n)];
      if (stamps_[static_cast<std::size_t>(t)] == stamp_) continue;
      stamps_[static_cast<std::size_t>(t)] = stamp_;
      found_.push_back(t);
    }
  });
  std::sort(found_.begin(), found_.end());
  return found_;
}

}  // namespace deformbench::surface

// SPDX-License-Identifier: BSD-3-Clause
#include "methods/surface/ray_crossings.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <utility>

namespace deformbench::surface {
namespace {

constexpr int kMostColumns = 1024;  // along one axis
constexpr double kEntriesATriangle = 16.0;

int sign(double value) {
  return (value > 0.0) - (value < 0.0);
}

/// a b − c d within 2 ulp (Kahan), and 0 if they are equal. Written out, since a compiler might contract either
/// product, and a different one for the edge's other triangle.
double difference_of_products(double a, double b, double c, double d) {
  const double cd = c * d;
  return std::fma(a, b, -cd) + std::fma(-c, d, cd);
}

}  // namespace

RayCrossings::RayCrossings(const model::TriangleMesh& mesh) : positions_(mesh.positions), triangles_(mesh.triangles) {
  if (triangles_.rows() == 0) {
    offsets_.assign(2, 0);
    return;
  }
  low_ = high_ = positions_.row(triangles_(0, 0)).transpose();
  for (Eigen::Index i = 0; i < triangles_.size(); ++i) {
    const Vector3 p = positions_.row(triangles_.data()[i]).transpose();
    low_ = low_.cwiseMin(p);
    high_ = high_.cwiseMax(p);
  }
  struct Columns {
    int y0, y1, z0, z1;
  };
  const auto columns_of = [this](Eigen::Index t) {
    const auto p = [&](int c) { return positions_.row(triangles_(t, c)); };
    return Columns{column(std::min({p(0)[1], p(1)[1], p(2)[1]}), 1), column(std::max({p(0)[1], p(1)[1], p(2)[1]}), 1),
                   column(std::min({p(0)[2], p(1)[2], p(2)[2]}), 2), column(std::max({p(0)[2], p(1)[2], p(2)[2]}), 2)};
  };
  // A few large triangles among many small ones would each fill all columns; then columns are widened.
  count_ = std::clamp(int(std::sqrt(double(triangles_.rows()))), 1, kMostColumns);
  for (;; count_ /= 2) {
    double entries = 0.0;
    for (Eigen::Index t = 0; t < triangles_.rows(); ++t) {
      const Columns c = columns_of(t);
      entries += double(c.y1 - c.y0 + 1) * (c.z1 - c.z0 + 1);
    }
    if (count_ == 1 || entries <= kEntriesATriangle * double(triangles_.rows())) break;
  }
  const auto visit = [&](auto&& f) {
    for (Eigen::Index t = 0; t < triangles_.rows(); ++t) {
      const Columns c = columns_of(t);
      for (int y = c.y0; y <= c.y1; ++y)
        for (int z = c.z0; z <= c.z1; ++z) f(std::size_t(y * count_ + z), int(t));
    }
  };
  offsets_.assign(std::size_t(count_) * std::size_t(count_) + 1, 0);
  visit([&](std::size_t place, int) { ++offsets_[place + 1]; });
  for (std::size_t i = 1; i < offsets_.size(); ++i) offsets_[i] += offsets_[i - 1];
  members_.resize(std::size_t(offsets_.back()));
  std::vector<int> next(offsets_.begin(), offsets_.end() - 1);
  visit([&](std::size_t place, int t) { members_[std::size_t(next[place]++)] = t; });
}

int RayCrossings::column(double value, int axis) const {
  const double extent = high_[axis] - low_[axis];
  if (!(extent > 0.0)) return 0;
  return std::clamp(int((value - low_[axis]) / extent * count_), 0, count_ - 1);
}

/// Side of the edge a→b on which the point lies, seen along x: +1 left, −1 right; 0 only if a and b coincide. Edges are
/// evaluated in one order, so that both triangles get exactly opposite signs.
int RayCrossings::edge_side(int a, int b, const Vector3& point) const {
  const int turned = a < b ? 1 : -1;
  if (a > b) std::swap(a, b);
  const double dy = positions_(b, 1) - positions_(a, 1), dz = positions_(b, 2) - positions_(a, 2);
  int side = sign(difference_of_products(dy, point[2] - positions_(a, 2), dz, point[1] - positions_(a, 1)));
  if (side == 0) side = sign(-dz);  // infinitesimal shift of the point along y …
  if (side == 0) side = sign(dy);   // … and a smaller one along z
  return turned * side;
}

void RayCrossings::find(const Vector3& point, std::vector<Crossing>& crossings) const {
  crossings.clear();
  for (const int axis : {1, 2})
    if (!(point[axis] >= low_[axis] && point[axis] <= high_[axis])) return;
  const auto place = std::size_t(column(point[1], 1) * count_ + column(point[2], 2));
  for (int m = offsets_[place]; m < offsets_[place + 1]; ++m) {
    const int t = members_[std::size_t(m)];
    const int a = triangles_(t, 0), b = triangles_(t, 1), c = triangles_(t, 2);
    const int side = edge_side(a, b, point);
    if (side == 0 || edge_side(b, c, point) != side || edge_side(c, a, point) != side) continue;
    const Vector3 p = positions_.row(a).transpose(), q = positions_.row(b).transpose(),
                  r = positions_.row(c).transpose();
    // normal · (point − p) has the sign of normal.x if the point lies beyond the triangle.
    const Vector3 normal = (q - p).cross(r - p);
    if (sign(normal.dot(point - p)) * side >= 0) continue;
    crossings.push_back({t, side});
  }
}

int RayCrossings::winding(const Vector3& point) const {
  std::vector<Crossing> crossings;
  find(point, crossings);
  int sum = 0;
  for (const Crossing& crossing : crossings) sum += crossing.side;
  return sum;
}

}  // namespace deformbench::surface

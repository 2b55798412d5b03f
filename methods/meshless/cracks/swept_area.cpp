// SPDX-License-Identifier: BSD-3-Clause
#include "methods/meshless/cracks/swept_area.hpp"

#include <Eigen/Geometry>
#include <array>
#include <cmath>

#include "methods/model/triangle_distance.hpp"

namespace deformbench::meshless {
std::optional<double> meeting_share(const Vector3& a, const Vector3& b, const Vector3& p, const Vector3& q,
                                    const Vector3& r) {
  constexpr double kRounding = 1e-10;
  const Vector3 along = b - a, e1 = q - p, e2 = r - p, h = along.cross(e2);
  const double det = e1.dot(h);
  const double size = e1.norm() * e2.norm() * along.norm();
  if (std::abs(det) <= 1e-12 * size) return {};
  const Vector3 s = a - p;
  const double u = s.dot(h) / det;
  if (u < -kRounding || u > 1.0 + kRounding) return {};
  const Vector3 cross = s.cross(e1);
  const double v = along.dot(cross) / det;
  if (v < -kRounding || u + v > 1.0 + kRounding) return {};
  const double t = e2.dot(cross) / det;
  if (t < 0.0 || t > 1.0) return {};
  return t;
}

SweptArea::Key SweptArea::key(std::int64_t i, std::int64_t j, std::int64_t k) const {
  constexpr std::int64_t kOffset = 1 << 20;
  constexpr Key kMask = (Key(1) << 21) - 1;
  return (Key(i + kOffset) & kMask) | (Key(j + kOffset) & kMask) << 21 | (Key(k + kOffset) & kMask) << 42;
}

template <class Visit>
void SweptArea::visit_box(const Vector3& low, const Vector3& high, const Visit& visit) const {
  const auto cell = [this](double x) { return std::int64_t(std::floor(x / cell_)); };
  for (std::int64_t i = cell(low[0]); i <= cell(high[0]); ++i)
    for (std::int64_t j = cell(low[1]); j <= cell(high[1]); ++j)
      for (std::int64_t k = cell(low[2]); k <= cell(high[2]); ++k)
        if (const auto found = cells_.find(key(i, j, k)); found != cells_.end())
          for (const int t : found->second) visit(t);
}

template <class Visit>
void SweptArea::visit_cells(const SweptTriangle& triangle, const Visit& visit) const {
  const Vector3 &p = vertex(triangle.vertices[0]), &q = vertex(triangle.vertices[1]), &r = vertex(triangle.vertices[2]);
  const Vector3 low = p.cwiseMin(q).cwiseMin(r), high = p.cwiseMax(q).cwiseMax(r);
  const auto cell = [this](double x) { return std::int64_t(std::floor(x / cell_)); };
  for (std::int64_t i = cell(low[0]); i <= cell(high[0]); ++i)
    for (std::int64_t j = cell(low[1]); j <= cell(high[1]); ++j)
      for (std::int64_t k = cell(low[2]); k <= cell(high[2]); ++k) visit(key(i, j, k));
}

int SweptArea::add_vertex(const Vector3& x) {
  vertices_.push_back(x);
  return int(vertices_.size()) - 1;
}

void SweptArea::add_triangle(int a, int b, int c, int crack) {
  if (a == b || b == c || c == a) return;
  const Vector3 &p = vertex(a), &q = vertex(b), &r = vertex(c);
  if ((q - p).cross(r - p).norm() <= 1e-12 * cell_ * cell_) return;
  triangles_.push_back({{a, b, c}, crack});
  const int number = int(triangles_.size()) - 1;
  visit_cells(triangles_.back(), [&](Key cell) { cells_[cell].push_back(number); });
}

void SweptArea::move(const std::vector<Vector3>& vertices) {
  vertices_ = vertices;
  cells_.clear();
  for (std::size_t t = 0; t < triangles_.size(); ++t)
    visit_cells(triangles_[t], [&](Key cell) { cells_[cell].push_back(int(t)); });
}

void SweptArea::undo(const Mark& mark) {
  while (int(triangles_.size()) > mark.triangles) {
    // Indices ascend within a cell: the last triangle is last in all its cells.
    visit_cells(triangles_.back(), [&](Key cell) { cells_.at(cell).pop_back(); });
    triangles_.pop_back();
  }
  vertices_.resize(std::size_t(mark.vertices));
}

Vector3 SweptArea::normal(int triangle) const {
  const auto& v = triangles_[std::size_t(triangle)].vertices;
  return (vertex(v[1]) - vertex(v[0])).cross(vertex(v[2]) - vertex(v[0])).normalized();
}

std::optional<SweptArea::Hit> SweptArea::first_hit(const Vector3& a, const Vector3& b, const Filter& counts) const {
  std::optional<Hit> first;
  const double length = (b - a).norm();
  const int pieces = std::max(1, int(std::ceil(length / cell_)));
  for (int piece = 0; piece < pieces && !first; ++piece) {
    const Vector3 from = a + (b - a) * (double(piece) / pieces), to = a + (b - a) * (double(piece + 1) / pieces);
    const Vector3 margin = Vector3::Constant(1e-9 * cell_);
    visit_box(from.cwiseMin(to) - margin, from.cwiseMax(to) + margin, [&](int t) {
      if (!counts(t)) return;
      const auto& v = triangles_[std::size_t(t)].vertices;
      const auto share = meeting_share(a, b, vertex(v[0]), vertex(v[1]), vertex(v[2]));
      if (!share || (first && first->share <= *share)) return;
      first = Hit{*share, a + *share * (b - a), t};
    });
  }
  return first;
}

std::optional<SweptArea::Closest> SweptArea::closest(const Vector3& x, double reach, const Filter& counts) const {
  std::optional<Closest> best;
  const auto look = [&](int t) {
    if (!counts(t)) return;
    const auto& v = triangles_[std::size_t(t)].vertices;
    const Vector3 &p = vertex(v[0]), &q = vertex(v[1]), &r = vertex(v[2]);
    const Vector3 w = model::closest_on_triangle(x, p, q, r).weights;
    const Vector3 point = w[0] * p + w[1] * q + w[2] * r;
    const double distance = (point - x).norm();
    if (distance <= reach && (!best || distance < best->distance)) best = Closest{distance, point, t};
  };
  // Growing boxes: a result within the box's half width is the global nearest.
  for (double width = std::min(reach, cell_);; width = std::min(reach, 2.0 * width)) {
    const Vector3 margin = Vector3::Constant(width);
    visit_box(x - margin, x + margin, look);
    if ((best && best->distance <= width) || width >= reach) return best;
  }
}

}  // namespace deformbench::meshless

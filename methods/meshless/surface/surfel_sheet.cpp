// SPDX-License-Identifier: BSD-3-Clause
#include "methods/meshless/surface/surfel_sheet.hpp"

#include <Eigen/Geometry>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

namespace deformbench::meshless {
namespace {

constexpr double kStep = 0.2;  ///< step along a segment, in radii
constexpr double kSag = 0.5;   ///< distance from a splat's plane that a surfel covers, in radii

numerics::Box box_about(const Vector3& x, double reach) {
  return {x.array() - reach, x.array() + reach};
}

double distance_to_segment(const Vector3& x, const Vector3& a, const Vector3& b) {
  const Vector3 way = b - a;
  const double length2 = way.squaredNorm();
  const double t = length2 > 0.0 ? std::clamp((x - a).dot(way) / length2, 0.0, 1.0) : 0.0;
  return (a + t * way - x).norm();
}

}  // namespace

void SurfelSheet::append(const Surfel& surfel) {
  surfels_.push_back(surfel);
  radii_.push_back(surfel.radius());
  largest_radius_ = std::max(largest_radius_, radii_.back());
  grid_.append(surfel.position);
}

std::optional<SurfelMean> SurfelSheet::mean(const Vector3& x) const {
  SurfelMeanSum sum(x);
  grid_.for_cells_of(box_about(x, kKernelWidth * largest_radius_),
                     [&](int k) { sum.add(surfels_[std::size_t(k)], radii_[std::size_t(k)]); });
  return sum.mean();
}

int SurfelSheet::nearest(const Vector3& x) const {
  for (const double reach : {kKernelWidth * largest_radius_, kReach * largest_radius_}) {
    int found = -1;
    double least = reach * reach;
    grid_.for_cells_of(box_about(x, reach), [&](int k) {
      const double distance2 = (surfels_[std::size_t(k)].position - x).squaredNorm();
      if (distance2 > least || (distance2 == least && found >= 0 && k > found)) return;
      least = distance2;
      found = k;
    });
    if (found >= 0) return found;
  }
  return -1;
}

std::optional<double> SurfelSheet::implicit_value(const Vector3& x) const {
  const auto at = mean(x);
  if (!at) return {};
  return at->normal.dot(x - at->position);
}

std::optional<Vector3> SurfelSheet::project(const Vector3& x) const {
  const int start = nearest(x);
  if (start < 0) return {};
  return project_by_means(x, surfels_[std::size_t(start)], radii_[std::size_t(start)],
                          [&](const Vector3& y) { return mean(y); });
}

std::optional<double> SurfelSheet::signed_distance(const Vector3& x) const {
  const auto y = project(x);
  if (!y) return {};
  return normal(*y).dot(x - *y);
}

Vector3 SurfelSheet::normal(const Vector3& on_sheet) const {
  if (const auto at = mean(on_sheet)) return at->normal;
  const int found = nearest(on_sheet);
  if (found < 0) throw std::invalid_argument("SurfelSheet: no surfel within reach of the point");
  return surfels_[std::size_t(found)].normal;
}

bool SurfelSheet::is_in_a_splat(const Vector3& x, std::span<const int> candidates) const {
  for (const int k : candidates) {
    const Surfel& surfel = surfels_[std::size_t(k)];
    const Vector3 from = x - surfel.position;
    const double u = from.dot(surfel.axis_u) / surfel.axis_u.squaredNorm();
    const double v = from.dot(surfel.axis_v) / surfel.axis_v.squaredNorm();
    if (u * u + v * v <= 1.0 && std::abs(from.dot(surfel.normal)) <= kSag * radii_[std::size_t(k)]) return true;
  }
  return false;
}

std::vector<int> SurfelSheet::near_segment(const Vector3& a, const Vector3& b) const {
  std::vector<int> found;
  // Cell by cell, since the box of a long oblique segment would contain most of the sheet.
  const int pieces = std::max(1, int(std::ceil((b - a).norm() / grid_.cell_size())));
  for (int p = 0; p < pieces; ++p) {
    const Vector3 from = a + (b - a) * (double(p) / pieces), to = a + (b - a) * (double(p + 1) / pieces);
    const numerics::Box box{from.cwiseMin(to).array() - largest_radius_, from.cwiseMax(to).array() + largest_radius_};
    grid_.for_cells_of(box, [&](int k) {
      if (distance_to_segment(surfels_[std::size_t(k)].position, from, to) <= radii_[std::size_t(k)])
        found.push_back(k);
    });
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

std::optional<double> SurfelSheet::crossing_in(const Vector3& a, const Vector3& b, double from, double to, double step,
                                               std::span<const int> candidates) const {
  const auto value = [&](double t) { return implicit_value(a + t * (b - a)); };
  const int steps = std::max(1, int(std::ceil((to - from) / step)));
  double before = from;
  auto f_before = value(before);
  for (int k = 1; k <= steps; ++k) {
    const double here = from + (to - from) * k / steps;
    const auto f_here = value(here);
    if (f_before && f_here && (*f_before <= 0.0) != (*f_here <= 0.0)) {
      double low = before, high = here;
      for (int halving = 0; halving < 60 && high - low > 1e-16; ++halving) {
        const double middle = 0.5 * (low + high);
        const auto f = value(middle);
        if (!f) break;
        ((*f <= 0.0) == (*f_before <= 0.0) ? low : high) = middle;
      }
      const auto left = value(high);
      // A flip of the mean normal also changes the sign of f, without a zero.
      const bool is_zero = left && std::abs(*left) <= 1e-6 * largest_radius_;
      if (is_zero && is_in_a_splat(a + high * (b - a), candidates)) return high;
    }
    before = here;
    f_before = f_here;
  }
  return {};
}

std::optional<double> SurfelSheet::first_hit(const Vector3& a, const Vector3& b) const {
  const std::vector<int> candidates = near_segment(a, b);
  const double length = (b - a).norm();
  if (candidates.empty() || !(length > 0.0)) return {};
  // Intervals of the segment inside balls around candidates; overlapping ones are marched as one.
  std::vector<std::pair<double, double>> shares;
  double least = std::numeric_limits<double>::infinity();
  for (const int k : candidates) {
    const Vector3 from = surfels_[std::size_t(k)].position - a;
    const double radius = radii_[std::size_t(k)], middle = from.dot(b - a) / (length * length);
    const double half = std::sqrt(std::max(0.0, radius * radius - (from - middle * (b - a)).squaredNorm())) / length;
    shares.emplace_back(std::max(0.0, middle - half), std::min(1.0, middle + half));
    least = std::min(least, radius);
  }
  std::sort(shares.begin(), shares.end());
  const double step = kStep * least / length;
  auto [from, to] = shares.front();
  for (const auto& [next_from, next_to] : shares) {
    if (next_from <= to) {
      to = std::max(to, next_to);
      continue;
    }
    if (const auto hit = crossing_in(a, b, from, to, step, candidates)) return hit;
    from = next_from;
    to = next_to;
  }
  return crossing_in(a, b, from, to, step, candidates);
}

}  // namespace deformbench::meshless

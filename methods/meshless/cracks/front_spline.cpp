// SPDX-License-Identifier: BSD-3-Clause
#include "methods/meshless/cracks/front_spline.hpp"

#include <Eigen/Geometry>
#include <algorithm>

namespace deformbench::meshless {

Vector3 unit(const Vector3& v) {
  const double length = v.norm();
  return length > 0.0 ? Vector3(v / length) : Vector3::Zero();
}

Vector3 spline_middle(const AdvancingFront& front, std::size_t left) {
  constexpr int kSide = 4;  // influence of a node decays by 0.27 per node in between
  const int n = int(front.nodes.size());
  std::vector<Vector3> points;
  std::size_t at = 0;
  for (int k = int(left) - kSide + 1; k <= int(left) + kSide; ++k) {
    if (!front.is_closed && (k < 0 || k >= n)) continue;
    if (k == int(left)) at = points.size();
    points.push_back(front.nodes[std::size_t(((k % n) + n) % n)].position);
  }
  std::vector<double> chord;
  for (std::size_t k = 0; k + 1 < points.size(); ++k)
    chord.push_back(std::max((points[k + 1] - points[k]).norm(), 1e-300));
  // Second derivatives of the natural cubic spline: tridiagonal solve.
  std::vector<Vector3> m(points.size(), Vector3::Zero());
  std::vector<double> upper(points.size(), 0.0);
  for (std::size_t k = 1; k + 1 < points.size(); ++k) {
    const double left_chord = chord[k - 1], right_chord = chord[k];
    const double diagonal = (left_chord + right_chord) / 3.0 - left_chord / 6.0 * upper[k - 1];
    const Vector3 bend = (points[k + 1] - points[k]) / right_chord - (points[k] - points[k - 1]) / left_chord;
    upper[k] = right_chord / 6.0 / diagonal;
    m[k] = (bend - left_chord / 6.0 * m[k - 1]) / diagonal;
  }
  for (std::size_t k = points.size() - 2; k > 0; --k) m[k] -= upper[k] * m[k + 1];
  const double h = chord[at];
  return 0.5 * (points[at] + points[at + 1]) - h * h / 16.0 * (m[at] + m[at + 1]);
}

Vector3 front_tangent(const AdvancingFront& front, std::size_t node) {
  const std::size_t n = front.nodes.size();
  const std::size_t before = node > 0 ? node - 1 : front.is_closed ? n - 1 : 0;
  const std::size_t after = node + 1 < n ? node + 1 : front.is_closed ? 0 : n - 1;
  return unit(front.nodes[after].position - front.nodes[before].position);
}

Vector3 outwards(const AdvancingFront& front, std::size_t node) {
  return front.nodes[node].normal.cross(front_tangent(front, node));
}

}  // namespace deformbench::meshless

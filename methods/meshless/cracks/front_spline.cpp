// SPDX-License-Identifier: BSD-3-Clause
#include "methods/meshless/cracks/front_spline.hpp"

#include <Eigen/LU>

namespace deformbench::meshless {

Vector3 spline_middle(const AdvancingFront& front, std::size_t left) {
  constexpr int kSide = 4;  // the spline forgets a node by a factor of 0.27 for every node between
  const int n = int(front.nodes.size());
  std::vector<Vector3> points;
  int at = 0;
  for (int k = int(left) - kSide + 1; k <= int(left) + kSide; ++k) {
    if (!front.is_closed && (k < 0 || k >= n)) continue;
    if (k == int(left)) at = int(points.size());
    points.push_back(front.nodes[std::size_t(((k % n) + n) % n)].position);
  }
  const int count = int(points.size());
  Eigen::VectorXd chord(count - 1);
  for (int k = 0; k + 1 < count; ++k)
    chord[k] = std::max((points[std::size_t(k + 1)] - points[std::size_t(k)]).norm(), 1e-300);
  // Second derivatives m of the natural cubic spline.
  Eigen::MatrixXd system = Eigen::MatrixXd::Identity(count, count);
  Eigen::MatrixX3d right = Eigen::MatrixX3d::Zero(count, 3);
  for (int k = 1; k + 1 < count; ++k) {
    system(k, k - 1) = chord[k - 1] / 6.0;
    system(k, k) = (chord[k - 1] + chord[k]) / 3.0;
    system(k, k + 1) = chord[k] / 6.0;
    right.row(k) = (points[std::size_t(k + 1)] - points[std::size_t(k)]) / chord[k] -
                   (points[std::size_t(k)] - points[std::size_t(k - 1)]) / chord[k - 1];
  }
  const Eigen::MatrixX3d m = system.partialPivLu().solve(right);
  const double h = chord[at];
  return 0.5 * (points[std::size_t(at)] + points[std::size_t(at + 1)]) -
         h * h / 16.0 * (m.row(at) + m.row(at + 1)).transpose();
}

Vector3 front_tangent(const AdvancingFront& front, std::size_t node) {
  const std::size_t n = front.nodes.size();
  const std::size_t before = node > 0 ? node - 1 : front.is_closed ? n - 1 : 0;
  const std::size_t after = node + 1 < n ? node + 1 : front.is_closed ? 0 : n - 1;
  const Vector3 along = front.nodes[after].position - front.nodes[before].position;
  const double length = along.norm();
  return length > 0.0 ? Vector3(along / length) : Vector3::Zero();
}

}  // namespace deformbench::meshless

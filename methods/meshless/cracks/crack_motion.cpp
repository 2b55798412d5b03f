// SPDX-License-Identifier: BSD-3-Clause
// Velocities of front nodes, and the surfels left behind them. [PKAGDG05] §3.2, §5
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "methods/meshless/cracks/crack_system.hpp"

namespace deformbench::meshless {

void CrackSystem::set_rates(AdvancingFront& front, const StressField& field, double history) const {
  for (std::size_t i = 0; i < front.nodes.size(); ++i) {
    CrackNode& node = front.nodes[i];
    node.rate.setZero();
    const PrincipalStress principal = largest_principal_stress(field.stress(node.position));
    // DEVIATION [PKAGDG05] §3.2: below the threshold and in compression a front stands still; αλ (v × t) has no
    // lower limit, and with λ < 0 would lead back into the crack.
    if (!(principal.value > 0.0) || principal.value < field.threshold(node.position)) continue;
    const Vector3 tangent = front_tangent(front, i);
    // DEVIATION [PKAGDG05] §3.2: of the two eigenvectors ±v the one on the side of the sheet's normal is used, so that
    // d points out of the crack; the text leaves the sign open.
    const Vector3 v = principal.direction.dot(node.normal) < 0.0 ? Vector3(-principal.direction) : principal.direction;
    node.drive = options_.speed * principal.value * v.cross(tangent);  // [PKAGDG05] §3.2: d = αλ (v × t)
    // [PKAGDG05] §5, propagation history
    node.rate = node.has_history ? Vector3(history * node.history + (1.0 - history) * node.drive) : node.drive;
  }
}

double CrackSystem::largest_rate() const {
  double largest = 0.0;
  for (const AdvancingFront& front : fronts_)
    for (const CrackNode& node : front.nodes) largest = std::max(largest, node.rate.norm());
  return largest;
}

void CrackSystem::finish_motion(AdvancingFront& front, double step) {
  for (std::size_t i = 0; i < front.nodes.size(); ++i) {
    CrackNode& node = front.nodes[i];
    const double speed = node.rate.norm();
    if (!(speed > 0.0)) continue;
    node.history = options_.history_rule == HistoryRule::Averaged ? node.rate : node.drive;
    node.has_history = true;
    const Vector3 turned = front_tangent(front, i).cross(node.rate / speed);
    if (turned.norm() > 0.3) node.normal = turned.normalized();
    // [PKAGDG05] §3.2: before a hole appears, which the next equally long step would cause.
    if (node.since_surfel + step * speed > options_.surfel_radius) add_surfels(front, i);
  }
}

void CrackSystem::add_surfels(AdvancingFront& front, std::size_t i) {
  const std::size_t n = front.nodes.size();
  CrackNode& node = front.nodes[i];
  node.since_surfel = 0.0;
  const auto add = [&](const Vector3& normal, int crack, int flip) {
    // [PKAGDG05] §3.2: two surfels with equal position and radius and opposite normals, one per sheet.
    surfels_.push_back({node.position, flip * normal, options_.surfel_radius, crack, 1});
    surfels_.push_back({node.position, -flip * normal, options_.surfel_radius, crack, -1});
  };
  if (node.other_crack < 0) return add(node.normal, node.crack, node.flip);
  // At a crease each sheet ends with surfels of its own normal.
  const CrackNode& before = front.nodes[(i + n - 1) % n];
  const CrackNode& after = front.nodes[(i + 1) % n];
  add(before.normal, node.crack, before.flip);
  add(after.normal, node.other_crack, after.flip);
}

}  // namespace deformbench::meshless

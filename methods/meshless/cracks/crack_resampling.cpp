// SPDX-License-Identifier: BSD-3-Clause
// Nodes of a front are kept between a quarter of a surfel's radius and one radius apart. [PKAGDG05] §3.2
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "methods/meshless/cracks/crack_system.hpp"

namespace deformbench::meshless {

/// Takes out an interior node; the area between the front with it and without it counts as swept.
void CrackSystem::remove_node(AdvancingFront& front, std::size_t i) {
  const std::size_t n = front.nodes.size(), before = (i + n - 1) % n, after = (i + 1) % n;
  CrackNode& left = front.nodes[before];
  area_.add_triangle(left.vertex, front.nodes[i].vertex, front.nodes[after].vertex, crack_of_edge(front, before));
  // Edges left of a crease belong to one crack, those right of it to the other.
  if (front.nodes[i].other_crack >= 0 && front.nodes[i].other_crack != left.crack)
    left.other_crack = front.nodes[i].other_crack;
  front.nodes.erase(front.nodes.begin() + std::ptrdiff_t(i));
}

/// A node in the bottom of a notch whose flanks have come within the snapping distance: the flanks meet there.
bool CrackSystem::close_notch(AdvancingFront& front) {
  const std::size_t n = front.nodes.size();
  if (n < (front.is_closed ? 6u : 5u)) return false;
  const double reach = options_.snapping ? snapping_distance() : 0.25 * options_.surfel_radius;
  for (std::size_t i = 0; i < n; ++i) {
    if (!front.is_closed && (i < 2 || i + 2 >= n)) continue;
    const std::size_t a = (i + n - 1) % n, b = (i + 1) % n;
    const Vector3 at = front.nodes[i].position;
    const Vector3 left = front.nodes[a].position - at, right = front.nodes[b].position - at;
    if ((right - left).norm() > reach || left.dot(right) < 0.5 * left.norm() * right.norm()) continue;
    const Vector3 tangent = right - left;
    const Vector3 out = front.nodes[i].normal.cross(tangent);
    if (out.dot(left + right) <= 0.0) continue;  // a spike, not a notch
    const int crack = crack_of_edge(front, a), next = crack_of_edge(front, i);
    CrackNode middle = node_between(front.nodes[a], front.nodes[b], at + 0.5 * (left + right), crack_of_edge(front, (a + n - 1) % n));
    const int last = crack_of_edge(front, b);
    middle.flip = front.nodes[a].flip;
    if (last != middle.crack) middle.other_crack = last;
    area_.add_triangle(front.nodes[a].vertex, front.nodes[i].vertex, middle.vertex, crack);
    area_.add_triangle(front.nodes[i].vertex, front.nodes[b].vertex, middle.vertex, next);
    const std::size_t a2 = (a + n - 1) % n, b2 = (b + 1) % n;
    area_.add_triangle(front.nodes[a2].vertex, front.nodes[a].vertex, middle.vertex, middle.crack);
    area_.add_triangle(front.nodes[b].vertex, front.nodes[b2].vertex, middle.vertex, last);
    front.nodes[i] = middle;
    // The larger index first, so that the other one stays valid.
    for (const std::size_t gone : {std::max(a, b), std::min(a, b)})
      front.nodes.erase(front.nodes.begin() + std::ptrdiff_t(gone));
    return true;
  }
  return false;
}

bool CrackSystem::remove_crowded(AdvancingFront& front) {
  const double r = options_.surfel_radius;
  const std::size_t n = front.nodes.size();
  if (n <= 3) return false;
  for (std::size_t i = 0; i < n; ++i) {
    if (!front.is_closed && (i == 0 || i + 1 == n)) continue;
    const Vector3& at = front.nodes[i].position;
    const Vector3 &before = front.nodes[(i + n - 1) % n].position, &after = front.nodes[(i + 1) % n].position;
    if (std::min((at - before).norm(), (after - at).norm()) >= 0.25 * r || (after - before).norm() > r) continue;
    remove_node(front, i);
    return true;
  }
  return false;
}

bool CrackSystem::insert_missing(AdvancingFront& front) {
  const std::size_t n = front.nodes.size(), edges = front.is_closed ? n : n - 1;
  for (std::size_t i = 0; i < edges; ++i) {
    const std::size_t j = (i + 1) % n;
    if ((front.nodes[j].position - front.nodes[i].position).norm() <= options_.surfel_radius) continue;
    const int crack = crack_of_edge(front, i);
    Vector3 place = spline_middle(front, i);
    // A spline may bulge out of the body, or through a crack, where the straight edge does not.
    const Vector3 straight = 0.5 * (front.nodes[i].position + front.nodes[j].position);
    if (!body_.contains(place) || are_separated(straight, place, {})) place = straight;
    CrackNode node = node_between(front.nodes[i], front.nodes[j], place, crack);
    area_.add_triangle(front.nodes[i].vertex, front.nodes[j].vertex, node.vertex, crack);
    front.nodes.insert(front.nodes.begin() + std::ptrdiff_t(i) + 1, node);
    add_surfels(front, i + 1);
    return true;
  }
  return false;
}

void CrackSystem::resample(AdvancingFront& front) {
  while (close_notch(front)) {
  }
  while (remove_crowded(front)) {
  }
  while (insert_missing(front)) {
  }
}

}  // namespace deformbench::meshless

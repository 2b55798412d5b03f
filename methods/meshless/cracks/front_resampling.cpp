// SPDX-License-Identifier: BSD-3-Clause
#include "methods/meshless/cracks/front_resampling.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>

#include "methods/meshless/cracks/front_spline.hpp"

namespace deformbench::meshless {

/// Removes an interior node; the area between the fronts with and without it counts as swept.
void FrontResampling::remove_node(AdvancingFront& front, std::size_t i) {
  const std::size_t n = front.nodes.size(), before = (i + n - 1) % n, after = (i + 1) % n;
  CrackNode& left = front.nodes[before];
  area_.add_triangle(left.vertex, front.nodes[i].vertex, front.nodes[after].vertex, crack_of_edge(front, before));
  // Edges before a crease belong to one crack, those after it to the other.
  if (front.nodes[i].other_crack >= 0 && front.nodes[i].other_crack != left.crack)
    left.other_crack = front.nodes[i].other_crack;
  front.nodes.erase(front.nodes.begin() + std::ptrdiff_t(i));
}

/// Notch flanks within the snapping distance meet: two facing neighbours, or the two around the node at the bottom,
/// become one node between them.
bool FrontResampling::close_notch(AdvancingFront& front) {
  constexpr double kFacing = 0.8;  // sum of two cosines
  const std::size_t n = front.nodes.size();
  if (n < (front.is_closed ? 6u : 5u)) return false;
  const double reach = options_.snapping ? options_.snapping_distance() : 0.25 * options_.surfel_radius;
  for (std::size_t a = 0; a < n; ++a)
    for (const std::size_t width : {1u, 2u}) {
      if (!front.is_closed && (a < 1 || a + width + 1 >= n)) continue;
      const std::size_t b = (a + width) % n;
      const Vector3 across = front.nodes[b].position - front.nodes[a].position;
      const double length = across.norm();
      const double towards = outwards(front, a).dot(across), back = -outwards(front, b).dot(across);
      if (length > reach || std::min(towards, back) < 0.1 * length || towards + back < kFacing * length) continue;
      if (state_.attempt_on(front, [&] { return merge_nodes(front, a, width); })) return true;
    }
  return false;
}

/// Replaces the nodes from a to a + width by one at the midpoint of these two.
bool FrontResampling::merge_nodes(AdvancingFront& front, std::size_t a, std::size_t width) {
  const std::size_t n = front.nodes.size(), b = (a + width) % n;
  const std::size_t before = (a + n - 1) % n, after = (b + 1) % n;
  const int first = crack_of_edge(front, before), last = crack_of_edge(front, b);
  std::vector<int> gone, cracks{first};
  for (std::size_t k = 0; k <= width; ++k) {
    gone.push_back(front.nodes[(a + k) % n].vertex);
    cracks.push_back(crack_of_edge(front, (a + k) % n));
  }
  const Vector3 place = 0.5 * (front.nodes[a].position + front.nodes[b].position);
  if (!body_.contains(place) ||
      !state_.may_pass(front.nodes[before].vertex, place, front.nodes[after].vertex, gone, first, last))
    return false;
  CrackNode middle = state_.node_between(front.nodes[a], front.nodes[b], place, first);
  middle.flip = front.nodes[a].flip;
  if (last != first) middle.other_crack = last;
  int from = front.nodes[before].vertex;
  for (std::size_t k = 0; k <= width + 1; ++k) {
    const int to = k <= width ? gone[k] : front.nodes[after].vertex;
    area_.add_triangle(from, to, middle.vertex, cracks[k]);
    from = to;
  }
  front.nodes[a] = middle;
  // Largest index first, so that the others stay valid.
  std::vector<std::size_t> removed;
  for (std::size_t k = 1; k <= width; ++k) removed.push_back((a + k) % n);
  std::sort(removed.rbegin(), removed.rend());
  for (const std::size_t k : removed) front.nodes.erase(front.nodes.begin() + std::ptrdiff_t(k));
  return true;
}

bool FrontResampling::remove_crowded(AdvancingFront& front) {
  const double r = options_.surfel_radius;
  const std::size_t n = front.nodes.size();
  if (n <= 3) return false;
  for (std::size_t i = 0; i < n; ++i) {
    if (!front.is_closed && (i == 0 || i + 1 == n)) continue;
    const Vector3& at = front.nodes[i].position;
    const Vector3 &before = front.nodes[(i + n - 1) % n].position, &after = front.nodes[(i + 1) % n].position;
    if (std::min((at - before).norm(), (after - at).norm()) >= 0.25 * r || (after - before).norm() > r) continue;
    const int left = front.nodes[(i + n - 1) % n].vertex, right = front.nodes[(i + 1) % n].vertex;
    const int crack = crack_of_edge(front, (i + n - 1) % n);
    if (!state_.may_pass(left, after, right, std::array<int, 1>{front.nodes[i].vertex}, crack, crack)) continue;
    if (state_.attempt_on(front, [&] {
          remove_node(front, i);
          return true;
        }))
      return true;
  }
  return false;
}

bool FrontResampling::insert_node(AdvancingFront& front, std::size_t edge, const Vector3& place) {
  const CrackNode &left = front.nodes[edge], &right = front.nodes[(edge + 1) % front.nodes.size()];
  const int crack = crack_of_edge(front, edge);
  const CrackNode node = state_.node_between(left, right, place, crack);
  area_.add_triangle(left.vertex, right.vertex, node.vertex, crack);
  front.nodes.insert(front.nodes.begin() + std::ptrdiff_t(edge) + 1, node);
  state_.add_surfels(front, edge + 1);
  return true;
}

bool FrontResampling::insert_missing(AdvancingFront& front) {
  const std::size_t n = front.nodes.size(), edges = front.is_closed ? n : n - 1;
  for (std::size_t i = 0; i < edges; ++i) {
    const CrackNode &left = front.nodes[i], &right = front.nodes[(i + 1) % n];
    if ((right.position - left.position).norm() <= options_.surfel_radius) continue;
    const int crack = crack_of_edge(front, i);
    Vector3 place = spline_middle(front, i);
    // The spline may leave the body or pass through a crack where the straight edge does not; the straight edge may
    // leave a concave body where it runs along the surface.
    const Vector3 straight = 0.5 * (left.position + right.position);
    const bool may_bend = body_.contains(place) &&
                          state_.may_pass(left.vertex, place, right.vertex, {}, crack, crack) &&
                          state_.attempt_on(front, [&] { return insert_node(front, i, place); });
    if (may_bend) return true;
    const int outside = body_.outside(straight);
    place = outside < 0 ? straight : body_.sheet(outside).project(straight).value_or(straight);
    if (state_.attempt_on(front, [&] { return insert_node(front, i, place); })) return true;
  }
  return false;
}

void FrontResampling::resample(AdvancingFront& front) {
  while (close_notch(front)) {
  }
  while (remove_crowded(front)) {
  }
  while (insert_missing(front)) {
  }
}

}  // namespace deformbench::meshless

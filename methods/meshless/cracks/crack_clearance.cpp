// SPDX-License-Identifier: BSD-3-Clause
// Tests whether a change of a front would pass through a crack.
#include <algorithm>

#include "methods/meshless/cracks/crack_system.hpp"

namespace deformbench::meshless {
namespace {

bool contains(std::span<const int> all, int one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

}  // namespace

bool CrackSystem::are_separated(const Vector3& a, const Vector3& b, std::span<const int> about) const {
  return area_
      .first_hit(a, b,
                 [&](int t) {
                   for (const int v : area_.triangles()[std::size_t(t)].vertices)
                     if (contains(about, v)) return false;
                   return true;
                 })
      .has_value();
}

bool CrackSystem::may_add(const Vector3& p, const Vector3& q, const Vector3& r, std::span<const int> about) const {
  for (const AdvancingFront& front : fronts_) {
    const std::size_t n = front.nodes.size();
    for (std::size_t i = 0; n > 1 && i < (front.is_closed ? n : n - 1); ++i) {
      const CrackNode &a = front.nodes[i], &b = front.nodes[(i + 1) % n];
      if (contains(about, a.vertex) || contains(about, b.vertex)) continue;
      if (meeting_share(a.position, b.position, p, q, r)) return false;
    }
  }
  return true;
}

bool CrackSystem::may_pass(int left, const Vector3& place, int right, std::span<const int> gone, int left_crack,
                           int right_crack) const {
  std::vector<int> about(gone.begin(), gone.end());
  about.push_back(left);
  about.push_back(right);
  const Vector3 &from = area_.vertex(left), &to = area_.vertex(right);
  // Each edge leaves the area at its own node; if the place is that of a removed node, at this one.
  std::vector<int> touched;
  for (const int v : gone)
    if (area_.vertex(v) == place) touched.push_back(v);
  const auto crosses = [&](int own, const Vector3& start, int own_crack) {
    return area_
        .first_hit(start, place,
                   [&](int t) {
                     const SweptTriangle& triangle = area_.triangles()[std::size_t(t)];
                     for (const int v : triangle.vertices)
                       if (v == own || contains(touched, v) || (triangle.crack == own_crack && contains(about, v)))
                         return false;
                     return true;
                   })
        .has_value();
  };
  if (crosses(left, from, left_crack) || crosses(right, to, right_crack)) return false;
  Vector3 before = from;
  for (const int v : gone) {
    if (!may_add(before, area_.vertex(v), place, about)) return false;
    before = area_.vertex(v);
  }
  return may_add(before, to, place, about);
}

}  // namespace deformbench::meshless

// SPDX-License-Identifier: BSD-3-Clause
// Fronts whose edges are pierced by new area: split there, one end on either side. [PKAGDG05] §3.3
#include <algorithm>
#include <array>

#include "methods/meshless/cracks/crack_system.hpp"

namespace deformbench::meshless {

/// Cuts the first edge of a front that passes through a triangle from `first_triangle` on.
bool CrackSystem::cut_one(std::size_t index, int first_triangle) {
  const AdvancingFront& front = fronts_[index];
  const std::size_t n = front.nodes.size(), edges = front.is_closed ? n : n - 1;
  for (std::size_t i = 0; i < edges && n > 1; ++i) {
    const std::size_t j = (i + 1) % n;
    // The area just swept by the edge's crack touches it along its whole length.
    const int own = crack_of_edge(front, i), recent = recent_since(front);
    const auto hit = edge_crossing(front, i, first_triangle, [&](int t) {
      const SweptTriangle& triangle = area_.triangles()[std::size_t(t)];
      if (triangle.crack == own && t >= recent) return false;
      return std::none_of(triangle.vertices.begin(), triangle.vertices.end(),
                          [&](int v) { return v == front.nodes[i].vertex || v == front.nodes[j].vertex; });
    });
    if (hit) {
      cut_edge(index, i, *hit);
      return true;
    }
  }
  return false;
}

void CrackSystem::cut_edge(std::size_t index, std::size_t edge, const SweptArea::Hit& hit) {
  AdvancingFront& front = fronts_[index];
  const std::size_t n = front.nodes.size();
  const CrackNode a = front.nodes[edge], b = front.nodes[(edge + 1) % n];
  const int crack = area_.triangles()[std::size_t(hit.triangle)].crack;
  const Vector3 normal = area_.normal(hit.triangle);
  const int own = crack_of_edge(front, edge);
  CrackNode left = node_between(a, a, hit.point, own);
  CrackNode right = node_between(b, b, hit.point, own);
  right.vertex = left.vertex;
  const auto sheet = [&](const CrackNode& node) {
    return SheetName{SheetName::Kind::Crack, crack, (node.position - hit.point).dot(normal) < 0.0 ? -1 : 1};
  };
  const int cut = next_cut_++;
  if (front.is_closed) {
    std::rotate(front.nodes.begin(), front.nodes.begin() + std::ptrdiff_t((edge + 1) % n), front.nodes.end());
    front.nodes.insert(front.nodes.begin(), right);
    front.nodes.push_back(left);
    front.is_closed = false;
    front.first_sheet = sheet(b);
    front.last_sheet = sheet(a);
    front.first_cut = front.last_cut = cut;
    record(CrackEventKind::Split, hit.point, {front.id, -1}, {front.id, front.id}, 2);
    return;
  }
  AdvancingFront rest = front;
  rest.id = next_front_++;
  rest.nodes.assign(front.nodes.begin() + std::ptrdiff_t(edge) + 1, front.nodes.end());
  rest.nodes.insert(rest.nodes.begin(), right);
  rest.first_sheet = sheet(b);
  rest.first_cut = cut;
  front.nodes.resize(edge + 1);
  front.nodes.push_back(left);
  front.last_sheet = sheet(a);
  front.last_cut = cut;
  record(CrackEventKind::Split, hit.point, {front.id, -1}, {front.id, rest.id}, 2);
  fronts_.push_back(std::move(rest));
}

void CrackSystem::cut_pierced_edges(int first_new) {
  constexpr int kMost = 1000;  // far more than the number of front edges
  // Fronts that have moved are tested against all area, others against new area.
  int cuts = 0;
  for (std::size_t k = 0; k < fronts_.size() && cuts < kMost; ++k)
    while (cut_one(k, fronts_[k].is_moving ? 0 : first_new) && cuts < kMost) ++cuts;
  if (cuts == kMost) ++unclassified_;
}

}  // namespace deformbench::meshless

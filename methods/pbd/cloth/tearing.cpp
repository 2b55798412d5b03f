// SPDX-License-Identifier: BSD-3-Clause
#include "methods/pbd/cloth/tearing.hpp"

#include <algorithm>
#include <string>

#include "methods/model/error.hpp"

namespace deformbench::pbd {
namespace {

bool contains(const Triangles& triangles, int t, int vertex) {
  return triangles(t, 0) == vertex || triangles(t, 1) == vertex || triangles(t, 2) == vertex;
}

}  // namespace

TearableCloth::TearableCloth(const Triangles& triangles, Eigen::Index vertex_count) : triangles_(triangles) {
  stars_.resize(std::size_t(vertex_count));
  for (int t = 0; t < int(triangles.rows()); ++t) {
    for (int c = 0; c < 3; ++c) {
      const int v = triangles(t, c);
      if (v < 0 || v >= vertex_count) {
        throw InputError("cloth: triangle " + std::to_string(t) + " has the vertex " + std::to_string(v) +
                         ", expected 0 … " + std::to_string(vertex_count - 1));
      }
      stars_[std::size_t(v)].push_back(t);
    }
  }
  for (int v = 0; v < int(vertex_count); ++v) {
    parents_.push_back(v);
    sources_.push_back(v);
  }
}

bool TearableCloth::are_neighbours(int a, int b) const {
  const auto& star = stars_[std::size_t(a)];
  return std::any_of(star.begin(), star.end(), [&](int t) { return contains(triangles_, t, b); });
}

bool TearableCloth::is_boundary(int vertex) const {
  // Around an interior vertex, every neighbour is in two triangles of the star.
  const auto& star = stars_[std::size_t(vertex)];
  return std::any_of(star.begin(), star.end(), [&](int t) {
    for (int c = 0; c < 3; ++c) {
      const int other = triangles_(t, c);
      if (other != vertex &&
          std::count_if(star.begin(), star.end(), [&](int s) { return contains(triangles_, s, other); }) == 1)
        return true;
    }
    return false;
  });
}

// Components of `triangles` (all around `vertex`) connected through edges at it. Each ascending; ordered by their
// lowest triangle.
std::vector<std::vector<int>> TearableCloth::fans(int vertex, const std::vector<int>& triangles) const {
  const auto share_edge = [&](int s, int t) {
    for (int c = 0; c < 3; ++c) {
      if (triangles_(s, c) != vertex && contains(triangles_, t, triangles_(s, c))) return true;
    }
    return false;
  };
  std::vector<std::vector<int>> result;
  std::vector<bool> taken(triangles.size(), false);
  for (std::size_t first = 0; first < triangles.size(); ++first) {
    if (taken[first]) continue;
    taken[first] = true;
    std::vector<int> fan{triangles[first]};
    for (std::size_t next = 0; next < fan.size(); ++next) {
      for (std::size_t i = 0; i < triangles.size(); ++i) {
        if (taken[i] || !share_edge(fan[next], triangles[i])) continue;
        taken[i] = true;
        fan.push_back(triangles[i]);
      }
    }
    std::sort(fan.begin(), fan.end());
    result.push_back(std::move(fan));
  }
  return result;
}

void TearableCloth::give_duplicate(int vertex, int other, const std::vector<int>& triangles,
                                   std::vector<VertexTear>& tears) {
  const int duplicate = vertex_count();
  auto& star = stars_[std::size_t(vertex)];
  for (const int t : triangles) {
    for (int c = 0; c < 3; ++c) {
      if (triangles_(t, c) == vertex) triangles_(t, c) = duplicate;
    }
    star.erase(std::find(star.begin(), star.end(), t));
  }
  stars_.push_back(triangles);
  parents_.push_back(parents_[std::size_t(vertex)]);
  sources_.push_back(vertex);
  tears.push_back({vertex, duplicate, other});
}

bool TearableCloth::split(int vertex, int other, const Points& positions, std::vector<VertexTear>& tears) {
  const auto at = [&](int v) -> Vector3 {
    while (v >= positions.rows()) v = sources_[std::size_t(v)];
    return positions.row(v).transpose();
  };
  const Vector3 point = at(vertex), direction = at(other) - point;
  std::vector<int> near, far;
  for (const int t : stars_[std::size_t(vertex)]) {
    const Vector3 centroid = (at(triangles_(t, 0)) + at(triangles_(t, 1)) + at(triangles_(t, 2))) / 3.0;
    ((centroid - point).dot(direction) < 0.0 ? far : near).push_back(t);
  }
  if (near.empty() || far.empty()) return false;
  // Only neighbours across a cut edge can be left with several fans.
  std::vector<int> ends;
  for (const int t : far) {
    for (int c = 0; c < 3; ++c) {
      const int v = triangles_(t, c);
      if (v != vertex && std::any_of(near.begin(), near.end(), [&](int s) { return contains(triangles_, s, v); }))
        ends.push_back(v);
    }
  }
  std::sort(ends.begin(), ends.end());
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  const auto near_fans = fans(vertex, near), far_fans = fans(vertex, far);
  for (const auto& fan : far_fans) give_duplicate(vertex, other, fan, tears);
  for (std::size_t i = 1; i < near_fans.size(); ++i) give_duplicate(vertex, other, near_fans[i], tears);
  for (const int end : ends) {
    const auto end_fans = fans(end, stars_[std::size_t(end)]);
    for (std::size_t i = 1; i < end_fans.size(); ++i) give_duplicate(end, other, end_fans[i], tears);
  }
  return true;
}

std::vector<VertexTear> TearableCloth::tear(const std::vector<std::array<int, 2>>& edges, const Points& positions,
                                            const std::vector<bool>& held) {
  std::vector<VertexTear> tears;
  refused_.clear();
  // A duplicate made by this call is held if its source is.
  const auto is_held = [&](int v) {
    while (v >= int(held.size()) && sources_[std::size_t(v)] != v) v = sources_[std::size_t(v)];
    return std::size_t(v) < held.size() && held[std::size_t(v)];
  };
  for (auto [a, b] : edges) {
    if (!are_neighbours(a, b)) continue;
    if (!is_boundary(a) && is_boundary(b)) std::swap(a, b);
    if (!(!is_held(a) && split(a, b, positions, tears)) && !(!is_held(b) && split(b, a, positions, tears)))
      refused_.push_back({std::min(a, b), std::max(a, b)});
  }
  return tears;
}

}  // namespace deformbench::pbd

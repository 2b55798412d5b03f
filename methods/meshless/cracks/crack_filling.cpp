// SPDX-License-Identifier: BSD-3-Clause
// Area ahead of nodes that end on surfaces and of contracted fronts: it counts as swept.
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>

#include "methods/meshless/cracks/crack_system.hpp"

namespace deformbench::meshless {
namespace {

constexpr double kGrazing = 0.2;      // sine of the angle between the direction ahead and a sheet of the same crack
constexpr double kOnSurface = 0.05;   // in surfel radii
constexpr double kRaySpacing = 0.25;  // of rays ahead, in surfel radii

Vector3 unit(const Vector3& v) {
  const double length = v.norm();
  return length > 0.0 ? Vector3(v / length) : Vector3::Zero();
}

}  // namespace

/// First crack on the ray ahead within two snapping distances, or the ray's end if that is outside the body; otherwise
/// the nearest surface point within one, if any.
std::optional<Vector3> CrackSystem::way_ahead(const LinePoint& from, int first_new) const {
  const double near = std::max(snapping_distance(), options_.surfel_radius);
  const auto counts = [&](int t) {
    return t < first_new && (area_.triangles()[std::size_t(t)].crack != from.crack ||
                             std::abs(from.direction.dot(area_.normal(t))) > kGrazing);
  };
  // A point on a surface already ends there.
  if (body_.depth(from.position) > -kOnSurface * options_.surfel_radius) return from.position;
  if (area_.closest(from.position, kOnSurface * options_.surfel_radius,
                    [&](int t) { return t < first_new && area_.triangles()[std::size_t(t)].crack != from.crack; }))
    return from.position;
  const Vector3 to = from.position + 2.0 * near * from.direction;
  if (const auto hit = area_.first_hit(from.position, to, counts)) return hit->point;
  if (!body_.contains(to)) return to;
  std::optional<Vector3> nearest;
  double least = near;
  for (int s = 0; s < body_.sheet_count(); ++s)
    if (const auto foot = body_.sheet(s).project(from.position); foot && (*foot - from.position).norm() <= least) {
      nearest = foot;
      least = (*foot - from.position).norm();
    }
  const auto crack = area_.closest(from.position, least, [&](int t) {
    return t < first_new && area_.triangles()[std::size_t(t)].crack != from.crack;
  });
  return crack ? crack->point : nearest;
}

/// Adjacent rays that end on different surfaces leave a corner: its middle goes to the nearest surface.
void CrackSystem::close_corner(const LinePoint& a, const LinePoint& b, int first_new, int depth) {
  constexpr int kMost = 4;
  if (depth == kMost || (a.position - b.position).norm() < kRaySpacing * options_.surfel_radius) return;
  const LinePoint middle{0.5 * (a.position + b.position), a.direction, -1, a.crack};
  const auto met = way_ahead(middle, first_new);
  if (!met || *met == middle.position) return;
  const LinePoint ahead{*met, a.direction, area_.add_vertex(*met), a.crack};
  area_.add_triangle(a.vertex, b.vertex, ahead.vertex, a.crack);
  close_corner(a, ahead, first_new, depth + 1);
  close_corner(ahead, b, first_new, depth + 1);
}

/// Adds the area ahead of a line up to the surfaces there, piece by piece between its points. Ignores area swept from
/// `first_new` on. False if a ray ahead meets no surface: no piece is added there.
bool CrackSystem::fill_ahead(std::span<const LinePoint> line, int first_new) {
  bool all = true;
  for (std::size_t i = 0; i + 1 < line.size(); ++i) {
    const LinePoint &a = line[i], &b = line[i + 1];
    const double length = (b.position - a.position).norm();
    const int parts = std::max(1, int(std::ceil(length / (kRaySpacing * options_.surfel_radius))));
    std::vector<std::pair<Vector3, Vector3>> ways;
    for (int k = 0; k <= parts; ++k) {
      const double share = double(k) / parts;
      const Vector3 from = (1.0 - share) * a.position + share * b.position;
      const Vector3 direction = unit((1.0 - share) * a.direction + share * b.direction);
      if (const auto met = way_ahead({from, direction, -1, a.crack}, first_new)) ways.emplace_back(from, *met);
    }
    if (int(ways.size()) <= parts) {
      all = false;
      continue;
    }
    int last = -1, last_ahead = -1;
    for (int k = 0; k <= parts; ++k) {
      const auto& [from, met] = ways[std::size_t(k)];
      const int vertex = k == 0 ? a.vertex : k == parts ? b.vertex : area_.add_vertex(from);
      const int ahead = area_.add_vertex(met);
      if (k > 0) {
        area_.add_triangle(last, vertex, ahead, a.crack);
        area_.add_triangle(last, ahead, last_ahead, a.crack);
        close_corner({area_.vertex(last_ahead), Vector3::Zero(), last_ahead, a.crack},
                     {met, Vector3::Zero(), ahead, a.crack}, first_new);
      }
      last = vertex;
      last_ahead = ahead;
    }
  }
  return all;
}

/// If adjacent nodes end on different surfaces, the line between them cuts off the corner.
void CrackSystem::fill_corners(const AdvancingFront& front, const std::vector<Target>& targets,
                               const std::vector<Border>& borders, int first_new) {
  const std::size_t n = front.nodes.size(), edges = front.is_closed ? n : n - 1;
  const auto point = [&](std::size_t i, int crack) {
    return LinePoint{front.nodes[i].position, unit(front.nodes[i].rate), front.nodes[i].vertex, crack};
  };
  for (std::size_t i = 0; i < edges; ++i) {
    const std::size_t j = (i + 1) % n;
    if (!targets[i].is_out && !targets[j].is_out) continue;
    const int crack = crack_of_edge(front, i);
    LinePoint first = point(i, crack), second = point(j, crack);
    if (!targets[i].is_out || !targets[j].is_out) {
      LinePoint& inside = targets[i].is_out ? second : first;
      inside.position = borders[i].point;
      inside.vertex = borders[i].vertex;
    }
    fill_ahead(std::array{first, second}, first_new);
  }
}

std::vector<CrackSystem::LinePoint> CrackSystem::line_of(const AdvancingFront& front) {
  std::vector<LinePoint> line;
  for (std::size_t i = 0; i < front.nodes.size(); ++i) {
    const CrackNode& node = front.nodes[i];
    const Vector3 out = node.normal.cross(front_tangent(front, i));
    const std::size_t edge = std::min(i, front.nodes.size() - 2);
    line.push_back({node.position, unit(node.rate.squaredNorm() > 0.0 ? node.rate : out), node.vertex,
                    crack_of_edge(front, edge)});
  }
  return line;
}

bool CrackSystem::runs_into_corner(const AdvancingFront& front) const {
  for (const LinePoint& point : line_of(front))
    if (!way_ahead(point, int(area_.triangles().size()))) return false;
  return true;
}

/// Adds the area left by a contracted front: the inside of a closed one; the area ahead of an open one, or a strip of
/// width `least` if it meets nothing there.
void CrackSystem::fill(const AdvancingFront& front, double least) {
  const std::size_t n = front.nodes.size();
  if (front.is_closed) {
    Vector3 centre = Vector3::Zero();
    for (const CrackNode& node : front.nodes) centre += node.position / double(n);
    const int vertex = area_.add_vertex(centre);
    for (std::size_t i = 0; i < n; ++i)
      area_.add_triangle(front.nodes[i].vertex, front.nodes[(i + 1) % n].vertex, vertex, crack_of_edge(front, i));
    return;
  }
  if (n < 2) return;
  const std::vector<LinePoint> line = line_of(front);
  if (fill_ahead(line, int(area_.triangles().size()))) return;
  std::vector<int> ahead;
  for (const LinePoint& point : line) ahead.push_back(area_.add_vertex(point.position + least * point.direction));
  for (std::size_t i = 0; i + 1 < n; ++i) {
    area_.add_triangle(line[i].vertex, line[i + 1].vertex, ahead[i + 1], line[i].crack);
    area_.add_triangle(line[i].vertex, ahead[i + 1], ahead[i], line[i].crack);
  }
}

}  // namespace deformbench::meshless

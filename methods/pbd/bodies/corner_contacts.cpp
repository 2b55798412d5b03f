// SPDX-License-Identifier: BSD-3-Clause
// Body corners against triangles, in the body frame where the corner is at rest. Without them a small body falls
// through a large triangle. [MHHR07] §4.2
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>

#include "methods/pbd/bodies/body_contacts.hpp"
#include "methods/pbd/bodies/body_shapes.hpp"
#include "methods/pbd/cloth/point_triangle.hpp"

namespace deformbench::pbd {
namespace {

/// Six-bit outcode of a point relative to the box.
std::uint8_t outside(const Vector3& point, const Vector3& low, const Vector3& high) {
  std::uint8_t code = 0;
  for (int k = 0; k < 3; ++k) {
    if (point[k] < low[k]) code |= std::uint8_t(1 << k);
    if (point[k] > high[k]) code |= std::uint8_t(8 << k);
  }
  return code;
}

Vector3 unit_normal(const PointTriangle& at) {
  return (at.p2 - at.p1).cross(at.p3 - at.p1).normalized();
}

/// The side of the triangle on which the corner must stay; nothing without contact.
std::optional<double> side_of_contact(const BodyShapes::Corner& corner, const PointTriangle& from,
                                      const PointTriangle& to, double offset, Detection detection) {
  const double size = std::max({(to.p2 - to.p1).norm(), (to.p3 - to.p1).norm(), (to.p3 - to.p2).norm()});
  const double tolerance = 1e-9 * size;
  const Vector3 normal = unit_normal(to);
  // The body lies behind its corner, so cloth outside the body is on the outward side.
  const double facing = -normal.dot(corner.outward);
  const double side_of_body = facing < 0 ? -1.0 : 1.0;
  const bool knows_body = std::abs(facing) > 0.3;
  const Separation at_start = separation(from);
  const double start_side = at_start.height < 0 ? -1.0 : 1.0;
  double side = start_side;
  if (std::abs(at_start.height) <= tolerance || (detection != Detection::Continuous && knows_body)) side = side_of_body;

  if (detection != Detection::Static && passes_through(from, to, 1e-6 * size)) return side;
  const Separation at_end = separation(to);
  if (at_end.beside > 0) return std::nullopt;
  const double height = side * at_end.height;
  if (height >= 0) return height < offset ? std::optional(side) : std::nullopt;
  if (detection == Detection::Continuous || !knows_body) return std::nullopt;
  return -height < corner.thickness ? std::optional(side) : std::nullopt;  // it had penetrated before
}

}  // namespace

void find_corner_contacts(const Scene& scene, const Triangles& triangles, const Points& x, const Points& p,
                          const BodyMotion& motion, const PbdOptions& options, std::vector<CornerContact>& contacts) {
  contacts.clear();
  std::optional<BodyShapes> made_now;
  if (motion.shapes == nullptr) made_now.emplace(scene);
  const BodyShapes& shapes = motion.shapes != nullptr ? *motion.shapes : *made_now;
  const double offset = options.contact_offset;
  std::vector<std::uint8_t> codes(std::size_t(x.rows()));
  for (std::size_t b = 0; b < scene.rigid_bodies.size(); ++b) {
    const int body = int(b);
    const auto corners = shapes.corners(body);
    if (corners.empty()) continue;
    const model::Pose &before = motion.before[b], &after = motion.after[b];
    // A corner may be on the wrong side by up to half the body's thickness.
    const Vector3 margin = Vector3::Constant(std::max(offset, shapes.thickest_corner(body)));
    const Vector3 reach = Vector3::Constant(shapes.radius(body)) + margin;
    const Vector3 low = before.position.cwiseMin(after.position) - reach;
    const Vector3 high = before.position.cwiseMax(after.position) + reach;
    for (Eigen::Index v = 0; v < x.rows(); ++v)
      codes[std::size_t(v)] = outside(x.row(v), low, high) & outside(p.row(v), low, high);
    for (Eigen::Index t = 0; t < triangles.rows(); ++t) {
      const std::array<int, 3> v{triangles(t, 0), triangles(t, 1), triangles(t, 2)};
      if (codes[std::size_t(v[0])] & codes[std::size_t(v[1])] & codes[std::size_t(v[2])]) continue;
      const auto at_start = [&](int vertex) -> Vector3 {
        return before.orientation.transpose() * (Vector3(x.row(vertex)) - before.position);
      };
      const auto at_end = [&](int vertex) -> Vector3 {
        return after.orientation.transpose() * (Vector3(p.row(vertex)) - after.position);
      };
      PointTriangle from{{}, at_start(v[0]), at_start(v[1]), at_start(v[2])};
      PointTriangle to{{}, at_end(v[0]), at_end(v[1]), at_end(v[2])};
      const double longest_edge2 =
          std::max({(to.p2 - to.p1).squaredNorm(), (to.p3 - to.p1).squaredNorm(), (to.p3 - to.p2).squaredNorm()});
      if (!((to.p2 - to.p1).cross(to.p3 - to.p1).norm() > 1e-12 * longest_edge2)) continue;
      Vector3 nearest = from.p1 - margin, farthest = from.p1 + margin;
      for (const Vector3* point : {&from.p2, &from.p3, &to.p1, &to.p2, &to.p3}) {
        nearest = nearest.cwiseMin(*point - margin);
        farthest = farthest.cwiseMax(*point + margin);
      }
      auto corner =
          std::lower_bound(corners.begin(), corners.end(), nearest.x(),
                           [](const BodyShapes::Corner& c, double x_least) { return c.position.x() < x_least; });
      for (; corner != corners.end() && corner->position.x() <= farthest.x(); ++corner) {
        if (outside(corner->position, nearest, farthest) != 0) continue;
        from.q = to.q = corner->position;
        if (const auto side = side_of_contact(*corner, from, to, offset, options.detection))
          contacts.push_back({body, corner->position, v, *side});
      }
    }
  }
}

}  // namespace deformbench::pbd

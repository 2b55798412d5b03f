// SPDX-License-Identifier: BSD-3-Clause
// Detection in the body frame: x by the body's pose before the step, p by its pose after, joined by a straight path, so
// that the body is at rest. [MHHR07] §3.4
#include "methods/pbd/bodies/body_contacts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "methods/pbd/bodies/body_shapes.hpp"

namespace deformbench::pbd {
namespace {

/// Rounding of positions relative to the body's size: a point this far behind the surface still counts as on it.
constexpr double kRounding = 1e-9;
/// A vertex first seen deeper than this behind an open mesh (relative to the diagonal) is left there.
constexpr double kOpenStartDepth = 0.01;

/// Point and normal on the surface of a body (body frame, without the offset).
struct Touch {
  Vector3 point, normal;
  bool is_continuous;
  double allowed = 0.0;  ///< m, admissible depth behind the surface at the end of the step
};

/// Admissible depth (m) at the end of the step of a vertex that starts `depth` behind the surface. [MSL19] eq. 10
/// DEVIATION [MHHR07] §3.4: a vertex that starts inside a body leaves with the recovery speed; leaving in one step
/// would give it the velocity depth/Δt.
double allowed_depth(double depth, const PbdOptions& options, double time_step) {
  if (options.contact_compliance > 0.0) return 0.0;  // C is the depth
  return options.recovery_speed > 0.0 ? std::max(0.0, depth - options.recovery_speed * time_step) : 0.0;
}

struct Probe {
  double distance;
  Vector3 closest, normal;
};

/// First point of the path within `offset` of a convex body, starting outside. The distance is a convex function of
/// time, so Newton's method from the start never passes its first root.
template <class Distance>
std::optional<Probe> convex_entry(const Distance& distance_to, const Vector3& start, const Vector3& way, double offset,
                                  double tolerance) {
  double time = 0.0;
  for (int iteration = 0; iteration < 60; ++iteration) {
    const Probe probe = distance_to(Vector3(start + time * way));
    const double gap = probe.distance - offset;
    if (gap <= tolerance) return probe;
    const double slope = probe.normal.dot(way);
    if (slope >= 0) return std::nullopt;
    time -= gap / slope;
    if (time > 1.0) return std::nullopt;
  }
  return std::nullopt;  // at most a tangential touch
}

template <class Distance>
std::optional<Touch> convex_touch(const Distance& distance_to, const Vector3& a, const Vector3& b, double offset,
                                  double tolerance, const PbdOptions& options, double time_step) {
  const Detection detection = options.detection;
  const auto touch_of = [](const Probe& probe, bool is_continuous) {
    return Touch{probe.closest, probe.normal, is_continuous};
  };
  const auto from_inside = [&](const Probe& probe, double start_distance) {
    Touch touch = touch_of(probe, false);
    touch.allowed = allowed_depth(offset - start_distance, options, time_step);
    return touch;
  };
  const Probe at_b = distance_to(b);
  if (detection == Detection::Static)
    return at_b.distance < offset ? std::optional(from_inside(at_b, distance_to(a).distance)) : std::nullopt;
  const Vector3 way = b - a;
  if (at_b.distance > offset + way.norm()) return std::nullopt;
  const Probe at_a = distance_to(a);
  const bool agree = at_a.normal.dot(at_b.normal) > 0.5;
  // Also kept if the path misses or leaves a surface this near: a satisfied inequality is harmless, and other
  // projections may move p inside, which would be noticed only in the next step.
  const bool is_near =
      options.contact_guard && agree && at_b.distance >= offset && at_a.distance <= offset + way.norm();
  if (at_a.distance > offset + tolerance) {
    const auto entry = convex_entry(distance_to, a, way, offset, tolerance);
    if (entry) return touch_of(*entry, true);
    return is_near ? std::optional(touch_of(at_b, true)) : std::nullopt;
  }
  if (at_a.distance > -tolerance) {  // touches at the start: stays on its side
    if (at_b.distance < offset) {
      Touch touch = from_inside(agree && options.contact_guard ? at_b : at_a, at_a.distance);
      touch.is_continuous = true;
      return touch;
    }
    if (is_near) return touch_of(at_b, true);
    if (!agree && at_a.normal.dot(way) < 0 && convex_entry(distance_to, a, way, 0.0, tolerance))
      return touch_of(at_a, true);  // passes right through
    return std::nullopt;
  }
  // Vertices of compliant contacts start inside at rest: one that leaves is kept, as others may pull it back.
  const bool is_kept = options.contact_compliance > 0.0 && options.contact_guard && agree;
  if (detection == Detection::Continuous || (at_b.distance >= offset && !is_kept)) return std::nullopt;
  // Starts inside. DEVIATION [MHHR07] §3.4: if x and p are closest to different sides of a convex body, the side of
  // smaller depth is used, so that a vertex does not leave a thin body through its far side.
  return from_inside(agree || at_b.distance >= at_a.distance || !options.contact_guard ? at_b : at_a, at_a.distance);
}

/// Appends up to three touches: in a concave corner of the surface one plane is not enough.
int mesh_touches(const numerics::MeshDistance& mesh, const Vector3& a, const Vector3& b, double offset,
                 const PbdOptions& options, double time_step, BodyShapes::Clearance* known,
                 std::array<Touch, 3>& touches) {
  const Detection detection = options.detection;
  if (known != nullptr && known->clears(a, b)) return 0;
  const double tolerance = kRounding * mesh.diagonal();
  const double anywhere = std::numeric_limits<double>::infinity();
  const auto nearest_b = mesh.nearest(b, anywhere, known != nullptr ? known->triangle : -1);
  const int hint = nearest_b->triangle;
  const double way = (b - a).norm();
  if (known != nullptr && !known->is_known) {
    known->is_known = true;
    known->may_be_behind =
        !mesh.is_closed() && mesh.nearest(a)->distance < -(offset + kOpenStartDepth * mesh.diagonal());
  }
  if (known != nullptr) {
    if (nearest_b->distance > 0) known->may_be_behind = false;
    known->point = b;
    known->triangle = hint;
    known->radius = nearest_b->distance - offset;
  }
  if (nearest_b->distance > offset + way) return 0;

  const auto is_inside = [&](const numerics::MeshDistance::Nearest& nearest) {
    if (nearest.distance >= offset) return false;
    if (nearest.distance >= 0) return true;
    if (detection == Detection::Continuous) return false;
    if (mesh.is_closed()) return true;
    if (nearest.is_on_border || -nearest.distance >= kOpenDepth * mesh.diagonal()) return false;
    return known == nullptr || !known->may_be_behind;
  };
  std::optional<double> known_depth;  // depth of a behind the offset surface; 0 beyond an open mesh
  const auto start_depth = [&] {
    if (!known_depth) {
      const auto nearest_a = mesh.nearest(a, anywhere, hint);
      const bool is_beyond =
          !mesh.is_closed() && (nearest_a->is_on_border || -nearest_a->distance >= kOpenDepth * mesh.diagonal());
      known_depth = is_beyond ? 0.0 : offset - nearest_a->distance;
    }
    return *known_depth;
  };
  int count = 0;
  Vector3 end = b;
  const int most = options.contact_guard ? 3 : 1;
  while (count < most) {
    Touch& touch = touches[std::size_t(count)];
    const auto entry = detection == Detection::Static ? std::nullopt : mesh.first_entry(a, end, tolerance);
    if (entry) {
      touch = {entry->point, entry->normal, true};
      // Directly below the entered triangle: after projection onto it no other contact is left.
      if (count == 0 && offset == 0 && nearest_b->normal == entry->normal) return 1;
    } else {
      const auto nearest = count == 0 ? nearest_b : mesh.nearest(end, std::max(way, offset) + tolerance, hint);
      if (!nearest) break;
      if (options.contact_guard && count == 0 && nearest->distance >= offset && detection != Detection::Static &&
          mesh.nearest(a, offset + way + tolerance, hint)) {
        touch = {nearest->closest, nearest->normal, true};  // near at the start: kept, as for convex bodies
        return 1;
      }
      if (!is_inside(*nearest)) break;
      touch = {nearest->closest, nearest->normal, nearest->distance >= 0 && detection != Detection::Static};
      if (nearest->distance < 0 && detection == Detection::ContinuousThenStatic) {
        const auto nearest_a = mesh.nearest(a, anywhere, hint);
        if (!mesh.is_closed() && (nearest_a->distance > tolerance || nearest_a->is_on_border) && count == 0) {
          if (known != nullptr) known->may_be_behind = true;  // came round the border: from the front without an entry
          break;
        }
        // As for convex bodies: does not leave a thin part through its far side.
        if (options.contact_guard && nearest_a->distance < 0 && nearest_a->distance > nearest->distance &&
            nearest_a->normal.dot(nearest->normal) < 0.5)
          touch = {nearest_a->closest, nearest_a->normal, false};
      }
    }
    if (options.recovery_speed > 0.0 && !(entry && offset == 0))
      touch.allowed = allowed_depth(start_depth(), options, time_step);
    const double gap = (end - touch.point).dot(touch.normal) - offset + touch.allowed;
    if (count > 0 && gap > -tolerance) break;  // the planes so far already keep it out
    ++count;
    end -= gap * touch.normal;
  }
  if (known != nullptr && nearest_b->distance < 0 && !mesh.is_closed() && count == 0)
    known->radius = -nearest_b->distance - (known->may_be_behind ? 0.0 : kOpenDepth * mesh.diagonal());
  return count;
}

struct MovingBody {
  int body;
  model::Pose before, after;
  double reach;  ///< radius of the shape with its offset
  double turn;   ///< ‖R_after − R_before‖₂
  const numerics::MeshDistance* mesh;
};

}  // namespace

void find_body_contacts(const Scene& scene, const Points& x, const Points& p, const Eigen::VectorXd& inverse_masses,
                        const BodyMotion& motion, const PbdOptions& options, std::vector<BodyContact>& contacts) {
  contacts.clear();
  std::optional<BodyShapes> made_now;
  if (motion.shapes == nullptr && !scene.rigid_bodies.empty()) made_now.emplace(scene);
  BodyShapes* shapes = motion.shapes != nullptr ? motion.shapes : made_now ? &*made_now : nullptr;
  const double offset = options.contact_offset;

  std::vector<MovingBody> bodies;
  for (std::size_t b = 0; b < scene.rigid_bodies.size(); ++b) {
    const int body = int(b);
    bodies.push_back({body, motion.before[b], motion.after[b], shapes->radius(body) + offset,
                      (motion.after[b].orientation - motion.before[b].orientation).norm() / std::sqrt(2.0),
                      shapes->mesh(body)});
  }
  const auto add = [&](int vertex, const MovingBody& moving, const Touch& touch) {
    const model::RigidBody& body = scene.rigid_bodies[std::size_t(moving.body)];
    const model::Pose &before = moving.before, &after = moving.after;
    const Vector3 point = touch.point + (offset - touch.allowed) * touch.normal;
    const Vector3 world = after.position + after.orientation * point;
    const Vector3 moved = world - before.position - before.orientation * point;
    contacts.push_back({vertex, moving.body, world, after.orientation * touch.normal, moved / motion.time_step,
                        body.friction, body.restitution, touch.is_continuous, point, touch.normal});
  };

  std::array<Touch, 3> touches;
  for (Eigen::Index v = 0; v < x.rows(); ++v) {
    if (inverse_masses[v] == 0) continue;
    const int vertex = int(v);
    const Vector3 start = x.row(v), end = p.row(v);
    const std::size_t first = contacts.size();
    for (std::size_t k = 0; k < scene.colliders.size(); ++k) {
      const model::PlaneCollider& plane = scene.colliders[k];
      const auto distance_to = [&](const Vector3& y) {
        const double height = plane.normal.dot(y) - plane.offset;
        return Probe{height, y - height * plane.normal, plane.normal};
      };
      const double tolerance = kRounding * (1.0 + start.cwiseAbs().maxCoeff());
      if (distance_to(end).distance >= offset + (end - start).norm()) continue;
      const auto touch = convex_touch(distance_to, start, end, offset, tolerance, options, motion.time_step);
      if (!touch) continue;
      const Vector3 point = touch->point + (offset - touch->allowed) * touch->normal;
      contacts.push_back({vertex, -1 - int(k), point, touch->normal, Vector3::Zero(), plane.friction, plane.restitution,
                          touch->is_continuous, point, touch->normal});
    }
    for (const MovingBody& moving : bodies) {
      const Vector3 from = start - moving.before.position, to = end - moving.after.position;
      const double distance = from.norm();
      if (distance * (1.0 - moving.turn) - (to - from).norm() > moving.reach)
        continue;  // out of reach for any rotation
      const Vector3 a = moving.before.orientation.transpose() * from;
      const Vector3 b = moving.after.orientation.transpose() * to;
      if (moving.mesh != nullptr) {
        BodyShapes::Clearance* known = motion.shapes != nullptr ? &shapes->clearance(moving.body, v) : nullptr;
        const int count = mesh_touches(*moving.mesh, a, b, offset, options, motion.time_step, known, touches);
        for (int t = 0; t < count; ++t) add(vertex, moving, touches[std::size_t(t)]);
        continue;
      }
      const auto distance_to = [&](const Vector3& y) {
        Probe probe;
        probe.distance = shapes->signed_distance(moving.body, y, probe.closest, probe.normal);
        return probe;
      };
      if (const auto touch =
              convex_touch(distance_to, a, b, offset, kRounding * moving.reach, options, motion.time_step))
        add(vertex, moving, *touch);
    }
    if (contacts.size() > first + 1)
      std::stable_sort(contacts.begin() + std::ptrdiff_t(first), contacts.end(),
                       [&](const BodyContact& s, const BodyContact& t) {
                         return (end - s.point).dot(s.normal) < (end - t.point).dot(t.normal);
                       });
  }
}

}  // namespace deformbench::pbd

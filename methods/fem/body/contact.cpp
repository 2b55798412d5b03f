// SPDX-License-Identifier: BSD-3-Clause
#include "methods/fem/body/contact.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <vector>

namespace deformbench::fem {
namespace {

/// Rounding error of sums of a few products of numbers of this size.
double rounding_of(std::span<const HalfSpace> spaces, const Vector3& p) {
  double size = p.cwiseAbs().maxCoeff();
  for (const HalfSpace& space : spaces) size = std::max(size, std::abs(space.bound));
  return 1e-14 * size;
}

bool allowed(std::span<const HalfSpace> spaces, const Vector3& p, double slack) {
  return std::all_of(spaces.begin(), spaces.end(),
                     [&](const HalfSpace& s) { return s.normal.dot(p) >= s.bound - slack; });
}

/// Projects p onto the intersection of the planes `which`. Empty if one would have to pull, or if their normals are
/// linearly dependent (then a subset suffices).
template <int Count>
std::optional<NearestPoint> onto(std::span<const HalfSpace> spaces,
                                 const std::array<std::size_t, std::size_t(Count)>& which, const Vector3& p) {
  Eigen::Matrix<double, 3, Count> normals;
  Eigen::Matrix<double, Count, 1> missing;
  for (int k = 0; k < Count; ++k) {
    const HalfSpace& space = spaces[which[std::size_t(k)]];
    normals.col(k) = space.normal;
    missing[k] = space.bound - space.normal.dot(p);
  }
  const Eigen::Matrix<double, Count, Count> gram = normals.transpose() * normals;
  const Eigen::LDLT<Eigen::Matrix<double, Count, Count>> factors(gram);
  if (!(factors.vectorD().minCoeff() > 1e-12)) return std::nullopt;  // |sin| of the angle between them below 1e-6
  const Eigen::Matrix<double, Count, 1> pushes = factors.solve(missing);
  if (!(pushes.minCoeff() >= 0.0)) return std::nullopt;
  NearestPoint nearest{p + normals * pushes, Count};
  for (std::size_t k = 0; k < std::size_t(Count); ++k)
    nearest.which[k] = which[k], nearest.pushes[k] = pushes[Eigen::Index(k)];
  return nearest;
}

}  // namespace

// At most three planes are active at the nearest point (Carathéodory). The problem is convex, so the first subset
// that pushes and ends at an allowed point gives it.
std::optional<NearestPoint> nearest_point(std::span<const HalfSpace> spaces, const Vector3& p) {
  const double slack = rounding_of(spaces, p);
  if (allowed(spaces, p, 0.0)) return NearestPoint{p};
  const auto good = [&](const std::optional<NearestPoint>& found) {
    return found && allowed(spaces, found->point, slack + 1e-14 * (found->point - p).cwiseAbs().maxCoeff());
  };
  const std::size_t count = spaces.size();
  for (std::size_t i = 0; i < count; ++i)
    if (auto found = onto<1>(spaces, {i}, p); good(found)) return found;
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = i + 1; j < count; ++j)
      if (auto found = onto<2>(spaces, {i, j}, p); good(found)) return found;
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = i + 1; j < count; ++j)
      for (std::size_t k = j + 1; k < count; ++k)
        if (auto found = onto<3>(spaces, {i, j, k}, p); good(found)) return found;
  return std::nullopt;
}

namespace {

/// Velocities and end positions that an obstacle allows in this step.
struct Side {
  Vector3 normal;   ///< to the allowed side, at the end of the step
  double bound;     ///< m/s: normal·velocity ≥ bound
  double place;     ///< m: normal·x ≥ place at the end of the step
  double friction;  ///< μ, divided by the length of the normal that `reduce` leaves
  Vector3 moves;    ///< m/s, velocity of the surface
  bool is_overlap;  ///< the vertex begins the step behind it
};

Side side_of(const model::PlaneCollider& plane, const Vector3& position, double time_step) {
  const double gap = plane.normal.dot(position) - plane.offset;
  return {plane.normal, std::min(0.0, -gap / time_step), plane.offset, plane.friction, Vector3::Zero(), gap < 0.0};
}

/// Empty if the path from `position` to `end` does not enter the obstacle.
std::optional<Side> side_of(const Obstacle& obstacle, const Vector3& position, const Vector3& end, double time_step) {
  const model::Pose &before = obstacle.before, &after = obstacle.after;
  const model::Shape& shape = obstacle.body->shape;
  const Vector3 a = before.orientation.transpose() * (position - before.position);
  const Vector3 b = after.orientation.transpose() * (end - after.position);
  const double way = (b - a).norm();
  if (!(a.norm() - way <= obstacle.reach)) return std::nullopt;  // too far, or NaN
  Vector3 closest, normal;
  const double distance = model::signed_distance(shape, a, closest, normal);
  const bool is_overlap = distance < 0.0;
  if (is_overlap) {
    Vector3 there, across;
    const bool leaves = normal.dot(b - a) >= 0.0 && model::signed_distance(shape, b, there, across) >= 0.0;
    if (leaves) return std::nullopt;  // a path further in may exit at the far side, but counts as contact
  } else {
    // The second test is exact: the tangent plane then separates the body from the whole path.
    if (distance > way || normal.dot(b - closest) >= 0.0) return std::nullopt;
    const auto on_path = [&](double s) { return model::signed_distance(shape, a + s * (b - a), closest, normal); };
    const std::optional<double> entry = first_below(on_path, 0.0);
    if (!entry) return std::nullopt;
    on_path(*entry);
  }
  const Vector3 place = after.position + after.orientation * closest;
  const Vector3 moves = (place - before.position - before.orientation * closest) / time_step;
  Side side{after.orientation * normal, 0.0, 0.0, obstacle.body->friction, moves, is_overlap};
  side.place = side.normal.dot(place);
  side.bound = is_overlap ? side.normal.dot(moves) : (side.place - side.normal.dot(position)) / time_step;
  return side;
}

/// Restricts the side to the free components of a vertex. False if they cannot satisfy it.
bool reduce(Side& side, numerics::Components held, const Vector3& position, const Vector3& velocity, double time_step) {
  for (Eigen::Index k = 0; k < 3; ++k) {
    if (!numerics::has_component(held, std::size_t(k))) continue;
    side.bound -= side.normal[k] * velocity[k];
    side.place -= side.normal[k] * (position[k] + time_step * velocity[k]);
    side.normal[k] = 0.0;
  }
  const double length = side.normal.norm();
  if (!(length > 1e-9)) return false;
  side.normal /= length, side.bound /= length, side.place /= length, side.friction /= length;
  return true;
}

/// Empty if no velocity satisfies all sides.
std::optional<VertexContact> settle(std::span<const Side> sides, numerics::Components held, const Vector3& position,
                                    const Vector3& velocity, double time_step) {
  std::vector<HalfSpace> spaces;
  bool overlaps = false;
  for (const Side& side : sides) {
    overlaps |= side.is_overlap;
    spaces.push_back({side.normal, side.bound});
  }
  const std::optional<NearestPoint> nearest = nearest_point(spaces, velocity);
  if (!nearest) return std::nullopt;
  VertexContact contact{nearest->point, Vector3::Zero()};

  // Sliding velocity: relative to the active sides, minus its part in the span of their normals.
  double grip = 0.0;
  Vector3 moves = Vector3::Zero();
  for (std::size_t k = 0; k < std::size_t(nearest->count); ++k) {
    const Side& side = sides[nearest->which[k]];
    grip += side.friction * nearest->pushes[k];
    moves += side.friction * nearest->pushes[k] * side.moves;
  }
  Vector3 sliding = contact.velocity;
  if (grip > 0.0 && !moves.isZero(0.0)) sliding -= moves / grip;
  for (Eigen::Index k = 0; k < 3; ++k)
    if (numerics::has_component(held, std::size_t(k))) sliding[k] = 0.0;
  std::array<Vector3, 3> basis;
  for (std::size_t k = 0; k < std::size_t(nearest->count); ++k) {
    Vector3 across = sides[nearest->which[k]].normal;
    for (std::size_t known = 0; known < k; ++known) across -= basis[known].dot(across) * basis[known];
    basis[k] = across.normalized();
    sliding -= basis[k].dot(sliding) * basis[k];
  }
  if (const double speed = sliding.norm(); grip > 0.0 && speed > 0.0) {
    contact.velocity -= std::min(1.0, grip / speed) * sliding;
    // Slowing down may violate a plane that it was leaving.
    if (const auto again = nearest_point(spaces, contact.velocity)) contact.velocity = again->point;
  }

  if (!overlaps) return contact;
  for (std::size_t k = 0; k < spaces.size(); ++k) spaces[k].bound = sides[k].place;
  const Vector3 end = position + time_step * contact.velocity;
  if (const auto place = nearest_point(spaces, end)) contact.shift = place->point - end;
  return contact;
}

/// Velocity of the body's surface at a point of the body frame, mean over the step (m/s).
Vector3 speed_at(const Obstacle& obstacle, const Vector3& point, double time_step) {
  const model::Pose &before = obstacle.before, &after = obstacle.after;
  return (after.position + after.orientation * point - before.position - before.orientation * point) / time_step;
}

}  // namespace

Obstacle::Obstacle(const model::RigidBody& given, double begin, double end)
    : body(&given), before(given.pose_at(begin)), after(given.pose_at(end)) {
  const model::Shape& shape = given.shape;
  reach = shape.kind == model::ShapeKind::Box       ? shape.half_extents.norm()
          : shape.kind == model::ShapeKind::Capsule ? shape.radius + shape.half_length
                                                    : shape.radius;
}

std::string contact_refusal(const Scene& scene, bool takes_meshes) {
  if (!scene.attachments.empty()) return "finite elements do not support attachments to rigid bodies";
  for (const model::RigidBody& body : scene.rigid_bodies) {
    if (!body.is_kinematic())
      return fmt::format("finite elements support no rigid body with a mass, '{}' has {} kg", body.name, body.mass);
    if (body.shape.kind == model::ShapeKind::Mesh && !takes_meshes)
      return fmt::format(
          "finite elements collide with spheres, capsules and boxes, rigid body '{}' is a mesh; implicit_fem and "
          "invertible_fem with self_contact barrier collide with it",
          body.name);
    if (body.restitution != 0.0)
      return fmt::format("finite elements do not support restitution, rigid body '{}' has restitution {}", body.name,
                         body.restitution);
  }
  for (const auto& plane : scene.colliders)
    if (plane.restitution != 0.0)
      return fmt::format("finite elements do not support restitution, the scene has a plane of restitution {}",
                         plane.restitution);
  return "";
}

double overpressure_at_rest(const Scene& scene, double mass_damping) {
  const model::TetMesh& mesh = scene.tet_mesh;
  const double elements = double(std::max<Eigen::Index>(mesh.element_count(), 1));
  const double cell = std::cbrt(6.0 * model::total_volume(mesh, mesh.rest_positions) / elements);  // a cube of six
  const double dt = scene.time_step;
  double largest = 0.0;
  for (const model::Material& material : scene.materials) {
    const double nu = material.poisson_ratio;
    largest = std::max(largest, 2 * (1 - nu) / ((1 + nu) * (1 - 2 * nu)) * material.young_modulus / material.density);
  }
  return 1.0 + largest * dt * dt / (cell * cell) / (1.0 + mass_damping * dt);
}

std::string contact_caveat(const Scene& scene, double mass_damping) {
  if (scene.colliders.empty() && scene.rigid_bodies.empty()) return "";
  const double pressure = overpressure_at_rest(scene, mass_damping);
  if (pressure < 1.01) return "";
  return fmt::format(
      "contact acts after the solve: at rest on an obstacle the stresses are some {:.2g} times those of the weight, "
      "and a landing may gain energy; implicit_fem, and contact_rule penalty of linear and warped elements, have it "
      "within",
      pressure);
}

std::optional<VertexContact> touch_obstacles(std::span<const model::PlaneCollider> planes,
                                             std::span<const Obstacle> bodies, const Vector3& position,
                                             const Vector3& velocity, double time_step, numerics::Components held) {
  VertexContact contact{velocity, Vector3::Zero()};
  Vector3 end = position + time_step * velocity;
  bool is_touched = std::any_of(planes.begin(), planes.end(), [&](const model::PlaneCollider& plane) {
    return plane.normal.dot(end) < plane.offset;
  });
  bool has_planes = false;
  std::vector<Side> sides;
  std::vector<std::size_t> met;  // bodies, each at most once: deflection by one may lead into another
  const auto add = [&](Side side) {
    if (held == numerics::kNoComponents || reduce(side, held, position, velocity, time_step)) sides.push_back(side);
  };
  for (;;) {
    const std::size_t before = met.size();
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      if (std::find(met.begin(), met.end(), b) != met.end()) continue;
      const std::optional<Side> side = side_of(bodies[b], position, end, time_step);
      if (!side) continue;
      met.push_back(b);
      is_touched = true;
      add(*side);
    }
    if (!is_touched) return std::nullopt;
    if (has_planes && met.size() == before) return contact;
    if (!has_planes) {
      const std::vector<Side> of_bodies = std::move(sides);
      sides.clear();
      for (const auto& plane : planes) add(side_of(plane, position, time_step));
      sides.insert(sides.end(), of_bodies.begin(), of_bodies.end());
      has_planes = true;
    }
    // Without bodies and held components, v = 0 is always allowed. Otherwise the last sides are dropped.
    std::optional<VertexContact> settled = settle(sides, held, position, velocity, time_step);
    while (!settled && !sides.empty()) {
      sides.pop_back();
      settled = settle(sides, held, position, velocity, time_step);
    }
    if (!settled) return contact;  // nonfinite velocity
    contact = *settled;
    if (bodies.empty()) return contact;
    end = position + time_step * contact.velocity + contact.shift;
  }
}

std::optional<VertexContact> project_onto_obstacles(std::span<const model::PlaneCollider> planes,
                                                    std::span<const Obstacle> bodies, const Vector3& position,
                                                    const Vector3& velocity, double time_step,
                                                    numerics::Components held) {
  Vector3 end = position + time_step * velocity, v = velocity;
  bool is_touched = false;
  const auto project = [&](double depth, const Vector3& normal, const Vector3& surface, double friction) {
    Vector3 free = normal;  // held components do not change
    for (Eigen::Index k = 0; k < 3; ++k)
      if (numerics::has_component(held, std::size_t(k))) free[k] = 0.0;
    const double squared = free.squaredNorm(), approach = normal.dot(surface - v);
    if (!(squared > 1e-18)) return;
    is_touched = true;
    end += depth / squared * free;
    if (!(approach > 0.0)) return;
    const Vector3 push = approach / squared * free;
    v += push;
    Vector3 sliding = v - surface;
    for (Eigen::Index k = 0; k < 3; ++k)
      if (numerics::has_component(held, std::size_t(k))) sliding[k] = 0.0;
    sliding -= free.dot(sliding) / squared * free;
    if (const double speed = sliding.norm(); speed > 0.0) v -= std::min(1.0, friction * push.norm() / speed) * sliding;
  };
  for (const model::PlaneCollider& plane : planes)
    if (const double depth = plane.offset - plane.normal.dot(end); depth > 0.0)
      project(depth, plane.normal, Vector3::Zero(), plane.friction);
  for (const Obstacle& obstacle : bodies) {
    const Vector3 point = obstacle.after.orientation.transpose() * (end - obstacle.after.position);
    Vector3 closest, normal;
    const double distance = model::signed_distance(obstacle.body->shape, point, closest, normal);
    if (distance < 0.0)
      project(-distance, obstacle.after.orientation * normal, speed_at(obstacle, closest, time_step),
              obstacle.body->friction);
  }
  if (!is_touched) return std::nullopt;
  return VertexContact{v, end - position - time_step * v};
}

}  // namespace deformbench::fem

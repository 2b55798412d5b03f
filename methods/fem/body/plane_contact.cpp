// SPDX-License-Identifier: BSD-3-Clause
#include "methods/fem/body/plane_contact.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <vector>

namespace deformbench::fem {
namespace {

/// Rounding of sums of a few products of numbers as large as these.
double rounding_of(std::span<const HalfSpace> spaces, const Vector3& p) {
  double size = p.cwiseAbs().maxCoeff();
  for (const HalfSpace& space : spaces) size = std::max(size, std::abs(space.bound));
  return 1e-14 * size;
}

bool allowed(std::span<const HalfSpace> spaces, const Vector3& p, double slack) {
  return std::all_of(spaces.begin(), spaces.end(),
                     [&](const HalfSpace& s) { return s.normal.dot(p) >= s.bound - slack; });
}

/// Of the planes that push, with the normals n of their combination, p moved onto all of them; nothing when one would
/// have to pull, or when their normals depend on each other (then fewer of them do).
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

// The nearest point is on at most three of the planes (Carathéodory), and the first choice of planes that pushes
// outwards and ends where all allow it is it: the problem is convex.
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

std::optional<VertexContact> touch_planes(std::span<const model::PlaneCollider> planes, const Vector3& position,
                                          const Vector3& velocity, double time_step) {
  const auto touches = [&](const model::PlaneCollider& plane) {
    return plane.normal.dot(position + time_step * velocity) < plane.offset;
  };
  if (std::none_of(planes.begin(), planes.end(), touches)) return std::nullopt;
  VertexContact contact{velocity, Vector3::Zero()};
  // v = 0 is always allowed, so there is a nearest velocity, but for one that is not finite.
  std::vector<HalfSpace> spaces;
  bool overlaps = false;
  for (const auto& plane : planes) {
    const double gap = plane.normal.dot(position) - plane.offset;
    overlaps |= gap < 0.0;
    spaces.push_back({plane.normal, std::min(0.0, -gap / time_step)});
  }
  const std::optional<NearestPoint> nearest = nearest_point(spaces, velocity);
  if (!nearest) return contact;
  contact.velocity = nearest->point;

  // What can slide along all the planes that push: the velocity less what is in the span of their normals.
  Vector3 sliding = contact.velocity;
  std::array<Vector3, 3> basis;
  double grip = 0.0;
  for (int k = 0; k < nearest->count; ++k) {
    const std::size_t plane = nearest->which[std::size_t(k)];
    grip += planes[plane].friction * nearest->pushes[std::size_t(k)];
    Vector3 across = planes[plane].normal;
    for (int known = 0; known < k; ++known) across -= basis[std::size_t(known)].dot(across) * basis[std::size_t(known)];
    basis[std::size_t(k)] = across.normalized();
    sliding -= basis[std::size_t(k)].dot(sliding) * basis[std::size_t(k)];
  }
  if (const double speed = sliding.norm(); grip > 0.0 && speed > 0.0) {
    contact.velocity -= std::min(1.0, grip / speed) * sliding;
    // To slow down can only bring it nearer to a plane that it was leaving.
    if (const auto again = nearest_point(spaces, contact.velocity)) contact.velocity = again->point;
  }

  if (!overlaps) return contact;
  for (std::size_t k = 0; k < spaces.size(); ++k) spaces[k].bound = planes[k].offset;
  const Vector3 end = position + time_step * contact.velocity;
  if (const auto place = nearest_point(spaces, end)) contact.shift = place->point - end;
  return contact;
}

}  // namespace deformbench::fem

// SPDX-License-Identifier: BSD-3-Clause
#include "methods/pbd/triangle_contacts.hpp"

#include <array>
#include <cmath>

#include <Eigen/Geometry>

#include "methods/pbd/friction.hpp"

namespace deformbench::pbd {
namespace {

/// A point at `height` above the foot Σ weights_k p_k on a triangle. It follows Σ weights_k Δp_k + height Δn with Δn =
/// −Σ slopes_k (n·Δp_k). By virtual work a force J on it is weights_k J − height (slopes_k·J) n on the corners, without
/// net force or moment.
struct Carried {
  std::array<int, 3> triangle;
  Vector3 normal;
  std::array<double, 3> weights;
  std::array<Vector3, 3> slopes;  ///< 1/m, gradients of the weights along the triangle
  double height;                  ///< m

  Matrix3 inverse_mass(const Eigen::VectorXd& w) const {
    Matrix3 sum = Matrix3::Zero();
    for (std::size_t k = 0; k < 3; ++k)
      sum += w[triangle[k]] *
             (weights[k] * weights[k] * Matrix3::Identity() + height * height * slopes[k] * slopes[k].transpose());
    return sum;
  }
  /// Position of the carried point at the start `x`; `point` itself for a degenerate triangle.
  Vector3 position_at(const Points& x, const Vector3& point) const {
    const Vector3 a = x.row(triangle[0]), b = x.row(triangle[1]), c = x.row(triangle[2]);
    const Vector3 area = (b - a).cross(c - a);
    const double size = area.norm();
    if (!(size > 0.0)) return point;
    return weights[0] * a + weights[1] * b + weights[2] * c + height / size * area;
  }
  void push(const Vector3& impulse, const Eigen::VectorXd& w, Points& p) const {
    for (std::size_t k = 0; k < 3; ++k)
      p.row(triangle[k]) +=
          w[triangle[k]] * (weights[k] * impulse - height * slopes[k].dot(impulse) * normal).transpose();
  }
};

/// False if the triangle is degenerate or the point has left it: extrapolated weights would pull its corners apart.
bool carry(const std::array<int, 3>& triangle, const Points& p, const Vector3& point, Carried& carried) {
  const Vector3 a = p.row(triangle[0]), b = Vector3(p.row(triangle[1])) - a, c = Vector3(p.row(triangle[2])) - a;
  const Vector3 area = b.cross(c), from = point - a;
  const double squared = area.squaredNorm();
  if (!(squared > 0.0)) return false;
  carried.triangle = triangle;
  carried.normal = area / std::sqrt(squared);
  carried.slopes[1] = c.cross(area) / squared;
  carried.slopes[2] = area.cross(b) / squared;
  carried.slopes[0] = -carried.slopes[1] - carried.slopes[2];
  carried.weights[1] = carried.slopes[1].dot(from);
  carried.weights[2] = carried.slopes[2].dot(from);
  carried.weights[0] = 1.0 - carried.weights[1] - carried.weights[2];
  carried.height = carried.normal.dot(from);
  const double margin = 0.1;  // same as in the corner projection
  return carried.weights[0] >= -margin && carried.weights[1] >= -margin && carried.weights[2] >= -margin;
}

}  // namespace

void TriangleContacts::begin(std::span<const CornerContact> corners, std::span<const SelfContact> self) {
  corners_ = corners;
  self_ = self;
  corner_states_.assign(corners.size(), {});
  self_states_.assign(self.size(), {});
}

void TriangleContacts::project(RigidBodies& bodies, const Eigen::VectorXd& inverse_masses, const PbdOptions& options,
                               const Points& start, Points& p) {
  const bool has_friction = options.velocity_update == VelocityUpdate::Coulomb;
  Carried carried;
  for (std::size_t i = 0; i < corners_.size(); ++i) {
    const CornerContact& contact = corners_[i];
    State& state = corner_states_[i];
    state.pushed += bodies.project(contact, inverse_masses, options, p);
    const double friction = has_friction ? bodies.friction(contact.body) : 0.0;
    if (!(friction > 0.0) || !(state.pushed > 0.0)) continue;
    const Vector3 corner = bodies.point_of(contact.body, contact.corner);
    if (!carry(contact.triangle, p, corner, carried)) continue;
    const bool is_joint = bodies.is_joint(contact.body, options.reaction);
    Matrix3 inverse_mass = carried.inverse_mass(inverse_masses);
    if (is_joint) inverse_mass += bodies.inverse_mass_matrix(contact.body, corner);
    if (!(inverse_mass.trace() > 0.0)) continue;
    const Vector3 corner_start = corner - bodies.displacement_at(contact.body, corner);
    const Vector3 slip = carried.position_at(start, corner_start) - corner_start;
    const Vector3 change = change_friction(inverse_mass, carried.normal, slip, friction * state.pushed, state.held);
    carried.push(-change, inverse_masses, p);
    if (is_joint)
      bodies.push_at(contact.body, corner, change);
    else
      bodies.react_late(contact.body, corner, -change, options.reaction);
  }
  const double friction = has_friction ? options.self_friction : 0.0;
  for (std::size_t i = 0; i < self_.size(); ++i) {
    const SelfContact& contact = self_[i];
    const double pushed = deformbench::pbd::project(contact, options.thickness, inverse_masses, options.self_gradient,
                                                    options.mass_weighting, p);
    if (!(friction > 0.0)) continue;
    State& state = self_states_[i];
    state.pushed += pushed;
    if (!(state.pushed > 0.0)) continue;
    const Vector3 point = p.row(contact.vertex), point_start = start.row(contact.vertex);
    if (!carry(contact.triangle, p, point, carried)) continue;
    const double w = inverse_masses[contact.vertex];
    const Matrix3 inverse_mass = carried.inverse_mass(inverse_masses) + w * Matrix3::Identity();
    if (!(inverse_mass.trace() > 0.0)) continue;
    const Vector3 slip = carried.position_at(start, point_start) - point_start;
    const Vector3 change = change_friction(inverse_mass, carried.normal, slip, friction * state.pushed, state.held);
    p.row(contact.vertex) += w * change.transpose();
    carried.push(-change, inverse_masses, p);
  }
}

}  // namespace deformbench::pbd

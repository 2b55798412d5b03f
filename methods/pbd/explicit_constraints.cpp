// SPDX-License-Identifier: BSD-3-Clause
#include "methods/pbd/explicit_constraints.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/Geometry>

namespace deformbench::pbd {
namespace {

/// √(1 − d²) below which arccos d has no direction left: rounding of d alone (1e-16) changes it by as much.
constexpr double smallest_sine = 1e-7;

/// Kinds that a scene can state. `Evaluate` is double(const Vector3 (&x)[N], Vector3* gradients).
template <std::size_t N, class Evaluate>
class FixedConstraint final : public Constraint {
 public:
  FixedConstraint(const model::PositionConstraint& data, Evaluate kind) : rest_(data.rest_value), evaluate_(kind) {
    std::copy_n(data.vertices.begin(), N, vertices_.begin());
    stiffness = data.stiffness;
    compliance = data.compliance;
    is_inequality = data.is_inequality;
  }
  std::span<const int> vertices() const override { return vertices_; }
  double evaluate(const Points& positions, std::span<Vector3> gradients) const override {
    std::array<Vector3, N> x;
    for (std::size_t k = 0; k < N; ++k) x[k] = positions.row(vertices_[k]);
    return evaluate_(x, gradients) - rest_;
  }

 private:
  std::array<int, N> vertices_;
  double rest_;
  Evaluate evaluate_;
};

template <std::size_t N, class Evaluate>
std::unique_ptr<Constraint> fixed_constraint(const model::PositionConstraint& data, Evaluate evaluate) {
  return std::make_unique<FixedConstraint<N, Evaluate>>(data, evaluate);
}

using Corners = std::array<Vector3, 4>;

/// [MHHR07] eq. 9, 10.
double distance(const std::array<Vector3, 2>& x, std::span<Vector3> gradients) {
  const Vector3 along = x[1] - x[0];
  const double length = along.norm();
  gradients[1] = length > 0.0 ? Vector3(along / length) : Vector3::Zero();
  gradients[0] = -gradients[1];
  return length;
}

double signed_bend(const Corners& x, std::span<Vector3> gradients) {
  const auto g = dihedral_gradient(x[0], x[1], x[2], x[3]);
  std::copy(g.begin(), g.end(), gradients.begin());
  return model::dihedral_angle(x[0], x[1], x[2], x[3]);
}

double printed_bend(const Corners& x, std::span<Vector3> gradients) {
  std::array<Vector3, 4> g;
  const double angle = printed_dihedral_angle(x[0], x[1], x[2], x[3], g);
  std::copy(g.begin(), g.end(), gradients.begin());
  return angle;
}

/// det[x1 − x0, x2 − x0, x3 − x0] times `factor`.
double determinant(const Corners& x, double factor, std::span<Vector3> gradients) {
  const Vector3 a = x[1] - x[0], b = x[2] - x[0], d = x[3] - x[0];
  gradients[1] = factor * b.cross(d);
  gradients[2] = factor * d.cross(a);
  gradients[3] = factor * a.cross(b);
  gradients[0] = -(gradients[1] + gradients[2] + gradients[3]);
  return d.dot(gradients[3]);
}

/// [MHHR07] eq. 11 without h: height of x3 over the triangle, with the change of the normal (App. A).
double height(const Corners& x, std::span<Vector3> gradients) {
  const Vector3 a = x[1] - x[0], b = x[2] - x[0], d = x[3] - x[0];
  const Vector3 area_vector = a.cross(b);
  const double area = area_vector.norm();
  if (!(area > 0.0)) {
    std::fill_n(gradients.begin(), 4, Vector3::Zero());
    return 0.0;
  }
  const Vector3 normal = area_vector / area;
  const double value = normal.dot(d);
  const Vector3 in_plane = d - value * normal;
  gradients[1] = b.cross(in_plane) / area;
  gradients[2] = in_plane.cross(a) / area;
  gradients[3] = normal;
  gradients[0] = -(gradients[1] + gradients[2] + gradients[3]);
  return value;
}

class ClosedVolume final : public Constraint {
 public:
  ClosedVolume(const VolumeConstraint& volume, double target) : vertices_(volume.vertices), target_(target) {
    const int highest = vertices_.empty() ? -1 : *std::max_element(vertices_.begin(), vertices_.end());
    std::vector<int> local(static_cast<std::size_t>(highest + 1), -1);
    for (std::size_t k = 0; k < vertices_.size(); ++k) local[static_cast<std::size_t>(vertices_[k])] = static_cast<int>(k);
    triangles_.resize(volume.triangles.rows(), 3);
    for (Eigen::Index t = 0; t < triangles_.size(); ++t)
      triangles_.data()[t] = local[static_cast<std::size_t>(volume.triangles.data()[t])];
  }
  std::span<const int> vertices() const override { return vertices_; }
  double evaluate(const Points& positions, std::span<Vector3> gradients) const override {
    // The sum does not depend on the origin of a closed surface; one near the surface keeps it exact far from 0.
    const Vector3 origin = positions.row(vertices_.front());
    std::fill(gradients.begin(), gradients.end(), Vector3::Zero());
    double sum = 0.0;
    for (Eigen::Index t = 0; t < triangles_.rows(); ++t) {
      const auto corner = [&](int k) { return static_cast<std::size_t>(triangles_(t, k)); };
      const auto at = [&](int k) -> Vector3 { return positions.row(vertices_[corner(k)]).transpose() - origin; };
      const Vector3 a = at(0), b = at(1), c = at(2);
      const Vector3 ab = a.cross(b);
      sum += ab.dot(c);
      gradients[corner(0)] += b.cross(c);
      gradients[corner(1)] += c.cross(a);
      gradients[corner(2)] += ab;
    }
    return sum - target_;
  }

 private:
  std::vector<int> vertices_;
  Triangles triangles_;   ///< indices into vertices_
  double target_;         ///< m³, six times a volume
};

}  // namespace

std::array<Vector3, 4> dihedral_gradient(const Vector3& a, const Vector3& b, const Vector3& c, const Vector3& d) {
  const Vector3 edge = b - a;
  const Vector3 n1 = (c - a).cross(edge), n2 = edge.cross(d - a);
  const double length2 = edge.squaredNorm(), square1 = n1.squaredNorm(), square2 = n2.squaredNorm();
  std::array<Vector3, 4> g;
  g.fill(Vector3::Zero());
  if (!(square1 > 0.0) || !(square2 > 0.0)) return g;
  const double length = std::sqrt(length2);
  g[2] = n1 * (length / square1);
  g[3] = n2 * (length / square2);
  // Feet of c and d on the edge share their gradients between its ends: no net force, no net torque.
  const double foot1 = edge.dot(c - a) / length2, foot2 = edge.dot(d - a) / length2;
  g[1] = -foot1 * g[2] - foot2 * g[3];
  g[0] = -(g[1] + g[2] + g[3]);
  return g;
}

double printed_dihedral_angle(const Vector3& p1, const Vector3& p2, const Vector3& p3, const Vector3& p4,
                              std::array<Vector3, 4>& gradients) {
  gradients.fill(Vector3::Zero());
  const Vector3 x2 = p2 - p1, x3 = p3 - p1, x4 = p4 - p1;
  const double area1 = x2.cross(x3).norm(), area2 = x2.cross(x4).norm();
  if (!(area1 > 0.0) || !(area2 > 0.0)) return std::numbers::pi;
  const Vector3 n1 = x2.cross(x3) / area1, n2 = x2.cross(x4) / area2;
  const double d = std::clamp(n1.dot(n2), -1.0, 1.0);
  const double angle = std::acos(d);
  const double sine = std::sqrt(1.0 - d * d);
  if (sine < smallest_sine) return angle;
  const Vector3 q3 = (x2.cross(n2) + n1.cross(x2) * d) / area1;
  const Vector3 q4 = (x2.cross(n1) + n2.cross(x2) * d) / area2;
  const Vector3 q2 = -(x3.cross(n2) + n1.cross(x3) * d) / area1 - (x4.cross(n1) + n2.cross(x4) * d) / area2;
  // d arccos = −∂d/√(1 − d²), and ∂d/∂p_i = −q_i.
  gradients[1] = q2 / sine;
  gradients[2] = q3 / sine;
  gradients[3] = q4 / sine;
  gradients[0] = -(gradients[1] + gradients[2] + gradients[3]);
  return angle;
}

std::unique_ptr<Constraint> make_constraint(const model::PositionConstraint& constraint, BendAngle angle) {
  using model::ConstraintKind;
  switch (constraint.kind) {
    case ConstraintKind::Distance: return fixed_constraint<2>(constraint, distance);
    case ConstraintKind::Bend: {
      if (angle == BendAngle::Signed) return fixed_constraint<4>(constraint, signed_bend);
      model::PositionConstraint printed = constraint;
      printed.rest_value = std::numbers::pi - std::abs(constraint.rest_value);
      return fixed_constraint<4>(printed, printed_bend);
    }
    case ConstraintKind::TetraVolume:
      return fixed_constraint<4>(constraint, [](const Corners& x, std::span<Vector3> g) { return determinant(x, 1.0 / 6.0, g); });
    case ConstraintKind::TrianglePoint: return fixed_constraint<4>(constraint, height);
    case ConstraintKind::TrianglePointScaled:
      return fixed_constraint<4>(constraint, [](const Corners& x, std::span<Vector3> g) { return determinant(x, 1.0, g); });
  }
  return nullptr;
}

std::unique_ptr<Constraint> make_volume_constraint(const VolumeConstraint& volume, double pressure,
                                                   PressureVolume pressure_volume) {
  const double rest = pressure_volume == PressureVolume::SameSum ? volume.rest_sum : volume.rest_sum / 6.0;
  return std::make_unique<ClosedVolume>(volume, pressure * rest);
}

}  // namespace deformbench::pbd

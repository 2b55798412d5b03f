// SPDX-License-Identifier: BSD-3-Clause
#include "methods/pbd/explicit_constraints.hpp"

#include <algorithm>
#include <array>

#include <Eigen/Geometry>

#include "methods/pbd/sweeps/scalar_constraints.hpp"

namespace deformbench::pbd {
namespace {

/// Constraints stated by a scene. `Evaluate` is double(x, rest value, gradients).
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
    return evaluate_(x, rest_, gradients);
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

/// Reuses the evaluation of mesh constraints.
template <std::size_t N>
double take(const Evaluated<int(N)>& evaluated, std::span<Vector3> gradients) {
  std::copy(evaluated.gradients.begin(), evaluated.gradients.end(), gradients.begin());
  return evaluated.value;
}

/// det[x1 − x0, x2 − x0, x3 − x0] times `factor`.
double determinant(const Corners& x, double rest, double factor, std::span<Vector3> gradients) {
  const Vector3 a = x[1] - x[0], b = x[2] - x[0], d = x[3] - x[0];
  gradients[1] = factor * b.cross(d);
  gradients[2] = factor * d.cross(a);
  gradients[3] = factor * a.cross(b);
  gradients[0] = -(gradients[1] + gradients[2] + gradients[3]);
  return d.dot(gradients[3]) - rest;
}

/// [MHHR07] eq. 11 without h: height of x3 above the triangle, including the change of the normal (App. A).
double height(const Corners& x, double rest, std::span<Vector3> gradients) {
  const Vector3 a = x[1] - x[0], b = x[2] - x[0], d = x[3] - x[0];
  const Vector3 area_vector = a.cross(b);
  const double area = area_vector.norm();
  if (!(area > 0.0)) {
    std::fill_n(gradients.begin(), 4, Vector3::Zero());
    return -rest;  // degenerate triangle
  }
  const Vector3 normal = area_vector / area;
  const double value = normal.dot(d);
  const Vector3 in_plane = d - value * normal;
  gradients[1] = b.cross(in_plane) / area;
  gradients[2] = in_plane.cross(a) / area;
  gradients[3] = normal;
  gradients[0] = -(gradients[1] + gradients[2] + gradients[3]);
  return value - rest;
}

class ClosedVolume final : public Constraint {
 public:
  ClosedVolume(const VolumeConstraint& volume, double target) : vertices_(volume.vertices), target_(target) {
    const int highest = vertices_.empty() ? -1 : *std::max_element(vertices_.begin(), vertices_.end());
    std::vector<int> local(std::size_t(highest + 1), -1);
    for (std::size_t k = 0; k < vertices_.size(); ++k) local[std::size_t(vertices_[k])] = int(k);
    triangles_.resize(volume.triangles.rows(), 3);
    for (Eigen::Index t = 0; t < triangles_.size(); ++t)
      triangles_.data()[t] = local[std::size_t(volume.triangles.data()[t])];
  }
  std::span<const int> vertices() const override { return vertices_; }
  double evaluate(const Points& positions, std::span<Vector3> gradients) const override {
    // For a closed surface the sum is independent of the origin; a nearby origin avoids cancellation.
    const Vector3 origin = positions.row(vertices_.front());
    std::fill(gradients.begin(), gradients.end(), Vector3::Zero());
    double sum = 0.0;
    for (Eigen::Index t = 0; t < triangles_.rows(); ++t) {
      const auto corner = [&](int k) { return std::size_t(triangles_(t, k)); };
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
  Triangles triangles_;  ///< indices into vertices_
  double target_;        ///< m³, six times the target volume
};

}  // namespace

std::unique_ptr<Constraint> make_constraint(const model::PositionConstraint& constraint, BendAngle angle) {
  using model::ConstraintKind;
  using Gradients = std::span<Vector3>;
  switch (constraint.kind) {
    case ConstraintKind::Distance:
      return fixed_constraint<2>(constraint, [](const std::array<Vector3, 2>& x, double rest, Gradients g) {
        return take<2>(evaluate_stretch(x, rest), g);
      });
    case ConstraintKind::Bend:
      return fixed_constraint<4>(constraint, [angle](const Corners& x, double rest, Gradients g) {
        return take<4>(evaluate_bend(angle, x, rest), g);
      });
    case ConstraintKind::TetraVolume:
      return fixed_constraint<4>(
          constraint, [](const Corners& x, double rest, Gradients g) { return determinant(x, rest, 1.0 / 6.0, g); });
    case ConstraintKind::TrianglePoint:
      return fixed_constraint<4>(constraint, height);
    case ConstraintKind::TrianglePointScaled:
      return fixed_constraint<4>(
          constraint, [](const Corners& x, double rest, Gradients g) { return determinant(x, rest, 1.0, g); });
  }
  return nullptr;
}

std::unique_ptr<Constraint> make_volume_constraint(const VolumeConstraint& volume, double pressure,
                                                   PressureVolume pressure_volume) {
  const double rest = pressure_volume == PressureVolume::SameSum ? volume.rest_sum : volume.rest_sum / 6.0;
  return std::make_unique<ClosedVolume>(volume, pressure * rest);
}

}  // namespace deformbench::pbd

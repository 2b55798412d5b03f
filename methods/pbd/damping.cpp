// SPDX-License-Identifier: BSD-3-Clause
#include "methods/pbd/damping.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

#include "methods/model/disjoint_sets.hpp"

namespace deformbench::pbd {
namespace {

/// Principal inertia, relative to the largest, below which an axis counts as massless; rounding of r × m v leaves about
/// 1e-16 of the largest there.
constexpr double kSmallestInertia = 1e-12;

Vector3 pseudo_solve(const Matrix3& inertia, const Vector3& angular_momentum) {
  const Eigen::SelfAdjointEigenSolver<Matrix3> axes(inertia);
  const double largest = axes.eigenvalues()[2];
  Vector3 omega = Vector3::Zero();
  for (int k = 0; k < 3; ++k) {
    const double principal = axes.eigenvalues()[k];
    const Vector3 axis = axes.eigenvectors().col(k);
    if (principal > kSmallestInertia * largest && principal > 0.0)
      omega += axis * (axis.dot(angular_momentum) / principal);
  }
  return omega;
}

}  // namespace

void damp_velocities(const std::vector<int>& vertices, const Points& positions, const Eigen::VectorXd& masses,
                     double damping, Points& velocities) {
  double mass = 0.0;
  Vector3 centre = Vector3::Zero(), momentum = Vector3::Zero();
  for (const int i : vertices) {
    mass += masses[i];
    centre += masses[i] * positions.row(i).transpose();
    momentum += masses[i] * velocities.row(i).transpose();
  }
  if (!(mass > 0.0)) return;
  centre /= mass;
  const Vector3 mean = momentum / mass;
  Vector3 angular_momentum = Vector3::Zero();
  Matrix3 inertia = Matrix3::Zero();
  for (const int i : vertices) {
    const Vector3 r = positions.row(i).transpose() - centre;
    const Vector3 v = velocities.row(i).transpose() - mean;  // Σ m r = 0, so the mean would add only rounding
    angular_momentum += masses[i] * r.cross(v);
    inertia += masses[i] * (r.squaredNorm() * Matrix3::Identity() - r * r.transpose());  // r̃ r̃ᵀ
  }
  const Vector3 omega = pseudo_solve(inertia, angular_momentum);
  for (const int i : vertices) {
    const Vector3 r = positions.row(i).transpose() - centre;
    const Vector3 rigid = mean + omega.cross(r);
    velocities.row(i) += damping * (rigid.transpose() - velocities.row(i));
  }
}

std::vector<std::vector<int>> free_components(const Triangles& triangles, const std::vector<bool>& is_free) {
  model::DisjointSets sets(is_free.size());
  for (Eigen::Index t = 0; t < triangles.rows(); ++t)
    for (int k = 1; k < 3; ++k) sets.unite(triangles(t, 0), triangles(t, k));
  std::vector<std::vector<int>> components;
  std::vector<int> index(is_free.size(), -1);
  for (std::size_t i = 0; i < is_free.size(); ++i) {
    if (!is_free[i]) continue;
    int& component = index[std::size_t(sets.root(int(i)))];
    if (component < 0) {
      component = int(components.size());
      components.emplace_back();
    }
    components[std::size_t(component)].push_back(int(i));
  }
  return components;
}

}  // namespace deformbench::pbd

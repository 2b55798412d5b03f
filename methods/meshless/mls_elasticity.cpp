// SPDX-License-Identifier: BSD-3-Clause
#include "methods/meshless/mls_elasticity.hpp"

#include <Eigen/Dense>
#include <cmath>
#include <limits>

#include "methods/numerics/random.hpp"

namespace deformbench::meshless {
namespace {

/// ∂ det F / ∂F
Matrix3 cofactor(const Matrix3& f) {
  Matrix3 result;
  for (int c = 0; c < 3; ++c) result.col(c) = f.col((c + 1) % 3).cross(f.col((c + 2) % 3));
  return result;
}

}  // namespace

Matrix3 MlsElasticity::displacement_gradient(Eigen::Index node, const Eigen::Ref<const Points>& u) const {
  const Vector3 own = u.row(node);
  Matrix3 gradient = Matrix3::Zero();
  for (std::size_t p = cloud_.first[std::size_t(node)]; p < cloud_.first[std::size_t(node) + 1]; ++p)
    gradient += (Vector3(u.row(cloud_.neighbours[p])) - own) * cloud_.gradients[p].transpose();
  return gradient;
}

Matrix3 MlsElasticity::deformation_gradient(Eigen::Index node, const Eigen::Ref<const Points>& x) const {
  const Vector3 own = x.row(node) - cloud_.rest.row(node);
  Matrix3 f = Matrix3::Zero();
  for (std::size_t p = cloud_.first[std::size_t(node)]; p < cloud_.first[std::size_t(node) + 1]; ++p) {
    const int j = cloud_.neighbours[p];
    f += (Vector3(x.row(j) - cloud_.rest.row(j)) - own) * cloud_.gradients[p].transpose();
  }
  return cloud_.projections[std::size_t(node)] + f;
}

Matrix3 MlsElasticity::strain_of(Eigen::Index node, const Matrix3& f) const {
  return strain_factor() * (f.transpose() * f - cloud_.projections[std::size_t(node)]);
}

Matrix3 MlsElasticity::stress_of(Eigen::Index node, const Matrix3& strain) const {
  const model::Material& material = cloud_.materials[std::size_t(node)];
  return 2 * material.lame_mu() * strain + material.lame_lambda() * strain.trace() * Matrix3::Identity();
}

Matrix3 MlsElasticity::strain(Eigen::Index node, const Eigen::Ref<const Points>& x) const {
  return strain_of(node, deformation_gradient(node, x));
}

Matrix3 MlsElasticity::stress(Eigen::Index node, const Eigen::Ref<const Points>& x) const {
  return stress_of(node, strain(node, x));
}

bool MlsElasticity::has_volume_term(Eigen::Index node) const {
  return options_.volume_stiffness > 0.0 && cloud_.ranks[std::size_t(node)] == 3;
}

double MlsElasticity::energy(const Eigen::Ref<const Points>& x) const {
  const Points u = x - cloud_.rest;
  double sum = 0.0;
  for (Eigen::Index i = 0; i < cloud_.size(); ++i) {
    const Matrix3 f = cloud_.projections[std::size_t(i)] + displacement_gradient(i, u);
    const Matrix3 strain = strain_of(i, f);
    double density = 0.5 * strain.cwiseProduct(stress_of(i, strain)).sum();
    if (has_volume_term(i)) {
      const double change = f.determinant() - 1.0;
      density += 0.5 * options_.volume_stiffness * change * change;
    }
    sum += cloud_.volumes[std::size_t(i)] * density;
  }
  return sum;
}

void MlsElasticity::scatter(Eigen::Index node, const Matrix3& q, Points& forces) const {
  for (std::size_t p = cloud_.first[std::size_t(node)]; p < cloud_.first[std::size_t(node) + 1]; ++p)
    forces.row(cloud_.neighbours[p]) -= (q * cloud_.gradients[p]).transpose();
  forces.row(node) += (q * cloud_.gradient_sums[std::size_t(node)]).transpose();
}

Points MlsElasticity::forces(const Eigen::Ref<const Points>& x) const {
  const Points u = x - cloud_.rest;
  Points result = Points::Zero(cloud_.size(), 3);
  for (Eigen::Index i = 0; i < cloud_.size(); ++i) {
    const Matrix3 f = cloud_.projections[std::size_t(i)] + displacement_gradient(i, u);
    const Matrix3 strain = strain_of(i, f);
    Matrix3 q = 2 * strain_factor() * f * stress_of(i, strain);
    if (has_volume_term(i)) q += options_.volume_stiffness * (f.determinant() - 1.0) * cofactor(f);
    scatter(i, cloud_.volumes[std::size_t(i)] * q, result);
  }
  return result;
}

Points MlsElasticity::stiffness_times(const Eigen::Ref<const Points>& u) const {
  Points result = Points::Zero(cloud_.size(), 3);
  for (Eigen::Index i = 0; i < cloud_.size(); ++i) {
    const Matrix3& rest = cloud_.projections[std::size_t(i)];
    const Matrix3 change = rest * displacement_gradient(i, u);
    Matrix3 q = 2 * strain_factor() * rest * stress_of(i, strain_factor() * (change + change.transpose()));
    if (has_volume_term(i)) q += options_.volume_stiffness * change.trace() * Matrix3::Identity();
    scatter(i, -cloud_.volumes[std::size_t(i)] * q, result);
  }
  return result;
}

double stable_time_step(const MlsElasticity& elasticity, const NodeCloud& cloud, const Points& is_held) {
  // Symmetric in w = M^½ u: the quotient wᵀ M^-½ K M^-½ w / wᵀw then rises to ω² with the square of the angle.
  const Eigen::VectorXd root =
      Eigen::Map<const Eigen::VectorXd>(cloud.masses.data(), cloud.size()).cwiseSqrt().cwiseInverse();
  const Points is_free = Points::Ones(cloud.size(), 3) - is_held;
  constexpr int kMostIterations = 10000;
  constexpr double kTolerance = 1e-6;
  numerics::RandomStream random(1);
  Points w(cloud.size(), 3);
  for (Eigen::Index k = 0; k < w.size(); ++k) w.data()[k] = random.uniform(-0.5, 0.5);
  double squared = 0.0;
  for (int iteration = 0; iteration < kMostIterations; ++iteration) {
    w.array() *= is_free.array();
    if (w.norm() > 0.0) w /= w.norm();
    Points next = root.asDiagonal() * elasticity.stiffness_times(root.asDiagonal() * w);
    const double quotient = w.cwiseProduct(next).sum(), change = quotient - squared;
    squared = quotient;
    w = std::move(next);
    if (!(squared > 0.0)) return std::numeric_limits<double>::infinity();
    if (std::abs(change) < 1e-2 * kTolerance * squared) break;  // the rest of a slow geometric series is larger
  }
  return 2.0 / std::sqrt(squared);
}

}  // namespace deformbench::meshless

// SPDX-License-Identifier: BSD-3-Clause
#include "methods/meshless/contact/carried_forces.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace deformbench::meshless {

void set_displacement_gradients(const NodeCloud& cloud, const Eigen::Ref<const Points>& u, std::span<const int> nodes,
                                std::vector<Matrix3>& gradients) {
  for (const int j : nodes) {
    const auto node = std::size_t(j);
    Matrix3 sum = Matrix3::Zero();
    for (std::size_t k = cloud.first[node]; k < cloud.first[node + 1]; ++k)
      sum += (u.row(cloud.neighbours[k]) - u.row(j)).transpose() * cloud.gradients[k].transpose();
    gradients[node] = sum;
  }
}

Matrix3 carried_gradient(const SurfelMotion& motion, std::size_t surfel, std::span<const Matrix3> gradients) {
  const auto nodes = motion.nodes_of(surfel);
  const auto weights = motion.weights_of(surfel);
  Matrix3 f = Matrix3::Identity();
  for (std::size_t k = 0; k < nodes.size(); ++k) f += weights[k] * gradients[std::size_t(nodes[k])];
  return f;
}

Vector3 material_point(const Vector3& rest, const Vector3& now, const Matrix3& f, const Vector3& place) {
  constexpr double kLeastDeterminant = 1e-6;
  if (!(std::abs(f.determinant()) > kLeastDeterminant)) return rest;
  return rest + f.inverse() * (place - now);
}

CarriedForces::CarriedForces(const NodeCloud& cloud, const SurfelMotion& motion)
    : cloud_(cloud),
      motion_(motion),
      pushes_(Points::Zero(cloud.size(), 3)),
      moments_(std::size_t(cloud.size()), Matrix3::Zero()),
      is_touched_(std::size_t(cloud.size()), 0) {}

void CarriedForces::add(std::size_t surfel, const Vector3& material, const Vector3& force) {
  const auto nodes = motion_.nodes_of(surfel);
  const auto weights = motion_.weights_of(surfel);
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    if (!(weights[k] > 0.0)) continue;
    const auto j = std::size_t(nodes[k]);
    if (is_touched_[j] == 0) {
      is_touched_[j] = 1;
      touched_.push_back(nodes[k]);
    }
    const Vector3 from = material - cloud_.rest.row(nodes[k]).transpose();
    pushes_.row(nodes[k]) += weights[k] * force.transpose();
    moments_[j] += (weights[k] * force) * from.transpose();
  }
}

void CarriedForces::move_to(Points& forces) {
  std::sort(touched_.begin(), touched_.end());
  for (const int node : touched_) {
    const auto j = std::size_t(node);
    Vector3 own = pushes_.row(node);
    for (std::size_t k = cloud_.first[j]; k < cloud_.first[j + 1]; ++k) {
      const Vector3 share = moments_[j] * cloud_.gradients[k];
      forces.row(cloud_.neighbours[k]) += share.transpose();
      own -= share;
    }
    forces.row(node) += own.transpose();
    pushes_.row(node).setZero();
    moments_[j].setZero();
    is_touched_[j] = 0;
  }
  touched_.clear();
}

Eigen::SparseMatrix<double, Eigen::RowMajor> carrying_shares(const NodeCloud& cloud, const SurfelMotion& motion) {
  Eigen::SparseMatrix<double, Eigen::RowMajor> shares(Eigen::Index(motion.surfels().size()), cloud.size());
  std::vector<double> row(std::size_t(cloud.size()), 0.0);
  std::vector<int> columns;
  const auto add = [&](int column, double value) {
    columns.push_back(column);
    row[std::size_t(column)] += value;
  };
  for (std::size_t s = 0; s < motion.surfels().size(); ++s) {
    const auto nodes = motion.nodes_of(s);
    const auto weights = motion.weights_of(s);
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      if (!(weights[n] > 0.0)) continue;
      const auto j = std::size_t(nodes[n]);
      const Vector3 from = motion.surfels()[s].position - cloud.rest.row(nodes[n]).transpose();
      double own = weights[n];
      for (std::size_t k = cloud.first[j]; k < cloud.first[j + 1]; ++k) {
        const double share = weights[n] * cloud.gradients[k].dot(from);
        add(cloud.neighbours[k], share);
        own -= share;
      }
      add(nodes[n], own);
    }
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    shares.startVec(Eigen::Index(s));
    for (const int column : columns) {
      shares.insertBack(Eigen::Index(s), column) = row[std::size_t(column)];
      row[std::size_t(column)] = 0.0;
    }
    columns.clear();
  }
  shares.finalize();
  return shares;
}

}  // namespace deformbench::meshless

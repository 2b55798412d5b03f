// SPDX-License-Identifier: BSD-3-Clause
#include "methods/meshless/nodes/strain_plasticity.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "methods/numerics/symmetric_eigen.hpp"

namespace deformbench::meshless {
namespace {

constexpr double kLeastStretchOfFlow = 1e-3;  // limit of elastic stretch, and of its inverse, for flow

}  // namespace

// [OBH02] §3
Matrix3 flowed(const Matrix3& strain, const Matrix3& plastic, const PlasticityOptions& options) {
  const Matrix3 elastic = strain - plastic;
  const Matrix3 deviator = elastic - elastic.trace() / 3.0 * Matrix3::Identity();
  const double norm = deviator.norm();
  if (!(norm > options.yield)) return plastic;
  const Matrix3 flow = plastic + (norm - options.yield) / norm * deviator;
  const double size = flow.norm();
  return size > options.cap ? Matrix3(options.cap / size * flow) : flow;
}

PlasticStretch flowed(const Matrix3& gradient, const PlasticStretch& plastic, const PlasticityOptions& options) {
  const double room = options.cap - plastic.flowed;
  if (!(room > 0.0)) return plastic;
  const numerics::SymmetricEigen3 elastic =
      numerics::symmetric_eigen(gradient * plastic.metric.inverse() * gradient.transpose());
  const double least = kLeastStretchOfFlow * kLeastStretchOfFlow;
  if (!(elastic.values[0] > least && elastic.values[2] < 1.0 / least)) return plastic;
  const Vector3 strain = 0.5 * elastic.values.array().log();
  const Vector3 deviator = strain.array() - strain.mean();
  const double norm = deviator.norm();
  if (!(norm > options.yield)) return plastic;
  const double amount = std::min(norm - options.yield, room);
  const Vector3 inverse = (-2.0 * (strain - amount / norm * deviator).array()).exp();
  const Matrix3 metric =
      gradient.transpose() * elastic.vectors * inverse.asDiagonal() * elastic.vectors.transpose() * gradient;
  return {0.5 * (metric + metric.transpose()), plastic.flowed + amount, plastic.since_base + amount};
}

Matrix3 metric_power(const Matrix3& metric, double power) {
  const numerics::SymmetricEigen3 eigen = numerics::symmetric_eigen(metric);
  return eigen.vectors * eigen.values.array().pow(power).matrix().asDiagonal() * eigen.vectors.transpose();
}

}  // namespace deformbench::meshless

// SPDX-License-Identifier: BSD-3-Clause
#include "methods/meshless/cracks/crack_stress.hpp"

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "methods/meshless/nodes/kernels.hpp"
#include "methods/numerics/random.hpp"

namespace deformbench::meshless {

Matrix3 given_stress(const GivenStress& given, const Vector3& x, double time) {
  double angle = given.gradient.dot(x);
  if (given.half_angle != 0.0) angle += x.dot(given.halves) > 0.0 ? given.half_angle : -given.half_angle;
  if (time >= given.switch_time) angle += given.switch_angle;
  if (angle == 0.0) return given.stress;
  const Matrix3 turn = Eigen::AngleAxisd(angle, given.axis).toRotationMatrix();
  return turn * given.stress * turn.transpose();
}

WanderingStress::WanderingStress(double tension, double length, std::uint64_t seed) : tension_(tension) {
  numerics::RandomStream random(seed, 17);
  mean_ = random.direction();
  for (Wave& wave : waves_)
    wave = {0.5 * random.direction(), 2.0 / length * random.direction(), random.uniform(0.0, 2.0 * std::numbers::pi)};
}

Matrix3 WanderingStress::stress(const Vector3& x) const {
  Vector3 v = mean_;
  for (const Wave& wave : waves_) v += wave.amplitude * std::sin(wave.number.dot(x) + wave.phase);
  if (v.norm() < 1e-6) v = mean_;
  v.normalize();
  return tension_ * v * v.transpose();
}

void NodalStress::set(const MlsElasticity& elasticity, const Eigen::Ref<const Points>& x) {
  stresses_.resize(std::size_t(x.rows()));
  for (Eigen::Index i = 0; i < x.rows(); ++i) stresses_[std::size_t(i)] = elasticity.stress(i, x);
}

Matrix3 NodalStress::at(const Vector3& x) const {
  Matrix3 sum = Matrix3::Zero();
  double total = 0.0;
  const NeighbourGraph& graph = weights_.graph();
  for (const int node : graph.nodes_around(x)) {
    const double weight =
        graph.rule().weight(weights_.cracks(), cloud_.rest.row(node), cloud_.supports[std::size_t(node)], x);
    total += weight;
    if (weight > 0.0) sum += weight * stresses_[std::size_t(node)];
  }
  return total > 0.0 ? Matrix3(sum / total) : Matrix3::Zero();
}

Matrix3 NodalStress::nearest(const Vector3& x) const {
  const NeighbourGraph& graph = weights_.graph();
  int best = -1;
  double least = std::numeric_limits<double>::infinity();
  for (const int node : graph.nodes_around(x)) {
    const Vector3 at = cloud_.rest.row(node);
    const double distance = (x - at).norm();
    if (distance >= least) continue;
    if (!(graph.rule().weight(weights_.cracks(), at, cloud_.supports[std::size_t(node)], x) > 0.0)) continue;
    least = distance;
    best = node;
  }
  return best >= 0 ? stresses_[std::size_t(best)] : Matrix3::Zero();
}

}  // namespace deformbench::meshless

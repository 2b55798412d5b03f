// SPDX-License-Identifier: BSD-3-Clause
#include "methods/peers/bullet/bullet_world.hpp"

namespace deformbench::bullet {

BulletBody::BulletBody(const Scene& scene, int substeps)
    : scene_(scene),
      masses_(lumped_masses(scene)),
      substeps_(substeps),
      positions_(scene.start_positions()),
      velocities_(scene.start_velocities()) {}

btSoftBody* BulletBody::make_nodes(btSoftBodyWorldInfo& world) const {
  const Points& rest = scene_.rest_positions();
  std::vector<btVector3> points(std::size_t(rest.rows()));
  std::vector<btScalar> masses(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    points[i] = to_bullet(rest, Eigen::Index(i));
    masses[i] = masses_[Eigen::Index(i)];
  }
  for (const auto& motion : scene_.prescribed)
    for (const int v : motion.vertices) masses[std::size_t(v)] = 0.0;
  return new btSoftBody(&world, int(points.size()), points.data(), masses.data());
}

void BulletBody::start(btSoftBody& body) {
  body_ = &body;
  body.setActivationState(DISABLE_DEACTIVATION);  // a slow body would be frozen
  for (int i = 0; i < body.m_nodes.size(); ++i) {
    btSoftBody::Node& node = body.m_nodes[i];
    node.m_x = node.m_q = to_bullet(positions_, i);
    node.m_v = node.m_vn = to_bullet(velocities_, i);
  }
}

StepReport BulletBody::step() {
  StepReport report;
  report.substeps = substeps_;
  const double seconds = scene_.time_step / substeps_, start = time_;
  Scene const& scene = scene_;
  const Eigen::VectorXd without_gravity = Eigen::VectorXd::Zero(masses_.size());
  for (int k = 1; k <= substeps_; ++k) {
    time_ = k == substeps_ ? start + scene.time_step : start + k * seconds;
    const Points loads = external_forces(scene, without_gravity, time_);
    // Bullet replaces NaN by zero, and would continue as if there were no load.
    if (!loads.allFinite()) report.outcome = StepOutcome::Diverged;
    prescribe_velocities(time_, seconds);
    advance(k - 1, seconds, loads, report);
  }
  read_state();
  if (!positions_.allFinite() || !velocities_.allFinite()) report.outcome = StepOutcome::Diverged;
  return report;
}

/// A node without mass keeps its velocity.
void BulletBody::prescribe_velocities(double time, double seconds) {
  for (const auto& motion : scene_.prescribed)
    for (std::size_t k = 0; k < motion.vertices.size(); ++k) {
      const int v = motion.vertices[k];
      const Vector3 target = motion.position_at(k, scene_.rest_positions().row(v), time);
      btSoftBody::Node& node = body_->m_nodes[v];
      node.m_v = node.m_vn = (btVector3(target.x(), target.y(), target.z()) - node.m_x) / seconds;
    }
}

void BulletBody::read_state() {
  for (int i = 0; i < body_->m_nodes.size(); ++i)
    for (int c = 0; c < 3; ++c) {
      positions_(i, c) = body_->m_nodes[i].m_x[c];
      velocities_(i, c) = body_->m_nodes[i].m_v[c];
    }
}

StateView BulletBody::state() const {
  return {time_, PointsView(positions_.data(), positions_.rows(), 3),
          PointsView(velocities_.data(), velocities_.rows(), 3), ScalarsView(masses_.data(), masses_.size())};
}

}  // namespace deformbench::bullet

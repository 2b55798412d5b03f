// SPDX-License-Identifier: BSD-3-Clause
#include "methods/cloth/cloth_simulation.hpp"

namespace deformbench::cloth {
namespace {

const Scene& checked(const Scene& scene) {
  check_scene(scene);
  return scene;
}

/// 1/m, 0 of a vertex that is held.
Eigen::VectorXd inverse_masses_of(const Scene& scene, const Eigen::VectorXd& masses) {
  Eigen::VectorXd inverse = masses.cwiseInverse();
  for (const model::PrescribedMotion& motion : scene.prescribed)
    for (const int vertex : motion.vertices) inverse[vertex] = 0.0;
  return inverse;
}

}  // namespace

ClothSimulation::ClothSimulation(const Scene& scene, const ClothOptions& options, const RunContext&)
    : scene_(checked(scene)),
      options_(options),
      forces_(scene, options),
      plastic_springs_(forces_.springs(), options.plasticity),
      masses_(lumped_masses(scene)),
      is_free_(Points::Ones(scene.vertex_count(), 3)),
      strain_limits_(options.strain_limits, inverse_masses_of(scene_, masses_)),
      positions_(scene.start_positions()),
      velocities_(scene.start_velocities()) {
  const auto prescribed = prescribed_components(scene_);
  for (std::size_t i = 0; i < prescribed.size(); ++i)
    for (int c = 0; c < 3; ++c)
      if (prescribed[i][std::size_t(c)]) is_free_(Eigen::Index(i), c) = 0.0;
}

StateView ClothSimulation::state() const {
  return {time_, PointsView(positions_.data(), positions_.rows(), 3),
          PointsView(velocities_.data(), velocities_.rows(), 3), ScalarsView(masses_.data(), masses_.size())};
}

Points ClothSimulation::elastic_forces(const Eigen::Ref<const Points>& positions) const {
  Points forces = Points::Zero(positions.rows(), 3);
  forces_.add_elastic(positions, forces);
  return forces;
}

void ClothSimulation::substep(double h, double end_time) {
  // Symplectic Euler: v⁺ = v + h a(x), x⁺ = x + h v⁺.
  Points forces = external_forces(scene_, masses_, end_time - h);
  forces_.add_elastic(positions_, forces);
  velocities_ = (velocities_ + h * masses_.cwiseInverse().asDiagonal() * forces) / (1.0 + options_.mass_damping * h);
  Points end = positions_;
  place_prescribed(scene_, end_time, end);
  const Points held = Points::Ones(end.rows(), 3) - is_free_;
  velocities_ = velocities_.cwiseProduct(is_free_) + held.cwiseProduct(end - positions_) / h;
  positions_ += h * velocities_;
  place_prescribed(scene_, end_time, positions_);
  if (options_.strain_limits.is_on()) strain_limits_.limit(forces_.springs(), h, positions_, velocities_);
  if (options_.plasticity.changes_anything()) plastic_springs_.advance(positions_, h, forces_.springs());
}

StepReport ClothSimulation::step() {
  const double start = time_, h = scene_.time_step / options_.substeps;
  for (int s = 1; s <= options_.substeps; ++s) substep(h, start + s * h);
  time_ = start + scene_.time_step;
  StepReport report;
  report.substeps = options_.substeps;
  if (!positions_.allFinite() || !velocities_.allFinite()) report.outcome = StepOutcome::Diverged;
  return report;
}

}  // namespace deformbench::cloth

// SPDX-License-Identifier: BSD-3-Clause
#include "methods/cloth/cloth_simulation.hpp"

namespace deformbench::cloth {
namespace {

const Scene& checked(const Scene& scene) {
  check_scene(scene);
  return scene;
}

}  // namespace

ClothSimulation::ClothSimulation(const Scene& scene, const ClothOptions& options, const RunContext&)
    : scene_(checked(scene)),
      options_(options),
      forces_(scene, options),
      masses_(lumped_masses(scene)),
      is_free_(Points::Ones(scene.vertex_count(), 3)),
      positions_(scene.start_positions()),
      velocities_(scene.start_velocities()),
      collisions_(masses_, scene.cloth.triangles, options.collisions) {
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

ContactFacet::Contacts ClothSimulation::step_contacts() const {
  return {.with_itself = collision_totals_.counts.first_contacts};
}

std::vector<std::string> ClothSimulation::array_names() const {
  return collision_totals_.array_names();
}

MethodArray ClothSimulation::array(const std::string& name) const {
  return collision_totals_.array(name);
}

void ClothSimulation::substep(double h, double end_time) {
  // Symplectic Euler: v⁺ = v + h a(x), x⁺ = x + h v⁺.
  Points forces = external_forces(scene_, masses_, end_time - h);
  forces_.add_elastic(positions_, forces);
  const Points start = positions_;
  velocities_ = (velocities_ + h * masses_.cwiseInverse().asDiagonal() * forces) / (1.0 + options_.mass_damping * h);
  velocities_ = velocities_.cwiseProduct(is_free_);
  positions_ += h * velocities_;
  place_prescribed(scene_, end_time, positions_);
  velocities_ += (Points::Ones(positions_.rows(), 3) - is_free_).cwiseProduct(positions_ - start) / h;
  collisions_.resolve(start, is_free_, h, velocities_, positions_);
  collision_totals_.add(collisions_);
}

StepReport ClothSimulation::step() {
  collision_totals_ = {};
  const double start = time_, h = scene_.time_step / options_.substeps;
  for (int s = 1; s <= options_.substeps; ++s) substep(h, start + s * h);
  time_ = start + scene_.time_step;
  events_ = collision_totals_.events();
  StepReport report;
  report.substeps = options_.substeps;
  if (!positions_.allFinite() || !velocities_.allFinite()) report.outcome = StepOutcome::Diverged;
  return report;
}

}  // namespace deformbench::cloth

// SPDX-License-Identifier: BSD-3-Clause
#include "methods/cloth/cloth_simulation.hpp"

#include <fmt/format.h>

#include <cmath>

#include "methods/model/error.hpp"

namespace deformbench::cloth {
namespace {

constexpr double kInside = 1e-6;  // of the size of the cloth: depth from which a vertex counts as inside an obstacle
constexpr int kMostSubsteps = 1'000'000;  // more would look like a hang

const Scene& checked(const Scene& scene) {
  check_scene(scene);
  return scene;
}

/// 1/m; 0 for held vertices.
Eigen::VectorXd inverse_masses_of(const Scene& scene, const Eigen::VectorXd& masses) {
  Eigen::VectorXd inverse = masses.cwiseInverse();
  for (const model::PrescribedMotion& motion : scene.prescribed)
    for (const int vertex : motion.vertices) inverse[vertex] = 0.0;
  return inverse;
}

}  // namespace

ClothSimulation::ClothSimulation(const Scene& scene, const ClothOptions& options, const RunContext& context)
    : scene_(checked(scene)),
      options_(options),
      forces_(scene, options),
      plastic_springs_(forces_.springs(), options.motion.plasticity),
      masses_(lumped_masses(scene)),
      is_free_(Points::Ones(scene.vertex_count(), 3)),
      strain_limits_(options.motion.strain_limits, inverse_masses_of(scene_, masses_)),
      obstacles_(scene_),
      size_((scene_.rest_positions().colwise().maxCoeff() - scene_.rest_positions().colwise().minCoeff()).norm()),
      positions_(scene.start_positions()),
      velocities_(scene.start_velocities()),
      clock_(context.time_phases),
      collisions_(masses_, scene.cloth.triangles, options.collisions, context.threads, context.time_phases) {
  const auto prescribed = prescribed_components(scene_);
  for (std::size_t i = 0; i < prescribed.size(); ++i)
    for (int c = 0; c < 3; ++c)
      if (prescribed[i][std::size_t(c)]) is_free_(Eigen::Index(i), c) = 0.0;
  place_bodies();
  substeps_ = options_.substeps > 0 ? options_.substeps : substeps_needed();
}

int ClothSimulation::substeps_needed() const {
  const double undamped = stable_time_step(
      forces_.stiffness_matrix(scene_.rest_positions(), StiffnessKind::Semidefinite), masses_, is_free_);
  if (!std::isfinite(undamped)) return 1;
  // Longest stable step of a mode with damping ratio ζ = k_d ω/2: 2/ω (√(1 + ζ²) − ζ).
  const double ratio = std::max(options_.stretch_damping, options_.bend_damping) / undamped;
  const double stable = undamped * (std::sqrt(1.0 + ratio * ratio) - ratio);
  const double needed = std::ceil(scene_.time_step / (options_.safety * stable));
  if (needed > kMostSubsteps)
    throw InputError(
        fmt::format("force_cloth: a time step of {:g} s needs {:.3g} substeps of {:g} s, expected at most {}",
                    scene_.time_step, needed, options_.safety * stable, kMostSubsteps));
  return std::max(1, int(needed));
}

StateView ClothSimulation::state() const {
  return {time_, PointsView(positions_.data(), positions_.rows(), 3),
          PointsView(velocities_.data(), velocities_.rows(), 3), ScalarsView(masses_.data(), masses_.size()), bodies_};
}

Points ClothSimulation::elastic_forces(const Eigen::Ref<const Points>& positions) const {
  Points forces = Points::Zero(positions.rows(), 3);
  forces_.add_elastic(positions, forces);
  return forces;
}

ContactFacet::Contacts ClothSimulation::step_contacts() const {
  return {.with_bodies = int(contacts_.size()), .with_itself = collision_totals_.counts.first_contacts};
}

StepReport ClothSimulation::step() {
  const double start = time_, h = scene_.time_step / substeps_;
  report_ = {};
  work_ = {};
  collision_totals_ = {};
  clock_.start();
  for (int s = 1; s <= substeps_; ++s) substep(h, start + s * h);
  time_ = start + scene_.time_step;
  place_bodies();
  events_ = collision_totals_.events();
  if (obstacles_.has_obstacles() && options_.collisions.detection != collision::Detection::None)
    if (const int inside = obstacles_.inside(positions_, time_, is_free_, kInside * size_); inside > 0)
      events_.push_back({"vertices_in_obstacles", inside, "vertices inside an obstacle at the end of the step"});
  report_.substeps = substeps_;
  if (!options_.motion.strain_limits.is_on()) report_.work = work_;  // sweeps of limits end early, uncounted
  clock_.charge(StepPhases::Motion);
  if (!positions_.allFinite() || !velocities_.allFinite()) report_.outcome = StepOutcome::Diverged;
  return report_;
}

}  // namespace deformbench::cloth

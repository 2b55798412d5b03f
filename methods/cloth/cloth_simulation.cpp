// SPDX-License-Identifier: BSD-3-Clause
#include "methods/cloth/cloth_simulation.hpp"

#include <fmt/format.h>

#include <cmath>

#include "methods/model/error.hpp"

namespace deformbench::cloth {
namespace {

constexpr int kMostSubsteps = 1'000'000;  // more would look like a hang

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
      plastic_springs_(forces_.springs(), options.motion.plasticity),
      masses_(lumped_masses(scene)),
      is_free_(Points::Ones(scene.vertex_count(), 3)),
      strain_limits_(options.motion.strain_limits, inverse_masses_of(scene_, masses_)),
      obstacles_(scene_),
      positions_(scene.start_positions()),
      velocities_(scene.start_velocities()) {
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
  // Of a mode with damping ratio ζ = k_d ω/2 the longest stable step is 2/ω (√(1 + ζ²) − ζ).
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

std::vector<std::string> ClothSimulation::array_names() const {
  return {"damping_forces", "hinge_vertices",   "hinge_sines",      "hinge_slopes",
          "hinge_energies", "stiffness_places", "stiffness_entries"};
}

MethodArray ClothSimulation::array(const std::string& name) const {
  const auto n = std::size_t(positions_.rows()), hinge_count = forces_.hinges().size();
  if (name == "damping_forces") {
    MethodArray array{name, "N", "force", "Damping force on every vertex, without mass damping.", {n, 3}};
    Points forces = Points::Zero(positions_.rows(), 3);
    forces_.add_damping(positions_, velocities_, forces);
    array.reals.assign(forces.data(), forces.data() + forces.size());
    return array;
  }
  if (name == "hinge_vertices") {
    MethodArray array{name, "1", "index", "Ends of the edge, then the corners beside it.", {hinge_count, 4}};
    array.is_integer = true;
    for (const Hinge& hinge : forces_.hinges())
      array.integers.insert(array.integers.end(), hinge.vertices.begin(), hinge.vertices.end());
    return array;
  }
  if (name == "hinge_sines") {
    MethodArray array{name, "1", "sine", "sin(θ/2) of every hinge as its force has it.", {hinge_count}};
    for (const Hinge& hinge : forces_.hinges())
      array.reals.push_back(
          half_angle(corners_of(hinge.vertices, positions_), hinge.options.sine, hinge.options.precision).sine);
    return array;
  }
  if (name == "hinge_slopes") {
    MethodArray array{
        name, "rad/m", "slope", "Slopes of the angle of every hinge by its vertices.", {hinge_count, 4, 3}};
    for (const Hinge& hinge : forces_.hinges()) {
      const CornerVector<4> slope = angle_gradient(corners_of(hinge.vertices, positions_), hinge.options.gradient);
      array.reals.insert(array.reals.end(), slope.data(), slope.data() + 12);
    }
    return array;
  }
  if (name == "hinge_energies") {
    MethodArray array{name, "J", "energy", "Energy of every hinge.", {hinge_count}};
    for (const Hinge& hinge : forces_.hinges())
      array.reals.push_back(hinge.energy(corners_of(hinge.vertices, positions_)));
    return array;
  }
  const Sparse matrix = forces_.stiffness_matrix(positions_, StiffnessKind::Exact);
  const auto count = std::size_t(matrix.nonZeros());
  const bool is_places = name == "stiffness_places";
  MethodArray array =
      is_places ? MethodArray{name, "1", "index", "Row and column of every entry of −∂f/∂x.", {count, 2}}
                : MethodArray{name, "N/m", "stiffness", "Entries of −∂f/∂x; coordinate 3·vertex + axis.", {count}};
  array.is_integer = is_places;
  for (Eigen::Index column = 0; column < matrix.outerSize(); ++column)
    for (Sparse::InnerIterator entry(matrix, column); entry; ++entry) {
      if (is_places)
        array.integers.insert(array.integers.end(), {int(entry.row()), int(column)});
      else
        array.reals.push_back(entry.value());
    }
  return array;
}

StepReport ClothSimulation::step() {
  const double start = time_, h = scene_.time_step / substeps_;
  report_ = {};
  for (int s = 1; s <= substeps_; ++s) substep(h, start + s * h);
  time_ = start + scene_.time_step;
  place_bodies();
  report_.substeps = substeps_;
  if (!positions_.allFinite() || !velocities_.allFinite()) report_.outcome = StepOutcome::Diverged;
  return report_;
}

}  // namespace deformbench::cloth

// SPDX-License-Identifier: BSD-3-Clause
// Particles shot at a body from all sides, single or as pairs on a rod, to find collisions missed by detection once
// per step. [MHHR07] §3.4
#include <algorithm>
#include <cmath>

#include "experiments/scenes/particles.hpp"
#include "experiments/scenes/round_surfaces.hpp"
#include "experiments/scenes/scene_registry.hpp"
#include "methods/numerics/random.hpp"

namespace deformbench::scenes {
namespace {

void add_target(Scene& scene, const std::string& shape, double radius, double thickness, double mass) {
  if (shape == "plane") {
    scene.colliders.push_back({});
    return;
  }
  model::RigidBody body;
  body.name = "target";
  body.mass = mass;
  if (shape == "sphere") body.shape.radius = radius;
  if (shape == "capsule") {
    body.shape.kind = model::ShapeKind::Capsule;
    body.shape.radius = radius / 2;
    body.shape.half_length = radius / 2;
  }
  if (shape == "box") {
    body.shape.kind = model::ShapeKind::Box;
    body.shape.half_extents = {radius, thickness / 2, radius};
  }
  if (shape == "octahedron") {
    body.shape.kind = model::ShapeKind::Mesh;
    body.shape.mesh = octahedron(radius);
  }
  scene.rigid_bodies.push_back(std::move(body));
}

Scene build_shot_particles(const Parameters& p) {
  const bool is_paired = p.flag("paired");
  const auto count = Eigen::Index(p.integer("particles")) * (is_paired ? 2 : 1);
  const double radius = p.real("radius_m"), rod = 0.6 * radius;
  Scene scene = particle_scene("shot_particles", p, count);
  add_target(scene, p.text("target"), radius, p.real("thickness_m"), p.real("target_mass_kg"));
  numerics::RandomStream random(std::uint64_t(p.integer("seed")));
  scene.initial_velocities.resize(count, 3);
  for (Eigen::Index i = 0; i < count; i += is_paired ? 2 : 1) {
    Vector3 from = 2.0 * radius * random.direction(),
            to = 0.5 * radius * std::cbrt(random.uniform()) * random.direction();
    if (p.text("target") == "plane") from.y() = std::abs(from.y()) + radius, to.y() = -radius;
    if (p.text("target") == "box") to.y() = 0.0, from.y() = std::copysign(std::abs(from.y()) + radius, from.y());
    const Vector3 velocity = p.real("speed_m_s") * random.uniform(0.1, 1.0) * (to - from).normalized();
    scene.particles.rest_positions.row(i) = from;
    scene.initial_velocities.row(i) = velocity;
    if (!is_paired) continue;
    Vector3 other = from + rod * random.direction();
    if (p.text("target") == "plane" || p.text("target") == "box")
      other.y() = std::copysign(std::max(std::abs(other.y()), radius / 2), from.y());
    scene.particles.rest_positions.row(i + 1) = other;
    scene.initial_velocities.row(i + 1) = velocity + 0.3 * p.real("speed_m_s") * random.direction();
    scene.particles.masses[i + 1] = random.uniform(0.2, 5.0);
    add_link(scene, p, int(i), int(i + 1));
  }
  return scene;
}

}  // namespace

SceneDescriptor shot_particles() {
  return {
      "shot_particles", "Particles, alone or in pairs on a rod, shot at a body from all sides.",
      particle_parameters(
          Vector3::Zero(), 0.01,
          link_parameters(
              {choice_parameter("target", "sphere", {"sphere", "capsule", "box", "octahedron", "plane"},
                                "The target at the origin."),
               count_parameter("particles", 500, 1, "How many, or how many pairs."),
               positive_parameter("radius_m", "m", 0.5, "Size of the target."),
               positive_parameter("thickness_m", "m", 0.01, "Of the box along y."),
               non_negative_parameter("target_mass_kg", "kg", 0.0, "0: nothing moves the target. A plane has none."),
               positive_parameter("speed_m_s", "m/s", 20.0, "Of the fastest; the slowest have a tenth."),
               {"paired", "", false, "Pairs on a rod instead of single particles."},
               seed_parameter("Seed of everything random.")})),
      build_shot_particles};
}

}  // namespace deformbench::scenes

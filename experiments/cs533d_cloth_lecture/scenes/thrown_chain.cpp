// SPDX-License-Identifier: BSD-3-Clause
// A free chain of springs along x that flies against the wall x = 0: a rod of lumped masses, or individually damped
// links.
#include "experiments/scenes/particles.hpp"
#include "experiments/scenes/scene_registry.hpp"

namespace deformbench::scenes {
namespace {

Scene build_thrown_chain(const Parameters& p) {
  const int links = int(p.integer("links"));
  const double link = p.real("length_m") / links, mass = p.real("mass_kg") / links, wave = p.real("wave_speed_m_s");
  Scene scene = particle_scene("thrown_chain", p, links + 1);
  for (int i = 0; i <= links; ++i) scene.particles.rest_positions.row(i) << p.real("gap_m") + i * link, 0.0, 0.0;
  scene.particles.masses *= mass;
  scene.particles.masses[0] *= p.real("end_share");
  scene.particles.masses[links] *= p.real("end_share");
  for (int i = 0; i < links; ++i) {
    model::PositionConstraint spring;
    spring.vertices = {i, i + 1, -1, -1};
    spring.rest_value = link;
    spring.compliance = link * link / (mass * wave * wave);
    scene.constraints.push_back(spring);
  }
  scene.initial_velocities = Points::Zero(links + 1, 3);
  scene.initial_velocities.col(0).setConstant(-p.real("speed_m_s"));
  model::PlaneCollider wall;
  wall.normal = Vector3::UnitX();
  wall.restitution = p.real("restitution");
  scene.colliders.push_back(wall);
  return scene;
}

}  // namespace

SceneDescriptor thrown_chain() {
  ParameterInfo share = positive_parameter("end_share", "1", 0.5, "Masses of the ends over that of the others.");
  ParameterInfo restitution = non_negative_parameter("restitution", "1", 0.0, "Of a particle on the wall.");
  share.maximum = restitution.maximum = 1.0;
  return {"thrown_chain", "A free chain of springs that flies against a wall with its end first.",
          particle_parameters(
              Vector3::Zero(), 0.01,
              {count_parameter("links", 20, 1, "Springs."), positive_parameter("length_m", "m", 1.0, "Of the chain."),
               positive_parameter("mass_kg", "kg", 1.0, "Of all links together."),
               positive_parameter("wave_speed_m_s", "m/s", 1.0, "l √(k/m) of a link: √(E/ρ) of a rod."),
               positive_parameter("speed_m_s", "m/s", 0.01, "Towards the wall."),
               non_negative_parameter("gap_m", "m", 0.0, "Between the wall and the first particle at the start."),
               std::move(share), std::move(restitution)}),
          build_thrown_chain};
}

}  // namespace deformbench::scenes

// SPDX-License-Identifier: BSD-3-Clause
// A straight chain of particles and distance constraints, downwards from the origin. One link with gravity is a
// hanging mass; a heavy first particle is a nearly fixed but free end.
#include "experiments/scenes/particles.hpp"
#include "experiments/scenes/scene_registry.hpp"

namespace deformbench::scenes {
namespace {

Scene build_particle_chain(const Parameters& p) {
  const int links = int(p.integer("links"));
  const double length = p.real("link_m"), amount = p.real("disturbance") * length;
  Scene scene = particle_scene("particle_chain", p, links + 1);
  Points& rest = scene.particles.rest_positions;
  for (int i = 0; i <= links; ++i) rest.row(i) << 0.0, -i * length, 0.0;
  scene.particles.masses *= p.real("mass_kg");
  scene.particles.masses[0] *= p.real("first_mass_factor");
  const bool two_colours = p.text("listed") == "two_colours";
  for (int i = 0; i < links; i += two_colours ? 2 : 1) add_link(scene, p, i, i + 1);
  for (int i = 1; two_colours && i < links; i += 2) add_link(scene, p, i, i + 1);
  const std::string& held = p.text("held");

  scene.initial_positions = rest;
  const std::string& how = p.text("disturbed");
  const Points noise = normal_points(p, 1, links + 1, amount);
  for (int i = 0; i <= links; ++i) {
    if (how == "random" && !(held != "none" && i == 0) && !(held == "both" && i == links))
      scene.initial_positions(i, 1) += noise(i, 1);
    if (how == "stretched") scene.initial_positions(i, 1) *= 1.0 + p.real("disturbance");
  }
  if (how == "first") scene.initial_positions(0, 1) += amount;
  if (held == "first") hold_particles(scene, {0});
  if (held == "both") hold_particles(scene, {0, links});
  scene.vertex_sets["tip"] = {links};
  return scene;
}

}  // namespace

SceneDescriptor particle_chain() {
  return {"particle_chain", "A straight chain of particles and distance constraints.",
          particle_parameters(
              Vector3::Zero(), 0.01,
              link_parameters(
                  {count_parameter("links", 10, 1, "Distance constraints."),
                   positive_parameter("link_m", "m", 1.0, "Rest length of a link."),
                   positive_parameter("mass_kg", "kg", 1.0, "Of every particle."),
                   positive_parameter("first_mass_factor", "1", 1.0, "On the mass of the first particle."),
                   choice_parameter("held", "first", {"none", "first", "both"}, "Which ends are held."),
                   choice_parameter("listed", "in_turn", {"in_turn", "two_colours"},
                                    "Links in the order of their particles, or every second one first."),
                   choice_parameter("disturbed", "none", {"none", "first", "random", "stretched"},
                                    "At the start, along the chain: nothing; the first particle away from the second; "
                                    "every free one at random; all links stretched alike."),
                   real_parameter("disturbance", "1", 0.1, "Its size (standard deviation if random) in link lengths."),
                   seed_parameter("Seed of the random disturbance.")})),
          build_particle_chain};
}

}  // namespace deformbench::scenes

// SPDX-License-Identifier: BSD-3-Clause
// A chain of links between two held ends at equal height, longer than their distance; it starts as a V.
#include <algorithm>
#include <cmath>

#include "experiments/scenes/particles.hpp"
#include "experiments/scenes/scene_registry.hpp"
#include "methods/model/error.hpp"

namespace deformbench::scenes {
namespace {

Scene build_hung_chain(const Parameters& p) {
  const int links = int(p.integer("links"));
  const double length = p.real("length_m"), span = p.real("span_m"), link = length / links;
  if (!(length > span)) throw InputError("scene 'hung_chain': length_m must be greater than span_m");
  const int side = links / 2, flat = links % 2;  // an odd chain has a level link at the bottom of its V
  const double reach = (span - flat * link) / (2.0 * side), drop = std::sqrt(link * link - reach * reach);
  Scene scene = particle_scene("hung_chain", p, links + 1);
  for (int i = 0; i <= links; ++i) {
    const int from_left = std::min(i, side), level = i > side ? flat : 0, from_right = std::max(0, i - side - flat);
    scene.particles.rest_positions.row(i) << -span / 2 + reach * (from_left + from_right) + level * link,
        drop * (from_right - from_left), 0.0;
  }
  scene.particles.masses *= p.real("mass_kg") / links;
  for (int i = 0; i < links; ++i) {
    add_link(scene, p, i, i + 1);
    scene.constraints.back().rest_value = link;
  }
  hold_particles(scene, {0, links});
  lift_bounds(p, scene);
  return scene;
}

}  // namespace

SceneDescriptor hung_chain() {
  return {
      "hung_chain", "A chain of links between two held ends at one height.",
      particle_parameters(
          {0, -9.81, 0}, 0.01,
          link_parameters({count_parameter("links", 20, 2, "Distance constraints."),
                           positive_parameter("length_m", "m", 1.5, "Of the chain."),
                           positive_parameter("span_m", "m", 1.0, "Between the ends."),
                           positive_parameter("mass_kg", "kg", 1.0, "A link's share of it is the mass of a particle."),
                           bounded_parameter()})),
      build_hung_chain};
}

}  // namespace deformbench::scenes

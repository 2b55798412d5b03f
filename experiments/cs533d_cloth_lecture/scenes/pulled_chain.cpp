// SPDX-License-Identifier: BSD-3-Clause
// A straight chain of springs along x between a held end and an end moved by a programme. Links of one material
// differ in cross-section: the thinnest carries the highest stress.
#include <algorithm>
#include <numeric>

#include "experiments/cs533d_cloth_lecture/scenes/programme.hpp"
#include "experiments/scenes/particles.hpp"
#include "experiments/scenes/scene_registry.hpp"
#include "methods/numerics/random.hpp"

namespace deformbench::scenes {
namespace {

/// Cross-sections relative to the mean: one thin link in the middle, or evenly spaced values in random order.
std::vector<double> sections(const Parameters& p) {
  const std::size_t links = std::size_t(p.integer("links"));
  const double spread = p.real("spread");
  std::vector<double> all(links, 1.0);
  if (p.text("thin") == "one") {
    all[links / 2] = 1.0 - spread;
    return all;
  }
  for (std::size_t i = 0; i < links; ++i) all[i] = 1.0 - spread + 2.0 * spread * double(i) / double(links - 1);
  numerics::RandomStream random(std::uint64_t(p.integer("seed")));
  for (std::size_t i = links - 1; i > 0; --i)
    std::swap(all[i], all[std::min(i, std::size_t(random.uniform() * double(i + 1)))]);
  return all;
}

Scene build_pulled_chain(const Parameters& p) {
  const int links = int(p.integer("links"));
  const double link = p.real("link_m"), modulus = p.real("modulus_pa"), frequency = p.real("link_frequency_rad_s");
  Scene scene = particle_scene("pulled_chain", p, links + 1);
  for (int i = 0; i <= links; ++i) scene.particles.rest_positions.row(i) << i * link, 0.0, 0.0;
  scene.particles.masses *= modulus * p.real("area_m2") / link / (frequency * frequency);
  const std::vector<double> areas = sections(p);
  for (int i = 0; i < links; ++i) {
    model::PositionConstraint spring;
    spring.vertices = {i, i + 1, -1, -1};
    spring.rest_value = link;
    spring.compliance = link / (modulus * p.real("area_m2") * areas[std::size_t(i)]);
    scene.constraints.push_back(spring);
  }
  model::PrescribedMotion pull;
  pull.vertices = {links};
  pull.translation = {links * link, 0.0, 0.0};
  pull.ramp = programme_of(p);
  // Initial speeds grow linearly to that of the moved end, so that no wave runs through the chain.
  const auto& table = pull.ramp.table;
  if (table.size() > 1) {
    const double rate = (table[1][1] - table[0][1]) / (table[1][0] - table[0][0]);
    scene.initial_velocities = rate * scene.particles.rest_positions;
  }
  hold_particles(scene, {0});
  scene.prescribed.push_back(std::move(pull));
  scene.bounds.stretch = model::Bound{std::numeric_limits<double>::infinity(), "links flow and break"};
  scene.bounds.kinetic_energy = model::Bound{std::numeric_limits<double>::infinity(), "the programme drives the end"};
  return scene;
}

}  // namespace

SceneDescriptor pulled_chain() {
  return {
      "pulled_chain", "A chain of springs of one material and several cross-sections, pulled at one end.",
      particle_parameters(
          Vector3::Zero(), 0.01,
          programme_parameters(
              {count_parameter("links", 50, 2, "Springs."),
               choice_parameter(
                   "thin", "one", {"one", "all"},
                   "Cross-sections: 1 − spread times the mean in the middle and the mean elsewhere, or evenly "
                   "spaced in 1 ± spread, in random order."),
               spread_parameter("Of the cross-sections."),
               positive_parameter("link_m", "m", 0.02, "Rest length of a link."),
               positive_parameter("area_m2", "m^2", 1e-4, "Mean cross-section."),
               positive_parameter("modulus_pa", "Pa", 1e5, "Of the material."),
               positive_parameter("link_frequency_rad_s", "rad/s", 10.0, "√(k/m) of a link of the mean cross-section."),
               seed_parameter("Seed of the order of the links.")})),
      build_pulled_chain};
}

}  // namespace deformbench::scenes

// SPDX-License-Identifier: BSD-3-Clause
// Separate springs along x, each held at its near end and driven at its far end by a load or to a length. All springs
// have the same material and frequency but different lengths, cross-sections and shares of the programme.
#include "experiments/cs533d_cloth_lecture/scenes/programme.hpp"
#include "experiments/scenes/particles.hpp"
#include "experiments/scenes/scene_registry.hpp"
#include "methods/numerics/random.hpp"

namespace deformbench::scenes {
namespace {

Scene build_driven_springs(const Parameters& p) {
  const int count = int(p.integer("springs"));
  const double modulus = p.real("modulus_pa"), spread = p.real("spread"), frequency = p.real("frequency_rad_s");
  const double least = p.real("least_share"), largest = p.real("largest_share");
  Scene scene = particle_scene("driven_springs", p, 2 * count);
  numerics::RandomStream random(std::uint64_t(p.integer("seed")));
  std::vector<int> held;
  for (int i = 0; i < count; ++i) {
    const double length = p.real("length_m") * random.uniform(1.0 - spread, 1.0 + spread);
    const double area = p.real("area_m2") * random.uniform(1.0 - spread, 1.0 + spread);
    const double share = count > 1 ? least + (largest - least) * i / (count - 1) : largest;
    const int near = 2 * i, far = near + 1;
    scene.particles.rest_positions.row(near) << 0.0, i, 0.0;
    scene.particles.rest_positions.row(far) << length, i, 0.0;
    const double stiffness = modulus * area / length;
    scene.particles.masses[far] = stiffness / (frequency * frequency);
    model::PositionConstraint spring;
    spring.vertices = {near, far, -1, -1};
    spring.rest_value = length;
    spring.compliance = 1.0 / stiffness;
    scene.constraints.push_back(spring);
    held.push_back(near);
    const model::Ramp ramp = programme_of(p);
    if (p.text("driven") == "load") scene.point_loads.push_back({far, {share * modulus * area, 0.0, 0.0}, ramp});
    if (p.text("driven") == "length") {
      model::PrescribedMotion pull;
      pull.vertices = {far};
      pull.translation = {share * length, 0.0, 0.0};
      pull.ramp = ramp;
      scene.prescribed.push_back(std::move(pull));
    }
  }
  hold_particles(scene, held);
  scene.bounds.stretch = model::Bound{std::numeric_limits<double>::infinity(), "rest lengths flow"};
  scene.bounds.kinetic_energy = model::Bound{std::numeric_limits<double>::infinity(), "the programme drives the ends"};
  return scene;
}

}  // namespace

SceneDescriptor driven_springs() {
  return {"driven_springs", "Separate springs, each held at one end and driven at the other.",
          particle_parameters(
              Vector3::Zero(), 0.01,
              programme_parameters(
                  {count_parameter("springs", 10, 1, "How many."),
                   choice_parameter("driven", "length", {"length", "load"},
                                    "What the programme is of: the far end's displacement over the spring's length, or "
                                    "the load there over modulus and cross-section."),
                   real_parameter("least_share", "1", 1.0, "Share of the programme that the first spring gets."),
                   real_parameter("largest_share", "1", 1.0, "Share of the last; linear between."),
                   positive_parameter("length_m", "m", 0.2, "Mean rest length."),
                   positive_parameter("area_m2", "m^2", 1e-4, "Mean cross-section."),
                   spread_parameter("Of lengths and cross-sections, each uniform in 1 ± this times its mean."),
                   positive_parameter("modulus_pa", "Pa", 1e5, "Of the material: k = E A/l."),
                   positive_parameter("frequency_rad_s", "rad/s", 10.0, "Of every spring with its far mass."),
                   seed_parameter("Seed of lengths and cross-sections.")})),
          build_driven_springs};
}

}  // namespace deformbench::scenes

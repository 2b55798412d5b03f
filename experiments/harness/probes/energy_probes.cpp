// SPDX-License-Identifier: BSD-3-Clause
// Energies. Kinetic and gravitational energy are measured here; elastic energy is reported by the method.
#include "experiments/harness/probes/body_measures.hpp"
#include "experiments/harness/probes/channel_table.hpp"
#include "methods/facets.hpp"

namespace deformbench::harness {

double kinetic_energy(const ProbeInput& input) {
  return kinetic_energy(input.masses, input.velocities, input.rigid_bodies);
}

double gravitational_energy(const ProbeInput& input) {
  double energy = -input.masses.dot(input.positions * input.scene.gravity);
  for (const RigidBodyState& body : input.rigid_bodies)
    if (is_dynamic(body)) energy -= body.mass * body.position.dot(input.scene.gravity);
  return energy;
}

namespace {

double elastic_energy(const ProbeInput& input) {
  return facet_of<ElasticityFacet>(input).elastic_energy(input.positions);
}

}  // namespace

std::vector<ChannelEntry> energy_channels() {
  return {
      scalar_channel(
          {"kinetic_energy", "J", "energy", "Σ m|v|²/2 over the lumped masses; of rigid bodies also ω·Iω/2."},
          [](const ProbeInput& input) { return kinetic_energy(input); }),
      scalar_channel(
          {"gravitational_energy", "J", "energy", "−Σ m g·x over vertices and rigid bodies, zero at the origin."},
          gravitational_energy),
      from_facet<ElasticityFacet>(
          scalar_channel({"elastic_energy", "J", "energy", "Stored energy of the method's own elasticity."},
                         elastic_energy),
          "ElasticityFacet"),
      from_facet<ElasticityFacet>(
          scalar_channel(
              {"total_energy", "J", "energy",
               "kinetic_energy + gravitational_energy + elastic_energy; without the work of loads (external_work)."},
              [](const ProbeInput& input) {
                return kinetic_energy(input) + gravitational_energy(input) + elastic_energy(input);
              }),
          "ElasticityFacet"),
  };
}

}  // namespace deformbench::harness

// SPDX-License-Identifier: BSD-3-Clause
// One channel at one state, for the probe tests.
#pragma once

#include <algorithm>

#include "experiments/harness/probes/probe.hpp"
#include "experiments/scenes/scene_registry.hpp"
#include "tests/experiments/anchored_springs.hpp"

namespace deformbench::tests {

inline Scene built(const std::string& id, const std::map<std::string, ParameterValue>& set = {}) {
  const auto& scene = builtin_scenes();
  const auto& descriptor = scene.at(id);
  return descriptor.build(Parameters(descriptor.parameters, set, id));
}

/// The values of `channel` at these positions and velocities, at `time` (s).
inline std::vector<double> measured(const std::string& channel, const Scene& scene, const Simulation& simulation,
                                    const Points& positions, const Points& velocities, double time = 0.0) {
  const auto probe = harness::make_probe(channel, scene, simulation);
  std::size_t size = 0, offset = 0, length = 0;
  for (const auto& spec : probe->channels()) {
    if (spec.name == channel) {
      offset = size;
      length = spec.row_size();
    }
    size += spec.row_size();
  }
  std::vector<double> row(size, -777.0);
  const Eigen::VectorXd masses = lumped_masses(scene);
  const harness::ProbeInput input{scene,  simulation,   time, positions, velocities,
                                  masses, StepReport{}, 0.0,  nullptr,   simulation.state().rigid_bodies};
  probe->follow(input);  // as of the first state of a run
  probe->measure(input, row);
  return {row.begin() + std::ptrdiff_t(offset), row.begin() + std::ptrdiff_t(offset + length)};
}

/// The same for the state of a fresh AnchoredSprings on the scene.
inline std::vector<double> measured(const std::string& channel, const Scene& scene, double stiffness = 1000.0) {
  const AnchoredSprings springs(scene, spring_parameters(stiffness));
  return measured(channel, scene, springs, scene.start_positions(), scene.start_velocities());
}

inline Vector3 vector_of(const std::vector<double>& values) {
  return {values.at(0), values.at(1), values.at(2)};
}

}  // namespace deformbench::tests

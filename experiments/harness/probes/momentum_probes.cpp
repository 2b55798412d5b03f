// SPDX-License-Identifier: BSD-3-Clause
// Momenta, centre of mass and largest motion.
#include <Eigen/Geometry>
#include <cmath>

#include "experiments/harness/probes/channel_table.hpp"

namespace deformbench::harness {

Vector3 centre_of_mass(const ProbeInput& input) {
  return input.positions.transpose() * input.masses / input.masses.sum();
}

namespace {

Vector3 linear_momentum(const ProbeInput& input) { return input.velocities.transpose() * input.masses; }

Vector3 angular_momentum(const ProbeInput& input) {
  Vector3 sum = Vector3::Zero();
  for (Eigen::Index i = 0; i < input.positions.rows(); ++i) {
    const Vector3 x = input.positions.row(i), v = input.velocities.row(i);
    sum += input.masses[i] * x.cross(v);
  }
  return sum;
}

}  // namespace

std::vector<ChannelEntry> momentum_channels() {
  return {
      scalar_channel({"mass", "kg", "mass", "Sum of the lumped masses."},
                     [](const ProbeInput& input) { return input.masses.sum(); }),
      vector_channel({"linear_momentum", "kg m/s", "momentum", "Σ m v."}, linear_momentum),
      vector_channel({"angular_momentum", "kg m^2/s", "angular momentum", "Σ x × m v about the origin."},
                     angular_momentum),
      vector_channel({"centre_of_mass", "m", "position", "Σ m x / Σ m."}, centre_of_mass),
      vector_channel({"centre_of_mass_velocity", "m/s", "velocity", "Σ m v / Σ m."},
                     [](const ProbeInput& input) -> Vector3 {
                       return linear_momentum(input) / input.masses.sum();
                     }),
      scalar_channel({"max_speed", "m/s", "velocity", "Largest |v| of a vertex."},
                     [](const ProbeInput& input) {
                       return std::sqrt(input.velocities.rowwise().squaredNorm().maxCoeff());
                     }),
  };
}

}  // namespace deformbench::harness

// SPDX-License-Identifier: BSD-3-Clause
// Momenta, centre of mass, largest motion.
#include <Eigen/Geometry>
#include <cmath>

#include "experiments/harness/probes/channel_table.hpp"

namespace deformbench::harness {

bool is_dynamic(const RigidBodyState& body) {
  return std::isfinite(body.mass);
}

Vector3 spin(const RigidBodyState& body) {
  return body.orientation * (body.inertia * (body.orientation.transpose() * body.angular_velocity));
}

namespace {

/// Σ of `part` over the dynamic rigid bodies.
template <class Value, class Part>
Value over_dynamic(const ProbeInput& input, Value sum, Part&& part) {
  for (const RigidBodyState& body : input.rigid_bodies)
    if (is_dynamic(body)) sum += part(body);
  return sum;
}

double mass(const ProbeInput& input) {
  return over_dynamic(input, input.masses.sum(), [](const RigidBodyState& body) { return body.mass; });
}

}  // namespace

Vector3 centre_of_mass(const ProbeInput& input) {
  const Vector3 sum = input.positions.transpose() * input.masses;
  return over_dynamic(input, sum, [](const RigidBodyState& b) -> Vector3 { return b.mass * b.position; }) / mass(input);
}

namespace {

Vector3 linear_momentum(const ProbeInput& input) {
  const Vector3 sum = input.velocities.transpose() * input.masses;
  return over_dynamic(input, sum, [](const RigidBodyState& b) -> Vector3 { return b.mass * b.velocity; });
}

Vector3 angular_momentum(const ProbeInput& input) {
  Vector3 sum = Vector3::Zero();
  for (Eigen::Index i = 0; i < input.positions.rows(); ++i) {
    const Vector3 x = input.positions.row(i), v = input.velocities.row(i);
    sum += input.masses[i] * x.cross(v);
  }
  return over_dynamic(
      input, sum, [](const RigidBodyState& b) -> Vector3 { return b.mass * b.position.cross(b.velocity) + spin(b); });
}

}  // namespace

std::vector<ChannelEntry> momentum_channels() {
  return {
      scalar_channel({"mass", "kg", "mass", "Sum of the lumped masses and of the rigid bodies'."}, mass),
      vector_channel({"linear_momentum", "kg m/s", "momentum", "Σ m v over vertices and rigid bodies."},
                     linear_momentum),
      vector_channel({"angular_momentum", "kg m^2/s", "angular momentum",
                      "Σ x × m v about the origin, and R I Rᵀ ω of rigid bodies."},
                     angular_momentum),
      vector_channel({"centre_of_mass", "m", "position", "Σ m x / Σ m over vertices and rigid bodies."},
                     centre_of_mass),
      vector_channel({"centre_of_mass_velocity", "m/s", "velocity", "Σ m v / Σ m over vertices and rigid bodies."},
                     [](const ProbeInput& input) -> Vector3 { return linear_momentum(input) / mass(input); }),
      scalar_channel({"max_speed", "m/s", "velocity", "Largest |v| of a vertex."},
                     [](const ProbeInput& input) {
                       return input.velocities.rows() == 0
                                  ? 0.0
                                  : std::sqrt(input.velocities.rowwise().squaredNorm().maxCoeff());
                     }),
  };
}

}  // namespace deformbench::harness

// SPDX-License-Identifier: BSD-3-Clause
// Poses and velocities of the rigid bodies, as reported by the method.
#include <fmt/format.h>

#include <algorithm>

#include "experiments/harness/probes/channel_table.hpp"
#include "methods/model/error.hpp"

namespace deformbench::harness {
namespace {

/// One row of shape `entry_shape` per body; `write` fills it.
ChannelEntry body_channel(ChannelSpec spec, std::vector<std::size_t> entry_shape,
                          void (*write)(const RigidBodyState&, double*)) {
  ChannelEntry entry;
  entry.spec = std::move(spec);
  entry.spec.source = "method";
  entry.spec.row_shape = {0};
  entry.spec.row_shape.insert(entry.spec.row_shape.end(), entry_shape.begin(), entry_shape.end());
  entry.make = [write](const ChannelSpec& s, const Scene& scene, const Simulation& simulation) {
    const std::size_t reported = simulation.state().rigid_bodies.size(), bodies = scene.rigid_bodies.size();
    if (reported != bodies)
      throw InputError(fmt::format("channel '{}': the method reports {} rigid bodies, expected {} as in scene '{}'",
                                   s.name, reported, bodies, scene.name));
    ChannelSpec sized = s;
    sized.row_shape[0] = bodies;
    const std::size_t size = sized.row_size() / bodies;
    return function_probe(sized, [write, size](const ProbeInput& input, std::span<double> row) {
      for (std::size_t b = 0; b < input.rigid_bodies.size(); ++b) write(input.rigid_bodies[b], row.data() + b * size);
    });
  };
  return entry;
}

void write_vector(const Vector3& value, double* out) {
  std::copy_n(value.data(), 3, out);
}

}  // namespace

std::vector<ChannelEntry> rigid_body_channels() {
  return needing(
      Needs::RigidBodies,
      {
          body_channel({"rigid_positions", "m", "position", "Centre of mass (origin) of every rigid body."}, {3},
                       [](const RigidBodyState& body, double* out) { write_vector(body.position, out); }),
          body_channel(
              {"rigid_orientations", "1", "rotation", "Orientation of every rigid body, body to world, row by row."},
              {3, 3},
              [](const RigidBodyState& body, double* out) {
                for (int i = 0; i < 3; ++i)
                  for (int j = 0; j < 3; ++j) *out++ = body.orientation(i, j);
              }),
          body_channel({"rigid_velocities", "m/s", "velocity", "Velocity of the origin of every rigid body."}, {3},
                       [](const RigidBodyState& body, double* out) { write_vector(body.velocity, out); }),
          body_channel({"rigid_angular_velocities", "rad/s", "angular velocity",
                        "Angular velocity of every rigid body, world frame."},
                       {3}, [](const RigidBodyState& body, double* out) { write_vector(body.angular_velocity, out); }),
      });
}

}  // namespace deformbench::harness

// SPDX-License-Identifier: BSD-3-Clause
// A probe measures channels of one clock from outside, alike for every method.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "experiments/harness/trace/trace_writer.hpp"
#include "methods/method.hpp"

namespace deformbench::surface {
class FracturingSurface;
}

namespace deformbench::harness {

/// The state that a probe looks at: that of the simulation, or an imposed pose (then velocities are zero).
struct ProbeInput {
  const Scene& scene;  ///< as it is now: with the current mesh of a simulation that changes it
  const Simulation& simulation;
  double time;
  const Points& positions;   ///< n×3
  const Points& velocities;  ///< n×3
  const Eigen::VectorXd& masses;
  StepReport report;  ///< of the last step; default at step 0
  double pose_parameter = 0.0;
  const surface::FracturingSurface* skin = nullptr;   ///< the embedded surface, cut with the mesh; where it is followed
  std::span<const RigidBodyState> rigid_bodies = {};  ///< in the scene's order; kinematic ones have infinite mass
};

class Probe {
 public:
  virtual ~Probe() = default;
  virtual std::vector<ChannelSpec> channels() const = 0;
  /// True of a probe that adds up over the steps: follow() sees every state of a run, before measure, and the probe is
  /// kept when the mesh changes.
  virtual bool follows() const { return false; }
  virtual void follow(const ProbeInput&) {}
  /// Fills one row of all its channels, one after the other.
  virtual void measure(const ProbeInput& input, std::span<double> row) = 0;
};

/// What a channel has a row for.
enum class ChannelRows { Fixed, Vertices, Elements, SkinVertices };

/// The probe that yields `channel` ("kinetic_energy", "linear_momentum", …) for this scene and method.
/// Throws InputError for an unknown channel, or one the method lacks the facet for (naming the facet). The probe is
/// good for the mesh of `scene`: when the mesh changes, another one is needed.
std::unique_ptr<Probe> make_probe(const std::string& channel, const Scene& scene, const Simulation& simulation);

/// Why the method cannot give the channel, where it lacks the facet; nothing otherwise. InputError for an unknown one.
std::optional<std::string> lacks_facet_for(const std::string& channel, const Simulation& simulation);

/// Throws InputError for an unknown channel.
ChannelRows channel_rows(const std::string& channel, const Scene& scene, const Simulation& simulation);

/// Whether `channel` looks at ProbeInput::skin (NaN without it).
bool needs_cut_skin(const std::string& channel);

/// Every channel name with its unit, shape and description: for `describe`, docs and the schema test.
std::vector<ChannelSpec> known_channels();

}  // namespace deformbench::harness

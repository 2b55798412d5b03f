// SPDX-License-Identifier: BSD-3-Clause
// A probe measures channels of one clock from outside, identically for all methods.
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

/// The measured state: of the simulation, or an imposed pose (then velocities are zero).
struct ProbeInput {
  const Scene& scene;  ///< current scene, with the current mesh if topology changes
  const Simulation& simulation;
  double time;
  const Points& positions;   ///< n×3
  const Points& velocities;  ///< n×3
  const Eigen::VectorXd& masses;
  StepReport report;  ///< of the last step; default at step 0
  double pose_parameter = 0.0;
  const surface::FracturingSurface* skin = nullptr;   ///< the embedded surface, cut with the mesh; null if not tracked
  std::span<const RigidBodyState> rigid_bodies = {};  ///< in the scene's order; kinematic ones have infinite mass
};

class Probe {
 public:
  virtual ~Probe() = default;
  virtual std::vector<ChannelSpec> channels() const = 0;
  /// True for probes that accumulate over steps: follow() receives every state of a run, before measure(), and the
  /// probe is kept when the mesh changes.
  virtual bool follows() const { return false; }
  virtual void follow(const ProbeInput&) {}
  /// Fills one row with all its channels, in order.
  virtual void measure(const ProbeInput& input, std::span<double> row) = 0;
};

/// Meaning of the rows of a channel.
enum class ChannelRows { Fixed, Vertices, Elements, SkinVertices };

/// The probe of `channel` ("kinetic_energy", "linear_momentum", …) for this scene and method. Throws InputError for
/// an unknown channel, or naming the missing facet or scene part. The probe is valid for the mesh of `scene`: a
/// changed mesh needs a new probe.
std::unique_ptr<Probe> make_probe(const std::string& channel, const Scene& scene, const Simulation& simulation);

/// The reason if the method lacks the facet for the channel, else nothing. InputError for an unknown channel.
std::optional<std::string> lacks_facet_for(const std::string& channel, const Simulation& simulation);

/// Throws InputError for an unknown channel.
ChannelRows channel_rows(const std::string& channel, const Scene& scene, const Simulation& simulation);

/// Whether `channel` uses ProbeInput::skin (NaN without it).
bool needs_cut_skin(const std::string& channel);

/// All channels with unit, shape and description, for `describe`, docs and the schema test.
std::vector<ChannelSpec> known_channels();

}  // namespace deformbench::harness

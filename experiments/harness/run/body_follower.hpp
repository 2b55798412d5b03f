// SPDX-License-Identifier: BSD-3-Clause
// The current body: its scene, and the embedded surface cut with it. Internal to the run loop.
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <span>

#include "experiments/harness/trace/trace_writer.hpp"
#include "methods/facets.hpp"
#include "methods/method.hpp"
#include "methods/surface/cutting/fracturing_surface.hpp"

namespace deformbench::harness {

class BodyFollower {
 public:
  /// The embedded surface is tracked only if the spec's `channels` need it. Both references must outlive this object.
  /// Throws InputError for a surface that cannot be cut (open, or outside of the mesh).
  BodyFollower(const Scene& first, const Simulation& simulation, const nlohmann::json& channels);

  bool changes_topology() const { return topology_ != nullptr; }
  const Scene& scene() const { return topology_ != nullptr ? topology_->current_scene() : first_; }
  std::int64_t version() const { return topology_ != nullptr ? topology_->topology_version() : 0; }
  std::span<const int> parents() const;                                   ///< empty if topology is fixed
  const surface::FracturingSurface* skin() const { return skin_.get(); }  ///< null if not tracked

  /// Records warnings about the surface.
  void start(TraceWriter& writer) const;
  /// After a step: records the method's events and updates the surface to the mesh.
  void follow(TraceWriter& writer, std::int64_t step, double time);

 private:
  const Scene& first_;
  const TopologyFacet* topology_;
  const EventsFacet* events_;
  std::unique_ptr<surface::FracturingSurface> skin_;
  std::int64_t skin_version_ = 0;
};

}  // namespace deformbench::harness

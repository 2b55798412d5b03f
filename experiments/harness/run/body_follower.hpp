// SPDX-License-Identifier: BSD-3-Clause
// The body as it is now: its scene, and the surface that is cut with it. Internal to the run loop.
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <span>

#include "experiments/harness/trace/trace_writer.hpp"
#include "methods/facets.hpp"
#include "methods/method.hpp"
#include "methods/surface/fracturing_surface.hpp"

namespace deformbench::harness {

class BodyFollower {
 public:
  /// `channels` of the spec says whether anybody looks at the embedded surface: then it is followed. Both references
  /// are kept. Throws InputError for a surface that cannot be cut (open, or outside of the mesh).
  BodyFollower(const Scene& first, const Simulation& simulation, const nlohmann::json& channels);

  bool changes_topology() const { return topology_ != nullptr; }
  const Scene& scene() const { return topology_ != nullptr ? topology_->current_scene() : first_; }
  std::int64_t version() const { return topology_ != nullptr ? topology_->topology_version() : 0; }
  std::span<const int> parents() const;                                   ///< empty where topology does not change
  const surface::FracturingSurface* skin() const { return skin_.get(); }  ///< null when it is not followed

  /// Tells what is odd about the surface.
  void start(TraceWriter& writer) const;
  /// After a step: hands the method's events on and lets the surface follow the mesh.
  void follow(TraceWriter& writer, std::int64_t step, double time);

 private:
  const Scene& first_;
  const TopologyFacet* topology_;
  const EventsFacet* events_;
  std::unique_ptr<surface::FracturingSurface> skin_;
  std::int64_t skin_version_ = 0;
};

}  // namespace deformbench::harness

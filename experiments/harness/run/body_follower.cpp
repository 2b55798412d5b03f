// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/run/body_follower.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "experiments/harness/probes/probe.hpp"

namespace deformbench::harness {
namespace {

/// Frames of a fracturing body contain its skin; some channels need it on any clock.
bool is_skin_looked_at(const nlohmann::json& channels, bool changes_topology) {
  if (changes_topology && channels.contains("frame")) return true;
  for (const auto& [clock, section] : channels.items())
    for (const auto& name : section.value("names", std::vector<std::string>{}))
      if (needs_cut_skin(name)) return true;
  return false;
}

}  // namespace

BodyFollower::BodyFollower(const Scene& first, const Simulation& simulation, const nlohmann::json& channels)
    : first_(first), topology_(find_facet<TopologyFacet>(simulation)), events_(find_facet<EventsFacet>(simulation)) {
  if (first.skin.triangle_count() == 0 || first.tet_mesh.element_count() == 0 ||
      !is_skin_looked_at(channels, changes_topology()))
    return;
  skin_ = std::make_unique<surface::FracturingSurface>(first.tet_mesh, first.skin,
                                                       fmt::format("skin of scene '{}'", first.name));
}

std::span<const int> BodyFollower::parents() const {
  return topology_ != nullptr ? topology_->parents() : std::span<const int>{};
}

void BodyFollower::start(TraceWriter& writer) const {
  if (!skin_) return;
  for (const std::string& warning : skin_->warnings()) writer.event(0, 0.0, "surface_warning", 0, warning);
}

void BodyFollower::follow(TraceWriter& writer, std::int64_t step, double time) {
  if (events_ != nullptr)
    for (const SimulationEvent& event : events_->step_events())
      writer.event(step, time, event.kind, event.code, event.detail);
  if (!skin_ || version() == skin_version_) return;
  skin_version_ = version();
  const surface::SurfaceCut cut = skin_->follow(scene().tet_mesh.tetrahedra);
  if (cut.faces_opened == 0) return;
  std::string detail = fmt::format("{} faces opened, {} triangles cut, {} triangles and {} vertices added",
                                   cut.faces_opened, cut.triangles_cut, cut.triangles_added, cut.vertices_added);
  if (cut.overlapping_cracks > 0) detail += fmt::format(", {} cracks overlap", cut.overlapping_cracks);
  writer.event(step, time, "surface_cut", cut.faces_opened, detail);
  if (cut.slivers > 0)
    writer.event(step, time, "surface_sliver", cut.first_sliver,
                 fmt::format("{} new triangles with an altitude below {} of the longest edge, the first is {}",
                             cut.slivers, surface::FracturingSurface::kSliverAltitude, cut.first_sliver));
}

}  // namespace deformbench::harness

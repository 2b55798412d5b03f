// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/probes/probe.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "experiments/harness/probes/channel_table.hpp"
#include "methods/facets.hpp"
#include "methods/model/error.hpp"

namespace deformbench::harness {
namespace {

const std::vector<ChannelEntry>& table() {
  static const std::vector<ChannelEntry> entries = [] {
    std::vector<ChannelEntry> all;
    for (auto theme :
         {energy_channels, work_channels, momentum_channels, shape_channels, force_channels, solver_channels,
          operator_channels, field_channels, skin_channels, cut_skin_channels, topology_channels, plasticity_channels,
          cloth_channels, constraint_channels, contact_channels, rigid_body_channels, self_contact_channels})
      for (auto& entry : theme()) all.push_back(std::move(entry));
    return all;
  }();
  return entries;
}

const ChannelEntry& entry_of(const std::string& channel) {
  for (const auto& entry : table())
    if (entry.spec.name == channel) return entry;
  std::vector<std::string> known;
  for (const auto& entry : table()) known.push_back(entry.spec.name);
  throw InputError(fmt::format("channel '{}': unknown, expected one of {}", channel, fmt::join(known, ", ")));
}

}  // namespace

std::unique_ptr<Probe> make_probe(const std::string& channel, const Scene& scene, const Simulation& simulation) {
  const ChannelEntry& entry = entry_of(channel);
  require(entry.needs, channel, scene);
  if (const auto why = lacks_facet_for(channel, simulation)) throw InputError(*why);
  return entry.make(entry.spec, scene, simulation);
}

std::optional<std::string> lacks_facet_for(const std::string& channel, const Simulation& simulation) {
  const ChannelEntry& entry = entry_of(channel);
  if (!entry.is_offered || entry.is_offered(simulation)) return std::nullopt;
  return fmt::format("channel '{}': the method lacks the facet it needs, expected {}", channel, entry.facet);
}

ChannelRows channel_rows(const std::string& channel, const Scene& scene, const Simulation& simulation) {
  const ChannelEntry& entry = entry_of(channel);
  const auto* rotation = find_facet<RotationFacet>(simulation);
  if (!entry.per_rotation || rotation == nullptr) return entry.rows;
  const auto rows = Eigen::Index(rotation->rotations(scene.rest_positions()).size());
  return rows == scene.tet_mesh.element_count() ? ChannelRows::Elements : ChannelRows::Vertices;
}

std::vector<ChannelSpec> known_channels() {
  std::vector<ChannelSpec> specs;
  for (const auto& entry : table()) specs.push_back(entry.spec);
  return specs;
}

}  // namespace deformbench::harness

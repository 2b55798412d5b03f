// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/probes/probe.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "experiments/harness/probes/channel_table.hpp"
#include "methods/model/error.hpp"

namespace deformbench::harness {
namespace {

const std::vector<ChannelEntry>& table() {
  static const std::vector<ChannelEntry> entries = [] {
    std::vector<ChannelEntry> all;
    for (auto theme : {energy_channels, momentum_channels, shape_channels, force_channels, solver_channels,
                       operator_channels, field_channels, skin_channels})
      for (auto& entry : theme()) all.push_back(std::move(entry));
    return all;
  }();
  return entries;
}

}  // namespace

std::unique_ptr<Probe> make_probe(const std::string& channel, const Scene& scene, const Simulation& simulation) {
  for (const auto& entry : table()) {
    if (entry.spec.name != channel) continue;
    if (entry.is_offered && !entry.is_offered(simulation))
      throw InputError(fmt::format("channel '{}': the method lacks the facet it needs, expected {}", channel,
                                   entry.facet));
    return entry.make(entry.spec, scene, simulation);
  }
  std::vector<std::string> known;
  for (const auto& entry : table()) known.push_back(entry.spec.name);
  throw InputError(fmt::format("channel '{}': unknown, expected one of {}", channel, fmt::join(known, ", ")));
}

std::vector<ChannelSpec> known_channels() {
  std::vector<ChannelSpec> specs;
  for (const auto& entry : table()) specs.push_back(entry.spec);
  return specs;
}

}  // namespace deformbench::harness

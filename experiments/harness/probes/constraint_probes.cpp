// SPDX-License-Identifier: BSD-3-Clause
// Explicit constraints of the scene.
#include "experiments/harness/probes/channel_table.hpp"

namespace deformbench::harness {

std::vector<ChannelEntry> constraint_channels() {
  ChannelEntry entry;
  entry.spec = {
      "constraint_values", "1", "constraint",
      "C(x) of every explicit constraint, in the unit of its kind (m, rad or m³), before its sign is judged."};
  entry.spec.row_shape = {0};
  entry.make = [](const ChannelSpec& s, const Scene& scene, const Simulation&) {
    ChannelSpec sized = s;
    sized.row_shape[0] = scene.constraints.size();
    return function_probe(sized, [](const ProbeInput& input, std::span<double> row) {
      for (std::size_t c = 0; c < row.size(); ++c)
        row[c] = model::constraint_value(input.scene.constraints[c], input.positions);
    });
  };
  return needing(Needs::Constraints, {std::move(entry)});
}

}  // namespace deformbench::harness

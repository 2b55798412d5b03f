// SPDX-License-Identifier: BSD-3-Clause
// What frames store of how nodes were sampled.
#pragma once

#include <string>
#include <vector>

#include "methods/facets.hpp"
#include "methods/meshless/sampling/node_resampling.hpp"

namespace deformbench::meshless {

std::vector<std::string> sampling_array_names();
/// One of them. Levels are those of the sets `level_<k>` of the scene; `splits` are those of the last pass.
MethodArray sampling_array(const std::string& name, const NodeCloud& cloud, const Scene& scene,
                           const std::vector<NodeSplit>& splits);

}  // namespace deformbench::meshless

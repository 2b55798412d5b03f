// SPDX-License-Identifier: BSD-3-Clause
// Frame arrays of the node sampling.
#pragma once

#include <string>
#include <vector>

#include "methods/facets.hpp"
#include "methods/meshless/sampling/node_resampling.hpp"

namespace deformbench::meshless {

std::vector<std::string> sampling_array_names();
/// Levels: sets `level_<k>`; `splits`: of the last pass. Unknown name: std::invalid_argument.
MethodArray sampling_array(const std::string& name, const NodeCloud& cloud, const Scene& scene,
                           const std::vector<NodeSplit>& splits);

}  // namespace deformbench::meshless

// SPDX-License-Identifier: BSD-3-Clause
// Frame arrays of nodes, pairs and shape functions.
#pragma once

#include <string>

#include "methods/facets.hpp"
#include "methods/meshless/nodes/mls_elasticity.hpp"

namespace deformbench::meshless {

std::vector<std::string> cloud_array_names();
/// Array at positions x (n×3, m). Unknown `name`: std::invalid_argument.
MethodArray cloud_array(const std::string& name, const NodeCloud& cloud, const MlsElasticity& elasticity,
                        const Eigen::Ref<const Points>& x);

std::vector<std::string> shape_array_names();
/// Array at `points` (k×3, m, rest) or, `node_shape_values`, at nodes. Unknown `name`: std::invalid_argument.
MethodArray shape_array(const std::string& name, const NodeCloud& cloud, const Points& points);

}  // namespace deformbench::meshless

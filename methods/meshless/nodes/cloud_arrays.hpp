// SPDX-License-Identifier: BSD-3-Clause
// Frame arrays of nodes, pairs and shape functions.
#pragma once

#include <string>

#include "methods/facets.hpp"
#include "methods/meshless/nodes/mls_elasticity.hpp"

namespace deformbench::meshless {

std::vector<std::string> cloud_array_names();
/// The array `name`; deformation-dependent ones at the positions x (n×3, m).
MethodArray cloud_array(const std::string& name, const NodeCloud& cloud, const MlsElasticity& elasticity,
                        const Eigen::Ref<const Points>& x);

std::vector<std::string> shape_array_names();
/// The array `name` of shape functions at `points` (m×3, m, rest shape), or at the nodes if the name says so.
MethodArray shape_array(const std::string& name, const NodeCloud& cloud, const Points& points);

}  // namespace deformbench::meshless

// SPDX-License-Identifier: BSD-3-Clause
// What frames store of nodes, of pairs and of shape functions.
#pragma once

#include <string>

#include "methods/facets.hpp"
#include "methods/meshless/mls_elasticity.hpp"

namespace deformbench::meshless {

std::vector<std::string> cloud_array_names();
/// One of them; what depends on the deformation is that at the positions x (n×3, m).
MethodArray cloud_array(const std::string& name, const NodeCloud& cloud, const MlsElasticity& elasticity,
                        const Eigen::Ref<const Points>& x);

std::vector<std::string> shape_array_names();
/// One of them, of the shape functions at `points` (m×3, m, rest shape) or, where the name says so, at the nodes.
MethodArray shape_array(const std::string& name, const NodeCloud& cloud, const Points& points);

}  // namespace deformbench::meshless

// SPDX-License-Identifier: BSD-3-Clause
// What frames store of nodes and pairs.
#pragma once

#include <string>
#include <vector>

#include "methods/facets.hpp"
#include "methods/meshless/mls_elasticity.hpp"

namespace deformbench::meshless {

std::vector<std::string> cloud_array_names();
/// One of them; F at the positions x (n×3, m).
MethodArray cloud_array(const std::string& name, const NodeCloud& cloud, const MlsElasticity& elasticity,
                        const Eigen::Ref<const Points>& x);

}  // namespace deformbench::meshless

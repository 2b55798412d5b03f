// SPDX-License-Identifier: BSD-3-Clause
// What frames store of cracks and of the weights that they lower.
#pragma once

#include <string>
#include <vector>

#include "methods/facets.hpp"
#include "methods/meshless/weights/crack_weights.hpp"

namespace deformbench::meshless {

std::vector<std::string> crack_array_names();
/// One of them.
MethodArray crack_array(const std::string& name, const NodeCloud& cloud, const CrackWeights& weights);

}  // namespace deformbench::meshless

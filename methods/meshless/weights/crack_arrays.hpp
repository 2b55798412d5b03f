// SPDX-License-Identifier: BSD-3-Clause
// Frame arrays of cracks and crack-dependent weights.
#pragma once

#include <string>
#include <vector>

#include "methods/facets.hpp"
#include "methods/meshless/weights/crack_weights.hpp"

namespace deformbench::meshless {

std::vector<std::string> crack_array_names();
/// The array `name`.
MethodArray crack_array(const std::string& name, const NodeCloud& cloud, const CrackWeights& weights);

}  // namespace deformbench::meshless

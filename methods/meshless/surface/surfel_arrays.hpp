// SPDX-License-Identifier: BSD-3-Clause
// Frame arrays of surfels.
#pragma once

#include <string>
#include <vector>

#include "methods/facets.hpp"
#include "methods/meshless/surface/surfel_probes.hpp"

namespace deformbench::meshless {

std::vector<std::string> surfel_array_names();
/// The array `name`.
MethodArray surfel_array(const std::string& name, const SurfelSurface& surface, const NodeCloud& cloud,
                         const TriangulatedCracks& cracks, const NodeMotion& motion);

}  // namespace deformbench::meshless

// SPDX-License-Identifier: BSD-3-Clause
// Connected pieces of a body by pair weights.
#pragma once

#include <vector>

#include "methods/meshless/nodes/node_cloud.hpp"

namespace deformbench::meshless {

/// Piece of every node, 0, 1, … in the order of their first nodes. Nodes are of one piece if pairs of positive weight
/// connect them.
std::vector<int> pieces_of_nodes(const NodeCloud& cloud);

}  // namespace deformbench::meshless

// SPDX-License-Identifier: BSD-3-Clause
// Connected pieces of a body by pair weights.
#pragma once

#include <vector>

#include "methods/meshless/node_cloud.hpp"
#include "methods/meshless/surface/surfel_motion.hpp"

namespace deformbench::meshless {

/// Piece of every node, 0, 1, … in the order of their first nodes. Nodes are of one piece if pairs of positive weight
/// connect them.
std::vector<int> pieces_of_nodes(const NodeCloud& cloud);

/// Piece of the node with the largest weight per surfel; −1 if it sees no node.
std::vector<int> pieces_of_surfels(const SurfelMotion& motion, const std::vector<int>& pieces);

}  // namespace deformbench::meshless

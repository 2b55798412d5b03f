// SPDX-License-Identifier: BSD-3-Clause
// The pieces of a body: what weights of pairs still hold together.
#pragma once

#include <vector>

#include "methods/meshless/node_cloud.hpp"
#include "methods/meshless/surface/surfel_motion.hpp"

namespace deformbench::meshless {

/// Of every node its piece, 0, 1, … in the order of their first nodes. Nodes are of one piece where pairs with a weight
/// above zero lead from one to the other.
std::vector<int> pieces_of_nodes(const NodeCloud& cloud);

/// Of every surfel the piece of the node with the largest share in its motion; −1 where no node has one, as it sees
/// none.
std::vector<int> pieces_of_surfels(const SurfelMotion& motion, const std::vector<int>& pieces);

}  // namespace deformbench::meshless

// SPDX-License-Identifier: BSD-3-Clause
#include "methods/meshless/contact/contact_arrays.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace deformbench::meshless {
namespace {

MethodArray pieces(const char* name, const char* description, std::vector<int> values) {
  MethodArray array{name, "1", "index", description, {values.size()}};
  array.is_integer = true;
  array.integers = std::move(values);
  return array;
}

}  // namespace

std::vector<std::string> contact_array_names() {
  return {"node_pieces", "surfel_pieces", "surfel_contact_depths", "surfel_contact_forces", "contact_energy"};
}

MethodArray contact_array(const std::string& name, const NodeCloud& cloud, const SurfelMotion& motion,
                          const BodyContact* contact) {
  if (name == "node_pieces")
    return pieces("node_pieces", "Piece of every node: what pairs with a weight hold together.",
                  pieces_of_nodes(cloud));
  if (name == "surfel_pieces")
    return pieces("surfel_pieces", "Piece of every surfel: that of the node with the largest share; -1: sees no node.",
                  pieces_of_surfels(motion, pieces_of_nodes(cloud)));
  const std::size_t count = motion.surfels().size();
  if (name == "surfel_contact_depths") {
    MethodArray array{name, "m", "length", "How deep every surfel is behind another part's sheet; 0 if not.", {count}};
    array.reals.assign(count, 0.0);
    if (contact != nullptr)
      for (const SurfelContact& found : contact->contacts()) {
        double& depth = array.reals[std::size_t(found.surfel)];
        depth = std::max(depth, found.depth);
      }
    return array;
  }
  if (name == "surfel_contact_forces") {
    MethodArray array{name, "N", "force", "What pushes every surfel out of another part.", {count, 3}};
    array.reals.assign(3 * count, 0.0);
    if (contact != nullptr)
      for (const SurfelContact& found : contact->contacts())
        for (std::size_t c = 0; c < 3; ++c)
          array.reals[3 * std::size_t(found.surfel) + c] +=
              found.stiffness * found.depth * found.normal[Eigen::Index(c)];
    return array;
  }
  if (name == "contact_energy") {
    MethodArray array{name, "J", "energy", "What contacts of pieces with each other and themselves have stored.", {1}};
    array.reals = {contact != nullptr ? contact->energy() : 0.0};
    return array;
  }
  throw std::invalid_argument("contact_array: " + name);
}

}  // namespace deformbench::meshless

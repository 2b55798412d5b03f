// SPDX-License-Identifier: BSD-3-Clause
#include "methods/meshless/sampling/sampling_arrays.hpp"

#include <stdexcept>

namespace deformbench::meshless {
namespace {

constexpr const char* kLevelSets = "level_";

MethodArray levels(const Scene& scene, std::size_t count) {
  MethodArray array{
      "node_levels", "1", "index", "Level of the octree's cell of every node, 0 the root; -1 of others.", {count}};
  array.is_integer = true;
  array.integers.assign(count, -1);
  for (const auto& [name, nodes] : scene.vertex_sets) {
    if (!name.starts_with(kLevelSets)) continue;
    for (const int node : nodes) array.integers[std::size_t(node)] = std::stoi(name.substr(6));
  }
  return array;
}

MethodArray splits_of(const std::vector<NodeSplit>& splits) {
  MethodArray array{"node_splits",
                    "1",
                    "count",
                    "Nodes that the last step split: row before it, nodes inserted, nodes that share the mass.",
                    {splits.size(), 3}};
  array.is_integer = true;
  for (const NodeSplit& split : splits)
    array.integers.insert(array.integers.end(), {split.node, split.inserted, split.parts});
  return array;
}

}  // namespace

std::vector<std::string> sampling_array_names() {
  return {"node_levels", "node_splits"};
}

MethodArray sampling_array(const std::string& name, const NodeCloud& cloud, const Scene& scene,
                           const std::vector<NodeSplit>& splits) {
  const auto count = std::size_t(cloud.size());
  if (name == "node_levels") return levels(scene, count);
  if (name == "node_splits") return splits_of(splits);
  throw std::invalid_argument("no array '" + name + "'");
}

}  // namespace deformbench::meshless

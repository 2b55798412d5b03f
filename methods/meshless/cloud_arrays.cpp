// SPDX-License-Identifier: BSD-3-Clause
#include "methods/meshless/cloud_arrays.hpp"

#include <stdexcept>

namespace deformbench::meshless {
namespace {

MethodArray reals(const char* name, const char* unit, const char* quantity, const char* description,
                  const std::vector<double>& values) {
  return {name, unit, quantity, description, {values.size()}, values};
}

MethodArray pairs(const NodeCloud& cloud) {
  MethodArray array{
      "pairs", "1", "index", "Nodes i and j of every pair: j lies in the support of i.", {cloud.neighbours.size(), 2}};
  array.is_integer = true;
  array.integers.reserve(2 * cloud.neighbours.size());
  for (std::size_t i = 0; i + 1 < cloud.first.size(); ++i)
    for (std::size_t p = cloud.first[i]; p < cloud.first[i + 1]; ++p) {
      array.integers.push_back(int(i));
      array.integers.push_back(cloud.neighbours[p]);
    }
  return array;
}

MethodArray pair_gradients(const NodeCloud& cloud) {
  MethodArray array{"pair_gradients", "1/m", "gradient", "d_ij of every pair.", {cloud.gradients.size(), 3}};
  for (const Vector3& d : cloud.gradients) array.reals.insert(array.reals.end(), d.data(), d.data() + 3);
  return array;
}

MethodArray node_gradients(const NodeCloud& cloud, const MlsElasticity& elasticity, const Eigen::Ref<const Points>& x) {
  MethodArray array{"node_deformation_gradients",
                    "1",
                    "deformation gradient",
                    "F of every node, row by row.",
                    {std::size_t(cloud.size()), 3, 3}};
  for (Eigen::Index i = 0; i < cloud.size(); ++i) {
    const Eigen::Matrix<double, 3, 3, Eigen::RowMajor> f = elasticity.deformation_gradient(i, x);
    array.reals.insert(array.reals.end(), f.data(), f.data() + 9);
  }
  return array;
}

}  // namespace

std::vector<std::string> cloud_array_names() {
  return {"node_rest_positions",        "node_supports", "node_volumes",  "node_ranks",
          "node_deformation_gradients", "pairs",         "pair_gradients"};
}

MethodArray cloud_array(const std::string& name, const NodeCloud& cloud, const MlsElasticity& elasticity,
                        const Eigen::Ref<const Points>& x) {
  if (name == "node_supports") return reals("node_supports", "m", "length", "h of every node.", cloud.supports);
  if (name == "node_volumes") return reals("node_volumes", "m^3", "volume", "v of every node.", cloud.volumes);
  if (name == "node_deformation_gradients") return node_gradients(cloud, elasticity, x);
  if (name == "node_rest_positions")
    return {"node_rest_positions",
            "m",
            "position",
            "Rest position of every node.",
            {std::size_t(cloud.size()), 3},
            std::vector<double>(cloud.rest.data(), cloud.rest.data() + cloud.rest.size())};
  if (name == "pairs") return pairs(cloud);
  if (name == "pair_gradients") return pair_gradients(cloud);
  if (name != "node_ranks") throw std::invalid_argument("no array '" + name + "'");
  MethodArray ranks{"node_ranks", "1", "rank", "Rank of A of every node.", {cloud.ranks.size()}};
  ranks.is_integer = true;
  ranks.integers = cloud.ranks;
  return ranks;
}

}  // namespace deformbench::meshless

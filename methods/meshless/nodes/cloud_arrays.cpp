// SPDX-License-Identifier: BSD-3-Clause
#include "methods/meshless/nodes/cloud_arrays.hpp"

#include <algorithm>
#include <stdexcept>

#include "methods/meshless/nodes/shape_functions.hpp"

namespace deformbench::meshless {
namespace {

MethodArray reals(const char* name, const char* unit, const char* quantity, const char* description,
                  std::vector<double> values) {
  MethodArray array{name, unit, quantity, description, {values.size()}};
  array.reals = std::move(values);
  return array;
}

MethodArray integers(const char* name, const char* quantity, const char* description, std::vector<int> values) {
  MethodArray array{name, "1", quantity, description, {values.size()}};
  array.is_integer = true;
  array.integers = std::move(values);
  return array;
}

MethodArray points(const char* name, const char* description, const Points& x) {
  MethodArray array{name, "m", "position", description, {std::size_t(x.rows()), 3}};
  array.reals.assign(x.data(), x.data() + x.size());
  return array;
}

MethodArray pairs(const NodeCloud& cloud) {
  std::vector<int> found;
  found.reserve(2 * cloud.neighbours.size());
  for (std::size_t i = 0; i + 1 < cloud.first.size(); ++i)
    for (std::size_t p = cloud.first[i]; p < cloud.first[i + 1]; ++p) {
      found.push_back(int(i));
      found.push_back(cloud.neighbours[p]);
    }
  MethodArray array = integers("pairs", "index", "Nodes i and j of every pair: j lies in the support of i.", found);
  array.shape = {cloud.neighbours.size(), 2};
  return array;
}

MethodArray pair_gradients(const NodeCloud& cloud) {
  MethodArray array{"pair_gradients", "1/m", "gradient", "d_ij of every pair.", {cloud.gradients.size(), 3}};
  for (const Vector3& d : cloud.gradients) array.reals.insert(array.reals.end(), d.data(), d.data() + 3);
  return array;
}

/// One matrix per node, row by row.
template <class OfNode>
MethodArray matrices(const char* name, const char* unit, const char* quantity, const char* description,
                     const NodeCloud& cloud, OfNode&& of_node) {
  MethodArray array{name, unit, quantity, description, {std::size_t(cloud.size()), 3, 3}};
  for (Eigen::Index i = 0; i < cloud.size(); ++i) {
    const Eigen::Matrix<double, 3, 3, Eigen::RowMajor> matrix = of_node(i);
    array.reals.insert(array.reals.end(), matrix.data(), matrix.data() + 9);
  }
  return array;
}

MethodArray own_shape_values(const NodeCloud& cloud) {
  const ShapeFunctions shapes(cloud);
  std::vector<double> found;
  for (Eigen::Index i = 0; i < cloud.size(); ++i) {
    const ShapeValues at = shapes.at(cloud.rest.row(i));
    const auto own = std::find(at.nodes.begin(), at.nodes.end(), int(i)) - at.nodes.begin();
    found.push_back(at.values[std::size_t(own)]);
  }
  return reals("node_shape_values", "1", "shape function", "Φ of every node at the node itself.", std::move(found));
}

}  // namespace

std::vector<std::string> cloud_array_names() {
  return {"node_rest_positions", "node_supports", "node_masses",
          "node_volumes",        "node_ranks",    "node_deformation_gradients",
          "node_strains",        "node_stresses", "pairs",
          "pair_weights",        "pair_gradients"};
}

MethodArray cloud_array(const std::string& name, const NodeCloud& cloud, const MlsElasticity& elasticity,
                        const Eigen::Ref<const Points>& x) {
  if (name == "node_rest_positions") return points("node_rest_positions", "Rest position of every node.", cloud.rest);
  if (name == "node_supports") return reals("node_supports", "m", "length", "h of every node.", cloud.supports);
  if (name == "node_masses") return reals("node_masses", "kg", "mass", "m of every node.", cloud.masses);
  if (name == "node_volumes") return reals("node_volumes", "m^3", "volume", "v of every node.", cloud.volumes);
  if (name == "node_ranks") return integers("node_ranks", "rank", "Rank of A of every node.", cloud.ranks);
  if (name == "node_deformation_gradients")
    return matrices("node_deformation_gradients", "1", "deformation gradient", "F of every node, row by row.", cloud,
                    [&](Eigen::Index i) { return elasticity.deformation_gradient(i, x); });
  if (name == "node_strains")
    return matrices("node_strains", "1", "strain", "ε of every node, row by row.", cloud,
                    [&](Eigen::Index i) { return elasticity.strain(i, x); });
  if (name == "node_stresses")
    return matrices("node_stresses", "Pa", "stress", "σ of every node, row by row.", cloud,
                    [&](Eigen::Index i) { return elasticity.stress(i, x); });
  if (name == "pairs") return pairs(cloud);
  if (name == "pair_weights") return reals("pair_weights", "1", "weight", "ω of every pair.", cloud.weights);
  if (name == "pair_gradients") return pair_gradients(cloud);
  throw std::invalid_argument("no array '" + name + "'");
}

std::vector<std::string> shape_array_names() {
  return {"shape_positions", "shape_ranks", "shape_conditions", "shape_pairs", "shape_values", "node_shape_values"};
}

MethodArray shape_array(const std::string& name, const NodeCloud& cloud, const Points& samples) {
  if (name == "node_shape_values") return own_shape_values(cloud);
  if (name == "shape_positions")
    return points("shape_positions", "Points at which shape functions are sampled.", samples);
  const ShapeFunctions shapes(cloud);
  std::vector<int> ranks, pairs;
  std::vector<double> conditions, values;
  for (Eigen::Index k = 0; k < samples.rows(); ++k) {
    const ShapeValues at = shapes.at(samples.row(k));
    ranks.push_back(at.rank);
    conditions.push_back(at.condition);
    values.insert(values.end(), at.values.begin(), at.values.end());
    for (const int i : at.nodes) {
      pairs.push_back(int(k));
      pairs.push_back(i);
    }
  }
  if (name == "shape_ranks")
    return integers("shape_ranks", "rank", "Rank of the moment matrix at every sample.", std::move(ranks));
  if (name == "shape_conditions")
    return reals("shape_conditions", "1", "condition number", "Condition number of the scaled moment matrix.",
                 std::move(conditions));
  if (name == "shape_values")
    return reals("shape_values", "1", "shape function", "Φ of every pair of sample and node.", std::move(values));
  if (name != "shape_pairs") throw std::invalid_argument("no array '" + name + "'");
  MethodArray array =
      integers("shape_pairs", "index", "Sample and node of every Φ that is not zero.", std::move(pairs));
  array.shape = {values.size(), 2};
  return array;
}

}  // namespace deformbench::meshless

// SPDX-License-Identifier: BSD-3-Clause
// A random graph and a random positive definite block matrix on it, in both storages.
#pragma once

#include <Eigen/Dense>
#include <Eigen/SparseCore>

#include "methods/numerics/block_matrix.hpp"
#include "methods/numerics/random.hpp"

namespace deformbench::numerics {

inline EdgePattern random_pattern(int nodes, double density, RandomStream& random) {
  EdgePattern pattern;
  pattern.nodes = nodes;
  pattern.row_start.push_back(0);
  for (int i = 0; i < nodes; ++i) {
    for (int j = i + 1; j < nodes; ++j)
      if (j == i + 1 || random.uniform() < density) pattern.column.push_back(j);
    pattern.row_start.push_back(int(pattern.column.size()));
  }
  return pattern;
}

/// diag(w) + K with K symmetric, rows summing to zero. K is positive semidefinite when its blocks are symmetric and
/// negative definite (`definite`); else the blocks are any.
template <class T>
struct RandomSystem {
  RandomSystem(const EdgePattern& pattern, RandomStream& random, bool definite = true) : full(pattern), upper(pattern) {
    std::vector<Matrix3> diagonal(std::size_t(pattern.nodes), Matrix3::Zero());
    for (int i = 0; i < pattern.nodes; ++i) {
      for (int e = pattern.row_start[std::size_t(i)]; e < pattern.row_start[std::size_t(i) + 1]; ++e) {
        Matrix3 g;
        for (int k = 0; k < 9; ++k) g(k / 3, k % 3) = random.normal();
        const Matrix3 block = definite ? Matrix3(-(g * g.transpose())) : g;
        diagonal[std::size_t(i)] -= block;
        diagonal[std::size_t(pattern.column[std::size_t(e)])] -= block.transpose();
        put_block(full.upper(e), block);
        put_block(full.lower(e), block.transpose());
        put_block(upper.upper(e), block);
      }
      upper.weight(i) = T(random.uniform(0.5, 2.0));
    }
    for (int i = 0; i < pattern.nodes; ++i)
      put_block(full.diagonal(i), diagonal[std::size_t(i)] + double(upper.weight(i)) * Matrix3::Identity());
  }
  FullBlockMatrix<T> full;
  UpperBlockMatrix<T> upper;
};

template <class T>
AlignedVector<T> random_nodes(int nodes, RandomStream& random) {
  AlignedVector<T> v(4 * std::size_t(nodes), T(0));
  for (std::size_t i = 0; i < v.size(); ++i)
    if (i % 4 < 3) v[i] = T(random.normal());
  return v;
}

/// The three numbers of every node, one after the other.
template <class T>
Eigen::VectorXd packed(const AlignedVector<T>& v) {
  Eigen::VectorXd result(Eigen::Index(v.size() / 4 * 3));
  for (std::size_t i = 0; i < v.size() / 4; ++i)
    for (std::size_t k = 0; k < 3; ++k) result[Eigen::Index(3 * i + k)] = double(v[4 * i + k]);
  return result;
}

}  // namespace deformbench::numerics

// SPDX-License-Identifier: BSD-3-Clause
// The pairs of a cloud in the order in which a step reads them: nodes along a space-filling curve, of every node the
// pairs that it owns and, apart, those in which it is the neighbour, so that forces are gathered and no two threads
// write to one place. A pair is a place and a weight, 12 bytes: edges x_j − x_i are formed of sums, and A_i⁺ belongs to
// the node,
//   F_i = P_i + Σ_j ω_ij (u_j − u_i) (x_j − x_i)ᵀ A_i⁺,  f_j = Σ_i ω_ij R_i (x_i − x_j) + R_j Σ_k ω_jk (x_k − x_j),
//   R_i = Q_i A_i⁺.
// [PKAGDG05] eq. 2
#pragma once

#include <span>
#include <vector>

#include "methods/meshless/node_cloud.hpp"
#include "methods/numerics/aligned_vector.hpp"

namespace deformbench::meshless {

class PairLayout {
 public:
  /// Rows are filled up to a multiple of so many pairs by pairs of a node with itself, which weigh nothing.
  static constexpr std::size_t kRowMultiple = 4;

  /// Pairs of every place, one row after the other.
  struct Rows {
    std::vector<std::size_t> first;           ///< slots + 1, multiples of kRowMultiple
    std::vector<std::uint32_t> places;        ///< of the other node
    numerics::AlignedVector<double> weights;  ///< ω_ij of i, the owner
    std::size_t end(std::size_t place) const { return first[place + 1]; }
  };

  /// `multiple`: slots are filled up to a multiple of it by nodes without pairs.
  PairLayout(const NodeCloud& cloud, std::size_t multiple);

  /// New weights of the pairs of the nodes listed. False where one of them has a neighbour that it had not when the
  /// layout was made: make a new one then. A pair that is gone keeps its place and weighs nothing.
  [[nodiscard]] bool update_weights(const NodeCloud& cloud, std::span<const int> nodes);

  std::size_t size() const { return node_of.size(); }           ///< nodes
  std::size_t slots() const { return owned.first.size() - 1; }  ///< places, those that fill up included
  std::size_t pair_count() const { return pair_count_; }        ///< without those that fill up rows

  std::vector<int> node_of;             ///< of every place the node of the cloud
  std::vector<std::uint32_t> place_of;  ///< of every node its place
  Rows owned;                           ///< pairs (i, ·) of place i
  Rows met;                             ///< pairs (·, j) of place j

 private:
  void set_order(const NodeCloud& cloud);
  void set_rows(const NodeCloud& cloud, std::size_t multiple);

  std::size_t pair_count_ = 0;
};

}  // namespace deformbench::meshless

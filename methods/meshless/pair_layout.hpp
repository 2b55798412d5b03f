// SPDX-License-Identifier: BSD-3-Clause
// The pairs of a cloud in the order in which a step reads them: nodes along a space-filling curve, cut into blocks, and
// of every node the pairs that it owns. In a pair the other node has a number of the block: first come the block's own
// nodes, then its guests, nodes of other blocks that its own have as neighbours. A block works on copies of all of
// them, which stay in the cache, and reads a pair once for the gradient and at once again for the forces. A pair is a
// number and a weight, 12 bytes: edges x_j − x_i are formed of sums, and A_i⁺ belongs to the node,
//   F_i = P_i + Σ_j ω_ij (u_j − u_i) (x_j − x_i)ᵀ A_i⁺,  f_j = Σ_i ω_ij R_i (x_i − x_j) + R_j Σ_k ω_jk (x_k − x_j),
//   R_i = Q_i A_i⁺.
// [PKAGDG05] eq. 2
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "methods/meshless/node_cloud.hpp"
#include "methods/numerics/aligned_vector.hpp"

namespace deformbench::meshless {

class PairLayout {
 public:
  /// Nodes whose pairs are read side by side: of each the first, of each the second, and so on. The shorter of their
  /// rows are filled up by pairs of a node with itself, which weigh nothing.
  static constexpr std::size_t kRows = 4;

  /// A part of `guests`, whose nodes are all of one block.
  struct Range {
    std::size_t low, high;
  };
  struct Block {
    std::size_t low, high;         ///< places of its own nodes; slots, multiples of `multiple`
    Range guests;                  ///< its own
    std::vector<Range> elsewhere;  ///< guests of other blocks that are nodes of this one, in the order of the blocks
    std::size_t own_count() const { return high - low; }
    std::size_t count() const { return own_count() + guests.high - guests.low; }
  };

  /// `multiple`, of kRows: slots are filled up to a multiple of it by nodes without pairs.
  PairLayout(const NodeCloud& cloud, std::size_t multiple);

  /// New weights of the pairs of the nodes listed. False where one of them has a neighbour that it had not when the
  /// layout was made: make a new one then. A pair that is gone keeps its place and weighs nothing.
  [[nodiscard]] bool update_weights(const NodeCloud& cloud, std::span<const int> nodes);

  std::size_t size() const { return node_of.size(); }               ///< nodes
  std::size_t slots() const { return kRows * (first.size() - 1); }  ///< places, those that fill up included
  std::size_t pair_count() const { return pair_count_; }            ///< without those that fill up rows
  const Block& block_of(std::size_t place) const;
  /// The place of what has this number in the block.
  std::size_t place_in(const Block& block, std::size_t number) const;

  std::vector<int> node_of;             ///< of every place the node of the cloud
  std::vector<std::uint32_t> place_of;  ///< of every node its place
  std::vector<Block> blocks;
  std::vector<std::uint32_t> guests;  ///< places, of a block ascending

  std::vector<std::size_t> first;                 ///< of every kRows places and behind the last: where pairs begin
  numerics::AlignedVector<std::uint32_t> others;  ///< of every pair the other node's number in the block
  numerics::AlignedVector<double> weights;        ///< of every pair ω_ij
  /// Pairs of a place: begin, begin + kRows, … before end.
  Range row(std::size_t place) const { return {first[place / kRows] + place % kRows, first[place / kRows + 1]}; }

 private:
  void set_order(const NodeCloud& cloud);
  void set_blocks(const NodeCloud& cloud, std::size_t multiple);
  void set_rows(const NodeCloud& cloud);
  std::optional<std::uint32_t> number_in(const Block& block, std::uint32_t place) const;
  std::optional<std::size_t> find_pair(std::size_t place, std::uint32_t number) const;

  std::size_t pair_count_ = 0;
};

}  // namespace deformbench::meshless

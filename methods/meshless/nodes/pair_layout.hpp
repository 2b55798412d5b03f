// SPDX-License-Identifier: BSD-3-Clause
// Pairs of a cloud in order of evaluation: nodes along a space-filling curve, cut into blocks, and for every node its
// own pairs. The other node of a pair has a number within the block: first the block's own nodes, then its guests,
// nodes of other blocks that are neighbours of its own. A block works on cached copies of these and reads each pair
// twice in succession, for gradient and forces. A pair is a number and a weight, 12 bytes: x_i is subtracted from
// sums, and A_i⁺ belongs to the node,
//    F_i = P_i + Σ_j ω_ij (u_j − u_i) (x_j − x_i)ᵀ A_i⁺,  R_i = Q_i A_i⁺,
//    f_j = Σ_i ω_ij R_i (x_i − x_j) + R_j Σ_k ω_jk (x_k − x_j).
// [PKAGDG05] eq. 2
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "methods/meshless/nodes/node_cloud.hpp"
#include "methods/numerics/aligned_vector.hpp"

namespace deformbench::meshless {

class PairLayout {
 public:
  /// Number of nodes whose pairs are interleaved: the first of each, the second of each, and so on. Shorter rows are
  /// padded by pairs of a node with itself and weight zero.
  static constexpr std::size_t kRows = 4;

  /// Half-open range of indices in `guests` or of pairs.
  struct Range {
    std::size_t low, high;
  };
  struct Block {
    std::size_t low, high;         ///< places of its own nodes; multiples of `multiple`
    Range guests;                  ///< its own
    std::vector<Range> elsewhere;  ///< guests of other blocks that are nodes of this one, in block order
    std::size_t own_count() const { return high - low; }
    std::size_t count() const { return own_count() + guests.high - guests.low; }
  };

  /// `multiple` is a multiple of kRows; slots are padded to it by nodes without pairs.
  PairLayout(const NodeCloud& cloud, std::size_t multiple);

  /// Updates the pair weights of `nodes`. False if one has a neighbour that the layout lacks, which must be rebuilt
  /// then. Removed pairs keep their place with weight zero.
  [[nodiscard]] bool update_weights(const NodeCloud& cloud, std::span<const int> nodes);

  std::size_t size() const { return node_of.size(); }               ///< nodes
  std::size_t slots() const { return kRows * (first.size() - 1); }  ///< places including padding
  std::size_t pair_count() const { return pair_count_; }            ///< without padding
  const Block& block_of(std::size_t place) const;
  /// Place of the node with this number in the block.
  std::size_t place_in(const Block& block, std::size_t number) const;

  std::vector<int> node_of;             ///< node of the cloud per place
  std::vector<std::uint32_t> place_of;  ///< place per node
  std::vector<Block> blocks;
  std::vector<std::uint32_t> guests;  ///< places, ascending within a block

  std::vector<std::size_t> first;                 ///< first pair of each kRows places, then the end
  numerics::AlignedVector<std::uint32_t> others;  ///< other node's number in the block per pair
  numerics::AlignedVector<double> weights;        ///< ω_ij per pair
  /// Pairs of a place: low, low + kRows, … below high.
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

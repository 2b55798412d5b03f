// SPDX-License-Identifier: BSD-3-Clause
// Nodes inserted where cracks leave too few of them in a support. [PKAGDG05] §4
#pragma once

#include <functional>
#include <vector>

#include "methods/model/types.hpp"
#include "methods/numerics/random.hpp"

namespace deformbench::meshless {

/// What becomes of x_i; the text gives its mass to "the new nodes", and does not say whether it is one of them.
enum class SplitNode {
  Stays,     ///< n nodes are new, and n + 1 share the mass
  Replaced,  ///< n nodes share the mass, x_i is gone
};
enum class SplitSupports {
  KeepDensity,  ///< h′ = h s^(−1/3) where s nodes share the mass: m/h³ is what it was
  Kept,         ///< h′ = h
};
/// Where in the support of x_i new nodes are; the text does not say more.
enum class SplitPlaces {
  Balanced,  ///< at random, in the body and not behind a crack as seen from x_i, their centre at x_i
  Anywhere,  ///< at random
};

struct ResamplingOptions {
  double least_sum = 10.0;     ///< Ω_min
  double least_support = 0.0;  ///< m; a node whose parts would have less is not split
  SplitNode node = SplitNode::Stays;
  SplitSupports supports = SplitSupports::KeepDensity;
  SplitPlaces places = SplitPlaces::Balanced;
};

/// Nodes in the rest shape, one entry per node.
struct SampledNodes {
  Points positions;                      ///< n×3, m
  std::vector<double> supports, masses;  ///< m, kg
};

struct NodeSplit {
  int node;        ///< whose row the first of its parts has
  int inserted;    ///< ⌈Ω_min − Ω⌉
  int parts;       ///< that share the mass
  double sum;      ///< Ω
  double support;  ///< m, of every part
};

struct Resampled {
  SampledNodes nodes;        ///< old rows first, then what is inserted, split by split
  std::vector<int> parents;  ///< of every row the row before
  std::vector<NodeSplit> splits;
  std::vector<int> too_small;  ///< nodes with Ω < Ω_min whose parts would be smaller than allowed
};

/// Whether a new node may be at `to`, as seen from the node at `from`, which it is a part of (m).
using IsAllowed = std::function<bool(const Vector3& from, const Vector3& to)>;

/// One pass: every node of which sums[i] = Ω_i is below Ω_min is split, all by their Ω before the pass. `is_allowed`
/// is asked where places are balanced.
Resampled resample(const SampledNodes& nodes, const std::vector<double>& sums, const ResamplingOptions& options,
                   const IsAllowed& is_allowed, numerics::RandomStream& random);

/// Parts of a mass, equal but for rounding: the first is what the others leave, and their sum in any order is `mass` to
/// the bit. `parts` ≥ 1.
std::vector<double> shares_of(double mass, int parts);

}  // namespace deformbench::meshless

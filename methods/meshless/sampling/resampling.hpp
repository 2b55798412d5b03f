// SPDX-License-Identifier: BSD-3-Clause
// Insertion of nodes where cracks leave too few in a support. [PKAGDG05] §4
#pragma once

#include <functional>
#include <vector>

#include "methods/model/types.hpp"
#include "methods/numerics/random.hpp"

namespace deformbench::meshless {

/// Whether x_i stays; the paper does not say if it is one of "the new nodes" that share its mass.
enum class SplitNode {
  Stays,     ///< n new nodes; n + 1 share the mass
  Replaced,  ///< n nodes share the mass, x_i is removed
};
enum class SplitSupports {
  KeepDensity,  ///< h′ = h s^(−1/3) if s nodes share the mass: preserves m/h³
  Kept,         ///< h′ = h
};
/// Positions of new nodes in the support of x_i; left open by the paper.
enum class SplitPlaces {
  Balanced,  ///< random, inside the body, not hidden from x_i by a crack, centroid at x_i
  Anywhere,  ///< random
};

struct ResamplingOptions {
  double least_sum = 10.0;     ///< Ω_min
  double least_support = 0.0;  ///< m; no splits into parts with smaller supports
  SplitNode node = SplitNode::Stays;
  SplitSupports supports = SplitSupports::KeepDensity;
  SplitPlaces places = SplitPlaces::Balanced;
};

/// Nodes in the rest shape, one entry each.
struct SampledNodes {
  Points positions;                      ///< n×3, m
  std::vector<double> supports, masses;  ///< m, kg
};

struct NodeSplit {
  int node;        ///< row of its first part
  int inserted;    ///< ⌈Ω_min − Ω⌉
  int parts;       ///< number of nodes that share the mass
  double sum;      ///< Ω
  double support;  ///< m, of each part
};

struct Resampled {
  SampledNodes nodes;        ///< old rows first, then inserted ones, ordered by split
  std::vector<int> parents;  ///< source row of each row
  std::vector<NodeSplit> splits;
  std::vector<int> too_small;  ///< Ω < Ω_min, but parts too small or without room
};

/// Whether a node at `from` may place a part at `to` (rest positions, m).
using IsAllowed = std::function<bool(const Vector3& from, const Vector3& to)>;

/// One pass: splits every node with sums[i] = Ω_i below Ω_min, using Ω before the pass. `is_allowed` is used for
/// balanced positions.
Resampled resample(const SampledNodes& nodes, const std::vector<double>& sums, const ResamplingOptions& options,
                   const IsAllowed& is_allowed, numerics::RandomStream& random);

/// Shares of a mass, equal up to rounding; the first takes the remainder, so they sum to `mass` exactly in any order.
/// `parts` ≥ 1.
std::vector<double> shares_of(double mass, int parts);

}  // namespace deformbench::meshless

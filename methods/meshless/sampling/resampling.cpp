// SPDX-License-Identifier: BSD-3-Clause
#include "methods/meshless/sampling/resampling.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace deformbench::meshless {
namespace {

constexpr int kPlacings = 20;              // attempts per ball radius
constexpr double kPlacingShrink = 0.8;     // factor on the radius
constexpr double kSmallestPlacing = 1e-3;  // in supports; below, a node has no room

class Placing {
 public:
  Placing(const IsAllowed& is_allowed, numerics::RandomStream& random) : is_allowed_(is_allowed), random_(random) {}

  /// Uniformly distributed in the ball.
  Vector3 offset(double radius) { return radius * std::cbrt(random_.uniform()) * random_.direction(); }

  /// `count` allowed offsets from x with zero sum, all shorter than `support`; nothing without room.
  std::optional<std::vector<Vector3>> balanced(const Vector3& x, double support, int count) {
    for (double radius = support; radius > kSmallestPlacing * support; radius *= kPlacingShrink)
      for (int attempt = 0; attempt < kPlacings; ++attempt) {
        std::vector<Vector3> offsets;
        Vector3 mean = Vector3::Zero();
        for (int k = 0; k < count; ++k) mean += offsets.emplace_back(allowed_offset(x, radius)) / count;
        for (Vector3& offset : offsets) offset -= mean;
        const auto fits = [&](const Vector3& offset) { return offset.norm() < support && is_allowed_(x, x + offset); };
        if (std::all_of(offsets.begin(), offsets.end(), fits)) return offsets;
      }
    return {};
  }

 private:
  Vector3 allowed_offset(const Vector3& x, double radius) {
    Vector3 found = offset(radius);
    for (int k = 0; k < kPlacings && !is_allowed_(x, x + found); ++k) found = offset(radius);
    return found;
  }

  const IsAllowed& is_allowed_;
  numerics::RandomStream& random_;
};

/// Positions of the parts of the node at x, its own row's first.
std::optional<std::vector<Vector3>> places_of(const Vector3& x, double support, const NodeSplit& split,
                                              const ResamplingOptions& options, Placing& placing) {
  const bool stays = options.node == SplitNode::Stays;
  std::vector<Vector3> places;
  if (options.places == SplitPlaces::Anywhere) {
    for (int k = 0; k < split.parts; ++k) places.push_back(k == 0 && stays ? x : Vector3(x + placing.offset(support)));
    return places;
  }
  // With a single new node the old one moves too, since their centre would shift otherwise.
  const bool is_fixed = stays && split.inserted > 1;
  const auto offsets = placing.balanced(x, support, split.parts - (is_fixed ? 1 : 0));
  if (!offsets) return {};
  if (is_fixed) places.push_back(x);
  for (const Vector3& offset : *offsets) places.emplace_back(x + offset);
  return places;
}

}  // namespace

std::vector<double> shares_of(double mass, int parts) {
  const double unit = std::nextafter(mass, std::numeric_limits<double>::infinity()) - mass;
  const double share = std::floor(mass / parts / unit) * unit;  // multiples of the unit, so that sums are exact
  std::vector<double> shares(std::size_t(parts), share);
  shares[0] = mass - (parts - 1) * share;
  return shares;
}

Resampled resample(const SampledNodes& nodes, const std::vector<double>& sums, const ResamplingOptions& options,
                   const IsAllowed& is_allowed, numerics::RandomStream& random) {
  Placing placing(is_allowed, random);
  Resampled result{nodes, {}, {}, {}};
  std::vector<Vector3> added;
  for (int i = 0; i < int(sums.size()); ++i) result.parents.push_back(i);
  for (int i = 0; i < int(sums.size()); ++i) {
    const double sum = sums[std::size_t(i)], support = nodes.supports[std::size_t(i)];
    if (!(sum < options.least_sum)) continue;
    const int inserted = int(std::ceil(options.least_sum - sum));
    const int parts = inserted + (options.node == SplitNode::Stays ? 1 : 0);
    NodeSplit split{i, inserted, parts, sum, support};
    if (options.supports == SplitSupports::KeepDensity) split.support = support / std::cbrt(double(parts));
    const Vector3 x = nodes.positions.row(i);
    const auto places = split.support < options.least_support ? std::optional<std::vector<Vector3>>{}
                                                              : places_of(x, support, split, options, placing);
    if (!places) {
      result.too_small.push_back(i);
      continue;
    }
    const std::vector<double> shares = shares_of(nodes.masses[std::size_t(i)], parts);
    result.nodes.positions.row(i) = places->front();
    result.nodes.supports[std::size_t(i)] = split.support;
    result.nodes.masses[std::size_t(i)] = shares[0];
    for (std::size_t k = 1; k < places->size(); ++k) {
      added.push_back((*places)[k]);
      result.nodes.supports.push_back(split.support);
      result.nodes.masses.push_back(shares[k]);
      result.parents.push_back(i);
    }
    result.splits.push_back(split);
  }
  const Eigen::Index before = nodes.positions.rows();
  result.nodes.positions.conservativeResize(before + Eigen::Index(added.size()), 3);
  for (std::size_t k = 0; k < added.size(); ++k)
    result.nodes.positions.row(before + Eigen::Index(k)) = added[k].transpose();
  return result;
}

}  // namespace deformbench::meshless

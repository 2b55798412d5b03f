// SPDX-License-Identifier: BSD-3-Clause
#include "methods/meshless/sampling/volume_samples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "methods/model/error.hpp"
#include "methods/surface/ray_crossings.hpp"

namespace deformbench::meshless {
namespace {

constexpr double kLeastDistance = 0.5;  // of two nodes, relative to the distance of their cells' centres
constexpr int kRepulsionHalvings = 4;   // of a repulsion step that leaves the solid, before the node stays

class Sampling {
 public:
  Sampling(const model::TriangleMesh& surface, const SamplingOptions& options)
      : options_(options), octree_(surface, options.octree), inside_(surface) {
    std::vector<int> node_of(octree_.cells().size(), -1);
    for (std::size_t c = 0; c < octree_.cells().size(); ++c) {
      if (inside_.winding(octree_.centre_of(octree_.cells()[c])) == 0) continue;
      node_of[c] = int(cells_.size());
      cells_.push_back(int(c));
    }
    if (cells_.empty())
      throw InputError(
          fmt::format("octree of {} levels: no cell has its centre inside the surface, expected more levels",
                      options.octree.levels));
    positions_.resize(Eigen::Index(cells_.size()), 3);
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      positions_.row(Eigen::Index(i)) = octree_.centre_of(cell(i));
      const auto nodes_of = [&](Adjacency adjacency) {
        std::vector<int> nodes;
        for (const int c : octree_.adjacent(cells_[i], adjacency))
          if (const int j = node_of[std::size_t(c)]; j >= 0) nodes.push_back(j);
        return nodes;
      };
      adjacent_.push_back(nodes_of(options.octree.adjacency));
      touching_.push_back(nodes_of(Adjacency::Corners));
    }
    centres_ = positions_;
  }

  /// Moves all nodes at once; each stays within its cell and the solid. κ (1 − d/r) d vanishes with d, so nodes pushed
  /// towards each other are kept apart only by the step limit.
  void repel() {
    const Points before = positions_;
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      const Vector3 x = before.row(Eigen::Index(i));
      const double edge = octree_.edges_of(cell(i)).mean();
      Vector3 step = Vector3::Zero();
      for (const int j : adjacent_[i]) {
        const Vector3 away = x - Vector3(before.row(j));
        const double reach = 0.5 * options_.repulsion_reach * (edge + octree_.edges_of(cell(std::size_t(j))).mean());
        step += options_.repulsion_strength * std::max(0.0, 1.0 - away.norm() / reach) * away;
      }
      const double most = longest_step(i, before);
      if (const double length = step.norm(); length > most) step *= most / length;
      const Vector3 low = octree_.low_of(cell(i)), high = low + octree_.edges_of(cell(i));
      for (int k = 0; k < kRepulsionHalvings; ++k, step *= 0.5) {
        const Vector3 there = (x + step).cwiseMax(low).cwiseMin(high);
        if (inside_.winding(there) == 0) continue;
        positions_.row(Eigen::Index(i)) = there;
        break;
      }
    }
  }

  /// Twice the distance to the farthest sample of all adjacent cells; two cell diagonals if there is none (left open by
  /// the paper).
  VolumeSamples samples() const {
    VolumeSamples result{positions_, centres_, {}, {}};
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      double farthest = 0.0;
      for (const int j : adjacent_[i])
        farthest = std::max(farthest, (positions_.row(j) - positions_.row(Eigen::Index(i))).norm());
      result.supports.push_back(2.0 * (farthest > 0.0 ? farthest : octree_.edges_of(cell(i)).norm()));
      result.levels.push_back(octree_.level_of(cell(i)));
    }
    return result;
  }

 private:
  /// m: half the gap between a node and any other in a touching cell, down to `kLeastDistance`; two nodes that both
  /// move this far get no closer than that.
  double longest_step(std::size_t node, const Points& positions) const {
    double free = std::numeric_limits<double>::infinity();
    for (const int j : touching_[node]) {
      const auto i = Eigen::Index(node);
      const double least = kLeastDistance * (centres_.row(i) - centres_.row(j)).norm();
      free = std::min(free, (positions.row(i) - positions.row(j)).norm() - least);
    }
    return 0.5 * std::max(0.0, free);
  }

  const OctreeCell& cell(std::size_t node) const { return octree_.cells()[std::size_t(cells_[node])]; }

  const SamplingOptions& options_;
  const Octree octree_;
  const surface::RayCrossings inside_;
  std::vector<int> cells_;  ///< per node
  Points positions_, centres_;
  std::vector<std::vector<int>> adjacent_, touching_;  ///< nodes of adjacent cells; of cells with a common corner
};

}  // namespace

VolumeSamples sample_volume(const model::TriangleMesh& surface, const SamplingOptions& options) {
  Sampling sampling(surface, options);
  for (int k = 0; k < options.repulsion_iterations; ++k) sampling.repel();
  return sampling.samples();
}

}  // namespace deformbench::meshless

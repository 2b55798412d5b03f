// SPDX-License-Identifier: BSD-3-Clause
// Which elements the scene's heat sources reach, and the materials that they then have.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "methods/model/scene.hpp"

namespace deformbench::fem {

class Heating {
 public:
  /// Nothing is heated yet.
  explicit Heating(const Scene& scene);

  /// An element that heats up, or with `source` < 0 cools down.
  struct Change {
    int element;
    int source;  ///< of Scene::heat_sources: the last that reaches the element
  };
  /// Sources as they stand at `time` (s) over elements at `positions` (m, n×3). Sets the materials of the changed
  /// elements in `scene`, which is the one of the constructor.
  std::vector<Change> update(Scene& scene, double time, const Eigen::Ref<const Points>& positions);

  bool has_sources() const { return !heated_.empty(); }
  /// One an element; empty without sources.
  std::span<const std::uint8_t> heated() const { return heated_; }

 private:
  std::vector<std::uint8_t> heated_;
  std::vector<int> source_of_;      ///< of each element, −1 when cold
  std::vector<int> cold_material_;  ///< of each element: what it was given
  std::vector<std::vector<int>>
      warm_material_;  ///< [source][cold material] → index into Scene::materials, −1: none yet
};

}  // namespace deformbench::fem

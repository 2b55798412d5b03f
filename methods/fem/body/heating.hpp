// SPDX-License-Identifier: BSD-3-Clause
// Elements reached by the scene's heat sources, and their materials.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "methods/model/scene.hpp"

namespace deformbench::fem {

class Heating {
 public:
  /// Starts with all elements cold.
  explicit Heating(const Scene& scene);

  /// An element that heats up, or with `source` < 0 cools down.
  struct Change {
    int element;
    int source;  ///< index in Scene::heat_sources of the last one that reaches the element
  };
  /// Applies the sources at `time` (s) to elements at `positions` (m, n×3). Sets the materials of changed elements in
  /// `scene`, which must be the constructor's.
  std::vector<Change> update(Scene& scene, double time, const Eigen::Ref<const Points>& positions);

  bool has_sources() const { return !heated_.empty(); }
  /// One per element; empty without sources.
  std::span<const std::uint8_t> heated() const { return heated_; }

 private:
  std::vector<std::uint8_t> heated_;
  std::vector<int> source_of_;      ///< of each element, −1 when cold
  std::vector<int> cold_material_;  ///< original material of each element
  std::vector<std::vector<int>>
      warm_material_;  ///< [source][cold material] → index into Scene::materials, −1: none yet
};

}  // namespace deformbench::fem

// SPDX-License-Identifier: BSD-3-Clause
// All internal forces of one piece of cloth or chain of springs: their energy, and their damping.
#pragma once

#include <vector>

#include "methods/cloth/cloth_options.hpp"
#include "methods/cloth/elements/springs.hpp"
#include "methods/model/scene.hpp"

namespace deformbench::cloth {

class ClothForces {
 public:
  ClothForces(const Scene& scene, const ClothOptions& options);

  double energy(const Eigen::Ref<const Points>& x) const;  ///< J
  /// Adds −∂W/∂x (N, n×3).
  void add_elastic(const Eigen::Ref<const Points>& x, Points& forces) const;

  std::vector<Spring>& springs() { return springs_; }  ///< whose rest lengths and stiffnesses plasticity changes

 private:
  std::vector<Spring> springs_;
};

}  // namespace deformbench::cloth

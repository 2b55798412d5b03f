// SPDX-License-Identifier: BSD-3-Clause
#include "methods/cloth/cloth_forces.hpp"

namespace deformbench::cloth {

ClothForces::ClothForces(const Scene& scene, const ClothOptions& options)
    : springs_(springs_of(scene, options.stretch_stiffness)) {}

double ClothForces::energy(const Eigen::Ref<const Points>& x) const {
  return cloth::energy(springs_, x);
}

void ClothForces::add_elastic(const Eigen::Ref<const Points>& x, Points& forces) const {
  add_forces(springs_, x, forces);
}

}  // namespace deformbench::cloth

// SPDX-License-Identifier: BSD-3-Clause
// Springs along the edges of a mesh, and those that a scene lists.
#pragma once

#include <vector>

#include "methods/model/scene.hpp"

namespace deformbench::cloth {

/// W = k/2 (|x1 − x0| − rest)²: of the form C·C/2 with C = √k (|x1 − x0| − rest). [B05] §5
struct Spring {
  std::array<int, 2> vertices;
  double rest_length;  ///< m
  double stiffness;    ///< N/m
};

/// The edges of the scene's cloth, each with `edge_stiffness` (N/m), then its distance constraints with 1/compliance.
std::vector<Spring> springs_of(const Scene& scene, double edge_stiffness);

double energy(const std::vector<Spring>& springs, const Eigen::Ref<const Points>& x);  ///< J
/// Adds −∂W/∂x (N). A spring of no length has no direction, and no force.
void add_forces(const std::vector<Spring>& springs, const Eigen::Ref<const Points>& x, Points& forces);

}  // namespace deformbench::cloth

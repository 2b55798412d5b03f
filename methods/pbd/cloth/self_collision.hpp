// SPDX-License-Identifier: BSD-3-Clause
// The cloth against itself: vertices against triangles with thickness h, candidates by spatial hashing. [MHHR07] §4.3
#pragma once

#include <array>
#include <vector>

#include "methods/pbd/pbd_options.hpp"
#include "methods/model/types.hpp"

namespace deformbench::pbd {

/// C = side·(q − p1)·n − h ≥ 0, n the unit normal of the triangle (eqs. 11, 12).
struct SelfContact {
  int vertex;
  std::array<int, 3> triangle;
  double side;   ///< +1 or −1: on which the vertex was at the start of the step
};

class SelfCollision {
 public:
  SelfCollision(const Triangles& triangles, Eigen::Index vertex_count, double thickness);
  /// Pairs that touch or come within the thickness on the way x → p (moving triangle against moving point, continuous and
  /// static). Pairs that share a vertex are left out. Each found once; order deterministic.
  void find(const Points& x, const Points& p, std::vector<SelfContact>& contacts);

 private:
  Triangles triangles_;
  double thickness_;
};

/// Projects C of one contact on p; Δp_i = −w_i ∇_iC · C/Σ w|∇C|², gradients as `gradient` says. False where C ≥ 0 already.
bool project(const SelfContact& contact, double thickness, const Eigen::VectorXd& inverse_masses, SelfGradient gradient,
             MassWeighting weighting, Points& p);

}  // namespace deformbench::pbd

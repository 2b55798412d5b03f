// SPDX-License-Identifier: BSD-3-Clause
// Base class of constraints, [MHHR07] §3.1: cardinality, function, gradient, stiffness, equality or inequality. A
// user-defined example with tests: tests/pbd/user_constraint_test.cpp.
#pragma once

#include <span>
#include <vector>

#include "methods/model/types.hpp"

namespace deformbench::pbd {

class Constraint {
 public:
  virtual ~Constraint() = default;
  /// Vertex indices; their number is the cardinality n_j.
  virtual std::span<const int> vertices() const = 0;
  /// Returns C(p), sets ∇_iC for each vertex. If all are zero, no correction is possible.
  virtual double evaluate(const Points& positions, std::span<Vector3> gradients) const = 0;

  // New values apply from the next (sub)step.
  double stiffness = 1.0;      ///< k ∈ [0, 1]
  double compliance = 0.0;     ///< α ≥ 0; compliant solver only
  bool is_inequality = false;  ///< C ≥ 0: projected only if C < 0
};

}  // namespace deformbench::pbd

// SPDX-License-Identifier: BSD-3-Clause
// Base class of constraints, [MHHR07] §3.1: cardinality, function, gradient, stiffness, equality or inequality. Example
// of a user-defined one, with tests: tests/pbd/user_constraint_test.cpp.
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
  /// C(p); fills one gradient ∇_iC per vertex. All gradients zero: no correction is possible now.
  virtual double evaluate(const Points& positions, std::span<Vector3> gradients) const = 0;

  // Changes take effect from the next (sub)step.
  double stiffness = 1.0;      ///< k ∈ [0, 1]
  double compliance = 0.0;     ///< α ≥ 0; compliant solver only
  bool is_inequality = false;  ///< C ≥ 0: projected only if C < 0
};

}  // namespace deformbench::pbd

// SPDX-License-Identifier: BSD-3-Clause
// Any constraint, [MHHR07] §3.1: cardinality, function, gradient, stiffness, equality or inequality. Derive from it for
// one of your own; docs and test: tests/pbd/user_constraint_test.cpp.
#pragma once

#include <span>
#include <vector>

#include "methods/model/types.hpp"

namespace deformbench::pbd {

class Constraint {
 public:
  virtual ~Constraint() = default;
  /// Indices of its vertices; their number is the cardinality n_j.
  virtual std::span<const int> vertices() const = 0;
  /// C(p); fills one gradient ∇_iC a vertex. A zero gradient everywhere means that nothing can be done now.
  virtual double evaluate(const Points& positions, std::span<Vector3> gradients) const = 0;

  // What changes here counts from the next (sub)step on.
  double stiffness = 1.0;      ///< k ∈ [0, 1]
  double compliance = 0.0;     ///< α ≥ 0; compliant solver only
  bool is_inequality = false;  ///< C ≥ 0: projected only where C < 0
};

}  // namespace deformbench::pbd

// SPDX-License-Identifier: BSD-3-Clause
// Conjugate gradients for velocities with prescribed components, by a filter as in Baraff and Witkin 1998.
#pragma once

#include <Eigen/SparseCore>
#include <vector>

#include "methods/cloth/contact/vertex_contact.hpp"
#include "methods/model/types.hpp"

namespace deformbench::cloth {

/// Prescribed components of the solution: those of held vertices, and normal components of constrained vertices.
class Filter {
 public:
  /// `is_free` n×3, 1 or 0. Normals of the same vertex are orthogonalised; three independent ones fix it.
  Filter(const Points& is_free, const std::vector<VertexContact>& constrained);
  /// Sets the prescribed components of `y` to zero.
  void apply(Eigen::VectorXd& y) const;

 private:
  struct Direction {
    int vertex;
    Vector3 normal;
  };
  const Points is_free_;
  std::vector<Direction> directions_;
};

struct FilteredResult {
  int iterations = 0;
  double residual = 0.0;  ///< ‖b − A v‖/‖b‖, both filtered; ‖b − A v‖ if b is zero
  bool converged = true;
};

/// Solves A v = b for the free components; the others keep their value in `v`. A is symmetric positive definite
/// (3n×3n). Diagonal preconditioner; ends at a residual ≤ max(`tolerance` ‖filtered b‖, 1e-15 ‖b‖). If any number is
/// not finite, all of `v` becomes NaN.
FilteredResult filtered_solve(const Eigen::SparseMatrix<double>& a, const Eigen::VectorXd& b, const Filter& filter,
                              double tolerance, int max_iterations, Eigen::VectorXd& v);

}  // namespace deformbench::cloth

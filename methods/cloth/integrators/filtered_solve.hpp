// SPDX-License-Identifier: BSD-3-Clause
// Linear systems of velocities of which some are given: conjugate gradients with a filter, as in Baraff and Witkin
// 1998.
#pragma once

#include <Eigen/SparseCore>
#include <vector>

#include "methods/cloth/contact/vertex_contact.hpp"
#include "methods/model/types.hpp"

namespace deformbench::cloth {

/// Which components of the solution are given: those of held vertices, and of others the one along a normal.
class Filter {
 public:
  /// `is_free` n×3, 1 or 0. Normals of one vertex that differ are made orthogonal; a third leaves nothing free.
  Filter(const Points& is_free, const std::vector<VertexContact>& constrained);
  /// Takes the given components out of `y`.
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
  double residual = 0.0;  ///< ‖b − A v‖/‖b‖, both filtered; ‖b − A v‖ where b is zero
  bool converged = true;
};

/// Solves A v = b for the components that the filter leaves free; the others keep what `v` has. A symmetric, positive
/// definite (3n×3n). Preconditioned by the diagonal; ends when the residual is `tolerance` times ‖filtered b‖. Where a
/// number is not finite, neither is any of `v` at the end.
FilteredResult filtered_solve(const Eigen::SparseMatrix<double>& a, const Eigen::VectorXd& b, const Filter& filter,
                              double tolerance, int max_iterations, Eigen::VectorXd& v);

}  // namespace deformbench::cloth

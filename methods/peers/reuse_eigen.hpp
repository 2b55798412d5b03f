// SPDX-License-Identifier: BSD-3-Clause
// Optimised FEM with Eigen: sparsity pattern and block positions of every element found once, the upper 10 of the 16
// blocks of a symmetric element, Eigen's conjugate gradients. The faster baseline beside naive_eigen. Force and
// stiffness of an element come from reuse_elements.cpp.
#pragma once

#include <array>

#include "methods/peers/eigen_body.hpp"

namespace deformbench::peers {

class ReuseEigen : public EigenBody {
 public:
  ReuseEigen(const Scene& scene, const Parameters& parameters, const RunContext& context);

 protected:
  /// −∂f_i/∂x_j, or the method's approximation of it, for corners i ≤ j: 00 01 02 03 11 12 13 22 23 33 (N/m).
  using Blocks = std::array<Matrix3, 10>;

  /// Force on the corners (N) and blocks of an element at the start of the step.
  virtual void evaluate(Eigen::Index element, Vector12& force, Blocks& blocks) const = 0;
  Matrix3 rotation_of(const Matrix3& f) const override;

 private:
  /// Where the three columns of a 3×3 block start in the matrix values; a column is contiguous. −1: row or column
  /// prescribed.
  using Place = std::array<Eigen::Index, 3>;

  void build_pattern();
  Place place_of(int row, int column);
  void find_places();
  void add(const Place& place, const Matrix3& block);
  const SparseMatrix& assemble(Eigen::VectorXd& b, const Points& prescribed) override;

  SparseMatrix a_;
  std::vector<Place> places_;    ///< 16 per element, row by row
  std::vector<Place> diagonal_;  ///< one per free vertex
};

}  // namespace deformbench::peers

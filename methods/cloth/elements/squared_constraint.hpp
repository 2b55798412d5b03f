// SPDX-License-Identifier: BSD-3-Clause
// Elements with energy W = ½ C·C: C and ∂C/∂x give forces, damping and its matrix. [B05] §5
#pragma once

#include <Eigen/SparseCore>
#include <array>
#include <vector>

#include "methods/model/types.hpp"

namespace deformbench::cloth {

using Sparse = Eigen::SparseMatrix<double>;

/// C (`Size` numbers, √J) of an element and ∂C/∂x with respect to the 3·Vertices coordinates of its vertices, vertex by
/// vertex (√J/m).
template <int Size, int Vertices>
struct SquaredConstraint {
  Eigen::Matrix<double, Size, 1> value;
  Eigen::Matrix<double, Size, 3 * Vertices> slope;
};

/// Positions or velocities of the vertices of an element, 3×Vertices.
template <int Vertices>
using Corners = Eigen::Matrix<double, 3, Vertices>;
template <int Vertices>
using CornerVector = Eigen::Matrix<double, 3 * Vertices, 1>;
template <int Vertices>
using CornerMatrix = Eigen::Matrix<double, 3 * Vertices, 3 * Vertices>;

template <std::size_t Vertices>
Corners<int(Vertices)> corners_of(const std::array<int, Vertices>& vertices, const Eigen::Ref<const Points>& field) {
  Corners<int(Vertices)> corners;
  for (std::size_t k = 0; k < Vertices; ++k) corners.col(Eigen::Index(k)) = field.row(vertices[k]).transpose();
  return corners;
}

template <std::size_t Vertices, class Derived>
void add_to_corners(const std::array<int, Vertices>& vertices, const Eigen::MatrixBase<Derived>& forces,
                    Points& field) {
  for (std::size_t k = 0; k < Vertices; ++k)
    field.row(vertices[k]) += forces.template segment<3>(3 * Eigen::Index(k)).transpose();
}

template <std::size_t Vertices, class Derived>
void add_to_entries(const std::array<int, Vertices>& vertices, const Eigen::MatrixBase<Derived>& matrix,
                    std::vector<Eigen::Triplet<double>>& entries) {
  for (std::size_t a = 0; a < Vertices; ++a)
    for (std::size_t b = 0; b < Vertices; ++b)
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          entries.emplace_back(3 * vertices[a] + i, 3 * vertices[b] + j,
                               matrix(3 * Eigen::Index(a) + i, 3 * Eigen::Index(b) + j));
}

/// −k (∂C/∂x)ᵀ Ċ with Ċ = (∂C/∂x) v: linear in v, zero for velocities that preserve C. [B05] §5
/// DEVIATION [B05] §5: the slide has ∂C/∂X instead of its transpose, and no coefficient.
template <int Size, int Vertices>
CornerVector<Vertices> damping_force(const SquaredConstraint<Size, Vertices>& c, const Corners<Vertices>& velocities,
                                     double coefficient) {
  const Eigen::Map<const CornerVector<Vertices>> v(velocities.data());
  const Eigen::Matrix<double, Size, 1> rate = c.slope * v;
  return -coefficient * (c.slope.transpose() * rate);
}

}  // namespace deformbench::cloth

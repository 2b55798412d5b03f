// SPDX-License-Identifier: BSD-3-Clause
#include "methods/cloth/elements/strain_elements.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <Eigen/LU>

namespace deformbench::cloth {
namespace {

/// Row and column of each component: normal strains, then shears (engineering shear, 2 ε_ij).
template <int Dimension>
constexpr std::array<std::array<int, 2>, std::size_t(Dimension*(Dimension + 1) / 2)> components() {
  if constexpr (Dimension == 2)
    return {{{0, 0}, {1, 1}, {0, 1}}};
  else
    return {{{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {2, 0}}};
}

template <int Dimension>
Eigen::Matrix<double, 3, Dimension> gradient(const StrainElement<Dimension>& e, const Corners<Dimension + 1>& x) {
  // Corner differences first, so that rounding does not grow with the distance from the origin.
  return (x.template rightCols<Dimension>().colwise() - x.col(0)) *
         e.slopes.template rightCols<Dimension>().transpose();
}

/// Green's strain in vector form, with engineering shears 2 ε_ij.
template <int Dimension>
Eigen::Matrix<double, StrainElement<Dimension>::kSize, 1> strain(const Eigen::Matrix<double, 3, Dimension>& f) {
  const Eigen::Matrix<double, Dimension, Dimension> green =
      0.5 * (f.transpose() * f - Eigen::Matrix<double, Dimension, Dimension>::Identity());
  Eigen::Matrix<double, StrainElement<Dimension>::kSize, 1> result;
  int k = 0;
  for (const auto& [i, j] : components<Dimension>()) result[k++] = i == j ? green(i, j) : 2.0 * green(i, j);
  return result;
}

template <int Dimension>
StrainElement<Dimension> element(
    const std::array<int, Dimension + 1>& vertices, const Eigen::Matrix<double, Dimension, Dimension>& edges,
    const Eigen::Matrix<double, StrainElement<Dimension>::kSize, StrainElement<Dimension>::kSize>& elastic,
    double volume) {
  StrainElement<Dimension> e;
  e.vertices = vertices;
  e.slopes.template rightCols<Dimension>() = edges.fullPivLu().inverse().transpose();
  e.slopes.col(0) = -e.slopes.template rightCols<Dimension>().rowwise().sum();
  e.root = (volume * elastic).llt().matrixU();
  return e;
}

}  // namespace

template <int Dimension>
SquaredConstraint<StrainElement<Dimension>::kSize, StrainElement<Dimension>::kVertices>
StrainElement<Dimension>::constraint(const Corners<kVertices>& x) const {
  const Eigen::Matrix<double, 3, Dimension> f = gradient(*this, x);
  Eigen::Matrix<double, kSize, 3 * kVertices> strain_slope;
  int k = 0;
  for (const auto& [i, j] : components<Dimension>()) {
    for (int a = 0; a < kVertices; ++a) {
      Vector3 slope = slopes(i, a) * f.col(j);
      if (i != j) slope += slopes(j, a) * f.col(i);
      strain_slope.template block<1, 3>(k, 3 * a) = slope.transpose();
    }
    ++k;
  }
  return {root * strain<Dimension>(f), root * strain_slope};
}

template <int Dimension>
double StrainElement<Dimension>::energy(const Corners<kVertices>& x) const {
  return 0.5 * (root * strain<Dimension>(gradient(*this, x))).squaredNorm();
}

template <int Dimension>
CornerVector<StrainElement<Dimension>::kVertices> StrainElement<Dimension>::force(const Corners<kVertices>& x) const {
  const auto c = constraint(x);
  return -(c.slope.transpose() * c.value);
}

template <int Dimension>
CornerMatrix<StrainElement<Dimension>::kVertices> StrainElement<Dimension>::stiffness_matrix(
    const Corners<kVertices>& x, bool semidefinite) const {
  const auto c = constraint(x);
  CornerMatrix<kVertices> matrix = c.slope.transpose() * c.slope;
  if (semidefinite) return matrix;
  const Eigen::Matrix<double, kSize, 1> weights = root.transpose() * c.value;  // volume × second Piola–Kirchhoff
  Eigen::Matrix<double, Dimension, Dimension> stress;
  int k = 0;
  for (const auto& [i, j] : components<Dimension>()) {
    stress(i, j) = stress(j, i) = weights[k];
    ++k;
  }
  const Eigen::Matrix<double, kVertices, kVertices> geometric = slopes.transpose() * stress * slopes;
  for (int a = 0; a < kVertices; ++a)
    for (int b = 0; b < kVertices; ++b)
      matrix.template block<3, 3>(3 * a, 3 * b) += geometric(a, b) * Matrix3::Identity();
  return matrix;
}

template struct StrainElement<2>;
template struct StrainElement<3>;

std::vector<MembraneTriangle> membrane_of(const Points& rest, const Triangles& triangles, double stiffness,
                                          double poisson_ratio) {
  std::vector<MembraneTriangle> all;
  if (stiffness <= 0.0) return all;
  Matrix3 elastic = Matrix3::Zero();
  elastic.topLeftCorner<2, 2>() << 1.0, poisson_ratio, poisson_ratio, 1.0;
  elastic(2, 2) = 0.5 * (1.0 - poisson_ratio);
  elastic *= stiffness / (1.0 - poisson_ratio * poisson_ratio);
  for (const auto& t : triangles.rowwise()) {
    const Vector3 first = rest.row(t[1]) - rest.row(t[0]), second = rest.row(t[2]) - rest.row(t[0]);
    const Vector3 along = first.normalized();
    Eigen::Matrix2d edges;  // in the triangle's plane; the first axis is the first edge
    edges << first.norm(), second.dot(along), 0.0, along.cross(second).norm();
    all.push_back(element<2>({t[0], t[1], t[2]}, edges, elastic, 0.5 * first.cross(second).norm()));
  }
  return all;
}

std::vector<SolidTetrahedron> solid_of(const Scene& scene) {
  std::vector<SolidTetrahedron> all;
  const Points& rest = scene.tet_mesh.rest_positions;
  for (Eigen::Index e = 0; e < scene.tet_mesh.element_count(); ++e) {
    const auto t = scene.tet_mesh.tetrahedra.row(e);
    Matrix3 edges;
    for (int k = 0; k < 3; ++k) edges.col(k) = (rest.row(t[k + 1]) - rest.row(t[0])).transpose();
    const model::Material& material = scene.material_of(e);
    Eigen::Matrix<double, 6, 6> elastic = Eigen::Matrix<double, 6, 6>::Zero();
    elastic.topLeftCorner<3, 3>().setConstant(material.lame_lambda());
    elastic.diagonal().head<3>().array() += 2.0 * material.lame_mu();
    elastic.diagonal().tail<3>().setConstant(material.lame_mu());
    all.push_back(element<3>({t[0], t[1], t[2], t[3]}, edges, elastic, edges.determinant() / 6.0));
  }
  return all;
}

}  // namespace deformbench::cloth

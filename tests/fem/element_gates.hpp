// SPDX-License-Identifier: BSD-3-Clause
// Problems with known solutions on which elements that must not lock are tried: bending, a swirl without divergence, a
// thick sphere under pressure.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/SparseCholesky>
#include <cmath>
#include <map>
#include <numbers>
#include <vector>

#include "methods/fem/body/body.hpp"
#include "methods/numerics/aligned_vector.hpp"
#include "tests/fem/fem_fixture.hpp"

namespace deformbench::fem {

inline std::unique_ptr<Simulation> with_elements(const std::string& elements, const Scene& scene,
                                                 Settings settings = {}, int threads = 1) {
  settings["elements"] = elements;
  settings.insert({"law", std::string("stable_neo_hookean")});
  return make("implicit_fem", scene, settings, threads);
}

inline Eigen::SparseMatrix<double> stiffness_at_rest(const std::string& elements, const Scene& scene) {
  return facet_of<SystemOperatorFacet>(*with_elements(elements, scene)).stiffness_matrix(scene.tet_mesh.rest_positions);
}

/// Under an affine map of a block of side `side` (m): energy and stresses of linear elements, no force inside.
inline void expect_patch_test(const std::string& elements, const Scene& scene, double side, double force_tolerance,
                              const Settings& settings = {}) {
  const Points& rest = scene.tet_mesh.rest_positions;
  Matrix3 a;
  a << 1.1, 0.2, -0.1, 0.05, 0.9, 0.3, -0.2, 0.1, 1.2;
  const Points x = moved(rest, a, {0.1, 0.2, 0.3});
  const auto tried = with_elements(elements, scene, settings), linear = with_elements("linear", scene, settings);
  const auto& elasticity = facet_of<ElasticityFacet>(*tried);
  const double energy = facet_of<ElasticityFacet>(*linear).elastic_energy(x);
  EXPECT_NEAR(elasticity.elastic_energy(x), energy, 1e-12 * std::abs(energy));
  const Points f = elasticity.elastic_forces(x);
  const double largest = f.cwiseAbs().maxCoeff();
  for (Eigen::Index i = 0; i < f.rows(); ++i) {
    const bool is_inner = (rest.row(i).array() > 1e-9).all() && (rest.row(i).array() < side - 1e-9).all();
    if (is_inner) {
      EXPECT_LT(f.row(i).norm(), force_tolerance * largest) << i;
    }
  }
  const std::vector<Vector6> expected = facet_of<StressFacet>(*linear).element_stresses(x),
                             found = facet_of<StressFacet>(*tried).element_stresses(x);
  const std::vector<Matrix3> gradients = facet_of<DeformationGradientFacet>(*tried).deformation_gradients(x);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t e = 0; e < found.size(); ++e) {
    EXPECT_LT((found[e] - expected[e]).norm(), 1e-11 * expected[e].norm()) << e;
    EXPECT_LT((gradients[e] - a).norm(), 1e-13) << e;
  }
}

/// u with K u = f where u is not given; `given` has a number for some of the 3n components.
inline Points solved(const Eigen::SparseMatrix<double>& k, const Points& f,
                     const std::map<Eigen::Index, double>& given) {
  Eigen::VectorXd u = Eigen::VectorXd::Zero(k.rows());
  for (const auto& [i, value] : given) u[i] = value;
  const Eigen::VectorXd load = Eigen::Map<const Eigen::VectorXd>(f.data(), f.size()) - k * u;
  std::vector<Eigen::Index> free;
  std::vector<int> at(std::size_t(k.rows()), -1);
  for (Eigen::Index i = 0; i < k.rows(); ++i)
    if (!given.contains(i)) at[std::size_t(i)] = int(free.size()), free.push_back(i);
  std::vector<Eigen::Triplet<double>> entries;
  for (Eigen::Index column = 0; column < k.outerSize(); ++column)
    for (Eigen::SparseMatrix<double>::InnerIterator e(k, column); e; ++e)
      if (at[std::size_t(e.row())] >= 0 && at[std::size_t(column)] >= 0)
        entries.emplace_back(at[std::size_t(e.row())], at[std::size_t(column)], e.value());
  Eigen::SparseMatrix<double> a(Eigen::Index(free.size()), Eigen::Index(free.size()));
  a.setFromTriplets(entries.begin(), entries.end());
  const Eigen::VectorXd x = Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>>(a).solve(load(free));
  u(free) = x;
  return Eigen::Map<const Points>(u.data(), f.rows(), 3);
}

/// Deflection of a slender cantilever along x under a load across its tip.
inline double deflection(const std::string& elements, Scene scene, double nu) {
  scene.materials[0].poisson_ratio = nu;
  const Points& rest = scene.tet_mesh.rest_positions;
  std::map<Eigen::Index, double> given;
  Points f = Points::Zero(rest.rows(), 3);
  for (const int v : model::vertices_on_plane(rest, 0, 0.0, 1e-9))
    for (int c = 0; c < 3; ++c) given[3 * v + c] = 0.0;
  for (const int v : model::vertices_on_plane(rest, 0, rest.col(0).maxCoeff(), 1e-9)) f(v, 1) = 1.0;
  f /= f.sum();
  const Points u = solved(stiffness_at_rest(elements, scene), f, given);
  return (u.col(1).array() * f.col(1).array()).sum();
}

/// ∇×(0, 0, ψ) with ψ = sin²πx sin²πy sin²πz, which has no divergence and vanishes on the faces of the unit cube.
struct Swirl {
  static double s(double t) { return std::pow(std::sin(std::numbers::pi * t), 2); }
  static double d(double t) { return std::numbers::pi * std::sin(2 * std::numbers::pi * t); }
  static double d2(double t) { return 2 * std::pow(std::numbers::pi, 2) * std::cos(2 * std::numbers::pi * t); }
  static double d3(double t) { return -4 * std::pow(std::numbers::pi, 3) * std::sin(2 * std::numbers::pi * t); }
  static Vector3 u(const Vector3& x) { return {s(x[0]) * d(x[1]) * s(x[2]), -d(x[0]) * s(x[1]) * s(x[2]), 0.0}; }
  static Vector3 laplacian(const Vector3& x) {
    return {d2(x[0]) * d(x[1]) * s(x[2]) + s(x[0]) * d3(x[1]) * s(x[2]) + s(x[0]) * d(x[1]) * d2(x[2]),
            -(d3(x[0]) * s(x[1]) * s(x[2]) + d(x[0]) * d2(x[1]) * s(x[2]) + d(x[0]) * s(x[1]) * d2(x[2])), 0.0};
  }
};

/// 2^level cells a side.
inline Scene unit_cube(int level) {
  const int cells = 1 << level;
  return block_scene({cells, cells, cells}, 1.0 / cells, model::BlockSplit::KuhnSix);
}

/// L² error of u where its body force −μ Δu acts on a cube that is held, at ν = 0.4999. `each_point` calls its argument
/// with (an element's vertices, their shape functions, place, volume) at points that integrate the error.
template <class EachPoint>
double error_of_swirl(const std::string& elements, Scene scene, EachPoint&& each_point) {
  scene.materials[0].poisson_ratio = 0.4999;
  const Points& rest = scene.tet_mesh.rest_positions;
  const double mu = scene.materials[0].lame_mu();
  Points f = Points::Zero(rest.rows(), 3);
  each_point([&](const auto& nodes, const auto& n, const Vector3& x, double volume) {
    for (Eigen::Index a = 0; a < n.size(); ++a) f.row(nodes[a]) -= volume * mu * n[a] * Swirl::laplacian(x).transpose();
  });
  std::map<Eigen::Index, double> given;
  for (Eigen::Index i = 0; i < rest.rows(); ++i)
    for (int c = 0; c < 3; ++c)
      if ((rest.row(i).array() < 1e-9).any() || (rest.row(i).array() > 1 - 1e-9).any()) given[3 * i + c] = 0.0;
  const Points u = solved(stiffness_at_rest(elements, scene), f, given);
  double sum = 0.0;
  each_point([&](const auto& nodes, const auto& n, const Vector3& x, double volume) {
    Vector3 error = -Swirl::u(x);
    for (Eigen::Index a = 0; a < n.size(); ++a) error += n[a] * u.row(nodes[a]).transpose();
    sum += volume * error.squaredNorm();
  });
  return std::sqrt(sum);
}

inline constexpr double kSectorAngle = std::numbers::pi / 16;

/// The part of a hollow sphere of radii 1 and 2 m between four planes through its centre, π/8 apart.
inline model::TetMesh sphere_sector(const std::array<int, 3>& cells) {
  model::TetMesh mesh = model::make_block(cells, {1, -1, -1}, {1, 2, 2}, model::BlockSplit::KuhnSix);
  for (Eigen::Index i = 0; i < mesh.vertex_count(); ++i) {
    auto p = mesh.rest_positions.row(i);
    p = Eigen::RowVector3d(
        p[0] * Eigen::RowVector3d(1.0, std::tan(kSectorAngle * p[1]), std::tan(kSectorAngle * p[2])).normalized());
  }
  return mesh;
}

/// Largest relative error of the radial displacement of the first `compared` vertices under a pressure of 1 Pa inside,
/// with the loads `f`, at ν = 0.4999. Lamé: u(r) = p a³/(b³ − a³) [(1 − 2ν) r + (1 + ν) b³/(2r²)]/E of radii a, b.
inline double sphere_error(const std::string& elements, Scene scene, const Points& f, Eigen::Index compared) {
  const double nu = 0.4999, young = 1e5;
  scene.materials = {{young, nu, 1000.0}};
  const Points& rest = scene.tet_mesh.rest_positions;
  // Nodes slide on the planes: a stiffness across them, 10⁴ times that of the elements.
  Eigen::SparseMatrix<double> k = stiffness_at_rest(elements, scene);
  const double stiff = 1e4 * k.diagonal().maxCoeff();
  for (Eigen::Index i = 0; i < rest.rows(); ++i)
    for (const int axis : {1, 2}) {
      const double side = rest(i, axis) / (rest(i, 0) * std::tan(kSectorAngle));
      if (std::abs(std::abs(side) - 1.0) > 1e-9) continue;
      Vector3 n = Vector3::Zero();
      n[0] = -std::sin(kSectorAngle), n[axis] = side * std::cos(kSectorAngle);
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b)
          if (n[a] * n[b] != 0.0) k.coeffRef(3 * i + a, 3 * i + b) += stiff * n[a] * n[b];
    }
  const Points u = solved(k, f, {});
  double largest = 0.0;
  for (Eigen::Index i = 0; i < compared; ++i) {
    const double r = rest.row(i).norm();
    const double expected = ((1 - 2 * nu) * r + (1 + nu) * 8.0 / (2 * r * r)) / (7.0 * young);
    largest = std::max(largest, std::abs(u.row(i).dot(rest.row(i)) / r / expected - 1.0));
  }
  return largest;
}

/// x in the graph's order, four numbers per node.
inline numerics::AlignedVector<double> in_graph_order(const Body<double>& body, const Points& positions) {
  numerics::AlignedVector<double> x;
  x.assign(4 * std::size_t(positions.rows()), 0.0);
  for (std::size_t i = 0; i < std::size_t(positions.rows()); ++i)
    for (std::size_t c = 0; c < 3; ++c) x[4 * i + c] = positions(body.graph.node_of[i], Eigen::Index(c));
  return x;
}

}  // namespace deformbench::fem

// SPDX-License-Identifier: BSD-3-Clause
// 10-node tetrahedra against closed forms, and the linear ones of the same vertices beside them: patch test, rank,
// bending, locking as ν → ½, order of convergence, a thick sphere under pressure.
#include <gtest/gtest.h>

#include <Eigen/SparseCholesky>
#include <cmath>
#include <functional>
#include <numbers>
#include <set>

#include "methods/fem/elasticity/quadratic_elasticity.hpp"
#include "methods/model/boundary_surface.hpp"
#include "methods/model/subdivision.hpp"
#include "methods/numerics/dense_algebra.hpp"
#include "tests/fem/fem_fixture.hpp"

namespace deformbench::fem {
namespace {

std::unique_ptr<Simulation> with_elements(const std::string& elements, const Scene& scene, Settings settings = {},
                                          int threads = 1) {
  settings["elements"] = elements;
  settings.insert({"law", std::string("stable_neo_hookean")});
  return make("implicit_fem", scene, settings, threads);
}

/// A block with elements of no two the same shape, in groups of eight.
Scene distorted_block(std::array<int, 3> cells = {2, 2, 2}) {
  Scene scene = block_scene(cells, 0.1, model::BlockSplit::KuhnSix);
  scene.tet_mesh = model::subdivide(model::jitter(scene.tet_mesh, {.fraction = 0.3, .seed = 9}));
  return scene;
}

Eigen::SparseMatrix<double> stiffness_at_rest(const std::string& elements, const Scene& scene) {
  return facet_of<SystemOperatorFacet>(*with_elements(elements, scene)).stiffness_matrix(scene.tet_mesh.rest_positions);
}

/// u with K u = f where u is not given; `given` has a number for some of the 3n components.
Points solved(const Eigen::SparseMatrix<double>& k, const Points& f, const std::map<Eigen::Index, double>& given) {
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

TEST(QuadraticElements, PassThePatchTestOnADistortedMesh) {
  const Scene scene = distorted_block();
  const Points& rest = scene.tet_mesh.rest_positions;
  Matrix3 a;
  a << 1.1, 0.2, -0.1, 0.05, 0.9, 0.3, -0.2, 0.1, 1.2;
  const Points x = moved(rest, a, {0.1, 0.2, 0.3});
  const auto quadratic = with_elements("quadratic", scene), linear = with_elements("linear", scene);
  const auto& elasticity = facet_of<ElasticityFacet>(*quadratic);
  const double energy = facet_of<ElasticityFacet>(*linear).elastic_energy(x);
  EXPECT_NEAR(elasticity.elastic_energy(x), energy, 1e-12 * energy);
  const Points f = elasticity.elastic_forces(x);
  const double largest = f.cwiseAbs().maxCoeff();
  for (Eigen::Index i = 0; i < f.rows(); ++i) {
    const bool is_inner = (rest.row(i).array() > 1e-9).all() && (rest.row(i).array() < 0.2 - 1e-9).all();
    if (is_inner) {
      EXPECT_LT(f.row(i).norm(), 1e-11 * largest) << i;
    }
  }
  const std::vector<Vector6> expected = facet_of<StressFacet>(*linear).element_stresses(x),
                             found = facet_of<StressFacet>(*quadratic).element_stresses(x);
  for (std::size_t e = 0; e < found.size(); ++e)
    EXPECT_LT((found[e] - expected[e]).norm(), 1e-11 * expected[e].norm()) << e;
}

TEST(QuadraticElements, HaveRigidMotionsWithoutForceAndNoOthers) {
  Scene scene = tetrahedron_scene();
  scene.tet_mesh = model::subdivide(scene.tet_mesh);
  const Eigen::VectorXd values =
      numerics::symmetric_eigenvalues(Eigen::MatrixXd(stiffness_at_rest("quadratic", scene)));
  ASSERT_EQ(values.size(), 30);
  EXPECT_LT(values.head<6>().cwiseAbs().maxCoeff(), 1e-13 * values[29]);
  EXPECT_GT(values[6], 1e-3 * values[29]);
}

TEST(QuadraticElements, KeepMomentumInForcesOfAnyDeformation) {
  const Scene scene = distorted_block();
  numerics::RandomStream random(5);
  const Points x = shaken(scene.tet_mesh.rest_positions, 0.02, random);
  const Points f = facet_of<ElasticityFacet>(*with_elements("quadratic", scene)).elastic_forces(x);
  EXPECT_LT(f.colwise().sum().norm(), 1e-13 * f.norm() * double(f.rows()));
  Vector3 torque = Vector3::Zero();
  for (Eigen::Index i = 0; i < x.rows(); ++i)
    torque += Vector3(x.row(i).transpose()).cross(Vector3(f.row(i).transpose()));
  EXPECT_LT(torque.norm(), 1e-13 * f.norm() * x.norm());
}

/// Gradients of u = (x², xy, yz)/2 at the centroids: exact, as u is in the space.
TEST(QuadraticElements, HaveTheGradientsOfAQuadraticField) {
  const Scene scene = distorted_block();
  const Points& rest = scene.tet_mesh.rest_positions;
  Points x = rest;
  for (Eigen::Index i = 0; i < x.rows(); ++i)
    x.row(i) += 0.5 * Eigen::RowVector3d(rest(i, 0) * rest(i, 0), rest(i, 0) * rest(i, 1), rest(i, 1) * rest(i, 2));
  const auto f = facet_of<DeformationGradientFacet>(*with_elements("quadratic", scene)).deformation_gradients(x);
  for (Eigen::Index e = 0; e < scene.tet_mesh.element_count(); ++e) {
    Vector3 c = Vector3::Zero();
    for (int k = 0; k < 4; ++k) c += 0.25 * rest.row(scene.tet_mesh.tetrahedra(e, k)).transpose();
    Matrix3 expected = Matrix3::Identity();
    expected(0, 0) += c[0];
    expected(1, 0) += 0.5 * c[1], expected(1, 1) += 0.5 * c[0];
    expected(2, 1) += 0.5 * c[2], expected(2, 2) += 0.5 * c[1];
    EXPECT_LT((f[std::size_t(e)] - expected).norm(), 1e-13) << e;
  }
}

/// Pure bending of curvature c, u = c (−xy, (x² + ν(y² − z²))/2, νyz), stores ½ E I c² per length.
TEST(QuadraticElements, StoreTheEnergyOfPureBendingExactly) {
  Scene scene = distorted_block({4, 1, 1});
  scene.materials[0].poisson_ratio = 0.3;
  scene.tet_mesh.rest_positions.rowwise() -= Eigen::RowVector3d(0.0, 0.05, 0.05);
  const Points& rest = scene.tet_mesh.rest_positions;
  const double c = 1e-5, nu = 0.3;
  Points x = rest;
  for (Eigen::Index i = 0; i < x.rows(); ++i) {
    const auto [px, py, pz] = std::array{rest(i, 0), rest(i, 1), rest(i, 2)};
    x.row(i) += c * Eigen::RowVector3d(-px * py, 0.5 * (px * px + nu * (py * py - pz * pz)), nu * py * pz);
  }
  const double expected = 0.5 * scene.materials[0].young_modulus * std::pow(0.1, 4) / 12 * c * c * 0.4;
  const auto energy = [&](const char* elements) {
    // Quadratic in u: at finite strain the law differs, and energies of 1e-9 of the terms are rounding.
    const Eigen::VectorXd u = Eigen::Map<const Eigen::VectorXd>(Points(x - rest).eval().data(), x.size());
    return 0.5 * u.dot(stiffness_at_rest(elements, scene) * u);
  };
  EXPECT_NEAR(energy("quadratic"), expected, 1e-9 * expected);
  EXPECT_GT(energy("linear"), 1.05 * expected);
}

/// Deflection of a slender cantilever two elements thick at ν = 0.4999 over that at 0.3, under a load across its tip.
TEST(QuadraticElements, DoNotLockWhereLinearOnesDo) {
  const auto deflection = [](const std::string& elements, double nu) {
    Scene scene = block_scene({40, 2, 2}, 0.1, model::BlockSplit::KuhnSix);
    if (elements == "quadratic") scene.tet_mesh = model::subdivide(scene.tet_mesh);
    scene.materials[0].poisson_ratio = nu;
    const Points& rest = scene.tet_mesh.rest_positions;
    std::map<Eigen::Index, double> given;
    Points f = Points::Zero(rest.rows(), 3);
    for (const int v : model::vertices_on_plane(rest, 0, 0.0, 1e-9))
      for (int c = 0; c < 3; ++c) given[3 * v + c] = 0.0;
    for (const int v : model::vertices_on_plane(rest, 0, 4.0, 1e-9)) f(v, 1) = 1.0;
    f /= f.sum();
    const Points u = solved(stiffness_at_rest(elements, scene), f, given);
    return (u.col(1).array() * f.col(1).array()).sum();
  };
  EXPECT_GE(deflection("quadratic", 0.4999) / deflection("quadratic", 0.3), 0.95);
  EXPECT_LE(deflection("linear", 0.4999) / deflection("linear", 0.3), 0.7);
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

/// Shape functions of the four or ten nodes at barycentric coordinates l.
Eigen::VectorXd shapes(const Eigen::Vector4d& l, bool is_quadratic) {
  if (!is_quadratic) return l;
  Eigen::VectorXd n(10);
  for (int k = 0; k < 4; ++k) n[k] = l[k] * (2 * l[k] - 1);
  for (int m = 0; m < 6; ++m)
    n[4 + m] = 4 * l[model::kEdgesOfTetrahedron[std::size_t(m)][0]] * l[model::kEdgesOfTetrahedron[std::size_t(m)][1]];
  return n;
}

/// Calls work(element's nodes, shape functions, place, volume) at the four points of each eighth of each element.
template <class Work>
void each_point(const Scene& scene, bool is_quadratic, Work&& work) {
  const model::TetMesh& mesh = scene.tet_mesh;
  const Eigen::MatrixXi nodes =
      is_quadratic ? Eigen::MatrixXi(model::quadratic_tetrahedra(mesh)) : Eigen::MatrixXi(mesh.tetrahedra);
  const model::TetMesh corners{mesh.rest_positions, nodes.leftCols<4>()};
  Points unit = Points::Zero(4, 3);
  unit.bottomRows<3>().setIdentity();
  Tetrahedra whole(1, 4);
  whole << 0, 1, 2, 3;
  const model::TetMesh parts = model::subdivide({unit, whole});
  for (Eigen::Index e = 0; e < nodes.rows(); ++e) {
    const double volume = tetrahedron_volume(corners, mesh.rest_positions, e) / 32;
    for (Eigen::Index part = 0; part < 8; ++part)
      for (int q = 0; q < 4; ++q) {
        Vector3 place = Vector3::Zero();
        for (int k = 0; k < 4; ++k)
          place += (k == q ? 0.25 + 0.15 * std::sqrt(5.0) : 0.25 - 0.05 * std::sqrt(5.0)) *
                   parts.rest_positions.row(parts.tetrahedra(part, k)).transpose();
        const Eigen::Vector4d l(1 - place.sum(), place[0], place[1], place[2]);
        Vector3 x = Vector3::Zero();
        for (int k = 0; k < 4; ++k) x += l[k] * mesh.rest_positions.row(nodes(e, k)).transpose();
        work(nodes.row(e), shapes(l, is_quadratic), x, volume);
      }
  }
}

/// L² error of u where its body force −μ Δu acts on a cube of 2^level cells a side, at ν = 0.4999.
double swirl_error(const std::string& elements, int level) {
  const bool is_quadratic = elements == "quadratic";
  const int cells = 1 << level;
  Scene scene = block_scene({cells, cells, cells}, 1.0 / cells, model::BlockSplit::KuhnSix);
  if (is_quadratic) scene.tet_mesh = model::subdivide(scene.tet_mesh);
  scene.materials[0].poisson_ratio = 0.4999;
  const Points& rest = scene.tet_mesh.rest_positions;
  const double mu = scene.materials[0].lame_mu();
  Points f = Points::Zero(rest.rows(), 3);
  each_point(scene, is_quadratic, [&](const auto& nodes, const Eigen::VectorXd& n, const Vector3& x, double volume) {
    for (Eigen::Index a = 0; a < n.size(); ++a) f.row(nodes[a]) -= volume * mu * n[a] * Swirl::laplacian(x).transpose();
  });
  std::map<Eigen::Index, double> given;
  for (Eigen::Index i = 0; i < rest.rows(); ++i)
    for (int c = 0; c < 3; ++c)
      if ((rest.row(i).array() < 1e-9).any() || (rest.row(i).array() > 1 - 1e-9).any()) given[3 * i + c] = 0.0;
  const Points u = solved(stiffness_at_rest(elements, scene), f, given);
  double sum = 0.0;
  each_point(scene, is_quadratic, [&](const auto& nodes, const Eigen::VectorXd& n, const Vector3& x, double volume) {
    Vector3 error = -Swirl::u(x);
    for (Eigen::Index a = 0; a < n.size(); ++a) error += n[a] * u.row(nodes[a]).transpose();
    sum += volume * error.squaredNorm();
  });
  return std::sqrt(sum);
}

TEST(QuadraticElements, ConvergeOnASwirlWithoutDivergenceWhereLinearOnesHardlyDo) {
  const double coarse = swirl_error("quadratic", 1), middle = swirl_error("quadratic", 2),
               fine = swirl_error("quadratic", 3);
  EXPECT_GE(middle / fine, 3.0) << coarse << " " << middle << " " << fine;
  const double linear[] = {swirl_error("linear", 2), swirl_error("linear", 3), swirl_error("linear", 4)};
  for (int k = 0; k < 2; ++k) EXPECT_LE(linear[k] / linear[k + 1], 2.0) << linear[k] << " " << linear[k + 1];
  EXPECT_LT(fine, 0.5 * linear[2]);  // of as many vertices
}

/// The part of a hollow sphere of radii 1 and 2 m between four planes through its centre, π/8 apart.
struct Sector {
  static constexpr double kAngle = std::numbers::pi / 16;
  model::TetMesh mesh = model::make_block({8, 4, 4}, {1, -1, -1}, {1, 2, 2}, model::BlockSplit::KuhnSix);

  Sector() {
    for (Eigen::Index i = 0; i < mesh.vertex_count(); ++i) {
      auto p = mesh.rest_positions.row(i);
      p = Eigen::RowVector3d(p[0] *
                             Eigen::RowVector3d(1.0, std::tan(kAngle * p[1]), std::tan(kAngle * p[2])).normalized());
    }
  }
  /// Unit normal of the plane that x lies on across the given axis; zero if there is none.
  static Vector3 normal(const Vector3& x, int axis) {
    const double side = x[axis] / (x[0] * std::tan(kAngle));
    if (std::abs(std::abs(side) - 1.0) > 1e-9) return Vector3::Zero();
    Vector3 n = Vector3::Zero();
    n[0] = -std::sin(kAngle), n[axis] = side * std::cos(kAngle);
    return n;
  }
};

/// Lamé: u(r) = p a³/(b³ − a³) [(1 − 2ν) r + (1 + ν) b³/(2r²)]/E of a sphere of radii a, b with the pressure p inside.
TEST(QuadraticElements, GiveTheDisplacementOfAThickSphereUnderPressure) {
  const double nu = 0.4999, young = 1e5, pressure = 1.0;
  const auto worst = [&](bool is_quadratic) {
    Scene scene;
    scene.tet_mesh = model::subdivide(Sector().mesh);
    scene.materials = {{young, nu, 1000.0}};
    const Points& rest = scene.tet_mesh.rest_positions;
    const Eigen::Index corners = Sector().mesh.vertex_count();
    const Triangles faces = model::boundary_triangles(scene.tet_mesh);
    Points f = Points::Zero(rest.rows(), 3);
    for (Eigen::Index t = 0; t < faces.rows(); ++t) {
      const auto x = [&](int k) { return Vector3(rest.row(faces(t, k)).transpose()); };
      if (x(0).norm() > 1.01 || x(1).norm() > 1.01 || x(2).norm() > 1.01) continue;
      // Normals point into the hollow. Corners of a quadratic face bear nothing, its middles a third each.
      const Vector3 load = -0.5 * pressure * (x(1) - x(0)).cross(x(2) - x(0));
      std::vector<int> bearing;
      for (int k = 0; k < 3; ++k)
        if (!is_quadratic || faces(t, k) >= corners) bearing.push_back(faces(t, k));
      for (const int node : bearing) f.row(node) += load.transpose() / double(bearing.size());
    }
    // Nodes slide on the planes: a stiffness across them, 10⁴ times that of the elements.
    Eigen::SparseMatrix<double> k = stiffness_at_rest(is_quadratic ? "quadratic" : "linear", scene);
    const double stiff = 1e4 * k.diagonal().maxCoeff();
    for (Eigen::Index i = 0; i < rest.rows(); ++i)
      for (const int axis : {1, 2}) {
        const Vector3 n = Sector::normal(rest.row(i).transpose(), axis);
        for (int a = 0; a < 3; ++a)
          for (int b = 0; b < 3; ++b)
            if (n[a] * n[b] != 0.0) k.coeffRef(3 * i + a, 3 * i + b) += stiff * n[a] * n[b];
      }
    const Points u = solved(k, f, {});
    double largest = 0.0;
    for (Eigen::Index i = 0; i < corners; ++i) {
      const double r = rest.row(i).norm();
      const double expected = pressure / 7.0 * ((1 - 2 * nu) * r + (1 + nu) * 8.0 / (2 * r * r)) / young;
      largest = std::max(largest, std::abs(u.row(i).dot(rest.row(i)) / r / expected - 1.0));
    }
    return largest;
  };
  EXPECT_LT(worst(true), 0.02);
  EXPECT_GT(worst(false), 0.1);
}

TEST(QuadraticElements, HaveAStableStepBelowThatOfTheMeshAndNotFarBelow) {
  const Scene scene = distorted_block();
  const Eigen::MatrixXd k(stiffness_at_rest("quadratic", scene));
  const Eigen::VectorXd masses = lumped_masses(scene);
  Eigen::VectorXd inverse_root(k.rows());
  for (Eigen::Index i = 0; i < k.rows(); ++i) inverse_root[i] = 1.0 / std::sqrt(masses[i / 3]);
  const Eigen::MatrixXd scaled = inverse_root.asDiagonal() * k * inverse_root.asDiagonal();
  const double exact = 2.0 / std::sqrt(numerics::symmetric_eigenvalues(scaled).maxCoeff());
  const model::QuadraticTetrahedra elements = model::quadratic_tetrahedra(scene.tet_mesh);
  Body<double> body(scene, 1, elements);
  const QuadraticElasticity elasticity("st_venant_kirchhoff", body, elements);
  EXPECT_LE(elasticity.stable_time_step(), exact);
  EXPECT_GE(elasticity.stable_time_step(), 0.4 * exact);
  EXPECT_GE(elasticity.stiffness_bound(), numerics::symmetric_eigenvalues(k).maxCoeff());
  EXPECT_LE(elasticity.stiffness_bound(), 10.0 * numerics::symmetric_eigenvalues(k).maxCoeff());
}

/// x in the graph's order, four numbers per node.
numerics::AlignedVector<double> in_graph_order(const Body<double>& body, const Points& positions) {
  numerics::AlignedVector<double> x;
  x.assign(4 * std::size_t(positions.rows()), 0.0);
  for (std::size_t i = 0; i < std::size_t(positions.rows()); ++i)
    for (std::size_t c = 0; c < 3; ++c) x[4 * i + c] = positions(body.graph.node_of[i], Eigen::Index(c));
  return x;
}

TEST(QuadraticElements, GiveTheStepTheEnergyAndForcesOfTheFacets) {
  const Scene scene = distorted_block({6, 3, 3});
  numerics::RandomStream random(8);
  const Points places = shaken(scene.tet_mesh.rest_positions, 0.003, random);
  const model::QuadraticTetrahedra elements = model::quadratic_tetrahedra(scene.tet_mesh);
  for (const int threads : {1, 2}) {
    Body<double> body(scene, threads, elements);
    ASSERT_EQ(body.threads(), threads);
    QuadraticElasticity elasticity("st_venant_kirchhoff", body, elements);
    LinearSystem<double> system(body, {}, true);
    const auto x = in_graph_order(body, places), expected = in_graph_order(body, elasticity.elastic_forces(places));
    const double energy = elasticity.elastic_energy(places);
    EXPECT_NEAR(elasticity.energy(x.data()), energy, 1e-12 * energy);
    numerics::AlignedVector<double> f = x, with_hessian = x;
    elasticity.forces(x.data(), f.data());
    elasticity.assemble_hessian(x.data(), 1.0, {}, system, with_hessian.data());
    const double largest = elasticity.elastic_forces(places).cwiseAbs().maxCoeff();
    for (std::size_t n = 0; n < f.size(); ++n) {
      EXPECT_NEAR(f[n], expected[n], 1e-11 * largest) << n;
      EXPECT_NEAR(with_hessian[n], expected[n], 1e-11 * largest) << n;
    }
  }
}

TEST(QuadraticElements, FilterTheElementsAtSelectedNodesAlone) {
  Scene scene = distorted_block();
  numerics::RandomStream random(3);
  const Points pressed =
      shaken(moved(scene.tet_mesh.rest_positions, Vector3(0.4, 1, 1).asDiagonal(), {0, 0, 0}), 0.01, random);
  const model::QuadraticTetrahedra elements = model::quadratic_tetrahedra(scene.tet_mesh);
  Body<double> body(scene, 1, elements);
  QuadraticElasticity elasticity("stable_neo_hookean", body, elements);
  LinearSystem<double> system(body, {}, true);
  const auto x = in_graph_order(body, pressed);
  const auto matrix = [&](HessianForm form) {
    elasticity.assemble_hessian(x.data(), 1.0, form, system, nullptr);
    return Eigen::MatrixXd(system.upper().to_sparse());
  };
  std::vector<char> none(std::size_t(body.graph.node_count()), 0), one = none;
  one[0] = 1;
  const Eigen::MatrixXd exact = matrix({1.0}), filtered = matrix({0.0}), at_one = matrix({0.0, &one});
  // Rotations start from those of the last assembly: equal to rounding.
  const auto is_near = [&](const auto& a, const auto& b) { return (a - b).norm() < 1e-11 * exact.norm(); };
  EXPECT_TRUE(is_near(matrix({0.0, &none}), exact));
  EXPECT_FALSE(is_near(exact, filtered));
  EXPECT_FALSE(is_near(at_one, exact));
  // Blocks of a pair whose elements all have the selected node are those of the filtered matrix.
  std::set<int> near;
  for (Eigen::Index e = 0; e < elements.rows(); ++e)
    for (int a = 0; a < 10; ++a)
      if (body.graph.vertex_to_node[std::size_t(elements(e, a))] == 0)
        for (int b = 0; b < 10; ++b) near.insert(body.graph.vertex_to_node[std::size_t(elements(e, b))]);
  for (int i = 0; i < body.graph.node_count(); ++i)
    for (int j = 0; j < body.graph.node_count(); ++j) {
      if (i == j) continue;
      const auto block = [&](const Eigen::MatrixXd& of) { return Matrix3(of.block<3, 3>(3 * i, 3 * j)); };
      if (i == 0 || j == 0) {
        EXPECT_TRUE(is_near(block(at_one), block(filtered))) << i << " " << j;
      }
      if (!near.contains(i) || !near.contains(j)) {
        EXPECT_TRUE(is_near(block(at_one), block(exact))) << i << " " << j;
      }
    }
}

TEST(QuadraticElements, BendAlikeWithEverySolverOfALinearSystem) {
  Scene scene = block_scene({12, 2, 2}, 0.05);
  scene.tet_mesh = model::subdivide(scene.tet_mesh);
  scene.materials[0].young_modulus = 1e6;
  scene.gravity = {0, -kGravity, 0};
  scene.time_step = 0.05;
  model::PrescribedMotion held;
  held.vertices = model::vertices_on_plane(scene.tet_mesh.rest_positions, 0, 0.0, 1e-9);
  scene.prescribed = {held};
  const auto bent = [&](const Settings& settings) {
    const auto simulation = with_elements("quadratic", scene, settings);
    for (int k = 0; k < 3; ++k) EXPECT_EQ(simulation->step().outcome, StepOutcome::Advanced);
    return Points(simulation->state().positions);
  };
  const Points direct = bent({{"solver", std::string("direct")}});
  EXPECT_GT((direct - scene.tet_mesh.rest_positions).cwiseAbs().maxCoeff(), 0.01);
  for (const char* preconditioner : {"mass", "jacobi", "multigrid", "automatic"})
    EXPECT_LT((bent({{"cg_preconditioner", std::string(preconditioner)}}) - direct).cwiseAbs().maxCoeff(), 1e-8)
        << preconditioner;
}

TEST(QuadraticElements, LandOnAPlaneWithoutGainingEnergy) {
  Scene scene = distorted_block();
  scene.gravity = {0, -kGravity, 0};
  scene.time_step = 0.005;
  scene.colliders = {{.normal = {0, 1, 0}, .offset = -0.02}};
  const auto simulation = with_elements("quadratic", scene);
  const Eigen::VectorXd masses = lumped_masses(scene);
  double least = 1.0, most = 0.0;
  for (int k = 0; k < 60; ++k) {
    ASSERT_EQ(simulation->step().outcome, StepOutcome::Advanced);
    const Points x = simulation->state().positions, v = simulation->state().velocities;
    const double kinetic = 0.5 * masses.dot(v.rowwise().squaredNorm());
    most = std::max(
        most, kinetic + kGravity * masses.dot(x.col(1)) + facet_of<ElasticityFacet>(*simulation).elastic_energy(x));
    least = std::min(least, x.col(1).minCoeff());
  }
  EXPECT_GT(least, -0.02);
  EXPECT_LT(least, -0.0196);
  EXPECT_LT(most, kGravity * masses.dot(scene.tet_mesh.rest_positions.col(1)) * (1 + 1e-9));
}

TEST(QuadraticElements, AreRefusedOnOtherMeshesWithTheReason) {
  Registry registry;
  register_fem(registry);
  const MethodDescriptor& method = registry.at("implicit_fem");
  const auto reason = [&](const Scene& scene, Settings settings) {
    settings["elements"] = std::string("quadratic");
    return method.supports(scene, Parameters(method.parameters, settings, "implicit_fem")).reason;
  };
  EXPECT_NE(reason(block_scene(), {}).find("subdivi"), std::string::npos);
  Scene scene = distorted_block();
  EXPECT_EQ(reason(scene, {}), "");
  EXPECT_NE(reason(scene, {{"fracture", std::string("vertex_split")}}).find("exclude fracture"), std::string::npos);
  scene.materials.push_back({});
  scene.element_material.assign(std::size_t(scene.tet_mesh.element_count()), 0);
  scene.element_material[11] = 1;
  EXPECT_NE(reason(scene, {}).find("tetrahedron 11"), std::string::npos);
}

}  // namespace
}  // namespace deformbench::fem

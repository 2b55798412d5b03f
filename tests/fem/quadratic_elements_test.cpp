// SPDX-License-Identifier: BSD-3-Clause
// 10-node tetrahedra against closed forms, and the linear ones of the same vertices beside them: patch test, rank,
// bending, locking as ν → ½, order of convergence, a thick sphere under pressure. The rest, which they share with
// hexahedra, is in several_tetrahedra_test.cpp.
#include <gtest/gtest.h>

#include <cmath>

#include "methods/model/boundary_surface.hpp"
#include "methods/model/subdivision.hpp"
#include "methods/numerics/dense_algebra.hpp"
#include "tests/fem/element_gates.hpp"

namespace deformbench::fem {
namespace {

/// A block with elements of no two the same shape, in groups of eight.
Scene distorted_block(std::array<int, 3> cells = {2, 2, 2}) {
  Scene scene = block_scene(cells, 0.1, model::BlockSplit::KuhnSix);
  scene.tet_mesh = model::subdivide(model::jitter(scene.tet_mesh, {.fraction = 0.3, .seed = 9}));
  return scene;
}

TEST(QuadraticElements, PassThePatchTestOnADistortedMesh) {
  expect_patch_test("quadratic", distorted_block(), 0.2, 1e-11);
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

TEST(QuadraticElements, DoNotLockWhereLinearOnesDo) {
  const auto ratio = [](const std::string& elements) {
    Scene scene = block_scene({40, 2, 2}, 0.1, model::BlockSplit::KuhnSix);
    if (elements == "quadratic") scene.tet_mesh = model::subdivide(scene.tet_mesh);
    return deflection(elements, scene, 0.4999) / deflection(elements, scene, 0.3);
  };
  EXPECT_GE(ratio("quadratic"), 0.95);
  EXPECT_LE(ratio("linear"), 0.7);
}

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

double swirl_error(const std::string& elements, int level) {
  const bool is_quadratic = elements == "quadratic";
  Scene scene = unit_cube(level);
  if (is_quadratic) scene.tet_mesh = model::subdivide(scene.tet_mesh);
  return error_of_swirl(elements, scene, [&](auto&& work) { each_point(scene, is_quadratic, work); });
}

TEST(QuadraticElements, ConvergeOnASwirlWithoutDivergenceWhereLinearOnesHardlyDo) {
  const double coarse = swirl_error("quadratic", 1), middle = swirl_error("quadratic", 2),
               fine = swirl_error("quadratic", 3);
  EXPECT_GE(middle / fine, 3.0) << coarse << " " << middle << " " << fine;
  const double linear[] = {swirl_error("linear", 2), swirl_error("linear", 3), swirl_error("linear", 4)};
  for (int k = 0; k < 2; ++k) EXPECT_LE(linear[k] / linear[k + 1], 2.0) << linear[k] << " " << linear[k + 1];
  EXPECT_LT(fine, 0.5 * linear[2]);  // of as many vertices
}

TEST(QuadraticElements, GiveTheDisplacementOfAThickSphereUnderPressure) {
  const auto worst = [&](bool is_quadratic) {
    Scene scene;
    const model::TetMesh coarse = sphere_sector({8, 4, 4});
    scene.tet_mesh = model::subdivide(coarse);
    const Points& rest = scene.tet_mesh.rest_positions;
    const Eigen::Index corners = coarse.vertex_count();
    const Triangles faces = model::boundary_triangles(scene.tet_mesh);
    Points f = Points::Zero(rest.rows(), 3);
    for (Eigen::Index t = 0; t < faces.rows(); ++t) {
      const auto x = [&](int k) { return Vector3(rest.row(faces(t, k)).transpose()); };
      if (x(0).norm() > 1.01 || x(1).norm() > 1.01 || x(2).norm() > 1.01) continue;
      // Normals point into the hollow. Corners of a quadratic face bear nothing, its middles a third each.
      const Vector3 load = -0.5 * (x(1) - x(0)).cross(x(2) - x(0));
      std::vector<int> bearing;
      for (int k = 0; k < 3; ++k)
        if (!is_quadratic || faces(t, k) >= corners) bearing.push_back(faces(t, k));
      for (const int node : bearing) f.row(node) += load.transpose() / double(bearing.size());
    }
    return sphere_error(is_quadratic ? "quadratic" : "linear", scene, f, corners);
  };
  EXPECT_LT(worst(true), 0.02);
  EXPECT_GT(worst(false), 0.1);
}

TEST(QuadraticElements, AreRefusedOnOtherMeshesWithTheReason) {
  const Registry registry = element_methods();
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

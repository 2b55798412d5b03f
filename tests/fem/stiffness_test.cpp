// SPDX-License-Identifier: BSD-3-Clause
// The matrices: symmetry, zero modes, the bound on the largest eigenvalue, patch test. IVM-02, IVM-03
#include <gtest/gtest.h>

#include "methods/numerics/dense_algebra.hpp"
#include "tests/fem/fem_fixture.hpp"

namespace deformbench::fem {
namespace {

Eigen::MatrixXd stiffness(const std::string& id, const Scene& scene, const Points& x) {
  return Eigen::MatrixXd(facet_of<SystemOperatorFacet>(*make(id, scene)).stiffness_matrix(x));
}

// [MG04] eq. 4, §2.1
TEST(Stiffness, OfAFreeBodyAtRestIsSymmetricWithSixZeroModes) {
  const Scene scene = block_scene();
  for (const char* id : {"linear_fem", "warped_fem", "vertex_warped_fem"}) {
    const Eigen::MatrixXd k = stiffness(id, scene, scene.tet_mesh.rest_positions);
    EXPECT_LT((k - k.transpose()).cwiseAbs().maxCoeff(), 1e-14 * k.norm()) << id;
    const Eigen::VectorXd values = numerics::symmetric_eigenvalues(k);
    EXPECT_LT(values.head(6).cwiseAbs().maxCoeff(), 1e-10 * values.maxCoeff()) << id;
    EXPECT_GT(values[6], 1e-6 * values.maxCoeff()) << id;
  }
}

// [MG04] eq. 8
TEST(Stiffness, OfADeformedWarpedBodyStaysSymmetricPositiveAndKeepsTranslations) {
  numerics::RandomStream random(51);
  const Scene scene = block_scene();
  const Points x = shaken(scene.tet_mesh.rest_positions, 0.04, random);
  const Eigen::MatrixXd k = stiffness("warped_fem", scene, x);
  EXPECT_LT((k - k.transpose()).cwiseAbs().maxCoeff(), 1e-14 * k.norm());
  const Eigen::VectorXd values = numerics::symmetric_eigenvalues(k);
  EXPECT_GT(values[0], -1e-12 * values.maxCoeff());
  for (int c = 0; c < 3; ++c) {
    Eigen::VectorXd translation = Eigen::VectorXd::Zero(k.rows());
    for (Eigen::Index i = c; i < k.rows(); i += 3) translation[i] = 1.0;
    EXPECT_LT((k * translation).norm(), 1e-12 * k.norm());
  }
}

// [CS6967] option 3: "the system will remain constant"
TEST(MatrixOfTheFirstStep, StaysWhileForcesAreThoseOfTheStep) {
  Scene scene = block_scene({3, 1, 1});
  scene.gravity = {0, -9.81, 0};
  scene.prescribed.resize(1);  // turns about the root by half a radian in five steps
  scene.prescribed[0].vertices = model::vertices_on_plane(scene.tet_mesh.rest_positions, 0, 0.0, 1e-9);
  scene.prescribed[0].axis = Vector3::UnitZ();
  scene.prescribed[0].angle = 0.5;
  scene.prescribed[0].ramp = {0.0, 5 * scene.time_step};
  Eigen::MatrixXd first;  // of all that begin alike: what is kept is the matrix that is formed in the first step
  const auto moved_by = [&](Settings settings) {
    settings["cg_tolerance"] = 1e-13;
    const auto s = make("warped_fem", scene, settings, 1, true);
    const bool is_kept = settings.contains("matrix") && settings["matrix"] == ParameterValue(std::string("first_step"));
    for (int k = 0; k < 5; ++k) {
      const Points x = s->state().positions, v = s->state().velocities;
      const StepReport report = s->step();
      EXPECT_LT(report.true_residual.value(), 1e-9);
      EXPECT_EQ(report.assemblies, is_kept && k > 0 ? 0 : 1);
      const Eigen::MatrixXd a(facet_of<StepMatrixFacet>(*s).solved_matrix());
      if (first.size() == 0) first = a;
      EXPECT_EQ(a == first, is_kept || k == 0);
      const Eigen::VectorXd masses = s->state().masses;
      const Points b = masses.asDiagonal() * v + scene.time_step * (facet_of<ElasticityFacet>(*s).elastic_forces(x) +
                                                                    external_forces(scene, masses, 0.0));
      Eigen::VectorXd r = a * flat(s->state().velocities) - flat(b);
      for (const int vertex : scene.prescribed[0].vertices) r.segment<3>(3 * vertex).setZero();
      EXPECT_LT(r.norm(), 1e-9 * b.norm()) << k;
    }
    return Points(s->state().positions);
  };
  const Points kept = moved_by({{"matrix", std::string("first_step")}}), formed = moved_by({});
  EXPECT_GT((kept - formed).norm(), 1e-4);
  EXPECT_EQ(formed, moved_by({{"matrix", std::string("every_step")}}));
  EXPECT_LT((kept - moved_by({{"matrix", std::string("first_step")}, {"solver", std::string("direct")}})).norm(), 1e-9);
}

TEST(Stiffness, OfVertexWarpingIsNotSymmetricOnceRotationsDiffer) {
  numerics::RandomStream random(52);
  const Scene scene = block_scene();
  const Eigen::MatrixXd k = stiffness("vertex_warped_fem", scene, shaken(scene.tet_mesh.rest_positions, 0.02, random));
  EXPECT_GT((k - k.transpose()).norm(), 1e-3 * k.norm());
}

TEST(Stiffness, LargestEigenvalueNeverExceedsTheElementwiseBound) {
  numerics::RandomStream random(53);
  const Scene scene = block_scene();
  const auto simulation = make("warped_fem", scene);
  const auto& op = facet_of<SystemOperatorFacet>(*simulation);
  for (const double size : {0.0, 0.02, 0.2}) {
    const Eigen::MatrixXd k(op.stiffness_matrix(shaken(scene.tet_mesh.rest_positions, size, random)));
    const double largest = numerics::symmetric_eigenvalues(k).maxCoeff();
    EXPECT_LE(largest, op.stiffness_bound() * (1 + 1e-12));
    EXPECT_GT(largest, 0.1 * op.stiffness_bound());
  }
}

// [MG04] eq. 5, §2.2
TEST(Stiffness, SystemMatrixIsMassPlusDampingPlusStiffnessOfTheFreeVertices) {
  Scene scene = block_scene({2, 1, 1});
  scene.time_step = 0.02;
  model::PrescribedMotion fixed;
  fixed.vertices = model::vertices_on_plane(scene.tet_mesh.rest_positions, 0, 0.0, 1e-9);
  scene.prescribed = {fixed};
  const double alpha = 3.0, beta = 0.005, dt = scene.time_step;
  const auto simulation = make("warped_fem", scene, {{"mass_damping_1_s", alpha}, {"stiffness_damping_s", beta}});
  numerics::RandomStream random(54);
  const Points x = shaken(scene.tet_mesh.rest_positions, 0.03, random);
  const auto& op = facet_of<SystemOperatorFacet>(*simulation);
  const Eigen::MatrixXd a(op.system_matrix(x)), k(op.stiffness_matrix(x));
  std::vector<int> free;
  for (int i = 0; i < int(x.rows()); ++i)
    if (scene.tet_mesh.rest_positions(i, 0) > 1e-9)
      for (int c = 0; c < 3; ++c) free.push_back(3 * i + c);
  ASSERT_EQ(a.rows(), Eigen::Index(free.size()));
  const Eigen::VectorXd masses = lumped_masses(scene);
  for (Eigen::Index i = 0; i < a.rows(); ++i)
    for (Eigen::Index j = 0; j < a.cols(); ++j) {
      const int p = free[std::size_t(i)], q = free[std::size_t(j)];
      const double expected = (dt * beta + dt * dt) * k(p, q) + (p == q ? masses[p / 3] * (1 + dt * alpha) : 0.0);
      EXPECT_NEAR(a(i, j), expected, 1e-12 * a.norm());
    }
}

/// Boundary follows u = G X, the interior is solved for.
void expect_patch(const std::string& id) {
  Scene scene = block_scene({3, 3, 3}, 0.1, model::BlockSplit::KuhnSix);
  scene.tet_mesh = model::jitter(scene.tet_mesh, {.fraction = 0.2, .seed = 5});
  scene.time_step = 100.0;
  const Points& rest = scene.tet_mesh.rest_positions;
  Matrix3 g;
  g << 1e-3, 4e-4, -2e-4, 4e-4, -7e-4, 3e-4, -2e-4, 3e-4, 5e-4;  // symmetric: no rotation
  model::PrescribedMotion boundary;
  for (int i = 0; i < int(rest.rows()); ++i)
    if (rest.row(i).minCoeff() < 1e-9 || rest.row(i).maxCoeff() > 0.3 - 1e-9) boundary.vertices.push_back(i);
  ASSERT_LT(boundary.vertices.size(), std::size_t(rest.rows()));
  boundary.targets.resize(Eigen::Index(boundary.vertices.size()), 3);
  for (std::size_t k = 0; k < boundary.vertices.size(); ++k)
    boundary.targets.row(Eigen::Index(k)) = rest.row(boundary.vertices[k]) * (Matrix3::Identity() + g).transpose();
  scene.prescribed = {boundary};
  const auto simulation = make(id, scene, {{"solver", std::string("direct")}});
  for (int k = 0; k < 12; ++k) simulation->step();
  const Points expected = rest * (Matrix3::Identity() + g).transpose();
  const Points x = simulation->state().positions;
  EXPECT_LT((x - expected).cwiseAbs().maxCoeff(), 1e-12) << id;
  const model::Material material;
  for (const Vector6& s : facet_of<StressFacet>(*simulation).element_stresses(x)) {
    const Matrix3 sigma = 2 * material.lame_mu() * g + material.lame_lambda() * g.trace() * Matrix3::Identity();
    const Vector6 exact(
        Eigen::Matrix<double, 6, 1>{sigma(0, 0), sigma(1, 1), sigma(2, 2), sigma(0, 1), sigma(1, 2), sigma(2, 0)});
    EXPECT_LT((s - exact).cwiseAbs().maxCoeff(), 1e-10 * material.young_modulus) << id;
  }
}

TEST(StepMatrix, IsTheOneOfThePositionsBeforeTheStepInTheOrderOfTheMesh) {
  numerics::RandomStream random(52);
  Scene scene = block_scene();
  scene.initial_positions = shaken(scene.tet_mesh.rest_positions, 0.02, random);
  scene.materials[0].density = 700.0;
  for (const char* id : {"linear_fem", "warped_fem", "vertex_warped_fem"}) {
    const auto simulation = make(id, scene, {{"mass_damping_1_s", 3.0}, {"stiffness_damping_s", 0.002}});
    EXPECT_EQ(facet_of<StepMatrixFacet>(*simulation).solved_matrix().size(), 0) << id;
    const Eigen::MatrixXd expected(facet_of<SystemOperatorFacet>(*simulation).system_matrix(scene.initial_positions));
    simulation->step();
    const Eigen::MatrixXd found(facet_of<StepMatrixFacet>(*simulation).solved_matrix());
    ASSERT_EQ(found.rows(), expected.rows()) << id;
    EXPECT_LT((found - expected).cwiseAbs().maxCoeff(), 1e-12 * expected.cwiseAbs().maxCoeff()) << id;
  }
}

TEST(StepMatrix, HasTheRotationsOfTheModelByEveryRule) {
  numerics::RandomStream random(53);
  Scene scene = block_scene();
  const Matrix3 turn = Eigen::AngleAxisd(0.8, Vector3(1, 2, 3).normalized()).toRotationMatrix();
  scene.initial_positions = moved(shaken(scene.tet_mesh.rest_positions, 0.02, random), turn, Vector3(0.1, 0, 0.2));
  for (const char* rule : {"polar", "qr", "global"}) {
    const auto simulation = make("warped_fem", scene, {{"rotation", std::string(rule)}});
    const Eigen::MatrixXd expected(facet_of<SystemOperatorFacet>(*simulation).system_matrix(scene.initial_positions));
    simulation->step();
    const Eigen::MatrixXd found(facet_of<StepMatrixFacet>(*simulation).solved_matrix());
    ASSERT_EQ(found.rows(), expected.rows()) << rule;
    EXPECT_LT((found - expected).cwiseAbs().maxCoeff(), 1e-12 * expected.cwiseAbs().maxCoeff()) << rule;
  }
}

TEST(StepMatrix, StoredNumbersGiveEveryElementsStiffness) {
  Scene scene = block_scene({2, 1, 1});
  const auto simulation = make("warped_fem", scene);
  const auto stored = facet_of<StoredStiffnessFacet>(*simulation).stored_stiffness();
  ASSERT_EQ(stored.size(), std::size_t(scene.tet_mesh.element_count()));
  const Eigen::MatrixXd k = stiffness("warped_fem", scene, scene.tet_mesh.rest_positions);
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(k.rows(), k.cols());
  for (std::size_t e = 0; e < stored.size(); ++e) {
    Eigen::Matrix<double, 3, 4> b;
    b.rightCols<3>() = Eigen::Map<const Matrix3>(stored[e].data());
    b.col(0) = -b.rightCols<3>().rowwise().sum();
    const double ratio = stored[e][10];
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j)
        sum.block<3, 3>(3 * scene.tet_mesh.tetrahedra(Eigen::Index(e), i),
                        3 * scene.tet_mesh.tetrahedra(Eigen::Index(e), j)) +=
            ratio * b.col(i) * b.col(j).transpose() + b.col(j) * b.col(i).transpose() +
            b.col(i).dot(b.col(j)) * Matrix3::Identity();
  }
  const double c = scene.time_step * scene.time_step;
  EXPECT_LT((sum - c * k).cwiseAbs().maxCoeff(), 1e-12 * c * k.cwiseAbs().maxCoeff());
  EXPECT_TRUE(facet_of<StoredStiffnessFacet>(*make("linear_fem", scene)).stored_stiffness().empty())
      << "linear elasticity keeps its matrix alone";
}

// [MG04] eq. 1, 2
TEST(PatchTest, LinearFemReproducesAConstantStrainOnAnIrregularMesh) {
  expect_patch("linear_fem");
}
TEST(PatchTest, WarpedFemReproducesAConstantStrainOnAnIrregularMesh) {
  expect_patch("warped_fem");
}
TEST(PatchTest, VertexWarpedFemReproducesAConstantStrainOnAnIrregularMesh) {
  expect_patch("vertex_warped_fem");
}

}  // namespace
}  // namespace deformbench::fem

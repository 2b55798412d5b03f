// SPDX-License-Identifier: BSD-3-Clause
// Elements that a mesh has in several tetrahedra, 10-node tetrahedra and hexahedra: momentum, stable steps, the step
// against the facets on one thread and two, filters, solvers, contact.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "methods/fem/nonlinear/hexahedral_elasticity.hpp"
#include "methods/fem/nonlinear/quadratic_elasticity.hpp"
#include "methods/model/subdivision.hpp"
#include "methods/numerics/dense_algebra.hpp"
#include "tests/fem/element_gates.hpp"

namespace deformbench::fem {
namespace {

class SeveralTetrahedra : public testing::TestWithParam<const char*> {
 protected:
  static bool is_quadratic() { return GetParam() == std::string("quadratic"); }
  static Scene block(std::array<int, 3> cells, double cell, double distortion) {
    Scene scene = block_scene(cells, cell, model::BlockSplit::KuhnSix);
    if (distortion > 0.0) scene.tet_mesh = model::jitter(scene.tet_mesh, {.fraction = distortion, .seed = 9});
    if (is_quadratic()) scene.tet_mesh = model::subdivide(scene.tet_mesh);
    return scene;
  }
  static Scene distorted_block(std::array<int, 3> cells) { return block(cells, 0.1, 0.3); }
  static Scene distorted_block() { return distorted_block(is_quadratic() ? std::array{2, 2, 2} : std::array{3, 3, 3}); }

  struct Parts {
    Cliques elements;
    std::unique_ptr<Body<double>> body;
    std::unique_ptr<NonlinearElasticity<double>> elasticity;
  };
  static Parts parts(const Scene& scene, int threads = 1) {
    Parts made;
    const std::string law = "stable_neo_hookean";
    if (is_quadratic()) {
      made.elements = model::quadratic_tetrahedra(scene.tet_mesh);
      made.body = std::make_unique<Body<double>>(scene, threads, made.elements);
      made.elasticity = std::make_unique<QuadraticElasticity>(law, *made.body, made.elements);
    } else {
      made.elements = model::hexahedra(scene.tet_mesh);
      made.body = std::make_unique<Body<double>>(scene, threads, made.elements);
      made.elasticity = std::make_unique<HexahedralElasticity>(law, *made.body, made.elements);
    }
    return made;
  }
};

TEST_P(SeveralTetrahedra, KeepMomentumInForcesOfAnyDeformation) {
  const Scene scene = distorted_block();
  numerics::RandomStream random(5);
  const Points x = shaken(scene.tet_mesh.rest_positions, 0.02, random);
  const Points f = facet_of<ElasticityFacet>(*with_elements(GetParam(), scene)).elastic_forces(x);
  EXPECT_LT(f.colwise().sum().norm(), 1e-13 * f.norm() * double(f.rows()));
  Vector3 torque = Vector3::Zero();
  for (Eigen::Index i = 0; i < x.rows(); ++i)
    torque += Vector3(x.row(i).transpose()).cross(Vector3(f.row(i).transpose()));
  EXPECT_LT(torque.norm(), 1e-13 * f.norm() * x.norm());
}

TEST_P(SeveralTetrahedra, HaveAStableStepBelowThatOfTheMeshAndNotFarBelow) {
  const Scene scene = distorted_block();
  const Eigen::MatrixXd k(stiffness_at_rest(GetParam(), scene));
  const Eigen::VectorXd masses = lumped_masses(scene);
  Eigen::VectorXd inverse_root(k.rows());
  for (Eigen::Index i = 0; i < k.rows(); ++i) inverse_root[i] = 1.0 / std::sqrt(masses[i / 3]);
  const Eigen::MatrixXd scaled = inverse_root.asDiagonal() * k * inverse_root.asDiagonal();
  const double exact = 2.0 / std::sqrt(numerics::symmetric_eigenvalues(scaled).maxCoeff());
  const Parts made = parts(scene);
  EXPECT_LE(made.elasticity->stable_time_step(), exact);
  EXPECT_GE(made.elasticity->stable_time_step(), 0.4 * exact);
  EXPECT_GE(made.elasticity->stiffness_bound(), numerics::symmetric_eigenvalues(k).maxCoeff());
  EXPECT_LE(made.elasticity->stiffness_bound(), 10.0 * numerics::symmetric_eigenvalues(k).maxCoeff());
}

TEST_P(SeveralTetrahedra, GiveTheStepTheEnergyAndForcesOfTheFacets) {
  const Scene scene = distorted_block({6, 5, 4});
  numerics::RandomStream random(8);
  const Points places = shaken(scene.tet_mesh.rest_positions, 0.003, random);
  for (const int threads : {1, 2}) {
    const Parts made = parts(scene, threads);
    ASSERT_EQ(made.body->threads(), threads);
    LinearSystem<double> system(*made.body, {}, true);
    const Points of_facet = made.elasticity->elastic_forces(places);
    const auto x = in_graph_order(*made.body, places), expected = in_graph_order(*made.body, of_facet);
    const double energy = made.elasticity->elastic_energy(places);
    EXPECT_NEAR(made.elasticity->energy(x.data()), energy, 1e-12 * energy);
    numerics::AlignedVector<double> f = x, with_hessian = x;
    made.elasticity->forces(x.data(), f.data());
    made.elasticity->assemble_hessian(x.data(), 1.0, {}, system, with_hessian.data());
    const double largest = of_facet.cwiseAbs().maxCoeff();
    for (std::size_t n = 0; n < f.size(); ++n) {
      EXPECT_NEAR(f[n], expected[n], 1e-11 * largest) << n;
      EXPECT_NEAR(with_hessian[n], expected[n], 1e-11 * largest) << n;
    }
  }
}

TEST_P(SeveralTetrahedra, FilterTheElementsAtSelectedNodesAlone) {
  const Scene scene = distorted_block();
  numerics::RandomStream random(3);
  const Points pressed =
      shaken(moved(scene.tet_mesh.rest_positions, Vector3(0.4, 1, 1).asDiagonal(), {0, 0, 0}), 0.01, random);
  const Parts made = parts(scene);
  const Body<double>& body = *made.body;
  LinearSystem<double> system(body, {}, true);
  const auto x = in_graph_order(body, pressed);
  const auto matrix = [&](HessianForm form) {
    made.elasticity->assemble_hessian(x.data(), 1.0, form, system, nullptr);
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
  int count = 0;
  for (Eigen::Index e = 0; e < made.elements.rows(); ++e) {
    std::set<int> own;
    for (Eigen::Index a = 0; a < made.elements.cols(); ++a)
      own.insert(body.graph.vertex_to_node[std::size_t(made.elements(e, a))]);
    if (own.contains(0)) ++count, near.insert(own.begin(), own.end());
  }
  EXPECT_EQ(made.elasticity->selected_elements(one), count * (is_quadratic() ? 8 : 6));
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

TEST_P(SeveralTetrahedra, BendAlikeWithEverySolverOfALinearSystem) {
  Scene scene = block({12, 2, 2}, 0.05, 0.0);
  scene.materials[0].young_modulus = 1e6;
  scene.gravity = {0, -kGravity, 0};
  scene.time_step = 0.05;
  model::PrescribedMotion held;
  held.vertices = model::vertices_on_plane(scene.tet_mesh.rest_positions, 0, 0.0, 1e-9);
  scene.prescribed = {held};
  const auto bent = [&](const Settings& settings) {
    const auto simulation = with_elements(GetParam(), scene, settings);
    for (int k = 0; k < 3; ++k) EXPECT_EQ(simulation->step().outcome, StepOutcome::Advanced);
    return Points(simulation->state().positions);
  };
  const Points direct = bent({{"solver", std::string("direct")}});
  EXPECT_GT((direct - scene.tet_mesh.rest_positions).cwiseAbs().maxCoeff(), 0.01);
  for (const char* preconditioner : {"mass", "jacobi", "multigrid", "automatic"})
    EXPECT_LT((bent({{"cg_preconditioner", std::string(preconditioner)}}) - direct).cwiseAbs().maxCoeff(), 1e-8)
        << preconditioner;
}

TEST_P(SeveralTetrahedra, LandOnAPlaneWithoutGainingEnergy) {
  Scene scene = distorted_block();
  scene.gravity = {0, -kGravity, 0};
  scene.time_step = 0.005;
  scene.colliders = {{.normal = {0, 1, 0}, .offset = -0.02}};
  const auto simulation = with_elements(GetParam(), scene);
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
  EXPECT_LT(least, -0.0195);
  EXPECT_LT(most, kGravity * masses.dot(scene.tet_mesh.rest_positions.col(1)) * (1 + 1e-9));
}

INSTANTIATE_TEST_SUITE_P(Elements, SeveralTetrahedra, testing::Values("quadratic", "hexahedra"),
                         [](const auto& one) { return std::string(one.param); });

}  // namespace
}  // namespace deformbench::fem

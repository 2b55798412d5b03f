// SPDX-License-Identifier: BSD-3-Clause
// Multigrid over lattices as preconditioner: iterations that hardly grow with the mesh, the solution of a
// factorisation, and a symmetric positive operator.
#include <gtest/gtest.h>

#include <limits>

#include "methods/fem/body/linear_system.hpp"
#include "methods/numerics/random.hpp"
#include "tests/fem/fem_fixture.hpp"

namespace deformbench::fem {
namespace {

const Settings kMultigrid = {{"cg_preconditioner", std::string("multigrid")}, {"cg_tolerance", 1e-8}};

/// A bar of 1 m by 0.25 m by 0.25 m, 4 n × n × n cells, held at one end, in gravity.
Scene held_bar(int n, double young_modulus, double poisson_ratio, double shaken = 0.0) {
  Scene scene = block_scene({4 * n, n, n}, 0.25 / n);
  if (shaken > 0.0)
    scene.tet_mesh = model::jitter(scene.tet_mesh, {.fraction = shaken, .seed = 3, .keep_boundary = false});
  scene.materials[0].young_modulus = young_modulus;
  scene.materials[0].poisson_ratio = poisson_ratio;
  scene.gravity = -kGravity * Vector3::UnitY();
  scene.time_step = 0.01;
  model::PrescribedMotion wall;
  for (Eigen::Index i = 0; i < scene.tet_mesh.rest_positions.rows(); ++i)
    if (scene.tet_mesh.rest_positions(i, 0) < 0.1 / n) wall.vertices.push_back(int(i));
  scene.prescribed.push_back(wall);
  return scene;
}

struct Bar {
  double young_modulus, poisson_ratio, shaken;
  int most;  ///< iterations
};

class MultigridOn : public testing::TestWithParam<Bar> {};

TEST_P(MultigridOn, ConvergesInIterationsThatHardlyGrowWithTheMesh) {
  const Bar& bar = GetParam();
  std::vector<int> taken;
  for (const int n : {3, 6, 10}) {
    const auto simulation =
        make("warped_fem", held_bar(n, bar.young_modulus, bar.poisson_ratio, bar.shaken), kMultigrid);
    for (int k = 0; k < 2; ++k) {
      const StepReport report = simulation->step();
      EXPECT_TRUE(report.converged.value_or(false)) << n;
      EXPECT_LE(report.iterations, bar.most) << n;
      taken.push_back(report.iterations);
    }
  }
  EXPECT_LE(taken.back(), taken.front() + 7);  // 540 and 20,000 elements: plain ones, of some hundred, double
}

INSTANTIATE_TEST_SUITE_P(Stiffnesses, MultigridOn,
                         testing::Values(Bar{1e7, 0.33, 0.0, 14}, Bar{1e9, 0.33, 0.0, 17}, Bar{1e7, 0.45, 0.0, 22},
                                         Bar{1e9, 0.45, 0.0, 24}, Bar{1e7, 0.33, 0.3, 22}, Bar{1e9, 0.45, 0.3, 24}));

TEST(AutomaticPreconditioner, IsMassUntilASolveOfAHeldBodyIsLongAndThenMultigrid) {
  const auto iterations = [](const Scene& scene, const char* preconditioner) {
    const auto simulation =
        make("warped_fem", scene, {{"cg_preconditioner", std::string(preconditioner)}, {"cg_tolerance", 1e-8}});
    std::vector<int> taken;
    for (int k = 0; k < 3; ++k) {
      const StepReport report = simulation->step();
      EXPECT_EQ(report.converged, std::optional(true)) << preconditioner;
      taken.push_back(report.iterations);
    }
    return taken;
  };
  const Scene stiff = held_bar(6, 1e7, 0.33), soft = held_bar(6, 1e4, 0.33);
  Scene free = stiff;
  free.prescribed.clear();
  free.initial_positions = 1.01 * free.tet_mesh.rest_positions;
  const std::vector<int> taken = iterations(stiff, "automatic");
  EXPECT_GT(taken[0], 50);
  EXPECT_EQ(taken[0], iterations(stiff, "mass")[0]);
  EXPECT_LE(taken[1], 14);  // as multigrid above
  EXPECT_LE(taken[2], 14);
  for (const Scene& scene : {soft, free}) EXPECT_EQ(iterations(scene, "automatic"), iterations(scene, "mass"));
  EXPECT_LT(iterations(soft, "mass")[0], 50);
  EXPECT_GT(iterations(free, "mass")[0], 50);
}

TEST(Multigrid, ConvergesOnFourMaterialsAndOnANeedle) {
  Scene mixed = held_bar(6, 1e7, 0.33);
  for (const double factor : {10.0, 100.0, 1000.0}) {
    mixed.materials.push_back(mixed.materials[0]);
    mixed.materials.back().young_modulus *= factor;
  }
  for (Eigen::Index e = 0; e < mixed.tet_mesh.element_count(); ++e) {
    double x = 0.0;
    for (const int vertex : mixed.tet_mesh.tetrahedra.row(e)) x += 0.25 * mixed.tet_mesh.rest_positions(vertex, 0);
    mixed.element_material.push_back(int(4.0 * x));
  }
  Scene needle = held_bar(1, 1e8, 0.33);
  needle.tet_mesh =
      model::make_block({80, 2, 2}, Vector3::Zero(), Vector3(10.0, 0.25, 0.25), model::BlockSplit::AlternatingFive);
  for (const Scene& scene : {mixed, needle}) {
    const auto simulation = make("warped_fem", scene, kMultigrid);
    const StepReport report = simulation->step();
    EXPECT_TRUE(report.converged.value_or(false));
    EXPECT_LE(report.iterations, 24);
  }
}

TEST(Multigrid, GivesTheStepsOfAFactorisation) {
  for (const char* id : {"linear_fem", "warped_fem", "implicit_fem"}) {
    Scene scene = held_bar(3, 1e6, 0.4);
    scene.prescribed[0].components = {true, false, true};  // rollers
    scene.colliders = {{Vector3::UnitY(), -0.01, 0.3}};
    scene.rigid_bodies.clear();
    const auto a = make(id, scene, {{"cg_preconditioner", std::string("multigrid")}});
    const auto b = make(id, scene, {{"solver", std::string("direct")}});
    for (int k = 0; k < 20; ++k) {
      a->step(), b->step();
      EXPECT_LT((a->state().positions - b->state().positions).cwiseAbs().maxCoeff(), 1e-6) << id << " step " << k;
    }
    EXPECT_LT(a->state().positions.col(1).minCoeff(), -0.01 + 2e-3) << id;  // it came to the plane
  }
}

TEST(Multigrid, FollowsABodyThatBreaks) {
  Scene scene = held_bar(3, 1e6, 0.33);
  const Settings breaks = {{"fracture", std::string("vertex_split")}, {"fracture_threshold_pa", 1e4}};
  Settings settings = breaks;
  settings["cg_preconditioner"] = std::string("multigrid");
  const auto a = make("warped_fem", scene, settings), b = make("warped_fem", scene, breaks);
  for (int k = 0; k < 12; ++k) {
    ASSERT_TRUE(a->step().converged.value_or(false)) << k;
    b->step();
    ASSERT_EQ(a->state().positions.rows(), b->state().positions.rows()) << k;
  }
  EXPECT_GT(a->state().positions.rows(), scene.vertex_count());
  EXPECT_LT((a->state().positions - b->state().positions).cwiseAbs().maxCoeff(), 1e-6);
}

TEST(Multigrid, IsASymmetricPositiveOperatorWithoutTheFrozenRows) {
  const Scene scene = held_bar(4, 1e7, 0.33, 0.3);
  const MeshGraph graph(scene.tet_mesh);
  numerics::FullBlockMatrix<double> matrix(graph.edges);
  Points places(graph.node_count(), 3);
  for (int i = 0; i < graph.node_count(); ++i)
    places.row(i) = scene.tet_mesh.rest_positions.row(graph.node_of[std::size_t(i)]);
  // Springs along the edges, and a mass: symmetric, positive definite.
  std::vector<Matrix3> diagonal(std::size_t(graph.node_count()), 1e-3 * Matrix3::Identity());
  for (int i = 0; i < graph.node_count(); ++i)
    for (int e = graph.edges.row_start[std::size_t(i)]; e < graph.edges.row_start[std::size_t(i) + 1]; ++e) {
      const int j = graph.edges.column[std::size_t(e)];
      const Vector3 along = (places.row(j) - places.row(i)).normalized();
      const Matrix3 block = along * along.transpose() + 0.1 * Matrix3::Identity();
      numerics::put_block(matrix.upper(e), -block), numerics::put_block(matrix.lower(e), -block);
      diagonal[std::size_t(i)] += block, diagonal[std::size_t(j)] += block;
    }
  for (int i = 0; i < graph.node_count(); ++i) numerics::put_block(matrix.diagonal(i), diagonal[std::size_t(i)]);
  numerics::LatticeMultigrid multigrid(places, graph.edges, {0, 5}, {numerics::kAllComponents, 2});
  EXPECT_GE(multigrid.level_count(), 2);
  ASSERT_TRUE(multigrid.refresh(matrix));
  const std::size_t size = 4 * std::size_t(graph.node_count());
  numerics::RandomStream random(7, 1);
  numerics::AlignedVector<double> r(size, 0.0), s(size, 0.0), vr(size), vs(size);
  for (std::size_t n = 0; n < size; ++n)
    if (n % 4 < 3 && n > 3 && n != 4 * 5 + 1) r[n] = random.uniform() - 0.5, s[n] = random.uniform() - 0.5;
  multigrid.apply(r.data(), vr.data()), multigrid.apply(s.data(), vs.data());
  double rs = 0.0, sr = 0.0, rr = 0.0;
  for (std::size_t n = 0; n < size; ++n) rs += r[n] * vs[n], sr += s[n] * vr[n], rr += r[n] * vr[n];
  EXPECT_GT(rr, 0.0);
  EXPECT_NEAR(rs, sr, 1e-5 * rr);  // single precision
  for (const std::size_t n : {0, 1, 2, 21}) EXPECT_EQ(vr[n], 0.0);
  matrix.diagonal(3)[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(multigrid.refresh(matrix));
}

}  // namespace
}  // namespace deformbench::fem

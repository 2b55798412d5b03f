// SPDX-License-Identifier: BSD-3-Clause
// The fast step against the two peers with Eigen, which share no code with it, and each solver path against the others.
#include <gtest/gtest.h>

#include "methods/peers/register_peers.hpp"
#include "tests/fem/fem_fixture.hpp"

namespace deformbench::fem {
namespace {

Scene bar(int n, double young) {
  Scene scene = block_scene({4 * n, n, n}, 1.0 / n);
  model::PrescribedMotion root;
  root.vertices = model::vertices_on_plane(scene.tet_mesh.rest_positions, 0, 0.0, 1e-9);
  scene.prescribed = {root};
  scene.gravity = {0, -9.81, 0};
  scene.materials[0].young_modulus = young;
  return scene;
}

std::unique_ptr<Simulation> peer(const std::string& id, const Scene& scene, Settings settings = {}) {
  Registry registry;
  peers::register_peers(registry);
  const MethodDescriptor& method = registry.at(id);
  settings.insert({"cg_iterations", 20LL});
  return method.create(scene, Parameters(method.parameters, settings, id), {});
}

/// Max-norm of the difference over the bar's length.
double difference(const std::string& id, const Scene& scene, int steps, int threads) {
  const auto ours = make("warped_fem", scene, as_the_paper, threads);
  const auto theirs = peer(id, scene);
  StepReport a, b;
  for (int k = 0; k < steps; ++k) a = ours->step(), b = theirs->step();
  EXPECT_EQ(a.iterations, 20);
  EXPECT_EQ(a.assemblies, 1);
  EXPECT_EQ(a.solves, 1);
  EXPECT_NEAR(a.residual, b.residual, 1e-5 * b.residual);
  return (ours->state().positions - theirs->state().positions).cwiseAbs().maxCoeff() / 4.0;
}

/// naive_eigen and reuse_eigen.
class AgainstPeer : public testing::TestWithParam<const char*> {};

TEST_P(AgainstPeer, SoftBarAgreesAfterAHundredSteps) {
  EXPECT_LT(difference(GetParam(), bar(3, 1e5), 100, 1), 1e-10);
  EXPECT_LT(difference(GetParam(), bar(3, 1e5), 100, 2), 1e-10);
}

TEST_P(AgainstPeer, StiffBarAgreesAfterTenStepsThoughPlainCgAmplifiesRounding) {
  EXPECT_LT(difference(GetParam(), bar(3, 1e7), 10, 1), 1e-10);
  EXPECT_LT(difference(GetParam(), bar(3, 1e7), 10, 2), 1e-10);
}

TEST_P(AgainstPeer, LargeBarInTheCompactStorageAgrees) {
  EXPECT_LT(difference(GetParam(), bar(12, 1e5), 5, 1), 1e-10);
}

TEST_P(AgainstPeer, TwoMaterialsWithDifferentPoissonRatiosAgree) {
  Scene scene = bar(3, 1e5);
  scene.materials.push_back({3e4, 0.2, 800.0});
  for (Eigen::Index e = 0; e < scene.tet_mesh.element_count(); ++e) scene.element_material.push_back(int(e % 2));
  EXPECT_LT(difference(GetParam(), scene, 50, 1), 1e-10);
  scene.materials[1].poisson_ratio = scene.materials[0].poisson_ratio;
  EXPECT_LT(difference(GetParam(), scene, 50, 1), 1e-10);
}

TEST_P(AgainstPeer, MovingRootAgrees) {
  Scene scene = bar(3, 1e5);
  scene.prescribed[0].axis = Vector3::UnitX();
  scene.prescribed[0].origin = {0, 0.5, 0.5};
  scene.prescribed[0].angle = 1.5;
  scene.prescribed[0].ramp = {0.0, 0.5};
  EXPECT_LT(difference(GetParam(), scene, 60, 1), 1e-10);
}

// [MG04] eq. 2–8
TEST_P(AgainstPeer, ForcesAndEnergyOfTheFacetAgree) {
  numerics::RandomStream random(91);
  const Scene scene = bar(2, 1e5);
  const Points x = shaken(scene.tet_mesh.rest_positions, 0.05, random);
  const auto ours = make("warped_fem", scene), theirs = peer(GetParam(), scene);
  const auto& a = facet_of<ElasticityFacet>(*ours);
  const auto& b = facet_of<ElasticityFacet>(*theirs);
  EXPECT_NEAR(a.elastic_energy(x), b.elastic_energy(x), 1e-12 * b.elastic_energy(x));
  EXPECT_LT((a.elastic_forces(x) - b.elastic_forces(x)).norm(), 1e-11 * b.elastic_forces(x).norm());
}

TEST_P(AgainstPeer, InvertedAndFlattenedElementsAgree) {
  // F with det < 0 and det = 0, where no iteration gives the rotation, and nearly flat ones, where it converges slowly.
  const Scene scene = bar(2, 1e5);
  numerics::RandomStream random(93);
  Points x = shaken(scene.tet_mesh.rest_positions, 0.5, random);
  x.col(1) *= 1e-3;
  const auto ours = make("warped_fem", scene), theirs = peer(GetParam(), scene);
  const Points a = facet_of<ElasticityFacet>(*ours).elastic_forces(x),
               b = facet_of<ElasticityFacet>(*theirs).elastic_forces(x);
  EXPECT_LT((a - b).norm(), 1e-7 * b.norm());  // the rotation of a flat element is known to rounding over its thinness
}

/// Elements of reuse_eigen, and the method whose forces and step they must give.
struct Elements {
  const char *elements, *method;
  const char* hessian = "exact";  ///< of implicit_fem
  double shake = 0.03;            ///< m; elements are 0.5 m wide
};
class ElementsOfReuseEigen : public testing::TestWithParam<Elements> {};

TEST_P(ElementsOfReuseEigen, GiveTheForcesAndTheStepOfTheMethod) {
  numerics::RandomStream random(94);
  Scene scene = bar(2, 1e5);
  scene.initial_positions = shaken(scene.tet_mesh.rest_positions, GetParam().shake, random);
  for (const int v : scene.prescribed[0].vertices)
    scene.initial_positions.row(v) = scene.tet_mesh.rest_positions.row(v);
  const bool is_nonlinear = std::string(GetParam().method) == "implicit_fem";
  Settings settings = {{"solver", std::string("direct")}};
  if (is_nonlinear)
    settings.insert({{"law", std::string("st_venant_kirchhoff")},
                     {"newton_iterations", 1LL},
                     {"hessian", std::string(GetParam().hessian)}});
  const auto ours = make(GetParam().method, scene, settings);
  const auto theirs =
      peer("reuse_eigen", scene, {{"elements", std::string(GetParam().elements)}, {"cg_iterations", 2000LL}});
  const auto& a = facet_of<ElasticityFacet>(*ours);
  const auto& b = facet_of<ElasticityFacet>(*theirs);
  const Points& x = scene.initial_positions;
  EXPECT_NEAR(a.elastic_energy(x), b.elastic_energy(x), 1e-12 * b.elastic_energy(x));
  EXPECT_LT((a.elastic_forces(x) - b.elastic_forces(x)).norm(), 1e-11 * b.elastic_forces(x).norm());
  ours->step(), theirs->step();
  const Points moved = ours->state().velocities;
  EXPECT_LT((moved - theirs->state().velocities).cwiseAbs().maxCoeff(), 1e-8 * moved.cwiseAbs().maxCoeff());
  if (std::string(GetParam().hessian) == "exact") return;
  settings["hessian"] = std::string("exact");  // which is indefinite here: the projection has something to do
  const auto exact = make(GetParam().method, scene, settings);
  exact->step();
  EXPECT_GT((moved - exact->state().velocities).cwiseAbs().maxCoeff(), 1e-4 * moved.cwiseAbs().maxCoeff());
}

INSTANTIATE_TEST_SUITE_P(All, ElementsOfReuseEigen,
                         testing::Values(Elements{"stored", "warped_fem"}, Elements{"rotated_gradients", "warped_fem"},
                                         Elements{"rebuilt", "warped_fem"},
                                         Elements{"st_venant_kirchhoff", "implicit_fem"},
                                         Elements{"st_venant_kirchhoff_textbook", "implicit_fem"},
                                         // shaken so much that Hessians of elements are indefinite
                                         Elements{"st_venant_kirchhoff_projected", "implicit_fem", "projected", 0.15}),
                         [](const auto& one) { return std::string(one.param.elements); });

INSTANTIATE_TEST_SUITE_P(All, AgainstPeer, testing::Values("naive_eigen", "reuse_eigen"),
                         [](const auto& given) { return std::string(given.param); });

/// Every solver path converged: the same motion.
class SolverPaths : public testing::TestWithParam<std::tuple<const char*, const char*>> {};

TEST_P(SolverPaths, AgreeWithTheFactorisation) {
  const auto [id, preconditioner] = GetParam();
  const Scene scene = bar(2, 1e5);
  for (const char* start : {"zero", "velocity", "velocity_plus_force"}) {
    const auto iterative = make(id, scene,
                                {{"cg_preconditioner", std::string(preconditioner)},
                                 {"cg_start", std::string(start)},
                                 {"cg_tolerance", 1e-13},
                                 {"mass_damping_1_s", 0.5},
                                 {"stiffness_damping_s", 0.002}});
    const auto direct =
        make(id, scene, {{"solver", std::string("direct")}, {"mass_damping_1_s", 0.5}, {"stiffness_damping_s", 0.002}});
    StepReport report;
    for (int k = 0; k < 20; ++k) report = iterative->step(), direct->step();
    EXPECT_LE(report.residual, 1e-13);
    EXPECT_LT((iterative->state().positions - direct->state().positions).cwiseAbs().maxCoeff(), 1e-10) << start;
  }
}
INSTANTIATE_TEST_SUITE_P(All, SolverPaths,
                         testing::Combine(testing::Values("linear_fem", "warped_fem", "vertex_warped_fem"),
                                          testing::Values("none", "jacobi", "mass")));

TEST(StepReports, LinearFemAssemblesNothingAndDirectSolvesHaveNoResidual) {
  const Scene scene = bar(2, 1e5);
  const StepReport linear = make("linear_fem", scene, as_the_paper)->step();
  EXPECT_EQ(linear.assemblies, 0);
  EXPECT_EQ(linear.solves, 1);
  const StepReport direct = make("warped_fem", scene, {{"solver", std::string("direct")}})->step();
  EXPECT_EQ(direct.assemblies, 1);
  EXPECT_EQ(direct.iterations, 0);
  EXPECT_EQ(direct.residual, 0.0);
}

// [MDMJC02]
TEST(VertexWarping, MatrixAndForceOfTheStepAreThoseOfTheFacet) {
  // One step of a deformed body: (M + Δt²K') v = M v0 + Δt f(x), with K' and f from the plain model.
  Scene scene = bar(2, 1e5);
  scene.gravity.setZero();
  scene.prescribed.clear();
  numerics::RandomStream random(92);
  scene.initial_positions = shaken(scene.tet_mesh.rest_positions, 0.02, random);
  for (const char* id : {"vertex_warped_fem", "warped_fem", "linear_fem"}) {
    const auto simulation = make(id, scene, {{"cg_tolerance", 1e-13}});
    const double dt = scene.time_step;
    const Eigen::VectorXd f = flat(facet_of<ElasticityFacet>(*simulation).elastic_forces(scene.initial_positions));
    const Eigen::SparseMatrix<double> k =
        facet_of<SystemOperatorFacet>(*simulation).stiffness_matrix(scene.initial_positions);
    simulation->step();
    const Eigen::VectorXd v = flat(simulation->state().velocities);
    Eigen::VectorXd left = dt * dt * (k * v);
    for (Eigen::Index i = 0; i < v.size(); ++i) left[i] += simulation->state().masses[i / 3] * v[i];
    EXPECT_LT((left - dt * f).norm(), 1e-11 * (dt * f).norm()) << id;
  }
}

TEST(Stress, StaleRotationIsThatOfTheStepsBeginning) {
  // B-IVM-3: after one step of a free spin the strain that the step itself used is zero, a fresh rotation shows (ωΔt)².
  Scene scene = block_scene({2, 2, 2});
  const Points& rest = scene.tet_mesh.rest_positions;
  scene.initial_velocities.resize(rest.rows(), 3);
  for (Eigen::Index i = 0; i < rest.rows(); ++i)
    scene.initial_velocities.row(i) << -5.0 * (rest(i, 1) - 0.1), 5.0 * (rest(i, 0) - 0.1), 0.0;
  const auto stale = make("warped_fem", scene),
             fresh = make("warped_fem", scene, {{"stress_rotation", std::string("fresh")}});
  stale->step(), fresh->step();
  double worst_stale = 0, worst_fresh = 0;
  for (const auto& s : facet_of<StressFacet>(*stale).element_stresses(stale->state().positions))
    worst_stale = std::max(worst_stale, s.cwiseAbs().maxCoeff());
  for (const auto& s : facet_of<StressFacet>(*fresh).element_stresses(fresh->state().positions))
    worst_fresh = std::max(worst_fresh, s.cwiseAbs().maxCoeff());
  EXPECT_LT(worst_stale, 1.0);
  const model::Material material;
  EXPECT_NEAR(worst_fresh, (material.lame_lambda() + material.lame_mu()) * 0.05 * 0.05, 10.0);  // 276 Pa
}

}  // namespace
}  // namespace deformbench::fem

// SPDX-License-Identifier: BSD-3-Clause
// Our elements against CalculiX's on the same mesh, load and supports: statics by implicit steps of a huge time step,
// and for tiny loads by Newton's method on the method's own forces.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <memory>

#include "methods/facets.hpp"
#include "methods/numerics/direct_solver.hpp"
#include "methods/registry.hpp"
#include "tests/reference_data/calculix_case.hpp"

using namespace deformbench;

namespace {

using Settings = std::map<std::string, ParameterValue>;

constexpr double kTimeStep = 1e4;  // inertia over stiffness ~ M / (Δt² K) below 1e-12

/// The case's scene with all forces multiplied by `load_factor` and raised over `ramp_steps` steps.
Scene scene_of(const calculix::Case& c, double load_factor, int ramp_steps) {
  Scene scene;
  scene.name = c.definition.at("id");
  scene.tet_mesh = c.mesh();
  scene.materials = {{c.young_modulus(), c.definition.at("material").at("poisson_ratio"), 1000.0}};
  scene.time_step = kTimeStep;
  model::PrescribedMotion root;
  root.vertices = model::vertices_on_plane(scene.tet_mesh.rest_positions, 0, 0.0, 0.0);
  scene.prescribed = {root};
  Vector3 force = Vector3::Zero();
  force[c.definition.at("tip_force_axis").get<int>()] =
      load_factor * c.definition.at("force_per_tip_vertex_n").get<double>();
  const double length = c.definition.at("size_m")[0];
  for (const int v : model::vertices_on_plane(scene.tet_mesh.rest_positions, 0, length, 0.0)) {
    scene.point_loads.push_back({v, force, {0.0, ramp_steps * kTimeStep}});
  }
  return scene;
}

/// Displacements after at least `least_steps` steps, when none changes by more than 1e-11 of the length.
Points static_displacements(const Scene& scene, const std::string& method, int least_steps, Settings settings = {}) {
  const Registry registry = builtin_registry();
  const MethodDescriptor& descriptor = registry.at(method);
  settings["solver"] = std::string("direct");
  const Parameters parameters(descriptor.parameters, settings, method);
  const auto simulation = descriptor.create(scene, parameters, {});
  Points before = scene.tet_mesh.rest_positions;
  for (int step = 1; step <= 400; ++step) {
    if (simulation->step().outcome != StepOutcome::Advanced) throw std::runtime_error(method + " diverged");
    const Points now = simulation->state().positions;
    const double change = (now - before).cwiseAbs().maxCoeff();
    before = now;
    if (step >= least_steps && change < 1e-11) return now - scene.tet_mesh.rest_positions;
  }
  throw std::runtime_error(method + " found no static state in 400 steps");
}

/// Static displacements from the method's own elastic forces, by eight Newton steps with the stiffness at rest. At a
/// tip of 1e-8 of the length, K'x and f0' of the time step's right side cancel to 1e-8 of themselves, and their
/// rounding, amplified by bending, would leave only five digits; forces summed element by element keep them.
Points static_displacements_of_forces(const Scene& scene, const std::string& method, const Settings& settings = {}) {
  const Registry registry = builtin_registry();
  const MethodDescriptor& descriptor = registry.at(method);
  const auto simulation = descriptor.create(scene, Parameters(descriptor.parameters, settings, method), {});
  const auto& elasticity = facet_of<ElasticityFacet>(*simulation);
  const auto& rest = scene.tet_mesh.rest_positions;
  Eigen::SparseMatrix<double> stiffness = facet_of<SystemOperatorFacet>(*simulation).stiffness_matrix(rest);

  // A held degree of freedom gets an identity row and column.
  Eigen::VectorXd is_free = Eigen::VectorXd::Ones(stiffness.rows());
  for (const int v : scene.prescribed.at(0).vertices) is_free.segment<3>(3 * v).setZero();
  stiffness = is_free.asDiagonal() * stiffness * is_free.asDiagonal();
  for (Eigen::Index i = 0; i < is_free.size(); ++i) stiffness.coeffRef(i, i) += 1 - is_free[i];
  numerics::DirectSolver factor(numerics::DirectSolver::Kind::SymmetricPositiveDefinite);
  EXPECT_TRUE(factor.factorise(stiffness));

  Points loads = Points::Zero(rest.rows(), 3), positions = rest;
  for (const model::PointLoad& load : scene.point_loads) loads.row(load.vertex) += load.force.transpose();
  for (int step = 0; step < 8; ++step) {
    const Points unbalanced = loads + elasticity.elastic_forces(positions);
    const Eigen::VectorXd right =
        is_free.cwiseProduct(Eigen::Map<const Eigen::VectorXd>(unbalanced.data(), unbalanced.size()));
    const Eigen::VectorXd correction = factor.solve(right);
    positions += Eigen::Map<const Points>(correction.data(), rest.rows(), 3);
  }
  return positions - rest;
}

double relative_difference(const Points& ours, const Points& theirs) {
  return (ours - theirs).cwiseAbs().maxCoeff() / theirs.cwiseAbs().maxCoeff();
}

// CalculiX prints seven digits: the largest displacement, 1.2e-3, is rounded by up to 4e-7 of itself.
constexpr double kPrintedDigits = 1e-6;

void expect_nodes_of_the_deck(const calculix::Case& c) {
  const auto nodes = calculix::read_deck(c.definition.at("id")).nodes;
  const Points rest = c.mesh().rest_positions;
  ASSERT_EQ(std::size_t(rest.rows()), nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i)
    EXPECT_EQ(Vector3(rest.row(Eigen::Index(i)).transpose()), Vector3(nodes[i][0], nodes[i][1], nodes[i][2])) << i;
}

/// Relative difference at a load that moves the tip by 1e-8 of the length.
double small_load_difference(const calculix::Case& c, const Settings& settings) {
  const Points theirs = c.displacements();
  const double factor = 1e-8 * 0.8 / theirs.cwiseAbs().maxCoeff();
  return relative_difference(static_displacements_of_forces(scene_of(c, factor, 0), "implicit_fem", settings),
                             factor * theirs);
}

}  // namespace

TEST(AgreementWithCalculix, LinearStaticsAgreeToThePrintedDigits) {
  for (const calculix::Case& c : calculix::cases("linear_")) {
    const Points ours = static_displacements(scene_of(c, 1.0, 0), "linear_fem", 3);
    EXPECT_LT(relative_difference(ours, c.displacements()), kPrintedDigits) << c.definition.at("id");
  }
}

TEST(AgreementWithCalculix, WarpedStaticsAgreeInTheLimitOfSmallLoads) {
  for (const calculix::Case& c : calculix::cases("linear_")) {
    const Points theirs = c.displacements();
    const double factor = 1e-8 * 0.8 / theirs.cwiseAbs().maxCoeff();  // tip over length 1e-8
    const Points ours = static_displacements_of_forces(scene_of(c, factor, 0), "warped_fem");
    EXPECT_LT(relative_difference(ours, factor * theirs), kPrintedDigits) << c.definition.at("id");
  }
}

TEST(AgreementWithCalculix, QuadraticElementsAgreeToThePrintedDigits) {
  const Settings settings{{"elements", std::string("quadratic")}, {"law", std::string("st_venant_kirchhoff")}};
  const calculix::Case small = calculix::cases("quadratic_linear_").at(0),
                       bent = calculix::cases("quadratic_bent_").at(0);
  expect_nodes_of_the_deck(small);
  expect_nodes_of_the_deck(bent);
  EXPECT_LT(small_load_difference(small, settings), kPrintedDigits);
  EXPECT_LT(relative_difference(static_displacements(scene_of(bent, 1.0, 20), "implicit_fem", 22, settings),
                                bent.displacements()),
            kPrintedDigits);
}

// C3D8 integrates the term of λ at every point, and locks; without λ the elements are the same.
TEST(AgreementWithCalculix, HexahedraAgreeToThePrintedDigitsWithoutLambda) {
  const calculix::Case c = calculix::cases("hexahedra_").at(0);
  expect_nodes_of_the_deck(c);
  const Settings settings{{"elements", std::string("hexahedra")}, {"law", std::string("st_venant_kirchhoff")}};
  EXPECT_LT(small_load_difference(c, settings), kPrintedDigits);
  EXPECT_GT(small_load_difference(c, {{"law", std::string("st_venant_kirchhoff")}}), 0.05);  // the six tetrahedra
}

TEST(AgreementWithCalculix, WarpedLargeRotationDiffersFromStVenantKirchhoffByTheSquareOfTheThickness) {
  std::vector<double> log_thickness, log_difference;
  for (const calculix::Case& c : calculix::cases("large_rotation_")) {
    const Points theirs = c.displacements();
    const Points ours = static_displacements(scene_of(c, 1.0, 20), "warped_fem", 22);
    log_thickness.push_back(-std::log(c.slenderness()));
    log_difference.push_back(std::log((ours - theirs).cwiseAbs().maxCoeff()));
    if (c.slenderness() == 20) {
      // Strain of some side/length = 0.05 at the root; its square, times a factor below one.
      EXPECT_LT(relative_difference(ours, theirs), 2.5e-3);
      const Points linear = static_displacements(scene_of(c, 1.0, 0), "linear_fem", 3);
      EXPECT_GT(relative_difference(linear, theirs), 0.1);  // what warping repairs
    }
  }
  ASSERT_EQ(log_thickness.size(), 4u);
  double mx = 0, my = 0, top = 0, bottom = 0;
  for (std::size_t i = 0; i < 4; ++i) mx += log_thickness[i] / 4, my += log_difference[i] / 4;
  for (std::size_t i = 0; i < 4; ++i) {
    top += (log_thickness[i] - mx) * (log_difference[i] - my);
    bottom += (log_thickness[i] - mx) * (log_thickness[i] - mx);
  }
  EXPECT_GT(top / bottom, 1.8);
  EXPECT_LT(top / bottom, 2.2);
}

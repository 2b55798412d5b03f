// SPDX-License-Identifier: BSD-3-Clause
// Plastic creep: the rule that flows, a body against the textbook, and what it does to forces and to the matrix.
#include <gtest/gtest.h>

#include <cmath>

#include "methods/numerics/dense_algebra.hpp"
#include "methods/numerics/polar_decomposition.hpp"
#include "tests/fem/fem_fixture.hpp"
#include "tests/fem/plastic_flow.hpp"

namespace deformbench::fem {
namespace {

const Settings printed_creep = {{"plasticity", std::string("creep")},
                                {"plastic_norm", std::string("engineering")},
                                {"plastic_yield_measure", std::string("total")},
                                {"plastic_rate", std::string("as_printed")}};

Settings with(Settings settings, const Settings& more) {
  for (const auto& [name, value] : more) settings[name] = value;
  return settings;
}

Vector6 random_strain(numerics::RandomStream& random, double size) {
  Vector6 strain;
  for (int k = 0; k < 6; ++k) strain[k] = size * random.normal();
  return strain;
}

// [MG04] eq. 14, §3: the yield
TEST(PlasticFlow, StartsWhereTheNormOfTheElasticStrainPassesTheYieldLimit) {
  for (const StrainNorm norm : {StrainNorm::Frobenius, StrainNorm::Engineering}) {
    for (const YieldMeasure measure : {YieldMeasure::Deviatoric, YieldMeasure::Total}) {
      const PlasticLaw law{norm, measure, CreepRate::AsPrinted, false};
      Vector6 strain;
      strain << 0.01, -0.02, 0.005, 0.003, -0.004, 0.006;
      Vector6 measured = strain;
      if (measure == YieldMeasure::Deviatoric) measured.head<3>().array() -= strain.head<3>().sum() / 3.0;
      const double size = strain_norm(measured, norm);
      EXPECT_EQ(flow(law, {size * (1 + 1e-12), 10.0, 1.0}, 0.01, strain, Vector6::Zero()), Vector6(Vector6::Zero()));
      const Vector6 flown = flow(law, {size * (1 - 1e-12), 10.0, 1.0}, 0.01, strain, Vector6::Zero());
      EXPECT_LT((flown - 0.1 * measured).norm(), 1e-17);
    }
  }
}

TEST(PlasticFlow, NormOfAStrainCountsBothShearsOfTheTensorOrTheSquareOfTheAngle) {
  // ε = (0.1, −0.2, 0.2; 0.1, 0.2, 0.3): ε:ε = 0.09 + 2·0.14 = 0.37; with γ = 2ε 0.09 + 4·0.14 = 0.65.
  Vector6 strain;
  strain << 0.1, -0.2, 0.2, 0.1, 0.2, 0.3;
  EXPECT_NEAR(strain_norm(strain, StrainNorm::Frobenius), 0.608276253029821969, 1e-15);
  EXPECT_NEAR(strain_norm(strain, StrainNorm::Engineering), 0.806225774829854966, 1e-15);
  const Matrix3 tensor = (Matrix3() << 0.1, 0.1, 0.3, 0.1, -0.2, 0.2, 0.3, 0.2, 0.2).finished();
  EXPECT_NEAR(strain_norm(strain, StrainNorm::Frobenius), tensor.norm(), 1e-15);
}

// [MG04] §3: the creep
TEST(PlasticFlow, FractionOfAStepIsOneMinusExpOfMinusRateTimesStepOrAsPrintedTheirProduct) {
  EXPECT_NEAR(flow_fraction(CreepRate::Exponential, 30.0, 0.01), 0.2591817793182821, 1e-15);
  EXPECT_NEAR(flow_fraction(CreepRate::AsPrinted, 30.0, 0.01), 0.3, 1e-15);
  const PlasticLaw law{StrainNorm::Frobenius, YieldMeasure::Total, CreepRate::Exponential, false};
  Vector6 strain = Vector6::Zero();
  strain[3] = 0.1;
  EXPECT_NEAR(flow(law, {0.0, 30.0, 10.0}, 0.01, strain, Vector6::Zero())[3], 0.02591817793182821, 1e-16);
}

// [MG04] §3: the cap
TEST(PlasticFlow, IsCappedInSizeAndKeepsItsDirection) {
  numerics::RandomStream random(5);
  for (int k = 0; k < 200; ++k) {
    const PlasticLaw law{k % 2 ? StrainNorm::Frobenius : StrainNorm::Engineering, YieldMeasure::Total,
                         CreepRate::AsPrinted, false};
    const Vector6 strain = random_strain(random, 0.3);
    const Vector6 capped = flow(law, {0.01, 100.0, 0.05}, 0.01, strain, Vector6::Zero());
    EXPECT_LE(strain_norm(capped, law.norm), 0.05 * (1 + 4e-16));
    EXPECT_LT((capped.normalized() - strain.normalized()).norm(), 1e-14);
  }
}

TEST(PlasticFlow, OfADeviatoricLawStoresNoVolume) {
  numerics::RandomStream random(6);
  const PlasticLaw law;
  Vector6 plastic = Vector6::Zero();
  for (int k = 0; k < 100; ++k) plastic = flow(law, {0.01, 20.0, 10.0}, 0.01, random_strain(random, 0.2), plastic);
  EXPECT_GT(plastic.norm(), 0.01);
  EXPECT_LT(std::abs(plastic.head<3>().sum()), 1e-15);
}

TEST(PlasticFlow, OfRadialReturnEndsOnTheYieldLimitWhateverTheRate) {
  const PlasticLaw law{StrainNorm::Frobenius, YieldMeasure::Total, CreepRate::RadialReturn, false};
  Vector6 strain = Vector6::Zero();
  strain[0] = 0.1;
  for (const double creep : {0.0, 1.0, 1000.0})
    EXPECT_NEAR(strain_norm(strain - flow(law, {0.02, creep, 10.0}, 0.01, strain, Vector6::Zero()), law.norm), 0.02,
                1e-16);
}

TEST(PlasticFlow, WithTheExponentialRateDoesNotDependOnTheTimeStep) {
  const PlasticLaw law{StrainNorm::Frobenius, YieldMeasure::Total, CreepRate::Exponential, false};
  Vector6 strain = Vector6::Zero(), coarse = strain, fine = strain;
  strain[3] = 0.1;
  for (int k = 0; k < 4; ++k) coarse = flow(law, {0.0, 7.0, 10.0}, 0.02, strain, coarse);
  for (int k = 0; k < 80; ++k) fine = flow(law, {0.0, 7.0, 10.0}, 0.001, strain, fine);
  EXPECT_NEAR(coarse[3], fine[3], 1e-15);
}

/// Plastic strains after a few steps of a body with every vertex prescribed, against the textbook at the same states.
TEST(BatchedPlasticity, EqualsTheTextbookInEveryVariant) {
  numerics::RandomStream random(7);
  Scene scene = block_scene({3, 2, 2});
  scene.initial_positions = shaken(scene.tet_mesh.rest_positions, 0.006, random);
  for (const char* norm : {"frobenius", "engineering"}) {
    for (const char* measure : {"deviatoric", "total"}) {
      for (const char* rate : {"exponential", "as_printed", "radial_return"}) {
        for (const char* id : {"linear_fem", "warped_fem"}) {
          const auto simulation = make(id, scene,
                                       {{"plasticity", std::string("creep")},
                                        {"plastic_norm", std::string(norm)},
                                        {"plastic_yield_measure", std::string(measure)},
                                        {"plastic_rate", std::string(rate)},
                                        {"plastic_yield", 0.2},
                                        {"plastic_creep_per_s", 30.0},
                                        {"plastic_max", 0.06}});
          const PlasticLaw law{std::string(norm) == "frobenius" ? StrainNorm::Frobenius : StrainNorm::Engineering,
                               std::string(measure) == "total" ? YieldMeasure::Total : YieldMeasure::Deviatoric,
                               std::string(rate) == "exponential"  ? CreepRate::Exponential
                               : std::string(rate) == "as_printed" ? CreepRate::AsPrinted
                                                                   : CreepRate::RadialReturn,
                               false};
          std::vector<Vector6> expected(std::size_t(scene.tet_mesh.element_count()), Vector6::Zero());
          int yielded = 0, capped = 0;
          for (int step = 0; step < 4; ++step) {
            const Points x = simulation->state().positions;
            const auto rotations = facet_of<RotationFacet>(*simulation).rotations(x);
            simulation->step();
            const auto strains = facet_of<PlasticStrainFacet>(*simulation).plastic_strains();
            for (std::size_t e = 0; e < expected.size(); ++e) {
              const Matrix3 u =
                  rotations[e].transpose() * model::deformation_gradient(scene.tet_mesh, x, Eigen::Index(e));
              const Matrix3 s = 0.5 * (u + u.transpose()) - Matrix3::Identity();
              Vector6 total;
              total << s(0, 0), s(1, 1), s(2, 2), s(0, 1), s(1, 2), s(2, 0);
              expected[e] = textbook_flow(law, {0.2, 30.0, 0.06}, scene.time_step, total, expected[e]);
              EXPECT_LT((strains[e] - expected[e]).norm(), 1e-12) << id << ' ' << norm << ' ' << measure << ' ' << rate;
              yielded += expected[e].norm() > 0.0;
              capped += strain_norm(expected[e], law.norm) > 0.06 * (1 - 1e-12);
            }
          }
          EXPECT_GT(yielded, 20);
          EXPECT_LT(yielded, 4 * int(expected.size()));
          EXPECT_GT(capped, 0);
        }
      }
    }
  }
}

// [MG04] eq. 13–15
TEST(PlasticForces, VanishWhereThePlasticStrainIsTheTotalStrain) {
  // c Δt = 1 absorbs all elastic strain in the first step: afterwards the body is at rest in its deformed shape.
  numerics::RandomStream random(8);
  Scene scene = block_scene({2, 2, 2});
  const Points bent = shaken(scene.tet_mesh.rest_positions, 0.01, random);
  scene.initial_positions = bent;
  for (const char* id : {"linear_fem", "warped_fem"}) {
    const auto elastic = make(id, scene);
    const auto plastic = make(id, scene, with(printed_creep, {{"plastic_yield", 0.0}, {"plastic_creep_per_s", 100.0}}));
    elastic->step(), plastic->step();
    const double size = facet_of<ElasticityFacet>(*elastic).elastic_forces(bent).cwiseAbs().maxCoeff();
    EXPECT_LT(facet_of<ElasticityFacet>(*plastic).elastic_forces(bent).cwiseAbs().maxCoeff(), 1e-12 * size) << id;
    EXPECT_LT(plastic->state().velocities.cwiseAbs().maxCoeff(),
              1e-12 * elastic->state().velocities.cwiseAbs().maxCoeff());
    EXPECT_LT(facet_of<ElasticityFacet>(*plastic).elastic_energy(bent),
              1e-20 * facet_of<ElasticityFacet>(*elastic).elastic_energy(bent));
  }
}

/// Largest |f + ∇Ψ| by central differences, over the largest force.
double plastic_gradient_error(const ElasticityFacet& model, const Points& x) {
  const Points f = model.elastic_forces(x);
  double worst = 0.0;
  for (Eigen::Index k = 0; k < x.size(); ++k) {
    const double h = 1e-6;
    Points up = x, down = x;
    up.data()[k] += h, down.data()[k] -= h;
    worst = std::max(worst, std::abs(f.data()[k] + (model.elastic_energy(up) - model.elastic_energy(down)) / (2 * h)));
  }
  return worst / f.cwiseAbs().maxCoeff();
}

Vector3 torque_about_origin(const Points& forces, const Points& x) {
  Vector3 sum = Vector3::Zero();
  for (Eigen::Index i = 0; i < x.rows(); ++i)
    sum += Vector3(x.row(i).transpose()).cross(Vector3(forces.row(i).transpose()));
  return sum;
}

TEST(PlasticForces, AreAGradientAndFreeOfTorqueOnlyWhereThePlasticStrainIsCoaxialWithTheStretch) {
  // σ(S − ε_p) S is symmetric only when ε_p shares its axes with S = RᵀF: elsewhere R turns against the stress, and
  // the warped force with its plastic part has a net torque. Its sum still vanishes.
  numerics::RandomStream random(9);
  Scene scene = block_scene({2, 1, 1});
  const Points start = shaken(scene.tet_mesh.rest_positions, 0.01, random);
  scene.initial_positions = start;
  const auto simulation = make("warped_fem", scene, with(printed_creep, {{"plastic_creep_per_s", 40.0}}));
  simulation->step();  // ε_p = 0.4 ε at the start
  const auto& model = facet_of<ElasticityFacet>(*simulation);
  const Points other = shaken(scene.tet_mesh.rest_positions, 0.01, random);
  const Points at_start = model.elastic_forces(start), elsewhere = model.elastic_forces(other);
  const double lever = 0.1 * elsewhere.cwiseAbs().maxCoeff();
  EXPECT_LT(plastic_gradient_error(model, start), 1e-7);
  EXPECT_GT(plastic_gradient_error(model, other), 1e-2);
  EXPECT_LT(torque_about_origin(at_start, start).norm(), 1e-12 * lever);
  EXPECT_GT(torque_about_origin(elsewhere, other).norm(), 1e-3 * lever);
  EXPECT_LT(elsewhere.colwise().sum().norm(), 1e-12 * elsewhere.cwiseAbs().maxCoeff());
}

// [MG04] eq. 16, §6
TEST(PlasticForces, EnterTheStepWithTheSignOfTheEquationAndWithThatOfTheListing) {
  // One step from rest with an exact solve: A v = Δt f, f = f_elastic(total strain) ± P ε_p.
  numerics::RandomStream random(10);
  Scene scene = block_scene({2, 2, 1});
  scene.initial_positions = shaken(scene.tet_mesh.rest_positions, 0.01, random);
  for (const char* id : {"linear_fem", "warped_fem"}) {
    for (const char* sign : {"corrected", "as_printed"}) {
      const auto simulation = make(id, scene,
                                   with(printed_creep, {{"solver", std::string("direct")},
                                                        {"plastic_creep_per_s", 30.0},
                                                        {"plastic_sign", std::string(sign)}}));
      const Eigen::MatrixXd a(facet_of<SystemOperatorFacet>(*simulation).system_matrix(scene.initial_positions));
      simulation->step();
      const Points f = facet_of<ElasticityFacet>(*simulation).elastic_forces(scene.initial_positions);
      const Eigen::VectorXd expected = numerics::solve_symmetric(a, scene.time_step * flat(f));
      EXPECT_LT((flat(simulation->state().velocities) - expected).norm(), 1e-11 * expected.norm()) << id << ' ' << sign;
    }
  }
}

TEST(Plasticity, LeavesTheMatrixAsItIsBitForBit) {
  numerics::RandomStream random(11);
  Scene scene = block_scene({2, 2, 1});
  scene.initial_positions = shaken(scene.tet_mesh.rest_positions, 0.01, random);
  const auto elastic = make("warped_fem", scene);
  const auto plastic = make("warped_fem", scene, printed_creep);
  for (int k = 0; k < 5; ++k) plastic->step();
  const Points x = plastic->state().positions;
  EXPECT_EQ(Eigen::MatrixXd(facet_of<SystemOperatorFacet>(*plastic).system_matrix(x)),
            Eigen::MatrixXd(facet_of<SystemOperatorFacet>(*elastic).system_matrix(x)));
}

TEST(Plasticity, ThatNeverYieldsChangesNothing) {
  numerics::RandomStream random(12);
  Scene scene = block_scene({3, 2, 2});
  scene.initial_velocities = shaken(Points::Zero(scene.tet_mesh.vertex_count(), 3), 0.2, random);
  for (const char* id : {"linear_fem", "warped_fem"}) {
    const auto elastic = make(id, scene);
    const auto plastic = make(id, scene, with(printed_creep, {{"plastic_yield", 1e9}}));
    for (int k = 0; k < 20; ++k) elastic->step(), plastic->step();
    EXPECT_LT((elastic->state().positions - plastic->state().positions).cwiseAbs().maxCoeff(), 1e-12) << id;
  }
}

TEST(Plasticity, KeepsLinearMomentum) {
  numerics::RandomStream random(13);
  Scene scene = block_scene({3, 2, 2});
  scene.initial_positions = shaken(scene.tet_mesh.rest_positions, 0.01, random);
  scene.initial_velocities = shaken(Points::Zero(scene.tet_mesh.vertex_count(), 3), 0.5, random);
  const auto simulation = make("warped_fem", scene, with(printed_creep, {{"plastic_creep_per_s", 20.0}}));
  const Vector3 before = momentum(*simulation);
  for (int k = 0; k < 50; ++k) simulation->step();
  EXPECT_LT((momentum(*simulation) - before).norm(), 1e-11 * before.norm());
}

/// Reaches the end of block_scene({8, 2, 2}) at x = 0 from the start on.
model::HeatSource ball_at_the_root() {
  model::HeatSource ball;
  ball.from = ball.to = {0.0, 0.1, 0.1};
  ball.radius = 0.25;
  ball.plastic_yield = 0.001;
  ball.plastic_creep = 5.0;
  ball.plastic_max = 1.0;
  return ball;
}

TEST(HeatSource, GivesItsYieldAndCreepToEachElementThatItReachesAndToNoOther) {
  Scene scene = block_scene({8, 2, 2});
  // Every element is strained beyond the source's yield, and none near that of the cold material.
  scene.initial_positions = 1.05 * scene.tet_mesh.rest_positions;
  scene.heat_sources = {ball_at_the_root()};
  for (const char* id : {"linear_fem", "warped_fem"}) {
    const auto simulation = make(id, scene, with(printed_creep, {{"plastic_yield", 100.0}}));
    simulation->step();
    const auto& facets = facet_of<PlasticStrainFacet>(*simulation);
    const auto strains = facets.plastic_strains();
    const auto heated = facets.heated();
    EXPECT_GT(std::count(heated.begin(), heated.end(), 1), 10) << id;
    EXPECT_GT(std::count(heated.begin(), heated.end(), 0), 10) << id;
    for (std::size_t e = 0; e < heated.size(); ++e)
      EXPECT_EQ(strains[e].norm() > 1e-5, heated[e] == 1) << id << ' ' << e << ": " << strains[e].norm();
  }
}

TEST(HeatSource, ReachesABodyWhereItIsAndNotWhereItRests) {
  Scene scene = block_scene({8, 2, 2});
  const Vector3 away(10.0, 0.0, 0.0);
  scene.initial_positions = scene.tet_mesh.rest_positions.rowwise() + away.transpose();
  model::HeatSource ball = ball_at_the_root();
  ball.from += away;
  ball.to += away;
  scene.heat_sources = {ball};
  for (const char* id : {"linear_fem", "warped_fem"}) {
    const auto simulation = make(id, scene, with(printed_creep, {{"plastic_yield", 100.0}}));
    simulation->step();
    const auto heated = facet_of<PlasticStrainFacet>(*simulation).heated();
    EXPECT_GT(std::count(heated.begin(), heated.end(), 1), 10) << id;
    EXPECT_GT(std::count(heated.begin(), heated.end(), 0), 10) << id;
  }
}

TEST(HeatSource, MeltsAndSoftensWhatItReachesAndNothingElse) {
  Scene scene = block_scene({8, 2, 2});
  scene.gravity = {0, -9.81, 0};
  model::PrescribedMotion root;
  root.vertices = model::vertices_on_plane(scene.tet_mesh.rest_positions, 0, 0.0, 1e-9);
  scene.prescribed = {root};
  model::HeatSource ball = ball_at_the_root();
  ball.stiffness_factor = 0.25;
  ball.ramp.until = 0.05;
  for (const bool cools : {false, true}) {
    ball.cools = cools;
    scene.heat_sources = {ball};
    for (const char* id : {"linear_fem", "warped_fem"}) {
      const auto simulation =
          make(id, scene, with(printed_creep, {{"plastic_yield", 100.0}, {"solver", std::string("direct")}}));
      const auto& facets = facet_of<PlasticStrainFacet>(*simulation);
      simulation->step();
      std::vector<std::uint8_t> heated(facets.heated().begin(), facets.heated().end());
      int count = 0;
      for (std::size_t e = 0; e < heated.size(); ++e) {
        Vector3 centroid = Vector3::Zero();
        for (int a = 0; a < 4; ++a)
          centroid +=
              0.25 * scene.tet_mesh.rest_positions.row(scene.tet_mesh.tetrahedra(Eigen::Index(e), a)).transpose();
        EXPECT_EQ(heated[e], (centroid - ball.from).norm() <= ball.radius) << id << ' ' << e;
        count += heated[e];
      }
      EXPECT_GT(count, 10);
      EXPECT_LT(count, int(heated.size()) / 2);
      for (int k = 0; k < 3; ++k) {
        simulation->step();
        for (std::size_t e = 0; e < heated.size(); ++e) heated[e] = std::max(heated[e], facets.heated()[e]);
      }
      const auto strains = facets.plastic_strains();
      double hot = 0.0;
      for (std::size_t e = 0; e < heated.size(); ++e) {
        if (heated[e])
          hot = std::max(hot, strains[e].norm());
        else
          EXPECT_EQ(strains[e], Vector6(Vector6::Zero())) << id;
      }
      EXPECT_GT(hot, 1e-4) << id;
      for (int k = 0; k < 4; ++k) simulation->step();
      EXPECT_EQ(std::count(facets.heated().begin(), facets.heated().end(), 1) > 0, !cools) << id;
      // The matrix is that of a body given these materials from the first.
      Scene given = scene;
      given.heat_sources.clear();
      given.materials.push_back(given.materials[0]);
      given.materials[1].young_modulus *= ball.stiffness_factor;
      for (const std::uint8_t warm : facets.heated()) given.element_material.push_back(warm);
      given.initial_positions = simulation->state().positions;
      given.initial_velocities = simulation->state().velocities;
      const auto same = make(id, given, {{"solver", std::string("direct")}});
      const Points x = given.initial_positions;
      EXPECT_LT((Eigen::MatrixXd(facet_of<SystemOperatorFacet>(*same).system_matrix(x)) -
                 Eigen::MatrixXd(facet_of<SystemOperatorFacet>(*simulation).system_matrix(x)))
                    .cwiseAbs()
                    .maxCoeff(),
                1e-14)
          << id;
    }
  }
}

}  // namespace
}  // namespace deformbench::fem

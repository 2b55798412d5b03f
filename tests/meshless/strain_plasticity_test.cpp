// SPDX-License-Identifier: BSD-3-Clause
// Plastic flow of nodes: yield, cap, what stays of a strain, energy of what is elastic. [OBH02] §3
#include <gtest/gtest.h>

#include <cmath>

#include "methods/meshless/meshless_simulation.hpp"
#include "tests/meshless/cloud_fixture.hpp"

namespace deformbench::meshless {
namespace {

Matrix3 symmetric(std::uint64_t seed, double size) {
  numerics::RandomStream random(seed);
  Matrix3 m;
  for (int k = 0; k < 9; ++k) m.data()[k] = size * random.uniform(-1.0, 1.0);
  return 0.5 * (m + m.transpose());
}

double deviation(const Matrix3& m) {
  return (m - m.trace() / 3.0 * Matrix3::Identity()).norm();
}

TEST(StrainPlasticity, BelowTheYieldNothingFlows) {
  const Matrix3 strain = symmetric(1, 0.1), plastic = symmetric(2, 0.1);
  const PlasticityOptions options{true, 1.0001 * deviation(strain - plastic), 10.0};
  EXPECT_EQ(flowed(strain, plastic, options), plastic);
}

TEST(StrainPlasticity, FlowLeavesADeviationOfTheYieldAlongTheSameDirectionAndNoTrace) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Matrix3 strain = symmetric(seed, 1.0);
    const PlasticityOptions options{true, 0.3 * deviation(strain), 10.0};
    const Matrix3 plastic = flowed(strain, Matrix3::Zero(), options);
    EXPECT_NEAR(deviation(strain - plastic), options.yield, 1e-14);
    EXPECT_NEAR(plastic.trace(), 0.0, 1e-14);
    const Matrix3 deviator = strain - strain.trace() / 3.0 * Matrix3::Identity();
    EXPECT_NEAR((plastic - 0.7 * deviator).norm(), 0.0, 1e-14);
    EXPECT_LT((flowed(strain, plastic, options) - plastic).norm(), 1e-14);  // it has come to rest
  }
}

TEST(StrainPlasticity, TheCapLimitsTheStoredStrainAndPureVolumeDoesNotFlow) {
  const Matrix3 strain = symmetric(3, 1.0);
  EXPECT_NEAR(flowed(strain, Matrix3::Zero(), {true, 0.0, 0.05}).norm(), 0.05, 1e-15);
  EXPECT_EQ(flowed(2.0 * Matrix3::Identity(), Matrix3::Zero(), {true, 0.01, 10.0}), Matrix3(Matrix3::Zero()));
}

TEST(StrainPlasticity, ForcesAreTheGradientOfTheEnergyOfTheElasticStrain) {
  const Scene scene = jittered_block(3);
  const NodeCloud cloud = make_node_cloud(scene, {});
  for (const Strain measure : {Strain::Green, Strain::TwiceGreen}) {
    MlsElasticity elasticity(cloud, {.strain = measure, .volume_stiffness = 2e4});
    std::vector<Matrix3> plastic;
    for (Eigen::Index i = 0; i < cloud.size(); ++i) plastic.push_back(symmetric(std::uint64_t(i + 1), 0.05));
    elasticity.set_plastic_strains(plastic);
    const Points x = cloud.rest + random_points(cloud.size(), 0.02, 4);
    const Points forces = elasticity.forces(x);
    const Points direction = random_points(cloud.size(), 1.0, 5);
    const double h = 1e-6;
    const double slope = (elasticity.energy(x + h * direction) - elasticity.energy(x - h * direction)) / (2 * h);
    EXPECT_NEAR(-forces.cwiseProduct(direction).sum(), slope, 1e-6 * forces.norm() * direction.norm());
  }
}

TEST(StrainPlasticity, APlasticStrainThatIsTheStrainLeavesNoForce) {
  const Scene scene = jittered_block(3);
  const NodeCloud cloud = make_node_cloud(scene, {});
  MlsElasticity elasticity(cloud, {});
  Matrix3 stretch = Matrix3::Identity();
  stretch.diagonal() << 1.2, 0.9, 1.05;
  const Points x = cloud.rest * stretch;
  const double before = elasticity.forces(x).norm();
  elasticity.set_plastic_strains(
      std::vector<Matrix3>(std::size_t(cloud.size()), 0.5 * (stretch * stretch - Matrix3::Identity())));
  EXPECT_LT(elasticity.forces(x).norm(), 1e-10 * before);
  EXPECT_LT(elasticity.energy(x), 1e-20 * before);
}

/// Stretch that is left of a block after its ends were pulled apart and let go.
double residual_stretch(const char* plasticity) {
  Scene scene = jittered_block(3, 0.1);
  scene.time_step = 5e-3;
  const Points rest = scene.tet_mesh.rest_positions;
  scene.initial_positions = rest;
  scene.initial_positions.col(0) *= 1.5;
  const MeshlessOptions options = options_with({{"plasticity", std::string(plasticity)},
                                                {"plastic_yield", 0.05},
                                                {"plastic_cap", 5.0},
                                                {"mass_damping_1_s", 20.0}});
  MeshlessSimulation simulation(scene, options);
  for (int step = 0; step < 200; ++step) {
    if (simulation.step().outcome != StepOutcome::Advanced) return std::numeric_limits<double>::quiet_NaN();
  }
  const auto x = simulation.state().positions.col(0);
  return (x.maxCoeff() - x.minCoeff()) / (rest.col(0).maxCoeff() - rest.col(0).minCoeff());
}

TEST(StrainPlasticity, AStretchedBlockStaysLongAndAnElasticOneComesBack) {
  EXPECT_NEAR(residual_stretch("none"), 1.0, 0.02);
  EXPECT_GT(residual_stretch("strain_state"), 1.3);
}

}  // namespace
}  // namespace deformbench::meshless

// SPDX-License-Identifier: BSD-3-Clause
// Solids that flow far and take their shape as reference: what stays, what follows, and multiplicative flow against its
// closed form. [PKAGDG05] §5
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "experiments/pauly_et_al_2005/scenes/node_clouds.hpp"
#include "methods/meshless/meshless_simulation.hpp"
#include "methods/meshless/surface/rebasing.hpp"
#include "methods/numerics/symmetric_eigen.hpp"
#include "tests/meshless/cloud_fixture.hpp"

namespace deformbench::meshless {
namespace {

constexpr double kYield = 0.05;

/// A lattice of nodes in the bar [0, 1.2] × [0, 0.6]², 0.1 m apart, jittered, with its skin.
Scene bar(std::array<int, 3> cells = {12, 6, 6}, std::uint64_t seed = 1) {
  Scene scene;
  scene.name = "bar";
  scene.materials = {model::Material{}};
  scene.materials[0].young_modulus = 1e5;
  scene.time_step = 2e-3;
  const Vector3 high(0.1 * cells[0], 0.1 * cells[1], 0.1 * cells[2]);
  scene.skin = scenes::box_surface(Vector3::Zero(), high);
  numerics::RandomStream random(seed);
  const Eigen::Index count = Eigen::Index(cells[0]) * cells[1] * cells[2];
  scene.particles.rest_positions.resize(count, 3);
  for (Eigen::Index row = 0; row < count; ++row) {
    const Vector3 cell(double(row / (cells[1] * cells[2])), double(row / cells[2] % cells[1]), double(row % cells[2]));
    for (int c = 0; c < 3; ++c)
      scene.particles.rest_positions(row, c) = 0.1 * (cell[c] + 0.5 + 0.25 * random.uniform(-1.0, 1.0));
  }
  scene.particles.masses.setConstant(count, 1000.0 * high.prod() / double(count));
  scene.particles.supports.setConstant(count, 0.22);
  return scene;
}

MeshlessOptions flowing(std::map<std::string, ParameterValue> more = {}) {
  std::map<std::string, ParameterValue> settings{{"plasticity", std::string("multiplicative")},
                                                 {"plastic_yield", kYield},
                                                 {"plastic_cap", 100.0},
                                                 {"rebase_flow", 0.2}};
  for (auto& [name, value] : more) settings[name] = value;
  return options_with(settings);
}

Matrix3 isochoric(double stretch) {
  return Vector3(stretch, 1 / std::sqrt(stretch), 1 / std::sqrt(stretch)).asDiagonal();
}

int references(const MeshlessSimulation& simulation) {
  int count = 0;
  for (const SimulationEvent& event : simulation.step_events()) count += event.kind == "reference" ? 1 : 0;
  return count;
}

/// Eigenvalues of V_e, ascending.
Vector3 elastic_stretches(const Matrix3& f, const Matrix3& metric) {
  return numerics::symmetric_eigen(f * metric.inverse() * f.transpose()).values.cwiseSqrt();
}

TEST(MultiplicativeFlow, LeavesTheYieldAndNoVolumeFlows) {
  numerics::RandomStream random(3);
  for (int k = 0; k < 20; ++k) {
    const Matrix3 f = random.rotation() *
                      Vector3(random.uniform(0.3, 3), random.uniform(0.3, 3), random.uniform(0.3, 3)).asDiagonal() *
                      random.rotation();
    const PlasticStretch after = flowed(f, PlasticStretch{}, {true, kYield, 100.0, PlasticFlow::Multiplicative});
    EXPECT_NEAR(after.metric.determinant(), 1.0, 1e-11);
    const Vector3 strain = elastic_stretches(f, after.metric).array().log();
    EXPECT_NEAR((strain.array() - strain.mean()).matrix().norm(), kYield, 1e-11);
    EXPECT_NEAR(strain.mean(), std::log(std::abs(f.determinant())) / 3, 1e-11);
  }
  EXPECT_EQ(flowed(Matrix3(2.0 * Matrix3::Identity()), PlasticStretch{}, {true, kYield, 100.0}).flowed, 0.0);
}

TEST(MultiplicativeFlow, EndsAtTheCap) {
  PlasticStretch plastic;
  for (int k = 1; k <= 40; ++k) plastic = flowed(isochoric(1 + 0.1 * k), plastic, {true, kYield, 0.8});
  EXPECT_DOUBLE_EQ(plastic.flowed, 0.8);
  // ‖ln F_p‖ = √(3/2) ln λ_p along one axis
  EXPECT_NEAR(std::sqrt(plastic.metric(0, 0)), std::exp(0.8 / std::sqrt(1.5)), 1e-9);
}

TEST(MultiplicativeFlow, ForcesAreTheGradientOfTheEnergy) {
  for (const Scene& scene : {jittered_block(3), flat_block(3)}) {
    const NodeCloud cloud = make_node_cloud(scene, {});
    for (const Strain measure : {Strain::Green, Strain::TwiceGreen}) {
      MlsElasticity elasticity(cloud, {.strain = measure, .volume_stiffness = 2e4});
      numerics::RandomStream random(5);
      for (Eigen::Index i = 0; i < cloud.size(); ++i) {
        const Matrix3 turn = random.rotation();
        elasticity.set_plastic_metric(
            i, turn * Vector3(random.uniform(0.5, 2), random.uniform(0.5, 2), 1.0).asDiagonal() * turn.transpose());
      }
      const Points x = cloud.rest + random_points(cloud.size(), 0.02, 4);
      const Points forces = elasticity.forces(x), direction = random_points(cloud.size(), 1.0, 5);
      const double h = 1e-6;
      const double slope = (elasticity.energy(x + h * direction) - elasticity.energy(x - h * direction)) / (2 * h);
      EXPECT_NEAR(-forces.cwiseProduct(direction).sum(), slope, 1e-6 * forces.norm() * direction.norm());
      EXPECT_LT(forces.colwise().sum().norm(), 1e-10 * forces.norm());
    }
  }
}

// Pulled and turned step by step to four times its length: every elastic stretch is that of the yield, e^(√(2/3) γ)
// along and e^(−γ/√6) across, whatever the number of references between.
TEST(Rebasing, AnEvenStretchKeepsItsVolumeAndTheStressOfTheYield) {
  const Scene scene = bar({6, 4, 4});
  NodeCloud cloud = make_node_cloud(scene, {});
  MlsElasticity elasticity(cloud, {});
  const Points first = cloud.rest;
  const std::vector<double> masses = cloud.masses;
  const PlasticityOptions options{true, kYield, 100.0, PlasticFlow::Multiplicative};
  std::vector<PlasticStretch> plastic(std::size_t(cloud.size()));
  const double along = std::exp(std::sqrt(2.0 / 3.0) * kYield), across = std::exp(-kYield / std::sqrt(6.0));
  const model::Material& m = scene.materials[0];
  const double e1 = 0.5 * (along * along - 1), e2 = 0.5 * (across * across - 1);
  const double stress = 2 * m.lame_mu() * e1 + m.lame_lambda() * (e1 + 2 * e2);
  int rebases = 0;
  for (int step = 1; step <= 120; ++step) {
    const double stretch = 1 + 0.025 * step;
    const Matrix3 f =
        Eigen::AngleAxisd(0.03 * step, Vector3(1, 2, 3).normalized()).toRotationMatrix() * isochoric(stretch);
    const Points x = first * f.transpose();
    bool is_far = false;
    for (Eigen::Index i = 0; i < cloud.size(); ++i) {
      auto& of = plastic[std::size_t(i)];
      ASSERT_EQ(cloud.ranks[std::size_t(i)], 3);
      of = flowed(elasticity.deformation_gradient(i, x), of, options);
      elasticity.set_plastic_metric(i, of.metric);
      is_far = is_far || of.since_base > 0.2;
    }
    if (is_far) {
      const double before = elasticity.energy(x);
      EXPECT_EQ(rebase(cloud, elasticity, x, plastic, {}), 0);
      elasticity.follow();
      for (Eigen::Index i = 0; i < cloud.size(); ++i) elasticity.set_plastic_metric(i, plastic[std::size_t(i)].metric);
      EXPECT_NEAR(elasticity.energy(x), before, 1e-10 * before);
      EXPECT_EQ(cloud.rest, x);
      EXPECT_EQ(cloud.masses, masses);
      ++rebases;
    }
    if (step != 40 && step != 80 && step != 120) continue;  // stretches 2, 3, 4
    for (Eigen::Index i = 0; i < cloud.size(); ++i) {
      const Matrix3 now = elasticity.deformation_gradient(i, x);
      const Vector3 elastic = elastic_stretches(now, plastic[std::size_t(i)].metric);
      EXPECT_NEAR(elastic[2], along, 1e-8);
      EXPECT_NEAR(elastic[1], across, 1e-8);
      EXPECT_NEAR(elastic.prod(), 1.0, 1e-8);  // det F is 1, and so is that of what has flowed
      EXPECT_NEAR(numerics::symmetric_eigen(elasticity.stress(i, x)).values[2], stress, 1e-6 * stress);
    }
  }
  EXPECT_GT(rebases, 5);
}

TEST(Rebasing, FindsTheNeighboursOfTheShapeNow) {
  const Scene scene = bar({6, 4, 4});
  NodeCloud cloud = make_node_cloud(scene, {});
  const MlsElasticity elasticity(cloud, {});
  const Points x = cloud.rest * isochoric(1.6);
  std::vector<PlasticStretch> plastic(std::size_t(cloud.size()));
  rebase(cloud, elasticity, x, plastic, {});
  for (Eigen::Index i = 0; i < cloud.size(); ++i) {
    std::vector<int> expected, found;
    for (Eigen::Index j = 0; j < cloud.size(); ++j)
      if (j != i && (x.row(j) - x.row(i)).norm() < cloud.supports[std::size_t(i)]) expected.push_back(int(j));
    for (std::size_t p = cloud.first[std::size_t(i)]; p < cloud.first[std::size_t(i) + 1]; ++p)
      found.push_back(cloud.neighbours[p]);
    ASSERT_EQ(found, expected);
  }
}

TEST(Rebasing, ABodyAtRestStaysThereToTheBitHoweverOften) {
  const Scene scene = bar({6, 4, 4});
  MeshlessSimulation simulation(scene, flowing());
  for (int k = 0; k < 10; ++k) {
    simulation.rebase();
    ASSERT_EQ(simulation.step().outcome, StepOutcome::Advanced);
  }
  EXPECT_EQ(Points(simulation.state().positions), scene.particles.rest_positions);
  EXPECT_EQ(simulation.state().velocities.norm(), 0.0);
}

TEST(Rebasing, AnElasticSwingKeepsItsEnergyAndMomenta) {
  Scene scene = bar({8, 4, 4});
  scene.initial_velocities = random_points(scene.particles.rest_positions.rows(), 0.3, 8);
  MeshlessSimulation simulation(scene, options_with({}));
  const auto momenta = [&] {
    const StateView s = simulation.state();
    Vector3 linear = Vector3::Zero(), angular = Vector3::Zero();
    for (Eigen::Index i = 0; i < s.positions.rows(); ++i) {
      const Vector3 x = s.positions.row(i), v = s.velocities.row(i);
      linear += s.masses[i] * v;
      angular += s.masses[i] * x.cross(v);
    }
    return std::pair(linear, angular);
  };
  const auto [linear, angular] = momenta();
  const double mass = simulation.state().masses.sum();
  for (int k = 0; k < 30; ++k) {
    ASSERT_EQ(simulation.step().outcome, StepOutcome::Advanced);
    if (k % 5 != 4) continue;
    const Points x = simulation.state().positions, v = simulation.state().velocities;
    const double before = simulation.elastic_energy(x);
    simulation.rebase();
    EXPECT_NEAR(simulation.elastic_energy(x), before, 1e-10 * before);
    EXPECT_EQ(Points(simulation.state().positions), x);
    EXPECT_EQ(Points(simulation.state().velocities), v);
  }
  EXPECT_LT((momenta().first - linear).norm(), 1e-11 * mass);
  EXPECT_LT((momenta().second - angular).norm(), 1e-11 * mass);
  EXPECT_EQ(simulation.state().masses.sum(), mass);
}

TEST(Rebasing, AnElasticBodyNeverDoesItByItself) {
  Scene scene = bar({6, 4, 4});
  scene.initial_positions = scene.particles.rest_positions * isochoric(1.5);
  Points ends[2];
  for (const double flow : {0.0, 0.01}) {
    MeshlessSimulation simulation(scene, options_with({{"rebase_flow", flow}}));
    for (int k = 0; k < 20; ++k) {
      ASSERT_EQ(simulation.step().outcome, StepOutcome::Advanced);
      EXPECT_EQ(references(simulation), 0);
    }
    ends[flow > 0.0 ? 1 : 0] = simulation.state().positions;
  }
  EXPECT_EQ(ends[0], ends[1]);
}

/// Both end layers of the bar are taken apart, evenly in time.
Scene pulled(Scene scene, int layer, double pull, double duration) {
  const Eigen::Index count = scene.particles.rest_positions.rows();
  scene.initial_velocities = Points::Zero(count, 3);
  const double low = scene.particles.rest_positions.col(0).head(layer).mean();
  const double high = scene.particles.rest_positions.col(0).tail(layer).mean();
  for (Eigen::Index i = 0; i < count; ++i)
    scene.initial_velocities(i, 0) =
        pull / duration * ((scene.particles.rest_positions(i, 0) - low) / (high - low) - 0.5);
  for (const double side : {-1.0, 1.0}) {
    model::PrescribedMotion motion;
    for (int k = 0; k < layer; ++k) motion.vertices.push_back(side < 0 ? k : int(count) - layer + k);
    motion.translation = 0.5 * side * pull * Vector3::UnitX();
    motion.ramp.end = duration;
    motion.components = {true, false, false};
    scene.prescribed.push_back(motion);
  }
  return scene;
}

TEST(Rebasing, APulledBarFlowsToTwiceItsLengthAndKeepsItsVolume) {
  // Supports follow the stretch, or layers of nodes that it takes apart would lose each other, and the bar would tear.
  Scene wide = bar({12, 5, 5});
  wide.particles.supports.setConstant(0.28);
  const Scene scene = pulled(wide, 25, 2.0, 0.5);
  const NodeCloud first = make_node_cloud(scene, {});
  const MlsElasticity of_first(first, {});
  MeshlessSimulation simulation(scene, flowing({{"rebase_flow", 0.3}, {"rebase_supports", std::string("stretched")}}));
  int count = 0;
  for (int k = 0; k < 200; ++k) {
    ASSERT_EQ(simulation.step().outcome, StepOutcome::Advanced) << k;
    for (const SimulationEvent& event : simulation.step_events()) {
      if (event.kind != "reference") continue;
      double before = 0.0, after = 1.0;
      ASSERT_EQ(std::sscanf(event.detail.c_str(), "energy %lf J before, %lf", &before, &after), 2);
      EXPECT_NEAR(after, before, 1e-8 * before);
      EXPECT_EQ(event.code, ++count);
    }
  }
  EXPECT_GT(count, 2);
  EXPECT_EQ(simulation.state().masses, Eigen::Map<const Eigen::VectorXd>(first.masses.data(), first.size()));
  const Points x = simulation.state().positions;
  const auto strains = simulation.array("node_plastic_strains").reals;
  const auto gradients = simulation.array("node_deformation_gradients").reals;
  std::vector<double> stretches, volumes;
  for (Eigen::Index i = 25; i < first.size() - 25; ++i) {
    const Eigen::Map<const Matrix3> strain(strains.data() + 9 * i);
    const Matrix3 f = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(gradients.data() + 9 * i);
    const Matrix3 total = of_first.deformation_gradient(i, x);
    volumes.push_back(total.determinant());
    stretches.push_back(Eigen::JacobiSVD<Matrix3>(total).singularValues()[0] /
                        elastic_stretches(f, Matrix3::Identity() + 2 * strain)[2]);
  }
  const auto median = [](std::vector<double> of) {
    std::nth_element(of.begin(), of.begin() + std::ptrdiff_t(of.size() / 2), of.end());
    return of[of.size() / 2];
  };
  EXPECT_GT(median(stretches), 2.0);
  EXPECT_NEAR(median(volumes), 1.0, 0.05);
}

TEST(Rebasing, TheStableStepIsFoundAnew) {
  Scene scene = bar({6, 4, 4});
  scene.initial_positions = scene.particles.rest_positions * isochoric(1.8);
  scene.time_step = 0.05;
  MeshlessSimulation anew(scene, flowing()), fixed(scene, flowing({{"rebase_flow", 0.0}}));
  const int with = anew.step().substeps, without = fixed.step().substeps;
  EXPECT_EQ(references(anew), 1);
  EXPECT_GT(with, without);  // nodes have come closer together across
}

/// The bar cut through at x = 0.61, and turned and shifted as a whole.
Scene cut_bar() {
  Scene scene = bar();
  model::InitialCrack crack;
  crack.surface.positions.resize(4, 3);
  crack.surface.positions << 0.61, -1, -1, 0.61, 2, -1, 0.61, 2, 2, 0.61, -1, 2;
  crack.surface.triangles.resize(2, 3);
  crack.surface.triangles << 0, 1, 2, 0, 2, 3;
  scene.cracks.push_back(crack);
  return scene;
}

TEST(Rebasing, PiecesThatLieTogetherAreNotJoined) {
  Scene scene = cut_bar();
  const Points& rest = scene.particles.rest_positions;
  scene.initial_positions = rest;
  for (Eigen::Index i = 0; i < rest.rows(); ++i)
    if (rest(i, 0) > 0.61) scene.initial_positions.row(i) += Vector3(-0.05, 0.25, 0.1).transpose();
  MeshlessSimulation simulation(scene, flowing());
  const auto across = [&] {
    const auto pairs = simulation.array("pairs").integers;
    const auto weights = simulation.array("pair_weights").reals;
    double sum = 0.0;
    for (std::size_t p = 0; p < weights.size(); ++p)
      if ((rest(pairs[2 * p], 0) > 0.61) != (rest(pairs[2 * p + 1], 0) > 0.61)) sum += weights[p];
    return sum;
  };
  EXPECT_EQ(across(), 0.0);
  for (int k = 0; k < 3; ++k) {
    simulation.rebase();
    EXPECT_EQ(across(), 0.0);
    EXPECT_GT(simulation.array("pairs").integers.size(), 0u);
  }
}

TEST(Rebasing, CracksFrontsSurfelsAndWeightsTurnWithTheBody) {
  Scene scene = bar();
  const Matrix3 turn = Eigen::AngleAxisd(0.8, Vector3(1, 2, 2).normalized()).toRotationMatrix();
  const Vector3 shift(0.3, -0.2, 0.5);
  scene.initial_positions = (scene.particles.rest_positions * turn.transpose()).rowwise() + shift.transpose();
  MeshlessSimulation simulation(
      scene, flowing({{"crack_stress", std::string("nodes")},
                      {"crack_surfel_radius_m", 0.05},
                      {"surfel_radius_m", 0.05},
                      {"crack_notches", std::vector<double>{0.61, 0.0, 0.45, 0.61, 0.6, 0.45, 0.0, 0.0, 0.2}},
                      {"crack_nodes_start", false}}));
  ASSERT_EQ(simulation.step().outcome, StepOutcome::Advanced);
  const auto points = [&](const char* name) {
    const auto reals = simulation.array(name).reals;
    return Points(Eigen::Map<const Points>(reals.data(), Eigen::Index(reals.size() / 3), 3));
  };
  const auto turned = [&](const Points& x) { return Points((x * turn.transpose()).rowwise() + shift.transpose()); };
  const Points vertices = points("crack_vertices"), surfels = points("surfel_rest_positions");
  const auto weights = simulation.array("pair_weights").reals;
  const auto pairs = simulation.array("pairs").integers;
  const auto less = std::count_if(weights.begin(), weights.end(), [](double w) { return w == 0.0; });
  ASSERT_GT(less, 10);
  simulation.rebase();
  EXPECT_LT((points("crack_vertices") - turned(vertices)).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LT((points("surfel_rest_positions") - turned(surfels)).cwiseAbs().maxCoeff(), 1e-9);
  // Pairs that the crack hid are gone for good; the others weigh what they did.
  const auto after = simulation.array("pair_weights").reals;
  const auto kept = simulation.array("pairs").integers;
  std::map<std::pair<int, int>, double> weight_of;
  for (std::size_t p = 0; p < weights.size(); ++p) weight_of[{pairs[2 * p], pairs[2 * p + 1]}] = weights[p];
  EXPECT_EQ(after.size(), weights.size() - std::size_t(less));
  for (std::size_t p = 0; p < after.size(); ++p)
    EXPECT_NEAR(after[p], weight_of.at({kept[2 * p], kept[2 * p + 1]}), 1e-7);
  EXPECT_EQ(after, simulation.array("pair_weights_anew").reals);
}

TEST(Rebasing, NodesThatLoseNeighboursAreSplitAndMassAndVolumeStay) {
  Scene scene = bar({10, 3, 3});
  scene.initial_positions = scene.particles.rest_positions * isochoric(4.0);
  MeshlessSimulation simulation(
      scene, flowing({{"resampling", std::string("cracks")}, {"split_supports", std::string("kept")}}));
  const double mass = simulation.state().masses.sum();
  const auto sum = [&](const char* name) {
    double total = 0.0;
    for (const double v : simulation.array(name).reals) total += v;
    return total;
  };
  const double volume = sum("node_volumes");
  const Eigen::Index before = simulation.state().positions.rows();
  for (int k = 0; k < 3; ++k) ASSERT_EQ(simulation.step().outcome, StepOutcome::Advanced);
  EXPECT_GT(simulation.state().positions.rows(), before);
  EXPECT_NEAR(simulation.state().masses.sum(), mass, 1e-12 * mass);
  EXPECT_NEAR(sum("node_volumes"), volume, 1e-12 * volume);
}

TEST(Rebasing, ARefinedSkinIsTheSameSurface) {
  const model::TriangleMesh coarse = bar().skin, fine = refined(coarse, 0.25);
  EXPECT_GT(fine.triangle_count(), 16 * coarse.triangle_count() - 1);
  const auto area = [](const model::TriangleMesh& mesh) {
    double sum = 0.0;
    for (Eigen::Index t = 0; t < mesh.triangle_count(); ++t) {
      const Vector3 a = mesh.positions.row(mesh.triangles(t, 0)), b = mesh.positions.row(mesh.triangles(t, 1)),
                    c = mesh.positions.row(mesh.triangles(t, 2));
      sum += 0.5 * (b - a).cross(c - a).norm();
    }
    return sum;
  };
  EXPECT_NEAR(area(fine), area(coarse), 1e-12);
  EXPECT_EQ(2 * fine.vertex_count() - 4, fine.triangle_count());  // closed, without a handle, no vertex twice
}

}  // namespace
}  // namespace deformbench::meshless

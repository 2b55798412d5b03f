// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <numbers>

#include "methods/model/error.hpp"
#include "tests/experiments/probe_measure.hpp"

namespace deformbench::tests {
namespace {

std::vector<std::string> scene_ids() {
  std::vector<std::string> ids;
  const harness::SceneRegistry scenes = harness::builtin_scenes();
  for (const auto& scene : scenes.all()) ids.push_back(scene.id);
  return ids;
}

class EveryScene : public testing::TestWithParam<std::string> {};

TEST_P(EveryScene, IsUsableAsItStandsAndNamesItself) {
  const Scene scene = built(GetParam());
  EXPECT_NO_THROW(check_scene(scene));
  EXPECT_EQ(scene.name, GetParam());
  EXPECT_GT(scene.tet_mesh.element_count(), 0);
}

TEST_P(EveryScene, WeighsDensityTimesVolume) {
  const Scene scene = built(GetParam(), {{"density_kg_m3", 700.0}});
  const double volume = model::total_volume(scene.tet_mesh, scene.tet_mesh.rest_positions);
  EXPECT_NEAR(lumped_masses(scene).sum(), 700.0 * volume, 1e-10 * 700.0 * volume);
}

TEST_P(EveryScene, DeclaresTimeStepAndDocumentsEveryParameter) {
  const auto registry = harness::builtin_scenes();
  const auto& descriptor = registry.at(GetParam());
  EXPECT_EQ(built(GetParam(), {{"time_step_s", 0.125}}).time_step, 0.125);
  for (const auto& info : descriptor.parameters) EXPECT_FALSE(info.doc.empty()) << info.name;
}

TEST_P(EveryScene, HasTheSameBitsForTheSameSeed) {
  const Scene a = built(GetParam()), b = built(GetParam());
  EXPECT_EQ(a.tet_mesh.rest_positions, b.tet_mesh.rest_positions);
  EXPECT_EQ(a.start_positions(), b.start_positions());
  EXPECT_EQ(a.start_velocities(), b.start_velocities());
}

INSTANTIATE_TEST_SUITE_P(Scenes, EveryScene, testing::ValuesIn(scene_ids()), [](const auto& info) { return info.param; });

TEST(BarScene, IsTheBarOfFigureSevenByDefault) {
  for (const long long n : {2LL, 3LL}) {
    const Scene scene = built("bar", {{"cells_across", n}});
    EXPECT_EQ(scene.tet_mesh.element_count(), 20 * n * n * n);
    EXPECT_EQ(scene.tet_mesh.vertex_count(), (4 * n + 1) * (n + 1) * (n + 1));
    EXPECT_EQ(scene.prescribed.at(0).vertices.size(), static_cast<std::size_t>((n + 1) * (n + 1)));
    EXPECT_NEAR(lumped_masses(scene).sum(), 4000.0, 1e-8);
  }
  const Scene scene = built("bar");
  EXPECT_EQ(scene.gravity, Vector3(0, -9.81, 0));
  EXPECT_EQ(scene.time_step, 0.01);
  EXPECT_EQ(scene.materials.at(0).young_modulus, 1e5);
  EXPECT_EQ(scene.materials.at(0).poisson_ratio, 0.33);
}

TEST(BarScene, TipForceSumsToTheForceAskedFor) {
  const Scene scene = built("bar", {{"gravity_m_s2", std::vector<double>{0, 0, 0}},
                                    {"tip_force_n", std::vector<double>{1, -20, 3}},
                                    {"tip_ramp_s", 2.0}});
  const Eigen::VectorXd masses = lumped_masses(scene);
  const Vector3 full = external_forces(scene, masses, 2.0).colwise().sum();
  EXPECT_LT((full - Vector3(1, -20, 3)).norm(), 1e-12 * 20);
  const Vector3 half = external_forces(scene, masses, 1.0).colwise().sum();
  EXPECT_LT((half - 0.5 * full).norm(), 1e-12 * 20);
}

TEST(BarScene, HeldEndsAreTheEndFaces) {
  EXPECT_EQ(built("bar", {{"held", std::string("both")}}).prescribed.size(), 2u);
  EXPECT_TRUE(built("bar", {{"held", std::string("none")}}).prescribed.empty());
}

TEST(RootRotatedBarScene, RotatedStartAgreesWithThePrescribedRoot) {
  const Scene scene = built("root_rotated_bar", {{"angle_deg", 120.0}, {"start", std::string("rotated")}});
  const auto& root = scene.prescribed.at(0);
  for (std::size_t k = 0; k < root.vertices.size(); ++k) {
    const int v = root.vertices[k];
    const Vector3 held = root.position_at(k, scene.tet_mesh.rest_positions.row(v).transpose(), 0.0);
    EXPECT_LT((held - scene.initial_positions.row(v).transpose()).norm(), 1e-14);
  }
}

TEST(TangledBlockScene, HasAboutHalfOfItsElementsInverted) {
  double inverted = 0.0, elements = 0.0;
  for (long long seed = 1; seed <= 20; ++seed) {
    const Scene scene = built("tangled_block", {{"seed", seed}});
    inverted += measured("inverted_elements", scene)[0];
    elements += static_cast<double>(scene.tet_mesh.element_count());
  }
  EXPECT_GT(inverted / elements, 0.3);
  EXPECT_LT(inverted / elements, 0.6);
}

TEST(TangledBlockScene, SeedsDiffer) {
  EXPECT_NE(built("tangled_block", {{"seed", 1LL}}).initial_positions,
            built("tangled_block", {{"seed", 2LL}}).initial_positions);
}

TEST(FreeFallingBlockScene, RandomVelocitiesHaveTheDeviationAskedFor) {
  const Scene scene = built("free_falling_block", {{"random_velocity_m_s", 2.0}, {"cells_across", 8LL}});
  const auto n = static_cast<double>(scene.initial_velocities.size());
  const double deviation = std::sqrt(scene.initial_velocities.squaredNorm() / n);
  EXPECT_NEAR(deviation, 2.0, 5.0 * 2.0 / std::sqrt(2.0 * n));  // five standard errors
}

TEST(FreeFallingBlockScene, PlaneIsBelowTheBlockByItsDistance) {
  const Scene scene = built("free_falling_block",
                            {{"ground", std::string("plane")}, {"ground_distance_m", 0.25}, {"ground_tilt_deg", 30.0}});
  const auto& plane = scene.colliders.at(0);
  const Eigen::VectorXd heights = (scene.tet_mesh.rest_positions * plane.normal).array() - plane.offset;
  EXPECT_NEAR(heights.minCoeff(), 0.25, 1e-12);
  EXPECT_NEAR(std::acos(plane.normal.y()), std::numbers::pi / 6, 1e-12);
}

TEST(PatchBlockScene, BoundaryIsHeldOnTheAffineMapAndTheInteriorIsFreeAndIrregular) {
  const std::vector<double> gradient{0, 1e-3, 0, 0, 0, 0, 0, 0, 0};
  const Scene scene = built("patch_block", {{"displacement_gradient", gradient}});
  const auto& boundary = scene.prescribed.at(0);
  EXPECT_EQ(scene.tet_mesh.vertex_count() - static_cast<Eigen::Index>(boundary.vertices.size()), 8);
  for (std::size_t k = 0; k < boundary.vertices.size(); ++k) {
    const Vector3 x = scene.tet_mesh.rest_positions.row(boundary.vertices[k]);
    EXPECT_LT((boundary.position_at(k, x, 0.0) - Vector3(x.x() + 1e-3 * x.y(), x.y(), x.z())).norm(), 1e-15);
  }
  const Scene regular = built("patch_block", {{"jitter", 0.0}});
  EXPECT_GT((scene.tet_mesh.rest_positions - regular.tet_mesh.rest_positions).cwiseAbs().maxCoeff(), 0.01);
}

TEST(StretchedBarScene, StretchedStartIsHomogeneousAndMeetsTheHeldFaces) {
  const Scene scene =
      built("stretched_bar", {{"stretch", 1.5}, {"lateral_stretch", 0.9}, {"start", std::string("stretched")}});
  EXPECT_NEAR(measured("min_det_f", scene)[0], 1.5 * 0.81, 1e-12);
  EXPECT_NEAR(measured("max_det_f", scene)[0], 1.5 * 0.81, 1e-12);
  for (const auto& held : scene.prescribed)
    for (std::size_t k = 0; k < held.vertices.size(); ++k)
      EXPECT_EQ(held.position_at(k, Vector3::Zero(), 0.0), Vector3(scene.initial_positions.row(held.vertices[k])));
}

TEST(SingleTetrahedronScene, DilationModeHasTheFrequencyOfTheClosedForm) {
  // references C.2: edge 0.1414 m, ω² = 9 V K / Σ m r² = (342.997 rad/s)².
  const Scene scene = built("single_tetrahedron");
  const auto& material = scene.materials[0];
  const double bulk = material.young_modulus / (3.0 * (1.0 - 2.0 * material.poisson_ratio));
  const double volume = model::total_volume(scene.tet_mesh, scene.tet_mesh.rest_positions);
  const double moment = lumped_masses(scene).dot(scene.tet_mesh.rest_positions.rowwise().squaredNorm());
  EXPECT_NEAR(std::sqrt(9.0 * volume * bulk / moment), 342.997, 5e-4);
}

TEST(BeamScene, StartsInTheFirstModeWithTheTipAtTheAmplitudeAndTheRootHeld) {
  const Scene scene = built("beam", {{"amplitude_m", 0.01}});
  EXPECT_NEAR(vector_of(measured("tip_displacement", scene)).y(), 0.01, 1e-12);
  for (const int v : scene.vertex_sets.at("root"))
    EXPECT_EQ(scene.initial_positions.row(v), scene.tet_mesh.rest_positions.row(v));
  // The clamped–free mode has its middle at 0.3395 of the tip [lit: Blevins, table 8-1].
  double middle = 0.0;
  for (Eigen::Index i = 0; i < scene.tet_mesh.vertex_count(); ++i)
    if (std::abs(scene.tet_mesh.rest_positions(i, 0) - 0.5) < 1e-9)
      middle = scene.initial_positions(i, 1) - scene.tet_mesh.rest_positions(i, 1);
  EXPECT_NEAR(middle / 0.01, 0.3395, 5e-4);
}

TEST(SceneRegistry, UnknownSceneIsRefusedWithTheKnownOnes) {
  try {
    harness::builtin_scenes().at("barr");
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::AllOf(testing::HasSubstr("scene 'barr'"), testing::HasSubstr("bar, beam")));
  }
}

TEST(SceneRegistry, TheSameIdTwiceIsRefused) {
  harness::SceneRegistry registry = harness::builtin_scenes();
  EXPECT_THROW(registry.add(registry.all().front()), InputError);
}

}  // namespace
}  // namespace deformbench::tests

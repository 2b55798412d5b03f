// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <Eigen/Dense>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <numbers>

#include "experiments/scenes/round_surfaces.hpp"
#include "methods/model/error.hpp"
#include "methods/model/mesh_files/mesh_files.hpp"
#include "tests/experiments/probe_measure.hpp"

namespace deformbench::tests {
namespace {

std::vector<std::string> scene_ids() {
  std::vector<std::string> ids;
  const SceneRegistry scenes = builtin_scenes();
  for (const auto& scene : scenes.all()) ids.push_back(scene.id);
  return ids;
}

double enclosed_volume(const model::TriangleMesh& mesh) {
  double six = 0.0;
  for (Eigen::Index t = 0; t < mesh.triangle_count(); ++t) {
    const Vector3 a = mesh.positions.row(mesh.triangles(t, 0)), b = mesh.positions.row(mesh.triangles(t, 1)),
                  c = mesh.positions.row(mesh.triangles(t, 2));
    six += a.dot(b.cross(c));
  }
  return six / 6.0;
}

/// Directed edges whose opposite is missing.
int unmatched_edges(const model::TriangleMesh& mesh) {
  std::map<std::pair<int, int>, int> count;
  for (Eigen::Index t = 0; t < mesh.triangle_count(); ++t)
    for (int k = 0; k < 3; ++k) {
      const int a = mesh.triangles(t, k), b = mesh.triangles(t, (k + 1) % 3);
      ++count[{a, b}];
      --count[{b, a}];
    }
  int unmatched = 0;
  for (const auto& [edge, n] : count) unmatched += n > 0;
  return unmatched;
}

class EveryScene : public testing::TestWithParam<std::string> {};

TEST_P(EveryScene, IsUsableAsItStandsAndNamesItself) {
  const Scene scene = built(GetParam());
  EXPECT_NO_THROW(check_scene(scene));
  EXPECT_EQ(scene.name, GetParam());
  EXPECT_GT(scene.vertex_count() + Eigen::Index(scene.rigid_bodies.size()), 0);
}

double area_at_rest(const model::ClothMesh& cloth) {
  double doubled = 0.0;
  for (Eigen::Index t = 0; t < cloth.triangle_count(); ++t) {
    const Vector3 a = cloth.rest_positions.row(cloth.triangles(t, 0)),
                  b = cloth.rest_positions.row(cloth.triangles(t, 1)),
                  c = cloth.rest_positions.row(cloth.triangles(t, 2));
    doubled += (b - a).cross(c - a).norm();
  }
  return 0.5 * doubled;
}

TEST_P(EveryScene, WeighsDensityTimesVolumeOrArea) {
  const Scene plain = built(GetParam());
  if (plain.tet_mesh.element_count() > 0) {
    const Scene scene = built(GetParam(), {{"density_kg_m3", 700.0}});
    const double volume = model::total_volume(scene.tet_mesh, scene.tet_mesh.rest_positions);
    EXPECT_NEAR(lumped_masses(scene).sum(), 700.0 * volume, 1e-10 * 700.0 * volume);
  } else if (plain.cloth.triangle_count() > 0) {
    const Scene scene = built(GetParam(), {{"area_density_kg_m2", 0.7}});
    const double area = area_at_rest(scene.cloth);
    EXPECT_NEAR(lumped_masses(scene).sum(), 0.7 * area, 1e-10 * 0.7 * area);
  } else {
    EXPECT_EQ(lumped_masses(plain).size(), plain.vertex_count());
  }
}

TEST_P(EveryScene, DeclaresTimeStepAndDocumentsEveryParameter) {
  const auto registry = builtin_scenes();
  const auto& descriptor = registry.at(GetParam());
  EXPECT_EQ(built(GetParam(), {{"time_step_s", 0.125}}).time_step, 0.125);
  for (const auto& info : descriptor.parameters) EXPECT_FALSE(info.doc.empty()) << info.name;
}

TEST_P(EveryScene, HasTheSameBitsForTheSameSeed) {
  const Scene a = built(GetParam()), b = built(GetParam());
  EXPECT_EQ(a.rest_positions(), b.rest_positions());
  EXPECT_EQ(a.start_positions(), b.start_positions());
  EXPECT_EQ(a.start_velocities(), b.start_velocities());
}

INSTANTIATE_TEST_SUITE_P(Scenes, EveryScene, testing::ValuesIn(scene_ids()),
                         [](const auto& given) { return given.param; });

TEST(BarScene, IsTheBarOfFigureSevenByDefault) {
  for (const long long n : {2LL, 3LL}) {
    const Scene scene = built("bar", {{"cells_across", n}});
    EXPECT_EQ(scene.tet_mesh.element_count(), 20 * n * n * n);
    EXPECT_EQ(scene.tet_mesh.vertex_count(), (4 * n + 1) * (n + 1) * (n + 1));
    EXPECT_EQ(scene.prescribed.at(0).vertices.size(), std::size_t((n + 1) * (n + 1)));
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
    elements += double(scene.tet_mesh.element_count());
  }
  EXPECT_GT(inverted / elements, 0.3);
  EXPECT_LT(inverted / elements, 0.6);
}

TEST(TangledBlockScene, SeedsDiffer) {
  EXPECT_NE(built("tangled_block", {{"seed", 1LL}}).initial_positions,
            built("tangled_block", {{"seed", 2LL}}).initial_positions);
}

TEST(SpinningBlockScene, ThrownAtItsSupportEveryVertexFliesButTheHeldFace) {
  const std::vector<double> velocity{-1.0, 0.5, 0.25}, gravity{0.0, -9.81, 0.0};
  const Scene scene = built("spinning_block", {{"held", std::string("root")},
                                               {"angular_velocity_rad_s", std::vector<double>{0, 0, 0}},
                                               {"velocity_m_s", velocity},
                                               {"gravity_m_s2", gravity}});
  const std::vector<int>& root = scene.vertex_sets.at("root");
  ASSERT_FALSE(root.empty());
  EXPECT_EQ(scene.prescribed.at(0).vertices, root);
  EXPECT_EQ(scene.gravity, Vector3(0.0, -9.81, 0.0));
  for (int v = 0; v < int(scene.initial_velocities.rows()); ++v) {
    const bool held = std::find(root.begin(), root.end(), v) != root.end();
    const Vector3 now = scene.initial_velocities.row(v);
    EXPECT_EQ(now, held ? Vector3::Zero().eval() : Vector3(-1.0, 0.5, 0.25)) << "vertex " << v;
  }
  EXPECT_TRUE(built("spinning_block").prescribed.empty());
  EXPECT_EQ(built("spinning_block").gravity, Vector3::Zero().eval());
}

TEST(FreeFallingBlockScene, RandomVelocitiesHaveTheDeviationAskedFor) {
  const Scene scene = built("free_falling_block", {{"random_velocity_m_s", 2.0}, {"cells_across", 8LL}});
  const auto n = double(scene.initial_velocities.size());
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

TEST(DropAndSlideScene, LowestVertexIsAtItsHeightAboveTheObstaclesTopHoweverTheBlockIsTurned) {
  for (const std::string obstacle : {"plane", "ball", "box", "none"}) {
    const Scene scene = built("drop_and_slide", {{"obstacle", obstacle},
                                                 {"turned", std::string("random")},
                                                 {"height_m", 0.25},
                                                 {"obstacle_size_m", 0.3},
                                                 {"obstacle_velocity_m_s", std::vector<double>{0, 2, 0}}});
    EXPECT_NEAR(scene.initial_positions.col(1).minCoeff(), 0.25, 1e-12);
    EXPECT_GT((scene.initial_positions - scene.tet_mesh.rest_positions).norm(), 0.1);
    EXPECT_EQ(scene.colliders.size(), obstacle == "plane" ? 1u : 0u);
    ASSERT_EQ(scene.rigid_bodies.size(), obstacle == "ball" || obstacle == "box" ? 1u : 0u);
    if (scene.rigid_bodies.empty()) continue;
    Vector3 closest, normal;
    const auto& body = scene.rigid_bodies[0];
    const Vector3 top = Vector3(0, 0.5, 0) - body.pose_at(0.25).position;
    EXPECT_NEAR(model::signed_distance(body.shape, top, closest, normal), 0.0, 1e-12);
    EXPECT_NEAR(normal.y(), 1.0, 1e-12);
  }
}

TEST(PatchBlockScene, BoundaryIsHeldOnTheAffineMapAndTheInteriorIsFreeAndIrregular) {
  const std::vector<double> gradient{0, 1e-3, 0, 0, 0, 0, 0, 0, 0};
  const Scene scene = built("patch_block", {{"displacement_gradient", gradient}});
  const auto& boundary = scene.prescribed.at(0);
  EXPECT_EQ(scene.tet_mesh.vertex_count() - Eigen::Index(boundary.vertices.size()), 8);
  for (std::size_t k = 0; k < boundary.vertices.size(); ++k) {
    const Vector3 x = scene.tet_mesh.rest_positions.row(boundary.vertices[k]);
    EXPECT_LT((boundary.position_at(k, x, 0.0) - Vector3(x.x() + 1e-3 * x.y(), x.y(), x.z())).norm(), 1e-15);
  }
  const Scene moved = built("patch_block", {{"displacement_gradient", gradient}, {"start", std::string("affine")}});
  EXPECT_NEAR(measured("max_det_f", moved)[0], 1.0, 1e-12);
  EXPECT_GT((moved.initial_positions - moved.tet_mesh.rest_positions).cwiseAbs().maxCoeff(), 4e-4);
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
  // Closed form `regular_tetrahedron_modes`: edge 0.1414 m, ω² = 9 V K / Σ m r² = (342.997 rad/s)².
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

TEST(HeldTetrahedronScene, FollowsASymmetricStrainWithoutTurning) {
  for (const char* kind : {"uniaxial", "shear", "hydrostatic"})
    for (const double angle : {0.0, 30.0, 45.0}) {
      const Scene scene = built("held_tetrahedron", {{"strain_kind", std::string(kind)}, {"orientation_deg", angle}});
      ASSERT_EQ(scene.prescribed.size(), 4u);
      Points now(4, 3);
      for (int v = 0; v < 4; ++v)
        now.row(v) =
            scene.prescribed[std::size_t(v)].position_at(0, scene.tet_mesh.rest_positions.row(v).transpose(), 0.0);
      EXPECT_LT((now - scene.initial_positions).cwiseAbs().maxCoeff(), 1e-16);
      const Matrix3 strain = model::deformation_gradient(scene.tet_mesh, now, 0) - Matrix3::Identity();
      EXPECT_LT((strain - strain.transpose()).cwiseAbs().maxCoeff(), 1e-15);
      // Invariants do not depend on the orientation: trace and squared Frobenius norm of the kind.
      const std::string name(kind);
      EXPECT_NEAR(strain.trace(), name == "uniaxial" ? 0.1 : name == "shear" ? 0.0 : 0.3, 1e-14);
      EXPECT_NEAR(strain.squaredNorm(), name == "uniaxial" ? 0.01 : name == "shear" ? 0.005 : 0.03, 1e-14);
    }
}

TEST(HeldTetrahedronScene, RampedStrainStartsAtRestAndGrowsLinearly) {
  const Scene scene = built("held_tetrahedron", {{"ramp_s", 2.0}});
  EXPECT_EQ(scene.start_positions(), scene.tet_mesh.rest_positions);
  const Vector3 corner = scene.tet_mesh.rest_positions.row(1);
  EXPECT_NEAR(scene.prescribed[1].position_at(0, corner, 1.0).x() - corner.x(), 0.05 * 0.1, 1e-16);
}

TEST(LoadedTetrahedronScene, IsTheSpringOfErratumOne) {
  const Scene scene = built("loaded_tetrahedron");
  const double volume = model::total_volume(scene.tet_mesh, scene.tet_mesh.rest_positions);
  EXPECT_NEAR(scene.materials[0].young_modulus * volume, 100.0, 1e-10);  // k = E V / h², h = 1 m
  const Eigen::VectorXd masses = lumped_masses(scene);
  EXPECT_NEAR(masses[3], 0.01, 1e-15);
  // The step that ends at the end of the hold feels the force, the next does not.
  EXPECT_EQ(external_forces(scene, masses, 1.0)(3, 0), 10.0);
  EXPECT_EQ(external_forces(scene, masses, 1.01)(3, 0), 0.0);
  Points moved = scene.tet_mesh.rest_positions;
  moved(3, 0) += 0.4;
  Matrix3 expected = Matrix3::Zero();
  expected(0, 0) = 0.4;
  const Matrix3 strain = model::deformation_gradient(scene.tet_mesh, moved, 0) - Matrix3::Identity();
  EXPECT_LT((strain - expected).cwiseAbs().maxCoeff(), 1e-15);
}

TEST(StressedBlockScene, TractionsOfAnyStressBalanceAndTurnWithTheBlock) {
  const std::vector<double> stress{3e3, -1e3, 2e3, 4e3, -5e3, 1e3};
  for (const double turn : {0.0, 40.0}) {
    const Scene scene = built("stressed_block", {{"stress_pa", stress}, {"turn_deg", turn}, {"cells_across", 3LL}});
    const Points forces = external_forces(scene, lumped_masses(scene), 1.0);
    const Points positions = scene.start_positions();
    const double scale = forces.cwiseAbs().sum();
    EXPECT_LT(forces.colwise().sum().norm(), 1e-13 * scale);
    // Σ f ⊗ x = V σ in the turned frame: symmetric, hence no torque.
    const Matrix3 virial = forces.transpose() * positions;
    const Matrix3 turned = Eigen::AngleAxisd(turn * std::numbers::pi / 180, Vector3::UnitZ()).toRotationMatrix();
    Matrix3 tensor;
    tensor << 3e3, 4e3, 1e3, 4e3, -1e3, -5e3, 1e3, -5e3, 2e3;
    const double volume = model::total_volume(scene.tet_mesh, scene.tet_mesh.rest_positions);
    EXPECT_LT((virial - volume * turned * tensor * turned.transpose()).norm(), 1e-12 * volume * 1e4);
  }
}

TEST(StressedBlockScene, SlitDoublesTheVerticesBehindItsFrontAndTakesNoVolume) {
  const std::map<std::string, ParameterValue> slit{
      {"flaw", std::string("slit")}, {"flaw_size_m", 0.1}, {"cells_across", 4LL}};
  for (const char* split : {"alternating_five", "kuhn_six"}) {
    auto set = slit;
    set["split"] = std::string(split);
    const Scene whole = built("stressed_block", {{"cells_across", 4LL}, {"split", std::string(split)}});
    const Scene scene = built("stressed_block", set);
    // 5 × 5 vertices in the middle plane; those above y = 0 (two rows of five) have copies.
    EXPECT_EQ(scene.tet_mesh.vertex_count() - whole.tet_mesh.vertex_count(), 10);
    EXPECT_NEAR(model::total_volume(scene.tet_mesh, scene.tet_mesh.rest_positions), 0.04, 1e-14);
    EXPECT_NO_THROW(check_scene(scene));
  }
  EXPECT_THROW(built("stressed_block", {{"flaw", std::string("slit")}, {"flaw_size_m", 0.3}}), InputError);
  EXPECT_THROW(built("stressed_block", {{"flaw", std::string("slit")}, {"flaw_size_m", 0.0}}), InputError);
}

TEST(StressedBlockScene, HoleTakesElementsFromTheMiddleAndLeavesTheLoadsBalanced) {
  const Scene scene = built(
      "stressed_block", {{"flaw", std::string("hole")}, {"flaw_size_m", 0.04}, {"cells_across", 4LL}, {"jitter", 0.2}});
  EXPECT_NO_THROW(check_scene(scene));
  const double volume = model::total_volume(scene.tet_mesh, scene.tet_mesh.rest_positions);
  EXPECT_LT(volume, 0.04 - 1e-5);
  EXPECT_GT(volume, 0.04 - 4.0 * 0.06 * 0.06 * 0.06);
  const Points forces = external_forces(scene, lumped_masses(scene), 1.0);
  EXPECT_LT(forces.colwise().sum().norm(), 1e-13 * forces.cwiseAbs().sum());
  EXPECT_THROW(built("stressed_block", {{"flaw", std::string("hole")}, {"flaw_size_m", 1e-6}}), InputError);
}

TEST(StressedBlockScene, DiscLiesAcrossTheLargestPrincipalStress) {
  // σ = n nᵀ with n at 30° to x: what is missing must be thin along n and wide across it.
  const Vector3 n(std::cos(std::numbers::pi / 6), std::sin(std::numbers::pi / 6), 0.0);
  const std::vector<double> stress{1e4 * n.x() * n.x(), 1e4 * n.y() * n.y(), 0, 1e4 * n.x() * n.y(), 0, 0};
  std::map<std::string, ParameterValue> set{
      {"length_m", 0.4}, {"side_m", 0.4}, {"cells_across", 8LL}, {"stress_pa", stress}};
  const Scene whole = built("stressed_block", set);
  set["flaw"] = std::string("disc");
  set["flaw_size_m"] = 0.1;
  const Scene scene = built("stressed_block", set);
  Matrix3 missing = Matrix3::Zero();  // second moments of the volume that is gone
  for (const auto& [mesh, sign] : {std::pair{&whole.tet_mesh, 1.0}, std::pair{&scene.tet_mesh, -1.0}})
    for (Eigen::Index e = 0; e < mesh->element_count(); ++e) {
      Vector3 centroid = Vector3::Zero();
      for (const int v : mesh->tetrahedra.row(e)) centroid += 0.25 * mesh->rest_positions.row(v).transpose();
      missing += sign * model::tetrahedron_volume(*mesh, mesh->rest_positions, e) * centroid * centroid.transpose();
    }
  EXPECT_LT(n.dot(missing * n), 0.2 * missing(2, 2));
  EXPECT_GT(n.dot(missing * n), 0.0);
}

TEST(SkinnedBlockScene, SkinsAreClosedFaceOutwardsAndHaveTheirVolume) {
  const Scene sphere = built("skinned_block");
  EXPECT_EQ(sphere.skin.triangle_count(), 5120);
  EXPECT_NEAR(enclosed_volume(sphere.skin), 4.0 / 3.0 * std::numbers::pi * std::pow(0.45, 3), 0.005);
  const Scene torus = built("skinned_block", {{"skin", std::string("torus")}});
  EXPECT_NEAR(double(torus.skin.triangle_count()), 5120.0, 100.0);
  EXPECT_NEAR(enclosed_volume(torus.skin), 2.0 * std::pow(std::numbers::pi, 2) * 0.31 * 0.14 * 0.14, 0.001);
  EXPECT_EQ(unmatched_edges(sphere.skin), 0);
  EXPECT_EQ(unmatched_edges(torus.skin), 0);
  EXPECT_EQ(unmatched_edges(built("skinned_block", {{"skin_open", true}}).skin), 3);
}

TEST(SkinnedBlockScene, FaultsAreWhatTheirNamesSayAndTheBlocksOwnBoundaryEnclosesIt) {
  const Scene fin = built("skinned_block", {{"skin_fin", true}});
  EXPECT_EQ(unmatched_edges(fin.skin), 3);  // the edge with three triangles, and the fin's other two
  EXPECT_EQ(fin.skin.vertex_count(), built("skinned_block").skin.vertex_count() + 1);
  const Scene turned = built("skinned_block", {{"skin_inside_out", true}});
  EXPECT_EQ(unmatched_edges(turned.skin), 0);
  EXPECT_NEAR(enclosed_volume(turned.skin), -enclosed_volume(built("skinned_block").skin), 1e-12);
  const Scene block = built("skinned_block", {{"skin", std::string("block")}, {"jitter", 0.1}});
  EXPECT_EQ(unmatched_edges(block.skin), 0);
  EXPECT_NEAR(enclosed_volume(block.skin), 1.0, 1e-12);
}

TEST(BarScene, ItsRestShapeMayLieAnywhereAndEveryVertexOfTheTipMayBePushed) {
  const Scene here = built("bar", {{"jitter", 0.2}});
  const Scene there = built("bar", {{"jitter", 0.2}, {"rest_offset_m", std::vector<double>{30, -20, 10}}});
  const Points shift = there.tet_mesh.rest_positions - here.tet_mesh.rest_positions;
  EXPECT_LT((shift.rowwise() - Eigen::RowVector3d(30, -20, 10)).cwiseAbs().maxCoeff(), 1e-13);
  const Scene pushed = built("bar", {{"tip_vertex_force_n", std::vector<double>{0, -2, 0}}});
  ASSERT_EQ(pushed.point_loads.size(), pushed.vertex_sets.at("tip").size());
  for (std::size_t k = 0; k < pushed.point_loads.size(); ++k) {
    EXPECT_EQ(pushed.point_loads[k].vertex, pushed.vertex_sets.at("tip")[k]);
    EXPECT_EQ(pushed.point_loads[k].force, Vector3(0, -2, 0));
  }
}

TEST(AnimalScene, HoldsItsEndsAndPullsTheHighOne) {
  const Scene scene = built("animal", {{"model", std::string("quadruped")},
                                       {"ends", std::string("both")},
                                       {"pull_m", std::vector<double>{0.5, 0, 0}},
                                       {"pull_s", 2.0}});
  ASSERT_EQ(scene.prescribed.size(), 2u);
  const auto& rest = scene.tet_mesh.rest_positions;
  for (const int v : scene.prescribed[0].vertices)
    for (const int w : scene.prescribed[1].vertices) EXPECT_LT(rest(v, 0), rest(w, 0));
  const Vector3 first = rest.row(scene.prescribed[1].vertices[0]);
  EXPECT_LT((scene.prescribed[1].position_at(0, first, 1.0) - first - Vector3(0.25, 0, 0)).norm(), 1e-15);
  EXPECT_THROW(built("animal", {{"model", std::string("quadruped")}, {"low_fraction", 0.6}, {"high_fraction", 0.6}}),
               InputError);
}

TEST(AnimalScene, StandsOnTheGroundAndIsPassedByABall) {
  const Scene scene = built("animal", {{"model", std::string("quadruped")},
                                       {"ground", true},
                                       {"heat_radius_m", 0.2},
                                       {"heat_from_m", std::vector<double>{-1, 0, 0}}});
  EXPECT_NEAR((scene.tet_mesh.rest_positions.col(1).array() - scene.colliders.at(0).offset).minCoeff(), 0.0, 1e-15);
  EXPECT_EQ(scene.heat_sources.at(0).radius, 0.2);
  EXPECT_EQ(scene.heat_sources.at(0).from, Vector3(-1, 0, 0));
  EXPECT_NO_THROW(check_scene(scene));
}

TEST(SceneRegistry, UnknownSceneIsRefusedWithTheKnownOnes) {
  try {
    builtin_scenes().at("barr");
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(),
                testing::AllOf(testing::HasSubstr("scene 'barr'"), testing::HasSubstr("bar, barrel, beam")));
  }
}

TEST(SceneRegistry, TheSameIdTwiceIsRefused) {
  SceneRegistry registry = builtin_scenes();
  EXPECT_THROW(registry.add(registry.all().front()), InputError);
}

/// A box of 0.4 × 1 × 0.2 m, the longest side along y, in a file.
std::filesystem::path upright_box(const std::string& more_vertices = "") {
  const auto file = std::filesystem::path(testing::TempDir()) / ("upright_box_" + std::to_string(getpid()) + ".obj");
  std::ofstream(file) << "v 0 0 0\nv .4 0 0\nv .4 1 0\nv 0 1 0\nv 0 0 .2\nv .4 0 .2\nv .4 1 .2\nv 0 1 .2\n"
                         "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n"
                      << more_vertices;
  return file;
}

TEST(PosedAnimal, TakesTheHeadOfAFileFromEitherEndOfAnyAxis) {
  const auto file = std::filesystem::path(testing::TempDir()) / ("ellipsoid_" + std::to_string(getpid()) + ".obj");
  model::TriangleMesh ellipsoid = scenes::icosphere(0.5, 3);
  ellipsoid.positions.array().rowwise() *= Eigen::Array<double, 1, 3>(0.6, 1.0, 0.4);
  model::write_triangle_mesh(file.string(), ellipsoid);
  for (const std::string side : {"plus_x", "minus_x", "plus_y", "minus_y", "plus_z", "minus_z"}) {
    const Scene scene = built("posed_animal", {{"model", file.string()},
                                               {"head_side", side},
                                               {"held_fraction", 0.4},
                                               {"head_fraction", 0.6},
                                               {"cell_size_m", 0.05}});
    const int axis = side.back() - 'x';
    const double direction = side[0] == 'p' ? 1.0 : -1.0;
    const auto mean = [&](const char* set) {
      double sum = 0.0;
      for (const int v : scene.vertex_sets.at(set)) sum += scene.tet_mesh.rest_positions(v, axis);
      return sum / double(scene.vertex_sets.at(set).size());
    };
    const auto column = scene.tet_mesh.rest_positions.col(axis);
    const double extent = column.maxCoeff() - column.minCoeff();
    EXPECT_GT(direction * (mean("tip") - mean("root")), 0.3 * extent) << side;
  }
  std::filesystem::remove(file);
}

TEST(Animal, IsScaledByTheVerticesOfItsSurfaceAlone) {
  const auto file = upright_box("v 100 100 100\n");
  const Scene scene = built("animal", {{"model", file.string()}, {"length_m", 2.0}, {"cell_size_m", 0.1}});
  EXPECT_EQ(scene.skin.vertex_count(), 8);
  EXPECT_NEAR(scene.skin.positions.col(1).maxCoeff() - scene.skin.positions.col(1).minCoeff(), 2.0, 1e-12);
  std::filesystem::remove(file);
}

}  // namespace
}  // namespace deformbench::tests

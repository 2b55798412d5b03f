// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <set>

#include "experiments/harness/probes/channel_table.hpp"
#include "methods/model/error.hpp"
#include "tests/experiments/probe_measure.hpp"

namespace deformbench::tests {
namespace {

constexpr double kRounding = 1e-12;  // relative: sums of some hundred products

Matrix3 inertia_about_origin(const Scene& scene) {
  const Eigen::VectorXd masses = lumped_masses(scene);
  Matrix3 inertia = Matrix3::Zero();
  for (Eigen::Index i = 0; i < masses.size(); ++i) {
    const Vector3 x = scene.tet_mesh.rest_positions.row(i);
    inertia += masses[i] * (x.squaredNorm() * Matrix3::Identity() - x * x.transpose());
  }
  return inertia;
}

TEST(MomentumProbes, RigidlySpinningBlockHasAngularMomentumInertiaTimesOmega) {
  const Vector3 omega(1, -2, 3);
  const Scene scene = built("spinning_block", {{"angular_velocity_rad_s", std::vector<double>{1, -2, 3}}});
  const Vector3 expected = inertia_about_origin(scene) * omega;
  EXPECT_LT((vector_of(measured("angular_momentum", scene)) - expected).norm(), kRounding * expected.norm());
  EXPECT_LT(vector_of(measured("linear_momentum", scene)).norm(), kRounding * expected.norm());
}

TEST(EnergyProbes, RigidlySpinningBlockHasKineticEnergyHalfOmegaInertiaOmega) {
  const Vector3 omega(1, -2, 3);
  const Scene scene = built("spinning_block", {{"angular_velocity_rad_s", std::vector<double>{1, -2, 3}}});
  const double expected = 0.5 * omega.dot(inertia_about_origin(scene) * omega);
  EXPECT_NEAR(measured("kinetic_energy", scene)[0], expected, kRounding * expected);
}

TEST(MomentumProbes, MovingBlockOfEightLitresOfWaterCarriesEightTimesItsVelocity) {
  Scene scene = built("spinning_block", {{"velocity_m_s", std::vector<double>{1, 2, -4}}});
  scene.prescribed.resize(1);
  scene.prescribed[0].vertices = {0, 1, 2};  // moved ones carry momentum, too
  const Vector3 velocity(1, 2, -4);
  EXPECT_LT((vector_of(measured("linear_momentum", scene)) - 8.0 * velocity).norm(), 1e-11);
  EXPECT_LT((vector_of(measured("centre_of_mass_velocity", scene)) - velocity).norm(), 1e-12);
}

TEST(EnergyProbes, GravitationalEnergyIsWeightTimesHeight) {
  Scene scene = built("free_falling_block");
  scene.tet_mesh.rest_positions.rowwise() += Eigen::RowVector3d(0, 3, 0);
  EXPECT_NEAR(measured("gravitational_energy", scene)[0], 8.0 * 9.81 * 3.0, 1e-10);
  EXPECT_NEAR(vector_of(measured("centre_of_mass", scene)).y(), 3.0, 1e-12);
}

TEST(EnergyProbes, TotalEnergyIsTheSumOfTheThree) {
  Scene scene = built("free_falling_block", {{"velocity_m_s", std::vector<double>{0, 1, 0}}});
  scene.initial_positions = 1.1 * scene.tet_mesh.rest_positions;
  scene.initial_positions.col(1).array() += 0.1;  // a body about the origin has no gravitational energy
  const double sum = measured("kinetic_energy", scene)[0] + measured("gravitational_energy", scene)[0] +
                     measured("elastic_energy", scene)[0];
  EXPECT_NEAR(measured("total_energy", scene)[0], sum, kRounding * std::abs(sum));
  for (const char* part : {"kinetic_energy", "gravitational_energy", "elastic_energy"})
    EXPECT_GT(measured(part, scene)[0], 0.1) << part;
}

TEST(MomentumProbes, MaxSpeedOfASpinningCubeIsThatOfItsEdges) {
  const Scene scene = built("spinning_block");  // 0.2 m, ω = 5 rad/s about z
  EXPECT_NEAR(measured("max_speed", scene)[0], 5.0 * 0.1 * std::sqrt(2.0), kRounding);
}

TEST(ShapeProbes, VolumeOfAnAffineImageIsScaledByTheDeterminant) {
  Scene scene = built("bar");
  Matrix3 gradient;
  gradient << 1.2, 0.3, 0, -0.1, 0.9, 0.2, 0, 0.4, 1.1;
  scene.initial_positions = scene.tet_mesh.rest_positions * gradient.transpose();
  const double det = gradient.determinant();
  EXPECT_NEAR(measured("volume", scene)[0], 4.0 * det, 1e-11);
  EXPECT_NEAR(measured("min_det_f", scene)[0], det, 1e-12);
  EXPECT_NEAR(measured("max_det_f", scene)[0], det, 1e-12);
  const auto far = measured("far_deformation_gradient", scene);
  for (int i = 0; i < 9; ++i) EXPECT_NEAR(far[std::size_t(i)], gradient(i / 3, i % 3), 1e-12) << i;
}

TEST(ShapeProbes, MirroredBlockHasAllElementsInverted) {
  Scene scene = built("spinning_block");
  scene.initial_positions = scene.tet_mesh.rest_positions;
  scene.initial_positions.col(1) *= -1.0;
  EXPECT_EQ(measured("inverted_elements", scene)[0], 40.0);
  EXPECT_NEAR(measured("min_det_f", scene)[0], -1.0, kRounding);
  EXPECT_LT(measured("min_quality", scene)[0], -0.5);
}

TEST(ShapeProbes, RegularTetrahedronHasQualityOneAndCornerTetrahedronLess) {
  const std::vector<double> unscaled{1, 1, 1};
  const Scene regular = built("single_tetrahedron", {{"initial_scale", unscaled}});
  EXPECT_NEAR(measured("min_quality", regular)[0], 1.0, kRounding);
  // Corner of a cube: V = a³/6, Σl² = 9a², 12 (1/2)^(2/3) / 9.
  const Scene corner = built("single_tetrahedron", {{"initial_scale", unscaled}, {"shape", std::string("corner")}});
  EXPECT_NEAR(measured("min_quality", corner)[0], 12.0 * std::pow(0.5, 2.0 / 3.0) / 9.0, kRounding);
}

TEST(ShapeProbes, FlatTetrahedronHasQualityZero) {
  const Scene scene = built("single_tetrahedron", {{"initial_scale", std::vector<double>{1, 1, 0}}});
  EXPECT_NEAR(measured("min_quality", scene)[0], 0.0, 1e-10);
}

TEST(ShapeProbes, TipDisplacementIsTheShiftOfTheTip) {
  Scene scene = built("bar");
  scene.initial_positions = scene.tet_mesh.rest_positions;
  for (const int v : scene.vertex_sets.at("tip")) scene.initial_positions.row(v) += Eigen::RowVector3d(0.1, -0.2, 0.2);
  EXPECT_LT((vector_of(measured("tip_displacement", scene)) - Vector3(0.1, -0.2, 0.2)).norm(), kRounding);
  EXPECT_LT((vector_of(measured("tip_position", scene)) - Vector3(4.1, -0.2, 0.2)).norm(), kRounding);
  EXPECT_NEAR(measured("max_displacement", scene)[0], 0.3, kRounding);
}

TEST(ForceProbes, SpringsPullAShiftedBodyBackWithTheSumOfTheirForces) {
  Scene scene = built("spinning_block");
  scene.initial_positions = scene.tet_mesh.rest_positions;
  scene.initial_positions.rowwise() += Eigen::RowVector3d(0.01, 0, 0);
  const double vertices = double(scene.tet_mesh.vertex_count());
  EXPECT_NEAR(measured("elastic_force_sum", scene, 500.0)[0], -500.0 * 0.01 * vertices, 1e-9);
  EXPECT_NEAR(measured("max_elastic_force", scene, 500.0)[0], 5.0, 1e-9);
  EXPECT_NEAR(measured("tip_elastic_force", scene, 500.0)[0], -5.0 * 9.0, 1e-9);  // 3×3 vertices of the end face
  EXPECT_NEAR(measured("unbalanced_force", scene, 500.0)[0], 5.0, 1e-9);
}

TEST(ForceProbes, TorqueOfSpringsAgainstARotationIsKTimesSumOfSquaredArms) {
  // x = R X: torque about z of −k (R X − X) is −k sin θ Σ r².
  Scene scene = built("spinning_block");
  const double angle = 0.3;
  const Matrix3 rotation = Eigen::AngleAxisd(angle, Vector3::UnitZ()).toRotationMatrix();
  scene.initial_positions = scene.tet_mesh.rest_positions * rotation.transpose();
  const double arms = scene.tet_mesh.rest_positions.leftCols<2>().squaredNorm();
  const Vector3 torque = vector_of(measured("elastic_torque_sum", scene, 500.0));
  EXPECT_NEAR(torque.z(), -500.0 * std::sin(angle) * arms, 1e-9);
  EXPECT_NEAR(torque.head<2>().norm(), 0.0, 1e-9);
}

TEST(ForceProbes, HeldVerticesAreNotUnbalanced) {
  Scene scene = built("bar");
  scene.gravity.setZero();
  scene.initial_positions = scene.tet_mesh.rest_positions;
  for (const int v : scene.vertex_sets.at("root")) scene.initial_positions(v, 0) -= 1.0;
  EXPECT_EQ(measured("unbalanced_force", scene)[0], 0.0);
  EXPECT_GT(measured("max_elastic_force", scene)[0], 1.0);
}

TEST(ForceProbes, VerticesOnAKinematicBodyAreNotUnbalanced) {
  // The springs pull the whole body down onto a ball that touches vertex 0, and later rises.
  Scene scene = built("single_tetrahedron", {{"initial_scale", std::vector<double>{1, 1, 1}}});
  scene.gravity.setZero();
  scene.point_loads = {{0, Vector3(0, -3, 0), {}}};
  EXPECT_NEAR(measured("unbalanced_force", scene)[0], 3.0, 1e-12);
  model::RigidBody ball;
  ball.name = "ball";
  ball.shape.radius = 0.5;
  ball.start.position = Vector3(scene.tet_mesh.rest_positions.row(0)) - Vector3(0.3, 0.4, 0.0);
  scene.rigid_bodies = {ball};
  EXPECT_NEAR(measured("unbalanced_force", scene)[0], 0.0, 1e-12);
  scene.rigid_bodies[0].start.position.y() -= 0.01;
  EXPECT_NEAR(measured("unbalanced_force", scene)[0], 3.0, 1e-12);
}

TEST(ForceProbes, ForcesOfAQuadraticEnergyAreItsGradient) {
  const Scene scene = built("tangled_block");
  // Central differences of a quadratic have no truncation; what is left is rounding of Ψ over the step.
  EXPECT_LT(measured("energy_gradient_error", scene)[0], 1e-7);
}

/// Twice the force that belongs to the energy.
class WrongGradient : public Simulation, public ElasticityFacet {
 public:
  explicit WrongGradient(const Scene& scene) : springs_(scene, spring_parameters(1000.0)) {}
  StepReport step() override { return {}; }
  StateView state() const override { return springs_.state(); }
  double elastic_energy(const Eigen::Ref<const Points>& x) const override { return springs_.elastic_energy(x); }
  Points elastic_forces(const Eigen::Ref<const Points>& x) const override { return 2.0 * springs_.elastic_forces(x); }

 private:
  AnchoredSprings springs_;
};

TEST(ForceProbes, ForcesTwiceTheGradientAreOffByAHalf) {
  const Scene scene = built("tangled_block");
  const WrongGradient wrong(scene);
  const auto error = measured("energy_gradient_error", scene, wrong, scene.start_positions(), scene.start_velocities());
  EXPECT_NEAR(error[0], 0.5, 1e-6);
}

TEST(ForceProbes, LargestPrincipalStressOfShearUnderPressure) {
  EXPECT_NEAR(measured("max_stress_principal", built("spinning_block"))[0], 1.0, kRounding);
}

TEST(FieldProbes, FieldsHaveARowAVertexOrElement) {
  const Scene scene = built("spinning_block");
  const auto n = std::size_t(scene.tet_mesh.vertex_count());
  EXPECT_EQ(measured("positions", scene).size(), 3 * n);
  const Eigen::VectorXd masses = lumped_masses(scene);
  EXPECT_EQ(measured("vertex_masses", scene), std::vector<double>(masses.begin(), masses.end()));
  EXPECT_EQ(measured("elastic_forces", scene).size(), 3 * n);
  EXPECT_EQ(measured("rotations", scene).size(), 9u * 40u);
  EXPECT_EQ(measured("element_stresses", scene).size(), 6u * 40u);
  EXPECT_EQ(measured("velocities", scene)[3 * n - 2], scene.initial_velocities(scene.initial_velocities.rows() - 1, 1));
}

TEST(Probes, UnknownChannelIsRefusedWithTheKnownOnes) {
  const Scene scene = built("bar");
  const FreeFlight flight(scene);
  try {
    harness::make_probe("kinetic_enrgy", scene, flight);
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::AllOf(testing::HasSubstr("channel 'kinetic_enrgy'"),
                                             testing::HasSubstr("expected one of"), testing::HasSubstr("volume")));
  }
}

TEST(Probes, MissingFacetIsNamed) {
  const Scene scene = built("bar");
  const FreeFlight flight(scene);
  for (const auto& [channel, facet] :
       std::map<std::string, std::string>{{"elastic_energy", "ElasticityFacet"},
                                          {"rotations", "RotationFacet"},
                                          {"deformation_gradients", "DeformationGradientFacet"},
                                          {"max_stress_principal", "StressFacet"},
                                          {"condition_number", "SystemOperatorFacet"}}) {
    try {
      harness::make_probe(channel, scene, flight);
      FAIL() << channel << " accepted";
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr(facet));
    }
  }
}

TEST(Probes, MissingVertexSetIsNamedWithTheScene) {
  const Scene scene = built("single_tetrahedron");
  const FreeFlight flight(scene);
  try {
    harness::make_probe("tip_displacement", scene, flight);
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::AllOf(testing::HasSubstr("'tip'"), testing::HasSubstr("single_tetrahedron")));
  }
}

TEST(Probes, EveryKnownChannelHasUnitQuantityDescriptionAndAUniqueName) {
  std::set<std::string> names;
  for (const auto& spec : harness::known_channels()) {
    EXPECT_TRUE(names.insert(spec.name).second) << spec.name;
    EXPECT_FALSE(spec.unit.empty()) << spec.name;
    EXPECT_FALSE(spec.quantity.empty()) << spec.name;
    EXPECT_FALSE(spec.description.empty()) << spec.name;
  }
  EXPECT_GT(names.size(), 40u);
}

TEST(Probes, PlasticStrainIsTheNormOfTheTensorSoThatShearsCountTwice) {
  const Scene scene = built("bar");
  EXPECT_NEAR(measured("plastic_strain_max", scene).at(0), std::sqrt(21.0), 1e-14);
  EXPECT_NEAR(measured("plastic_strain_mean", scene).at(0), std::sqrt(21.0), 1e-13);
  for (const double heated : measured("heated_elements", scene)) EXPECT_EQ(heated, 0.0);
}

TEST(Probes, SurfaceWithAHoleOrATurnedTriangleIsNotClosed) {
  Points corners(4, 3);
  corners << 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1;
  Triangles closed(4, 3);
  closed << 0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3;
  EXPECT_EQ(harness::boundary_edges(closed), 0);
  EXPECT_LT(harness::area_vector(corners, closed), 1e-15);
  EXPECT_EQ(harness::boundary_edges(closed.topRows(3)), 3);
  // The three right triangles of area 1/2 alone: |Σ A n| = √3/2 of 3/2.
  EXPECT_NEAR(harness::area_vector(corners, closed.topRows(3)), 1.0 / std::sqrt(3.0), 1e-15);
  Triangles turned = closed;
  turned.row(0) << 0, 1, 2;
  EXPECT_EQ(harness::boundary_edges(turned), 3);
  Triangles doubled(8, 3);
  doubled << closed, closed;
  EXPECT_EQ(harness::boundary_edges(doubled), 6);
}

TEST(Probes, ComponentsHangTogetherThroughFacesNotThroughVertices) {
  Scene scene = built("single_tetrahedron");
  auto& mesh = scene.tet_mesh;
  const auto count = [&] { return measured("component_count", scene).at(0); };
  EXPECT_EQ(count(), 1.0);
  // A second element at an edge of the first.
  mesh.rest_positions.conservativeResize(6, 3);
  mesh.rest_positions.row(4) << -1, -1, -1;
  mesh.rest_positions.row(5) << -1, -2, -1;
  mesh.tetrahedra.conservativeResize(2, 4);
  mesh.tetrahedra.row(1) << 0, 1, 4, 5;
  if (model::tetrahedron_volume(mesh, mesh.rest_positions, 1) < 0) mesh.tetrahedra.row(1) << 1, 0, 4, 5;
  EXPECT_EQ(count(), 2.0);
  mesh.tetrahedra.row(1) << 0, 1, 2, 4;
  if (model::tetrahedron_volume(mesh, mesh.rest_positions, 1) < 0) mesh.tetrahedra.row(1) << 1, 0, 2, 4;
  EXPECT_EQ(count(), 1.0);
}

TEST(Probes, EveryKnownChannelCanBeMeasuredOnABarOfSpringsUnlessItIsOfClothBodiesOrElements) {
  // Those are tried in tests/harness/probes.
  const std::set<std::string> of_others{
      "edge_strain_rms",      "edge_strain_mean",      "edge_strain_max",    "edge_strain_min",
      "bend_angle_error_rms", "bend_angle_error_mean", "boundary_length",    "surface_area",
      "closed_volume",        "component_volumes",     "non_manifold_edges", "torn_vertices",
      "self_distance",        "self_intersections",    "constraint_values",  "penetration_depth",
      "penetrating_vertices", "body_contacts",         "self_contacts",      "corner_contacts",
      "rigid_positions",      "rigid_orientations",    "rigid_velocities",   "rigid_angular_velocities",
      "deformation_gradients"};
  const Scene scene = built("bar");
  const AnchoredSprings springs(scene, spring_parameters(1000.0));
  for (const auto& spec : harness::known_channels()) {
    if (spec.name.starts_with("skin_")) continue;  // the bar has no skin
    std::vector<double> values;
    try {
      values = measured(spec.name, scene, springs, scene.start_positions(), scene.start_velocities());
    } catch (const InputError& error) {
      EXPECT_TRUE(of_others.contains(spec.name)) << error.what();
      continue;
    }
    EXPECT_FALSE(of_others.contains(spec.name)) << spec.name;
    ASSERT_FALSE(values.empty()) << spec.name;
    const bool may_be_none = spec.name.starts_with("work_") || spec.name == "solver_converged" ||
                             spec.name == "solver_true_residual";  // not asked for, not counted
    for (const double value : values) EXPECT_TRUE(may_be_none || std::isfinite(value)) << spec.name;
  }
}

}  // namespace
}  // namespace deformbench::tests

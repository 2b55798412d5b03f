// SPDX-License-Identifier: BSD-3-Clause
// What [MG04] §2.3 says of the forces, and what it does not say. IVM-10 … IVM-18, B-IVM-8, B-IVM-8b
#include <gtest/gtest.h>

#include <Eigen/SVD>

#include "tests/fem/fem_fixture.hpp"

namespace deformbench::fem {
namespace {

const Settings qr = {{"rotation", std::string("qr")}};
const Settings global = {{"rotation", std::string("global")}};
const Settings identity = {{"rotation", std::string("identity")}};
const Settings as_printed = {{"inversion", std::string("as_printed")}};

double force_unit(const Scene& scene) {  // E h²
  const double edge = model::shortest_edge(scene.tet_mesh);
  return scene.materials[0].young_modulus * edge * edge;
}

Vector3 torque(const Points& x, const Points& f) {
  Vector3 sum = Vector3::Zero();
  const Eigen::RowVector3d centre = x.colwise().mean();
  for (Eigen::Index i = 0; i < x.rows(); ++i)
    sum += Vector3((x.row(i) - centre).transpose()).cross(Vector3(f.row(i).transpose()));
  return sum;
}

/// Bent and twisted by 4 rad/m: rotations differ from vertex to vertex.
Points twisted(const Points& rest) {
  Points x = rest;
  for (Eigen::Index i = 0; i < x.rows(); ++i) {
    const double angle = 4.0 * rest(i, 0);
    x.row(i) << rest(i, 0) + 0.3 * rest(i, 1) * rest(i, 1), std::cos(angle) * rest(i, 1) - std::sin(angle) * rest(i, 2),
        std::sin(angle) * rest(i, 1) + std::cos(angle) * rest(i, 2);
  }
  return x;
}

// [MG04] eq. 7
TEST(WarpedForces, RigidMotionProducesNone) {
  numerics::RandomStream random(61);
  const Scene scene = block_scene({2, 1, 1});
  const Points& rest = scene.tet_mesh.rest_positions;
  for (const char* id : {"warped_fem", "vertex_warped_fem"}) {
    const auto simulation = make(id, scene);
    double worst = 0.0;
    for (int k = 0; k < 1000; ++k) {
      const Points x = moved(rest, random.rotation(), Vector3(random.normal(), random.normal(), random.normal()));
      worst = std::max(worst, facet_of<ElasticityFacet>(*simulation).elastic_forces(x).cwiseAbs().maxCoeff());
    }
    EXPECT_LT(worst, 1e-12 * force_unit(scene)) << id;
  }
  const auto linear = make("linear_fem", scene);
  const Points x = moved(rest, random.rotation(), Vector3::Zero());
  EXPECT_GT(facet_of<ElasticityFacet>(*linear).elastic_forces(x).cwiseAbs().maxCoeff(), 1e-3 * force_unit(scene));
}

TEST(WarpedForces, SumToZeroForEveryRotationRuleButNotForVertexWarping) {
  const Scene scene = block_scene({4, 2, 2});
  const Points x = twisted(scene.tet_mesh.rest_positions);
  for (const Settings& settings : {Settings{}, qr, global, identity, as_printed}) {
    const auto simulation = make("warped_fem", scene, settings);
    const Points f = facet_of<ElasticityFacet>(*simulation).elastic_forces(x);
    EXPECT_LT(f.colwise().sum().norm(), 1e-12 * f.rowwise().norm().maxCoeff());
  }
  const auto vertex = make("vertex_warped_fem", scene);
  const Points ghost = facet_of<ElasticityFacet>(*vertex).elastic_forces(x);
  EXPECT_GT(ghost.colwise().sum().norm(), 1e-3 * ghost.rowwise().norm().maxCoeff());
}

TEST(WarpedForces, TorqueVanishesWithPolarDecompositionAndNotWithQr) {
  numerics::RandomStream random(62);
  const Scene scene = tetrahedron_scene();
  const auto polar = make("warped_fem", scene), gram_schmidt = make("warped_fem", scene, qr);
  double worst_polar = 0.0, best_qr = 0.0;
  for (int k = 0; k < 100; ++k) {
    const Points x = shaken(scene.tet_mesh.rest_positions, 0.03, random);
    const auto relative = [&](const Simulation& simulation) {
      const Points f = facet_of<ElasticityFacet>(simulation).elastic_forces(x);
      return torque(x, f).norm() / (f.rowwise().norm().maxCoeff() * 0.1);
    };
    worst_polar = std::max(worst_polar, relative(*polar));
    best_qr = std::max(best_qr, relative(*gram_schmidt));
  }
  EXPECT_LT(worst_polar, 1e-11);  // ill-conditioned rotations of nearly flat elements lose a digit or two
  EXPECT_GT(best_qr, 0.1);
}

/// max |f + ∇Ψ| / max |f| by central differences.
double gradient_error(const ElasticityFacet& elasticity, const Points& x, double h) {
  const Points f = elasticity.elastic_forces(x);
  double worst = 0.0;
  for (Eigen::Index k = 0; k < x.size(); ++k) {
    Points ahead = x, behind = x;
    ahead.data()[k] += h;
    behind.data()[k] -= h;
    const double slope = (elasticity.elastic_energy(ahead) - elasticity.elastic_energy(behind)) / (2 * h);
    worst = std::max(worst, std::abs(slope + f.data()[k]));
  }
  return worst / f.cwiseAbs().maxCoeff();
}

int inverted_elements(const Scene& scene, const Points& x) {
  int count = 0;
  for (Eigen::Index e = 0; e < scene.tet_mesh.element_count(); ++e)
    count += model::deformation_gradient(scene.tet_mesh, x, e).determinant() < 0;
  return count;
}

/// Smallest (σ2 + sign(det) σ3)/σ1 of all elements: the rotation is smooth where it is not small.
double rotation_margin(const Scene& scene, const Points& x) {
  double margin = 1e9;
  for (Eigen::Index e = 0; e < scene.tet_mesh.element_count(); ++e) {
    const Matrix3 f = model::deformation_gradient(scene.tet_mesh, x, e);
    const Vector3 s = Eigen::JacobiSVD<Matrix3>(f).singularValues();
    margin = std::min(margin, (s[1] + (f.determinant() < 0 ? -s[2] : s[2])) / s[0]);
  }
  return margin;
}

TEST(WarpedForces, AreTheGradientOfTheEnergyInUprightAndInvertedStates) {
  numerics::RandomStream random(63);
  const Scene scene = block_scene({2, 1, 1});
  int upright = 0, inverted = 0;
  for (int k = 0; k < 200; ++k) {
    const bool tangle = k % 2 == 1;
    const Points x = shaken(scene.tet_mesh.rest_positions, tangle ? 0.05 : 0.01, random);
    if (rotation_margin(scene, x) < 0.1) continue;  // at the cut locus Ψ has a kink
    (inverted_elements(scene, x) > 0 ? inverted : upright)++;
    const auto simulation = make("warped_fem", scene);
    // truncation h²/edge² ~ 1e-10 over the margin, cancellation 1e-16/1e-6
    EXPECT_LT(gradient_error(facet_of<ElasticityFacet>(*simulation), x, 1e-6), 1e-7);
  }
  EXPECT_GT(upright, 20);
  EXPECT_GT(inverted, 5);
}

TEST(WarpedForces, AreTheGradientOfTheEnergyAlsoAsPrintedWithElementsInverted) {
  const Scene scene = tetrahedron_scene();
  numerics::RandomStream random(64);
  const Points mirrored = shaken(scene.tet_mesh.rest_positions * Vector3(-1, 1, 1).asDiagonal(), 0.005, random);
  ASSERT_EQ(inverted_elements(scene, mirrored), 1);
  EXPECT_LT(gradient_error(facet_of<ElasticityFacet>(*make("warped_fem", scene, as_printed)), mirrored, 1e-7), 1e-6);
}

TEST(LinearForces, AreTheGradientOfTheEnergy) {
  numerics::RandomStream random(65);
  const Scene scene = block_scene({2, 1, 1});
  const Points x = shaken(scene.tet_mesh.rest_positions, 0.05, random);
  EXPECT_LT(gradient_error(facet_of<ElasticityFacet>(*make("linear_fem", scene)), x, 1e-4), 1e-9);
}

TEST(WarpedForces, OfQrRotationsAreNotTheGradientOfTheEnergy) {
  numerics::RandomStream random(66);
  const Scene scene = tetrahedron_scene();
  const Points x = shaken(scene.tet_mesh.rest_positions, 0.02, random);
  EXPECT_GT(gradient_error(facet_of<ElasticityFacet>(*make("warped_fem", scene, qr)), x, 1e-6), 1e-3);
}

// [MG04] eq. 6
TEST(WarpedForces, WithoutRotationAreThoseOfLinearFemToTheBit) {
  numerics::RandomStream random(67);
  const Scene scene = block_scene();
  const Points x = shaken(scene.tet_mesh.rest_positions, 0.05, random);
  const Points linear = facet_of<ElasticityFacet>(*make("linear_fem", scene)).elastic_forces(x);
  EXPECT_EQ(facet_of<ElasticityFacet>(*make("warped_fem", scene, identity)).elastic_forces(x), linear);
}

TEST(WarpedForces, TurnWithTheBody) {
  numerics::RandomStream random(68);
  const Scene scene = block_scene();
  const Points x = shaken(scene.tet_mesh.rest_positions, 0.01, random);
  for (const Settings& settings : {Settings{}, global}) {
    const auto simulation = make("warped_fem", scene, settings);
    const auto& elasticity = facet_of<ElasticityFacet>(*simulation);
    const Points f = elasticity.elastic_forces(x);
    for (int k = 0; k < 20; ++k) {
      const Matrix3 r = random.rotation();
      const Points turned = elasticity.elastic_forces(moved(x, r, Vector3(1, 2, 3)));
      EXPECT_LT((turned - f * r.transpose()).cwiseAbs().maxCoeff(), 1e-12 * force_unit(scene));
    }
  }
}

TEST(WarpedForces, OfAMirroredTetrahedronVanishAsPrintedAndPushItOutWhenCorrected) {
  const Scene scene = tetrahedron_scene();
  const Points mirrored = -scene.tet_mesh.rest_positions;
  const Points printed = facet_of<ElasticityFacet>(*make("warped_fem", scene, as_printed)).elastic_forces(mirrored);
  EXPECT_LT(printed.cwiseAbs().maxCoeff(), 1e-12 * force_unit(scene));
  // Not quite the mirror image, which has no unique rotation.
  Points x = scene.tet_mesh.rest_positions;
  x.row(3) = -0.4 * x.row(3);
  ASSERT_EQ(inverted_elements(scene, x), 1);
  const Points corrected = facet_of<ElasticityFacet>(*make("warped_fem", scene)).elastic_forces(x);
  const Vector3 normal = Vector3((x.row(1) - x.row(0)).transpose()).cross(Vector3((x.row(2) - x.row(0)).transpose()));
  EXPECT_GT(corrected.row(3).dot(normal.transpose()), 0.0);  // back to the side it came from
}

TEST(WarpedForces, OfANearlyMirroredTetrahedronBringItBackInTime) {
  Scene scene = tetrahedron_scene();
  scene.time_step = 0.002;
  numerics::RandomStream random(69);
  scene.initial_positions = shaken(scene.tet_mesh.rest_positions * Vector3(-1, 1, 1).asDiagonal(), 0.01, random);
  for (const bool printed : {false, true}) {
    const auto simulation = make("warped_fem", scene, printed ? as_printed : Settings{});
    for (int k = 0; k < 600; ++k) ASSERT_EQ(simulation->step().outcome, StepOutcome::Advanced);
    EXPECT_EQ(inverted_elements(scene, simulation->state().positions), printed ? 1 : 0);
  }
}

// [MG04] eq. 9–12, §2.4
TEST(WarpedRotations, IgnoreTranslationsAndAreProperUnlessAsPrinted) {
  numerics::RandomStream random(70);
  const Scene scene = block_scene({2, 2, 2});
  const Points x = shaken(scene.tet_mesh.rest_positions, 0.1, random);
  ASSERT_GT(inverted_elements(scene, x), 0);
  const auto corrected = make("warped_fem", scene), printed = make("warped_fem", scene, as_printed);
  const auto r = facet_of<RotationFacet>(*corrected).rotations(x);
  const auto shifted = facet_of<RotationFacet>(*corrected).rotations(x.rowwise() + Eigen::RowVector3d(1, -2, 0.5));
  const auto reflections = facet_of<RotationFacet>(*printed).rotations(x);
  for (std::size_t e = 0; e < r.size(); ++e) {
    EXPECT_NEAR(r[e].determinant(), 1.0, 1e-13);
    EXPECT_LT((r[e] - shifted[e]).cwiseAbs().maxCoeff(), 1e-11);
    const double det = model::deformation_gradient(scene.tet_mesh, x, Eigen::Index(e)).determinant();
    EXPECT_NEAR(reflections[e].determinant(), det < 0 ? -1.0 : 1.0, 1e-12);
  }
}

}  // namespace
}  // namespace deformbench::fem

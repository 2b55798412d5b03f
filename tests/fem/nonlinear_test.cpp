// SPDX-License-Identifier: BSD-3-Clause
// Laws under the integrators: Hessians of whole meshes, orders of the schemes, stable steps, inversion, failures that
// are reported.
#include <gtest/gtest.h>

#include "methods/fem/nonlinear/hyperelasticity.hpp"
#include "methods/model/subdivision.hpp"
#include "methods/numerics/dense_algebra.hpp"
#include "tests/fem/fem_fixture.hpp"

namespace deformbench::fem {
namespace {

std::string method_of(const std::string& law) {
  return law.starts_with("invertible_") ? "invertible_fem" : "implicit_fem";
}

/// A block of two materials, turned, stretched and shaken.
Scene mixed_block() {
  Scene scene = block_scene({3, 2, 2});
  scene.materials.push_back({3e5, 0.2, 500.0});
  for (Eigen::Index e = 0; e < scene.tet_mesh.element_count(); ++e) scene.element_material.push_back(int(e) % 2);
  return scene;
}
/// The same with every tetrahedron in eight, which keep its material.
Scene subdivided(Scene scene) {
  scene.tet_mesh = model::subdivide(scene.tet_mesh);
  const std::vector<int> coarse = std::move(scene.element_material);
  scene.element_material.clear();
  for (const int material : coarse) scene.element_material.insert(scene.element_material.end(), 8, material);
  return scene;
}
/// Hexahedra of two materials, in an order other than the mesh's if they are shuffled.
Scene mixed_hexahedra(std::array<int, 3> cells, bool is_shuffled = false) {
  Scene scene = block_scene(cells, 0.1, model::BlockSplit::KuhnSix);
  scene.materials.push_back({3e5, 0.2, 500.0});
  numerics::RandomStream random(19);
  for (Eigen::Index e = scene.tet_mesh.element_count() / 6 - 1; is_shuffled && e > 0; --e)
    scene.tet_mesh.tetrahedra.middleRows<6>(6 * e).swap(
        scene.tet_mesh.tetrahedra.middleRows<6>(6 * Eigen::Index(random.uniform() * double(e))));
  for (Eigen::Index e = 0; e < scene.tet_mesh.element_count(); ++e) scene.element_material.push_back(int(e) / 6 % 2);
  return scene;
}
Points deformed(const Scene& scene, double size) {
  numerics::RandomStream random(7);
  Matrix3 f = Eigen::AngleAxisd(1.1, Vector3(1, 2, 3).normalized()).toRotationMatrix();
  f.col(0) *= 1.2;
  return shaken(moved(scene.tet_mesh.rest_positions, f, {0.3, -0.2, 0.1}), size, random);
}

struct LawOfElements {
  std::string law;
  const char* elements;
  friend std::ostream& operator<<(std::ostream& out, const LawOfElements& one) {
    return out << one.law << ", " << one.elements;
  }
};

class EveryLaw : public testing::TestWithParam<LawOfElements> {
 protected:
  /// m; inverts no element of half the size.
  const double kShake = is_quadratic() ? 0.003 : 0.01;
  static std::string method() { return method_of(GetParam().law); }
  static bool is_quadratic() { return GetParam().elements == std::string("quadratic"); }
  static bool is_hexahedral() { return GetParam().elements == std::string("hexahedra"); }
  static Scene block() {
    return is_hexahedral() ? mixed_hexahedra({3, 2, 2}) : is_quadratic() ? subdivided(mixed_block()) : mixed_block();
  }
  static Settings with(Settings settings) {
    settings["law"] = GetParam().law;
    settings["elements"] = std::string(GetParam().elements);
    return settings;
  }
  static std::unique_ptr<Simulation> simulation(const Scene& scene, const Settings& settings = {}) {
    return make(method(), scene, with(settings));
  }
};

// [CS6967] §1.3, §2.2
TEST_P(EveryLaw, HasForcesThatAreMinusTheGradientOfTheEnergyOfTheMesh) {
  const Scene scene = block();
  const auto s = simulation(scene);
  const auto& elasticity = facet_of<ElasticityFacet>(*s);
  const Points x = deformed(scene, kShake), f = elasticity.elastic_forces(x);
  const double scale = f.cwiseAbs().maxCoeff(), step = 1e-6;
  for (Eigen::Index i = 0; i < x.size(); i += 7) {
    Points more = x, less = x;
    more.data()[i] += step, less.data()[i] -= step;
    const double slope = (elasticity.elastic_energy(more) - elasticity.elastic_energy(less)) / (2 * step);
    EXPECT_NEAR(f.data()[i], -slope, 1e-6 * scale);
  }
}

TEST_P(EveryLaw, HasAStiffnessThatIsTheDerivativeOfItsForces) {
  const Scene scene = block();
  const auto s = simulation(scene);
  const auto& elasticity = facet_of<ElasticityFacet>(*s);
  const Points x = deformed(scene, kShake);
  const Eigen::MatrixXd k(facet_of<SystemOperatorFacet>(*s).stiffness_matrix(x));
  EXPECT_LT((k - k.transpose()).cwiseAbs().maxCoeff(), 1e-12 * k.cwiseAbs().maxCoeff());
  const double step = 1e-6;
  for (Eigen::Index i = 0; i < x.size(); i += 5) {
    Points more = x, less = x;
    more.data()[i] += step, less.data()[i] -= step;
    const Eigen::VectorXd column =
        -flat(elasticity.elastic_forces(more) - elasticity.elastic_forces(less)) / (2 * step);
    EXPECT_LT((k.col(i) - column).cwiseAbs().maxCoeff(), 1e-6 * k.cwiseAbs().maxCoeff()) << i;
  }
}

TEST(LawsAtRest, AreLinearElasticityAndTwiceThatAsPrinted) {
  const Scene scene = mixed_block();
  const Points& rest = scene.tet_mesh.rest_positions;
  const auto linear = make("linear_fem", scene);
  const Eigen::MatrixXd once(facet_of<SystemOperatorFacet>(*linear).stiffness_matrix(rest));
  for (const std::string& law : law_names()) {
    const auto s = make(method_of(law), scene, {{"law", law}});
    const Eigen::MatrixXd k(facet_of<SystemOperatorFacet>(*s).stiffness_matrix(rest));
    const double factor = law == "st_venant_kirchhoff_as_printed" ? 2.0 : 1.0;
    EXPECT_LT((k - factor * once).cwiseAbs().maxCoeff(), 1e-11 * once.cwiseAbs().maxCoeff()) << law;
  }
}

TEST_P(EveryLaw, IsSolvedWithAMatrixWithoutNegativeEigenvaluesUnlessTheHessianIsExact) {
  Scene scene = block();
  scene.initial_positions = moved(scene.tet_mesh.rest_positions, Vector3(0.4, 1.0, 1.0).asDiagonal(), Vector3::Zero());
  const auto least_of = [&](const std::string& hessian) {
    // Heavy steps, so that nothing but the Hessian decides.
    Scene slow = scene;
    slow.time_step = 1e3;
    const auto s = simulation(slow, {{"hessian", hessian},
                                     {"newton_iterations", 1LL},
                                     {"scheme", std::string("implicit_euler")},
                                     {"solver", std::string("direct")}});
    s->step();
    const Eigen::MatrixXd a(facet_of<StepMatrixFacet>(*s).solved_matrix());
    const Eigen::MatrixXd asked(facet_of<SystemOperatorFacet>(*s).system_matrix(slow.initial_positions));
    EXPECT_LT((a - asked).cwiseAbs().maxCoeff(), 1e-12 * a.cwiseAbs().maxCoeff()) << hessian;
    const Eigen::VectorXd values = numerics::symmetric_eigenvalues(a);
    return values[0] / values[values.size() - 1];
  };
  EXPECT_GT(least_of("projected"), -1e-12);
  EXPECT_GT(least_of("absolute"), -1e-12);
  EXPECT_LT(least_of("exact"), -1e-3);
}

TEST_P(EveryLaw, HasTheSameHessianHoweverItsBlocksAreGathered) {
  // One thread sums blocks from a ring of batches, two from those of all elements; of elements in any order the ring
  // holds all, too. The sums are in the same order: the same bits.
  for (const bool is_shuffled : {false, true}) {
    Scene scene = is_quadratic() ? block_scene({12, 2, 2}) : block_scene({24, 3, 3});
    numerics::RandomStream random(19);
    for (Eigen::Index e = scene.tet_mesh.element_count() - 1; is_shuffled && e > 0; --e)
      scene.tet_mesh.tetrahedra.row(e).swap(scene.tet_mesh.tetrahedra.row(Eigen::Index(random.uniform() * double(e))));
    if (is_quadratic()) scene = subdivided(scene);
    if (is_hexahedral()) scene = mixed_hexahedra({15, 2, 2}, is_shuffled);
    scene.initial_positions = deformed(scene, kShake);
    const auto matrix_of = [&](int threads, const char* precision) {
      const auto s = make(method(), scene,
                          with({{"scheme", std::string("implicit_euler")},
                                {"newton_iterations", 1LL},
                                {"cg_iterations", 1LL},
                                {"hessian_precision", std::string(precision)}}),
                          threads);
      s->step();
      return Eigen::MatrixXd(facet_of<StepMatrixFacet>(*s).solved_matrix());
    };
    const Eigen::MatrixXd one = matrix_of(1, "double"), rounded = matrix_of(1, "single");
    EXPECT_EQ(one, matrix_of(2, "double"));
    EXPECT_EQ(rounded, matrix_of(2, "single"));
    // Singular values and axes of an element are accurate to some roundings of single precision, 6e-8.
    const double difference = (one - rounded).cwiseAbs().maxCoeff() / one.cwiseAbs().maxCoeff();
    EXPECT_LT(difference, 1e-5);
    EXPECT_GT(difference, 1e-9);
  }
}

std::vector<LawOfElements> laws_of_elements() {
  std::vector<LawOfElements> all;
  for (const char* elements : {"linear", "quadratic", "hexahedra"})
    for (const std::string& law : law_names())
      if (!law.starts_with("invertible_") || elements != std::string("hexahedra")) all.push_back({law, elements});
  return all;
}
INSTANTIATE_TEST_SUITE_P(Laws, EveryLaw, testing::ValuesIn(laws_of_elements()),
                         [](const auto& one) { return one.param.law + "_" + one.param.elements; });

/// Tip displacement of a swinging bar after 0.1 s, in steps of 0.1 s / count.
Points swung(const std::string& id, const std::string& scheme, int count) {
  Scene scene = block_scene({4, 1, 1});
  scene.materials[0].young_modulus = 1e6;
  scene.prescribed.resize(1);
  scene.prescribed[0].vertices = model::vertices_on_plane(scene.tet_mesh.rest_positions, 0, 0.0, 1e-9);
  scene.gravity = {0, -9.81, 0};
  scene.initial_velocities = Points::Zero(scene.vertex_count(), 3);
  for (Eigen::Index i = 0; i < scene.vertex_count(); ++i)
    scene.initial_velocities(i, 2) = scene.tet_mesh.rest_positions(i, 0);
  scene.time_step = 0.1 / count;
  Settings settings = {{"scheme", scheme}, {"law", std::string("st_venant_kirchhoff")}};
  if (id == "explicit_fem") settings["substeps"] = 1LL;
  if (id == "implicit_fem") settings["newton_tolerance"] = 1e-11, settings["solver"] = std::string("direct");
  const auto s = make(id, scene, settings);
  for (int k = 0; k < count; ++k)
    if (s->step().outcome != StepOutcome::Advanced) throw std::runtime_error("diverged");
  return s->state().positions;
}

// [CS6967] §2.3
TEST(OrderOfASchemeInTime, IsOneForTheEulersAndTwoForTheOthers) {
  struct Row {
    const char *id, *scheme;
    double order;
    int count;
  };
  const Points fine = swung("explicit_fem", "leap_frog", 40000);
  for (const Row& row : {Row{"explicit_fem", "symplectic_euler", 1, 800}, Row{"explicit_fem", "leap_frog", 2, 800},
                         Row{"explicit_fem", "forward_euler", 1, 8000}, Row{"implicit_fem", "implicit_euler", 1, 800},
                         Row{"implicit_fem", "implicit_midpoint", 2, 400}, Row{"implicit_fem", "bdf2", 2, 800}}) {
    const double coarse = (swung(row.id, row.scheme, row.count) - fine).norm();
    const double half = (swung(row.id, row.scheme, 2 * row.count) - fine).norm();
    EXPECT_NEAR(std::log2(coarse / half), row.order, 0.2) << row.scheme << ": " << coarse << ", " << half;
  }
}

TEST(ExplicitStep, AtItsStableStepIsStableAtRestAndNotFarAboveIt) {
  const Scene scene = mixed_block();
  const auto linear = make("linear_fem", scene);
  const Points& rest = scene.tet_mesh.rest_positions;
  const Eigen::MatrixXd k(facet_of<SystemOperatorFacet>(*linear).stiffness_matrix(rest));
  const Eigen::VectorXd masses = lumped_masses(scene);
  Eigen::VectorXd inverse_root(k.rows());
  for (Eigen::Index i = 0; i < k.rows(); ++i) inverse_root[i] = 1.0 / std::sqrt(masses[i / 3]);
  const Eigen::MatrixXd scaled = inverse_root.asDiagonal() * k * inverse_root.asDiagonal();
  const double exact = 2.0 / std::sqrt(numerics::symmetric_eigenvalues(scaled).maxCoeff());
  EXPECT_LE(stable_time_step(scene, 1.0), exact * (1 + 1e-12));
  EXPECT_GE(stable_time_step(scene, 1.0), 0.4 * exact);
  EXPECT_NEAR(stable_time_step(scene, 2.0), stable_time_step(scene, 1.0) / std::sqrt(2.0), 1e-12);

  for (const auto& [factor, is_stable] : {std::pair(0.98, true), std::pair(1.02, false)}) {
    Scene moving = scene;
    numerics::RandomStream random(3);
    moving.initial_positions = shaken(rest, 1e-9, random);
    moving.time_step = factor * exact;
    const auto s = make("explicit_fem", moving, {{"substeps", 1LL}, {"law", std::string("stable_neo_hookean")}});
    double largest = 0.0;
    for (int step = 0; step < 2000 && largest < 1e-5; ++step) {
      s->step();
      largest = (s->state().positions - rest).cwiseAbs().maxCoeff();
    }
    EXPECT_EQ(largest < 1e-7, is_stable) << factor << ": " << largest;
  }
}

TEST(NewtonStep, ThatStopsBeforeItsToleranceSaysSo) {
  Scene scene = block_scene();
  scene.initial_positions = deformed(scene, 0.01);
  const auto few = make("implicit_fem", scene, {{"newton_max_iterations", 1LL}});
  const StepReport stopped = few->step();
  EXPECT_EQ(stopped.converged, std::optional(false));
  EXPECT_TRUE(stopped.is_nonlinear);  // no word about the linear solver
  const auto enough = make("implicit_fem", scene);
  const StepReport report = enough->step();
  EXPECT_EQ(report.converged, std::optional(true));
  EXPECT_LE(report.residual, report.tolerance);
  EXPECT_GT(report.solves, 1);
}

TEST(InvertedTetrahedron, ComesBackWithAnInvertibleLawAndStaysWithStVenantKirchhoff) {
  // Mirrored along an edge of its frame, and heavily damped. St. Venant–Kirchhoff takes the mirrored shape for rest.
  Scene scene = tetrahedron_scene();
  const Points& rest = scene.tet_mesh.rest_positions;
  scene.initial_positions = moved(rest, Vector3(1, 1, -0.9).asDiagonal(), Vector3::Zero());
  const auto volume_after = [&](const std::string& id, const std::string& law) {
    const auto s = make(id, scene, {{"law", law}, {"mass_damping_1_s", 60.0}});
    for (int k = 0; k < 200; ++k) s->step();
    return model::tetrahedron_volume(scene.tet_mesh, s->state().positions, 0) /
           model::tetrahedron_volume(scene.tet_mesh, rest, 0);
  };
  EXPECT_NEAR(volume_after("explicit_fem", "st_venant_kirchhoff"), -1.0, 0.01);
  for (const char* law : {"invertible_st_venant_kirchhoff", "invertible_corotational", "invertible_neo_hookean"})
    EXPECT_NEAR(volume_after("invertible_fem", law), 1.0, 0.01) << law;
  EXPECT_NEAR(volume_after("implicit_fem", "stable_neo_hookean"), 1.0, 0.01);
}

// [CS6967] §2.2. β by cofactors would be off by the square of the condition number: 1e-5 of F here.
TEST(DeformationGradient, OfNeedlesAndSliversIsExactToRoundingTimesTheConditionNumber) {
  numerics::RandomStream random(77);
  Scene scene = tetrahedron_scene();
  for (int trial = 0; trial < 200; ++trial) {
    const double condition = std::pow(10.0, random.uniform(0.0, 6.0));
    const Vector3 singular(1.0, std::pow(condition, -random.uniform()), 1.0 / condition);
    const Matrix3 edges = random.rotation() * singular.asDiagonal() * random.rotation();
    scene.tet_mesh.rest_positions.setZero();
    for (int k = 0; k < 3; ++k) scene.tet_mesh.rest_positions.row(k + 1) = edges.col(k).transpose();
    Matrix3 map;
    for (int k = 0; k < 9; ++k) map(k / 3, k % 3) = random.normal();
    const Points positions = scene.tet_mesh.rest_positions * map.transpose();
    const auto simulation = make("explicit_fem", scene);
    const Matrix3 f = facet_of<DeformationGradientFacet>(*simulation).deformation_gradients(positions).at(0);
    EXPECT_LT((f - map).norm(), 10 * std::numeric_limits<double>::epsilon() * condition * map.norm()) << condition;
  }
}

}  // namespace
}  // namespace deformbench::fem

// SPDX-License-Identifier: BSD-3-Clause
// Steps of quasi_newton: its minimiser against Newton's, projective dynamics written out here, accelerations, contact.
#include <Eigen/SVD>

#include "tests/projective/projective_fixture.hpp"

namespace deformbench::projective {
namespace {

constexpr auto kObjective = IterationQuantity::Objective;
constexpr auto kGradient = IterationQuantity::GradientNorm;
const char* const kAccelerations[] = {"none", "l_bfgs", "chebyshev", "anderson"};

/// A bar that hangs from its end at x = 0 and is stretched by a few per cent.
Scene hanging_bar() {
  Scene scene = held_block(2e4, {5, 1, 1});
  scene.gravity = {9.81, 0, 0};
  scene.time_step = 0.02;
  return scene;
}

TEST(QuasiNewton, HasTheMinimiserOfNewtonsMethod) {
  const Scene scene = hanging_bar();
  for (const char* law : {"stable_neo_hookean", "stable_neo_hookean_core", "st_venant_kirchhoff", "corotational"}) {
    const Points newton =
        after("implicit_fem", scene, 4, {{"law", word(law)}, {"solver", word("direct")}, {"newton_tolerance", 1e-13}});
    const double travel = largest(newton - scene.rest_positions());
    EXPECT_GT(travel, 0.003);
    for (const char* acceleration : kAccelerations)
      for (const char* stiffness : {"sum", "bound"}) {
        if (std::string(stiffness) == "sum" && std::string(acceleration) == "chebyshev") continue;  // ν = 0.45
        const Points found = after("quasi_newton", scene, 4,
                                   {{"law", word(law)},
                                    {"acceleration", word(acceleration)},
                                    {"matrix_stiffness", word(stiffness)},
                                    {"spectral_radius", 0.5},
                                    {"tolerance", 1e-10},
                                    {"iterations", 100000LL}});
        EXPECT_LT(largest(found - newton), 1e-6 * travel) << law << ' ' << acceleration << ' ' << stiffness;
      }
  }
}

/// The rotation nearest to F, det F > 0.
Matrix3 nearest_rotation(const Matrix3& f) {
  const Eigen::JacobiSVD<Matrix3> svd(f, Eigen::ComputeFullU | Eigen::ComputeFullV);
  return svd.matrixU() * svd.matrixV().transpose();
}

/// Local and global steps for Σ V 2μ w²/2 ‖F − T‖²: x = (M/Δt² + Σ V 2μ w² G Gᵀ)⁻¹ (M/Δt² y + Σ V 2μ w² G T), held
/// vertices in place. T = target(element, F): in projective dynamics the rotation nearest to F, w = 1.
template <class Target>
Points local_and_global_steps(const Scene& scene, const Eigen::VectorXd& masses, int iterations, double w,
                              const Target& target) {
  const double inertia = 1.0 / (scene.time_step * scene.time_step);
  const Eigen::MatrixXd one = masses.asDiagonal();
  const Eigen::MatrixXd a = w * w * dense_matrix(scene, masses, 0.0, 0.0) + inertia * one;
  Points x = scene.start_positions() + scene.time_step * scene.start_velocities();
  x.rowwise() += scene.time_step * scene.time_step * scene.gravity.transpose();
  const Points ballistic = x;
  const std::vector<int>& held = scene.prescribed[0].vertices;
  for (const int v : held) x.row(v) = scene.rest_positions().row(v);
  for (int k = 0; k < iterations; ++k) {
    Eigen::MatrixXd right = inertia * masses.asDiagonal() * ballistic, matrix = a;
    for (Eigen::Index e = 0; e < scene.tet_mesh.element_count(); ++e) {
      const Matrix3 f = model::deformation_gradient(scene.tet_mesh, x, e);
      const Matrix3 aim = target(std::size_t(e), f);
      Matrix3 edges;
      for (int j = 0; j < 3; ++j)
        edges.col(j) = (scene.tet_mesh.rest_positions.row(scene.tet_mesh.tetrahedra(e, j + 1)) -
                        scene.tet_mesh.rest_positions.row(scene.tet_mesh.tetrahedra(e, 0)))
                           .transpose();
      const Matrix3 slopes = edges.inverse();
      const double weight = edges.determinant() / 6.0 * 2.0 * scene.material_of(e).lame_mu() * w * w;
      for (int j = 0; j < 3; ++j) {
        const Vector3 push = weight * aim * slopes.row(j).transpose();
        right.row(scene.tet_mesh.tetrahedra(e, j + 1)) += push.transpose();
        right.row(scene.tet_mesh.tetrahedra(e, 0)) -= push.transpose();
      }
    }
    for (const int v : held) {
      matrix.row(v).setZero();
      matrix(v, v) = 1.0;
      right.row(v) = scene.rest_positions().row(v);
    }
    x = matrix.partialPivLu().solve(right);
  }
  return x;
}

/// A block with ν = 0 and random velocities.
Scene shaken_block() {
  Scene scene = held_block();
  for (model::Material& material : scene.materials) material.poisson_ratio = 0.0;
  scene.time_step = 0.02;
  scene.initial_velocities = shaken(Points::Zero(scene.vertex_count(), 3), 0.5, 4);
  for (const int v : scene.prescribed[0].vertices) scene.initial_velocities.row(v).setZero();
  return scene;
}

TEST(QuasiNewton, AdmmIsItsLocalAndItsGlobalStep) {
  const Scene scene = shaken_block();
  for (const double w : {0.5, 1.0, 2.0})
    for (const long long iterations : {1LL, 2LL, 7LL}) {
      const auto simulation = make("quasi_newton", scene,
                                   {{"law", word("corotational")},
                                    {"matrix_stiffness", word("shear")},
                                    {"acceleration", word("admm")},
                                    {"admm_weight", w},
                                    {"iterations", iterations}});
      std::vector<Matrix3> multipliers(std::size_t(scene.tet_mesh.element_count()), Matrix3::Zero());
      const Points expected = local_and_global_steps(
          scene, simulation->state().masses, int(iterations), w, [&](std::size_t e, const Matrix3& f) -> Matrix3 {
            const Matrix3 q = f + multipliers[e], own = (nearest_rotation(q) + w * w * q) / (1.0 + w * w);
            multipliers[e] = q - own;
            return own - multipliers[e];
          });
      simulation->step();
      EXPECT_LT(largest(simulation->state().positions - expected), 1e-11) << w << ' ' << iterations;
    }
}

TEST(QuasiNewton, AdmmHasTheMinimiserOfNewtonsMethod) {
  const Scene scene = hanging_bar();  // ν = 0.45
  const Points newton = after("implicit_fem", scene, 4,
                              {{"law", word("corotational")}, {"solver", word("direct")}, {"newton_tolerance", 1e-13}});
  for (const double w : {0.7, 1.0, 1.5}) {
    const Points found = after("quasi_newton", scene, 4,
                               {{"law", word("corotational")},
                                {"acceleration", word("admm")},
                                {"admm_weight", w},
                                {"tolerance", 1e-10},
                                {"iterations", 100000LL}});
    EXPECT_LT(largest(found - newton), 1e-6 * largest(newton - scene.rest_positions())) << w;
  }
}

TEST(QuasiNewton, AFullStepIsTheLocalAndTheGlobalStepOfProjectiveDynamics) {
  const Scene scene = shaken_block();
  for (const long long iterations : {1LL, 2LL, 7LL}) {
    const Settings settings{{"law", word("corotational")},
                            {"matrix_stiffness", word("shear")},
                            {"acceleration", word("none")},
                            {"line_search", word("none")},
                            {"iterations", iterations}};
    const auto simulation = make("quasi_newton", scene, settings);
    const Points expected = local_and_global_steps(scene, simulation->state().masses, int(iterations), 1.0,
                                                   [](std::size_t, const Matrix3& f) { return nearest_rotation(f); });
    simulation->step();
    EXPECT_LT(largest(simulation->state().positions - expected), 1e-11) << iterations;
    EXPECT_GT(largest(expected - scene.rest_positions()), 1e-3);
  }
}

TEST(QuasiNewton, LowersTheObjectiveInEveryIteration) {
  for (const char* acceleration : {"none", "l_bfgs", "anderson"})
    for (const double size : {0.005, 0.1}) {  // m, the second tangled
      Scene scene = held_block();
      scene.time_step = 0.05;
      scene.initial_positions = shaken(scene.rest_positions(), size, 8);
      for (const int v : scene.prescribed[0].vertices) scene.initial_positions.row(v) = scene.rest_positions().row(v);
      const auto simulation = make("quasi_newton", scene, {{"acceleration", word(acceleration)}, {"iterations", 60LL}});
      const auto rows = watched_step(*simulation);
      ASSERT_GT(rows.size(), 30u);
      for (std::size_t k = 1; k < rows.size(); ++k)
        EXPECT_LE(rows[k][kObjective], rows[k - 1][kObjective] + 1e-11 * std::abs(rows[0][kObjective]))
            << acceleration << ' ' << size << ' ' << k;
      EXPECT_LT(rows.back()[kGradient], 0.1 * rows[0][kGradient]);
    }
}

TEST(QuasiNewton, AccelerationsNeedHalfTheIterations) {
  Scene scene = held_block();
  scene.time_step = 0.05;
  const auto needed = [&](const char* acceleration) {
    const auto simulation = make("quasi_newton", scene,
                                 {{"acceleration", word(acceleration)},
                                  {"spectral_radius", 0.95},
                                  {"tolerance", 1e-8},
                                  {"iterations", 100000LL}});
    const StepReport report = simulation->step();
    EXPECT_TRUE(report.converged.value_or(false)) << acceleration;
    return report.iterations;
  };
  const int plain = needed("none");
  for (const char* acceleration : {"l_bfgs", "chebyshev", "anderson"})
    EXPECT_LT(needed(acceleration), plain / 2) << acceleration;
}

TEST(QuasiNewton, TheSecondMoveIsThatOfADenseBfgsMatrix) {
  // H = (I − ρ s yᵀ) A⁻¹ (I − ρ y sᵀ) + ρ s sᵀ of the first change, [LBK17].
  Scene scene = held_block();
  scene.time_step = 0.03;
  const auto end = [&](long long iterations) {
    return after("quasi_newton", scene, 1, {{"iterations", iterations}, {"matrix_stiffness", word("sum")}});
  };
  const auto simulation = make("quasi_newton", scene);
  const Eigen::VectorXd masses = simulation->state().masses;
  const double inertia = 1.0 / (scene.time_step * scene.time_step);
  Points ballistic = scene.rest_positions();
  ballistic.rowwise() += scene.time_step * scene.time_step * scene.gravity.transpose();
  Points start = ballistic;
  const std::vector<int>& held = scene.prescribed[0].vertices;
  for (const int v : held) start.row(v) = scene.rest_positions().row(v);
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, 3, Eigen::RowMajor>;
  const auto flat = [](const Points& x) {
    return Eigen::VectorXd(Eigen::Map<const Eigen::VectorXd>(x.data(), x.size()));
  };
  const auto gradient = [&](const Points& x) {
    Points g = inertia * masses.asDiagonal() * Rows(x - ballistic);
    g -= facet_of<ElasticityFacet>(*simulation).elastic_forces(x);
    for (const int v : held) g.row(v).setZero();
    return flat(g);
  };
  const Eigen::MatrixXd one = dense_matrix(scene, masses, inertia, 1.0);
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(3 * one.rows(), 3 * one.rows());
  for (Eigen::Index i = 0; i < one.rows(); ++i)
    for (Eigen::Index j = 0; j < one.rows(); ++j) a.block<3, 3>(3 * i, 3 * j) = one(i, j) * Matrix3::Identity();
  for (const int v : held)
    for (int c = 0; c < 3; ++c) a.row(3 * v + c).setZero(), a.col(3 * v + c).setZero(), a(3 * v + c, 3 * v + c) = 1.0;
  const Points first = end(1);
  const Eigen::VectorXd s = flat(first - start), y = gradient(first) - gradient(start);
  const double rho = 1.0 / s.dot(y);
  const Eigen::MatrixXd left = Eigen::MatrixXd::Identity(s.size(), s.size()) - rho * s * y.transpose();
  const Eigen::VectorXd expected =
      -(left * a.ldlt().solve(left.transpose() * gradient(first)) + rho * s * s.dot(gradient(first)));
  const Eigen::VectorXd found = flat(end(2) - first);
  const double length = found.dot(expected) / expected.squaredNorm();
  EXPECT_NEAR(std::log2(length), std::round(std::log2(length)), 1e-8) << "halved by the line search";
  EXPECT_LT((found - length * expected).norm(), 1e-8 * expected.norm());
}

TEST(QuasiNewton, ChebyshevFollowsItsRecursion) {
  // x ← x⁻ + ω (x̂ − x⁻), with x̂ one full iteration from x, by runs of ever more iterations.
  Scene scene = held_block();
  scene.time_step = 0.03;
  const double rho = 0.8;
  const auto end = [&](const char* acceleration, long long iterations) {
    return after("quasi_newton", scene, 1,
                 {{"acceleration", word(acceleration)},
                  {"line_search", word("none")},
                  {"spectral_radius", rho},
                  {"chebyshev_delay", 2LL},
                  {"iterations", iterations}});
  };
  EXPECT_LT(largest(end("chebyshev", 2) - end("none", 2)), 1e-14);
  const double omega = 2.0 / (2.0 - rho * rho);
  const Points expected = end("none", 1) + omega * (end("none", 3) - end("none", 1));
  EXPECT_LT(largest(end("chebyshev", 3) - expected), 1e-14);
  EXPECT_GT(largest(end("chebyshev", 3) - end("none", 3)), 1e-6);
}

TEST(QuasiNewton, AFreeBodyFallsExactlyAndKeepsItsMomentumAfterAnyIteration) {
  for (const char* acceleration : kAccelerations)
    for (const long long iterations : {1LL, 4LL}) {
      Scene scene = held_block(1e6);
      scene.prescribed.clear();
      scene.initial_positions = shaken(scene.rest_positions(), 0.01, 3);
      const auto simulation =
          make("quasi_newton", scene, {{"acceleration", word(acceleration)}, {"iterations", iterations}});
      const Eigen::VectorXd masses = simulation->state().masses;
      for (int k = 1; k <= 10; ++k) {
        simulation->step();
        const Vector3 momentum = simulation->state().velocities.transpose() * masses;
        const Vector3 expected = k * scene.time_step * masses.sum() * scene.gravity;
        EXPECT_LT((momentum - expected).norm(), 1e-10 * expected.norm()) << acceleration << iterations << ' ' << k;
      }
    }
}

TEST(QuasiNewton, RestsOnAFloorAsNewtonsMethodDoes) {
  Scene scene = held_block(2e5, {2, 2, 2});
  scene.prescribed.clear();
  scene.colliders.push_back({Vector3(0, 1, 0), -0.05});
  const Settings contact{{"contact_distance_m", 0.002}, {"contact_stiffness_pa", 1e5}};
  Settings quasi = contact, newton = contact;
  quasi.insert({{"tolerance", 1e-9}, {"iterations", 100000LL}});
  newton.insert({{"contact_rule", word("penalty")}, {"newton_tolerance", 1e-12}});
  const Points ours = after("quasi_newton", scene, 60, quasi), theirs = after("implicit_fem", scene, 60, newton);
  EXPECT_LT(ours.col(1).minCoeff(), -0.049) << "it has fallen";
  EXPECT_LT(largest(ours - theirs), 1e-5);
}

TEST(QuasiNewton, RefusesWhatItCannotDo) {
  const Registry registry = builtin_registry();
  const MethodDescriptor& method = registry.at("quasi_newton");
  const Scene scene = held_block();
  const Settings unsearched{{"line_search", word("none")}};
  EXPECT_EQ(method.supports(scene, Parameters(method.parameters, unsearched, "quasi_newton")).reason,
            "acceleration 'l_bfgs' needs line_search armijo");
}

}  // namespace
}  // namespace deformbench::projective

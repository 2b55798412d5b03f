// SPDX-License-Identifier: BSD-3-Clause
// What Bullet's bodies really do, beside the suite that they run as all methods: agreement where they should agree, and
// the size of each deviation that their descriptors and methods/peers/README.md state.
#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "methods/facets.hpp"
#include "methods/model/structured.hpp"
#include "methods/registry.hpp"
#include "tests/methods/method_suite.hpp"

namespace deformbench::tests {

namespace {

using Settings = std::map<std::string, ParameterValue>;

ParameterValue text(const char* value) {
  return std::string(value);
}

/// Largest difference over the largest entry.
double relative(const Points& a, const Points& b) {
  return (a - b).cwiseAbs().maxCoeff() / b.cwiseAbs().maxCoeff();
}

Scene held_block() {
  Scene scene = free_block();
  model::PrescribedMotion hold;
  for (Eigen::Index i = 0; i < scene.vertex_count(); ++i)
    if (scene.rest_positions()(i, 0) < -0.05) hold.vertices.push_back(int(i));
  scene.prescribed = {hold};
  return scene;
}

const Settings kStable{{"law", std::string("stable_neo_hookean")}};

Vector3 momentum_about_origin(const StateView& s) {
  Vector3 sum = Vector3::Zero();
  for (Eigen::Index i = 0; i < s.masses.size(); ++i)
    sum += s.masses[i] * Vector3(s.positions.row(i)).cross(Vector3(s.velocities.row(i)));
  return sum;
}

/// The block of the suite, which spins at 5 rad/s.
Scene spinning_block() {
  Scene scene = free_block();
  const Vector3 omega(0, 0, 5);
  scene.initial_velocities.resize(scene.vertex_count(), 3);
  for (Eigen::Index i = 0; i < scene.vertex_count(); ++i)
    scene.initial_velocities.row(i) = omega.cross(Vector3(scene.rest_positions().row(i)));
  return scene;
}

}  // namespace

class BulletPeer : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string& why = registry_.at("bullet_fem").not_built; !why.empty()) GTEST_SKIP() << why;
  }
  std::unique_ptr<Simulation> make(const std::string& id, const Scene& scene, const Settings& set = {}) const {
    const MethodDescriptor& method = registry_.at(id);
    return method.create(scene, Parameters(method.parameters, set, id), {});
  }
  Points forces(const std::string& id, const Scene& scene, const Points& positions, const Settings& set) const {
    return facet_of<ElasticityFacet>(*make(id, scene, set)).elastic_forces(positions);
  }
  double energy(const std::string& id, const Scene& scene, const Points& positions, const Settings& set) const {
    return facet_of<ElasticityFacet>(*make(id, scene, set)).elastic_energy(positions);
  }
  const Registry registry_ = builtin_registry();
};

// [SGK18]: two programs that share no line
TEST_F(BulletPeer, NeoHookeanForcesAreThoseOfStableNeoHookeanElements) {
  const Scene scene = free_block();
  const Points bent = scene.rest_positions() + random_field(scene.vertex_count(), 0.02, 11);
  EXPECT_LT(relative(forces("bullet_fem", scene, bent, {}), forces("implicit_fem", scene, bent, kStable)), 1e-12);
  EXPECT_NEAR(energy("bullet_fem", scene, bent, {}) / energy("implicit_fem", scene, bent, kStable), 1.0, 1e-12);
}

TEST_F(BulletPeer, ConstantsAsNamedAreASofterMaterial) {
  const Scene scene = free_block();
  const double mu = scene.materials[0].lame_mu(), lambda = scene.materials[0].lame_lambda();
  // Linearised at rest, m and l of [SGK18] are μ = 3m/4 and λ = l − 5m/8: with ν = 0.33, E is a quarter lower.
  const double soft_mu = 0.75 * mu, soft_lambda = lambda - 0.625 * mu;
  Scene soft = scene;
  soft.materials[0].young_modulus = soft_mu * (3 * soft_lambda + 2 * soft_mu) / (soft_lambda + soft_mu);
  soft.materials[0].poisson_ratio = 0.5 * soft_lambda / (soft_lambda + soft_mu);
  EXPECT_NEAR(soft.materials[0].young_modulus / scene.materials[0].young_modulus, 0.744, 1e-3);
  const Points bent = scene.rest_positions() + random_field(scene.vertex_count(), 0.02, 11);
  EXPECT_LT(relative(forces("bullet_fem", scene, bent, {{"constants", text("as_named")}}),
                     forces("implicit_fem", soft, bent, kStable)),
            1e-12);
}

TEST_F(BulletPeer, StepsAreThoseOfImplicitEuler) {
  Scene scene = held_block();
  scene.gravity = {0, -9.81, 0};
  scene.point_loads = {{int(scene.vertex_count()) - 1, Vector3(20, 0, 5), {}}};
  const auto theirs = make("bullet_fem", scene), ours = make("implicit_fem", scene, kStable);
  double worst = 0.0, largest = 0.0;
  for (int k = 0; k < 40; ++k) {
    const StepReport report = theirs->step();
    EXPECT_GT(report.solves, 0);
    EXPECT_LE(report.solves, 5);
    EXPECT_GT(report.iterations, 0);
    ours->step();
    worst = std::max(worst, (theirs->state().positions - ours->state().positions).cwiseAbs().maxCoeff());
    largest = std::max(largest, (ours->state().positions - scene.rest_positions()).cwiseAbs().maxCoeff());
  }
  EXPECT_GT(largest, 1e-2);
  // A residual of 1e-4 N s, where Newton's method ends, over masses of 0.1 kg is 1e-3 m/s, and 1e-5 m per step.
  EXPECT_LT(worst, 1e-5);
}

TEST_F(BulletPeer, SmallLoadsBendABarAsLinearElementsDo) {
  Scene scene;
  scene.name = "bar";
  scene.tet_mesh = model::make_block({8, 2, 2}, Vector3::Zero(), {0.8, 0.2, 0.2}, model::BlockSplit::AlternatingFive);
  scene.materials = {model::Material{}};
  scene.time_step = 1e3;
  model::PrescribedMotion hold;
  for (Eigen::Index i = 0; i < scene.vertex_count(); ++i) {
    if (scene.rest_positions()(i, 0) == 0.0) hold.vertices.push_back(int(i));
    if (scene.rest_positions()(i, 0) > 0.79) scene.point_loads.push_back({int(i), Vector3(0, -1e-4, 0), {}});
  }
  scene.prescribed = {hold};
  const auto rest_of_bar = [&](const char* id, const Settings& set) {
    const auto bar = make(id, scene, set);
    for (int k = 0; k < 20; ++k) bar->step();
    return Points(bar->state().positions - scene.rest_positions());
  };
  const Points exact = rest_of_bar("linear_fem", {{"solver", text("direct")}});
  // The drop is 1e-5 of the length, and so are the rotations that linear elements leave out.
  EXPECT_LT(relative(rest_of_bar("bullet_fem", {}), exact), 1e-3);
  EXPECT_LT(relative(rest_of_bar("bullet_fem", {{"law", text("linear_elasticity")}}), exact), 1e-3);
  EXPECT_GT(relative(rest_of_bar("bullet_fem", {{"constants", text("as_named")}}), exact), 0.2);
}

TEST_F(BulletPeer, WatchedIterationsDescendToTheMinimumThatNewtonsMethodFinds) {
  Scene scene = held_block();
  scene.time_step = 0.02;
  scene.initial_positions = scene.rest_positions();
  for (Eigen::Index i = 0; i < scene.vertex_count(); ++i)
    if (scene.rest_positions()(i, 0) > 0.05) scene.initial_positions(i, 0) += 0.02;
  const auto rows_of = [&](const std::string& id, const Settings& set) {
    const auto body = make(id, scene, set);
    IterationLog log;
    dynamic_cast<IterationFacet&>(*body).watch_iterations(&log);
    log.begin_step();
    body->step();
    return log.rows();
  };
  Settings exact = kStable;
  exact["newton_tolerance"] = 1e-14;
  exact["solver"] = text("direct");
  const std::vector<Iteration> theirs = rows_of("bullet_fem", {{"newton_tolerance_n_s", 0.0}}),
                               ours = rows_of("implicit_fem", exact);
  ASSERT_EQ(theirs.size(), 6u);  // where they start, and five
  const auto energy_of = [](const Iteration& row) { return row[IterationQuantity::Objective]; };
  const double least = energy_of(ours.back()), start = energy_of(theirs.front());
  EXPECT_GT(start, least);
  EXPECT_NEAR(energy_of(theirs.back()), least, 1e-9 * (start - least));
  EXPECT_LT(theirs.back()[IterationQuantity::GradientNorm], 1e-5 * theirs.front()[IterationQuantity::GradientNorm]);
  EXPECT_GT(theirs.back()[IterationQuantity::LinearIterations], 5);
}

TEST_F(BulletPeer, ItsRotationsStrainABodyThatIsTurned) {
  const Scene scene = free_block();
  const Points turned =
      scene.rest_positions() * Eigen::AngleAxisd(0.6, Vector3(1, 2, 3).normalized()).toRotationMatrix().transpose();
  // Forces of a strain of 1: E times the area of a cell.
  const double unit = scene.materials[0].young_modulus * 0.1 * 0.1;
  const Settings linear{{"law", text("linear_elasticity")}};
  const double exact = forces("warped_fem", scene, turned, {}).cwiseAbs().maxCoeff() / unit,
               neo_hookean = forces("bullet_fem", scene, turned, {}).cwiseAbs().maxCoeff() / unit,
               corotated = forces("bullet_fem", scene, turned, linear).cwiseAbs().maxCoeff() / unit;
  EXPECT_LT(exact, 1e-12);
  EXPECT_LT(neo_hookean, 1e-12);
  EXPECT_GT(corotated, 1e-5);
  EXPECT_LT(corotated, 1e-2);
}

TEST_F(BulletPeer, ItsDampingResistsTheSpinOfATurnedBody) {
  Scene scene = spinning_block();
  scene.time_step = 1e-3;
  const auto spin_left = [&](double damping) {
    const auto body = make("bullet_fem", scene, {{"damping_s", damping}});
    const double start = momentum_about_origin(body->state()).z();
    for (int k = 0; k < 200; ++k) body->step();
    return momentum_about_origin(body->state()).z() / start;
  };
  EXPECT_GT(spin_left(0.0), 0.98);  // implicit Euler: (ωΔt)² in each of 200 steps is half a percent
  EXPECT_LT(spin_left(0.05), 0.5);  // less than a quarter of a turn, at Bullet's default
}

// What the suite asks of other methods holds, but for the spin: its share follows from errors of rotations, which
// change with the rounding of a build.
TEST_F(BulletPeer, LinearElasticityKeepsAllButTheSpin) {
  const Settings linear{{"law", text("linear_elasticity")}};
  Scene scene = free_block();
  const auto left = make("bullet_fem", scene, linear);
  for (int k = 0; k < 100; ++k) left->step();
  EXPECT_LT((left->state().positions - scene.rest_positions()).cwiseAbs().maxCoeff(), 1e-12);

  scene.gravity = {0, -9.81, 0};
  stiffen(scene);
  const auto fallen = make("bullet_fem", scene, linear);
  for (int k = 0; k < 10; ++k) fallen->step();
  for (Eigen::Index i = 0; i < scene.vertex_count(); ++i)
    EXPECT_NEAR(fallen->state().velocities(i, 1), -9.81 * fallen->state().time, 1e-8);

  const Scene spinning = spinning_block();
  const auto one = make("bullet_fem", spinning, linear), two = make("bullet_fem", spinning, linear);
  for (int k = 0; k < 100; ++k) {
    one->step();
    two->step();
  }
  EXPECT_TRUE((one->state().positions.array() == two->state().positions.array()).all());
}

TEST_F(BulletPeer, RoundingDecidesHowMuchSpinLinearElasticityKeeps) {
  const Scene spinning = spinning_block();
  Scene nudged = spinning;
  nudged.initial_velocities *= 1.0 + 1e-14;
  const auto kept = [&](const Scene& scene, const char* law) {
    const auto body = make("bullet_fem", scene, {{"law", text(law)}});
    const double start = momentum_about_origin(body->state()).norm();
    for (int k = 0; k < 100; ++k) body->step();
    return momentum_about_origin(body->state()).norm() / start;
  };
  EXPECT_LT(std::abs(kept(nudged, "neo_hookean") - kept(spinning, "neo_hookean")), 1e-9);
  EXPECT_GT(std::abs(kept(nudged, "linear_elasticity") - kept(spinning, "linear_elasticity")), 1e-6);
}

TEST_F(BulletPeer, RefusesWhatItDoesNotKnowByName) {
  const auto reason = [&](const std::string& id, const Scene& scene) {
    const MethodDescriptor& method = registry_.at(id);
    return method.supports(scene, Parameters(method.parameters, {}, id)).reason;
  };
  Scene scene = free_block();
  scene.materials.push_back(scene.materials[0]);
  scene.element_material.assign(std::size_t(scene.tet_mesh.element_count()), 0);
  EXPECT_EQ(reason("bullet_fem", scene), "");
  scene.element_material.back() = 1;
  EXPECT_EQ(reason("bullet_fem", scene), "Bullet's elastic force has one material for the whole body");
  for (const char* id : {"bullet_fem", "bullet_cloth"}) {
    Scene lying = id == std::string("bullet_fem") ? free_block() : free_cloth();
    lying.colliders.resize(1);
    EXPECT_NE(reason(id, lying).find("runs without contacts"), std::string::npos) << reason(id, lying);
  }
  EXPECT_EQ(reason("bullet_fem", free_cloth()), "the scene has no tetrahedra");
  EXPECT_EQ(reason("bullet_cloth", free_block()), "the scene has no cloth");
}

// One link, stretched: after one visit d' = d + d (l² − d²)/(l² + d²), of which exact projection makes d' = l.
TEST_F(BulletPeer, ALinkIsProjectedToFirstOrder) {
  Scene scene;
  scene.cloth.rest_positions.resize(3, 3);
  scene.cloth.rest_positions << 0, 0, 0, 1, 0, 0, 0, 1, 0;
  scene.cloth.triangles.resize(1, 3);
  scene.cloth.triangles << 0, 1, 2;
  scene.time_step = 0.01;
  scene.initial_positions = scene.rest_positions();
  scene.initial_positions(1, 0) = 1.1;
  model::PrescribedMotion hold;
  hold.vertices = {0};
  scene.prescribed = {hold};
  const auto cloth = make("bullet_cloth", scene, {{"randomized_order", false}, {"bend_stiffness", 0.0}});
  cloth->step();
  // The link between vertices 0 and 1 is the first; the last, between 1 and 2, moves 1 again: seen at its height, which
  // only that link changes, and at the length of the last link itself.
  const double d = 1.1, moved = d + d * (1 - d * d) / (1 + d * d);
  const Vector3 one(moved, 0, 0), two(0, 1, 0);
  const Vector3 across = two - one;
  const double k = (2 - across.squaredNorm()) / (2 * (2 + across.squaredNorm()));
  const Points end = cloth->state().positions;
  EXPECT_LT((Vector3(end.row(1)) - (one - k * across)).norm(), 1e-12);
  EXPECT_LT((Vector3(end.row(2)) - (two + k * across)).norm(), 1e-12);
  EXPECT_GT(std::abs(moved - 1.0), 4e-3);
}

}  // namespace deformbench::tests

// SPDX-License-Identifier: BSD-3-Clause
// What a watched step says of its iterations, against the same numbers formed from positions; watching changes nothing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "methods/facets.hpp"
#include "tests/pbd/pbd_fixture.hpp"

namespace deformbench::pbd {
namespace {

constexpr double kStretchCompliance = 1e-4, kBendCompliance = 0.05;

/// A shaken cloth that two corners hold, in a step in which it falls by a fifth of its edges.
Scene watched_cloth() {
  numerics::RandomStream random(91);
  Scene scene;
  scene.name = "watched_cloth";
  scene.cloth = square_cloth(5, 0.1);
  scene.gravity = {0, -9.81, 0};
  scene.time_step = 0.05;
  scene.initial_positions = scene.cloth.rest_positions + random_points(25, random, 0.01);
  scene.initial_velocities = random_points(25, random, 0.3);
  scene.prescribed.resize(1);
  scene.prescribed[0].vertices = {0, 4};
  for (const int v : scene.prescribed[0].vertices) {
    scene.initial_positions.row(v) = scene.cloth.rest_positions.row(v);
    scene.initial_velocities.row(v).setZero();
  }
  return scene;
}

Settings compliant(Settings more = {}) {
  more["stretch_compliance_m_per_n"] = kStretchCompliance;
  more["bend_compliance_rad2_per_j"] = kBendCompliance;
  return more;
}

struct Numbers {
  double objective, rms, max;
};

/// Numbers of the first step of `scene` at p, from the mesh alone: one distance per edge, one angle per inner edge.
Numbers by_hand(const Scene& scene, const Eigen::VectorXd& masses, const Points& p) {
  const double dt = scene.time_step;
  Points target = scene.initial_positions + dt * scene.initial_velocities;
  target.rowwise() += dt * dt * scene.gravity.transpose();
  std::set<int> held(scene.prescribed[0].vertices.begin(), scene.prescribed[0].vertices.end());
  Numbers numbers{};
  for (int v = 0; v < p.rows(); ++v)
    if (!held.contains(v)) numbers.objective += 0.5 * masses[v] / (dt * dt) * (p.row(v) - target.row(v)).squaredNorm();
  std::map<std::pair<int, int>, std::vector<int>> opposite;
  for (Eigen::Index t = 0; t < scene.cloth.triangles.rows(); ++t)
    for (int k = 0; k < 3; ++k)
      opposite[std::minmax(scene.cloth.triangles(t, k), scene.cloth.triangles(t, (k + 1) % 3))].push_back(
          scene.cloth.triangles(t, (k + 2) % 3));
  const Points& rest = scene.cloth.rest_positions;
  for (const auto& [edge, others] : opposite) {
    const auto [a, b] = edge;
    const double length = (p.row(b) - p.row(a)).norm(), l0 = (rest.row(b) - rest.row(a)).norm();
    numbers.objective += 0.5 * (length - l0) * (length - l0) / kStretchCompliance;
    numbers.rms += (length / l0 - 1) * (length / l0 - 1) / double(opposite.size());
    numbers.max = std::max(numbers.max, std::abs(length / l0 - 1));
    if (others.size() < 2) continue;
    const Vector3 e = (p.row(b) - p.row(a)).normalized(), c = p.row(others[0]) - p.row(a),
                  d = p.row(others[1]) - p.row(a);
    const Vector3 across_c = c - c.dot(e) * e, across_d = d - d.dot(e) * e;  // opposite directions where flat
    const double angle = std::atan2(across_c.cross(across_d).norm(), -across_c.dot(across_d));
    numbers.objective += 0.5 * angle * angle / kBendCompliance;
  }
  numbers.rms = std::sqrt(numbers.rms);
  return numbers;
}

TEST(IterationLog, OfACompliantClothIsItsObjectiveWithItsGradientByDifferences) {
  // A step of k iterations ends where a longer one is after k.
  const Scene scene = watched_cloth();
  for (const char* order : {"symmetric", "forward", "jacobi", "coloured"}) {
    const auto rows =
        watched_step(*make("xpbd", scene, compliant({{"order", std::string(order)}, {"iterations", 6LL}})));
    ASSERT_EQ(rows.size(), 7u) << order;
    for (long long k = 1; k <= 6; ++k) {
      const Iteration& row = rows[std::size_t(k)];
      EXPECT_EQ(row.iteration, int(k));
      EXPECT_EQ(row.kind, IterationKind::Projection);
      const auto shorter = make("xpbd", scene, compliant({{"order", std::string(order)}, {"iterations", k}}));
      shorter->step();
      const Points p = shorter->state().positions;
      const Eigen::VectorXd masses = shorter->state().masses;
      const Numbers expected = by_hand(scene, masses, p);
      EXPECT_NEAR(row[IterationQuantity::Objective], expected.objective, 1e-9 * expected.objective) << order << k;
      EXPECT_NEAR(row[IterationQuantity::StretchViolationRms], expected.rms, 1e-12) << order << k;
      EXPECT_NEAR(row[IterationQuantity::StretchViolationMax], expected.max, 1e-12) << order << k;
      double square = 0.0;
      for (int v = 0; v < p.rows(); ++v) {
        if (v == 0 || v == 4) continue;
        for (int c = 0; c < 3; ++c) {
          Points there = p;
          there(v, c) += 1e-6;
          double slope = by_hand(scene, masses, there).objective;
          there(v, c) -= 2e-6;
          slope = (slope - by_hand(scene, masses, there).objective) / 2e-6;
          square += slope * slope;
        }
      }
      EXPECT_NEAR(row[IterationQuantity::GradientNorm], std::sqrt(square), 1e-5 * std::sqrt(square)) << order << k;
    }
    EXPECT_LT(rows[6][IterationQuantity::Objective], 0.5 * rows[0][IterationQuantity::Objective]) << order;
  }
}

TEST(IterationLog, WatchingChangesNoBit) {
  const auto text = [](const char* word) { return ParameterValue(std::string(word)); };
  std::vector<std::pair<const char*, Settings>> cases;
  for (const char* order : {"symmetric", "forward", "reverse", "random", "jacobi", "coloured"}) {
    cases.push_back({"pbd", {{"order", text(order)}}});
    cases.push_back({"xpbd", compliant({{"order", text(order)}, {"substeps", 3LL}})});
  }
  cases.push_back({"pbd", {{"precision", text("float")}}});
  cases.push_back({"pbd", {{"execution", text("sequential")}}});
  cases.push_back({"xpbd", compliant({{"gradients_at", text("start")}})});
  cases.push_back({"pbd", {{"self_collision", true}}});
  Scene chained = watched_cloth();
  chained.constraints = {distance_constraint(0, 24, 0.5, 0.7, 1e-3)};
  for (const Scene& scene : {watched_cloth(), chained})
    for (const auto& [id, settings] : cases) {
      const auto watched = make(id, scene, settings), alone = make(id, scene, settings);
      for (int k = 0; k < 5; ++k) {
        EXPECT_GT(watched_step(*watched).size(), 1u);
        alone->step();
        EXPECT_EQ(watched->state().positions, alone->state().positions) << id << ' ' << k;
        EXPECT_EQ(watched->state().velocities, alone->state().velocities) << id << ' ' << k;
      }
    }
}

TEST(IterationLog, CountsIterationsInEverySubstep) {
  const auto rows = watched_step(*make("xpbd", watched_cloth(), compliant({{"substeps", 3LL}, {"iterations", 4LL}})));
  ASSERT_EQ(rows.size(), 15u);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    EXPECT_EQ(rows[k].substep, int(k / 5));
    EXPECT_EQ(rows[k].iteration, int(k % 5));
    EXPECT_GE(rows[k].seconds, k > 0 ? rows[k - 1].seconds : 0.0);
  }
}

TEST(IterationLog, OfAnExplicitConstraintIsItsCompliantEnergy) {
  // A mass on a spring of 1/α: E = ½ m |p − ŷ|²/Δt² + ½ (|p| − d)²/α; one projection solves the straight case.
  const double alpha = 0.002, mass = 2.0;
  Scene scene = hanging_chain(1, 1.0, mass, 1.0, alpha);
  const double dt = scene.time_step, fall = 9.81 * dt * dt;
  const auto rows = watched_step(*make("xpbd", scene, {{"iterations", 1LL}}));
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_NEAR(rows[0][IterationQuantity::Objective], 0.5 * fall * fall / alpha, 1e-12);
  EXPECT_NEAR(rows[0][IterationQuantity::GradientNorm], fall / alpha, 1e-10);
  const double stiffness = 1 / alpha, inertia = mass / (dt * dt);
  EXPECT_NEAR(rows[1][IterationQuantity::Objective], 0.5 * fall * fall * stiffness * inertia / (stiffness + inertia),
              1e-12);
  EXPECT_NEAR(rows[1][IterationQuantity::GradientNorm], 0.0, 1e-9);
  scene.constraints[0].is_inequality = true;  // C ≥ 0 holds where the mass has fallen: nothing is stored
  EXPECT_EQ(watched_step(*make("xpbd", scene, {{"iterations", 1LL}}))[0][IterationQuantity::Objective], 0.0);
}

TEST(IterationLog, HasNoObjectiveWithoutCompliances) {
  using testing::HasSubstr;
  const auto refusal = [](const char* id, const Scene& scene, const Settings& settings, IterationQuantity quantity) {
    const auto simulation = make(id, scene, settings);
    const auto& facet = dynamic_cast<const IterationFacet&>(*simulation);
    EXPECT_TRUE(facet.iterates().supported);
    return facet.iterations_have(quantity).reason;
  };
  constexpr auto objective = IterationQuantity::Objective;
  const Scene scene = watched_cloth();
  EXPECT_EQ(refusal("xpbd", scene, compliant(), objective), "");
  EXPECT_THAT(refusal("pbd", scene, {}, objective), HasSubstr("stiffness k has no energy"));
  EXPECT_THAT(refusal("xpbd", scene, {}, objective), HasSubstr("stretch_compliance_m_per_n is 0"));
  Settings rigid_bends = compliant();
  rigid_bends["bend_compliance_rad2_per_j"] = 0.0;
  EXPECT_THAT(refusal("xpbd", scene, rigid_bends, objective), HasSubstr("bend_compliance_rad2_per_j is 0"));
  EXPECT_THAT(refusal("xpbd", scene, compliant({{"self_collision", true}}), objective), HasSubstr("contacts"));
  Scene chained = scene;
  chained.constraints = {distance_constraint(0, 24, 0.5)};
  EXPECT_THAT(refusal("xpbd", chained, compliant(), objective), HasSubstr("compliance 0"));
  EXPECT_THAT(refusal("pbd", scene, {}, IterationQuantity::LinearIterations), HasSubstr("no linear system"));
  EXPECT_EQ(refusal("pbd", scene, {}, IterationQuantity::StretchViolationMax), "");
  EXPECT_THAT(refusal("pbd", hanging_chain(2, 1.0, 1.0), {}, IterationQuantity::StretchViolationMax),
              HasSubstr("no cloth"));
}

}  // namespace
}  // namespace deformbench::pbd

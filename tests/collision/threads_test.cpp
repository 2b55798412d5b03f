// SPDX-License-Identifier: BSD-3-Clause
// The number of threads changes no bit of what collisions do; phases are timed when asked for.
#include <gtest/gtest.h>

#include <algorithm>

#include "experiments/scenes/scene_registry.hpp"
#include "methods/collision/collisions.hpp"
#include "methods/facets.hpp"
#include "methods/registry.hpp"
#include "tests/collision/folded_cloth.hpp"

namespace deformbench::collision {
namespace {

struct Outcome {
  Points velocities, end;
  std::vector<int> sweeps;
  int repulsions = 0, impulses = 0, zone_vertices = 0;
  std::size_t pairs = 0;
};

Outcome outcome(const MovingCloth& cloth, const CollisionOptions& options, int threads, bool holds_corner) {
  const Eigen::VectorXd masses = Eigen::VectorXd::LinSpaced(cloth.x.rows(), 0.5, 2.0);
  Points is_free = Points::Ones(cloth.x.rows(), 3);
  if (holds_corner) is_free.topRows(5).setZero();
  Collisions collisions(masses, cloth.triangles, options, threads);
  Outcome result{cloth.v, cloth.x, {}};
  Points start = cloth.x;
  for (int step = 0; step < 2; ++step) {  // the second starts with trees and lists of the first
    result.end = start + 0.01 * result.velocities;
    const CollisionCounts& counts = collisions.resolve(start, is_free, 0.01, result.velocities, result.end);
    result.repulsions += counts.repulsions;
    result.impulses += counts.impulses;
    result.zone_vertices += counts.zone_vertices;
    result.sweeps.insert(result.sweeps.end(), collisions.contacts_of_sweeps().begin(),
                         collisions.contacts_of_sweeps().end());
    result.pairs = std::max(result.pairs, collisions.candidate_count());
    start = result.end;
  }
  return result;
}

TEST(Collisions, TheNumberOfThreadsChangesNoBit) {
  int impulses = 0, zones = 0, repulsions = 0;
  for (const double speed : {1.0, 8.0}) {  // folded, thrown
    for (const bool goes_backward : {false, true}) {
      const MovingCloth cloth = stacked_sheets(6, 9, 0.01, speed, 21);
      CollisionOptions options;
      options.detection = Detection::Both;
      options.sweeps = speed > 2.0 ? 1 : 6;
      options.thickness = speed > 2.0 ? 0.0 : 0.008;
      options.friction = 0.3;
      options.goes_backward = goes_backward;
      const Outcome one = outcome(cloth, options, 1, goes_backward);
      EXPECT_GT(one.pairs, 5000u);  // several windows of pairs tested ahead
      for (const int threads : {2, 3}) {
        const Outcome many = outcome(cloth, options, threads, goes_backward);
        EXPECT_EQ(one.velocities, many.velocities) << speed;
        EXPECT_EQ(one.end, many.end) << speed;
        EXPECT_EQ(one.sweeps, many.sweeps) << speed;
        EXPECT_EQ(one.impulses, many.impulses);
        EXPECT_EQ(one.zone_vertices, many.zone_vertices);
      }
      impulses += one.impulses;
      zones += one.zone_vertices;
      repulsions += one.repulsions;
    }
  }
  EXPECT_GT(impulses, 100);
  EXPECT_GT(zones, 0);
  EXPECT_GT(repulsions, 0);
}

TEST(Collisions, PhasesAreTimedWhenAskedFor) {
  const MovingCloth cloth = stacked_sheets(4, 9, 0.01, 8.0, 22);
  const Eigen::VectorXd masses = Eigen::VectorXd::Ones(cloth.x.rows());
  CollisionOptions options;
  options.detection = Detection::Both;
  options.sweeps = 0;  // zones have something to do
  for (const bool is_timed : {false, true}) {
    Collisions collisions(masses, cloth.triangles, options, 1, is_timed);
    Points v = cloth.v, end = cloth.x + 0.01 * v;
    collisions.resolve(cloth.x, Points::Ones(v.rows(), 3), 0.01, v, end);
    ASSERT_EQ(collisions.phase_seconds().size(), CollisionPhases::kNames.size());
    for (const double seconds : collisions.phase_seconds()) EXPECT_EQ(seconds > 0.0, is_timed);
  }
}

// Times are sums over all substeps of a step, and measured on request only.
TEST(Collisions, AreTimedWithinForceCloth) {
  const SceneRegistry scenes = builtin_scenes();
  const SceneDescriptor& sheets = scenes.at("crossed_sheets");
  const Scene scene = sheets.build(Parameters(
      sheets.parameters, {{"start", std::string("apart")}, {"vertices_across", 9LL}, {"time_step_s", 0.02}}, "scene"));
  const Registry registry = builtin_registry();
  const MethodDescriptor& method = registry.at("force_cloth");
  const Parameters parameters(method.parameters, {{"collision_detection", std::string("both")}}, "force_cloth");
  const auto one = method.create(scene, parameters, {.threads = 1, .time_phases = true});
  const auto two = method.create(scene, parameters, {.threads = 2});
  bool has_met = false;
  for (int step = 0; step < 40; ++step) {
    ASSERT_EQ(one->step().outcome, StepOutcome::Advanced);
    two->step();
    ASSERT_EQ(one->state().positions, two->state().positions) << step;
    const auto& phases = facet_of<PhaseTimesFacet>(*one);
    ASSERT_EQ(phases.phase_names().size(), 5u);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_GT(phases.phase_seconds()[k], 0.0) << phases.phase_names()[k];
    for (const double seconds : facet_of<PhaseTimesFacet>(*two).phase_seconds()) EXPECT_EQ(seconds, 0.0);
    has_met |= facet_of<ContactFacet>(*one).step_contacts().with_itself > 0;
  }
  EXPECT_TRUE(has_met);
}

}  // namespace
}  // namespace deformbench::collision

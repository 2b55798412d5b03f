// SPDX-License-Identifier: BSD-3-Clause
// A cloth that is pulled apart: masses, facets, and what follows the torn mesh. PBD-29
#include <gtest/gtest.h>

#include "methods/facets.hpp"
#include "tests/pbd/pbd_fixture.hpp"

namespace deformbench::pbd {
namespace {

/// Both ends of a cloth drawn apart.
Scene pulled_cloth() {
  Scene scene;
  scene.name = "pulled_cloth";
  scene.cloth = square_cloth(9, 0.1, 0.3);
  scene.prescribed.resize(2);
  for (int r = 0; r < 9; ++r) {
    scene.prescribed[0].vertices.push_back(9 * r);
    scene.prescribed[1].vertices.push_back(9 * r + 8);
  }
  scene.prescribed[1].translation = {0.8, 0, 0.1};
  scene.prescribed[1].ramp = {0.0, 0.5};
  scene.vertex_sets["all"] = {};
  for (int i = 0; i < 81; ++i) scene.vertex_sets["all"].push_back(i);
  return scene;
}

const Settings tearing = {{"tear_stretch", 1.3}, {"stretch_stiffness", 0.5}};

/// Number of events of a kind in the last step.
std::size_t events_of(const Simulation& simulation, const std::string& kind) {
  std::size_t count = 0;
  for (const SimulationEvent& event : facet_of<EventsFacet>(simulation).step_events()) count += event.kind == kind;
  return count;
}

TEST(Tearing, KeepsTheMassAndAManifoldCloth) {
  const Scene scene = pulled_cloth();
  const double area_mass = lumped_masses(scene).sum();
  for (const char* id : {"pbd", "xpbd"}) {
    Settings settings = tearing;
    if (std::string(id) == "xpbd") settings.erase("stretch_stiffness");
    const auto simulation = make(id, scene, settings);
    const auto& topology = facet_of<TopologyFacet>(*simulation);
    std::size_t events = 0;
    for (int k = 0; k < 60; ++k) {
      const std::int64_t version = topology.topology_version();
      ASSERT_EQ(simulation->step().outcome, StepOutcome::Advanced);
      const std::size_t happened = events_of(*simulation, "cloth_tear");
      EXPECT_EQ(happened == 0, topology.topology_version() == version);
      events += happened;
      const StateView state = simulation->state();
      ASSERT_EQ(state.positions.rows(), topology.current_scene().vertex_count());
      EXPECT_NEAR(state.masses.sum(), area_mass, 1e-13 * area_mass);
      EXPECT_LT((state.masses - lumped_masses(topology.current_scene())).norm(), 1e-15);
      ASSERT_NO_THROW(check_scene(topology.current_scene()));
    }
    EXPECT_GT(events, 8u) << id;
    EXPECT_EQ(simulation->state().positions.rows(), 81 + Eigen::Index(events));
    const auto parents = topology.parents();
    ASSERT_EQ(Eigen::Index(parents.size()), simulation->state().positions.rows());
    for (std::size_t i = 0; i < parents.size(); ++i) {
      if (i < 81)
        EXPECT_EQ(parents[i], int(i));
      else
        EXPECT_LT(parents[i], 81);
    }
    EXPECT_EQ(topology.current_scene().vertex_sets.at("all").size(), parents.size());
  }
}

// It is the same material: with its mass shared, only an equal velocity keeps the momentum.
TEST(Tearing, GivesADuplicateThePlaceAndTheVelocityOfItsVertex) {
  const Scene scene = pulled_cloth();
  const auto simulation = make("pbd", scene, tearing);
  std::size_t torn = 0;
  double fastest = 0.0;
  for (int k = 0; k < 60; ++k) {
    const Eigen::Index before = simulation->state().positions.rows();
    simulation->step();
    const StateView state = simulation->state();
    for (Eigen::Index v = before; v < state.positions.rows(); ++v, ++torn) {
      bool has_twin = false;
      for (Eigen::Index other = 0; other < v; ++other)
        has_twin = has_twin || (Vector3(state.positions.row(other)) == Vector3(state.positions.row(v)) &&
                                Vector3(state.velocities.row(other)) == Vector3(state.velocities.row(v)));
      EXPECT_TRUE(has_twin) << k << ' ' << v;
      fastest = std::max(fastest, state.velocities.row(v).norm());
    }
  }
  EXPECT_GT(torn, 8u);
  EXPECT_GT(fastest, 0.01);
}

TEST(Tearing, LeavesNoEdgeFarAboveTheThreshold) {
  const Scene scene = pulled_cloth();
  const auto simulation = make("pbd", scene, tearing);
  for (int k = 0; k < 60; ++k) simulation->step();
  const Scene& torn = facet_of<TopologyFacet>(*simulation).current_scene();
  const PointsView x = simulation->state().positions;
  const auto stretch = [&](Eigen::Index t, int k) {
    const int a = torn.cloth.triangles(t, k), b = torn.cloth.triangles(t, (k + 1) % 3);
    return (x.row(a) - x.row(b)).norm() / (torn.cloth.rest_positions.row(a) - torn.cloth.rest_positions.row(b)).norm();
  };
  double most = 0.0;
  for (Eigen::Index t = 0; t < torn.cloth.triangle_count(); ++t)
    for (int k = 0; k < 3; ++k) most = std::max(most, stretch(t, k));
  EXPECT_LT(most, 1.5);
}

TEST(Tearing, HoldsHeldVertices) {
  const Scene scene = pulled_cloth();
  const auto simulation = make("pbd", scene, tearing);
  for (int k = 0; k < 60; ++k) simulation->step();
  for (const int v : scene.prescribed[0].vertices)
    EXPECT_EQ(Vector3(simulation->state().positions.row(v)), Vector3(scene.cloth.rest_positions.row(v)));
}

// Two held vertices of one triangle are drawn apart: its edges are stretched too far, and no vertex has two triangles.
Scene pulled_triangle() {
  Scene scene;
  scene.name = "one_triangle";
  scene.cloth.area_density = 1.0;
  scene.cloth.rest_positions.resize(3, 3);
  scene.cloth.rest_positions << 0, 0, 0, 1, 0, 0, 0.5, 0, 1;
  scene.cloth.triangles.resize(1, 3);
  scene.cloth.triangles << 0, 1, 2;
  scene.prescribed.resize(2);
  scene.prescribed[0].vertices = {0};
  scene.prescribed[1].vertices = {1};
  scene.prescribed[1].translation = {0.6, 0, 0};
  scene.prescribed[1].ramp = {0.0, 0.2};
  return scene;
}

TEST(Tearing, ReportsAnEdgeThatIsStretchedTooFarAndCannotTearOnceWhileItLasts) {
  const auto simulation = make("pbd", pulled_triangle(), tearing);
  std::size_t refused = 0, torn = 0;
  for (int k = 0; k < 30; ++k) {
    simulation->step();
    for (const SimulationEvent& event : facet_of<EventsFacet>(*simulation).step_events())
      refused +=
          event.kind == "cloth_tear_refused" && event.code == 0 && event.detail.find("0 to 1") != std::string::npos;
    torn += events_of(*simulation, "cloth_tear");
  }
  EXPECT_EQ(refused, 1u);
  EXPECT_EQ(torn, 0u);
}

// The threshold is a ratio of lengths: an edge is stretched too far in the first step that leaves it longer than that.
TEST(Tearing, IsTriedFromTheThresholdOn) {
  const Scene scene = pulled_triangle();
  const auto simulation = make("pbd", scene, tearing);
  const auto length = [&] {
    const PointsView x = simulation->state().positions;
    return (x.row(1) - x.row(0)).norm();
  };
  double before = length();
  for (int k = 0; k < 30; ++k) {
    simulation->step();
    if (events_of(*simulation, "cloth_tear_refused") > 0) break;
    before = length();
  }
  EXPECT_LE(before, 1.3);
  EXPECT_GT(length(), 1.3);
}

TEST(Tearing, InFourSubstepsIsThatOfFourSteps) {
  Scene scene = pulled_cloth();
  const auto steps = make("pbd", scene, tearing);
  scene.time_step *= 4;
  Settings settings = tearing;
  settings["substeps"] = 4LL;
  const auto substeps = make("pbd", scene, settings);
  for (int k = 0; k < 48; ++k) steps->step();
  for (int k = 0; k < 12; ++k) substeps->step();
  ASSERT_GT(steps->state().positions.rows(), 85);
  ASSERT_EQ(substeps->state().positions.rows(), steps->state().positions.rows());
  EXPECT_LT((substeps->state().positions - steps->state().positions).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(Tearing, IsOffWithoutAThreshold) {
  const auto simulation = make("pbd", pulled_cloth());
  EXPECT_EQ(find_facet<TopologyFacet>(*simulation), nullptr);
  EXPECT_EQ(find_facet<EventsFacet>(*simulation), nullptr);
}

TEST(Tearing, WithSelfCollisionAndBendingRunsOn) {
  Settings settings = tearing;
  settings["self_collision"] = true;
  settings["thickness_m"] = 0.01;
  settings["bend_stiffness"] = 0.5;
  const auto simulation = make("pbd", pulled_cloth(), settings);
  for (int k = 0; k < 100; ++k) ASSERT_EQ(simulation->step().outcome, StepOutcome::Advanced);
}

}  // namespace
}  // namespace deformbench::pbd

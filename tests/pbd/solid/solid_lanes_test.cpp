// SPDX-License-Identifier: BSD-3-Clause
// Tetrahedra in SIMD lanes, against the same corrections one by one.
#include <gtest/gtest.h>

#include "methods/model/structured.hpp"
#include "tests/pbd/pbd_fixture.hpp"

namespace deformbench::pbd {
namespace {

/// A block of `cells` cubes of 0.1 m with two materials, held at x = 0; every free vertex displaced by up to `shift` m.
Scene shaken_block(const std::array<int, 3>& cells, double shift, double time_step) {
  numerics::RandomStream random(17);
  Scene scene;
  scene.name = "block";
  scene.tet_mesh = model::make_block(cells, Vector3::Zero(), 0.1 * Vector3(cells[0], cells[1], cells[2]),
                                     model::BlockSplit::AlternatingFive);
  scene.materials = {model::Material{}, {3e5, 0.45, 500.0}};
  for (Eigen::Index e = 0; e < scene.tet_mesh.element_count(); ++e) scene.element_material.push_back(e % 3 == 0);
  scene.prescribed.resize(1);
  scene.prescribed[0].vertices = model::vertices_on_plane(scene.tet_mesh.rest_positions, 0, 0.0, 1e-9);
  scene.initial_positions = scene.tet_mesh.rest_positions + random_points(scene.vertex_count(), random, shift);
  for (const int v : scene.prescribed[0].vertices)
    scene.initial_positions.row(v) = scene.tet_mesh.rest_positions.row(v);
  scene.time_step = time_step;
  scene.gravity = {0, -9.81, 0};
  return scene;
}

/// Tetrahedra without common vertices, 0 to 3 corners of each held, deformed by random matrices: also turned inside
/// out, flat, or crushed to a point.
Scene deformed_tetrahedra(int count, double time_step) {
  numerics::RandomStream random(23);
  Scene scene;
  scene.name = "tetrahedra";
  scene.tet_mesh.rest_positions.resize(4 * count, 3);
  scene.tet_mesh.tetrahedra.resize(count, 4);
  scene.initial_positions.resize(4 * count, 3);
  scene.materials = {model::Material{}, {3e6, 0.49, 500.0}, {1e4, 0.0, 900.0}, {1e5, -0.4, 900.0}};
  scene.prescribed.resize(1);
  for (int t = 0; t < count; ++t) {
    Matrix3 edges = 0.1 * Matrix3::Identity() + 0.02 * random_points(3, random, 1.0), f = random_points(3, random, 1.5);
    if (t % 7 == 1) f.row(2) = f.row(1);
    if (t % 7 == 2) f.setZero();
    if (t % 7 == 3) f = Matrix3::Identity() + 0.01 * f;
    for (int a = 0; a < 4; ++a) {
      const int v = 4 * t + a;
      const Vector3 corner = a == 0 ? Vector3(Vector3::Zero()) : Vector3(edges.row(a - 1));
      scene.tet_mesh.tetrahedra(t, a) = v;
      scene.tet_mesh.rest_positions.row(v) = corner;
      scene.initial_positions.row(v) = f * corner;
      if (a < t % 4) scene.prescribed[0].vertices.push_back(v);
    }
    scene.element_material.push_back(t % 4);
  }
  for (const int v : scene.prescribed[0].vertices)
    scene.initial_positions.row(v) = scene.tet_mesh.rest_positions.row(v);
  scene.time_step = time_step;
  return scene;
}

Points after(const Scene& scene, Settings settings, const char* execution, int steps, int threads = 1) {
  settings["execution"] = std::string(execution);
  settings.insert({"substeps", 1LL});
  const auto simulation = make_pbd_simulation(scene, options_of("xpbd", settings), {1, threads, false});
  for (int k = 0; k < steps; ++k) EXPECT_NE(simulation->step().outcome, StepOutcome::Diverged);
  return simulation->state().positions;
}

TEST(SolidLanes, TakeTheStepsOfTheSameOrderOneByOne) {
  for (const char* solve : {"newton", "coupled", "one_by_one"})
    for (const char* order : {"forward", "symmetric", "coloured"})
      for (const bool is_warm : {false, true}) {
        if (is_warm && std::string(solve) != "newton") continue;
        const Scene scene = shaken_block({4, 3, 3}, 0.02,
                                         std::string(solve) == "newton" && !is_warm ? 0.01
                                         : is_warm                                  ? 0.003
                                                                                    : 0.001);
        const Settings settings{{"solid_solve", std::string(solve)},
                                {"order", std::string(order)},
                                {"iterations", 6LL},
                                {"warm_start", is_warm}};
        const Points lanes = after(scene, settings, "scheduled", 4), single = after(scene, settings, "sequential", 4);
        EXPECT_LT((lanes - single).cwiseAbs().maxCoeff(), 1e-11) << solve << ' ' << order << ' ' << is_warm;
        EXPECT_GT((lanes - scene.initial_positions).cwiseAbs().maxCoeff(), 1e-3);
        for (const int v : scene.prescribed[0].vertices)
          EXPECT_EQ(lanes.row(v), scene.tet_mesh.rest_positions.row(v)) << "held";
      }
}

TEST(SolidLanes, CorrectTurnedAndFlatTetrahedraAsOneByOne) {
  for (const char* solve : {"newton", "coupled", "one_by_one"})
    for (const double time_step : {1e-3, 1e-2, 1.0}) {
      const Scene scene = deformed_tetrahedra(420, time_step);
      for (const long long iterations : {1LL, 2LL, 3LL}) {
        const Settings settings{
            {"solid_solve", std::string(solve)}, {"order", std::string("forward")}, {"iterations", iterations}};
        const Points lanes = after(scene, settings, "scheduled", 1), single = after(scene, settings, "sequential", 1);
        // At Δt = 1 s elastic terms are 1e8 times those of inertia, and lose as many digits.
        const double size = single.cwiseAbs().maxCoeff(), bound = (time_step < 1.0 ? 1e-9 : 1e-6) * size;
        EXPECT_LT((lanes - single).cwiseAbs().maxCoeff(), bound) << solve << ' ' << time_step << ' ' << iterations;
      }
    }
}

TEST(SolidLanes, GiveTheSameBitsOnTwoThreads) {
  const Scene scene = shaken_block({16, 9, 9}, 0.01, 0.01);
  ASSERT_GE(scene.vertex_count(), 1200);
  for (const char* solve : {"newton", "coupled"}) {
    const Settings settings{
        {"solid_solve", std::string(solve)}, {"order", std::string("coloured")}, {"iterations", 5LL}};
    EXPECT_EQ(after(scene, settings, "scheduled", 2, 1), after(scene, settings, "scheduled", 2, 2)) << solve;
  }
}

}  // namespace
}  // namespace deformbench::pbd

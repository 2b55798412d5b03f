// SPDX-License-Identifier: BSD-3-Clause
// Same bits from run to run; what threads, precision and storage change.
#include <gtest/gtest.h>

#include "tests/fem/fem_fixture.hpp"

namespace deformbench::fem {
namespace {

Scene bar(int n) {
  Scene scene = block_scene({4 * n, n, n}, 1.0 / n);
  model::PrescribedMotion root;
  root.vertices = model::vertices_on_plane(scene.tet_mesh.rest_positions, 0, 0.0, 1e-9);
  scene.prescribed = {root};
  scene.gravity = {0, -9.81, 0};
  return scene;
}

Points positions_after(int steps, const std::string& id, const Scene& scene, const Settings& settings, int threads) {
  const auto simulation = make(id, scene, settings, threads);
  for (int k = 0; k < steps; ++k) simulation->step();
  return simulation->state().positions;
}

TEST(Determinism, TwoRunsGiveTheSameBitsWhateverTheThreads) {
  for (const char* id : {"linear_fem", "warped_fem", "vertex_warped_fem"})
    for (const int threads : {1, 2, 3})
      EXPECT_EQ(positions_after(10, id, bar(3), as_the_paper, threads),
                positions_after(10, id, bar(3), as_the_paper, threads));
}

TEST(Determinism, ThreadsChangeRoundingOnly) {
  for (const int n : {3, 12}) {  // both storages: 540 and 34,560 elements
    const Points one = positions_after(5, "warped_fem", bar(n), as_the_paper, 1);
    for (const int threads : {2, 3}) {
      const double difference =
          (positions_after(5, "warped_fem", bar(n), as_the_paper, threads) - one).cwiseAbs().maxCoeff();
      EXPECT_LT(difference, 1e-13 * 4.0) << n << " " << threads;
    }
  }
}

TEST(Precision, FloatStaysCloseToDouble) {
  for (const char* id : {"linear_fem", "warped_fem"}) {
    Settings single = as_the_paper;
    single["precision"] = std::string("float");
    const double difference =
        (positions_after(100, id, bar(3), single, 1) - positions_after(100, id, bar(3), as_the_paper, 1))
            .cwiseAbs()
            .maxCoeff();
    EXPECT_LT(difference, 2e-3) << id;  // 1e-7 of 4 m per step, a hundred steps, a soft bar that swings by 1 m
    EXPECT_GT(difference, 0.0) << id;
  }
}

TEST(Ordering, AShuffledMeshGivesTheSameMotion) {
  const Scene scene = bar(3);
  Scene shuffled = scene;
  numerics::RandomStream random(81);
  const int n = int(scene.tet_mesh.vertex_count());
  std::vector<int> place(std::size_t(n), 0);
  for (int i = 0; i < n; ++i) place[std::size_t(i)] = i;
  for (int i = n - 1; i > 0; --i) std::swap(place[std::size_t(i)], place[random.below(std::uint64_t(i) + 1)]);
  for (int i = 0; i < n; ++i)
    shuffled.tet_mesh.rest_positions.row(place[std::size_t(i)]) = scene.tet_mesh.rest_positions.row(i);
  for (Eigen::Index k = 0; k < scene.tet_mesh.tetrahedra.size(); ++k)
    shuffled.tet_mesh.tetrahedra.data()[k] = place[std::size_t(scene.tet_mesh.tetrahedra.data()[k])];
  for (int& v : shuffled.prescribed[0].vertices) v = place[std::size_t(v)];
  const Points expected = positions_after(20, "warped_fem", scene, as_the_paper, 1);
  const Points x = positions_after(20, "warped_fem", shuffled, as_the_paper, 1);
  for (int i = 0; i < n; ++i) EXPECT_LT((x.row(place[std::size_t(i)]) - expected.row(i)).norm(), 1e-11);
}

}  // namespace
}  // namespace deformbench::fem

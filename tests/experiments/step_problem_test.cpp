// SPDX-License-Identifier: BSD-3-Clause
// What the starts and numbers of the scene step_problem mean.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <map>
#include <set>

#include "methods/model/hexahedra.hpp"
#include "methods/model/subdivision.hpp"
#include "tests/experiments/probe_measure.hpp"

namespace deformbench::tests {
namespace {

using Values = std::map<std::string, ParameterValue>;

Scene problem(Values values) {
  return built("step_problem", values);
}

/// Median by sorting all edges, each as often as elements have it once.
double median_edge(const model::TetMesh& mesh) {
  std::set<std::pair<int, int>> edges;
  for (Eigen::Index e = 0; e < mesh.element_count(); ++e)
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < 4; ++b)
        if (mesh.tetrahedra(e, a) < mesh.tetrahedra(e, b)) edges.insert({mesh.tetrahedra(e, a), mesh.tetrahedra(e, b)});
  std::vector<double> lengths;
  for (const auto& [a, b] : edges) lengths.push_back((mesh.rest_positions.row(a) - mesh.rest_positions.row(b)).norm());
  std::sort(lengths.begin(), lengths.end());
  return lengths[lengths.size() / 2];
}

TEST(StepProblem, OmegaAndThetaGiveYoungsModulus) {
  const Scene by_edge = problem({{"omega", 100.0}, {"time_step_s", 0.02}, {"density_kg_m3", 500.0}});
  const double h = median_edge(by_edge.tet_mesh);
  EXPECT_NEAR(by_edge.materials[0].young_modulus * 0.02 * 0.02 / (500.0 * h * h), 100.0, 1e-9);
  const Scene by_length = problem({{"theta", 3.0}, {"jitter", 0.0}});
  EXPECT_NEAR(by_length.materials[0].young_modulus * 0.01 * 0.01 / (1000.0 * 0.4 * 0.4), 3.0, 1e-9);
}

class StepProblemFamily : public testing::TestWithParam<std::string> {};

TEST_P(StepProblemFamily, AnotherSeedMovesAndRenumbersTheSameBody) {
  const Scene one = problem({{"family", GetParam()}, {"seed", 1LL}});
  const Scene two = problem({{"family", GetParam()}, {"seed", 2LL}});
  ASSERT_EQ(one.tet_mesh.tetrahedra.rows(), two.tet_mesh.tetrahedra.rows());
  EXPECT_NE(one.tet_mesh.tetrahedra, two.tet_mesh.tetrahedra);
  EXPECT_GT((one.tet_mesh.rest_positions - two.tet_mesh.rest_positions).norm(), 1e-3);
  EXPECT_EQ(one.vertex_sets.at("root").size(), two.vertex_sets.at("root").size());
  EXPECT_NE(one.vertex_sets.at("root"), two.vertex_sets.at("root"));
  const std::vector<int>& root = one.vertex_sets.at("root");
  const auto x = one.tet_mesh.rest_positions.col(0);
  EXPECT_LT(x(root).maxCoeff(), x.minCoeff() + 0.2 * (x.maxCoeff() - x.minCoeff()));
}

TEST_P(StepProblemFamily, StartsAtRestAndHoldsWhatItSays) {
  const Scene scene = problem({{"family", GetParam()}, {"start", "stretched"}, {"amount", 1.5}, {"held", "both"}});
  EXPECT_EQ(scene.start_velocities().norm(), 0.0);
  Points placed = scene.initial_positions;
  place_prescribed(scene, 0.01, placed);
  EXPECT_EQ(placed, scene.initial_positions);
  const auto held = prescribed_components(scene);
  EXPECT_EQ(std::size_t(std::count(held.begin(), held.end(), std::array<bool, 3>{true, true, true})),
            scene.vertex_sets.at("root").size() + scene.vertex_sets.at("tip").size());
}

TEST_P(StepProblemFamily, WithItsTipMovedIsAtRestElsewhereAndVerticesBetweenOthersStayBetweenThem) {
  for (const long long subdivisions : {0LL, 1LL}) {
    if (subdivisions == 1 && GetParam().starts_with("hexahedral")) continue;
    const Scene scene = problem({{"family", GetParam()},
                                 {"start", "tip_moved"},
                                 {"amount", 4.0},
                                 {"held", "both"},
                                 {"subdivisions", subdivisions}});
    const Points& rest = scene.tet_mesh.rest_positions;
    const Points moved = scene.initial_positions - rest;
    EXPECT_EQ(moved.rightCols(2).norm(), 0.0);
    for (const int v : scene.vertex_sets.at("root")) EXPECT_EQ(moved(v, 0), 0.0);
    const double way = moved.col(0).maxCoeff();
    EXPECT_NEAR(way, 3.0 * (rest.col(0).maxCoeff() - rest.col(0).minCoeff()), 0.3 * way);  // the ends are jittered
    for (Eigen::Index v = 0; v < rest.rows(); ++v) {
      const double share = moved(v, 0) / way;  // 0, ½ or 1
      EXPECT_NEAR(share, 0.5 * std::round(2.0 * share), 1e-12);
    }
    EXPECT_EQ((moved.col(0).array() == 0.5 * way).any(), subdivisions == 1);
    if (subdivisions == 1) {
      EXPECT_NO_THROW(model::quadratic_tetrahedra({scene.initial_positions, scene.tet_mesh.tetrahedra}));
    }
  }
}

TEST_P(StepProblemFamily, FreeVerticesShareNoElementWhereAllButIndependentOnesAreHeld) {
  const Scene scene = problem({{"family", GetParam()}, {"held", "all_but_independent"}});
  const auto held = prescribed_components(scene);
  EXPECT_GE(std::count(held.begin(), held.end(), std::array<bool, 3>{false, false, false}), 3);
  for (Eigen::Index e = 0; e < scene.tet_mesh.element_count(); ++e) {
    int free = 0;
    for (const int v : scene.tet_mesh.tetrahedra.row(e)) free += !held[std::size_t(v)][0];
    EXPECT_LE(free, 1);
  }
}

TEST_P(StepProblemFamily, SubdividedIsTheSameBodyInQuadraticElements) {
  const Scene coarse = problem({{"family", GetParam()}, {"held", "both"}});
  const Scene fine = problem({{"family", GetParam()}, {"held", "both"}, {"subdivisions", 1LL}});
  EXPECT_EQ(model::quadratic_tetrahedra(fine.tet_mesh).rows(), coarse.tet_mesh.element_count());
  EXPECT_EQ(fine.tet_mesh.rest_positions.topRows(coarse.vertex_count()), coarse.tet_mesh.rest_positions);
  EXPECT_GT(fine.vertex_sets.at("root").size(), coarse.vertex_sets.at("root").size());
}

INSTANTIATE_TEST_SUITE_P(Families, StepProblemFamily,
                         testing::Values("kuhn", "body_centred", "graded", "animal", "hexahedral", "hexahedral_graded"),
                         [](const auto& family) { return family.param; });

TEST(StepProblem, HexahedraAreFoundAgainWhateverTheSeed) {
  for (const char* family : {"hexahedral", "hexahedral_graded"}) {
    for (long long seed = 1; seed <= 10; ++seed) {
      const Scene scene = problem({{"family", std::string(family)}, {"cells_across", 4LL}, {"seed", seed}});
      EXPECT_EQ(model::hexahedra(scene.tet_mesh).rows(), 4 * 4 * 4 * 4) << family << ' ' << seed;
    }
  }
}

TEST(StepProblem, FlatLineAndPointLoseTheirDimensions) {
  for (const auto& [start, dimensions] : std::map<std::string, int>{{"flat", 2}, {"line", 1}, {"point", 0}}) {
    const Scene scene = problem({{"start", start}, {"start_noise", 0.0}, {"held", "none"}});
    const Points centred = scene.initial_positions.rowwise() - scene.initial_positions.row(0);
    EXPECT_EQ(Eigen::FullPivLU<Eigen::MatrixXd>(centred).setThreshold(1e-12).rank(), dimensions) << start;
  }
}

TEST(StepProblem, ContrastStiffensTheFarHalf) {
  const Scene scene = problem({{"contrast", 1000.0}});
  ASSERT_EQ(scene.materials.size(), 2U);
  EXPECT_NEAR(scene.materials[1].young_modulus / scene.materials[0].young_modulus, 1000.0, 1e-9);
  const auto& rest = scene.tet_mesh.rest_positions;
  const double middle = (rest.col(0).minCoeff() + rest.col(0).maxCoeff()) / 2;
  for (Eigen::Index e = 0; e < scene.tet_mesh.element_count(); ++e) {
    double x = 0.0;
    for (Eigen::Index k = 0; k < 4; ++k) x += rest(scene.tet_mesh.tetrahedra(e, k), 0) / 4;
    EXPECT_EQ(scene.element_material[std::size_t(e)], int(x > middle));
  }
}

}  // namespace
}  // namespace deformbench::tests

// SPDX-License-Identifier: BSD-3-Clause
#include "methods/cloth/elements/springs.hpp"

#include <gtest/gtest.h>

namespace deformbench::cloth {
namespace {

TEST(Springs, ForcesAreTheGradientOfTheEnergy) {
  for (const Spring& spring : {Spring{{0, 1}, 0.7, 120.0}, Spring{{0, 1}, 1.4, 30.0}}) {
    Corners<2> x;
    x << 0.1, 0.9, 0.2, -0.2, 0.3, 0.5;
    const CornerVector<2> force = spring.force(x);
    for (Eigen::Index i = 0; i < x.size(); ++i) {
      Corners<2> ahead = x, behind = x;
      ahead.data()[i] += 1e-6;
      behind.data()[i] -= 1e-6;
      EXPECT_NEAR(force[i], -(spring.energy(ahead) - spring.energy(behind)) / 2e-6, 1e-7);
    }
  }
}

TEST(Springs, AreOnePerEdgeAndOnePerDistanceConstraint) {
  Scene scene;
  scene.cloth.rest_positions.resize(4, 3);
  scene.cloth.rest_positions << 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0;
  scene.cloth.triangles.resize(2, 3);
  scene.cloth.triangles << 0, 1, 2, 1, 3, 2;
  model::PositionConstraint across;
  across.vertices = {0, 3, -1, -1};
  across.rest_value = 2.0;
  across.compliance = 0.25;
  scene.constraints.push_back(across);
  const std::vector<Spring> springs = springs_of(scene, 50.0);
  ASSERT_EQ(springs.size(), 6u);
  for (int s = 0; s < 5; ++s) EXPECT_EQ(springs[std::size_t(s)].stiffness, 50.0);
  EXPECT_EQ(springs.back().stiffness, 4.0);
  EXPECT_EQ(springs.back().rest_length, 2.0);
}

}  // namespace
}  // namespace deformbench::cloth

// SPDX-License-Identifier: BSD-3-Clause
// Prescribed components of a scene and where they are at a time.
#include "methods/model/scene.hpp"
#include "tests/model/model_test_helpers.hpp"

namespace deformbench::model {
namespace {

using testing::ElementsAre;

/// Four particles at (v, 0, 0): 0 and 1 move by (1, 2, 3), 1 and 2 by 7 along y alone, 3 is free.
Scene two_motions() {
  Scene scene;
  scene.particles.rest_positions = Points::Zero(4, 3);
  for (int v = 0; v < 4; ++v) scene.particles.rest_positions(v, 0) = v;
  scene.particles.masses = Eigen::VectorXd::Ones(4);
  PrescribedMotion whole, along_y;
  whole.vertices = {0, 1};
  whole.translation = {1, 2, 3};
  whole.ramp.end = 2.0;
  along_y.vertices = {1, 2};
  along_y.translation = {100, 7, 100};
  along_y.ramp.end = 2.0;
  along_y.components = {false, true, false};
  scene.prescribed = {whole, along_y};
  return scene;
}

TEST(PrescribedVertices, ComponentsAreThoseOfAnyMotion) {
  EXPECT_THAT(prescribed_components(two_motions()),
              ElementsAre(ElementsAre(true, true, true), ElementsAre(true, true, true), ElementsAre(false, true, false),
                          ElementsAre(false, false, false)));
}

TEST(PrescribedVertices, TheLaterMotionOfAComponentCountsAndLeavesTheOthers) {
  Points positions = Points::Constant(4, 3, -5.0), expected(4, 3);
  place_prescribed(two_motions(), 1.0, positions);  // half of the ramps
  expected << 0.5, 1.0, 1.5, 1.5, 3.5, 1.5, -5.0, 3.5, -5.0, -5.0, -5.0, -5.0;
  EXPECT_EQ(positions, expected);
}

}  // namespace
}  // namespace deformbench::model

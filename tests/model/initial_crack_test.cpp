// SPDX-License-Identifier: BSD-3-Clause
// check_scene refuses cracks with a fault, each in one line that names it.
#include <functional>
#include <limits>

#include "methods/model/scene.hpp"
#include "tests/model/model_test_helpers.hpp"

namespace deformbench::model {
namespace {

using ::testing::HasSubstr;

/// Two triangles across a tetrahedron, with a front of two edges that may advance.
Scene cracked() {
  Scene scene;
  scene.name = "cracked";
  scene.tet_mesh = unit_tetrahedron();
  scene.materials = {Material{}};
  InitialCrack crack;
  crack.surface.positions.resize(4, 3);
  crack.surface.positions << 0, 0, 0.1, 1, 0, 0.1, 1, 1, 0.1, 0, 1, 0.1;
  crack.surface.triangles.resize(2, 3);
  crack.surface.triangles << 0, 1, 2, 0, 2, 3;
  crack.fronts = {{1, 2, 3}};
  crack.ramp.end = 1.0;
  scene.cracks = {crack};
  return scene;
}

TEST(InitialCracks, AreRefusedInOneLineThatSaysWhatIsWrong) {
  struct Fault {
    std::function<void(InitialCrack&)> make;
    std::string words;
  };
  const Fault faults[] = {
      {[](InitialCrack& c) { c.surface.triangles.resize(0, 3); }, "crack 0: it has no triangles"},
      {[](InitialCrack& c) { c.surface.positions(2, 1) = std::numeric_limits<double>::infinity(); },
       "crack 0: vertex 2 is not finite"},
      {[](InitialCrack& c) { c.surface.triangles(1, 2) = 4; }, "crack 0: triangle 1 has vertex 4, expected 0 … 3"},
      {[](InitialCrack& c) { c.surface.positions.row(3) = c.surface.positions.row(2); },
       "crack 0: triangle 1 has no area"},
      {[](InitialCrack& c) { c.surface.triangles.row(1) << 0, 1, 3; },
       "crack 0: edge (0, 1) runs the same way in triangles 0 and 1, expected a manifold"},
      {[](InitialCrack& c) { c.fronts.push_back({1}); }, "crack 0: front 1 has 1 vertices, expected at least 2"},
      {[](InitialCrack& c) { c.fronts[0][1] = 9; }, "crack 0: front 0 has vertex 9, expected 0 … 3"},
      {[](InitialCrack& c) {
         c.fronts = {{0, 2}};
       },
       "crack 0: front 0 goes from vertex 0 to 2, expected an edge of one triangle"},
      {[](InitialCrack& c) {
         c.fronts = {{0, 1, 2, 3, 0, 1}};
       },
       "crack 0: front 0 comes to vertex 0 twice"},
      {[](InitialCrack& c) {
         c.fronts = {{0, 1, 2, 3, 0}};
         c.advance = Vector3::UnitZ();
       },
       "crack 0: front 0 is closed and advances, expected an open one"},
      {[](InitialCrack& c) { c.advance.x() = std::numeric_limits<double>::quiet_NaN(); },
       "crack 0 has advance (nan, 0, 0) m"},
      {[](InitialCrack& c) { c.ramp.until = 2.0; }, "crack 0 goes back or ends"},
      {[](InitialCrack& c) {
         c.ramp = {.end = 2.0, .table = {{0.0, 0.0}, {1.0, 1.0}, {2.0, 0.5}}};
       },
       "crack 0 goes back or ends, expected a ramp of values ≥ 0 that never falls"},
      {[](InitialCrack& c) {
         c.ramp = {.end = 1.0, .table = {{0.0, -1.0}, {1.0, 1.0}}};
       },
       "crack 0 goes back"},
  };
  ASSERT_EQ(input_error_of([] { check_scene(cracked()); }), "");
  for (const Fault& fault : faults) {
    Scene scene = cracked();
    fault.make(scene.cracks[0]);
    const std::string line = input_error_of([&] { check_scene(scene); });
    EXPECT_THAT(line, HasSubstr("scene 'cracked': " + fault.words));
    EXPECT_EQ(line.find('\n'), std::string::npos);
  }
  Scene closed = cracked();
  closed.cracks[0].fronts = {{0, 1, 2, 3, 0}};
  EXPECT_EQ(input_error_of([&] { check_scene(closed); }), "");
}

TEST(InitialCracks, NeedASolid) {
  Scene scene = cracked();
  scene.tet_mesh = {};
  scene.materials = {};
  scene.particles.rest_positions = Points::Zero(1, 3);
  scene.particles.masses = Eigen::VectorXd::Ones(1);
  EXPECT_THAT(
      input_error_of([&] { check_scene(scene); }),
      HasSubstr("scene 'cracked': a crack and no tetrahedra or nodes of a solid, expected a body that it cuts"));
  scene.materials = {Material{}};
  scene.particles.supports = Eigen::VectorXd::Ones(1);
  EXPECT_EQ(input_error_of([&] { check_scene(scene); }), "");
}

}  // namespace
}  // namespace deformbench::model

// SPDX-License-Identifier: BSD-3-Clause
// Masses at the vertices: equal parts of the triangles or tetrahedra around them. [MHHR07] §4.1, [CS6967] §1.4
#include "methods/model/scene.hpp"
#include "tests/model/model_test_helpers.hpp"

namespace deformbench::model {
namespace {

TEST(LumpedMasses, OfAClothAreThirdsOfItsTriangles) {
  Scene scene;
  scene.cloth.area_density = 0.3;
  scene.cloth.rest_positions.resize(4, 3);
  scene.cloth.rest_positions << 0, 0, 0, 2, 0, 0, 0, 1, 0, 3, 4, 0;
  scene.cloth.triangles.resize(2, 3);
  scene.cloth.triangles << 0, 1, 2, 1, 3, 2;
  // Areas 1 m² and 4.5 m²: 0.1 kg and 0.45 kg to each corner.
  const Eigen::VectorXd masses = lumped_masses(scene);
  ASSERT_EQ(masses.size(), 4);
  EXPECT_NEAR(masses[0], 0.1, 1e-15);
  EXPECT_NEAR(masses[1], 0.55, 1e-15);
  EXPECT_NEAR(masses[2], 0.55, 1e-15);
  EXPECT_NEAR(masses[3], 0.45, 1e-15);
}

TEST(LumpedMasses, OfASolidAreQuartersOfItsTetrahedra) {
  Scene scene;
  scene.tet_mesh.rest_positions.resize(4, 3);
  scene.tet_mesh.rest_positions << 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1;
  scene.tet_mesh.tetrahedra.resize(1, 4);
  scene.tet_mesh.tetrahedra << 0, 1, 2, 3;
  Material material;
  material.density = 1200.0;
  scene.materials = {material};
  const Eigen::VectorXd masses = lumped_masses(scene);  // 200 kg
  ASSERT_EQ(masses.size(), 4);
  for (const double mass : masses) EXPECT_NEAR(mass, 50.0, 1e-12);
}

TEST(LumpedMasses, OfElementsThatShareAFaceAddUpByTheirOwnDensities) {
  Scene scene;
  scene.tet_mesh.rest_positions.resize(5, 3);
  scene.tet_mesh.rest_positions << 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, -3;
  scene.tet_mesh.tetrahedra.resize(2, 4);
  scene.tet_mesh.tetrahedra << 0, 1, 2, 3, 0, 2, 1, 4;
  Material light, heavy;
  light.density = 1200.0;  // 200 kg
  heavy.density = 2400.0;  // 1200 kg
  scene.materials = {light, heavy};
  scene.element_material = {0, 1};
  const Eigen::VectorXd masses = lumped_masses(scene);
  ASSERT_EQ(masses.size(), 5);
  for (const int shared : {0, 1, 2}) EXPECT_NEAR(masses[shared], 350.0, 1e-12);
  EXPECT_NEAR(masses[3], 50.0, 1e-12);
  EXPECT_NEAR(masses[4], 300.0, 1e-12);
}

}  // namespace
}  // namespace deformbench::model

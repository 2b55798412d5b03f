// SPDX-License-Identifier: BSD-3-Clause
// The scenes of the assignment [CS6967]: irregular blocks, single tetrahedra, meshes given as text.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "experiments/harness/run/poses.hpp"
#include "methods/model/boundary_surface.hpp"
#include "methods/model/error.hpp"
#include "tests/experiments/probe_measure.hpp"

namespace deformbench::tests {
namespace {

TEST(GradedBlockScene, FillsItsBoxWithSmallAndLargeElementsOfTwoDensities) {
  const Scene scene = built("graded_block", {{"cells_across", 10LL}, {"density_ratio", 3.0}});
  const model::TetMesh& mesh = scene.tet_mesh;
  EXPECT_EQ(mesh.element_count(), 5000);
  EXPECT_NEAR(model::total_volume(mesh, mesh.rest_positions), 1.0, 1e-12);
  double least = 1.0, most = 0.0;
  for (Eigen::Index e = 0; e < mesh.element_count(); ++e) {
    const double volume = model::tetrahedron_volume(mesh, mesh.rest_positions, e);
    least = std::min(least, volume), most = std::max(most, volume);
  }
  EXPECT_GT(least, 0.0);
  EXPECT_GT(most / least, 100.0);
  const auto dense = std::count(scene.element_material.begin(), scene.element_material.end(), 1);
  EXPECT_NEAR(double(dense), 2500.0, 150.0);
  EXPECT_EQ(scene.materials.at(1).density, 3000.0);
}

TEST(GradedBlockScene, KeepsItsFacesWhenItIsRenumbered) {
  const Scene scene = built("graded_block");
  for (const auto& [name, x] : std::map<std::string, double>{{"root", 0.0}, {"tip", 1.0}}) {
    EXPECT_EQ(scene.vertex_sets.at(name).size(), 25u) << name;
    for (const int v : scene.vertex_sets.at(name)) EXPECT_NEAR(scene.tet_mesh.rest_positions(v, 0), x, 1e-12) << name;
  }
  EXPECT_EQ(model::face_connected_parts(scene.tet_mesh.tetrahedra), 1);
  // In random order: in the block's own one, neighbours in the list are neighbours in space.
  const auto& rest = scene.tet_mesh.rest_positions;
  double steps = 0.0;
  for (Eigen::Index v = 1; v < rest.rows(); ++v) steps += (rest.row(v) - rest.row(v - 1)).norm();
  EXPECT_GT(steps / double(rest.rows() - 1), 0.4);
}

TEST(TetrahedronSamplesScene, HasTetrahedraOfEveryConditionThatShareNoVertex) {
  const Scene scene = built("tetrahedron_samples", {{"count", 500LL}, {"largest_condition", 1e4}});
  const model::TetMesh& mesh = scene.tet_mesh;
  std::set<int> used(mesh.tetrahedra.data(), mesh.tetrahedra.data() + mesh.tetrahedra.size());
  EXPECT_EQ(used.size(), 2000u);
  double least = 1e9, most = 0.0;
  for (Eigen::Index e = 0; e < mesh.element_count(); ++e) {
    Matrix3 edges;
    for (int k = 0; k < 3; ++k)
      edges.col(k) =
          mesh.rest_positions.row(mesh.tetrahedra(e, k + 1)) - mesh.rest_positions.row(mesh.tetrahedra(e, 0));
    EXPECT_GT(edges.determinant(), 0.0) << e;
    const Vector3 singular = edges.jacobiSvd().singularValues();
    least = std::min(least, singular[0] / singular[2]), most = std::max(most, singular[0] / singular[2]);
  }
  EXPECT_LT(least, 2.0);
  EXPECT_GT(most, 5e3);
}

TEST(RandomTurnsPose, TurnsEveryTetrahedronByItselfAboutItsCentre) {
  const Scene scene = built("tetrahedron_samples");
  const harness::PoseSequence poses({{"field", "random_turns"}, {"parameters", {{"deviation", 0.0}}}, {"values", {3}}});
  const Points turned = poses.positions(scene, 0, 1), &rest = scene.tet_mesh.rest_positions;
  const auto rotation = [&](Eigen::Index e) {
    Matrix3 before, after;
    for (int k = 0; k < 3; ++k) {
      before.col(k) = rest.row(4 * e + k + 1) - rest.row(4 * e);
      after.col(k) = turned.row(4 * e + k + 1) - turned.row(4 * e);
    }
    return Matrix3(after * before.inverse());
  };
  for (Eigen::Index e = 0; e < scene.tet_mesh.element_count(); ++e) {
    EXPECT_LT((turned.middleRows(4 * e, 4).colwise().mean() - rest.middleRows(4 * e, 4).colwise().mean()).norm(),
              1e-14);
    EXPECT_LT((rotation(e).transpose() * rotation(e) - Matrix3::Identity()).norm(), 1e-12);
    EXPECT_GT(rotation(e).determinant(), 0.0);
  }
  EXPECT_GT((rotation(0) - rotation(1)).norm(), 0.1);
  EXPECT_THROW(poses.positions(built("bar"), 0, 1), InputError);
}

TEST(MeshTextScene, ReadsTheTextAndTheSameMeshThroughEveryFormatThatIsWritten) {
  const std::string text = "t 0 1 3 2\nv 0 0 0\nv 0.1 0 0\nv 0 0.3 0\nv 0 0 1e-3\n";
  const Scene plain = built("mesh_text", {{"text", text}});
  EXPECT_EQ(plain.tet_mesh.rest_positions(2, 1), 0.3);
  EXPECT_GT(model::tetrahedron_volume(plain.tet_mesh, plain.tet_mesh.rest_positions, 0), 0.0);
  for (const char* format : {"assignment", "medit"}) {
    const Scene again = built("mesh_text", {{"text", text}, {"through", std::string(format)}});
    EXPECT_EQ(again.tet_mesh.rest_positions, plain.tet_mesh.rest_positions) << format;
    EXPECT_EQ(again.tet_mesh.tetrahedra, plain.tet_mesh.tetrahedra) << format;
  }
}

TEST(MeshTextScene, RefusesABadLineByItsNumber) {
  try {
    built("mesh_text", {{"text", std::string("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nt 0 1 2 4\n")}});
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("text:5: "));
  }
}

TEST(StretchedBarScene, OnRollersIsHeldAlongItsAxisAlone) {
  const Scene scene = built("stretched_bar", {{"faces", std::string("rollers")}, {"stretch", 1.1}});
  ASSERT_EQ(scene.prescribed.size(), 2u);
  for (const auto& motion : scene.prescribed) EXPECT_EQ(motion.components, (std::array<bool, 3>{true, false, false}));
  EXPECT_TRUE(built("stretched_bar").prescribed.at(0).is_whole());
}

TEST(TwistedBarScene, FreeAxiallyHoldsOneVertexAlongTheAxis) {
  const Scene scene = built("twisted_bar", {{"free_axially", true}, {"cells_across", 2LL}});
  ASSERT_EQ(scene.prescribed.size(), 3u);
  for (int face : {0, 1}) {
    EXPECT_EQ(scene.prescribed.at(face).vertices.size(), 9u);
    EXPECT_EQ(scene.prescribed.at(face).components, (std::array<bool, 3>{false, true, true}));
  }
  const auto& held = scene.prescribed.at(2);
  EXPECT_EQ(held.components, (std::array<bool, 3>{true, false, false}));
  ASSERT_EQ(held.vertices.size(), 1u);
  EXPECT_EQ(scene.rest_positions().row(held.vertices[0]).transpose(), Vector3::Zero());
  EXPECT_TRUE(built("twisted_bar", {{"free_axially", true}, {"held", std::string("none")}}).prescribed.empty());
  for (const auto& motion : built("twisted_bar").prescribed) EXPECT_TRUE(motion.is_whole());
}

}  // namespace
}  // namespace deformbench::tests

// SPDX-License-Identifier: BSD-3-Clause
// Shape functions of moving least squares: what they reproduce, and where they do not exist. [PKAGDG05] eq. 1
#include "methods/meshless/nodes/shape_functions.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/meshless/cloud_fixture.hpp"

namespace deformbench::meshless {
namespace {

NodeCloud cloud_of(const Scene& scene) {
  return make_node_cloud(scene, {.masses = NodeMasses::AsPrinted});
}

TEST(ShapeFunctions, ReproduceConstantsAndCoordinatesInsideAndOnTheBoundary) {
  const NodeCloud cloud = cloud_of(jittered_block(4));
  const ShapeFunctions shapes(cloud);
  const Points samples = sample_points({Vector3::Constant(0.05), Vector3::Constant(0.95)}, 300, 4);
  for (Eigen::Index k = 0; k < samples.rows(); ++k) {
    const Vector3 x = samples.row(k);
    const ShapeValues at = shapes.at(x);
    ASSERT_EQ(at.rank, 4);
    double sum = 0.0;
    Vector3 place = Vector3::Zero();
    for (std::size_t n = 0; n < at.nodes.size(); ++n) {
      EXPECT_LT((Vector3(cloud.rest.row(at.nodes[n])) - x).norm(), cloud.supports[std::size_t(at.nodes[n])]);
      sum += at.values[n];
      place += at.values[n] * Vector3(cloud.rest.row(at.nodes[n]));
    }
    EXPECT_NEAR(sum, 1.0, 1e-14 * at.condition);
    EXPECT_LT((place - x).norm(), 1e-14 * at.condition);
  }
}

TEST(ShapeFunctions, NoNodeInReachIsMissing) {
  const NodeCloud cloud = cloud_of(jittered_block(3));
  const ShapeFunctions shapes(cloud);
  const Vector3 x(0.4, 0.3, 0.7);
  std::vector<int> expected;
  for (int i = 0; i < int(cloud.size()); ++i)
    if ((Vector3(cloud.rest.row(i)) - x).norm() < cloud.supports[std::size_t(i)]) expected.push_back(i);
  EXPECT_EQ(shapes.at(x).nodes, expected);
}

TEST(ShapeFunctions, FourNodesInterpolateTheirOwnValues) {
  Scene scene = jittered_block(1, 0.0);
  scene.tet_mesh.rest_positions = scene.tet_mesh.rest_positions.topRows(4).eval();
  scene.tet_mesh.rest_positions << 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1;
  scene.tet_mesh.tetrahedra = Tetrahedra(1, 4);
  scene.tet_mesh.tetrahedra << 0, 1, 2, 3;
  const NodeCloud cloud = cloud_of(scene);
  const ShapeFunctions shapes(cloud);
  for (int i = 0; i < 4; ++i) {
    const ShapeValues at = shapes.at(cloud.rest.row(i));
    ASSERT_EQ(at.nodes.size(), 4u);
    for (std::size_t n = 0; n < 4; ++n) EXPECT_NEAR(at.values[n], at.nodes[n] == i ? 1.0 : 0.0, 1e-13);
  }
}

TEST(ShapeFunctions, NodesInAPlaneLackADirection) {
  const NodeCloud cloud = cloud_of(flat_block(3));
  const ShapeFunctions shapes(cloud);
  const ShapeValues in_it = shapes.at({0.5, 0.4, 0.0});
  EXPECT_EQ(in_it.rank, 3);
  EXPECT_EQ(in_it.condition, std::numeric_limits<double>::infinity());
  double sum = 0.0;
  for (const double value : in_it.values) sum += value;
  EXPECT_NEAR(sum, 1.0, 1e-12);
  const ShapeValues nowhere = shapes.at({5.0, 5.0, 5.0});
  EXPECT_EQ(nowhere.rank, 0);
  EXPECT_TRUE(nowhere.values.empty());
}

TEST(ShapeFunctions, SamplesFillTheBoxAndItsFaces) {
  const numerics::Box box{Vector3(0, -1, 2), Vector3(1, 1, 5)};
  const Points samples = sample_points(box, 600, 9);
  int on_faces = 0;
  for (Eigen::Index k = 0; k < samples.rows(); ++k) {
    const Vector3 x = samples.row(k);
    ASSERT_TRUE((x.array() >= box.low.array()).all() && (x.array() <= box.high.array()).all());
    on_faces += (x.array() == box.low.array()).any() || (x.array() == box.high.array()).any();
  }
  EXPECT_EQ(on_faces, 200);
  EXPECT_EQ(samples, sample_points(box, 600, 9));
  EXPECT_NE(samples, sample_points(box, 600, 10));
}

}  // namespace
}  // namespace deformbench::meshless

// SPDX-License-Identifier: BSD-3-Clause
#include "methods/model/subdivision.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "methods/model/boundary_surface.hpp"
#include "methods/model/error.hpp"
#include "methods/model/mesh_checks.hpp"
#include "tests/model/model_test_helpers.hpp"

namespace deformbench::model {
namespace {

TetMesh distorted() {
  return jitter(make_block({3, 2, 2}, {0, 0, 0}, {3, 2, 2}, BlockSplit::BodyCentred), {.fraction = 0.3, .seed = 4});
}

TEST(Subdivision, CutsEveryTetrahedronIntoEightOfEqualVolume) {
  const TetMesh coarse = distorted(), fine = subdivide(coarse);
  ASSERT_EQ(fine.element_count(), 8 * coarse.element_count());
  EXPECT_EQ(fine.rest_positions.topRows(coarse.vertex_count()), coarse.rest_positions);
  for (Eigen::Index e = 0; e < fine.element_count(); ++e) {
    const double whole = tetrahedron_volume(coarse, coarse.rest_positions, e / 8);
    EXPECT_NEAR(tetrahedron_volume(fine, fine.rest_positions, e), whole / 8, 1e-12) << e;
  }
  EXPECT_THAT(find_problems(fine), ::testing::IsEmpty());
  EXPECT_EQ(boundary_surface(fine).surface.triangles.rows(), 4 * boundary_surface(coarse).surface.triangles.rows());
}

TEST(Subdivision, CutsTheOctahedronAlongItsShortestDiagonal) {
  for (int longest = 0; longest < 3; ++longest) {
    TetMesh one;
    one.rest_positions.resize(4, 3);
    one.rest_positions << 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1;
    // Opposite edges 01|23, 02|13, 03|12: a diagonal joins the middles of such a pair.
    one.rest_positions.row(longest + 1) *= 3.0;
    one.tetrahedra.resize(1, 4);
    one.tetrahedra << 0, 1, 2, 3;
    const TetMesh fine = subdivide(one);
    double found = 1e9, shortest = 1e9;
    for (int k = 0; k < 3; ++k) {
      const int ends[3][4] = {{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 3, 1, 2}};
      const auto x = [&](int corner) { return one.rest_positions.row(ends[k][corner]); };
      shortest = std::min(shortest, 0.5 * (x(0) + x(1) - x(2) - x(3)).norm());
    }
    found = (fine.rest_positions.row(fine.tetrahedra(4, 0)) - fine.rest_positions.row(fine.tetrahedra(4, 1))).norm();
    EXPECT_NEAR(found, shortest, 1e-14);
  }
}

TEST(QuadraticTetrahedra, AreFoundAgainInTheirOrder) {
  const TetMesh coarse = distorted(), fine = subdivide(coarse);
  const QuadraticTetrahedra found = quadratic_tetrahedra(fine);
  EXPECT_EQ(found.leftCols<4>(), coarse.tetrahedra);
  for (Eigen::Index e = 0; e < found.rows(); ++e)
    for (int k = 0; k < 6; ++k) {
      const auto [a, b] = kEdgesOfTetrahedron[std::size_t(k)];
      const auto middle = 0.5 * (coarse.rest_positions.row(found(e, a)) + coarse.rest_positions.row(found(e, b)));
      EXPECT_EQ(fine.rest_positions.row(found(e, 4 + k)), middle);
    }
}

std::string refusal(const TetMesh& mesh) {
  try {
    quadratic_tetrahedra(mesh);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(QuadraticTetrahedra, RefuseEveryOtherMeshAndSayWhere) {
  using ::testing::HasSubstr;
  const TetMesh fine = subdivide(distorted());
  TetMesh other = distorted();
  other.tetrahedra.conservativeResize(9, 4);
  EXPECT_THAT(refusal(other), HasSubstr("got 9 tetrahedra"));
  other.tetrahedra.conservativeResize(8, 4);
  EXPECT_THAT(refusal(other), HasSubstr("tetrahedra 0 to 7"));
  other = fine;
  other.tetrahedra.row(8).swap(other.tetrahedra.row(17));
  EXPECT_THAT(refusal(other), HasSubstr("tetrahedra 8 to 15"));
  other = fine;
  const int middle = other.tetrahedra(24, 1);
  other.rest_positions(middle, 0) += 1e-6;
  EXPECT_THAT(refusal(other), HasSubstr("have vertex " + std::to_string(middle) + " beside the middle"));
  other = fine;
  other.tetrahedra(4, 0) = other.tetrahedra(0, 0);
  EXPECT_THAT(refusal(other), HasSubstr("in the octahedron"));
}

}  // namespace
}  // namespace deformbench::model

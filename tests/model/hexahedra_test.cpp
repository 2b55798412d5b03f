// SPDX-License-Identifier: BSD-3-Clause
#include "methods/model/hexahedra.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "methods/model/error.hpp"
#include "methods/model/structured.hpp"

namespace deformbench::model {
namespace {

TetMesh kuhn_block() {
  return make_block({3, 2, 2}, {0, 0, 0}, {3, 2, 2}, BlockSplit::KuhnSix);
}

TEST(Hexahedra, AreTheCellsOfABlockWithTheirCornersInOrder) {
  const TetMesh mesh = kuhn_block();
  const Hexahedra found = hexahedra(mesh);
  ASSERT_EQ(found.rows(), 12);
  for (Eigen::Index e = 0; e < found.rows(); ++e) {
    const Eigen::RowVector3d cell(double(e / 4), double(e / 2 % 2), double(e % 2));
    for (int a = 0; a < 8; ++a)
      EXPECT_EQ(mesh.rest_positions.row(found(e, a)), cell + Eigen::RowVector3d(a & 1, a >> 1 & 1, a >> 2 & 1));
  }
}

TEST(Hexahedra, HaveTheSameHandInAMirroredMesh) {
  TetMesh mesh = kuhn_block();
  mesh.rest_positions.col(1) *= -1.0;
  mesh.tetrahedra.col(2).swap(mesh.tetrahedra.col(3));
  const Hexahedra found = hexahedra(mesh);
  for (Eigen::Index e = 0; e < found.rows(); ++e) {
    const auto x = [&](int a) { return Vector3(mesh.rest_positions.row(found(e, a)).transpose()); };
    EXPECT_DOUBLE_EQ((x(1) - x(0)).cross(x(2) - x(0)).dot(x(4) - x(0)), 1.0);
  }
}

std::string refusal_as_hexahedra(const TetMesh& mesh) {
  try {
    hexahedra(mesh);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Hexahedra, RefuseEveryOtherMeshAndSayWhere) {
  using ::testing::HasSubstr;
  TetMesh other = kuhn_block();
  other.tetrahedra.conservativeResize(64, 4);
  EXPECT_THAT(refusal_as_hexahedra(other), HasSubstr("got 64 tetrahedra"));
  other = kuhn_block();
  other.tetrahedra.row(8).swap(other.tetrahedra.row(17));
  EXPECT_THAT(refusal_as_hexahedra(other), HasSubstr("tetrahedra 6 to 11 share no diagonal"));
  other = kuhn_block();
  other.tetrahedra.row(7) = other.tetrahedra.row(6);
  EXPECT_THAT(refusal_as_hexahedra(other), HasSubstr("tetrahedra 6 to 11 do not have eight corners"));
  other = kuhn_block();
  other.rest_positions.row(hexahedra(other)(3, 7)) = other.rest_positions.row(hexahedra(other)(3, 0));
  EXPECT_THAT(refusal_as_hexahedra(other), HasSubstr("folded"));
}

}  // namespace
}  // namespace deformbench::model

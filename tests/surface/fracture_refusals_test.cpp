// SPDX-License-Identifier: BSD-3-Clause
// [MG04] §5.2 needs a closed manifold inside the mesh: anything else is refused in one line that says what and where.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "methods/model/error.hpp"
#include "methods/model/mesh_checks.hpp"
#include "methods/model/structured.hpp"
#include "methods/surface/cutting/fracturing_surface.hpp"
#include "tests/surface/surface_shapes.hpp"

namespace deformbench::surface {
namespace {

using model::BlockSplit;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

model::TetMesh block() {
  return model::make_block({3, 3, 3}, {-1, -1, -1}, {2, 2, 2}, BlockSplit::KuhnSix);
}
model::TriangleMesh ball() {
  return surface_test::sphere({0.01, 0.02, 0.03}, 0.5, 2);
}

std::string refusal(const model::TetMesh& mesh, const model::TriangleMesh& surface) {
  try {
    FracturingSurface(mesh, surface, "skin");
  } catch (const InputError& error) {
    return error.what();
  }
  return "not refused";
}

// Elements of a block of cubes for which `keep` is true of their cell.
template <class Keep>
model::TetMesh cells(const model::TetMesh& mesh, int count, Keep&& keep) {
  std::vector<int> kept;
  for (int e = 0; e < int(mesh.element_count()); ++e) {
    Vector3 centre = Vector3::Zero();
    for (int c = 0; c < 4; ++c) centre += 0.25 * mesh.rest_positions.row(mesh.tetrahedra(e, c)).transpose();
    const Eigen::Vector3i cell = ((centre.array() + 1.0) * (0.5 * count)).cast<int>();
    if (keep(cell)) kept.push_back(e);
  }
  model::TetMesh result = mesh;
  result.tetrahedra = mesh.tetrahedra(kept, Eigen::all);
  return model::without_unreferenced_vertices(result);
}

TEST(FractureRefusals, AnOpenSurfaceWithTheEdge) {
  model::TriangleMesh open = ball();
  open.triangles = Triangles(open.triangles.topRows(open.triangle_count() - 1));
  const std::string message = refusal(block(), open);
  EXPECT_THAT(message, AllOf(StartsWith("skin: "), HasSubstr("edge"), HasSubstr("runs from ("), Not(HasSubstr("\n"))));
}

TEST(FractureRefusals, ThreeTrianglesAtAnEdge) {
  model::TriangleMesh shape = ball();
  const Triangles one = shape.triangles.topRows(1);
  Points x(shape.vertex_count() + 1, 3);
  x << shape.positions, 0.9 * shape.positions.row(0);
  Triangles t(shape.triangle_count() + 1, 3);
  t << shape.triangles, one(0, 0), one(0, 1), int(shape.vertex_count());
  shape.positions = x;
  shape.triangles = t;
  EXPECT_THAT(refusal(block(), shape), AllOf(StartsWith("skin: "), HasSubstr("edge")));
}

TEST(FractureRefusals, ATurnedTriangle) {
  model::TriangleMesh turned = ball();
  std::swap(turned.triangles(5, 1), turned.triangles(5, 2));
  EXPECT_THAT(refusal(block(), turned), AllOf(StartsWith("skin: "), HasSubstr("same direction")));
}

TEST(FractureRefusals, ASurfaceInsideOut) {
  model::TriangleMesh turned = ball();
  turned.triangles.col(1).swap(turned.triangles.col(2));
  EXPECT_THAT(refusal(block(), turned), AllOf(StartsWith("skin: "), HasSubstr("inside out")));
}

TEST(FractureRefusals, AVertexThatSticksOutWithPlaceAndDistance) {
  model::TriangleMesh shape = ball();
  shape.positions.row(7) << 0.25, 1.125, 0.5;
  EXPECT_EQ(refusal(block(), shape),
            "skin: vertex 7 (0.25, 1.125, 0.5) sticks out of the tetrahedral mesh by 0.125 m (1 of 66 "
            "vertices stick out); expected a surface inside the mesh");
}

TEST(FractureRefusals, AVertexThatSticksOutByTheLastBit) {
  model::TriangleMesh shape = ball();
  shape.positions.row(7) << 0.25, std::nextafter(1.0, 2.0), 0.5;
  EXPECT_THAT(refusal(block(), shape), AllOf(StartsWith("skin: vertex 7 "), HasSubstr("sticks out")));
  shape.positions(7, 1) = 1.0;
  EXPECT_EQ(refusal(block(), shape), "not refused");
}

TEST(FractureRefusals, ATriangleThatCutsTheCornerOfAStaircase) {
  const model::TetMesh corner = cells(block(), 3, [](const Eigen::Vector3i& c) { return c[0] == 0 || c[1] == 0; });
  // Both ends are inside the legs of the L, the way between them is not.
  const model::TriangleMesh bar = [] {
    model::TriangleMesh mesh = surface_test::box({-0.9, -0.9, -0.5}, {-0.5, -0.5, 0.5});
    for (Eigen::Index v = 0; v < mesh.vertex_count(); ++v) {
      if (mesh.positions(v, 0) > -0.6 && mesh.positions(v, 1) < -0.6) mesh.positions(v, 0) = 0.9;
      if (mesh.positions(v, 1) > -0.6 && mesh.positions(v, 0) < -0.6) mesh.positions(v, 1) = 0.9;
    }
    return mesh;
  }();
  EXPECT_THAT(refusal(corner, bar), AllOf(StartsWith("skin: triangle "), HasSubstr("through its boundary face")));
}

TEST(FractureRefusals, ACavityOfTheMeshInsideTheSurface) {
  const model::TetMesh hollow =
      cells(block(), 3, [](const Eigen::Vector3i& c) { return c != Eigen::Vector3i(1, 1, 1); });
  EXPECT_THAT(refusal(hollow, surface_test::sphere({0.01, 0.02, 0.03}, 0.9, 3)),
              HasSubstr("expected a mesh without cavities"));
}

TEST(FractureRefusals, AnInvertedElement) {
  model::TetMesh mesh = block();
  std::swap(mesh.tetrahedra(4, 0), mesh.tetrahedra(4, 1));
  EXPECT_THAT(refusal(mesh, ball()), AllOf(StartsWith("skin: the tetrahedral mesh: "), HasSubstr("4")));
}

TEST(FractureRefusals, AnotherNumberOfElements) {
  FracturingSurface surface(block(), ball());
  const Tetrahedra fewer = block().tetrahedra.topRows(3);
  EXPECT_THROW(surface.follow(fewer), std::invalid_argument);
  Points p, n;
  EXPECT_THROW(surface.update(block().rest_positions, fewer, p, n), std::invalid_argument);
}

}  // namespace
}  // namespace deformbench::surface

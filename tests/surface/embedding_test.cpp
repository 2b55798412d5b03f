// SPDX-License-Identifier: BSD-3-Clause
// A surface that follows its tetrahedral mesh. [MG04] §5.1
#include "methods/surface/embedding.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "methods/model/error.hpp"
#include "methods/model/structured.hpp"
#include "tests/surface/surface_shapes.hpp"

namespace deformbench::surface {
namespace {

using surface_test::sphere;

model::TetMesh irregular_block() {
  return model::jitter(model::make_block({4, 3, 3}, {-0.1, -0.2, 0.3}, {1.2, 0.9, 0.8}), {.fraction = 0.25, .seed = 7});
}

model::TriangleMesh sphere_in_block() {
  return sphere({0.5, 0.25, 0.7}, 0.35, 3);
}

Points mapped(const Points& x, const Matrix3& a, const Vector3& t) {
  return (x * a.transpose()).rowwise() + t.transpose();
}

Points mapped_normals(const Points& n, const Matrix3& a) {
  Points result = n * a.inverse();  // rows (A⁻ᵀ n)ᵀ
  result.rowwise().normalize();
  return result;
}

double largest_angle(const Points& a, const Points& b) {
  double largest = 0.0;
  for (Eigen::Index v = 0; v < a.rows(); ++v) {
    const Vector3 u = a.row(v).transpose();
    const Vector3 w = b.row(v).transpose();
    largest = std::max(largest, std::atan2(u.cross(w).norm(), u.dot(w)));
  }
  return largest;
}

// Distance from a point to a tetrahedron over all its features: corners, edges, faces.
double distance_by_features(const Vector3& p, const std::array<Vector3, 4>& x) {
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t a = 0; a < 4; ++a) {
    best = std::min(best, (p - x[a]).norm());
    for (std::size_t b = a + 1; b < 4; ++b) {
      const Vector3 d = x[b] - x[a];
      const double s = d.dot(p - x[a]) / d.squaredNorm();
      if (s > 0 && s < 1) best = std::min(best, (p - x[a] - s * d).norm());
      for (std::size_t c = b + 1; c < 4; ++c) {
        Eigen::Matrix<double, 3, 2> e;
        e << d, x[c] - x[a];
        const Eigen::Vector2d w = (e.transpose() * e).ldlt().solve(e.transpose() * (p - x[a]));
        if (w.minCoeff() > 0 && w.sum() < 1) best = std::min(best, (p - x[a] - e * w).norm());
      }
    }
  }
  return best;
}

TEST(Embedding, LinksEachPointToTheElementThatBruteForceFinds) {
  const model::TetMesh mesh = irregular_block();
  model::TriangleMesh points;
  points.positions.resize(400, 3);
  points.triangles.resize(0, 3);
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> coordinate(-0.6, 1.6);  // a good half of the points lies outside the block
  for (Eigen::Index i = 0; i < points.positions.size(); ++i) points.positions.data()[i] = coordinate(random);
  const Embedding embedding(mesh, points);
  int outside = 0;
  for (Eigen::Index v = 0; v < points.vertex_count(); ++v) {
    const Vector3 p = points.positions.row(v).transpose();
    int containing = -1;
    double closest = std::numeric_limits<double>::infinity();
    std::vector<double> distances;
    for (int e = 0; e < mesh.element_count(); ++e) {
      std::array<Vector3, 4> x;
      Eigen::Matrix4d corners;
      for (int c = 0; c < 4; ++c) {
        x[std::size_t(c)] = mesh.rest_positions.row(mesh.tetrahedra(e, c)).transpose();
        corners.col(c) << x[std::size_t(c)], 1.0;
      }
      const Eigen::Vector4d b = corners.inverse() * p.homogeneous();
      if (containing < 0 && b.minCoeff() >= 0.0) containing = e;
      distances.push_back(distance_by_features(p, x));
      closest = std::min(closest, distances.back());
    }
    const int linked = embedding.elements()[std::size_t(v)];
    const double distance = embedding.outside_distances()[std::size_t(v)];
    if (containing >= 0) {
      EXPECT_EQ(linked, containing);
      EXPECT_EQ(distance, 0.0);
    } else {
      ++outside;
      EXPECT_NEAR(distance, closest, 1e-13);
      EXPECT_NEAR(distances[std::size_t(linked)], closest,
                  1e-13);  // several elements can share the closest point
    }
  }
  EXPECT_GT(outside, 100);
  EXPECT_LT(outside, 400);
}

TEST(Embedding, AffineDeformationMovesPositionsExactly) {
  const model::TetMesh mesh = irregular_block();
  const model::TriangleMesh surface = sphere_in_block();
  const Embedding embedding(mesh, surface);
  Matrix3 a;
  a << 1.3, 0.4, -0.2, 0.1, 0.8, 0.5, -0.3, 0.2, 1.1;
  const Vector3 t(0.3, -0.5, 0.2);
  Points positions;
  embedding.interpolate(mapped(mesh.rest_positions, a, t), positions);
  EXPECT_LT((positions - mapped(surface.positions, a, t)).cwiseAbs().maxCoeff(), 1e-13);  // IVM-34
}

TEST(Embedding, InverseTransposeNormalsAreExactForEveryAffineMap) {
  const model::TetMesh mesh = irregular_block();
  const Embedding embedding(mesh, sphere_in_block());
  Matrix3 a;
  a << 1.3, 0.4, -0.2, 0.1, 0.8, 0.5, -0.3, 0.2, 1.1;
  Points normals;
  embedding.normals_by_inverse_transpose(mapped(mesh.rest_positions, a, {1, 2, 3}), normals);
  EXPECT_LT((normals - mapped_normals(embedding.rest_normals(), a)).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(Embedding, AReflectedElementTurnsTheNormalWithItsSurface) {
  const model::TetMesh mesh = irregular_block();
  const Embedding embedding(mesh, sphere_in_block());
  const Matrix3 mirror = Vector3(-1, 1, 1).asDiagonal();
  Points normals;
  embedding.normals_by_inverse_transpose(mapped(mesh.rest_positions, mirror, Vector3::Zero()), normals);
  // cof(F) n: the triangles of the mirrored sphere run clockwise, so their normals point inwards.
  EXPECT_LT((normals + embedding.rest_normals() * mirror).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(Embedding, BothNormalsAreExactForARotation) {
  const model::TetMesh mesh = irregular_block();
  const Embedding embedding(mesh, sphere_in_block());
  const Matrix3 rotation = Eigen::AngleAxisd(1.1, Vector3(1, 2, -1).normalized()).toRotationMatrix();
  const std::vector<Matrix3> rotations(std::size_t(mesh.element_count()), rotation);
  const Points expected = embedding.rest_normals() * rotation.transpose();
  Points rotated;
  Points exact;
  embedding.normals_by_rotation(rotations, rotated);
  embedding.normals_by_inverse_transpose(mapped(mesh.rest_positions, rotation, {0, 1, 0}), exact);
  EXPECT_LT((rotated - expected).cwiseAbs().maxCoeff(), 1e-13);
  EXPECT_LT((exact - expected).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(Embedding, RotatedNormalsOfAStretchAreOffByTheKnownAngle) {
  // B-IVM-10: a plane whose normal is at 45° to the stretch s; R = I, and the exact normal turns by atan(s) − 45°.
  const model::TetMesh mesh = irregular_block();
  model::TriangleMesh slope;
  slope.positions.resize(3, 3);
  slope.positions << 0.3, 0.3, 0.5, 0.3, 0.3, 0.9, 0.5, 0.1, 0.7;
  slope.triangles.resize(1, 3);
  slope.triangles << 0, 2, 1;
  const Embedding embedding(mesh, slope);
  ASSERT_NEAR(std::abs(embedding.rest_normals().row(0).dot(Eigen::RowVector3d(1, 1, 0) / std::sqrt(2.0))), 1.0, 1e-15);
  for (const auto& [stretch, degrees] : {std::pair{2.0, 18.43}, std::pair{1.2, 5.19}}) {
    const std::vector<Matrix3> identity(std::size_t(mesh.element_count()), Matrix3::Identity());
    Points printed;
    Points exact;
    embedding.normals_by_rotation(identity, printed);
    embedding.normals_by_inverse_transpose(
        mapped(mesh.rest_positions, Vector3(stretch, 1, 1).asDiagonal(), Vector3::Zero()), exact);
    const double angle = largest_angle(printed, exact);
    EXPECT_NEAR(angle, std::atan(stretch) - std::numbers::pi / 4, 1e-12);
    EXPECT_NEAR(angle * 180.0 / std::numbers::pi, degrees, 0.006);  // `degrees` are given to two decimals
  }
}

// The compiler may fuse a*b+c in one pass and not in the other: a few ulp of unit vectors and of 1 m.
TEST(Embedding, OnePassAgreesWithTheSeparatePassesToRounding) {
  const model::TetMesh mesh = irregular_block();
  const Embedding embedding(mesh, sphere_in_block());
  const Points x =
      mapped(mesh.rest_positions, Eigen::AngleAxisd(0.4, Vector3::UnitY()).toRotationMatrix() * 1.2, {1, 0, 0});
  const std::vector<Matrix3> rotations(std::size_t(mesh.element_count()), Matrix3::Identity());
  Points positions, normals, together_positions, together_normals;
  embedding.interpolate(x, positions);
  embedding.normals_by_inverse_transpose(x, normals);
  embedding.update(x, together_positions, together_normals);
  EXPECT_LT((positions - together_positions).cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_LT((normals - together_normals).cwiseAbs().maxCoeff(), 1e-15);
  embedding.normals_by_rotation(rotations, normals);
  embedding.update(x, rotations, together_positions, together_normals);
  EXPECT_LT((positions - together_positions).cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_LT((normals - together_normals).cwiseAbs().maxCoeff(), 1e-15);
}

TEST(Embedding, ACollapsedElementGivesNoNotANumber) {
  const model::TetMesh mesh = irregular_block();
  const Embedding embedding(mesh, sphere_in_block());
  Points positions, normals;
  embedding.update(Points::Zero(mesh.vertex_count(), 3), positions, normals);
  EXPECT_TRUE(normals.isZero(0.0));
}

TEST(Embedding, TellsByHowMuchAVertexSticksOut) {
  const model::TetMesh mesh = model::make_block({2, 2, 2}, Vector3::Zero(), Vector3::Ones());
  model::TriangleMesh points;
  points.triangles.resize(0, 3);
  points.positions.resize(3, 3);
  points.positions << 0.5, 0.5, 0.5, 1.1, 0.5, 0.5, 0.5, 1.25, 0.5;
  const std::vector<double> distances = Embedding(mesh, points).outside_distances();
  EXPECT_EQ(distances[0], 0.0);
  EXPECT_NEAR(distances[1], 0.1, 1e-15);
  EXPECT_NEAR(distances[2], 0.25, 1e-15);
}

TEST(Embedding, AnElementWithoutVolumeIsRefused) {
  model::TetMesh mesh = model::make_block({1, 1, 1}, Vector3::Zero(), Vector3::Ones());
  std::swap(mesh.tetrahedra(3, 0), mesh.tetrahedra(3, 1));
  try {
    const Embedding embedding(mesh, sphere_in_block());
    FAIL() << "an inverted element was accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("element 3 has the rest volume -"));
  }
}

}  // namespace
}  // namespace deformbench::surface

// SPDX-License-Identifier: BSD-3-Clause
// The barrier between surfaces [LFSLZPJK20]: the energy of flat faces in closed form on meshes that fit and that do
// not, forces and curvature by differences, and that no move it allows leads through anything, by exact arithmetic.
#include "methods/collision/surface_barrier.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <cmath>
#include <numeric>

#include "methods/model/boundary_surface.hpp"
#include "methods/model/structured.hpp"
#include "methods/numerics/random.hpp"
#include "tests/collision/exact_pairs.hpp"

namespace deformbench::collision {
namespace {

constexpr double kStiffness = 2e5;  // Pa

model::TriangleMesh block_surface(int cells, const Vector3& origin, double side) {
  return model::boundary_surface(
             model::make_block({cells, cells, cells}, origin, Vector3::Constant(side), model::BlockSplit::KuhnSix))
      .surface;
}

model::TriangleMesh both(const model::TriangleMesh& a, const model::TriangleMesh& b) {
  model::TriangleMesh sum;
  sum.positions.resize(a.positions.rows() + b.positions.rows(), 3);
  sum.positions << a.positions, b.positions;
  sum.triangles.resize(a.triangles.rows() + b.triangles.rows(), 3);
  sum.triangles << a.triangles, b.triangles.array() + int(a.positions.rows());
  return sum;
}

/// Thirds of the areas of the triangles at each vertex.
std::vector<double> shares(const model::TriangleMesh& mesh) {
  std::vector<double> area(std::size_t(mesh.positions.rows()), 0.0);
  for (Eigen::Index t = 0; t < mesh.triangles.rows(); ++t) {
    const auto corner = [&](Eigen::Index k) { return Vector3(mesh.positions.row(mesh.triangles(t, k)).transpose()); };
    const double third = (corner(1) - corner(0)).cross(corner(2) - corner(0)).norm() / 6.0;
    for (Eigen::Index k = 0; k < 3; ++k) area[std::size_t(mesh.triangles(t, k))] += third;
  }
  return area;
}

double closed_form(double y) {
  return -(y - 1) * (y - 1) * std::log(y);
}

struct Faces {
  int cells_below, cells_above;
  double shift;
};

TEST(SurfaceBarrier, FlatFacesHaveTheEnergyOfTheirAreaOnMeshesThatFitAndThatDoNot) {
  // A block of 0.6 m above one of 1 m. Every vertex above the other's face counts once, with half its share of the
  // surface, whether it is above a face, an edge or a vertex of six triangles.
  const double reach = 1e-4, gap = 0.3e-4;
  for (const Faces& given : {Faces{5, 3, 0.2}, Faces{5, 3, 0.23}, Faces{10, 3, 0.2}, Faces{5, 6, 0.2},
                             Faces{10, 6, 0.2}, Faces{7, 4, 0.217}, Faces{20, 12, 0.25}}) {
    const model::TriangleMesh lower = block_surface(given.cells_below, {0, 0, -1}, 1.0);
    const model::TriangleMesh upper = block_surface(given.cells_above, {given.shift, given.shift, gap}, 0.6);
    const model::TriangleMesh mesh = both(lower, upper);
    SurfaceBarrier barrier(mesh.positions, mesh.triangles, {}, {reach, kStiffness});
    barrier.prepare(mesh.positions, mesh.positions);
    double area = 0.0;
    const std::vector<double> below = shares(lower), above = shares(upper);
    for (std::size_t i = 0; i < below.size(); ++i) {
      const auto at = lower.positions.row(Eigen::Index(i));
      const bool is_below = at[2] > -1e-9 && at[0] > given.shift - 1e-9 && at[0] < given.shift + 0.6 + 1e-9 &&
                            at[1] > given.shift - 1e-9 && at[1] < given.shift + 0.6 + 1e-9;
      if (is_below) area += 0.5 * below[i];
    }
    for (std::size_t i = 0; i < above.size(); ++i)
      if (upper.positions(Eigen::Index(i), 2) < 2 * gap) area += 0.5 * above[i];
    const double expected = kStiffness * reach * closed_form(gap / reach) * area;
    // Edges add d̂² for every pair of them that crosses: where vertices meet, the six of one with the six of the other.
    const double edge = std::min(1.0 / given.cells_below, 0.6 / given.cells_above);
    EXPECT_NEAR(barrier.energy(mesh.positions), expected, 36 * std::pow(reach / edge, 2) * expected)
        << given.cells_below << " " << given.cells_above << " " << given.shift;
  }
}

TEST(SurfaceBarrier, FacesMeshedFinerApproachTheEnergyOfTheirArea) {
  // The rims of both faces have shares of the sides: an excess of the order of the edge.
  const double reach = 1e-4, gap = 0.3e-4, exact = kStiffness * reach * closed_form(gap / reach) * 0.36;
  for (const int cells : {3, 6, 12}) {
    const model::TriangleMesh mesh =
        both(block_surface(2 * cells, {0, 0, -1}, 1.0), block_surface(cells, {0.217, 0.19, gap}, 0.6));
    SurfaceBarrier barrier(mesh.positions, mesh.triangles, {}, {reach, kStiffness});
    barrier.prepare(mesh.positions, mesh.positions);
    // The rim of the upper face: 4 cells vertices with h²/2 of the sides, h = 0.6/cells, of which half counts, 1/cells
    // of the face; the vertices below sample the face to another half of its rim.
    EXPECT_LT(std::abs(barrier.energy(mesh.positions) / exact - 1.0), 1.5 / cells) << cells;
  }
}

/// A small block turned with a corner, an edge or a face towards another, near it.
model::TriangleMesh near_blocks(int kind, numerics::RandomStream& random, double gap) {
  model::TriangleMesh lower = block_surface(2, {-0.5, -0.5, -1}, 1.0), upper = block_surface(2, {-0.4, -0.35, 0}, 0.8);
  Matrix3 turn = Matrix3::Identity();
  if (kind == 1) turn = Eigen::AngleAxisd(0.25 * M_PI, Vector3::UnitX()).toRotationMatrix();
  if (kind == 2)
    turn = Eigen::Quaterniond::FromTwoVectors(Vector3(1, 1, 1).normalized(), Vector3(0.1, 0.05, 1).normalized())
               .toRotationMatrix();
  upper.positions = upper.positions * turn.transpose();
  for (Eigen::Index i = 0; i < upper.positions.size(); ++i)
    upper.positions.data()[i] += 0.02 * (random.uniform() - 0.5);
  upper.positions.col(2).array() += gap - upper.positions.col(2).minCoeff();
  return both(lower, upper);
}

TEST(SurfaceBarrier, HasItsDifferencesAsForcesAndTheirsAsCurvature) {
  numerics::RandomStream random(21, 1);
  const double reach = 0.15;
  for (int kind = 0; kind < 3; ++kind)
    for (const double friction : {0.0, 0.6}) {
      const model::TriangleMesh mesh = near_blocks(kind, random, 0.05);
      SurfaceBarrier barrier(mesh.positions, mesh.triangles, {}, {reach, kStiffness, friction});
      Points x = mesh.positions;
      barrier.begin_step(x, 0.01);
      barrier.prepare(x, x);
      barrier.hold_friction(x);
      for (Eigen::Index i = 0; i < x.size(); ++i) x.data()[i] += 0.01 * (random.uniform() - 0.5);
      barrier.prepare(x, x);
      Points force = Points::Zero(x.rows(), 3);
      std::vector<PairBlock> blocks, unused;
      EXPECT_GT(barrier.add_forces(x, force, blocks), 0.0);
      EXPECT_GT(barrier.contact_count(x), 3);
      const double size = force.cwiseAbs().maxCoeff(), h = 1e-7;
      EXPECT_LT(force.colwise().sum().norm(), 1e-12 * size);  // action and reaction
      // Where no curvature is negative the blocks add up to it; elsewhere they lie above.
      Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(x.size(), x.size()), exact = sum;
      for (const PairBlock& block : blocks) {
        EXPECT_GE(Eigen::SelfAdjointEigenSolver<Matrix12>(block.block).eigenvalues()[0], -1e-10 * block.block.norm());
        for (Eigen::Index i = 0; i < 12; ++i)
          for (Eigen::Index j = 0; j < 12; ++j)
            sum(3 * block.vertices[std::size_t(i / 3)] + i % 3, 3 * block.vertices[std::size_t(j / 3)] + j % 3) +=
                block.block(i, j);
      }
      for (Eigen::Index n = 0; n < x.size(); ++n) {
        const double here = x.data()[n];
        Points above = Points::Zero(x.rows(), 3), below = above;
        x.data()[n] = here + h;
        const double more = barrier.energy(x);
        barrier.add_forces(x, above, unused);
        x.data()[n] = here - h;
        const double less = barrier.energy(x);
        barrier.add_forces(x, below, unused);
        x.data()[n] = here;
        EXPECT_NEAR(-(more - less) / (2 * h), force.data()[n], 1e-5 * size) << kind << " " << n;
        exact.col(n) = Eigen::Map<const Eigen::VectorXd>(below.data(), x.size()) / (2 * h) -
                       Eigen::Map<const Eigen::VectorXd>(above.data(), x.size()) / (2 * h);
      }
      const double largest = exact.cwiseAbs().maxCoeff();
      EXPECT_GT(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(sum - exact).eigenvalues()[0], -1e-4 * largest) << kind;
    }
}

TEST(SurfaceBarrier, FrictionIsThatOfCoulombBeyondItsCreepAndLinearWithinIt) {
  const double reach = 1e-3, gap = 0.4e-3, friction = 0.3, creep = 1e-4;
  const model::TriangleMesh mesh = both(block_surface(4, {0, 0, -1}, 1.0), block_surface(3, {0.217, 0.19, gap}, 0.6));
  const Eigen::Index below = block_surface(4, {0, 0, -1}, 1.0).positions.rows();
  SurfaceBarrier barrier(mesh.positions, mesh.triangles, {}, {reach, kStiffness, friction});
  Points x = mesh.positions;
  barrier.begin_step(x, creep);
  barrier.prepare(x, x);
  EXPECT_GT(barrier.hold_friction(x), 0.99);
  EXPECT_LT(barrier.hold_friction(x), 1e-15);
  Points normal = Points::Zero(x.rows(), 3);
  std::vector<PairBlock> unused;
  barrier.add_forces(x, normal, unused);
  const double weight = normal.bottomRows(x.rows() - below).col(2).sum();
  for (const double slide : {0.01, 0.5, 1.0, 3.0}) {
    Points y = x, force = Points::Zero(x.rows(), 3);
    y.bottomRows(x.rows() - below).col(0).array() += slide * creep;
    barrier.add_forces(y, force, unused);
    const double expected = slide < 1.0 ? 2 * slide - slide * slide : 1.0;
    EXPECT_NEAR(-force.bottomRows(x.rows() - below).col(0).sum(), friction * weight * expected, 1e-9 * weight) << slide;
  }
}

TEST(SurfaceBarrier, FrictionIsThatOfTheNormalForceInValleysAndPits) {
  // A vertex above the fold of a shallow valley, and above the lowest vertex of a shallow pit: the features below it
  // overlap. Six triangles with a slope of 1 : 100.
  const double reach = 1e-3, gap = 0.4e-3, friction = 0.3;
  for (const bool is_pit : {false, true})
    for (const double aside : {0.0, 1e-6, 1e-3}) {
      model::TriangleMesh mesh;
      mesh.positions.resize(10, 3);
      mesh.triangles.resize(7, 3);
      mesh.positions.row(6).setZero();
      for (int k = 0; k < 6; ++k) {
        const double cos = std::cos(k * M_PI / 3), sin = std::sin(k * M_PI / 3);
        mesh.positions.row(k) << cos, sin, 0.01 * (is_pit ? 1.0 : std::abs(sin));
        mesh.triangles.row(k) << 6, k, (k + 1) % 6;
      }
      mesh.positions.row(7) << 0.3 * aside, aside, gap;
      mesh.positions.row(8) << 0.1, 0.1, 1.0;
      mesh.positions.row(9) << -0.1, 0.2, 1.0;
      mesh.triangles.row(6) << 7, 8, 9;
      Points x = mesh.positions;
      SurfaceBarrier barrier(x, mesh.triangles, {}, {reach, kStiffness, friction});
      barrier.begin_step(x, 1e-9);
      barrier.prepare(x, x);
      barrier.hold_friction(x);
      Points normal = Points::Zero(x.rows(), 3), force = normal;
      std::vector<PairBlock> unused;
      barrier.add_forces(x, normal, unused);
      x.bottomRows(3).col(0).array() += 1e-8;
      barrier.add_forces(x, force, unused);
      const double pressing = normal.bottomRows(3).col(2).sum();
      EXPECT_GT(pressing, 0.0);
      const double sliding = (normal - force).bottomRows(3).col(0).sum();
      EXPECT_NEAR(sliding, friction * pressing, 1e-3 * friction * pressing) << is_pit << " " << aside;
    }
}

TEST(SurfaceBarrier, NoMoveItAllowsLeadsThroughAnythingAndItsLengthIsMostOfTheWay) {
  numerics::RandomStream random(22, 1);
  int stopped = 0;
  for (int trial = 0; trial < 15; ++trial) {
    const model::TriangleMesh mesh = near_blocks(trial % 3, random, 0.05);
    SurfaceBarrier barrier(mesh.positions, mesh.triangles, {}, {0.01, kStiffness});
    const Eigen::Index below = block_surface(2, {-0.5, -0.5, -1}, 1.0).positions.rows();
    Points move = Points::Zero(mesh.positions.rows(), 3);
    const Vector3 speed(random.uniform() - 0.5, random.uniform() - 0.5, 0.5 - random.uniform());
    move.bottomRows(move.rows() - below).rowwise() += speed.transpose();
    for (Eigen::Index i = 0; i < move.size(); ++i) move.data()[i] += 0.05 * (random.uniform() - 0.5);
    barrier.prepare(mesh.positions, mesh.positions + move);
    const double length = barrier.longest_move(mesh.positions, move);
    ASSERT_GT(length, 0.0);
    const Points there = mesh.positions + length * move;
    EXPECT_TRUE(barrier.is_free(mesh.positions, there));
    EXPECT_EQ(exact_intersections(there, mesh.triangles), 0) << trial;
    EXPECT_FALSE(find_intersection(there, mesh.triangles).has_value());
    if (length == 1.0) continue;
    ++stopped;
    EXPECT_FALSE(barrier.is_free(mesh.positions, mesh.positions + 1.26 * length * move)) << trial;
  }
  EXPECT_GT(stopped, 4);
}

TEST(SurfaceBarrier, HeldPairsTakeNoPart) {
  const model::TriangleMesh mesh = both(block_surface(2, {0, 0, -1}, 1.0), block_surface(2, {0.2, 0.2, 0.01}, 0.6));
  std::vector<char> all(std::size_t(mesh.positions.rows()), 1), one = all;
  one.back() = 0;  // the highest corner above
  Points down = Points::Zero(mesh.positions.rows(), 3);
  down.bottomRows(26).col(2).setConstant(-1.0);
  for (const auto& held : {all, one}) {
    SurfaceBarrier barrier(mesh.positions, mesh.triangles, held, {0.02, kStiffness});
    barrier.prepare(mesh.positions, mesh.positions + down);
    EXPECT_EQ(barrier.energy(mesh.positions), 0.0);
    EXPECT_EQ(barrier.longest_move(mesh.positions, down) == 1.0, held == all);
  }
}

TEST(SurfaceIntersections, AreFoundAndDistancesWithinAPartToo) {
  const model::TriangleMesh apart = both(block_surface(2, {0, 0, -1}, 1.0), block_surface(3, {0.2, 0.2, 0.01}, 0.6));
  EXPECT_FALSE(find_intersection(apart.positions, apart.triangles).has_value());
  for (const double depth : {0.0, 1e-12, 0.3}) {  // touching, barely and deep
    const model::TriangleMesh into =
        both(block_surface(2, {0, 0, -1}, 1.0), block_surface(3, {0.21, 0.2, -depth}, 0.6));
    EXPECT_TRUE(find_intersection(into.positions, into.triangles).has_value()) << depth;
  }
  std::vector<int> parts(std::size_t(apart.positions.rows()), 0);
  EXPECT_NEAR(least_distance(apart.positions, apart.triangles, parts, 0.1).value_or(0.0), 0.01, 1e-12);
  std::fill(parts.begin() + 26, parts.end(), 1);
  EXPECT_FALSE(least_distance(apart.positions, apart.triangles, parts, 0.1).has_value());
  // Skew diagonals of opposite faces of one cell, in a block with cells of 0.2 m.
  EXPECT_NEAR(least_distance(apart.positions, apart.triangles, parts, 0.3).value_or(0.0), 0.2 / std::sqrt(3.0), 1e-12);
}

}  // namespace
}  // namespace deformbench::collision

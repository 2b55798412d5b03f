// SPDX-License-Identifier: BSD-3-Clause
// Surfels that nodes carry: affine motion is exact, a crack parts its faces, few weights change. [PKAGDG05] §3.2
#include "methods/meshless/surface/surfel_motion.hpp"

#include <gmock/gmock.h>

#include <Eigen/Geometry>
#include <Eigen/LU>

#include "tests/meshless/surfel_fixture.hpp"

namespace deformbench::meshless {
namespace {

/// A jittered lattice of `across`³ nodes over [−1, 1]³.
struct Nodes {
  Points rest;
  std::vector<double> supports;
};

Nodes lattice(int across, double support_ratio) {
  const double spacing = 2.0 / across;
  Nodes nodes;
  nodes.rest.resize(Eigen::Index(across) * across * across, 3);
  numerics::RandomStream random(19);
  Eigen::Index row = 0;
  for (int i = 0; i < across; ++i)
    for (int j = 0; j < across; ++j)
      for (int k = 0; k < across; ++k, ++row)
        for (int c = 0; c < 3; ++c)
          nodes.rest(row, c) = -1.0 + spacing * ((c == 0 ? i : c == 1 ? j : k) + 0.5 + 0.3 * random.uniform(-1.0, 1.0));
  nodes.supports.assign(std::size_t(row), support_ratio * spacing);
  return nodes;
}

std::vector<Surfel> sphere_surfels() {
  return sample_surface(scenes::icosphere(0.9, 3), {.radius = 0.2}).at(0);
}

TEST(SurfelMotion, AffineMotionIsExactWithAndWithoutACrack) {
  const Nodes nodes = lattice(6, 2.2);
  const HalfPlaneCrack crack(0.2);
  Matrix3 f;
  f << 1.2, 0.3, -0.1, 0.05, 0.8, 0.2, -0.2, 0.1, 1.1;
  const Points u = (nodes.rest * (f - Matrix3::Identity()).transpose()).rowwise() + Eigen::RowVector3d(0.1, -0.2, 0.3);
  const std::vector<Matrix3> gradients(nodes.supports.size(), f - Matrix3::Identity());
  for (const CrackGeometry* cracks :
       {static_cast<const CrackGeometry*>(nullptr), static_cast<const CrackGeometry*>(&crack)}) {
    SurfelMotion motion(nodes.rest, nodes.supports, kTransparent);
    motion.append(sphere_surfels(), cracks);
    const std::vector<Surfel> moved = motion.carried(u, gradients);
    ASSERT_EQ(moved.size(), motion.surfels().size());
    for (std::size_t s = 0; s < moved.size(); ++s) {
      const Surfel& rest = motion.surfels()[s];
      EXPECT_LT((moved[s].position - f * rest.position - Vector3(0.1, -0.2, 0.3)).norm(), 1e-13);
      EXPECT_LT((moved[s].normal - (f.inverse().transpose() * rest.normal).normalized()).norm(), 1e-13);
      EXPECT_LT((moved[s].axis_u - f * rest.axis_u).norm(), 1e-14);
      EXPECT_NEAR(moved[s].normal.dot(moved[s].axis_v), 0.0, 1e-14);
    }
  }
}

/// The two faces of the crack z = 0, x < front: normals point out of the solid, so into the crack.
std::vector<Surfel> faces(const std::vector<double>& xs) {
  std::vector<Surfel> surfels;
  for (const double x : xs)
    for (const double side : {1.0, -1.0}) surfels.push_back(round_surfel({x, 0.1, 0}, {0, 0, -side}, 0.1));
  return surfels;
}

TEST(SurfelMotion, SurfelsAreHeldByTheNodesInWhoseSupportsTheyLieAndByNoOther) {
  Nodes nodes = lattice(6, 1.2);
  nodes.supports[100] *= 2.0;
  SurfelMotion motion(nodes.rest, nodes.supports, kTransparent);
  motion.append(sphere_surfels(), nullptr);
  for (std::size_t s = 0; s < motion.surfels().size(); ++s) {
    std::vector<int> holding;
    for (int j = 0; j < int(nodes.supports.size()); ++j)
      if ((nodes.rest.row(j).transpose() - motion.surfels()[s].position).norm() < nodes.supports[std::size_t(j)])
        holding.push_back(j);
    EXPECT_THAT(motion.nodes_of(s), testing::ElementsAreArray(holding)) << "surfel " << s;
  }
}

TEST(SurfelMotion, FacesPartBehindTheFrontAndMeetAtIt) {
  const Nodes nodes = lattice(8, 2.2);
  const double front = 0.3, h = nodes.supports[0];
  const HalfPlaneCrack crack(front);
  SurfelMotion motion(nodes.rest, nodes.supports, kTransparent);
  motion.append(faces({front - 0.9 * h, front - 0.6 * h, front - 0.25 * h, front - 1e-5 * h}), &crack);
  // The half above moves up, as after a cut right through.
  Points u = Points::Zero(nodes.rest.rows(), 3);
  for (Eigen::Index i = 0; i < u.rows(); ++i) u(i, 2) = nodes.rest(i, 2) > 0.0 ? 0.1 : 0.0;
  const std::vector<Matrix3> gradients(nodes.supports.size(), Matrix3::Zero());
  const std::vector<Surfel> moved = motion.carried(u, gradients);
  const auto gap = [&](std::size_t k) { return moved[2 * k].position[2] - moved[2 * k + 1].position[2]; };
  EXPECT_NEAR(gap(0), 0.1, 1e-15);
  EXPECT_NEAR(gap(1), 0.1, 1e-15);
  EXPECT_GT(gap(2), 0.001);
  EXPECT_LT(gap(2), 0.099);
  EXPECT_NEAR(gap(3), 0.0, 1e-5);
  EXPECT_EQ(motion.unseen_count(), 0);
}

TEST(SurfelMotion, PointsPastTheTipMoveWithoutAJumpOnlyByTransparency) {
  const Nodes nodes = lattice(8, 2.2);
  const HalfPlaneCrack crack(0.11);
  Points u = Points::Zero(nodes.rest.rows(), 3);
  for (Eigen::Index i = 0; i < u.rows(); ++i) u(i, 2) = nodes.rest(i, 2) > 0.0 ? 0.1 : 0.0;
  const std::vector<Matrix3> gradients(nodes.supports.size(), Matrix3::Zero());
  const auto largest_jump = [&](const WeightRule& rule) {
    const SurfelMotion motion(nodes.rest, nodes.supports, rule);
    const auto at = [&](double x) {
      return motion.displacement_at({x, 0.05, 0.13}, Vector3::Zero(), &crack, u, gradients)[2];
    };
    // A line above the crack's plane, that never crosses it.
    double largest = 0.0;
    for (int k = 0; k < 400; ++k) {
      double low = -0.5 + 0.0025 * k, high = low + 0.0025;
      double jump = std::abs(at(high) - at(low));
      while (high - low > 1e-12) {
        const double middle = 0.5 * (low + high), left = std::abs(at(middle) - at(low)),
                     right = std::abs(at(high) - at(middle));
        (left > right ? high : low) = middle;
        jump = std::max(left, right);
      }
      largest = std::max(largest, jump);
    }
    return largest;
  };
  EXPECT_LT(largest_jump(kTransparent), 1e-10);
  EXPECT_GT(largest_jump(kLineOfSight), 1e-4);
}

TEST(SurfelMotion, RenewedNodesGiveTheWeightsOfAllOfThemAndFewAreComputed) {
  Nodes nodes = lattice(10, 2.0);
  const HalfPlaneCrack crack(0.2);
  const auto surfels = sample_surface(scenes::icosphere(0.95, 4), {.radius = 0.1}).at(0);
  SurfelMotion motion(nodes.rest, nodes.supports, kTransparent);
  const std::int64_t all = motion.append(surfels, &crack).pairs;
  // One goes elsewhere, one sees farther, two come.
  nodes.rest.row(3) += Eigen::RowVector3d(0.05, 0.0, -0.02);
  nodes.supports[500] *= 1.4;
  nodes.rest.conservativeResize(nodes.rest.rows() + 2, 3);
  nodes.rest.bottomRows(2) << 0.5, 0.6, 0.1, -0.6, 0.5, -0.1;
  nodes.supports.insert(nodes.supports.end(), 2, nodes.supports[0]);
  const std::int64_t computed = motion.renew_nodes(nodes.rest, nodes.supports, crack).pairs;
  SurfelMotion fresh(nodes.rest, nodes.supports, kTransparent);
  fresh.append(surfels, &crack);
  ASSERT_EQ(motion.surfels().size(), fresh.surfels().size());
  for (std::size_t s = 0; s < surfels.size(); ++s) {
    ASSERT_THAT(motion.nodes_of(s), testing::ElementsAreArray(fresh.nodes_of(s)));
    ASSERT_THAT(motion.weights_of(s), testing::ElementsAreArray(fresh.weights_of(s)));
  }
  EXPECT_GT(computed, 0);
  EXPECT_LT(computed, all / 50);
}

TEST(SurfelMotion, UpdatesNearTheFrontAreThoseOfAllWeights) {
  const Nodes nodes = lattice(10, 2.0);
  const auto surfels = sample_surface(scenes::icosphere(0.95, 4), {.radius = 0.1}).at(0);
  const auto same = [](const SurfelMotion& a, const SurfelMotion& b) {
    int differing = 0;
    for (std::size_t s = 0; s < a.surfels().size(); ++s)
      differing += !std::equal(a.weights_of(s).begin(), a.weights_of(s).end(), b.weights_of(s).begin());
    return differing;
  };
  double front = -0.8;
  SurfelMotion grown(nodes.rest, nodes.supports, kTransparent);
  const HalfPlaneCrack start(front);
  const auto all = grown.append(surfels, &start);
  EXPECT_EQ(all.surfels, std::int64_t(surfels.size()));
  for (int k = 0; k < 5; ++k) {
    const HalfPlaneCrack now(front + 0.1);
    SurfelMotion anew(nodes.rest, nodes.supports, kTransparent);
    anew.append(surfels, &now);
    const int changed = same(grown, anew);
    const numerics::Box swept[] = {{Vector3(front, -9, 0), Vector3(front + 0.1, 9, 0)}};
    const auto counts = grown.update(now, swept);
    EXPECT_EQ(same(grown, anew), 0);
    EXPECT_GT(changed, 0);
    EXPECT_GE(counts.surfels, changed);
    EXPECT_LT(counts.surfels, all.surfels);
    front += 0.1;
  }
  const HalfPlaneCrack now(front);
  EXPECT_EQ(grown.update(now, {}).surfels, 0);
}

TEST(SurfelMotion, ASurfelThatSeesNoNodeGoesWithTheNearest) {
  Nodes nodes = lattice(3, 0.4);
  SurfelMotion motion(nodes.rest, nodes.supports, kTransparent);
  motion.append(std::vector<Surfel>{round_surfel({5, 5, 5}, Vector3::UnitX(), 0.1)}, nullptr);
  EXPECT_EQ(motion.unseen_count(), 1);
  Points u = Points::Zero(nodes.rest.rows(), 3);
  u.row(u.rows() - 1) << 1, 2, 3;
  const std::vector<Surfel> moved = motion.carried(u, std::vector<Matrix3>(nodes.supports.size(), Matrix3::Zero()));
  EXPECT_LT((moved[0].position - Vector3(6, 7, 8)).norm(), 1e-14);
}

}  // namespace
}  // namespace deformbench::meshless

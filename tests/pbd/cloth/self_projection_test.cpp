// SPDX-License-Identifier: BSD-3-Clause
// One contact projected, and many until they are satisfied.
#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "methods/pbd/cloth/point_triangle.hpp"
#include "methods/pbd/cloth/self_collision.hpp"
#include "tests/pbd/cloth/cloth_shapes.hpp"

namespace deformbench::pbd {
namespace {

using Gradients = Eigen::Matrix<double, 4, 3>;
constexpr double kGap = 0.3;

/// Vertex 0 against the triangle 1, 2, 3; `side` so that C < 0.
struct Pair {
  Points p{4, 3};
  Eigen::VectorXd inverse_masses{4};
  SelfContact contact{0, {1, 2, 3}, 1.0};

  explicit Pair(numerics::RandomStream& random) {
    do {
      for (Eigen::Index i = 0; i < 12; ++i) p.data()[i] = random.uniform(-1.0, 1.0);
    } while ((p.row(2) - p.row(1)).transpose().cross((p.row(3) - p.row(1)).transpose()).norm() < 0.3);
    for (int i = 0; i < 4; ++i) inverse_masses[i] = std::pow(10.0, random.uniform(-1.0, 1.0));
    Gradients g;
    const double height = self_constraint(contact, 0.0, SelfGradient::Full, p, g);
    contact.side = height > 0.0 && height > kGap ? -1.0 : 1.0;
  }
};

// [MHHR07] eq. 11, 12, App. A
TEST(SelfProjection, GradientsAgreeWithFiniteDifferences) {
  numerics::RandomStream random(21);
  double worst = 0.0;
  for (int round = 0; round < 200; ++round) {
    Pair pair(random);
    if (round % 2) pair.contact.side = -1.0;
    Gradients gradients, unused;
    self_constraint(pair.contact, kGap, SelfGradient::Full, pair.p, gradients);
    const double step = 1e-5;  // error of the difference about step² + 1e-16/step
    for (int i = 0; i < 4; ++i) {
      for (int k = 0; k < 3; ++k) {
        Points up = pair.p, down = pair.p;
        up(i, k) += step;
        down(i, k) -= step;
        const double difference = (self_constraint(pair.contact, kGap, SelfGradient::Full, up, unused) -
                                   self_constraint(pair.contact, kGap, SelfGradient::Full, down, unused)) /
                                  (2 * step);
        worst = std::max(worst, std::abs(gradients(i, k) - difference) / gradients.norm());
      }
    }
  }
  EXPECT_LT(worst, 1e-7);
  EXPECT_GT(worst, 0.0);
}

struct Momenta {
  Vector3 linear = Vector3::Zero(), angular = Vector3::Zero();
};

Momenta change_of(const Pair& before, const Points& after) {
  Momenta change;
  for (int i = 0; i < 4; ++i) {
    const Vector3 impulse = (after.row(i) - before.p.row(i)).transpose() / before.inverse_masses[i];
    change.linear += impulse;
    change.angular += Vector3(before.p.row(i).transpose()).cross(impulse);
  }
  return change;
}

TEST(SelfProjection, KeepsBothMomenta) {  // [MHHR07] §4.3, eq. 1, 2
  numerics::RandomStream random(22);
  double lost = 0.0;
  for (int round = 0; round < 300; ++round) {
    const Pair pair(random);
    for (const MassWeighting weighting : {MassWeighting::Corrected, MassWeighting::AsPrinted}) {
      Points p = pair.p;
      if (!project(pair.contact, kGap, pair.inverse_masses, SelfGradient::Full, weighting, p)) continue;
      const Momenta change = change_of(pair, p);
      EXPECT_LT(change.linear.norm(), 1e-12);
      EXPECT_LT(change.angular.norm(), 1e-12);
    }
    Points p = pair.p;
    if (!project(pair.contact, kGap, pair.inverse_masses, SelfGradient::ConstantNormal, MassWeighting::Corrected, p))
      continue;
    const Momenta change = change_of(pair, p);
    EXPECT_LT(change.linear.norm(), 1e-12);
    lost = std::max(lost, change.angular.norm());
  }
  EXPECT_GT(lost, 0.01);  // B-PBD-10: with a constant normal the angular momentum goes
}

TEST(SelfProjection, SolvesTheLinearisedConstraintWithCorrectedWeightsOnly) {  // B-PBD-1
  // Static triangle, free vertex over a point with barycentric coordinates b: as printed 4/(1 + Σb²) times too far.
  Points p(4, 3);
  const auto height_after = [&](double x, double y, MassWeighting weighting) {
    p << x, y, -0.1, 0, 0, 0, 1, 0, 0, 0, 1, 0;
    const Eigen::Vector4d inverse_masses(1, 0, 0, 0);
    EXPECT_TRUE(project({0, {1, 2, 3}, 1.0}, 0.2, inverse_masses, SelfGradient::Full, weighting, p));
    return p(0, 2);
  };
  EXPECT_NEAR(height_after(0.3, 0.3, MassWeighting::Corrected), 0.2, 1e-15);
  EXPECT_NEAR(height_after(1.0 / 3, 1.0 / 3, MassWeighting::AsPrinted), -0.1 + 3.0 * 0.3, 1e-14);
  EXPECT_NEAR(height_after(0.5, 0.5, MassWeighting::AsPrinted), -0.1 + 8.0 / 3.0 * 0.3, 1e-14);
  EXPECT_NEAR(height_after(0.0, 0.0, MassWeighting::AsPrinted), -0.1 + 2.0 * 0.3, 1e-14);
}

TEST(SelfProjection, DoesNothingWhereThereIsNothingToDo) {
  Points p(4, 3);
  p << 0.2, 0.2, 0.25, 0, 0, 0, 1, 0, 0, 0, 1, 0;
  const Points before = p;
  const SelfContact contact{0, {1, 2, 3}, 1.0};
  const Eigen::VectorXd free = Eigen::VectorXd::Ones(4), held = Eigen::VectorXd::Zero(4);
  EXPECT_EQ(project(contact, 0.25, free, SelfGradient::Full, MassWeighting::Corrected, p), 0.0);  // C = 0
  EXPECT_EQ(project(contact, 0.30, held, SelfGradient::Full, MassWeighting::Corrected, p), 0.0);  // all held
  EXPECT_EQ(p, before);
  p.row(3) = p.row(2);  // no normal
  const Points flat = p;
  EXPECT_EQ(project(contact, 0.30, free, SelfGradient::Full, MassWeighting::Corrected, p), 0.0);
  EXPECT_EQ(p, flat);
}

TEST(SelfProjection, AHeldVertexStaysBitForBit) {
  numerics::RandomStream random(23);
  int moved = 0;
  for (int round = 0; round < 50; ++round) {
    Pair pair(random);
    pair.inverse_masses[round % 4] = 0.0;
    const Points before = pair.p;
    moved +=
        project(pair.contact, kGap, pair.inverse_masses, SelfGradient::Full, MassWeighting::Corrected, pair.p) > 0.0;
    EXPECT_EQ(pair.p.row(round % 4), before.row(round % 4));
  }
  EXPECT_GT(moved, 20);
}

double least_distance(const pbd_test::Cloth& cloth, const Points& p, Eigen::Index split) {
  double least = 1e9;
  for (Eigen::Index t = 0; t < cloth.triangles.rows(); ++t) {
    for (Eigen::Index q = 0; q < p.rows(); ++q) {
      if ((q < split) == (cloth.triangles(t, 0) < split)) continue;
      least = std::min(least,
                       separation({p.row(q).transpose(), p.row(cloth.triangles(t, 0)).transpose(),
                                   p.row(cloth.triangles(t, 1)).transpose(), p.row(cloth.triangles(t, 2)).transpose()})
                           .distance);
    }
  }
  return least;
}

/// Two sheets, the upper one on its way down by `speed` metres in this step.
struct TwoSheets {
  static constexpr Eigen::Index kSplit = 81;
  static constexpr double kGap = 0.02;
  pbd_test::Cloth cloth = join(pbd_test::sheet(8, 8, 0.1), pbd_test::sheet(6, 6, 0.1));
  Points x, p;
  Eigen::VectorXd inverse_masses;
  std::vector<SelfContact> contacts;

  TwoSheets(double speed, numerics::RandomStream& random) {
    cloth.positions.bottomRows(49).rowwise() += Eigen::RowVector3d(0.083, 0.121, 0.04);
    x = pbd_test::shaken(cloth.positions, 0.004, random);
    p = pbd_test::shaken(x, 0.002, random);
    p.bottomRows(49).col(2).array() -= speed;
    inverse_masses = Eigen::VectorXd::Constant(p.rows(), 2.0);
    SelfCollision collision(cloth.triangles, p.rows(), kGap, cloth.positions);
    collision.find(x, p, contacts);
  }
  bool project_contacts() {
    bool is_moving = false;
    Gradients g;
    for (const SelfContact& contact : contacts) {
      if (self_constraint(contact, kGap, SelfGradient::Full, p, g) > -1e-3 * kGap) continue;
      is_moving |= project(contact, kGap, inverse_masses, SelfGradient::Full, MassWeighting::Corrected, p) > 0.0;
    }
    return is_moving;
  }
  void project_edges() {  // [MHHR07] eq. 9, 10, equal masses
    for (Eigen::Index t = 0; t < cloth.triangles.rows(); ++t) {
      for (Eigen::Index c = 0; c < 3; ++c) {
        const int a = cloth.triangles(t, c), b = cloth.triangles(t, (c + 1) % 3);
        const Eigen::RowVector3d way = p.row(b) - p.row(a);
        const double rest = (cloth.positions.row(b) - cloth.positions.row(a)).norm();
        p.row(a) += 0.5 * (1.0 - rest / way.norm()) * way;
        p.row(b) -= 0.5 * (1.0 - rest / way.norm()) * way;
      }
    }
  }
};

TEST(SelfProjection, TwoSheetsEndApartByTheThickness) {  // Fig. 5
  numerics::RandomStream random(24);
  for (const double speed : {0.03, 0.05, 0.08}) {  // of the order of an edge
    TwoSheets sheets(speed, random);
    const Eigen::RowVector3d before = sheets.p.colwise().sum();
    int iterations = 0;
    while (sheets.project_contacts() && iterations < 2000) ++iterations;
    EXPECT_LT(iterations, 2000);
    // Every contact is within 1e-3 h of being satisfied; the closest pair may lie beside a tilted triangle: as much
    // again.
    EXPECT_GE(least_distance(sheets.cloth, sheets.p, TwoSheets::kSplit), TwoSheets::kGap * (1.0 - 2e-3)) << speed;
    EXPECT_LT((sheets.p.colwise().sum() - before).norm(), 1e-12);
  }
}

TEST(SelfProjection, ASheetOfTwoAndAHalfEdgesAStepDoesNotGetThrough) {
  numerics::RandomStream random(25);
  for (const double speed : {0.1, 0.2, 0.25}) {
    TwoSheets sheets(speed, random);
    for (int iteration = 0; iteration < 100; ++iteration) {
      sheets.project_edges();
      sheets.project_contacts();
    }
    const auto low = sheets.p.topRows(TwoSheets::kSplit), high = sheets.p.bottomRows(49);
    EXPECT_GT(high.col(2).mean() - low.col(2).mean(), 0.5 * TwoSheets::kGap) << speed;
    EXPECT_GT(least_distance(sheets.cloth, sheets.p, TwoSheets::kSplit), 0.5 * TwoSheets::kGap) << speed;
  }
}

}  // namespace
}  // namespace deformbench::pbd

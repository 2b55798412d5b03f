// SPDX-License-Identifier: BSD-3-Clause
// Impulses of single contacts. [B05] §11
#include "methods/collision/contact_impulses.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "methods/numerics/random.hpp"

namespace deformbench::collision {
namespace {

using numerics::RandomStream;

struct Case {
  Points positions, velocities, mobility;
  Eigen::VectorXd masses;
  Contact contact;
};

/// Four vertices in contact, masses over four decades; bit k of `held` holds vertex k.
Case in_contact(RandomStream& random, bool is_point, unsigned held) {
  Case c{Points(4, 3), Points(4, 3), Points(4, 3), Eigen::VectorXd(4), {{0, 1, 2, 3}, {}, random.direction()}};
  for (Eigen::Index k = 0; k < 4; ++k) {
    c.masses[k] = std::pow(10.0, random.uniform(-2.0, 2.0));
    c.mobility.row(k).setConstant((held >> k & 1u) ? 0.0 : 1.0 / c.masses[k]);
    for (int d = 0; d < 3; ++d) {
      c.positions(k, d) = random.uniform(-1.0, 1.0);
      c.velocities(k, d) = (held >> k & 1u) ? 0.0 : random.uniform(-1.0, 1.0);
    }
  }
  const double u = random.uniform(), w = random.uniform();
  if (is_point) {
    const double s = std::sqrt(u);
    c.contact.weights = {1.0, s - 1.0, -s * (1.0 - w), -s * w};
  } else {
    c.contact.weights = {1.0 - u, u, w - 1.0, -w};
  }
  // Into contact: the first vertex moves by the gap over its own weight.
  const Vector3 gap = relative_velocity(c.contact, c.positions);
  c.positions.row(0) -= gap.transpose() / c.contact.weights[0];
  return c;
}

TEST(ContactImpulses, ChangeTheInterpolatedPointAsRequiredAndKeepBothMomenta) {
  for (unsigned held = 0; held < 15; ++held)
    for (int n = 0; n < 200; ++n) {
      RandomStream random(3, std::uint64_t(n));
      Case c = in_contact(random, n % 2 == 0, held);
      const Points before = c.velocities;
      const double change = random.uniform(0.1, 2.0);
      const Vector3 wanted = relative_velocity(c.contact, before) + change * c.contact.normal;
      apply_impulse(c.contact, c.contact.normal, change, c.mobility, c.velocities);
      if (!(inverse_mass(c.contact, c.contact.normal, c.mobility) > 1e-12)) continue;
      EXPECT_NEAR((relative_velocity(c.contact, c.velocities) - wanted).norm(), 0.0, 1e-11);
      Vector3 p = Vector3::Zero(), l = p;
      double scale = 0.0;
      for (Eigen::Index k = 0; k < 4; ++k) {
        const Vector3 impulse = c.masses[k] * (c.velocities.row(k) - before.row(k)).transpose();
        if (held >> k & 1u) {
          EXPECT_EQ(impulse.norm(), 0.0);
        }
        p += impulse;
        l += Vector3(c.positions.row(k).transpose()).cross(impulse);
        scale += c.masses[k] * (before.row(k).norm() + c.velocities.row(k).norm()) * (1.0 + c.positions.row(k).norm());
      }
      if (held != 0) continue;
      EXPECT_LE(p.norm(), 1e-13 * scale);
      EXPECT_LE(l.norm(), 1e-12 * scale);
    }
}

TEST(ContactImpulses, EndAnApproachAndLeaveAPartingAlone) {
  RandomStream random(4);
  Case c = in_contact(random, true, 0);
  if (c.contact.normal.dot(relative_velocity(c.contact, c.velocities)) > 0.0) c.contact.normal *= -1.0;
  const Points before = c.velocities;
  Contact parting = c.contact;
  parting.normal *= -1.0;
  EXPECT_FALSE(stop_approach(parting, 0.5, c.mobility, c.velocities));
  EXPECT_EQ(c.velocities, before);
  EXPECT_TRUE(stop_approach(c.contact, 0.0, c.mobility, c.velocities));
  EXPECT_NEAR(c.contact.normal.dot(relative_velocity(c.contact, c.velocities)), 0.0, 1e-13);
}

TEST(ContactImpulses, FrictionTakesNoMoreThanItsShareAndNoMoreThanThereIs) {
  Case c{Points::Zero(4, 3), Points::Zero(4, 3), Points::Ones(4, 3), Eigen::VectorXd::Ones(4), {}};
  c.contact = {{0, 1, 2, 3}, {1.0, -0.25, -0.5, -0.25}, Vector3::UnitZ()};
  c.velocities.row(0) << 3.0, 0.0, -2.0;
  Points light = c.velocities, heavy = c.velocities;
  stop_approach(c.contact, 0.25, c.mobility, light);
  EXPECT_NEAR((relative_velocity(c.contact, light) - Vector3(2.5, 0, 0)).norm(), 0.0, 1e-14);
  stop_approach(c.contact, 10.0, c.mobility, heavy);
  EXPECT_NEAR(relative_velocity(c.contact, heavy).norm(), 0.0, 1e-14);
}

TEST(ContactImpulses, ARepulsionIsASpringThatPartsNoFasterThanATenthOfTheOverlap) {
  Case c{Points::Zero(4, 3), Points::Zero(4, 3), Points::Ones(4, 3), Eigen::VectorXd::Ones(4), {}};
  c.contact = {{0, 1, 2, 3}, {0.5, 0.5, -0.5, -0.5}, Vector3::UnitZ()};  // Σ w²/m = 1
  const double h = 0.01, overlap = 1e-3;
  Points v = c.velocities;
  v(0, 2) = v(1, 2) = -0.3;
  EXPECT_TRUE(repel(c.contact, overlap, 0.5, 0.0, h, c.mobility, v));
  EXPECT_NEAR(relative_velocity(c.contact, v)[2], h * 0.5 * overlap, 1e-16);
  EXPECT_TRUE(repel(c.contact, overlap, 1e9, 0.0, h, c.mobility, v));
  EXPECT_NEAR(relative_velocity(c.contact, v)[2], 0.1 * overlap / h, 1e-16);
  EXPECT_FALSE(repel(c.contact, overlap, 1e9, 0.0, h, c.mobility, v));
  EXPECT_FALSE(repel(c.contact, -overlap, 1e9, 0.0, h, c.mobility, v));
}

}  // namespace
}  // namespace deformbench::collision

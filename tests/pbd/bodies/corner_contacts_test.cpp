// SPDX-License-Identifier: BSD-3-Clause
// Corners of bodies against triangles. [MHHR07] §4.2
#include "tests/pbd/bodies/bodies_fixture.hpp"

namespace deformbench::pbd {
namespace {

Triangles one_triangle() {
  Triangles triangles(1, 3);
  triangles << 0, 1, 2;
  return triangles;
}

/// A large triangle at height y, normal up or down.
Points at_height(double y, bool is_up = true) {
  Points x(3, 3);
  x << -3, y, -3, 3, y, -3, 0, y, 4;
  if (is_up) x.row(0).swap(x.row(1));
  return x;
}

std::vector<CornerContact> contacts_of(const Scene& scene, const Points& x, const Points& p, const model::Pose& before,
                                       const model::Pose& after, const PbdOptions& options = {}) {
  std::vector<CornerContact> contacts;
  find_corner_contacts(scene, one_triangle(), x, p, {{&before, 1}, {&after, 1}, 0.01}, options, contacts);
  return contacts;
}

PbdOptions with_detection(Detection detection, double offset = 0.0) {
  PbdOptions options;
  options.detection = detection;
  options.contact_offset = offset;
  return options;
}

TEST(CornerContacts, ASmallBoxThatPassesALargeTriangleTouchesWithItsCorners) {
  const Scene scene = scene_of({body_of(box({0.1, 0.1, 0.1}), 1.0)});
  for (const bool is_up : {true, false}) {
    for (const Detection detection : {Detection::Continuous, Detection::ContinuousThenStatic}) {
      const Points x = at_height(0, is_up);
      const auto contacts = contacts_of(scene, x, x, {{0, 0.15, 0}, Matrix3::Identity()},
                                        {{0, 0.05, 0}, Matrix3::Identity()}, with_detection(detection));
      ASSERT_EQ(contacts.size(), 4u);
      for (const CornerContact& contact : contacts) {
        EXPECT_EQ(contact.corner.y(), -0.1);
        EXPECT_EQ(contact.side, is_up ? 1.0 : -1.0);
      }
    }
  }
}

TEST(CornerContacts, ATriangleThatSweepsOverARestingBoxDoesToo) {
  const Scene scene = scene_of({body_of(box({0.1, 0.1, 0.1}), 1.0)});
  const model::Pose rest;
  const auto contacts =
      contacts_of(scene, at_height(0.5), at_height(-0.5), rest, rest, with_detection(Detection::Continuous));
  ASSERT_EQ(contacts.size(), 8u);  // right through: each corner was below it
  for (const CornerContact& contact : contacts) EXPECT_EQ(contact.side, -1.0);
}

TEST(CornerContacts, AreFoundInTheFrameOfTheBodyWhereverThatIs) {
  RandomStream random(4);
  const Scene scene = scene_of({body_of(box({0.2, 0.1, 0.15}), 1.0)});
  int seen = 0;
  for (int k = 0; k < 300; ++k) {
    Points a(3, 3), b(3, 3);
    for (int i = 0; i < 3; ++i) {
      a.row(i) = random_in_cube(random, 0.5);
      b.row(i) = Vector3(a.row(i)) + random_in_cube(random, 0.2);
    }
    const model::Pose rest, before{random_in_cube(random, 2), random.rotation()};
    const model::Pose after{random_in_cube(random, 2), random.rotation()};
    Points x = (a * before.orientation.transpose()).rowwise() + before.position.transpose();
    Points p = (b * after.orientation.transpose()).rowwise() + after.position.transpose();
    const auto expected = contacts_of(scene, a, b, rest, rest, with_detection(Detection::ContinuousThenStatic, 0.01));
    const auto contacts =
        contacts_of(scene, x, p, before, after, with_detection(Detection::ContinuousThenStatic, 0.01));
    ASSERT_EQ(contacts.size(), expected.size());
    for (std::size_t c = 0; c < contacts.size(); ++c) {
      EXPECT_EQ(contacts[c].corner, expected[c].corner);
      EXPECT_EQ(contacts[c].side, expected[c].side);
    }
    seen += int(contacts.size());
  }
  EXPECT_GT(seen, 50);
}

/// Every pair tested without a search: what the continuous test must find, and that the search leaves nothing out.
TEST(CornerContacts, AreAllThatDenseSamplingFinds) {
  RandomStream random(9);
  const Scene scene = scene_of({body_of(box({0.2, 0.1, 0.15}), 1.0)});
  const model::Pose rest;
  int crossings = 0;
  for (int k = 0; k < 500; ++k) {
    Points a(3, 3), b(3, 3);
    for (int i = 0; i < 3; ++i) {
      a.row(i) = random_in_cube(random, 0.6);
      b.row(i) = Vector3(a.row(i)) + random_in_cube(random, 0.3);
    }
    const auto contacts = contacts_of(scene, a, b, rest, rest, with_detection(Detection::Continuous));
    for (int corner = 0; corner < 8; ++corner) {
      const Vector3 q(corner & 1 ? 0.2 : -0.2, corner & 2 ? 0.1 : -0.1, corner & 4 ? 0.15 : -0.15);
      int found = 0;
      for (const CornerContact& contact : contacts) found += contact.corner == q;
      const int steps = 2000;
      double last = 0, least_margin = 1;
      bool crosses = false;
      for (int s = 0; s <= steps; ++s) {
        const Points x = a + double(s) / steps * (b - a);
        const Vector3 e1 = x.row(1) - x.row(0), e2 = x.row(2) - x.row(0), d = q - Vector3(x.row(0)), n = e1.cross(e2);
        const double height = d.dot(n), u = d.cross(e2).dot(n) / n.squaredNorm(),
                     v = e1.cross(d).dot(n) / n.squaredNorm();
        if (s > 0 && (height < 0) != (last < 0)) {
          least_margin = std::min({u, v, 1 - u - v});
          crosses |= least_margin >= 0;
        }
        last = height;
      }
      if (std::abs(least_margin) < 1e-2) continue;  // at an edge of the triangle sampling cannot tell
      EXPECT_EQ(found, crosses ? 1 : 0) << k << " " << corner;
      crossings += crosses;
    }
  }
  EXPECT_GT(crossings, 30);
}

TEST(CornerContacts, TheOffsetHoldsCornersApartWithoutACrossing) {
  const Scene scene = scene_of({body_of(box({0.1, 0.1, 0.1}), 1.0)});
  const Points x = at_height(0);
  const model::Pose before{{0, 0.13, 0}, Matrix3::Identity()}, after{{0, 0.11, 0}, Matrix3::Identity()};
  EXPECT_EQ(contacts_of(scene, x, x, before, after, with_detection(Detection::ContinuousThenStatic, 0.02)).size(), 4u);
  EXPECT_EQ(contacts_of(scene, x, x, before, after, with_detection(Detection::ContinuousThenStatic, 0.005)).size(), 0u);
}

TEST(CornerContacts, ACornerThatPokedThroughIsBroughtBackUnlessContinuousOnly) {
  const Scene scene = scene_of({body_of(box({0.1, 0.1, 0.1}), 1.0)});
  const Points x = at_height(0);  // the body is above, its lower corners 2 cm below the triangle
  const model::Pose pose{{0, 0.08, 0}, Matrix3::Identity()};
  const auto contacts = contacts_of(scene, x, x, pose, pose, with_detection(Detection::ContinuousThenStatic));
  ASSERT_EQ(contacts.size(), 4u);
  for (const CornerContact& contact : contacts) EXPECT_EQ(contact.side, 1.0);
  EXPECT_TRUE(contacts_of(scene, x, x, pose, pose, with_detection(Detection::Continuous)).empty());
}

TEST(CornerContacts, BallsAndSmoothMeshesHaveNoCornersHullsHave) {
  const Scene scene =
      scene_of({body_of(sphere(1)), body_of(capsule(1, 1)), body_of(box({1, 1, 1})),
                body_of(mesh_shape(model::surface_of(box({1, 1, 1})))), body_of(mesh_shape(terrain(8, 0.0)))});
  const BodyShapes shapes(scene);
  EXPECT_EQ(shapes.corners(0).size(), 0u);
  EXPECT_EQ(shapes.corners(1).size(), 0u);
  EXPECT_EQ(shapes.corners(2).size(), 8u);
  EXPECT_EQ(shapes.corners(3).size(), 8u);
  EXPECT_EQ(shapes.corners(4).size(), 0u);
}

/// PBD-22: a small cube falls on one coarse triangle whose corners are held.
TEST(CornerContacts, ASmallCubeLiesOnACoarseTriangleAndFallsThroughWithoutThem) {
  for (const bool with_corners : {true, false}) {
    Scene scene = scene_of({body_of(box({0.1, 0.1, 0.1}), 1.0, {0, 0.3, 0})});
    scene.gravity = {0, -9.81, 0};
    RigidBodies bodies(scene);
    Points x = at_height(0);
    const Eigen::VectorXd w = Eigen::VectorXd::Zero(3);
    std::vector<CornerContact> contacts;
    const PbdOptions options;
    for (int n = 0; n < 300; ++n) {
      bodies.predict(n * 0.01, 0.01);
      if (with_corners) find_corner_contacts(scene, one_triangle(), x, x, bodies.motion(), options, contacts);
      for (int k = 0; k < 10; ++k)
        for (const CornerContact& contact : contacts) bodies.project(contact, w, options, x);
      bodies.finish();
    }
    const double y = bodies.states()[0].position.y();
    if (with_corners) {
      EXPECT_NEAR(y, 0.1, 5e-3);
    } else {
      EXPECT_LT(y, -10);
    }
  }
}

}  // namespace
}  // namespace deformbench::pbd

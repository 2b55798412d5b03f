// SPDX-License-Identifier: BSD-3-Clause
// Where vertices meet bodies, continuous and static. [MHHR07] §3.4
#include "methods/pbd/bodies/body_contacts.hpp"

#include "tests/pbd/bodies/bodies_fixture.hpp"

namespace deformbench::pbd {
namespace {

PbdOptions with(Detection detection, double offset = 0.0) {
  PbdOptions options;
  options.detection = detection;
  options.contact_offset = offset;
  options.recovery_speed = 0.0;  // at once
  return options;
}

std::vector<model::Shape> all_shapes() {
  return {sphere(0.6), capsule(0.4, 0.5), box({0.5, 0.7, 0.3}), mesh_shape(dented_ball())};
}

double height_over(const BodyContact& contact, const Vector3& point) {
  return (point - contact.point).dot(contact.normal);
}

/// First time at which the way, seen from the body, is nearer than the offset: by small steps.
double first_touch(const model::Shape& shape, const Vector3& a, const Vector3& b, double offset, int steps) {
  Vector3 closest, normal;
  for (int k = 0; k <= steps; ++k) {
    const double time = double(k) / steps;
    if (model::signed_distance(shape, a + time * (b - a), closest, normal) < offset) return time;
  }
  return 2;
}

TEST(BodyContacts, ContinuousIsTheFirstTouchOfTheWaySampledDensely) {
  RandomStream random(1);
  for (const double offset : {0.0, 0.05}) {
    for (const model::Shape& shape : all_shapes()) {
      if (shape.kind == model::ShapeKind::Mesh && offset > 0) continue;  // enters the surface itself; see below
      const Scene scene = scene_of({body_of(shape)});
      const BodyShapes kept(scene);
      const std::vector<model::Pose> poses(1);
      const bool is_mesh = shape.kind == model::ShapeKind::Mesh;
      const int steps = is_mesh ? 400 : 4000;
      int touched = 0;
      for (int k = 0; k < (is_mesh ? 60 : 400); ++k) {
        const Vector3 x = random_in_cube(random, 1.5), p = random_in_cube(random, 1.5);
        Vector3 closest, normal;
        if (model::signed_distance(shape, x, closest, normal) < offset + 1e-6) continue;
        const double time = first_touch(shape, x, p, offset, steps);
        const auto contacts =
            violated(contacts_of(scene, x, p, {poses, poses, 0.01}, with(Detection::Continuous, offset)), p);
        const double depth_seen = (p - x).norm() / steps;  // what sampling may miss: a graze shorter than its step
        if (time > 1) {
          if (!contacts.empty()) {
            double least = 1e9;
            for (int i = 0; i <= steps; ++i)
              least = std::min(least, model::signed_distance(shape, x + double(i) / steps * (p - x), closest, normal));
            EXPECT_LT(least, offset + depth_seen);
          }
          continue;
        }
        ASSERT_FALSE(contacts.empty());
        const BodyContact* entry = nullptr;
        for (const BodyContact& contact : contacts)
          if (contact.is_continuous && (entry == nullptr || height_over(contact, x) >= 0)) entry = &contact;
        ASSERT_NE(entry, nullptr);
        ++touched;
        const Vector3 expected = x + time * (p - x);
        bool found = false;  // in a dent a second contact may come first, being deeper
        for (const BodyContact& contact : contacts) found |= (contact.point - expected).norm() < 2 * depth_seen + 1e-8;
        EXPECT_TRUE(found);
        for (const BodyContact& contact : contacts) {
          EXPECT_NEAR(contact.normal.norm(), 1, 1e-14);
          EXPECT_LT(height_over(contact, p), 1e-9);
        }
      }
      EXPECT_GT(touched, is_mesh ? 15 : 80);
    }
  }
}

TEST(BodyContacts, OfAMovingBodyAreThoseOfABodyAtRestInItsFrame) {
  RandomStream random(2);
  for (const model::Shape& shape : all_shapes()) {
    const Scene scene = scene_of({body_of(shape)});
    const std::vector<model::Pose> rest(1);
    for (int k = 0; k < 200; ++k) {
      const std::vector<model::Pose> before{{random_in_cube(random, 2), random.rotation()}};
      const std::vector<model::Pose> after{{random_in_cube(random, 2), random.rotation()}};
      const Vector3 a = random_in_cube(random, 1.2), b = random_in_cube(random, 1.2);
      const auto at = [](const model::Pose& pose, const Vector3& y) -> Vector3 {
        return pose.position + pose.orientation * y;
      };
      const PbdOptions options = with(Detection::ContinuousThenStatic, 0.02);
      const auto expected = contacts_of(scene, a, b, {rest, rest, 0.01}, options);
      const auto contacts = contacts_of(scene, at(before[0], a), at(after[0], b), {before, after, 0.01}, options);
      ASSERT_EQ(contacts.size(), expected.size());
      for (std::size_t c = 0; c < contacts.size(); ++c) {
        EXPECT_LT((contacts[c].point - at(after[0], expected[c].point)).norm(), 1e-8);
        EXPECT_LT((contacts[c].normal - after[0].orientation * expected[c].normal).norm(), 1e-7);
        EXPECT_LT((contacts[c].body_point - expected[c].point).norm(), 1e-8);
        const Vector3 moved = contacts[c].point - at(before[0], contacts[c].body_point);
        EXPECT_LT((contacts[c].surface_velocity - moved / 0.01).norm(), 1e-9);
      }
    }
  }
}

TEST(BodyContacts, StaticIsTheClosestPointOfTheSurfaceGrownByTheOffset) {
  RandomStream random(3);
  for (const model::Shape& shape : all_shapes()) {
    const Scene scene = scene_of({body_of(shape)});
    const std::vector<model::Pose> rest(1);
    int inside = 0;
    for (int k = 0; k < 300; ++k) {
      const Vector3 p = random_in_cube(random, 0.9);
      Vector3 closest, normal;
      const double distance = model::signed_distance(shape, p, closest, normal);
      const auto contacts =
          contacts_of(scene, p + Vector3(0, 5, 0), p, {rest, rest, 0.01}, with(Detection::Static, 0.03));
      ASSERT_EQ(contacts.empty(), distance >= 0.03);
      if (contacts.empty()) continue;
      ++inside;
      EXPECT_FALSE(contacts[0].is_continuous);
      EXPECT_LT((contacts[0].point - closest - 0.03 * normal).norm(), 1e-12);
      EXPECT_NEAR(height_over(contacts[0], p), distance - 0.03, 1e-12);
    }
    EXPECT_GT(inside, 30);
  }
}

TEST(BodyContacts, StaticComesWhenTheWayBeginsInside) {
  for (const model::Shape& shape : all_shapes()) {
    const Scene scene = scene_of({body_of(shape)});
    const std::vector<model::Pose> rest(1);
    const Vector3 x(0.02, 0.03, 0.1), p(0.02, 0.03, 0.15);
    EXPECT_TRUE(contacts_of(scene, x, p, {rest, rest, 0.01}, with(Detection::Continuous)).empty());
    const auto contacts = contacts_of(scene, x, p, {rest, rest, 0.01}, with(Detection::ContinuousThenStatic));
    ASSERT_EQ(contacts.size(), 1u);
    EXPECT_FALSE(contacts[0].is_continuous);
    Vector3 closest, normal;
    model::signed_distance(shape, p, closest, normal);
    EXPECT_LT((contacts[0].point - closest).norm(), 1e-12);
  }
}

TEST(BodyContacts, APlaneIsEnteredWhereTheWayCrossesIt) {
  Scene scene = scene_of({});
  scene.colliders.push_back({Vector3(0, 1, 0), 0.5, 0.3, 0.2});
  const auto contacts = contacts_of(scene, {0, 1.5, 0}, {1, -0.5, 0}, {{}, {}, 0.01}, with(Detection::Continuous, 0.1));
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_EQ(contacts[0].body, -1);
  EXPECT_TRUE(contacts[0].is_continuous);
  EXPECT_LT((contacts[0].point - Vector3(0.45, 0.6, 0)).norm(), 1e-9);
  EXPECT_EQ(contacts[0].normal, Vector3(0, 1, 0));
  EXPECT_EQ(contacts[0].friction, 0.3);
  EXPECT_EQ(contacts[0].restitution, 0.2);
  EXPECT_TRUE(contacts_of(scene, {0, 1.9, 0}, {1, 1.7, 0}, {{}, {}, 0.01}, with(Detection::Continuous, 0.1)).empty());
}

TEST(BodyContacts, AVertexThatLeavesIsGuardedWhileTheSurfaceIsNear) {
  std::vector<model::Shape> shapes = all_shapes();
  shapes.push_back(mesh_shape(terrain(12)));
  for (const model::Shape& shape : shapes) {
    const Scene scene = scene_of({body_of(shape)});
    const std::vector<model::Pose> rest(1);
    Vector3 closest, normal;
    model::signed_distance(shape, {0.11, 1.2, 0.07}, closest, normal);
    const Vector3 x = closest + 0.01 * normal, along = 0.03 * normal.unitOrthogonal(), p = x + along;
    const auto contacts = contacts_of(scene, x, p, {rest, rest, 0.01}, with(Detection::Continuous));
    ASSERT_EQ(contacts.size(), 1u);
    EXPECT_TRUE(violated(contacts, p).empty());
    Vector3 closest_to_p;
    EXPECT_GT(model::signed_distance(shape, p, closest_to_p, normal), 0);
    EXPECT_LT((contacts[0].point - closest_to_p).norm(), 1e-9);
    EXPECT_TRUE(contacts_of(scene, x + 0.2 * normal, p + 0.2 * normal, {rest, rest, 0.01}).empty());
  }
}

// [MHHR07] §3.4 to the letter.
TEST(BodyContacts, WithoutTheGuardAVertexThatIsOnlyNearHasNone) {
  PbdOptions options = with(Detection::ContinuousThenStatic);
  options.contact_guard = false;
  std::vector<model::Shape> shapes = all_shapes();
  shapes.push_back(mesh_shape(terrain(12)));
  for (const model::Shape& shape : shapes) {
    const Scene scene = scene_of({body_of(shape)});
    const std::vector<model::Pose> rest(1);
    Vector3 closest, normal;
    model::signed_distance(shape, {0.11, 1.2, 0.07}, closest, normal);
    const Vector3 x = closest + 0.01 * normal, along = 0.03 * normal.unitOrthogonal();
    EXPECT_TRUE(contacts_of(scene, x, x + along, {rest, rest, 0.01}, options).empty());
    EXPECT_TRUE(contacts_of(scene, x, x + 0.05 * normal, {rest, rest, 0.01}, options).empty());
  }
}

TEST(BodyContacts, WithoutTheGuardAVertexThatEntersHasTheEntryPointAndOneInsideTheClosestPoint) {
  PbdOptions options = with(Detection::ContinuousThenStatic);
  options.contact_guard = false;
  const Scene scene = scene_of({body_of(box({1, 0.1, 1}))});
  const std::vector<model::Pose> rest(1);
  auto contacts = contacts_of(scene, {0, 0.3, 0}, {0.4, -0.1, 0}, {rest, rest, 0.01}, options);
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_TRUE(contacts[0].is_continuous);
  EXPECT_LT((contacts[0].point - Vector3(0.2, 0.1, 0)).norm(), 1e-9);
  // From the surface: there it enters, whatever side is nearest at the end.
  contacts = contacts_of(scene, {0, 0.1, 0}, {0.1, -0.08, 0}, {rest, rest, 0.01}, options);
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_LT((contacts[0].point - Vector3(0, 0.1, 0)).norm(), 1e-9);
  EXPECT_EQ(contacts[0].normal, Vector3(0, 1, 0));
  // Inside from the start: the point of the surface closest to p, the far side as well.
  contacts = contacts_of(scene, {0, 0.09, 0}, {0.1, -0.08, 0}, {rest, rest, 0.01}, options);
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_FALSE(contacts[0].is_continuous);
  EXPECT_LT((contacts[0].point - Vector3(0.1, -0.1, 0)).norm(), 1e-9);
}

TEST(BodyContacts, HeldVerticesHaveNone) {
  Scene scene = scene_of({body_of(sphere(1))});
  scene.colliders.push_back({});
  const std::vector<model::Pose> rest(1);
  std::vector<BodyContact> contacts;
  Points x(1, 3), p(1, 3);
  x << 0, 2, 0;
  p << 0, -2, 0;
  find_body_contacts(scene, x, p, Eigen::VectorXd::Zero(1), {rest, rest, 0.01}, {}, contacts);
  EXPECT_TRUE(contacts.empty());
}

TEST(BodyContacts, TheDeepestOfAVertexComesFirst) {
  Scene scene = scene_of({body_of(box({1, 0.1, 1}))});
  scene.colliders.push_back({Vector3(0, 1, 0), -0.2, 0, 0});
  const std::vector<model::Pose> rest(1);
  const auto contacts = contacts_of(scene, {0, 1, 0}, {0, -0.5, 0}, {rest, rest, 0.01});
  ASSERT_EQ(contacts.size(), 2u);
  EXPECT_EQ(contacts[0].body, 0);
  EXPECT_LT(height_over(contacts[0], {0, -0.5, 0}), height_over(contacts[1], {0, -0.5, 0}));
}

/// Falls, touches, and is pushed by its own gravity for many steps: always in contact, never off the surface.
TEST(BodyContacts, AVertexAtRestStaysInContactEveryStep) {
  const auto push_down = 9.81e-4;
  for (const Detection detection : {Detection::Continuous, Detection::Static, Detection::ContinuousThenStatic}) {
    for (const double offset : {0.0, 0.01}) {
      std::vector<model::Shape> shapes = all_shapes();
      shapes.push_back(mesh_shape(terrain(12)));
      for (const model::Shape& shape : shapes) {
        const Scene scene = scene_of({body_of(shape)});
        BodyShapes kept(scene);
        const std::vector<model::Pose> rest(1);
        Vector3 closest, normal, x(0.013, 0.9, 0.017);
        model::signed_distance(shape, x, closest, normal);
        if (shape.kind == model::ShapeKind::Mesh) {  // amid a triangle: on a ridge it would slide
          const auto corner = [&](int k) -> Vector3 { return shape.mesh.positions.row(shape.mesh.triangles(117, k)); };
          closest = (corner(0) + corner(1) + corner(2)) / 3;
          normal = (corner(1) - corner(0)).cross(corner(2) - corner(0)).normalized();
        }
        x = closest + offset * normal;
        const Vector3 start = x, down = normal;
        for (int step = 0; step < 200; ++step) {
          const Vector3 p = x - push_down * down;
          const auto contacts = contacts_of(scene, x, p, {rest, rest, 0.01, &kept}, with(detection, offset));
          ASSERT_FALSE(contacts.empty()) << int(shape.kind) << " step " << step << " offset " << offset;
          x = p;
          for (const BodyContact& contact : contacts) x -= std::min(0.0, height_over(contact, x)) * contact.normal;
          ASSERT_LT((x - start).norm(), 1e-6);
        }
      }
    }
  }
}

TEST(BodyContacts, AThinBodyIsNotLeftThroughItsFarSide) {
  const Scene scene = scene_of({body_of(box({1, 0.01, 1}))});
  const std::vector<model::Pose> rest(1);
  // In the skin of the upper side, on its way far below; and inside already, below the middle at the end.
  for (const double start : {0.012, 0.009}) {
    for (const double end : {-0.008, -0.5}) {
      if (start < 0.01 && end < -0.01) continue;  // came out by itself: no longer inside
      const auto contacts = contacts_of(scene, {0, start, 0}, {0, end, 0}, {rest, rest, 0.01},
                                        with(Detection::ContinuousThenStatic, start > 0.01 ? 0.005 : 0.0));
      ASSERT_EQ(contacts.size(), 1u);
      EXPECT_EQ(contacts[0].normal, Vector3(0, 1, 0));
    }
  }
}

TEST(BodyContacts, InAValleyBothSidesHold) {
  model::TriangleMesh valley;  // two planes at 45° that meet along the z axis
  valley.positions.resize(6, 3);
  valley.positions << -1, 1, -1, -1, 1, 1, 0, 0, -1, 0, 0, 1, 1, 1, -1, 1, 1, 1;
  valley.triangles.resize(4, 3);
  valley.triangles << 0, 1, 3, 0, 3, 2, 2, 3, 5, 2, 5, 4;
  const Scene scene = scene_of({body_of(mesh_shape(valley))});
  const std::vector<model::Pose> rest(1);
  const auto contacts = contacts_of(scene, {0.01, 0.5, 0}, {0.02, -0.5, 0}, {rest, rest, 0.01});
  ASSERT_EQ(contacts.size(), 2u);
  EXPECT_NEAR(contacts[0].normal.dot(contacts[1].normal), 0, 1e-12);
}

TEST(BodyContacts, BehindAnOpenMeshOnlyWhatCameThroughIsBroughtBack) {
  const Scene scene = scene_of({body_of(mesh_shape(terrain(12, 0.0)))});  // flat, [−1, 1]²
  const std::vector<model::Pose> rest(1);
  const auto count = [&](BodyShapes* kept, const Vector3& x, const Vector3& p) {
    return violated(contacts_of(scene, x, p, {rest, rest, 0.01, kept}), p).size();
  };
  {  // was in front, is found behind a little, as after a step whose iterations did not converge
    BodyShapes kept(scene);
    EXPECT_EQ(count(&kept, {0.1, 0.02, 0.1}, {0.1, 0.01, 0.1}), 0u);
    EXPECT_EQ(count(&kept, {0.1, -0.1, 0.1}, {0.1, -0.11, 0.1}), 1u);
    EXPECT_EQ(count(&kept, {0.1, -0.11, 0.1}, {0.1, -0.3, 0.1}), 1u);
  }
  {  // starts behind: belongs there, may come to the front, and is then held there
    BodyShapes kept(scene);
    EXPECT_EQ(count(&kept, {0.1, -0.1, 0.1}, {0.1, -0.11, 0.1}), 0u);
    EXPECT_EQ(count(&kept, {0.1, -0.11, 0.1}, {0.1, -0.001, 0.1}), 0u);
    EXPECT_EQ(count(&kept, {0.1, -0.001, 0.1}, {0.1, 0.001, 0.1}), 0u);
    EXPECT_EQ(count(&kept, {0.1, 0.001, 0.1}, {0.1, -0.001, 0.1}), 1u);
  }
  {  // goes round the border
    BodyShapes kept(scene);
    EXPECT_EQ(count(&kept, {0.95, 0.1, 0}, {1.05, 0.05, 0}), 0u);
    EXPECT_EQ(count(&kept, {1.05, 0.05, 0}, {1.05, -0.1, 0}), 0u);
    EXPECT_EQ(count(&kept, {1.05, -0.1, 0}, {0.95, -0.05, 0}), 0u);
    EXPECT_EQ(count(&kept, {0.95, -0.05, 0}, {0.9, -0.04, 0}), 0u);
  }
  // Nothing kept: what is far behind is left alone.
  EXPECT_EQ(count(nullptr, {0.1, -0.9, 0.1}, {0.1, -0.91, 0.1}), 0u);
  EXPECT_EQ(count(nullptr, {0.1, -0.2, 0.1}, {0.1, -0.21, 0.1}), 1u);
}

TEST(BodyContacts, KeptClearancesChangeNothing) {
  RandomStream random(7);
  for (const model::TriangleMesh& mesh : {dented_ball(), terrain(12)}) {
    const Scene scene = scene_of({body_of(mesh_shape(mesh))});
    BodyShapes kept(scene);
    const int count = 60;
    Points x(count, 3);
    for (int i = 0; i < count; ++i)
      x.row(i) = Vector3(0, 0.9, 0) + random_in_cube(random, 0.5).cwiseProduct(Vector3(1, 0.05, 1));
    Points v = 0.0 * x;
    const Eigen::VectorXd w = Eigen::VectorXd::Ones(count);
    std::vector<BodyContact> with_kept, without;
    std::size_t seen = 0;
    for (int step = 0; step < 300; ++step) {
      const model::Pose before{{0, 0.1 * std::sin(0.05 * step), 0}, Matrix3::Identity()};
      const model::Pose after{{0, 0.1 * std::sin(0.05 * (step + 1)), 0}, Matrix3::Identity()};
      v.rowwise() += 0.01 * Vector3(0, -9.81, 0).transpose();
      Points p = x + 0.01 * v;
      find_body_contacts(scene, x, p, w, {{&before, 1}, {&after, 1}, 0.01, &kept}, {}, with_kept);
      find_body_contacts(scene, x, p, w, {{&before, 1}, {&after, 1}, 0.01}, {}, without);
      ASSERT_EQ(with_kept.size(), without.size()) << step;
      for (std::size_t c = 0; c < without.size(); ++c) {
        EXPECT_EQ(with_kept[c].vertex, without[c].vertex);
        EXPECT_LT((with_kept[c].point - without[c].point).norm(), 1e-15);  // by another triangle of an edge
      }
      seen += without.size();
      for (const BodyContact& contact : without)
        p.row(contact.vertex) -= std::min(0.0, height_over(contact, p.row(contact.vertex))) * contact.normal;
      v = (p - x) / 0.01;
      x = p;
      for (int i = 0; i < count; ++i) {  // back to the start before it leaves the terrain: only what is kept knows how
        if (x.row(i).cwiseAbs().maxCoeff() < 0.95) continue;
        x.row(i) = Vector3(0, 0.9, 0) + random_in_cube(random, 0.5).cwiseProduct(Vector3(1, 0.05, 1));
        v.row(i).setZero();
      }
    }
    EXPECT_GT(seen, 200u);
  }
}

}  // namespace
}  // namespace deformbench::pbd

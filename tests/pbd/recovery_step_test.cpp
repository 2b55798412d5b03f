// SPDX-License-Identifier: BSD-3-Clause
// What starts a step too deep or too near goes back with a speed that is a parameter, whatever the time step is.
#include <gtest/gtest.h>

#include "tests/pbd/pbd_fixture.hpp"

namespace deformbench::pbd {
namespace {

TEST(Recovery, OfTheThicknessIsASpeedThatDoesNotDependOnTheTimeStep) {
  const double start = 0.004, speed = 0.2, time = 0.04;
  for (const double step : {0.008, 0.004, 0.002}) {
    for (const long long substeps : {1LL, 4LL}) {
      const auto simulation = make(
          "pbd", triangle_over_triangle(start, step),
          {{"self_collision", true}, {"thickness_m", 0.02}, {"recovery_speed_m_per_s", speed}, {"substeps", substeps}});
      for (int k = 0; k < std::lround(time / step); ++k) simulation->step();
      EXPECT_NEAR(simulation->state().positions(4, 1), start + speed * time, 1e-12) << step << " " << substeps;
    }
  }
}

TEST(Recovery, OfTheThicknessAtOnceIsAParameterToo) {
  const auto simulation = make("pbd", triangle_over_triangle(0.004, 0.01),
                               {{"self_collision", true}, {"thickness_m", 0.02}, {"recovery_speed_m_per_s", 0.0}});
  simulation->step();
  EXPECT_NEAR(simulation->state().positions(4, 1), 0.02, 1e-12);
}

/// A particle `depth` m inside a plane, a ball or a box of 0.1 m that moves with `motion`.
Scene inside(int kind, double depth, double step, const Vector3& motion) {
  Points x(1, 3);
  x << 0, -depth, 0;
  Scene scene = particle_scene(x, Eigen::VectorXd::Ones(1), step);
  if (kind == 0) {
    scene.colliders = {{{0, 1, 0}, 0.0, 0.0, 0.0}};
    return scene;
  }
  model::RigidBody body;
  body.name = "body";
  body.shape.kind = kind == 1 ? model::ShapeKind::Sphere : model::ShapeKind::Box;
  body.shape.radius = 0.1;
  body.shape.half_extents = {0.1, 0.1, 0.1};
  body.start.position = {0, -0.1, 0};
  body.velocity = motion;
  scene.rigid_bodies = {body};
  return scene;
}

// [MSL19] eq. 10
TEST(Recovery, OfAVertexInsideABodyIsASpeedRelativeToItThatDoesNotDependOnTheTimeStep) {
  const double depth = 0.05, speed = 0.25, time = 0.08;
  for (const char* detection : {"continuous_then_static", "static"}) {
    for (int kind = 0; kind < 3; ++kind) {
      for (const double rise : {0.0, 0.4}) {
        if (kind == 0 && rise > 0.0) continue;
        for (const double step : {0.02, 0.01, 0.005}) {
          Scene scene = inside(kind, depth, step, {0, rise, 0});
          const auto simulation =
              make("pbd", scene, {{"recovery_speed_m_per_s", speed}, {"detection", std::string(detection)}});
          for (int k = 0; k < std::lround(time / step); ++k) simulation->step();
          EXPECT_NEAR(simulation->state().positions(0, 1), -depth + (speed + rise) * time, 1e-9) << kind << " " << step;
          EXPECT_NEAR(simulation->state().velocities(0, 1), speed + rise, 1e-9);
        }
      }
    }
  }
}

TEST(Recovery, OfAVertexInsideABodyAtOnceIsItsDepthOverTheStep) {
  const auto simulation = make("pbd", inside(2, 0.05, 0.01, Vector3::Zero()), {{"recovery_speed_m_per_s", 0.0}});
  simulation->step();
  EXPECT_NEAR(simulation->state().positions(0, 1), 0.0, 1e-12);
  EXPECT_NEAR(simulation->state().velocities(0, 1), 5.0, 1e-9);
}

TEST(Recovery, DoesNotLetAVertexInThatIsOutside) {
  Points x(1, 3);
  x << 0, 0.001, 0;
  Scene scene = particle_scene(x, Eigen::VectorXd::Ones(1), 0.01);
  scene.initial_velocities.resize(1, 3);
  scene.initial_velocities << 0, -5, 0;
  scene.rigid_bodies = inside(2, 0.0, 0.01, Vector3::Zero()).rigid_bodies;
  for (const char* detection : {"continuous_then_static", "static"}) {
    const auto simulation = make("pbd", scene, {{"detection", std::string(detection)}});
    simulation->step();
    EXPECT_NEAR(simulation->state().positions(0, 1), 0.0, 1e-9) << detection;
  }
}

}  // namespace
}  // namespace deformbench::pbd

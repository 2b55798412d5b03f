// SPDX-License-Identifier: BSD-3-Clause
// Scenes of bodies and loose particles, for the tests of methods/pbd/bodies.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <vector>

#include "methods/pbd/bodies/rigid_bodies.hpp"
#include "tests/numerics/sample_surfaces.hpp"

namespace deformbench::pbd {

using numerics::RandomStream;

inline model::RigidBody body_of(model::Shape shape, double mass = 0.0, const Vector3& position = Vector3::Zero()) {
  model::RigidBody body;
  body.shape = std::move(shape);
  body.mass = mass;
  body.start.position = position;
  return body;
}

inline Scene scene_of(std::vector<model::RigidBody> bodies, double time_step = 0.01) {
  Scene scene;
  scene.name = "bodies";
  scene.rigid_bodies = std::move(bodies);
  scene.time_step = time_step;
  return scene;
}

/// Contacts of one particle that goes from x to p, bodies as `motion` says.
inline std::vector<BodyContact> contacts_of(const Scene& scene, const Vector3& x, const Vector3& p,
                                            const BodyMotion& motion, const PbdOptions& options = {}) {
  std::vector<BodyContact> contacts;
  find_body_contacts(scene, x.transpose(), p.transpose(), Eigen::VectorXd::Ones(1), motion, options, contacts);
  return contacts;
}

/// Those that p violates; the others only guard a vertex that was near.
inline std::vector<BodyContact> violated(std::vector<BodyContact> contacts, const Vector3& p) {
  std::erase_if(contacts, [&](const BodyContact& contact) { return (p - contact.point).dot(contact.normal) >= 0; });
  return contacts;
}

}  // namespace deformbench::pbd

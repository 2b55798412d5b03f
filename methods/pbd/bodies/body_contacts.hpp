// SPDX-License-Identifier: BSD-3-Clause
// Vertices of the mesh against planes and rigid bodies: found once a step, projected in every iteration.
// [MHHR07] §3.4, §4.2
#pragma once

#include <span>
#include <vector>

#include "methods/model/scene.hpp"
#include "methods/pbd/pbd_options.hpp"

namespace deformbench::pbd {

/// The constraint C(p) = (p − point)·normal ≥ 0, stiffness 1. It stands still while the iterations run.
struct BodyContact {
  int vertex;
  int body;           ///< index into Scene::rigid_bodies, or −1 − k for Scene::colliders[k]
  Vector3 point;      ///< q_c (m, world, at the end of the step)
  Vector3 normal;     ///< n_c, unit, away from the body
  Vector3 surface_velocity;  ///< m/s, of the body at the contact
  double friction, restitution;
  bool is_continuous; ///< entry on the way x → p; otherwise inside already, closest surface point
};

/// Where the bodies are at the start and at the end of the step.
struct BodyMotion {
  std::span<const model::Pose> before, after;
  double time_step;
};

/// Contacts of the way x → p of every vertex with w > 0, relative to the moving body; deeper ones of one vertex first,
/// several bodies may each add one.
void find_body_contacts(const Scene& scene, const Points& x, const Points& p, const Eigen::VectorXd& inverse_masses,
                        const BodyMotion& motion, const PbdOptions& options, std::vector<BodyContact>& contacts);

/// A corner of a body against a triangle of the cloth: C = ±(q − p1)·n ≥ 0, q moves with the body. [MHHR07] §4.2
struct CornerContact {
  int body;
  Vector3 corner;                ///< body frame, m
  std::array<int, 3> triangle;
  double side;                   ///< +1 or −1: the side of the triangle that the corner was on
};
void find_corner_contacts(const Scene& scene, const Triangles& triangles, const Points& x, const Points& p,
                          const BodyMotion& motion, const PbdOptions& options, std::vector<CornerContact>& contacts);

}  // namespace deformbench::pbd

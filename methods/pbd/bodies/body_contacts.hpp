// SPDX-License-Identifier: BSD-3-Clause
// Contacts of mesh vertices with planes and rigid bodies: found once per step, projected in every iteration. [MHHR07]
// §3.4, §4.2
#pragma once

#include <span>
#include <vector>

#include "methods/model/scene.hpp"
#include "methods/pbd/options/pbd_options.hpp"

namespace deformbench::pbd {

/// The constraint C(p) = (p − point)·normal ≥ 0 with stiffness 1, fixed during the iterations.
struct BodyContact {
  int vertex;
  int body;                  ///< index into Scene::rigid_bodies, or −1 − k for Scene::colliders[k]
  Vector3 point;             ///< q_c (m, world, at the end of the step)
  Vector3 normal;            ///< n_c, unit, away from the body
  Vector3 surface_velocity;  ///< m/s, of the body at the contact point
  double friction, restitution;
  bool is_continuous;  ///< entry on the path x → p; otherwise closest surface point of a vertex inside
  Vector3 body_point = Vector3::Zero();   ///< q_c, body frame: follows a dynamic body
  Vector3 body_normal = Vector3::Zero();  ///< n_c, body frame
};

class BodyShapes;

/// Body poses at the start and at the end of the step.
struct BodyMotion {
  std::span<const model::Pose> before, after;
  double time_step;
  BodyShapes* shapes = nullptr;  ///< kept between steps by RigidBodies; nullptr: rebuilt per call, slow for meshes
};

/// Contacts on the path x → p, relative to the moving body, of every vertex with w > 0. A vertex may have one contact
/// per body, up to three per mesh (concave corners), the deepest first. Bodies are grown by options.contact_offset. A
/// vertex that starts inside returns to the surface with options.recovery_speed: q_c is at the remaining depth. With
/// options.contact_compliance q_c is on the surface.
///
/// Continuous: at the entry point. A vertex that starts on the surface (within the offset) gets the closest point. If
/// the distance is at most the path length, the closest point's plane is also a contact (C ≥ 0 at first).
/// Static: vertices that end inside, for any path; closest point. ContinuousThenStatic: static for vertices that start
/// inside. Behind an open mesh "inside" ends at a quarter of the diagonal and at the border, and excludes vertices
/// that came round the border.
/// Without options.contact_guard, as printed: the entry point (x if it starts on the surface), or the surface point
/// closest to p if it starts inside; one contact per body, none for vertices that are only near. DEVIATION [MHHR07]
/// §3.4: a vertex closer to a body than its path length also has a contact, since other constraints may pull it in;
/// `contact_guard` false is the paper's rule.
void find_body_contacts(const Scene& scene, const Points& x, const Points& p, const Eigen::VectorXd& inverse_masses,
                        const BodyMotion& motion, const PbdOptions& options, std::vector<BodyContact>& contacts);

/// A body corner against a cloth triangle: C = side·(q − p1)·n − offset ≥ 0; q moves with the body. [MHHR07] §4.2
struct CornerContact {
  int body;
  Vector3 corner;  ///< body frame, m
  std::array<int, 3> triangle;
  double side;  ///< +1 or −1: side of the triangle on which the corner must stay
};
/// Corners of boxes and convex vertices of meshes.
void find_corner_contacts(const Scene& scene, const Triangles& triangles, const Points& x, const Points& p,
                          const BodyMotion& motion, const PbdOptions& options, std::vector<CornerContact>& contacts);

}  // namespace deformbench::pbd

// SPDX-License-Identifier: BSD-3-Clause
// Vertices of the mesh against planes and rigid bodies: found once per step, projected in every iteration.
// [MHHR07] §3.4, §4.2
#pragma once

#include <span>
#include <vector>

#include "methods/model/scene.hpp"
#include "methods/pbd/pbd_options.hpp"

namespace deformbench::pbd {

/// The constraint C(p) = (p − point)·normal ≥ 0, stiffness 1. It is fixed while the iterations run.
struct BodyContact {
  int vertex;
  int body;                  ///< index into Scene::rigid_bodies, or −1 − k for Scene::colliders[k]
  Vector3 point;             ///< q_c (m, world, at the end of the step)
  Vector3 normal;            ///< n_c, unit, away from the body
  Vector3 surface_velocity;  ///< m/s, of the body at the contact
  double friction, restitution;
  bool is_continuous;                     ///< entry on the way x → p; otherwise inside already, closest surface point
  Vector3 body_point = Vector3::Zero();   ///< q_c and n_c in the body's frame, with which they go where the iterations
  Vector3 body_normal = Vector3::Zero();  ///< move a dynamic body
};

class BodyShapes;

/// Where the bodies are at the start and at the end of the step.
struct BodyMotion {
  std::span<const model::Pose> before, after;
  double time_step;
  BodyShapes* shapes = nullptr;  ///< kept between steps by RigidBodies; nullptr: made for this call, slow for meshes
};

/// Contacts of the way x → p of every vertex with w > 0, relative to the moving body; deeper ones of one vertex first,
/// several bodies may each add one, meshes up to three (in a valley). Bodies are grown by options.contact_offset. A
/// vertex that starts inside goes back to the surface with options.recovery_speed, not in one step: q_c is as deep as
/// that leaves it.
///
/// Continuous: from the entry point. A vertex that starts on the surface (within the offset) touches it all the time:
/// closest point. One that is as near to the surface as its way is long is guarded by the plane of the closest point
/// (C ≥ 0 already), as other constraints may draw it in. Static: a vertex that ends inside, whatever its way; closest
/// point. ContinuousThenStatic: static for those that start inside already. Behind an open mesh a vertex counts as
/// inside down to a quarter of the mesh's diagonal, not past its border, and not if it came there round the border.
/// Without options.contact_guard, to the letter: the entry point, which is x for one that starts on the surface, or the
/// point of the surface closest to p for one that starts inside; one contact with a body, and nothing for a vertex that
/// is only near. DEVIATION [MHHR07] §3.4: a vertex that is as near to a body as its way is long has a contact too, as
/// other constraints may draw it in; `contact_guard` false is the paper's rule.
void find_body_contacts(const Scene& scene, const Points& x, const Points& p, const Eigen::VectorXd& inverse_masses,
                        const BodyMotion& motion, const PbdOptions& options, std::vector<BodyContact>& contacts);

/// A corner of a body against a triangle of the cloth: C = side·(q − p1)·n − offset ≥ 0, q moves with the body.
/// [MHHR07] §4.2
struct CornerContact {
  int body;
  Vector3 corner;  ///< body frame, m
  std::array<int, 3> triangle;
  double side;  ///< +1 or −1: the side of the triangle that the corner was on
};
/// Corners of boxes, and those vertices of meshes where the surface is convex.
void find_corner_contacts(const Scene& scene, const Triangles& triangles, const Points& x, const Points& p,
                          const BodyMotion& motion, const PbdOptions& options, std::vector<CornerContact>& contacts);

}  // namespace deformbench::pbd

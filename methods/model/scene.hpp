// SPDX-License-Identifier: BSD-3-Clause
// The simulated scene, as plain data. Methods read it and never change it.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "methods/model/boundary_condition.hpp"
#include "methods/model/cloth_mesh.hpp"
#include "methods/model/initial_crack.hpp"
#include "methods/model/material.hpp"
#include "methods/model/physical_bounds.hpp"
#include "methods/model/position_constraint.hpp"
#include "methods/model/rigid_body.hpp"
#include "methods/model/tet_mesh.hpp"
#include "methods/model/triangle_mesh.hpp"

namespace deformbench {

struct Scene {
  std::string name;
  // At most one of these three, the deformable body, is not empty; all may be empty if there are rigid bodies.
  model::TetMesh tet_mesh;
  model::ClothMesh cloth;
  model::ParticleSet particles;
  model::TriangleMesh skin;                ///< surface embedded in the solid body; may be empty
  std::vector<model::Material> materials;  ///< at least one for a solid body
  std::vector<int> element_material;       ///< index into `materials`, one per element; empty = all 0
  Points initial_positions;                ///< n×3, m; empty = rest positions
  Points initial_velocities;               ///< n×3, m/s; empty = zero
  std::vector<model::PrescribedMotion> prescribed;
  std::vector<model::PointLoad> point_loads;
  std::vector<model::TractionLoad> traction_loads;
  std::vector<model::PlaneCollider> colliders;
  std::vector<model::HeatSource> heat_sources;
  std::vector<model::InitialCrack> cracks;             ///< of a solid: tetrahedra or particles with supports
  std::vector<model::PositionConstraint> constraints;  ///< besides those that a method derives from the mesh
  std::vector<model::RigidBody> rigid_bodies;
  std::vector<model::Attachment> attachments;
  Vector3 gravity = Vector3::Zero();                    ///< m/s²
  double time_step = 0.01;                              ///< Δt, s
  std::map<std::string, std::vector<int>> vertex_sets;  ///< named sets for probes: "root", "tip", …
  model::PhysicalBounds bounds;                         ///< divergence bounds, if the derived ones are wrong here

  const model::Material& material_of(Eigen::Index element) const;
  const Points& rest_positions() const;  ///< of the deformable body, n×3; no rows if there is none
  Eigen::Index vertex_count() const { return rest_positions().rows(); }
  Points start_positions() const;   ///< initial or rest, n×3
  Points start_velocities() const;  ///< initial or zero, n×3
};

/// Throws InputError naming the first thing that makes the scene unusable: index out of range, inverted or
/// degenerate element, triangle without area, edge of three triangles, vertex in no element, mass ≤ 0, material out
/// of range, non-finite number (loads, motions, planes, heat sources, bodies, skin too), axis or normal not of unit
/// length, prescribed motion without components, crack with a fault or without a solid, Δt ≤ 0, more than one
/// deformable body.
void check_scene(const Scene& scene);

/// Masses of the vertices (kg, n): a quarter of each tetrahedron's rest mass to each vertex ([CS6967] §1.4; [MG04] does
/// not say how it lumps M), a third of each triangle's ([MHHR07] §4.1), or the particles' own.
Eigen::VectorXd lumped_masses(const Scene& scene);

/// Point and traction loads at `time` plus gravity on the lumped masses (N, n×3).
Points external_forces(const Scene& scene, const Eigen::VectorXd& masses, double time);
/// Adds the traction loads at `time` to `forces` (N, n×3).
void add_traction_forces(const Scene& scene, double time, Points& forces);

/// Whether x, y and z of each vertex are prescribed.
std::vector<std::array<bool, 3>> prescribed_components(const Scene& scene);
/// Sets prescribed components to their values at `time` (m, n×3). The last motion of a component wins.
void place_prescribed(const Scene& scene, double time, Eigen::Ref<Points> positions);

}  // namespace deformbench

// SPDX-License-Identifier: BSD-3-Clause
// Closed surfaces of simple bodies, and the nodes that an octree samples them with. [PKAGDG05] §4
#pragma once

#include <string>
#include <vector>

#include "methods/meshless/sampling/volume_samples.hpp"
#include "methods/model/scene.hpp"
#include "methods/parameters.hpp"

namespace deformbench::scenes {

/// block, slab, rod, spike, ball, torus, and the built-in models.
std::vector<std::string> sampled_bodies();

/// A closed surface about the origin (models: where they stand), `length` (m) long at its longest. Slab and rod are
/// `thickness` times as thick as long, along z, and along y and z; the base of the spike, which points along x, has
/// that diameter, and so has the tube of the torus in a circle round z.
model::TriangleMesh sampled_body(const std::string& body, double length, double thickness);

/// octree_levels, adjacency, root_cell, repulsion_iterations, repulsion_strength, repulsion_reach.
ParameterSpec sampling_parameters();
meshless::SamplingOptions sampling_options(const Parameters& parameters);

/// Nodes of the scene's skin: positions, supports, and masses by support³ that sum to `density` times the volume.
/// Sets "level_<k>": the nodes of cells of level k. The octree stands askew by `turn`: its axes are the columns.
void sample_skin(const meshless::SamplingOptions& options, const Matrix3& turn, double density, Scene& scene);

}  // namespace deformbench::scenes

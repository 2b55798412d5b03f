// SPDX-License-Identifier: BSD-3-Clause
// Closed surfaces of simple bodies, and their sampling by octree nodes. [PKAGDG05] §4
#pragma once

#include <string>
#include <vector>

#include "methods/meshless/sampling/volume_samples.hpp"
#include "methods/model/scene.hpp"
#include "methods/parameters.hpp"

namespace deformbench::scenes {

/// block, slab, rod, spike, ball, torus, and the built-in models.
std::vector<std::string> sampled_bodies();

/// A closed surface about the origin (models: not recentred) with longest extent `length` (m). `thickness`,
/// relative to `length`: of the slab along z, of the rod along y and z, base diameter of the spike (pointing along
/// x), tube diameter of the torus (around z).
model::TriangleMesh sampled_body(const std::string& body, double length, double thickness);

/// octree_levels, adjacency, root_cell, repulsion_iterations, repulsion_strength, repulsion_reach.
ParameterSpec sampling_parameters();
meshless::SamplingOptions sampling_options(const Parameters& parameters);

/// Nodes inside the scene's skin: positions, supports, masses ∝ support³ that sum to `density` times the volume.
/// Sets "level_<k>": the nodes of cells of level k. The columns of `turn` are the axes of the octree.
void sample_skin(const meshless::SamplingOptions& options, const Matrix3& turn, double density, Scene& scene);

}  // namespace deformbench::scenes

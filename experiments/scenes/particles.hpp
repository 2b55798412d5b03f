// SPDX-License-Identifier: BSD-3-Clause
// Shared by scenes of particles and explicit constraints.
#pragma once

#include "experiments/scenes/scene_parameters.hpp"
#include "experiments/scenes/scene_registry.hpp"
#include "methods/model/scene.hpp"

namespace deformbench::scenes {

/// gravity_m_s2, time_step_s, followed by `own`.
ParameterSpec particle_parameters(const Vector3& gravity, double time_step, ParameterSpec own);
/// `own`, stiffness and compliance_m_per_n of all distance constraints.
ParameterSpec link_parameters(ParameterSpec own);

/// A scene with these parameters and `count` particles of 1 kg at the origin.
Scene particle_scene(const std::string& name, const Parameters& parameters, Eigen::Index count);

/// Distance constraint: rest length from the rest positions, stiffness and compliance from `parameters`.
void add_link(Scene& scene, const Parameters& parameters, int a, int b);

/// Fixes these vertices at their start, as the set "held".
void hold_particles(Scene& scene, std::vector<int> vertices);

}  // namespace deformbench::scenes

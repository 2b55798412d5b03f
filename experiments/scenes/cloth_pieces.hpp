// SPDX-License-Identifier: BSD-3-Clause
// Shared by cloth scenes: rectangular pieces, several pieces per scene, supports, parameters.
#pragma once

#include <vector>

#include "experiments/scenes/block.hpp"
#include "methods/model/scene.hpp"

namespace deformbench::scenes {

struct ClothDefaults {
  double area_density = 0.2;  ///< kg/m²
  double time_step = 0.01;    ///< s
  double friction = 0.4;
  double start_noise = 1e-4;  ///< m
};

/// Rectangle of columns × rows vertices (each ≥ 2) with one corner at `corner`; `along` and `across` are its sides
/// (m). Vertex (i, j) has index j·columns + i. Diagonals alternate as on a chessboard; the normal is along × across.
model::TriangleMesh cloth_grid(int columns, int rows, const Vector3& corner, const Vector3& along,
                               const Vector3& across);

/// Adds a piece to the cloth of the scene; returns the index of its first vertex.
int add_cloth(Scene& scene, const model::TriangleMesh& piece);

/// Fixes these vertices by one prescribed motion, and names the set.
void hold_vertices(Scene& scene, const std::string& set_name, std::vector<int> vertices);

/// A scene with a level square cloth (side_m, vertices_across) from the origin along +x and −z, held at its two
/// corners at z = 0 (set "corners").
Scene cloth_hung_by_corners(const std::string& name, const Parameters& parameters);
/// cloth_parameters, side_m, vertices_across, `own`, bounded.
ParameterSpec square_parameters(const ClothDefaults& defaults, long long vertices_across, ParameterSpec own);

/// Adds Gaussian noise of deviation `start_noise_m` to all components of the start positions, except held and
/// attached vertices.
void disturb_start(Scene& scene, const Parameters& parameters);

/// The horizontal plane y = height, with this Coulomb coefficient.
model::PlaneCollider floor_at(double height, double friction);

/// area_density_kg_m2, gravity_m_s2, time_step_s, friction, start_noise_m, seed, followed by `own`.
ParameterSpec cloth_parameters(const ClothDefaults& defaults, ParameterSpec own);

/// A scene with these parameters and no cloth yet.
Scene empty_cloth_scene(const std::string& name, const Parameters& parameters);

}  // namespace deformbench::scenes

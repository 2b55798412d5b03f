// SPDX-License-Identifier: BSD-3-Clause
// What a structured bar spares a solver: an order of its vertices and elements that is no order, several materials, and
// elements that turn inside out.
#pragma once

#include "methods/model/scene.hpp"

namespace deformbench::benchmarks {

/// Moves the vertices inside by up to 15 % of a cell in each direction, puts vertices and elements into random order,
/// and gives each quarter of the length a material of its own (E and ν). The prescribed vertices stay the same points.
/// `cell`: m.
void make_irregular(Scene& scene, double cell);

/// Starts the bar at rest with velocities, a random direction a vertex, that invert a fifth of its elements in the
/// first step: the second one finds their rotations from those of rest. The material is too soft to hold them; the
/// solve has little to do then, and does its iterations all the same.
void make_inverting(Scene& scene);

/// Part of the elements with det F < 0 at `positions`.
double inverted_share(const model::TetMesh& mesh, const Eigen::Ref<const Points>& positions);

}  // namespace deformbench::benchmarks

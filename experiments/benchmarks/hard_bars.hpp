// SPDX-License-Identifier: BSD-3-Clause
// Harder variants of the structured bar: random order of vertices and elements, several materials, inverting
// elements.
#pragma once

#include "methods/model/scene.hpp"

namespace deformbench::benchmarks {

/// Moves interior vertices by up to 15 % of a cell in each direction, shuffles vertices and elements, and gives each
/// quarter of the length its own material (E and ν). The prescribed points stay the same. `cell`: m.
void make_irregular(Scene& scene, double cell);

/// Gives the bar random initial velocities that invert a fifth of its elements in the first step, so that the second
/// step starts their polar decompositions from R ≈ I. The material is too soft to prevent this; the solve is
/// easy but still performs its fixed number of iterations.
void make_inverting(Scene& scene);

/// Fraction of elements with det F < 0 at `positions`.
double inverted_share(const model::TetMesh& mesh, const Eigen::Ref<const Points>& positions);

}  // namespace deformbench::benchmarks

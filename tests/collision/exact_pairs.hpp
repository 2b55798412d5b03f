// SPDX-License-Identifier: BSD-3-Clause
// What moving pairs and surfaces do in exact arithmetic: the oracle of the tests of collisions.
#pragma once

#include <optional>
#include <vector>

#include "methods/collision/moving_pair.hpp"
#include "methods/model/triangle_mesh.hpp"

namespace deformbench::collision {

enum class Exactly { Apart, Meet, Undecided };
struct ExactAnswer {
  Exactly what = Exactly::Undecided;
  double not_before = 0.0;  ///< the first common point comes no earlier, where they meet
  double before = 1.0;      ///< and no later
};
/// By the roots of the coplanarity cubic, isolated by Sturm's chains in rational numbers, and signs at them. Undecided
/// where the four points are coplanar all the time, or where a triangle without area or parallel edges are coplanar.
ExactAnswer exact_contact(const MovingPair& pair);

/// Whether the pair has a common point at the time count/of (rational), degenerate or not.
bool exactly_meet_at(const MovingPair& pair, int count, int of);

/// Pairs of triangles that meet elsewhere than in common vertices and edges, by exact signs; all pairs are looked at.
int exact_intersections(const Points& positions, const Triangles& triangles);

}  // namespace deformbench::collision

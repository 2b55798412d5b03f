// SPDX-License-Identifier: BSD-3-Clause
// The continuous test of a point against a triangle and of an edge against an edge, all of whose vertices move on
// straight lines. It never misses: see first_contact. [B05] §10
#pragma once

#include <array>
#include <optional>

#include "methods/model/types.hpp"

namespace deformbench::collision {

enum class PairKind {
  PointTriangle,  ///< vertices: point; a, b, c
  EdgeEdge,       ///< vertices: a, b; c, d
};

/// Where four vertices are when the step starts and ends (m).
struct MovingPair {
  PairKind kind = PairKind::PointTriangle;
  std::array<Vector3, 4> start, end;
};

/// The closest points of a pair at one time.
struct Closest {
  Vector3 difference;             ///< m, Σ weights·x: from the second primitive to the first
  std::array<double, 4> weights;  ///< barycentric, of the second primitive with a minus; their sum is 0
  Vector3 direction;              ///< unit, of the difference, but orthogonal to edges and faces that it starts and
                                  ///< ends on far better than the difference of points near each other is; or 0
};
/// Distances to rounding of the pair's size; of several closest points any one.
Closest closest_points(PairKind kind, const std::array<Vector3, 4>& positions);

struct FirstContact {
  double time;                    ///< 0 … 1 of the step; up to here the pair is certainly apart
  Vector3 normal;                 ///< unit, from the second primitive to the first
  std::array<double, 4> weights;  ///< as in Closest, at that time
};

/// The first contact within the step, if there may be one. GUARANTEE: where the answer is nothing, the two primitives
/// have no point in common at any time 0 ≤ t ≤ 1, in exact arithmetic, if every vertex moves on the straight line from
/// the very double numbers in `start` to those in `end`. This holds for coplanar motion, parallel edges, triangles
/// without area, and at any distance from the origin. The time is cut into intervals, and in each of them a plane
/// whose normal changes linearly must keep the primitives apart by more than what rounding may have added; an interval
/// of 2⁻⁴⁰ of the step in which none is found is a contact. So an answer may be a contact that just misses, by a
/// distance of the order of 2⁻⁴⁰ of the relative motion, or, where more than kMostIntervals would be needed, by more.
std::optional<FirstContact> first_contact(const MovingPair& pair);

inline constexpr int kMostIntervals = 20000;

}  // namespace deformbench::collision

// SPDX-License-Identifier: BSD-3-Clause
// Continuous collision test of point against triangle and edge against edge, with vertices on straight paths. It
// never misses a contact: see first_contact. [B05] §10
#pragma once

#include <array>
#include <optional>

#include "methods/model/types.hpp"

namespace deformbench::collision {

enum class PairKind {
  PointTriangle,  ///< vertices: point; a, b, c
  EdgeEdge,       ///< vertices: a, b; c, d
};

/// Positions of four vertices at the start and end of the step (m).
struct MovingPair {
  PairKind kind = PairKind::PointTriangle;
  std::array<Vector3, 4> start, end;
};

/// The closest points of a pair at one time.
struct Closest {
  Vector3 difference;             ///< m, Σ weights·x: from the second primitive to the first
  std::array<double, 4> weights;  ///< barycentric, negated on the second primitive; their sum is 0
  Vector3 direction;              ///< unit vector along the difference, or 0; computed to be orthogonal to the
                                  ///< edges and faces it connects even where the difference itself cancels
};
/// Distances are accurate to rounding relative to the pair's size. Of several closest pairs of points, returns any one.
Closest closest_points(PairKind kind, const std::array<Vector3, 4>& positions);

struct FirstContact {
  double time;                    ///< 0 … 1 of the step; the pair is certainly apart until then
  Vector3 normal;                 ///< unit, from the second primitive to the first
  std::array<double, 4> weights;  ///< as in Closest, at that time
};

/// The first contact within the step, if there may be one. GUARANTEE: if it returns nothing, the two primitives have
/// no point in common at any time 0 ≤ t ≤ 1, in exact arithmetic, if every vertex moves on the straight line between
/// the given double-precision numbers in `start` and `end`. This holds for coplanar motion, parallel edges, triangles
/// without area, and at any distance from the origin. The step is subdivided into intervals; in each, a plane whose
/// normal changes linearly must separate the primitives by more than the rounding error. An interval of 2⁻⁴⁰ of the
/// step without such a plane is a contact. So a near miss may be reported: at a distance of the order of 2⁻⁴⁰ of the
/// relative motion, or more if more than kMostIntervals would be needed.
std::optional<FirstContact> first_contact(const MovingPair& pair);

inline constexpr int kMostIntervals = 20000;

}  // namespace deformbench::collision

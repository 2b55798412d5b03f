// SPDX-License-Identifier: BSD-3-Clause
// Prescribed vertices, loads and colliders: plain data that a method must honour or refuse (`supports`).
#pragma once

#include <array>
#include <limits>
#include <string>
#include <vector>

#include "methods/model/types.hpp"

namespace deformbench::model {

/// 0 before `start`, 1 after `end`, linear between; a step when both are equal. 0 again from `until` on
/// (loads and heat sources only; a prescribed motion stays where it is). With a `table`: linear interpolation of its
/// rows, constant before the first and after the last.
struct Ramp {
  double start = 0.0;                                      ///< s; first time of a table
  double end = 0.0;                                        ///< s; last time of a table
  double until = std::numeric_limits<double>::infinity();  ///< s
  std::vector<std::array<double, 2>> table = {};           ///< time (s, ascending) and value; may be empty
  double value_at(double time) const;
  /// The largest magnitude of the value.
  double largest() const;
  /// The last time at which the value changes (s).
  double last_change() const { return until < std::numeric_limits<double>::infinity() ? until : end; }
};

/// Rigid motion of prescribed vertices: x(t) = o + R(axis, s(t)·angle)(X − o) + s(t)·translation, s = ramp,
/// X = the row of `targets` if given, else the rest position. All zero = a fixed vertex. Components that are not
/// prescribed move freely (a roller). If several motions prescribe a component of a vertex, the last one wins.
struct PrescribedMotion {
  std::vector<int> vertices;
  Vector3 translation = Vector3::Zero();  ///< m
  Vector3 axis = Vector3::UnitZ();        ///< unit vector
  Vector3 origin = Vector3::Zero();       ///< m
  double angle = 0.0;                     ///< rad
  Ramp ramp;
  Points targets;  ///< optional: one row per vertex, used instead of the rest position as X
  std::array<bool, 3> components{true, true, true};  ///< prescribed ones of x, y, z, at least one

  /// Position (m) at `time` of the k-th vertex of `vertices`, whose rest position is `rest`.
  Vector3 position_at(std::size_t k, const Vector3& rest, double time) const;
  bool is_whole() const { return components[0] && components[1] && components[2]; }
};

/// Refusal of motions that free a component, for methods without rollers; else empty. `who`: its subject,
/// "springs".
std::string roller_refusal(const std::vector<PrescribedMotion>& motions, const std::string& who);

/// Dead force on one vertex.
struct PointLoad {
  int vertex = 0;
  Vector3 force = Vector3::Zero();  ///< N
  Ramp ramp;
};

/// Dead traction on boundary triangles: traction × rest area / 3 per vertex.
struct TractionLoad {
  Triangles triangles;
  Vector3 traction = Vector3::Zero();  ///< Pa
  Ramp ramp;
};

/// Half space {x : normal·x ≥ offset} that vertices may not leave, with Coulomb friction.
struct PlaneCollider {
  Vector3 normal = Vector3::UnitY();  ///< unit vector, points to the allowed side
  double offset = 0.0;                ///< m
  double friction = 0.0;              ///< Coulomb coefficient, ≥ 0
  double restitution = 0.0;           ///< 0 … 1; methods without restitution refuse values ≠ 0
};

/// A hot ball with centre from + ramp·(to − from). An element is heated once its centroid lies in the ball, and stays
/// heated unless the source `cools`: Young's modulus is scaled, and the source's plastic parameters apply.
struct HeatSource {
  Vector3 from = Vector3::Zero();  ///< m, centre before the ramp
  Vector3 to = Vector3::Zero();    ///< m, centre after it
  Ramp ramp;                       ///< `until` switches the source off
  double radius = 0.0;             ///< m, > 0
  double stiffness_factor = 1.0;   ///< of Young's modulus, > 0
  double plastic_yield = 0.0;      ///< ≥ 0
  double plastic_creep = 0.0;      ///< 1/s, ≥ 0
  double plastic_max = 0.0;        ///< ≥ 0
  bool cools = false;
};

}  // namespace deformbench::model

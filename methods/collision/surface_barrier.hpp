// SPDX-License-Identifier: BSD-3-Clause
// Contact of a triangle surface with itself, or of several surfaces with each other, as a potential of positions
// [LFSLZPJK20]. With b(y) = −(y − 1)² ln y for 0 < y < 1, 0 beyond, d the distance of a pair and d̂ the reach,
//   B = Σ_points ½ A_p κ d̂ Σ_features c b(d/d̂) + Σ_edges d̂² κ d̂ m b(d/d̂),
// so that κ (Pa) and d̂ (m) do not depend on the mesh: two faces at the distance d have the energy κ d̂ b(d/d̂) per area.
//   points     A_p is the vertex's rest area, a third of its triangles; ½, since each of two surfaces in contact
//              supplies the points once
//   features   all triangles nearer than d̂ that do not contain the point, c = 1; to count shared parts once, also
//              their edges, c = 1 − n for n of them, and vertices, where all c sum to 1. A point above an edge or
//              vertex of a flat or convex surface counts once, however many triangles meet there.
//   obstacles  surfaces with prescribed motion: points near them have weight A_p, their own points min(½ A_p, d̂²), so
//              the pressure does not depend on the obstacle's mesh either, except for d̂² at its vertices.
//   edges      pairs without a common vertex, mollified by m if they are nearly parallel. Crossing edges are within
//              d̂ of each other on an area of order d̂²; between flat faces, where the points carry the load, they add
//              only (d̂/edge)².
// Friction is the lagged, smoothed potential of obstacle contact: Σ μ λ f(|u|), u the sliding of the closest points in
// the step, f' = 2 r − r², r = min(|u|/creep, 1). The λ of a point's features with positive c are scaled so
// that their sum is that of all its features.
//
// DEVIATION [LFSLZPJK20]: fixed κ, d in place of its square in the barrier, and the weights above in place of equal
// ones, with which the pressure of contact depends on the mesh.
//
// DEVIATION [LFSLZPJK20]: steps are bounded by the exact test of moving_pair.hpp to 0.8 of the time to the first
// contact, and every accepted step is tested again as rounded.
#pragma once

#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "methods/collision/pair_candidates.hpp"
#include "methods/collision/pair_distance.hpp"

namespace deformbench::collision {

struct BarrierOptions {
  double distance = 0.0;   ///< d̂, m
  double stiffness = 0.0;  ///< κ, Pa
  double friction = 0.0;   ///< μ of pairs without an obstacle
  int threads = 1;
  /// μ per obstacle vertex; these are the last vertices of the surface, and held.
  std::vector<double> obstacle_friction = {};
};

/// Positive semidefinite Hessian of one pair (N/m), in vertex order.
struct PairBlock {
  std::array<int, 4> vertices;
  Matrix12 block;
};

/// All positions are n×3, m.
class SurfaceBarrier {
 public:
  /// `is_held`: vertices whose motion is prescribed, n flags or empty; pairs of only these are omitted.
  SurfaceBarrier(const Points& rest, const Triangles& triangles, std::vector<char> is_held,
                 const BarrierOptions& options);
  SurfaceBarrier(const SurfaceBarrier&) = delete;

  /// Finds the pairs possibly within d̂ on the straight paths `from` → `to`. Other members need positions on these.
  void prepare(const Points& from, const Points& to) { pairs_ = candidates_.find(from, to, options_.distance); }
  /// Positions from which friction measures the sliding, and the sliding below which points stick (m).
  void begin_step(const Points& start, double creep);
  /// B and friction, J.
  double energy(const Points& x) const;
  /// Adds −∂energy/∂x to `forces` (N, n×3); sets `blocks` to the positive semidefinite parts of the pairs' Hessians.
  /// The curvature of friction along the sliding is at least `damping` (0 … 1) times its secant. Returns the summed
  /// norms of pair forces, N.
  double add_forces(const Points& x, Points& forces, std::vector<PairBlock>& blocks, double damping = 0.0) const;
  /// min(1, 0.8 t) with the smallest t ≥ 0 at which a pair may meet at from + t·move, by the exact test.
  double longest_move(const Points& from, const Points& move) const;
  /// Whether no pair meets on straight paths, by the exact test.
  bool is_free(const Points& from, const Points& to) const;
  /// Sets the normal forces and normals of friction to those at x. Returns Σ‖change‖/Σ‖force‖ of the vertices' normal
  /// forces; 0 without friction.
  double hold_friction(const Points& x);
  /// Terms within d̂.
  int contact_count(const Points& x) const;

 private:
  /// A closest feature, or pair of edges, within d̂.
  struct Term {
    std::array<int, 4> vertices;
    std::array<Vector3, 4> x;
    Closest closest;
    double distance;          ///< m
    double area;              ///< m², signed
    double threshold = -1.0;  ///< of the mollifier, m⁴; negative: none
  };
  struct Grip {
    std::array<int, 4> vertices;
    std::array<double, 4> weights;
    Vector3 normal;
    double force;  ///< μ λ, N
  };
  struct NearTriangle {
    int triangle;
    Closest closest;
    double distance;
  };
  template <class Work>
  void each_term(const Points& x, Work&& work) const;
  template <class Work>
  void each_feature(const Points& x, int point, std::span<const NearTriangle> near, Work&& work) const;
  /// Number of an edge's triangles that lack `point`.
  int triangles_at(int edge, int point) const;
  int vertex_coefficient(int vertex, int point) const;
  Vector3 sliding(const Grip& grip, const Points& x) const;
  bool are_held(const std::array<int, 4>& vertices) const;
  bool is_obstacle(int vertex) const {
    return std::size_t(vertex) >= areas_.size() - options_.obstacle_friction.size();
  }
  /// m², weight of a point near a feature with `other`.
  double area_of(int point, int other) const;
  /// μ of a pair.
  double friction_of(const std::array<int, 4>& vertices) const;
  bool has_friction() const;
  MovingPair moving(const Candidate& candidate, const Points& from, const Points& to) const;

  const BarrierOptions options_;
  PairCandidates candidates_;
  std::span<const Candidate> pairs_;
  std::vector<char> is_held_;
  std::vector<std::array<int, 3>> triangles_, triangle_edges_;
  std::vector<std::vector<int>> edge_triangles_, vertex_triangles_, vertex_edges_;
  std::vector<double> areas_;         ///< m², per vertex
  std::vector<double> edge_squares_;  ///< m², squared rest length of each edge
  Points start_;
  double creep_ = 0.0;
  std::vector<Grip> grips_;
  Points held_forces_;
};

/// An edge and a triangle without a common vertex that meet or are too close to tell.
struct Intersection {
  std::array<int, 2> edge;
  std::array<int, 3> triangle;
};
/// The first one of a surface; empty if there is none. Ignores folds of triangles onto neighbours, and contact
/// among vertices ≥ `first_given` only.
std::optional<Intersection> find_intersection(const Points& x, const Triangles& triangles,
                                              int first_given = std::numeric_limits<int>::max());

/// Least distance (m) of a point and a triangle, or two edges, without a common vertex and in the same part, if
/// below `reach`. `parts`: number of the part of each vertex, n.
std::optional<double> least_distance(const Points& x, const Triangles& triangles, std::span<const int> parts,
                                     double reach);

}  // namespace deformbench::collision

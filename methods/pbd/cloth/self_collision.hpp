// SPDX-License-Identifier: BSD-3-Clause
// The cloth against itself: vertices against triangles with thickness h, candidates by spatial hashing. [MHHR07] §4.3
//
// Where the paper says nothing:
//   close to a triangle    within 1.5 h of it at the start or at the predicted end of the step. More than h, because
//   the
//                          iterations move vertices further than predicted. A contact that is not needed costs a test.
//   beside a triangle      a vertex beside the edge of a triangle, not above it, needs less height over its plane: h_c
//   =
//                          √(h² − e²), e how far beside. The distance is then h, and nothing jumps where a vertex
//                          slides off an edge. One that is more beside the triangle than above it (height < e/2) is
//                          left alone.
//   which side             where the vertex was at the start of the step, unless the pair was close in the last step
//                          already: then it keeps its side. So a vertex that the iterations did not bring back all the
//                          way is brought back later, and not held on the wrong side. A vertex that slides on to the
//                          next triangle takes its side along. Sides of cloth that starts tangled are those it has: it
//                          stays tangled.
//   how fast               a pair that is closer than h at the start of a step regains its distance with the recovery
//   speed
//                          and not in that step: at once would make velocities of h/Δt, which blow tangled or squeezed
//                          cloth up.
//   neighbours in the mesh pairs of one piece of cloth that are closer than h at rest are left out (cloth with edges
//   shorter
//                          than h would explode), so folds narrower than h are not seen. Different pieces keep the
//                          distance that they have at rest, where that is below h.
//   several edges          edge against edge is not tested: the paper has vertices against triangles only.
#pragma once

#include <array>
#include <limits>
#include <vector>

#include "methods/model/types.hpp"
#include "methods/numerics/spatial_hash.hpp"
#include "methods/pbd/pbd_options.hpp"

namespace deformbench::pbd {

/// C = side·(q − p1)·n − h ≥ 0, n the unit normal of the triangle. [MHHR07] eq. 11, 12
struct SelfContact {
  int vertex;
  std::array<int, 3> triangle;
  double side;  ///< +1 or −1: on which the vertex was at the start of the step
  double thickness = std::numeric_limits<double>::infinity();  ///< m; the smaller one of this and h counts
};

class SelfCollision {
 public:
  /// `rest_positions` (one per vertex, m) tell which pairs are close at rest; without rows only pairs that share a
  /// vertex are left out. `thickness` h > 0, m.
  SelfCollision(const Triangles& triangles, Eigen::Index vertex_count, double thickness,
                const Points& rest_positions = {});

  /// Pairs that pass through each other on the way x → p (moving triangle against moving point) or come close to each
  /// other. Pairs that share a vertex are left out. Each found once, by rising triangle, then vertex. Positions that
  /// are not finite: none.
  void find(const Points& x, const Points& p, std::vector<SelfContact>& contacts);

  // The three parts of find(), to be called in this order; apart only for measuring.
  void sort(const Points& x, const Points& p);                                      ///< vertices into the hash
  void collect();                                                                   ///< pairs whose boxes meet
  void test(const Points& x, const Points& p, std::vector<SelfContact>& contacts);  ///< which of them are contacts

  /// Of a distance that is missing at the start of a step, this much at most is to be regained in it (m); infinite:
  /// all.
  void regain_at_most(double distance) { most_regained_ = distance; }

  /// The cloth after tearing: triangles keep their number, new vertices have their own rest position. Sides are kept.
  void set_triangles(const Triangles& triangles, const Points& rest_positions);

  std::size_t candidate_count() const { return candidates_.size(); }  ///< of the last find()
  /// Close pairs of the last find() of which the vertex started on the wrong side.
  int wrong_side_count() const { return wrong_side_count_; }

 private:
  struct Candidate {
    int triangle, vertex;
  };
  struct Remembered {
    int vertex;
    double side;
  };
  void set_neighbours();
  double side_of(const Candidate& pair, double height_before, double height_after, const Points& x) const;
  /// Up to h: what is left of it where the pair is close at rest; 0 where it is to be left out.
  double rest_thickness(const Candidate& pair) const;

  Triangles triangles_;
  double thickness_;
  double most_regained_ = std::numeric_limits<double>::infinity();
  Points rest_positions_;
  std::vector<int> pieces_;                     // connected piece of every vertex
  std::vector<std::array<int, 3>> neighbours_;  // triangles across the edges, −1 where there is none
  bool is_usable_ = true;
  Vector3 drift_ = Vector3::Zero();  // mean displacement, taken off p in the boxes
  std::vector<numerics::Box> vertex_boxes_, triangle_boxes_;
  numerics::SpatialHash hash_;
  std::vector<Candidate> candidates_;
  std::vector<int> remembered_starts_, next_starts_;  // one per triangle, and the end
  std::vector<Remembered> remembered_, next_;
  int wrong_side_count_ = 0;
};

/// Projects C of one contact on p; Δp_i = −w_i ∇_iC · C/Σ w|∇C|², gradients as `gradient` says. Returns −C/Σ w|∇C|²,
/// the impulse on the vertex along the normal (kg m); 0, and nothing done, where C ≥ 0 already, the triangle has no
/// normal or nothing can move.
double project(const SelfContact& contact, double thickness, const Eigen::VectorXd& inverse_masses,
               SelfGradient gradient, MassWeighting weighting, Points& p);

/// C and its gradients with respect to q, p1, p2, p3 (rows). [MHHR07] eq. 11, 12, App. A
double self_constraint(const SelfContact& contact, double thickness, SelfGradient gradient, const Points& p,
                       Eigen::Matrix<double, 4, 3>& gradients);

}  // namespace deformbench::pbd

// SPDX-License-Identifier: BSD-3-Clause
// Self-collision of cloth: vertices against triangles at thickness h, candidates by spatial hashing. [MHHR07] §4.3
//
// Decisions where the paper is silent:
//    proximity      Distance < 1.5 h at the start or predicted end of the step. More than h, because iterations move
//                   vertices further than predicted; an unneeded contact costs only a test.
//    beside         A vertex at in-plane distance e outside the triangle needs only the height √(h² − e²), so that its
//                   distance is h and the constraint is continuous at edges. Vertices with height < e/2 are ignored.
//    side           The vertex's side at the start of the step, unless the pair was close in the last step: then it
//                   keeps its side, so that an incomplete correction is finished later. A vertex that slides to the
//                   next triangle keeps its side. Cloth that starts tangled stays tangled.
//    recovery       A pair closer than h at the start regains its distance with the recovery speed; in one step it
//                   would get the velocity h/Δt, which blows up tangled or squeezed cloth.
//    neighbours     Pairs of one connected piece that are closer than h at rest are skipped (cloth with edges shorter
//                   than h would explode), so folds narrower than h are not detected. Different pieces keep their rest
//                   distance if it is below h.
//    edges          Edge–edge pairs are not tested; the paper has vertices against triangles only.
#pragma once

#include <array>
#include <limits>
#include <vector>

#include "methods/model/types.hpp"
#include "methods/numerics/spatial_hash.hpp"
#include "methods/pbd/options/pbd_options.hpp"

namespace deformbench::pbd {

/// C = side·(q − p1)·n − h ≥ 0, n the unit normal of the triangle. [MHHR07] eq. 11, 12
struct SelfContact {
  int vertex;
  std::array<int, 3> triangle;
  double side;                                                 ///< +1 or −1: side on which the vertex must stay
  double thickness = std::numeric_limits<double>::infinity();  ///< m; the minimum of this and h applies
};

class SelfCollision {
 public:
  /// `rest_positions` (one per vertex, m) identify pairs close at rest; without rows only pairs that share a vertex are
  /// skipped. `thickness` h > 0, m.
  SelfCollision(const Triangles& triangles, Eigen::Index vertex_count, double thickness,
                const Points& rest_positions = {});

  /// Pairs that collide on the path x → p (moving triangle, moving point) or come close, without pairs that share a
  /// vertex. Each pair once, sorted by triangle, then vertex. None if positions are not finite.
  void find(const Points& x, const Points& p, std::vector<SelfContact>& contacts);

  // The three parts of find(), in this order; separate only for timing.
  void sort(const Points& x, const Points& p);                                      ///< vertices into the hash
  void collect();                                                                   ///< pairs with overlapping boxes
  void test(const Points& x, const Points& p, std::vector<SelfContact>& contacts);  ///< contacts among them

  /// Maximum distance (m) that a pair too close at the start regains in a step; infinite: all of it.
  void regain_at_most(double distance) { most_regained_ = distance; }

  /// Cloth after tearing: triangles keep their index, new vertices have their own rest positions, sides are kept.
  void set_triangles(const Triangles& triangles, const Points& rest_positions);

  std::size_t candidate_count() const { return candidates_.size(); }  ///< of the last find()
  /// Close pairs of the last find() whose vertex started on the wrong side.
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
  /// Effective thickness ≤ h: reduced for pairs close at rest, 0 if the pair is skipped.
  double rest_thickness(const Candidate& pair) const;

  Triangles triangles_;
  double thickness_;
  double most_regained_ = std::numeric_limits<double>::infinity();
  Points rest_positions_;
  std::vector<int> pieces_;                     // connected piece of every vertex
  std::vector<std::array<int, 3>> neighbours_;  // triangles across the edges, −1 at the border
  bool is_usable_ = true;
  Vector3 drift_ = Vector3::Zero();  // mean displacement, subtracted from p in the boxes
  std::vector<numerics::Box> vertex_boxes_, triangle_boxes_;
  numerics::SpatialHash hash_;
  std::vector<Candidate> candidates_;
  std::vector<int> remembered_starts_, next_starts_;  // one per triangle, and the end
  std::vector<Remembered> remembered_, next_;
  int wrong_side_count_ = 0;
};

/// Projects one contact on p: Δp_i = −w_i ∇_iC · C/Σ w|∇C|² with gradients as in `gradient`. Returns −C/Σ w|∇C|², the
/// normal impulse on the vertex (kg m); 0 without any change if C ≥ 0, the triangle is degenerate or nothing can move.
double project(const SelfContact& contact, double thickness, const Eigen::VectorXd& inverse_masses,
               SelfGradient gradient, MassWeighting weighting, Points& p);

/// C and its gradients with respect to q, p1, p2, p3 (rows). [MHHR07] eq. 11, 12, App. A
double self_constraint(const SelfContact& contact, double thickness, SelfGradient gradient, const Points& p,
                       Eigen::Matrix<double, 4, 3>& gradients);

}  // namespace deformbench::pbd

// SPDX-License-Identifier: BSD-3-Clause
// Contact of pieces with each other and of a piece with itself, by surfels of one behind sheets of the other.
// [PKAGDG05] §5, [KMHTG04]
//   A surfel s of one side is at the depth d behind the sheet of the other one, whose nearest point y has the normal n.
//   It gets k_s d n at x_s, the sheet −k_s d n at y, k_s = ½ c E A_s / h. The sheet is the mean of its surfels with the
//   weights θ_k(y) (surfel_mean.hpp), so each of them takes its share θ_k, at the place p_k + y − a(y).
// Both forces are on the line along n from x_s to y, which goes through the contact surface between them: they keep
// linear and angular momentum. Surfels of either side are tested against the other, hence the half.
//
// DEVIATION [KMHTG04]: forces are those of depth alone, without friction and damping; the contact surface is half-way
// between a surfel and its projection, and not a fit to both bodies.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "methods/meshless/contact/carried_forces.hpp"
#include "methods/meshless/contact/surfel_tree.hpp"
#include "methods/meshless/pieces.hpp"
#include "methods/meshless/surface/surfel_surface.hpp"
#include "methods/numerics/mesh_distance.hpp"

namespace deformbench::meshless {

struct BodyContactOptions {
  bool is_on = false;
  double stiffness = 1.0;  ///< c, 1: pressure over E d/h
  double apart = 2.0;      ///< largest supports between two surfels of one piece at rest that never touch
};

/// A surfel behind a sheet that it does not belong to.
struct SurfelContact {
  int surfel;
  int against;                           ///< the surfel of that sheet nearest to `foot`
  Vector3 foot;                          ///< m, on the sheet
  Vector3 normal;                        ///< of the sheet there
  double depth;                          ///< m, > 0
  double stiffness;                      ///< N/m
  std::size_t first_share, share_count;  ///< of the surfels that make up the sheet there
};

class BodyContact {
 public:
  /// Cloud and surface must outlive it. The scene gives the skin, beyond which cracks have no surface.
  BodyContact(const Scene& scene, const NodeCloud& cloud, const SurfelSurface& surface,
              const BodyContactOptions& options);

  /// To be called when nodes, pairs, weights or surfels have changed.
  void renew();

  /// Finds all contacts at the nodes' positions (n×3, m) and adds what they push with to `forces` (N, n×3).
  void add_forces(const Eigen::Ref<const Points>& positions, Points& forces);

  /// Of the last `add_forces`, by surfel.
  std::span<const SurfelContact> contacts() const { return contacts_; }
  /// Σ ½ k d² (J). The forces are its gradient where sheets are flat and move as rigid bodies: they leave out that
  /// weights θ change as a surfel glides along, and that a sheet bends.
  double energy() const;

  const std::vector<int>& pieces_of_nodes() const { return node_pieces_; }
  const std::vector<int>& pieces_of_surfels() const { return surfel_pieces_; }
  /// k of every surfel against a sheet (N/m); 0 of those that see no node.
  const std::vector<double>& stiffnesses() const { return stiffnesses_; }
  /// N (3n), a bound on what contacts add to the stiffness about rest, times displacements u (n×3, m): all surfels in
  /// contact at once, each pushed by another one that moves against it, in all directions.
  Points stiffness_bound_times(const Eigen::Ref<const Points>& u) const;

 private:
  /// Surfels of one sheet and one piece about a point.
  struct Patch {
    int piece, sheet;
    std::vector<int> surfels;
    int nearest = -1;   // of them to the point
    double away = 0.0;  // m, from there
  };
  void find_contacts();
  void find_contacts_of(int surfel);
  /// `patches`: those of one piece, the nearest first.
  void find_contact_with(int surfel, std::span<const Patch> patches);
  /// Adds the surfels of the sheet at the contact's foot to sharing_.
  void share_out(const Patch& patch, SurfelContact& contact);
  void push(const SurfelContact& contact);
  const Matrix3& gradient_of(int surfel);
  std::optional<SurfelMean> mean_of(const Patch& patch, const Vector3& x) const;
  int nearest_of(const Patch& patch, const Vector3& x) const;
  bool is_clipped(const Vector3& foot, const Patch& own, std::span<const Patch> patches) const;

  const NodeCloud& cloud_;
  const SurfelSurface& surface_;
  const BodyContactOptions options_;
  const numerics::MeshDistance skin_;
  std::vector<bool> is_outside_;  // surfels of cracks in front of the skin at rest: no part of the surface
  std::vector<int> node_pieces_, surfel_pieces_;  // −1: sees no node, or is outside
  std::vector<int> carriers_;                     // nodes with a share in a surfel
  std::vector<double> stiffnesses_;
  std::optional<SurfelTree> tree_;
  std::optional<CarriedForces> forces_;
  mutable std::optional<Eigen::SparseMatrix<double, Eigen::RowMajor>> shares_;  // made when first asked for
  std::vector<Matrix3> gradients_;
  std::vector<Surfel> now_;
  std::vector<double> radii_;    // m, of the surfels now
  double largest_radius_ = 0.0;  // m, of them
  std::vector<double> nearest_;  // m², of every surfel the nearest one that it may touch
  std::vector<int> nearest_surfels_;
  std::vector<int> near_;  // surfels of which there is one
  std::vector<SurfelContact> contacts_;
  std::vector<std::pair<int, double>> sharing_;  // surfels of sheets with θ_k / Σ θ
  std::vector<Matrix3> surfel_gradients_;        // of those that were asked for
  std::vector<char> has_gradient_;
};

}  // namespace deformbench::meshless

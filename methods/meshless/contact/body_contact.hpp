// SPDX-License-Identifier: BSD-3-Clause
// Contact between pieces and self-contact of a piece: surfels of one side against sheets of the other.
// [PKAGDG05] §5, [KMHTG04]
//    A surfel s at depth d behind the other side's sheet, whose nearest point y has the normal n, gets k_s d n at x_s
//    and the sheet −k_s d n at y, with k_s = ½ c E A_s / h. The sheet is the weighted mean of its surfels with weights
//    θ_k(y) (surfel_mean.hpp), so surfel k takes θ_k / Σ θ, at p_k + y − a(y).
// Both forces act along the line from x_s to y, which is parallel to n, so linear and angular momentum are
// conserved. Both sides' surfels are tested against each other, hence the factor ½.
//
// DEVIATION [KMHTG04]: forces depend on depth alone, without friction and damping; the contact surface is half-way
// between a surfel and its projection, not fitted to both bodies.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "methods/meshless/contact/carried_forces.hpp"
#include "methods/meshless/contact/surfel_tree.hpp"
#include "methods/meshless/nodes/pieces.hpp"
#include "methods/meshless/surface/surfel_surface.hpp"
#include "methods/numerics/mesh_distance.hpp"

namespace deformbench::meshless {

struct BodyContactOptions {
  bool is_on = false;
  double stiffness = 1.0;  ///< c = pressure / (E d/h)
  double apart = 2.0;      ///< minimum rest distance of touching surfels in one piece / largest support
};

/// A surfel behind a sheet of another part.
struct SurfelContact {
  int surfel;
  int against;                           ///< the sheet's surfel nearest to `foot`
  Vector3 foot;                          ///< m, on the sheet
  Vector3 normal;                        ///< of the sheet there
  double depth;                          ///< m, > 0
  double stiffness;                      ///< N/m
  std::size_t first_share, share_count;  ///< range in the list of surfels that form the sheet there
};

class BodyContact {
 public:
  /// `cloud` and `surface` must outlive this. Crack surfels outside the skin of `scene` are ignored.
  BodyContact(const Scene& scene, const NodeCloud& cloud, const SurfelSurface& surface,
              const BodyContactOptions& options);

  /// Call after changes of nodes, pairs, weights or surfels.
  void renew();

  /// Finds all contacts at the nodes' positions (n×3, m) and adds their forces to `forces` (N, n×3).
  void add_forces(const Eigen::Ref<const Points>& positions, Points& forces);

  /// Contacts of the last `add_forces`, ordered by surfel.
  std::span<const SurfelContact> contacts() const { return contacts_; }
  /// Σ ½ k d² (J). Forces are exactly −∇ of it for flat, rigidly moving sheets; they neglect changes of the weights θ
  /// as a surfel slides, and bending of sheets.
  double energy() const;

  const std::vector<int>& pieces_of_nodes() const { return node_pieces_; }
  const std::vector<int>& pieces_of_surfels() const { return surfel_pieces_; }
  /// k of every surfel against a sheet (N/m); 0 for surfels that see no node.
  const std::vector<double>& stiffnesses() const { return stiffnesses_; }
  /// Upper bound of the contact stiffness about rest times displacements u (n×3, m), in N (n×3): all surfels in
  /// contact at once, opposite surfels with opposite displacements, and I for n nᵀ.
  Points stiffness_bound_times(const Eigen::Ref<const Points>& u) const;

 private:
  /// Surfels of one sheet and one piece near a point.
  struct Patch {
    int piece, sheet;
    std::vector<int> surfels;
    int nearest = -1;   // nearest of them to the point
    double away = 0.0;  // m, its distance
  };
  void find_contacts();
  void find_contacts_of(int surfel);
  /// `patches`: of one piece, the nearest first.
  void find_contact_with(int surfel, std::span<const Patch> patches);
  /// Appends the sheet's surfels at the contact's foot to sharing_.
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
  std::vector<bool> is_outside_;                  // crack surfels in front of the skin at rest: not part of the surface
  std::vector<int> node_pieces_, surfel_pieces_;  // −1: sees no node, or is outside
  std::vector<int> carriers_;                     // nodes with a weight in any surfel
  std::vector<double> stiffnesses_;
  std::optional<SurfelTree> tree_;
  std::optional<CarriedForces> forces_;
  mutable std::optional<Eigen::SparseMatrix<double, Eigen::RowMajor>> shares_;  // made on demand
  std::vector<Matrix3> gradients_;
  std::vector<Surfel> now_;
  std::vector<double> radii_;    // m, current surfel radii
  double largest_radius_ = 0.0;  // m
  std::vector<double> nearest_;  // m²: squared distance to nearest it may touch
  std::vector<int> nearest_surfels_;
  std::vector<int> near_;  // surfels with such a neighbour
  std::vector<SurfelContact> contacts_;
  std::vector<std::pair<int, double>> sharing_;  // surfels of sheets with θ_k / Σ θ
  std::vector<Matrix3> surfel_gradients_;        // computed on demand
  std::vector<char> has_gradient_;
};

}  // namespace deformbench::meshless

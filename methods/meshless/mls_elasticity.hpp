// SPDX-License-Identifier: BSD-3-Clause
// Elastic energy of nodes and its exact gradient, one evaluation per node (point collocation). [PKAGDG05] §2,
// [MKNPGA04] §3
//   F_i = P_i + Σ_j (u_j − u_i) d_ijᵀ,  ε_i = ½ (F_iᵀF_i − P_i),  σ_i = C (ε_i − ε_p),
//   U = Σ_i v_i (½ (ε_i − ε_p) : σ_i + ½ k_v (det F_i − 1)²),  f_j −= Q_i d_ij,  f_i += Q_i Σ_j d_ij,  Q_i = v_i (F_i
//   σ_i + k_v (det F_i − 1) cof F_i)
// Forces of a node add up to zero, and have no moment as σ is symmetric, whatever the weights. With plastic metrics G
// all of it is of F_e = F B, B = G^(−½), instead of F: ε = ½ (F_eᵀF_e − P), Q = v (F_e σ + k_v (det F_e − 1) cof F_e)
// B, and v is the volume without stress.
#pragma once

#include <functional>
#include <span>

#include "methods/meshless/node_cloud.hpp"
#include "methods/meshless/pair_layout.hpp"

namespace deformbench::meshless {

enum class Strain {
  Green,       ///< ½ (FᵀF − I), [PKAGDG05] §2
  TwiceGreen,  ///< FᵀF − I, as [MKNPGA04] eq. 2 prints it: the energy is four times as large
};

struct ElasticOptions {
  Strain strain = Strain::Green;
  double volume_stiffness = 0.0;  ///< k_v, Pa, [MKNPGA04] §3.3; not where a node's neighbours lie in a plane
};

/// Block by block of nodes (pair_layout.hpp): Q of a register of nodes at once, and their pulls at once added to the
/// block's copies of their neighbours; what blocks hold of a node is added up in their order, so that results do not
/// depend on the number of threads, to the bit.
class MlsElasticity {
 public:
  /// `cloud` must outlive it. `threads`: at most; few nodes take fewer.
  MlsElasticity(const NodeCloud& cloud, const ElasticOptions& options, int threads = 1);

  /// To be called when the cloud has other nodes, pairs, weights or operators than before: all is read anew from its
  /// rest, neighbours, weights, inverse moments, projections, ranks, volumes and materials.
  void follow();
  /// The same where only the nodes listed have changed, in their own pairs (not where they are neighbours) and
  /// operators. Costs in proportion to these nodes, unless one has a neighbour that it had not at the last `follow()`.
  void follow(std::span<const int> nodes);

  /// Plastic strains ε_p of all nodes (n, rest frame): energy and forces are of ε − ε_p from now on. They are 0 at
  /// first, and again after `follow()` without nodes. `stiffness_times` does not see them.
  void set_plastic_strains(std::span<const Matrix3> strains);
  /// The plastic metric G of a node (reference frame, positive eigenvalues), in the directions in which it has
  /// neighbours: energy and forces are of F G^(−½) from now on. I at first and after every `follow()` that reads the
  /// node. `stiffness_times` sees it, but no forces of the reference.
  void set_plastic_metric(Eigen::Index node, const Matrix3& metric);

  /// F of a node at the positions x (n×3, m), from d_ij of the cloud.
  Matrix3 deformation_gradient(Eigen::Index node, const Eigen::Ref<const Points>& x) const;
  /// ε of a node at the positions x, 0 in directions without neighbours.
  Matrix3 strain(Eigen::Index node, const Eigen::Ref<const Points>& x) const;
  /// σ of a node (Pa): Hooke's law in ε − ε_p; with Green's strain the second Piola–Kirchhoff stress. With a plastic
  /// metric that of the shape without stress, turned as the reference is.
  Matrix3 stress(Eigen::Index node, const Eigen::Ref<const Points>& x) const;
  /// J.
  double energy(const Eigen::Ref<const Points>& x) const;
  /// N, n×3: −∂(energy)/∂x.
  Points forces(const Eigen::Ref<const Points>& x) const;
  /// The same into `result`, which must have n rows.
  void forces(const Eigen::Ref<const Points>& x, Points& result) const;
  /// K u (N, n×3), the linear part of the forces about rest, for displacements u (m).
  Points stiffness_times(const Eigen::Ref<const Points>& u) const;

  int threads() const { return threads_; }
  const PairLayout& layout() const { return layout_; }

 private:
  enum class Pass { Energy, Forces, Stiffness };

  Matrix3 plastic_constant(Eigen::Index node, std::size_t first) const;
  void read_node(std::size_t place);
  template <Pass pass>
  void run(const Eigen::Ref<const Points>& x, Points* result) const;
  /// A block's copies of its own nodes and its guests.
  struct Copies {
    numerics::AlignedVector<double> moving;  ///< eight a node: displacement, rest position from the block's origin
    numerics::AlignedVector<double> forces;  ///< four a node
  };
  void copy_nodes(const PairLayout::Block& block, const Eigen::Ref<const Points>& x, bool are_positions,
                  Copies& copies) const;
  template <Pass pass>
  void pass_over_nodes(const PairLayout::Block& block, Copies& copies) const;
  void keep_forces(const PairLayout::Block& block, const Copies& copies) const;
  void add_up_forces(const PairLayout::Block& block, double sign, Points& result) const;

  const NodeCloud& cloud_;
  const ElasticOptions options_;
  const int most_threads_;
  int threads_ = 1;
  bool has_plastic_strain_ = false, has_plastic_metric_ = false;
  PairLayout layout_;
  std::vector<Vector3> origins_;                       ///< of every block
  numerics::AlignedVector<double> constants_;          ///< [batch][kConstants][lane]: what is known of nodes
  numerics::AlignedVector<double> plastic_constants_;  ///< [batch][kPlasticConstants][lane]
  numerics::AlignedVector<double> edge_sums_;          ///< four numbers a place: Σ_j ω_ij (x_j − x_i)
  // What a call leaves for nobody; kept, as pages that are new cost more than a pass.
  mutable std::vector<Copies> copies_;                    ///< of every thread
  mutable numerics::AlignedVector<double> own_forces_;    ///< four a place: from its block
  mutable numerics::AlignedVector<double> guest_forces_;  ///< four a guest
  mutable numerics::AlignedVector<double> energies_;      ///< of every place
};

/// 2/ω_max (s), the largest stable step of leap-frog about rest, undamped, where the coordinates with `is_held` (n×3,
/// 1 or 0) do not move. ω_max by Lanczos' method, from below, to a relative 1e-6 of ω²; infinite without stiffness.
/// `more`, where it is given, is added to the stiffness: forces (N, n×3) of displacements (m), symmetric.
double stable_time_step(const MlsElasticity& elasticity, const NodeCloud& cloud, const Points& is_held,
                        const std::function<Points(const Points&)>& more = {});

}  // namespace deformbench::meshless

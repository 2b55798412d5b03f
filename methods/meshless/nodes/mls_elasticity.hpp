// SPDX-License-Identifier: BSD-3-Clause
// Elastic energy of nodes and its exact gradient, one evaluation per node (point collocation). [PKAGDG05] §2,
// [MKNPGA04] §3
//   F_i = P_i + Σ_j (u_j − u_i) d_ijᵀ,  ε_i = ½ (F_iᵀF_i − P_i),  σ_i = C (ε_i − ε_p),
//   U = Σ_i v_i (½ (ε_i − ε_p) : σ_i + ½ k_v (det F_i − 1)²),  f_j −= Q_i d_ij,  f_i += Q_i Σ_j d_ij,  Q_i = v_i (F_i
//   σ_i + k_v (det F_i − 1) cof F_i)
// Forces of a node sum to zero and, since σ is symmetric, have no moment, for any weights. With plastic metrics G, F is
// replaced by F_e = F B, B = G^(−½): ε = ½ (F_eᵀF_e − P), Q = v (F_e σ + k_v (det F_e − 1) cof F_e) B, and v is the
// stress-free volume.
#pragma once

#include <functional>
#include <span>

#include "methods/meshless/nodes/node_cloud.hpp"
#include "methods/meshless/nodes/pair_layout.hpp"

namespace deformbench::meshless {

enum class Strain {
  Green,       ///< ½ (FᵀF − I), [PKAGDG05] §2
  TwiceGreen,  ///< FᵀF − I, as printed in [MKNPGA04] eq. 2: four times the energy
};

struct ElasticOptions {
  Strain strain = Strain::Green;
  double volume_stiffness = 0.0;  ///< k_v, Pa, [MKNPGA04] §3.3; not for nodes with coplanar neighbours
};

/// Works block by block (pair_layout.hpp): computes Q of a SIMD register of nodes and adds their forces at once to
/// the block's neighbour copies. Copies are summed in block order, so results are bitwise independent of the number
/// of threads.
class MlsElasticity {
 public:
  /// `cloud` must outlive it. `threads`: maximum; fewer for few nodes.
  MlsElasticity(const NodeCloud& cloud, const ElasticOptions& options, int threads = 1);

  /// Call after the cloud's nodes, pairs, weights or operators have changed: re-reads rest, neighbours, weights,
  /// inverse moments, projections, ranks, volumes and materials.
  void follow();
  /// The same if only pairs (i, j) with i in `nodes` and operators of `nodes` have changed. Cost proportional to
  /// their number, unless one has a neighbour that is new since the last `follow()`.
  void follow(std::span<const int> nodes);

  /// Sets the plastic strains ε_p of all nodes (n, rest frame): energy and forces use ε − ε_p. Reset to 0 by `follow()`
  /// without nodes. Ignored by `stiffness_times`.
  void set_plastic_strains(std::span<const Matrix3> strains);
  /// Sets the plastic metric G of a node (reference frame, positive eigenvalues) in the directions with neighbours:
  /// energy and forces use F G^(−½). Reset to I by every `follow()` that reads the node. `stiffness_times` uses it, but
  /// neglects the stress at rest.
  void set_plastic_metric(Eigen::Index node, const Matrix3& metric);

  /// F of a node at the positions x (n×3, m), from d_ij of the cloud.
  Matrix3 deformation_gradient(Eigen::Index node, const Eigen::Ref<const Points>& x) const;
  /// ε of a node at the positions x, 0 in directions without neighbours.
  Matrix3 strain(Eigen::Index node, const Eigen::Ref<const Points>& x) const;
  /// σ of a node (Pa): Hooke's law in ε − ε_p; with Green's strain the second Piola–Kirchhoff stress. With a plastic
  /// metric, relative to the stress-free shape, oriented as the reference.
  Matrix3 stress(Eigen::Index node, const Eigen::Ref<const Points>& x) const;
  /// J.
  double energy(const Eigen::Ref<const Points>& x) const;
  /// Share of these nodes, J.
  double energy_of(const Eigen::Ref<const Points>& x, std::span<const int> nodes) const;
  /// N, n×3: −∂(energy)/∂x.
  Points forces(const Eigen::Ref<const Points>& x) const;
  /// The same into `result` with n rows.
  void forces(const Eigen::Ref<const Points>& x, Points& result) const;
  /// K u (N, n×3) = −forces linearised about rest, for displacements u (m).
  Points stiffness_times(const Eigen::Ref<const Points>& u) const;

  int threads() const { return threads_; }
  const PairLayout& layout() const { return layout_; }

 private:
  enum class Pass { Energy, Forces, Stiffness };

  Matrix3 plastic_constant(Eigen::Index node, std::size_t first) const;
  void read_node(std::size_t place);
  template <Pass pass>
  void run(const Eigen::Ref<const Points>& x, Points* result) const;
  /// A block's copies of its own nodes and guests.
  struct Copies {
    numerics::AlignedVector<double>
        moving;  ///< eight per node: displacement, rest position relative to the block's origin
    numerics::AlignedVector<double> forces;  ///< four per node
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
  std::vector<Vector3> origins_;                       ///< per block
  numerics::AlignedVector<double> constants_;          ///< [batch][kConstants][lane]
  numerics::AlignedVector<double> plastic_constants_;  ///< [batch][kPlasticConstants][lane]
  numerics::AlignedVector<double> edge_sums_;          ///< four per place: Σ_j ω_ij (x_j − x_i)
  // Scratch memory, kept because touching new pages costs more than a pass.
  mutable std::vector<Copies> copies_;                    ///< per thread
  mutable numerics::AlignedVector<double> own_forces_;    ///< four per place: from its block
  mutable numerics::AlignedVector<double> guest_forces_;  ///< four per guest
  mutable numerics::AlignedVector<double> energies_;      ///< per place
};

/// 2/ω_max (s), the largest stable step of undamped leap-frog about rest if the coordinates with `is_held` (n×3, 1 or
/// 0) are fixed. ω_max by Lanczos' method, from below, ω² to a relative 1e-6; infinite without stiffness. `more`
/// (optional): additional symmetric K u (N, n×3) of displacements u (m).
double stable_time_step(const MlsElasticity& elasticity, const NodeCloud& cloud, const Points& is_held,
                        const std::function<Points(const Points&)>& more = {});

}  // namespace deformbench::meshless

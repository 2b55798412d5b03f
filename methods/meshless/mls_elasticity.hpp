// SPDX-License-Identifier: BSD-3-Clause
// Elastic energy of nodes and its exact gradient, one evaluation per node (point collocation). [PKAGDG05] §2,
// [MKNPGA04] §3
//   F_i = P_i + Σ_j (u_j − u_i) d_ijᵀ,  ε_i = ½ (F_iᵀF_i − P_i),  σ_i = C ε_i,
//   U = Σ_i v_i (½ ε_i : σ_i + ½ k_v (det F_i − 1)²),  f_j −= Q_i d_ij,  f_i += Q_i Σ_j d_ij,  Q_i = v_i (F_i σ_i + k_v
//   (det F_i − 1) cof F_i)
// Forces of a node add up to zero, and have no moment as σ is symmetric, whatever the weights.
#pragma once

#include "methods/meshless/node_cloud.hpp"

namespace deformbench::meshless {

enum class Strain {
  Green,       ///< ½ (FᵀF − I), [PKAGDG05] §2
  TwiceGreen,  ///< FᵀF − I, as [MKNPGA04] eq. 2 prints it: the energy is four times as large
};

struct ElasticOptions {
  Strain strain = Strain::Green;
  double volume_stiffness = 0.0;  ///< k_v, Pa, [MKNPGA04] §3.3; not where a node's neighbours lie in a plane
};

class MlsElasticity {
 public:
  /// `cloud` must outlive it.
  MlsElasticity(const NodeCloud& cloud, const ElasticOptions& options) : cloud_(cloud), options_(options) {}

  /// F of every node at the positions x (n×3, m).
  Matrix3 deformation_gradient(Eigen::Index node, const Eigen::Ref<const Points>& x) const;
  /// ε of every node at the positions x, 0 in directions without neighbours.
  Matrix3 strain(Eigen::Index node, const Eigen::Ref<const Points>& x) const;
  /// σ of every node (Pa): Hooke's law in ε, with Green's strain the second Piola–Kirchhoff stress.
  Matrix3 stress(Eigen::Index node, const Eigen::Ref<const Points>& x) const;
  /// J.
  double energy(const Eigen::Ref<const Points>& x) const;
  /// N, n×3: −∂(energy)/∂x.
  Points forces(const Eigen::Ref<const Points>& x) const;
  /// K u (N, n×3), the linear part of the forces about rest, for displacements u (m).
  Points stiffness_times(const Eigen::Ref<const Points>& u) const;

 private:
  /// Σ_j (u_j − u_i) d_ijᵀ
  Matrix3 displacement_gradient(Eigen::Index node, const Eigen::Ref<const Points>& u) const;
  Matrix3 strain_of(Eigen::Index node, const Matrix3& f) const;
  Matrix3 stress_of(Eigen::Index node, const Matrix3& strain) const;
  double strain_factor() const { return options_.strain == Strain::Green ? 0.5 : 1.0; }
  bool has_volume_term(Eigen::Index node) const;
  void scatter(Eigen::Index node, const Matrix3& q, Points& forces) const;

  const NodeCloud& cloud_;
  const ElasticOptions options_;
};

/// 2/ω_max (s), the largest stable step of leap-frog about rest, undamped, where the coordinates with `is_held` (n×3,
/// 1 or 0) do not move. ω_max by power iteration, from below, to a relative 1e-6 of ω²; infinite without stiffness.
double stable_time_step(const MlsElasticity& elasticity, const NodeCloud& cloud, const Points& is_held);

}  // namespace deformbench::meshless

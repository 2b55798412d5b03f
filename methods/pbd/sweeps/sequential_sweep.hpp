// SPDX-License-Identifier: BSD-3-Clause
// Plain loop over mesh constraints with every variant of the paper and its errata; reference for the other sweeps.
// Orders: forward, reverse, random, Jacobi, symmetric.
#pragma once

#include <vector>

#include "methods/numerics/random.hpp"
#include "methods/pbd/sweeps/scalar_constraints.hpp"
#include "methods/pbd/sweeps/sweep.hpp"

namespace deformbench::pbd {

class SequentialSweep final : public Sweep {
 public:
  SequentialSweep(const MeshConstraints& constraints, const Eigen::VectorXd& inverse_masses, const PbdOptions& options,
                  std::uint64_t seed);
  void begin_step(double time_step) override;
  void set_start(const Points& positions) override;
  void load(const Points& positions) override { positions_ = positions; }
  void iterate() override;
  void store(Points& positions) const override { positions = positions_; }

 private:
  void project(std::size_t index);
  template <int n>
  void project(const std::array<int, n>& vertices, const Evaluated<n>& at, const std::array<Vector3, n>& directions,
               double share, double compliance, double& multiplier);
  void move(int vertex, const Vector3& correction);
  void apply_jacobi();

  std::vector<StretchConstraint> stretch_;
  std::vector<BendConstraint> bend_;
  Eigen::VectorXd inverse_masses_;
  PbdOptions options_;
  double stretch_share_, bend_share_;  ///< k′, or k
  double time_step_ = 0.0;
  Points positions_, start_, corrections_;  ///< n×3, m
  Eigen::VectorXd counts_;                  ///< constraints with a gradient per vertex in this Jacobi iteration
  std::vector<double> multipliers_;         ///< λ, stretch first; compliant solver only
  std::vector<std::size_t> order_;          ///< indices, stretch first
  numerics::RandomStream random_;
};

}  // namespace deformbench::pbd

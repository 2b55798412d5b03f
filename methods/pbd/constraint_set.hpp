// SPDX-License-Identifier: BSD-3-Clause
// Sweeps over constraint objects in the order given by the options. [MHHR07] §3.2
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "methods/numerics/random.hpp"
#include "methods/pbd/constraint.hpp"
#include "methods/pbd/options/pbd_options.hpp"

namespace deformbench::pbd {

class ConstraintSet {
 public:
  ConstraintSet(const PbdOptions& options, std::uint64_t seed);

  void add(std::unique_ptr<Constraint> constraint);
  void clear_from(std::size_t first);  ///< removes the constraints from this index on
  bool empty() const { return constraints_.empty(); }
  std::size_t size() const { return constraints_.size(); }

  /// Start of a (sub)step of `time_step` (s) from `start` (n×3, m): resets multipliers; with GradientsAt::Start,
  /// evaluates the gradients used throughout the step.
  void begin_step(const Points& start, double time_step);
  /// Projects every constraint once. `inverse_masses` (n, 1/kg), `positions` n×3.
  void sweep(const Eigen::VectorXd& inverse_masses, Points& positions);

  /// Whether every constraint has a compliance and therefore an energy ½ C²/α.
  bool all_compliant() const;
  /// Sum of these energies (J), satisfied inequalities excluded; adds ∂/∂x (N) to `gradient` (n×3).
  double add_energy(const Points& positions, Points& gradient) const;

 private:
  struct Entry {
    std::unique_ptr<Constraint> constraint;
    double stated;            ///< k from which k′ was computed
    double stiffness;         ///< k′
    double multiplier = 0.0;  ///< λ of the compliant solver
    std::size_t first;        ///< index of its gradients in start_gradients_
  };
  std::size_t gradient_count() const;
  double scale_of(Entry& entry, const Eigen::VectorXd& inverse_masses, const Points& positions);
  std::span<const Vector3> directions(const Entry& entry) const;
  void project(Entry& entry, const Eigen::VectorXd& inverse_masses, Points& positions);
  void jacobi_sweep(const Eigen::VectorXd& inverse_masses, Points& positions);

  PbdOptions options_;
  numerics::RandomStream random_;
  std::vector<Entry> constraints_;
  std::vector<std::size_t> order_;
  double time_step_ = 1.0;
  std::vector<Vector3> start_gradients_;
  std::vector<Vector3> gradients_;  ///< of the current constraint
  std::vector<double> weights_;
  Points sums_;  ///< Jacobi: summed corrections per vertex
  std::vector<int> counts_;
};

}  // namespace deformbench::pbd

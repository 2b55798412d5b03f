// SPDX-License-Identifier: BSD-3-Clause
// Rest criterion from positions only, for methods without elastic forces (docs/declarations.md).
#pragma once

#include <string>

#include "methods/model/scene.hpp"

namespace deformbench::harness {

class RestByPositions {
 public:
  RestByPositions(const Scene& scene, const Eigen::VectorXd& masses);

  /// Call after every step, with the state at `time`.
  void look(const Points& positions, double time);
  /// max(force(), motion()); infinite before two steps, or if a loaded body has not moved at all.
  double residual() const;
  /// Largest inertial force m Δv / Δt of free components relative to the largest inertial or external force so far.
  double force() const { return force_; }
  /// Remaining motion relative to the largest displacement so far: if steps shrink by a factor q, q/(1−q) of the
  /// last.
  double motion() const { return motion_; }
  std::string text() const;  ///< the residual's two parts

 private:
  const Scene& scene_;
  const Eigen::VectorXd masses_;
  const Points start_;
  double rounding_;  ///< m: shorter displacements count as zero
  Eigen::Array<bool, Eigen::Dynamic, 3, Eigen::RowMajor> is_free_;
  Points last_, last_step_;   ///< positions, and their last increment
  double last_length_ = 0.0;  ///< m, maximum of last_step_ over free components
  int steps_ = 0;
  bool is_loaded_ = false;
  double largest_force_ = 0.0, largest_displacement_ = 0.0;
  double force_ = 0.0, motion_ = 0.0;
};

}  // namespace deformbench::harness

// SPDX-License-Identifier: BSD-3-Clause
// Whether a run has become static, by its positions alone: for methods that state no elastic forces
// (docs/declarations.md).
#pragma once

#include <string>

#include "methods/model/scene.hpp"

namespace deformbench::harness {

class RestByPositions {
 public:
  RestByPositions(const Scene& scene, const Eigen::VectorXd& masses);

  /// The state after the next step, at `time`.
  void look(const Points& positions, double time);
  /// The larger of force() and motion(), infinite before two steps, and where a loaded body has not moved at all.
  double residual() const;
  /// Largest mass times change of velocity over Δt, of free components, over the largest such or external force so far.
  double force() const { return force_; }
  /// Motion still to come over the largest displacement so far: steps that shrink by q leave q/(1−q) of the last one.
  double motion() const { return motion_; }
  std::string text() const;  ///< what the residual consists of

 private:
  const Scene& scene_;
  const Eigen::VectorXd masses_;
  const Points start_;
  double rounding_;  ///< m: shorter moves are none
  Eigen::Array<bool, Eigen::Dynamic, 3, Eigen::RowMajor> is_free_;
  Points last_, last_step_;   ///< positions, and their last change
  double last_length_ = 0.0;  ///< m, the largest of last_step_, of free components
  int steps_ = 0;
  bool is_loaded_ = false;
  double largest_force_ = 0.0, largest_displacement_ = 0.0;
  double force_ = 0.0, motion_ = 0.0;
};

}  // namespace deformbench::harness

// SPDX-License-Identifier: BSD-3-Clause
// The clock `iteration` for external methods, in two lines: inherit, and note every iteration.
#pragma once

#include "methods/facets.hpp"

namespace deformbench {

/// Implements IterationFacet for a simulation whose steps minimise one objective iteratively (no substeps).
class WatchedIterations : public IterationFacet {
 public:
  Support iterates() const override { return Support::yes(); }
  Support iterations_have(IterationQuantity quantity) const override {
    return quantity == IterationQuantity::Objective ? Support::yes()
                                                    : Support::no("its iterations report the objective only");
  }
  void watch_iterations(IterationLog* log) override { log_ = log; }

 protected:
  /// Call after every iteration, and with 0 before the first. `objective` returns the minimised objective (J); it is
  /// evaluated only under observation, with the clock paused.
  template <class Objective>
  void note_iteration(int iteration, Objective&& objective) {
    if (log_ == nullptr) return;
    log_->stop_clock();
    Iteration row{IterationKind::Other};
    row.iteration = iteration;
    row[IterationQuantity::Objective] = objective();
    log_->add(row);
  }

 private:
  IterationLog* log_ = nullptr;
};

}  // namespace deformbench

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "methods/fem/body/body.hpp"
#include "methods/fem/body/step_phases.hpp"
#include "methods/iteration_log.hpp"
#include "methods/method.hpp"

namespace deformbench::fem {

/// Advances a body by one time step of its scene.
template <class T>
class Integrator : public SimulationPart {
 public:
  virtual StepReport step(PhaseClock& clock) = 0;
  /// Call after Body::follow and Elasticity::follow, with the same sources.
  virtual void follow(std::span<const int> sources) = 0;

  // As IterationFacet.
  virtual Support iterates() const = 0;
  virtual Support iterations_have(IterationQuantity quantity) const = 0;
  void watch_iterations(IterationLog* log) { log_ = log; }

 protected:
  IterationLog* log_ = nullptr;  ///< null: not observed
};

}  // namespace deformbench::fem

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "methods/fem/body/body.hpp"
#include "methods/fem/step_phases.hpp"
#include "methods/method.hpp"

namespace deformbench::fem {

/// Advances a body by one time step of its scene.
template <class T>
class Integrator : public SimulationPart {
 public:
  virtual StepReport step(PhaseClock& clock) = 0;
  /// After body and elasticity have followed vertex splits.
  virtual void follow() = 0;
};

}  // namespace deformbench::fem

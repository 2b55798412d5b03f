// SPDX-License-Identifier: BSD-3-Clause
// A simulation is a body and the parts that act on it: elasticity, integrator and, if it breaks, fracture.
#pragma once

#include <initializer_list>
#include <memory>
#include <vector>

#include "methods/fem/elasticity/elasticity.hpp"
#include "methods/fem/fracture/fracture.hpp"
#include "methods/fem/integrators/integrator.hpp"

namespace deformbench::fem {

template <class T>
class FemSimulation final : public Simulation, public PhaseTimesFacet, public IterationFacet {
 public:
  /// `elements`: Body's.
  FemSimulation(const Scene& scene, const RunContext& context, const Cliques& elements = {})
      : body_(scene, context.threads, elements), clock_(context.time_phases) {}

  Body<T>& body() { return body_; }
  /// The parts must be made for `body()`. Set fracture before the others, and only if the body breaks.
  void set_fracture(std::unique_ptr<Fracture<T>> fracture) { fracture_ = std::move(fracture); }
  /// `others`: subparts that implement facets.
  void set_parts(std::unique_ptr<Elasticity<T>> elasticity, std::unique_ptr<Integrator<T>> integrator,
                 std::initializer_list<const SimulationPart*> others);

  StepReport step() override;
  StateView state() const override;
  std::span<const SimulationPart* const> parts() const override { return parts_; }
  std::span<const std::string> phase_names() const override { return PhaseClock::kNames; }
  std::span<const double> phase_seconds() const override { return clock_.seconds(); }
  Support iterates() const override { return integrator_->iterates(); }
  Support iterations_have(IterationQuantity quantity) const override { return integrator_->iterations_have(quantity); }
  void watch_iterations(IterationLog* log) override { integrator_->watch_iterations(log); }

 private:
  Body<T> body_;
  PhaseClock clock_;
  std::unique_ptr<Elasticity<T>> elasticity_;
  std::unique_ptr<Fracture<T>> fracture_;  ///< null: the body does not break
  std::unique_ptr<Integrator<T>> integrator_;
  std::vector<const SimulationPart*> parts_;
};

extern template class FemSimulation<float>;
extern template class FemSimulation<double>;

}  // namespace deformbench::fem

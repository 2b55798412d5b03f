// SPDX-License-Identifier: BSD-3-Clause
#include "methods/fem/fem_simulation.hpp"

namespace deformbench::fem {

template <class T>
void FemSimulation<T>::set_parts(std::unique_ptr<Elasticity<T>> elasticity, std::unique_ptr<Integrator<T>> integrator,
                                 std::initializer_list<const SimulationPart*> others) {
  elasticity_ = std::move(elasticity);
  integrator_ = std::move(integrator);
  parts_ = {elasticity_.get(), integrator_.get()};
  parts_.insert(parts_.end(), others);
  if (fracture_) parts_.push_back(fracture_.get());
}

template <class T>
StepReport FemSimulation<T>::step() {
  clock_.start();
  if (fracture_) fracture_->begin_step();
  const StepReport report = integrator_->step(clock_);
  if (!fracture_ || report.outcome == StepOutcome::Diverged) return report;
  if (const auto change = fracture_->finish_step(clock_)) {
    elasticity_->follow(*change);
    integrator_->follow(fracture_->sources());
  }
  clock_.charge(PhaseClock::Fracture);
  return report;
}

template <class T>
StateView FemSimulation<T>::state() const {
  const Points &x = body_.positions(), &v = body_.velocities();
  return {body_.state.time, PointsView(x.data(), x.rows(), 3), PointsView(v.data(), v.rows(), 3),
          ScalarsView(body_.masses.data(), body_.masses.size())};
}

template class FemSimulation<float>;
template class FemSimulation<double>;

}  // namespace deformbench::fem

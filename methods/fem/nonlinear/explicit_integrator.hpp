// SPDX-License-Identifier: BSD-3-Clause
// Explicit integration ([OH99]; "an Euler step" of [CS6967] §2.3) with substep h and acceleration
// a = M⁻¹ (f(x) + f_ext) − αv:
//   forward Euler     x⁺ = x + h v, v⁺ = v + h a(x, v)
//   symplectic Euler  v⁺ = v + h a(x, v), x⁺ = x + h v⁺
//   leap-frog         kick-drift-kick (velocity Verlet): positions and velocities at the same time
// Contact changes the velocity that updates x.
#pragma once

#include "methods/fem/elasticity/elasticity.hpp"
#include "methods/fem/integrators/integrator.hpp"

namespace deformbench::fem {

enum class ExplicitScheme { ForwardEuler, SymplecticEuler, LeapFrog };

struct ExplicitOptions {
  ExplicitScheme scheme = ExplicitScheme::SymplecticEuler;
  int substeps = 0;           ///< 0: chosen from `safety`
  double safety = 0.5;        ///< substep / stable substep at rest
  double mass_damping = 0.0;  ///< α, 1/s
};

class ExplicitIntegrator final : public Integrator<double>, public SystemOperatorFacet {
 public:
  /// Body and elasticity must outlive the integrator.
  ExplicitIntegrator(Body<double>& body, NonlinearElasticity<double>& elasticity, const ExplicitOptions& options);

  StepReport step(PhaseClock& clock) override;
  void follow(std::span<const int> sources) override;
  Support iterates() const override { return Support::no("an explicit step does not iterate"); }
  Support iterations_have(IterationQuantity) const override { return iterates(); }

  /// M (diagonal): an explicit step solves no other system.
  Eigen::SparseMatrix<double> system_matrix(const Eigen::Ref<const Points>& x) const override;
  Eigen::SparseMatrix<double> stiffness_matrix(const Eigen::Ref<const Points>& x) const override {
    return elasticity_.stiffness(x);
  }
  double stiffness_bound() const override { return elasticity_.stiffness_bound(); }

 private:
  void substep(PhaseClock& clock);
  void evaluate(PhaseClock& clock);
  /// v ← kept v + push M⁻¹ (f + f_ext).
  void kick(double kept, double push);
  void give_prescribed_velocities();
  /// Contact, then x += h v and t += h. Sets speed_squared_ = Σ |v|².
  void drift();

  Body<double>& body_;
  NonlinearElasticity<double>& elasticity_;
  const ExplicitOptions options_;
  int substeps_ = 1;
  double speed_squared_ = 0.0;
  int evaluations_ = 0;  ///< force evaluations per step
  bool forces_are_current_ = false;
  numerics::AlignedVector<double> forces_;
};

}  // namespace deformbench::fem

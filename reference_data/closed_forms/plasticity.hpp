// SPDX-License-Identifier: BSD-3-Clause
// The creep rule of [MG04] §3 along one strain direction: ε_p grows by a fraction of the elastic strain e = ε − ε_p
// in every step in which |e| exceeds the yield, and is limited by a cap. Exact discrete results, and their limits.
#pragma once

namespace deformbench::references {

/// Fraction of the elastic strain absorbed by one step.
enum class FlowRate {
  Printed,       ///< c Δt
  Exponential,   ///< 1 − exp(−c Δt): independent of Δt
  RadialReturn,  ///< all strain beyond the yield, at once
};

struct Creep {
  double yield;  ///< on |e|, 1
  double rate;   ///< c, 1/s
  double cap;    ///< on |ε_p|, 1
  FlowRate flow = FlowRate::Printed;
};

/// Fraction q of e kept by a step of flow: 1 − cΔt or exp(−cΔt); std::domain_error for radial return.
double kept_share(const Creep& creep, double time_step);

/// Total strain ε0 held from the start. Number of steps with flow, ignoring the cap: 0 if ε0 does not exceed the
/// yield. Throws std::domain_error for a kept share outside [0, 1): beyond cΔt = 1 the rule alternates.
long held_flow_steps(const Creep& creep, double held_strain, double time_step);
/// e after `steps` steps: ε0 qⁿ until the flow stops, not below ε0 − cap.
double held_elastic_strain(const Creep& creep, double held_strain, double time_step, long steps);
/// The limit Δt → 0: ε0 exp(−ct) down to the yield, not below ε0 − cap.
double held_elastic_strain_continuous(const Creep& creep, double held_strain, double time);

/// Stress held at E·e with e beyond the yield: ε_p grows at the rate c e up to the cap.
double constant_load_plastic_strain(const Creep& creep, double elastic_strain, double time);

/// Total strain r t, Δt → 0: e tends to r/c with time constant 1/c, or stays at a higher yield, until ε_p = cap.
double constant_rate_elastic_strain(const Creep& creep, double strain_rate, double time);

/// Fraction of the elastic energy dissipated by one step of flow at fixed total strain: 1 − q² = cΔt (2 − cΔt) as
/// printed.
double dissipated_share(const Creep& creep, double time_step);

/// 2-norm of pure shear γ as a 6-vector with engineering shear, its axes rotated by `angle` (rad) from the shear
/// frame: γ at 0, γ/√2 at 45°. The Frobenius norm is γ/√2 at any angle. erratum B-IVM-4
double engineering_norm_of_shear(double shear, double angle);

/// Uniaxial bar of length 1 m with a mass at its end: the loop of [MG04] §6 with one degree of freedom.
struct CreepingBar {
  double stiffness = 100.0;  ///< k, N/m, equal to N per unit strain, as the bar is 1 m long
  double mass = 0.01;        ///< kg
  double damping = 2.0;      ///< C, N s/m; 2 is critical for the other defaults
  double force = 10.0;       ///< N, from t = 0
  double hold_time = 1.0;    ///< s, the force acts in steps that end by then
  double time_step = 0.01;   ///< s
  Creep creep{0.01, 20.0, 0.3, FlowRate::Printed};
  /// Sign of the plastic force on the right-hand side: +1 resists as in eq. 16, −1 as in the listing. erratum B-IVM-1
  int plastic_sign = 1;
  /// Assembles the plastic force before the flow; the listing assembles it after.
  bool force_before_flow = false;
};

struct BarState {
  double position = 0.0;        ///< m
  double velocity = 0.0;        ///< m/s
  double plastic_strain = 0.0;  ///< 1
};

/// State after `steps` steps from rest. erratum B-IVM-1
BarState creeping_bar(const CreepingBar& bar, long steps);

}  // namespace deformbench::references

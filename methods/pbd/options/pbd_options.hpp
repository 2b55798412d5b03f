// SPDX-License-Identifier: BSD-3-Clause
// Parameters of position based dynamics as one struct. [MHHR07]
#pragma once

#include "methods/collision/collisions.hpp"
#include "methods/parameters.hpp"

namespace deformbench::pbd {

/// Distribution of a projection among the vertices of a constraint.
enum class MassWeighting {
  Corrected,  ///< Δp_i = −w_i ∇_iC · C / Σ w_j|∇_jC|²: solves the linearised constraint
  AsPrinted,  ///< [MHHR07] eq. 7, 8: n w_i / Σw_j · C / Σ|∇_jC|²; overshoots for unequal masses (B-PBD-1)
};
enum class StiffnessLaw {
  PerStep,  ///< k′ = 1 − (1 − k)^{1/n} in each of n visits: one constraint keeps 1 − k of its error after a step
  PerIteration,  ///< k in each visit: (1 − k)^n of the error remains
};
enum class BendAngle {
  Signed,     ///< atan2: defined for flat and folded pairs, distinguishes the two sides
  AsPrinted,  ///< arccos(n1·n2), φ = π if flat; no gradient at 0 and π (B-PBD-3)
};
/// Order in which a sweep visits stretch and bend constraints of the mesh (and explicit ones).
enum class SweepOrder {
  Forward,    ///< as listed, [MHHR07] §3.2; same result for any `Execution`
  Reverse,    ///< from the last to the first
  Random,     ///< a new random order per iteration
  Jacobi,     ///< all from the same positions; corrections averaged per vertex (`jacobi_average`) times `jacobi_omega`
  Symmetric,  ///< forward, then backward per iteration, at twice the cost: keeps rest stable, a fixed order may not
              ///< (PBD-03)
  Coloured,   ///< by colours within mesh blocks: suits SIMD lanes and threads, different convergence
};
enum class Execution {
  Scheduled,   ///< level scheduling with many constraints per register: equals Sequential up to rounding (Forward,
               ///< Symmetric)
  Sequential,  ///< one constraint after the other
};
enum class Precision { Double, Single };
enum class GradientsAt {
  Predicted,  ///< at p, as in the paper: the step loses angular momentum (B-PBD-5)
  Start,      ///< at x_n, the start of the step: conserves it exactly
};
enum class VelocityUpdate {
  Coulomb,    ///< Coulomb friction with stick; restitution from the velocity before the projection
  AsPrinted,  ///< [MHHR07] §3.4: reflect and damp the velocity after the projection (B-PBD-6, 7)
};
/// Reaction of a dynamic body to a vertex in contact or attached. [MHHR07] §4.2
enum class Reaction {
  Corrected,  ///< vertex and body are projected together by their (generalised) inverse masses: opposite impulses
  Impulse,    ///< only the vertex is projected; at the end of the step the body gets −m Δp/Δt at the contact point
  AsPrinted,  ///< as Impulse with the printed sign +m Δp/Δt: not conservative (B-PBD-15)
};
enum class Detection { Continuous, Static, ContinuousThenStatic };
enum class SelfGradient {
  Full,           ///< with ∂n/∂p of the triangle's vertices
  ConstantNormal  ///< without ∂n/∂p: loses angular momentum (B-PBD-10)
};
enum class PressureVolume {
  SameSum,     ///< V0 is the rest value of the sum in [MHHR07] eq. 13 (six volumes): k_pressure scales the volume
  TrueVolume,  ///< V0 is the rest volume in m³: k_pressure 1 aims at V/6 (B-PBD-4)
};
/// Constraints of a tetrahedral body.
enum class SolidConstraints {
  NeoHookean,           ///< two per tetrahedron, with compliances from its material [MM21]; XPBD only
  DistancesAndVolumes,  ///< one per edge, one per tetrahedron, without a material
};
/// Solution of the two constraints of a neo-Hookean tetrahedron.
enum class SolidSolve {
  Newton,    ///< with second derivatives: converges to the step's minimum for any Δt [CPN25]
  Coupled,   ///< linearised as [MMC16], both constraints in a 2×2 system: keeps rest
  OneByOne,  ///< linearised, first deviatoric, then hydrostatic
};

struct PbdOptions {
  bool is_compliant = false;  ///< XPBD: multipliers and compliance instead of stiffness [MMC16]
  int iterations = 10;
  int substeps = 1;                ///< small steps [MSL19]; 0: chosen (small_steps_for)
  double stretch_stiffness = 1.0;  ///< k ∈ [0, 1]
  double bend_stiffness = 0.1;
  double stretch_compliance = 0.0;  ///< m/N, XPBD only
  double bend_compliance = 1e-3;    ///< rad²/J, XPBD only
  double pressure = 0.0;            ///< k_pressure on the rest volume of every closed component; 0: no such constraint
  double pressure_stiffness = 1.0;
  double pressure_compliance = 0.0;  ///< m⁶/J, XPBD only
  PressureVolume pressure_volume = PressureVolume::SameSum;
  SolidConstraints solid_constraints = SolidConstraints::DistancesAndVolumes;
  SolidSolve solid_solve = SolidSolve::Newton;
  bool resets_multipliers = false;  ///< XPBD only: λ = 0 at the start of every iteration, not of the (sub)step alone
  bool warm_start = false;          ///< SolidSolve::Newton: start from the forces of the last (sub)step
  double volume_stiffness = 1.0;    ///< k of tetrahedral volumes
  double volume_compliance = 0.0;   ///< m⁶/J of tetrahedral volumes, XPBD only
  StiffnessLaw stiffness_law = StiffnessLaw::PerStep;
  MassWeighting mass_weighting = MassWeighting::Corrected;
  BendAngle bend_angle = BendAngle::Signed;
  SweepOrder order = SweepOrder::Symmetric;
  double jacobi_omega = 1.0;  ///< factor on Jacobi corrections (averaged if `jacobi_average`)
  bool jacobi_average = true;
  Execution execution = Execution::Scheduled;
  Precision precision = Precision::Double;
  GradientsAt gradients_at = GradientsAt::Predicted;
  double mass_damping = 0.0;  ///< 1/s: a (sub)step starts with v/(1 + αΔt)
  double damping = 0.0;       ///< k_damping of [MHHR07] §3.5, ∈ [0, 1]
  VelocityUpdate velocity_update = VelocityUpdate::Coulomb;
  Detection detection = Detection::ContinuousThenStatic;
  bool contact_guard = true;        ///< also creates contacts for vertices near a body that do not enter it
  double contact_offset = 0.0;      ///< m, kept between vertices and bodies
  double contact_compliance = 0.0;  ///< m/Pa, of vertices at planes and bodies, XPBD only
  double recovery_speed = 0.3;      ///< m/s, out of a body or to distance h if too close at the start; 0: at once
  bool self_collision = false;
  double thickness = 0.005;    ///< h of [MHHR07] eq. 11, 12, m
  double self_friction = 0.0;  ///< Coulomb coefficient of cloth on cloth
  SelfGradient self_gradient = SelfGradient::Full;
  bool corner_contacts = true;  ///< corners of boxes and convex vertices of meshes against triangles
  Reaction reaction = Reaction::Corrected;
  collision::CollisionOptions collisions;  ///< of the cloth with itself, after the projection
  double tear_stretch = 0.0;               ///< edges longer than this times their rest length tear; 0: never
};

/// The declared parameters of `pbd` (compliant = false) or `xpbd`.
ParameterSpec pbd_parameters(bool is_compliant);
PbdOptions pbd_options(const Parameters& parameters, bool is_compliant);

}  // namespace deformbench::pbd

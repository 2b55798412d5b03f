// SPDX-License-Identifier: BSD-3-Clause
// The parameters of position based dynamics, as one struct. [MHHR07]
#pragma once

#include "methods/collision/collisions.hpp"
#include "methods/parameters.hpp"

namespace deformbench::pbd {

/// How a projection is shared among the vertices of a constraint.
enum class MassWeighting {
  Corrected,  ///< Δp_i = −w_i ∇_iC · C / Σ w_j|∇_jC|²: solves the linearised constraint
  AsPrinted,  ///< [MHHR07] eq. 7, 8: n w_i / Σw_j · C / Σ|∇_jC|²; overshoots for unequal masses (B-PBD-1)
};
enum class StiffnessLaw {
  PerStep,  ///< k′ = 1 − (1 − k)^{1/n_s} every iteration: what is left of one constraint after a step is 1 − k
  PerIteration,  ///< k every iteration: what is left is (1 − k)^{n_s}
};
enum class BendAngle {
  Signed,     ///< atan2: defined for flat and folded pairs, knows up from down
  AsPrinted,  ///< arccos(n1·n2), φ = π where flat; no direction at 0 and π (B-PBD-3)
};
/// In which order a sweep visits the stretch and bend constraints of the mesh (and explicit ones).
enum class SweepOrder {
  Forward,  ///< as listed, [MHHR07] §3.2; the same result however it is carried out (`Execution`)
  Reverse,  ///< from the last to the first
  Random,   ///< another order every iteration
  Jacobi,   ///< all from the same positions, the mean of the corrections of a vertex (plain Jacobi with `jacobi_omega`
            ///< 1)
  Symmetric,  ///< forward, then back, in every iteration, at twice the cost: rest is stable, in a fixed order not
              ///< (PBD-03)
  Coloured,   ///< in blocks, each colour by colour: fits lanes and threads, converges differently
};
enum class Execution {
  Scheduled,   ///< by levels of dependence, many constraints per register: the sequential result to rounding (Forward,
               ///< Symmetric)
  Sequential,  ///< one constraint after the other
};
enum class Precision { Double, Single };
enum class GradientsAt {
  Predicted,  ///< at p, as the paper has it: the step loses angular momentum (B-PBD-5)
  Start,      ///< at x_n, positions at the start of the step: keeps it exactly
};
enum class VelocityUpdate {
  Coulomb,    ///< Coulomb friction with stick; restitution from the velocity before the projection
  AsPrinted,  ///< [MHHR07] §3.4: reflect and damp the velocity after the projection (B-PBD-6, 7)
};
/// What a dynamic body feels of a vertex that touches it or hangs on it. [MHHR07] §4.2
enum class Reaction {
  Corrected,  ///< vertex and body are projected together, each by its (generalised) inverse mass: opposite impulses at
              ///< one point, in every iteration
  Impulse,    ///< the vertex alone is projected; at the end of the step the body gets −m Δp/Δt at the contact point
  AsPrinted,  ///< as Impulse, with the sign that the paper prints, +m Δp/Δt: does not conserve (B-PBD-15)
};
enum class Detection { Continuous, Static, ContinuousThenStatic };
enum class SelfGradient {
  Full,           ///< with ∂n/∂p of the triangle's vertices
  ConstantNormal  ///< without: loses angular momentum (B-PBD-10)
};
enum class PressureVolume {
  SameSum,     ///< V0 is measured by the sum of [MHHR07] eq. 13, six times the volume: k_pressure scales the volume
  TrueVolume,  ///< V0 in m³ beside that sum: k_pressure 1 aims at V/6 (B-PBD-4)
};
/// What holds a tetrahedral body together.
enum class SolidConstraints {
  NeoHookean,           ///< two per tetrahedron, whose compliances are those of its material [MM21]; XPBD only
  DistancesAndVolumes,  ///< one per edge, one per tetrahedron, without a material
};
/// How the two constraints of a neo-Hookean tetrahedron are solved.
enum class SolidSolve {
  Newton,    ///< with the second derivatives: a step converges to its minimum, whatever Δt [CPN25]
  Coupled,   ///< linearised as [MMC16], the 2×2 system of both: keeps rest
  OneByOne,  ///< linearised, the deviatoric one, then the hydrostatic one
};

struct PbdOptions {
  bool is_compliant = false;  ///< XPBD: multipliers and compliance in place of stiffness [MMC16]
  int iterations = 10;
  int substeps = 1;                ///< small steps [MSL19]
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
  bool warm_start = false;         ///< SolidSolve::Newton: from the forces of the last (sub)step, not from none
  double volume_stiffness = 1.0;   ///< k of the volumes of tetrahedra
  double volume_compliance = 0.0;  ///< m⁶/J of the volumes of tetrahedra, XPBD only
  StiffnessLaw stiffness_law = StiffnessLaw::PerStep;
  MassWeighting mass_weighting = MassWeighting::Corrected;
  BendAngle bend_angle = BendAngle::Signed;
  SweepOrder order = SweepOrder::Symmetric;
  double jacobi_omega = 1.0;  ///< factor on a Jacobi correction (averaged where `jacobi_average`)
  bool jacobi_average = true;
  Execution execution = Execution::Scheduled;
  Precision precision = Precision::Double;
  GradientsAt gradients_at = GradientsAt::Predicted;
  double mass_damping = 0.0;  ///< 1/s: a (sub)step starts with v/(1 + αΔt)
  double damping = 0.0;       ///< k_damping of [MHHR07] §3.5, ∈ [0, 1]
  VelocityUpdate velocity_update = VelocityUpdate::Coulomb;
  Detection detection = Detection::ContinuousThenStatic;
  bool contact_guard = true;    ///< contacts also for vertices that are near a body and do not enter it
  double contact_offset = 0.0;  ///< m, kept between vertices and bodies
  double recovery_speed = 0.3;  ///< m/s, back from inside a body, or nearer than h, at the start of a step; 0: at once
  bool self_collision = false;
  double thickness = 0.005;    ///< h of [MHHR07] eq. 11, 12, m
  double self_friction = 0.0;  ///< Coulomb coefficient of the cloth on itself
  SelfGradient self_gradient = SelfGradient::Full;
  bool corner_contacts = true;  ///< corners of dynamic and kinematic boxes and convex meshes against triangles
  Reaction reaction = Reaction::Corrected;
  collision::CollisionOptions collisions;  ///< of the cloth with itself, after the projection
  double tear_stretch = 0.0;               ///< edges longer than this times their rest length tear; 0: never
};

/// The declared parameters of `pbd` (compliant = false) or `xpbd`.
ParameterSpec pbd_parameters(bool is_compliant);
PbdOptions pbd_options(const Parameters& parameters, bool is_compliant);

}  // namespace deformbench::pbd

// SPDX-License-Identifier: BSD-3-Clause
#include "methods/pbd/options/pbd_options.hpp"

namespace deformbench::pbd {
namespace {

void add_solver(ParameterSpec& spec, const PbdOptions& defaults, bool may_choose) {
  spec.push_back({.name = "iterations",
                  .unit = "1",
                  .default_value = static_cast<long long>(defaults.iterations),
                  .doc = "n_s, sweeps over all constraints in a (sub)step, [MHHR07] §3.1",
                  .minimum = 1.0,
                  .maximum = 1e9});
  spec.push_back({.name = "substeps",
                  .unit = "1",
                  .default_value = may_choose ? 0LL : static_cast<long long>(defaults.substeps),
                  .doc = may_choose ? "Small steps of Δt/n, each with all iterations, [MSL19]; 0: one, but with "
                                      "tetrahedra in symmetric order without warm_start, n steps of one iteration, at "
                                      "least `iterations`, so that Δt/n is half the time in which a pressure wave "
                                      "crosses the median tetrahedron"
                                    : "Small steps of Δt/n, each with all iterations, [MSL19]",
                  .minimum = may_choose ? 0.0 : 1.0,
                  .maximum = 1e6});
  spec.push_back(choice_parameter(
      "order", "symmetric", {"symmetric", "forward", "reverse", "random", "jacobi", "coloured"},
      "Order of a sweep; symmetric: forward, then backward in every iteration, stable at rest; forward: the fixed "
      "order of [MHHR07] §3.2, which stiff bends make unstable; random: a new order in every iteration; jacobi: all "
      "from the same positions; coloured: block by block of the mesh, each colour by colour"));
  spec.push_back(
      real_parameter("jacobi_omega", "1", defaults.jacobi_omega, 0.0, 2.0, "Factor ω on a correction of order jacobi"));
  spec.push_back(flag_parameter("jacobi_average", defaults.jacobi_average,
                                "Order jacobi: the mean of the corrections of a vertex, else their sum"));
  spec.push_back(choice_parameter(
      "execution", "scheduled", {"scheduled", "sequential"},
      "How a sweep over the mesh is carried out that is forward or symmetric, or over tetrahedra coloured: by "
      "levels of dependence in registers, or one by one; the result is the same to rounding"));
  spec.push_back(choice_parameter("precision", "double", {"double", "float"}, "Arithmetic of the sweep over the mesh"));
  spec.push_back(choice_parameter(
      "gradients_at", "predicted", {"predicted", "start"},
      "Where gradients are taken: at p as in [MHHR07], or at x_n, which keeps the angular momentum (B-PBD-5)"));
}

void add_constraints(ParameterSpec& spec, const PbdOptions& defaults, bool is_compliant) {
  if (is_compliant) {
    spec.push_back(non_negative_parameter(
        "stretch_compliance_m_per_n", "m/N", defaults.stretch_compliance,
        "α of the stretch constraints: Δλ = (−C − α̃λ)/(Σ w|∇C|² + α̃), α̃ = α/Δt², [MMC16] eq. 18"));
    spec.push_back(non_negative_parameter("bend_compliance_rad2_per_j", "rad²/J", defaults.bend_compliance,
                                          "α of the bend constraints, [MMC16] eq. 18"));
  } else {
    spec.push_back(real_parameter("stretch_stiffness", "1", defaults.stretch_stiffness, 0.0, 1.0,
                                  "k of C = |p1 − p2| − l0, one per edge, [MHHR07] §4.1"));
    spec.push_back(
        real_parameter("bend_stiffness", "1", defaults.bend_stiffness, 0.0, 1.0,
                       "k of the dihedral angle, one per interior edge, [MHHR07] §4.1; 0: no bend constraints"));
    spec.push_back(choice_parameter("stiffness_law", "per_step", {"per_step", "per_iteration"},
                                    "k′ = 1 − (1 − k)^{1/n_s} in every iteration, or k, [MHHR07] §3.3"));
    spec.push_back(
        choice_parameter("mass_weighting", "corrected", {"corrected", "as_printed"},
                         "Δp_i = −w_i ∇_iC·C/Σ w|∇C|², or n w_i/Σw·C/Σ|∇C|² of [MHHR07] eq. 7, 8 (B-PBD-1)"));
  }
  spec.push_back(choice_parameter("bend_angle", "signed", {"signed", "as_printed"},
                                  "Dihedral angle by atan2, or arccos(n1·n2) of [MHHR07] §4.1 and App. B (B-PBD-3)"));
  spec.push_back(non_negative_parameter(
      "pressure", "1", defaults.pressure,
      "k_pressure of [MHHR07] eq. 13 on the rest volume of every closed component; 0: no such constraint"));
  if (is_compliant)
    spec.push_back(non_negative_parameter("pressure_compliance_m6_per_j", "m⁶/J", defaults.pressure_compliance,
                                          "α of the volume constraint, which is six times the volume"));
  else
    spec.push_back(
        real_parameter("pressure_stiffness", "1", defaults.pressure_stiffness, 0.0, 1.0, "k of the volume constraint"));
  spec.push_back(
      choice_parameter("pressure_volume", "same_sum", {"same_sum", "true_volume"},
                       "V0 of eq. 13: by the same sum, which is 6V, or the true volume beside that sum (B-PBD-4)"));
}

void add_solid(ParameterSpec& spec, const PbdOptions& defaults, bool is_compliant) {
  if (!is_compliant) {
    spec.push_back(
        real_parameter("volume_stiffness", "1", defaults.volume_stiffness, 0.0, 1.0,
                       "k of C = V − V0, one per tetrahedron, [MHHR07] §3.3; 0: no such constraint. Its edges have "
                       "stretch_stiffness"));
    return;
  }
  spec.push_back(choice_parameter(
      "solid_constraints", "neo_hookean", {"neo_hookean", "distances_and_volumes"},
      "Of tetrahedra: the two constraints √(F:F) and det F − 1 − μ/(λ + μ) of each, with the compliances of its "
      "material, [MM21]; or a distance per edge and a volume per tetrahedron, with stretch_compliance_m_per_n "
      "and volume_compliance_m6_per_j"));
  spec.push_back(choice_parameter(
      "solid_solve", "newton", {"newton", "coupled", "one_by_one"},
      "neo_hookean: newton keeps the second derivatives of the constraints, so that a step converges to its "
      "minimum whatever Δt, [CPN25]; coupled (the 2×2 system of a tetrahedron) and one_by_one linearise as "
      "[MMC16] does, and need substeps of about the time in which a shear wave crosses a tetrahedron"));
  spec.push_back(choice_parameter(
      "multipliers", "kept", {"kept", "reset"},
      "λ at the start of an iteration: that of the iteration before it, [MMC16]; or 0, a mistake in use that makes "
      "every material harder with iterations; not with solid_solve newton, which has none"));
  spec.push_back(flag_parameter(
      "warm_start", defaults.warm_start,
      "solid_solve newton: a (sub)step starts from the forces that the tetrahedra had at the end of the last one, "
      "so that a body at rest under its loads is in equilibrium whatever the iterations; else from none, as "
      "[MMC16]"));
  spec.push_back(non_negative_parameter("volume_compliance_m6_per_j", "m⁶/J", defaults.volume_compliance,
                                        "α of C = V − V0, one per tetrahedron; distances_and_volumes only"));
}

void add_motion(ParameterSpec& spec, const PbdOptions& defaults) {
  spec.push_back(non_negative_parameter(
      "mass_damping_1_s", "1/s", defaults.mass_damping,
      "α of a damping force −αMv: every (sub)step starts with v/(1 + αΔt); what rests under its loads is not changed"));
  spec.push_back(real_parameter(
      "damping", "1", defaults.damping, 0.0, 1.0,
      "k_damping of [MHHR07] §3.5 in every (sub)step, on the deviation from the rigid motion of a component"));
  spec.push_back(choice_parameter(
      "velocity_update", "coulomb", {"coulomb", "as_printed"},
      "Coulomb friction with stick and restitution of the velocity before the projection, or damping and reflection "
      "of the velocity after it, [MHHR07] §3.4 (B-PBD-6, 7)"));
}

void add_contacts(ParameterSpec& spec, const PbdOptions& defaults, bool is_compliant) {
  spec.push_back(choice_parameter(
      "detection", "continuous_then_static", {"continuous_then_static", "continuous", "static"},
      "Contacts by the ray x → p (continuous), by p being inside (static), or static where continuous finds "
      "none, [MHHR07] §3.4"));
  spec.push_back(flag_parameter(
      "contact_guard", defaults.contact_guard,
      "A contact also for a vertex that is near a body and does not enter it, as other constraints may pull it in; "
      "false: [MHHR07] §3.4 to the letter: the point where the path enters, or the closest point of a vertex that "
      "starts inside"));
  spec.push_back(non_negative_parameter("contact_offset_m", "m", defaults.contact_offset,
                                        "Distance kept between vertices and bodies"));
  if (is_compliant)
    spec.push_back(non_negative_parameter(
        "contact_compliance_m_per_pa", "m/Pa", defaults.contact_compliance,
        "α of contacts with planes and bodies, [MMC16] eq. 18: a vertex sinks in by the depth α times the pressure on "
        "it, with the energy depth²/(2α) per area at rest, and without recovery speed; 0: rigid contacts"));
  spec.push_back(non_negative_parameter(
      "recovery_speed_m_per_s", "m/s", defaults.recovery_speed,
      "Speed, relative to the body or cloth, at which a vertex moves out that starts a step inside a body or closer to "
      "the cloth than its thickness; 0: at once. Thrown up at 0.3 m/s cloth rises v²/(2g) = 5 mm, the default "
      "thickness"));
  spec.push_back(flag_parameter("self_collision", defaults.self_collision, "The cloth against itself, [MHHR07] §4.3"));
  spec.push_back({.name = "thickness_m",
                  .unit = "m",
                  .default_value = defaults.thickness,
                  .doc = "h of [MHHR07] eq. 11, 12, for self collision",
                  .minimum = 0.0,
                  .minimum_is_exclusive = true});
  spec.push_back(choice_parameter("self_gradient", "full", {"full", "constant_normal"},
                                  "Gradient of eq. 11 with the change of the normal, or without (B-PBD-10)"));
  spec.push_back(non_negative_parameter(
      "self_friction", "1", defaults.self_friction,
      "Coulomb coefficient of vertices on triangles of the cloth, velocity_update coulomb; bodies have their own"));
  spec.push_back(flag_parameter("corner_contacts", defaults.corner_contacts,
                                "Corners of bodies against triangles of the cloth, [MHHR07] §4.2"));
  spec.push_back(choice_parameter(
      "reaction", "corrected", {"corrected", "impulse", "as_printed"},
      "Vertex and body projected together by their generalised inverse masses; or the vertex alone, and the body gets "
      "−mΔp/Δt at the contact point (impulse), or +mΔp/Δt there (as_printed), [MHHR07] §4.2 (B-PBD-15)"));
  spec.push_back(
      non_negative_parameter("tear_stretch", "1", defaults.tear_stretch,
                             "Edges longer than this times their rest length tear, [MHHR07] §5.4; 0: never"));
}

/// The enumerator for a parameter's text.
template <class Enumeration>
Enumeration choice(const Parameters& parameters, const char* name,
                   std::initializer_list<std::pair<const char*, Enumeration>> values) {
  const std::string& text = parameters.text(name);
  for (const auto& [key, value] : values)
    if (text == key) return value;
  return values.begin()->second;
}

}  // namespace

ParameterSpec pbd_parameters(bool is_compliant) {
  const PbdOptions defaults;
  ParameterSpec spec;
  add_solver(spec, defaults, is_compliant);
  add_constraints(spec, defaults, is_compliant);
  add_solid(spec, defaults, is_compliant);
  add_motion(spec, defaults);
  add_contacts(spec, defaults, is_compliant);
  for (ParameterInfo& info : collision::collision_parameters()) spec.push_back(std::move(info));
  return spec;
}

PbdOptions pbd_options(const Parameters& parameters, bool is_compliant) {
  PbdOptions options;
  options.is_compliant = is_compliant;
  options.iterations = int(parameters.integer("iterations"));
  options.substeps = int(parameters.integer("substeps"));
  options.order = choice<SweepOrder>(parameters, "order",
                                     {{"symmetric", SweepOrder::Symmetric},
                                      {"forward", SweepOrder::Forward},
                                      {"reverse", SweepOrder::Reverse},
                                      {"random", SweepOrder::Random},
                                      {"jacobi", SweepOrder::Jacobi},
                                      {"coloured", SweepOrder::Coloured}});
  options.jacobi_omega = parameters.real("jacobi_omega");
  options.jacobi_average = parameters.flag("jacobi_average");
  options.execution = choice<Execution>(parameters, "execution",
                                        {{"scheduled", Execution::Scheduled}, {"sequential", Execution::Sequential}});
  options.precision =
      choice<Precision>(parameters, "precision", {{"double", Precision::Double}, {"float", Precision::Single}});
  options.gradients_at = choice<GradientsAt>(parameters, "gradients_at",
                                             {{"predicted", GradientsAt::Predicted}, {"start", GradientsAt::Start}});
  if (is_compliant) {
    options.stretch_compliance = parameters.real("stretch_compliance_m_per_n");
    options.bend_compliance = parameters.real("bend_compliance_rad2_per_j");
    options.pressure_compliance = parameters.real("pressure_compliance_m6_per_j");
    options.solid_constraints =
        choice<SolidConstraints>(parameters, "solid_constraints",
                                 {{"neo_hookean", SolidConstraints::NeoHookean},
                                  {"distances_and_volumes", SolidConstraints::DistancesAndVolumes}});
    options.solid_solve = choice<SolidSolve>(
        parameters, "solid_solve",
        {{"newton", SolidSolve::Newton}, {"coupled", SolidSolve::Coupled}, {"one_by_one", SolidSolve::OneByOne}});
    options.resets_multipliers = parameters.text("multipliers") == "reset";
    options.warm_start = parameters.flag("warm_start");
    options.volume_compliance = parameters.real("volume_compliance_m6_per_j");
    options.contact_compliance = parameters.real("contact_compliance_m_per_pa");
  } else {
    options.stretch_stiffness = parameters.real("stretch_stiffness");
    options.bend_stiffness = parameters.real("bend_stiffness");
    options.pressure_stiffness = parameters.real("pressure_stiffness");
    options.volume_stiffness = parameters.real("volume_stiffness");
    options.stiffness_law =
        choice<StiffnessLaw>(parameters, "stiffness_law",
                             {{"per_step", StiffnessLaw::PerStep}, {"per_iteration", StiffnessLaw::PerIteration}});
    options.mass_weighting =
        choice<MassWeighting>(parameters, "mass_weighting",
                              {{"corrected", MassWeighting::Corrected}, {"as_printed", MassWeighting::AsPrinted}});
  }
  options.bend_angle = choice<BendAngle>(parameters, "bend_angle",
                                         {{"signed", BendAngle::Signed}, {"as_printed", BendAngle::AsPrinted}});
  options.pressure = parameters.real("pressure");
  options.pressure_volume =
      choice<PressureVolume>(parameters, "pressure_volume",
                             {{"same_sum", PressureVolume::SameSum}, {"true_volume", PressureVolume::TrueVolume}});
  options.mass_damping = parameters.real("mass_damping_1_s");
  options.damping = parameters.real("damping");
  options.velocity_update = choice<VelocityUpdate>(
      parameters, "velocity_update", {{"coulomb", VelocityUpdate::Coulomb}, {"as_printed", VelocityUpdate::AsPrinted}});
  options.detection = choice<Detection>(parameters, "detection",
                                        {{"continuous_then_static", Detection::ContinuousThenStatic},
                                         {"continuous", Detection::Continuous},
                                         {"static", Detection::Static}});
  options.contact_guard = parameters.flag("contact_guard");
  options.contact_offset = parameters.real("contact_offset_m");
  options.recovery_speed = parameters.real("recovery_speed_m_per_s");
  options.self_friction = parameters.real("self_friction");
  options.self_collision = parameters.flag("self_collision");
  options.thickness = parameters.real("thickness_m");
  options.self_gradient = choice<SelfGradient>(
      parameters, "self_gradient", {{"full", SelfGradient::Full}, {"constant_normal", SelfGradient::ConstantNormal}});
  options.corner_contacts = parameters.flag("corner_contacts");
  options.reaction = choice<Reaction>(
      parameters, "reaction",
      {{"corrected", Reaction::Corrected}, {"impulse", Reaction::Impulse}, {"as_printed", Reaction::AsPrinted}});
  options.collisions = collision::collision_options(parameters);
  options.tear_stretch = parameters.real("tear_stretch");
  return options;
}

}  // namespace deformbench::pbd

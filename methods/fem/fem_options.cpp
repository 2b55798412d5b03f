// SPDX-License-Identifier: BSD-3-Clause
#include "methods/fem/fem_options.hpp"

#include "methods/fem/shared_parameters.hpp"

namespace deformbench::fem {

namespace {

/// Tolerance of ‖b − A v‖₂ / ‖b‖₂. Rounding leaves about u ‖A‖‖v‖ / ‖b‖, u = 6e-8 in float and 1e-16 in double; at
/// the papers' ratios of stiffness to mass this is 10 to 1000 u.
constexpr double kDefaultTolerance = 1e-10, kDefaultToleranceInFloat = 1e-5;

void add_plasticity(ParameterSpec& spec) {
  spec.push_back(choice_parameter("plasticity", "none", {"none", "creep"}, "Plastic creep of the strain, [MG04] §3"));
  spec.push_back(
      non_negative_parameter("plastic_yield", "1", 0.01, "c_yield: norm of the elastic strain above which it flows"));
  spec.push_back(non_negative_parameter("plastic_creep_per_s", "1/s", 100.0,
                                        "c_creep: rate of the flow; [MG04] §3 asks for at most 1/Δt"));
  spec.push_back(non_negative_parameter("plastic_max", "1", 10.0, "c_max: largest norm of the plastic strain"));
  spec.push_back(choice_parameter(
      "plastic_sign", "corrected", {"corrected", "as_printed"},
      "Sign of f_plastic in the right-hand side: of eq. 16, or as_printed in the listing of §6 (B-IVM-1)"));
  spec.push_back(
      choice_parameter("plastic_norm", "frobenius", {"frobenius", "engineering"},
                       "Norm of a strain: of the tensor, or of the engineering 6-vector as printed (B-IVM-4)"));
  spec.push_back(choice_parameter("plastic_yield_measure", "deviatoric", {"deviatoric", "total"},
                                  "Strain that yields and flows: without the volume, or total as printed (B-IVM-5)"));
  spec.push_back(choice_parameter(
      "plastic_rate", "exponential", {"exponential", "as_printed", "radial_return"},
      "Share that flows in a step: 1 − e^(−cΔt), Δt·c as_printed, or back to the yield limit (B-IVM-6, 7)"));
}

PlasticOptions plastic_options(const Parameters& parameters) {
  PlasticOptions plastic;
  plastic.law.norm = parameters.text("plastic_norm") == "engineering" ? StrainNorm::Engineering : StrainNorm::Frobenius;
  plastic.law.measure =
      parameters.text("plastic_yield_measure") == "total" ? YieldMeasure::Total : YieldMeasure::Deviatoric;
  const std::string& rate = parameters.text("plastic_rate");
  plastic.law.rate = rate == "as_printed"      ? CreepRate::AsPrinted
                     : rate == "radial_return" ? CreepRate::RadialReturn
                                               : CreepRate::Exponential;
  plastic.law.listing_sign = parameters.text("plastic_sign") == "as_printed";
  plastic.parameters = {parameters.real("plastic_yield"), parameters.real("plastic_creep_per_s"),
                        parameters.real("plastic_max")};
  return plastic;
}

}  // namespace

ParameterSpec fem_parameters(Warping warping) {
  const bool vertex = warping == Warping::Vertex;
  ParameterSpec spec;
  add_solver_parameters(spec, !vertex);
  spec.push_back(choice_parameter("cg_start", "velocity_plus_force", {"zero", "velocity", "velocity_plus_force"},
                                  "Start vector: 0, v_n or v_n + Δt M⁻¹ f_ext; [MG04] does not say"));
  spec.push_back(non_negative_parameter("mass_damping_1_s", "1/s", 0.0, "α of the Rayleigh damping C = αM + βK'"));
  spec.push_back(non_negative_parameter("stiffness_damping_s", "s", 0.0, "β of the Rayleigh damping C = αM + βK'"));
  spec.push_back(choice_parameter("precision", "double", {"double", "float"}, "Arithmetic of the step"));
  if (warping == Warping::Element) {
    spec.push_back(choice_parameter("rotation", "polar", {"polar", "qr", "identity", "global"},
                                    "Rotation of an element, [MG04] §2.4; global is one for the whole body"));
    spec.push_back(choice_parameter(
        "matrix", "every_step", {"every_step", "first_step"},
        "Warped stiffness in the matrix of the step: of the step's rotations, [MG04] §2.3, or constant, "
        "of those of the first_step, [CS6967]; forces have the step's rotations"));
    spec.push_back(
        choice_parameter("inversion", "corrected", {"corrected", "as_printed"},
                         "Inverted elements: corrected keeps det R = +1, as_printed the reflection (B-IVM-8)"));
    spec.push_back(choice_parameter(
        "stress_rotation", "stale", {"stale", "fresh"},
        "Rotation in the stress: of the step's beginning as printed in [MG04] §6, or extracted anew (B-IVM-3)"));
  }
  add_contact_parameters(spec, ContactChoice::WithinSolve);
  if (!vertex) {
    add_plasticity(spec);
    add_fracture_parameters(spec);
    spec.push_back(choice_parameter("fracture_strain", "elastic", {"elastic", "total"},
                                    "Strain behind the stress: elastic, or total as printed in §4 and §6 (B-IVM-2)"));
  }
  return spec;
}

FemOptions fem_options(Warping warping, const Parameters& parameters) {
  FemOptions options;
  options.warping = warping;
  options.single_precision = parameters.text("precision") == "float";
  options.integrator.solver =
      solver_options(parameters, options.single_precision ? kDefaultToleranceInFloat : kDefaultTolerance);
  const std::string& start = parameters.text("cg_start");
  options.integrator.start = start == "zero"       ? StartVector::Zero
                             : start == "velocity" ? StartVector::Velocity
                                                   : StartVector::VelocityPlusForce;
  options.contact_rule = contact_rule(parameters, ContactRule::Penalty);
  options.integrator.potential = potential_options(parameters, options.contact_rule);
  options.integrator.mass_damping = parameters.real("mass_damping_1_s");
  options.integrator.stiffness_damping = parameters.real("stiffness_damping_s");
  if (warping == Warping::None) options.rotation.kind = RotationKind::Identity;
  if (warping == Warping::Element) {
    const std::string& kind = parameters.text("rotation");
    options.rotation.kind = kind == "polar"      ? RotationKind::Polar
                            : kind == "qr"       ? RotationKind::Qr
                            : kind == "identity" ? RotationKind::Identity
                                                 : RotationKind::Global;
    options.integrator.keeps_first_matrix = parameters.text("matrix") == "first_step";
    options.rotation.keep_reflection = parameters.text("inversion") == "as_printed";
    options.stress.fresh_rotation = parameters.text("stress_rotation") == "fresh";
  }
  if (warping == Warping::Vertex) return options;
  if (parameters.text("plasticity") != "none") options.plastic = plastic_options(parameters);
  if (parameters.text("fracture") == "none") return options;
  options.fracture = fracture_options(parameters);
  options.stress.elastic_strain = parameters.text("fracture_strain") == "elastic";
  return options;
}

}  // namespace deformbench::fem

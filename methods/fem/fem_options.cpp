// SPDX-License-Identifier: BSD-3-Clause
#include "methods/fem/fem_options.hpp"

#include "methods/fem/shared_parameters.hpp"

namespace deformbench::fem {

namespace {

/// Tolerance of ‖b − A v‖₂ / ‖b‖₂. Rounding leaves about u ‖A‖‖v‖ / ‖b‖, u = 6e-8 in float and 1e-16 in double; at
/// the papers' ratios of stiffness to mass this is 10 to 1000 u.
constexpr double kDefaultTolerance = 1e-10, kDefaultToleranceInFloat = 1e-5;

void add_plasticity(ParameterSpec& spec) {
  spec.push_back({.name = "plasticity",
                  .unit = "",
                  .default_value = std::string("none"),
                  .doc = "Plastic creep of the strain, [MG04] §3",
                  .choices = {"none", "creep"}});
  spec.push_back({.name = "plastic_yield",
                  .unit = "1",
                  .default_value = 0.01,
                  .doc = "c_yield: norm of the elastic strain above which it flows",
                  .minimum = 0.0});
  spec.push_back({.name = "plastic_creep_per_s",
                  .unit = "1/s",
                  .default_value = 100.0,
                  .doc = "c_creep: rate of the flow; [MG04] §3 asks for at most 1/Δt",
                  .minimum = 0.0});
  spec.push_back({.name = "plastic_max",
                  .unit = "1",
                  .default_value = 10.0,
                  .doc = "c_max: largest norm of the plastic strain",
                  .minimum = 0.0});
  spec.push_back(
      {.name = "plastic_sign",
       .unit = "",
       .default_value = std::string("corrected"),
       .doc = "Sign of f_plastic in the right-hand side: of eq. 16, or as_printed in the listing of §6 (B-IVM-1)",
       .choices = {"corrected", "as_printed"}});
  spec.push_back({.name = "plastic_norm",
                  .unit = "",
                  .default_value = std::string("frobenius"),
                  .doc = "Norm of a strain: of the tensor, or of the engineering 6-vector as printed (B-IVM-4)",
                  .choices = {"frobenius", "engineering"}});
  spec.push_back({.name = "plastic_yield_measure",
                  .unit = "",
                  .default_value = std::string("deviatoric"),
                  .doc = "Strain that yields and flows: without the volume, or total as printed (B-IVM-5)",
                  .choices = {"deviatoric", "total"}});
  spec.push_back(
      {.name = "plastic_rate",
       .unit = "",
       .default_value = std::string("exponential"),
       .doc = "Share that flows in a step: 1 − e^(−cΔt), Δt·c as_printed, or back to the yield limit (B-IVM-6, 7)",
       .choices = {"exponential", "as_printed", "radial_return"}});
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
  spec.push_back({.name = "cg_start",
                  .unit = "",
                  .default_value = std::string("velocity_plus_force"),
                  .doc = "Start vector: 0, v_n or v_n + Δt M⁻¹ f_ext; [MG04] does not say",
                  .choices = {"zero", "velocity", "velocity_plus_force"}});
  spec.push_back({.name = "mass_damping_1_s",
                  .unit = "1/s",
                  .default_value = 0.0,
                  .doc = "α of the Rayleigh damping C = αM + βK'",
                  .minimum = 0.0});
  spec.push_back({.name = "stiffness_damping_s",
                  .unit = "s",
                  .default_value = 0.0,
                  .doc = "β of the Rayleigh damping C = αM + βK'",
                  .minimum = 0.0});
  spec.push_back({.name = "precision",
                  .unit = "",
                  .default_value = std::string("double"),
                  .doc = "Arithmetic of the step",
                  .choices = {"double", "float"}});
  if (warping == Warping::Element) {
    spec.push_back({.name = "rotation",
                    .unit = "",
                    .default_value = std::string("polar"),
                    .doc = "Rotation of an element, [MG04] §2.4; global is one for the whole body",
                    .choices = {"polar", "qr", "identity", "global"}});
    spec.push_back(
        {.name = "matrix",
         .unit = "",
         .default_value = std::string("every_step"),
         .doc = "Warped stiffness in the matrix of the step: of the step's rotations, [MG04] §2.3, or constant, "
                "of those of the first_step, [CS6967]; forces have the step's rotations",
         .choices = {"every_step", "first_step"}});
    spec.push_back({.name = "inversion",
                    .unit = "",
                    .default_value = std::string("corrected"),
                    .doc = "Inverted elements: corrected keeps det R = +1, as_printed the reflection (B-IVM-8)",
                    .choices = {"corrected", "as_printed"}});
    spec.push_back(
        {.name = "stress_rotation",
         .unit = "",
         .default_value = std::string("stale"),
         .doc = "Rotation in the stress: of the step's beginning as printed in [MG04] §6, or extracted anew (B-IVM-3)",
         .choices = {"stale", "fresh"}});
  }
  add_contact_parameters(spec, vertex ? ContactChoice::AfterSolve : ContactChoice::WithinSolve);
  if (!vertex) {
    add_plasticity(spec);
    add_fracture_parameters(spec);
    spec.push_back({.name = "fracture_strain",
                    .unit = "",
                    .default_value = std::string("elastic"),
                    .doc = "Strain behind the stress: elastic, or total as printed in §4 and §6 (B-IVM-2)",
                    .choices = {"elastic", "total"}});
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
  const bool is_minimised = warping != Warping::Vertex;  // vertex warping is no gradient
  options.contact_rule = contact_rule(parameters, is_minimised ? ContactRule::Penalty : ContactRule::Nearest);
  if (is_minimised) options.integrator.potential = potential_options(parameters, options.contact_rule);
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

// SPDX-License-Identifier: BSD-3-Clause
#include "methods/fem/fem_options.hpp"

namespace deformbench::fem {

namespace {

/// Of ‖b − A v‖₂ / ‖b‖₂. What rounding leaves is some u ‖A‖‖v‖ / ‖b‖, u = 6e-8 in float and 1e-16 in double, of which
/// the stiffness against the mass makes ten to a thousand times u at the papers' settings.
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

void add_fracture(ParameterSpec& spec) {
  spec.push_back({.name = "fracture",
                  .unit = "",
                  .default_value = std::string("none"),
                  .doc = "Splitting of vertices: by the stress of elements, [MG04] §4, or by the separation tensor of "
                         "vertices, O'Brien & Hodgins 1999",
                  .choices = {"none", "vertex_split", "separation_tensor"}});
  spec.push_back({.name = "fracture_threshold_pa",
                  .unit = "Pa",
                  .default_value = 6e4,
                  .doc = "Largest principal stress that the material can bear",
                  .minimum = 0.0,
                  .minimum_is_exclusive = true});
  spec.push_back({.name = "fracture_strain",
                  .unit = "",
                  .default_value = std::string("elastic"),
                  .doc = "Strain behind the stress: elastic, or total as printed in §4 and §6 (B-IVM-2)",
                  .choices = {"elastic", "total"}});
  spec.push_back(
      {.name = "fracture_frame",
       .unit = "",
       .default_value = std::string("world"),
       .doc = "Normal of the plane: turned with the element, or as_printed in the element's frame (B-IVM-18)",
       .choices = {"world", "as_printed"}});
  spec.push_back(
      {.name = "fracture_hinges",
       .unit = "",
       .default_value = std::string("separate"),
       .doc = "Elements that a split leaves joined by a vertex alone: separate, or keep as printed (B-IVM-17)",
       .choices = {"separate", "keep"}});
  spec.push_back({.name = "fracture_splits_per_step",
                  .unit = "1",
                  .default_value = 10LL,
                  .doc = "Largest number of vertices that split in one step",
                  .minimum = 1.0,
                  .maximum = 1e9});
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

FractureOptions fracture_options(const Parameters& parameters) {
  FractureOptions fracture;
  fracture.by_separation_tensor = parameters.text("fracture") == "separation_tensor";
  fracture.threshold = parameters.real("fracture_threshold_pa");
  fracture.frame = parameters.text("fracture_frame") == "world" ? FractureFrame::World : FractureFrame::AsPrinted;
  fracture.hinges = parameters.text("fracture_hinges") == "separate" ? HingeRule::Separate : HingeRule::Keep;
  fracture.splits_per_step = int(parameters.integer("fracture_splits_per_step"));
  return fracture;
}

}  // namespace

ParameterSpec fem_parameters(Warping warping) {
  const bool vertex = warping == Warping::Vertex;
  ParameterSpec spec;
  spec.push_back({.name = "solver",
                  .unit = "",
                  .default_value = std::string("cg"),
                  .doc = vertex ? "Linear solver of the step: cg means BiCGSTAB here, as the matrix is not symmetric"
                                : "Linear solver of the step: conjugate gradients or a sparse factorisation",
                  .choices = {"cg", "direct"}});
  spec.push_back({.name = "cg_iterations",
                  .unit = "1",
                  .default_value = 0LL,
                  .doc = "Exact number of iterations, 0 = until cg_tolerance; [MG04] §7 uses 20",
                  .minimum = 0.0,
                  .maximum = 1e9});
  spec.push_back(
      {.name = "cg_tolerance",
       .unit = "1",
       .default_value = 0.0,
       .doc = "Stop when ‖b − A v‖₂ ≤ tolerance ‖b‖₂; 0 = what the precision allows: 1e-10 in double, 1e-5 in float",
       .minimum = 0.0,
       .maximum = 1.0});
  spec.push_back({.name = "cg_max_iterations",
                  .unit = "1",
                  .default_value = 10000LL,
                  .doc = "Most iterations when cg_iterations is 0",
                  .minimum = 1.0,
                  .maximum = 1e9});
  spec.push_back({.name = "on_unconverged",
                  .unit = "",
                  .default_value = std::string("fail"),
                  .doc = "When the solver stops before cg_tolerance is met: the run fails, or goes on and says so",
                  .choices = {"fail", "continue"}});
  spec.push_back({.name = "cg_preconditioner",
                  .unit = "",
                  .default_value = std::string("mass"),
                  .doc = "none as printed; mass keeps the momentum exact (B-IVM-15)",
                  .choices = {"none", "jacobi", "mass"}});
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
  if (!vertex) {
    add_plasticity(spec);
    add_fracture(spec);
  }
  return spec;
}

FemOptions fem_options(Warping warping, const Parameters& parameters) {
  FemOptions options;
  options.warping = warping;
  options.single_precision = parameters.text("precision") == "float";
  LinearSolverOptions& solver = options.integrator.solver;
  solver.direct = parameters.text("solver") == "direct";
  solver.settings.fixed_iterations = int(parameters.integer("cg_iterations"));
  solver.settings.tolerance = parameters.real("cg_tolerance");
  if (solver.settings.tolerance == 0.0)
    solver.settings.tolerance = options.single_precision ? kDefaultToleranceInFloat : kDefaultTolerance;
  solver.settings.max_iterations = int(parameters.integer("cg_max_iterations"));
  solver.may_miss_tolerance = parameters.text("on_unconverged") == "continue";
  const std::string& preconditioner = parameters.text("cg_preconditioner");
  solver.preconditioner = preconditioner == "none"     ? Preconditioner::None
                          : preconditioner == "jacobi" ? Preconditioner::Jacobi
                                                       : Preconditioner::Mass;
  const std::string& start = parameters.text("cg_start");
  options.integrator.start = start == "zero"       ? StartVector::Zero
                             : start == "velocity" ? StartVector::Velocity
                                                   : StartVector::VelocityPlusForce;
  options.integrator.mass_damping = parameters.real("mass_damping_1_s");
  options.integrator.stiffness_damping = parameters.real("stiffness_damping_s");
  if (warping == Warping::None) options.rotation.kind = RotationKind::Identity;
  if (warping == Warping::Element) {
    const std::string& kind = parameters.text("rotation");
    options.rotation.kind = kind == "polar"      ? RotationKind::Polar
                            : kind == "qr"       ? RotationKind::Qr
                            : kind == "identity" ? RotationKind::Identity
                                                 : RotationKind::Global;
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

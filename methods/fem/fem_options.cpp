// SPDX-License-Identifier: BSD-3-Clause
#include "methods/fem/fem_options.hpp"

namespace deformbench::fem {

ParameterSpec fem_parameters(Warping warping) {
  const bool vertex = warping == Warping::Vertex;
  ParameterSpec spec;
  spec.push_back({.name = "solver", .unit = "", .default_value = std::string("cg"),
                  .doc = vertex ? "Linear solver of the step: cg means BiCGSTAB here, as the matrix is not symmetric"
                                : "Linear solver of the step: conjugate gradients or a sparse factorisation",
                  .choices = {"cg", "direct"}});
  spec.push_back({.name = "cg_iterations", .unit = "1", .default_value = 0LL,
                  .doc = "Exact number of iterations, 0 = until cg_tolerance; [MG04] §7 uses 20", .minimum = 0.0,
                  .maximum = 1e9});
  spec.push_back({.name = "cg_tolerance", .unit = "1", .default_value = 1e-10,
                  .doc = "Stop when ‖b − A v‖₂ ≤ tolerance ‖b‖₂", .minimum = 0.0, .maximum = 1.0});
  spec.push_back({.name = "cg_max_iterations", .unit = "1", .default_value = 10000LL,
                  .doc = "Most iterations when cg_iterations is 0", .minimum = 1.0, .maximum = 1e9});
  spec.push_back({.name = "cg_preconditioner", .unit = "", .default_value = std::string("mass"),
                  .doc = "none as printed; mass keeps the momentum exact (B-IVM-15)", .choices = {"none", "jacobi", "mass"}});
  spec.push_back({.name = "cg_start", .unit = "", .default_value = std::string("velocity_plus_force"),
                  .doc = "Start vector: 0, v_n or v_n + Δt M⁻¹ f_ext; [MG04] does not say",
                  .choices = {"zero", "velocity", "velocity_plus_force"}});
  spec.push_back({.name = "mass_damping_1_s", .unit = "1/s", .default_value = 0.0,
                  .doc = "α of the Rayleigh damping C = αM + βK'", .minimum = 0.0});
  spec.push_back({.name = "stiffness_damping_s", .unit = "s", .default_value = 0.0,
                  .doc = "β of the Rayleigh damping C = αM + βK'", .minimum = 0.0});
  spec.push_back({.name = "precision", .unit = "", .default_value = std::string("double"),
                  .doc = "Arithmetic of the step", .choices = {"double", "float"}});
  if (warping == Warping::Element) {
    spec.push_back({.name = "rotation", .unit = "", .default_value = std::string("polar"),
                    .doc = "Rotation of an element, [MG04] §2.4; global is one for the whole body",
                    .choices = {"polar", "qr", "identity", "global"}});
    spec.push_back({.name = "inversion", .unit = "", .default_value = std::string("corrected"),
                    .doc = "Inverted elements: corrected keeps det R = +1, as_printed the reflection (B-IVM-8)",
                    .choices = {"corrected", "as_printed"}});
    spec.push_back({.name = "stress_rotation", .unit = "", .default_value = std::string("stale"),
                    .doc = "Rotation in the stress: of the step's beginning as printed in [MG04] §6, or extracted anew (B-IVM-3)",
                    .choices = {"stale", "fresh"}});
  }
  return spec;
}

FemOptions fem_options(Warping warping, const Parameters& parameters) {
  FemOptions options;
  options.warping = warping;
  options.direct = parameters.text("solver") == "direct";
  options.solver.fixed_iterations = int(parameters.integer("cg_iterations"));
  options.solver.tolerance = parameters.real("cg_tolerance");
  options.solver.max_iterations = int(parameters.integer("cg_max_iterations"));
  const std::string& preconditioner = parameters.text("cg_preconditioner");
  options.preconditioner = preconditioner == "none"     ? Preconditioner::None
                           : preconditioner == "jacobi" ? Preconditioner::Jacobi
                                                        : Preconditioner::Mass;
  const std::string& start = parameters.text("cg_start");
  options.start = start == "zero"       ? StartVector::Zero
                  : start == "velocity" ? StartVector::Velocity
                                        : StartVector::VelocityPlusForce;
  options.mass_damping = parameters.real("mass_damping_1_s");
  options.stiffness_damping = parameters.real("stiffness_damping_s");
  options.single_precision = parameters.text("precision") == "float";
  if (warping == Warping::None) options.rotation.kind = RotationKind::Identity;
  if (warping == Warping::Element) {
    const std::string& kind = parameters.text("rotation");
    options.rotation.kind = kind == "polar" ? RotationKind::Polar
                            : kind == "qr"  ? RotationKind::Qr
                            : kind == "identity" ? RotationKind::Identity
                                                 : RotationKind::Global;
    options.rotation.keep_reflection = parameters.text("inversion") == "as_printed";
    options.fresh_stress_rotation = parameters.text("stress_rotation") == "fresh";
  }
  return options;
}

}  // namespace deformbench::fem

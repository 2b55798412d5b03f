// SPDX-License-Identifier: BSD-3-Clause
#include "reference_data/closed_forms/linear_rotation.hpp"

#include <cmath>

#include "reference_data/closed_forms/families.hpp"

namespace deformbench::references {

double linear_energy_of_rotation(const Isotropic& m, double volume, double angle) {
  // ε = diag(cosθ−1, cosθ−1, 0) in the axes of the rotation.
  const double strain = std::cos(angle) - 1;
  return 2 * (m.lambda() + m.mu()) * strain * strain * volume;
}

RootRotation linear_far_field(double angle) {
  // Superposition: sinθ (ẑ × x) is force free, (cosθ − 1) times the in-plane projection decays. F = I + sinθ [ẑ]×.
  const double s = std::sin(angle);
  return {1 + s * s, std::atan(s), std::hypot(1.0, s)};
}

double linear_free_spin_volume(double angular_velocity, double time) {
  const double turned = angular_velocity * time;
  return 1 + turned * turned;
}

double warped_free_spin_volume(const Isotropic& m, const SpinningBody& body) {
  // One implicit step moves along the tangent (in-plane stretch √(1+(ωΔt)²)); the rest is centrifugal strain.
  const double turned = body.angular_velocity * body.time_step;
  const double centrifugal = (1 - 2 * m.poisson_ratio) * body.angular_velocity * body.angular_velocity *
                             body.polar_moment / (m.young_modulus * body.volume);
  return 1 + turned * turned + centrifugal;
}

double linear_torsion_volume(double twist) {
  return 1 + twist * twist / 3;
}

double linear_driven_torsion_volume(double twist) {
  const double s = std::sin(twist);
  return 1 + s * s / 3;
}

double centrifugal_strain(double young_modulus, double density, double angular_velocity, double radius) {
  const double speed = angular_velocity * radius;
  return density * speed * speed / (2 * young_modulus);
}

double rotated_normal_error(double stretch, double normal_angle) {
  return std::abs(std::atan2(std::sin(normal_angle), std::cos(normal_angle) / stretch) - normal_angle);
}

double condition_number_bound(double smallest_mass, double largest_mass, double time_step, double stiffness_bound) {
  return (largest_mass + time_step * time_step * stiffness_bound) / smallest_mass;
}

namespace {

const char* const kPaper = "Derived for this suite from Müller & Gross 2004, eqs 1-8 (their fig. 1 shows the effect)";
Parameter angle(const char* doc) {
  return {"angle_deg", "deg", 90.0, doc, -360.0, 360.0};
}
Parameter angular_velocity() {
  return {"angular_velocity_rad_s", "rad/s", 5.0, "initial spin"};
}

}  // namespace

std::vector<Reference> rotation_references() {
  return {
      {.id = "energy_of_rotated_linear_fem",
       .summary = "Energy that linear elasticity assigns to a rigid rotation",
       .citation = kPaper,
       .kind = Kind::ExactInvariant,
       .validity = "all vertices rotated rigidly, any axis, any mesh, homogeneous material",
       .uncertainty = kRounding,
       .abscissa = "angle_deg",
       .parameters = {angle("rotation"), positive("volume_m3", "m^3", 0.027, "rest volume"), young_modulus(),
                      poisson_ratio()},
       .outputs = {{"elastic_energy_j", "J", "2 (lambda + mu) (1 - cos)^2 V"}},
       .compute = [](const Values& v) -> std::vector<double> {
         return {linear_energy_of_rotation(isotropic(v), v.at("volume_m3"), radians(v.at("angle_deg")))};
       }},
      {.id = "volume_of_rotated_linear_fem",
       .summary = "Far field of a linear block whose root face is rotated: det F = 1 + sin^2",
       .citation = kPaper,
       .kind = Kind::ClosedForm,
       .validity = "static, at least three widths from the driven face (St. Venant decay), mesh with mirror symmetry",
       .uncertainty = 1e-6,
       .abscissa = "angle_deg",
       .parameters = {angle("prescribed rotation of the root face")},
       .outputs = {{"volume_ratio", "1", "det F"},
                   {"apparent_angle_deg", "deg", "rotation of the polar decomposition of F"},
                   {"stretch", "1", "in the plane of rotation"}},
       .compute = [](const Values& v) -> std::vector<double> {
         const RootRotation far = linear_far_field(radians(v.at("angle_deg")));
         return {far.volume_ratio, degrees(far.apparent_angle), far.stretch};
       }},
      {.id = "free_spin_of_linear_fem",
       .summary = "Volume of a free spinning linear body: V/V0 = 1 + (omega t)^2",
       .citation = kPaper,
       .kind = Kind::ExactInvariant,
       .validity = "initial velocity omega x (x - centre), no external force, exact solves; any time step and scheme",
       .uncertainty = 1e-9,
       .abscissa = "time_s",
       .parameters = {angular_velocity(), {"time_s", "s", 1.0, "time", 0.0, kInfinity}},
       .outputs = {{"volume_ratio", "1", "V/V0"}},
       .compute = [](const Values& v) -> std::vector<double> {
         return {linear_free_spin_volume(v.at("angular_velocity_rad_s"), v.at("time_s"))};
       }},
      {.id = "free_spin_of_warped_fem",
       .summary = "Volume of a free spinning warped body under implicit Euler, after the radial transient",
       .citation = kPaper,
       .kind = Kind::Estimate,
       .validity = "omega dt <= 0.05, small centrifugal strain; the uncertainty is that of V/V0 - 1",
       .uncertainty = 0.1,
       .abscissa = "",
       .parameters = {angular_velocity(), positive("time_step_s", "s", 0.01, "time step"),
                      positive("volume_m3", "m^3", 0.008, "rest volume"),
                      positive("polar_moment_kg_m2", "kg m^2", 0.08, "sum of lumped mass times squared axis distance"),
                      young_modulus(), poisson_ratio()},
       .outputs = {{"volume_ratio", "1", "1 + (omega dt)^2 + (1-2 nu) omega^2 sum m r^2 / (E V)"}},
       .compute = [](const Values& v) -> std::vector<double> {
         return {warped_free_spin_volume(isotropic(v), {v.at("angular_velocity_rad_s"), v.at("time_step_s"),
                                                        v.at("volume_m3"), v.at("polar_moment_kg_m2")})};
       },
       .violation = [](const Values& v) -> std::string {
         // The slack admits a product that is 0.05 up to rounding.
         const double turned = std::abs(v.at("angular_velocity_rad_s") * v.at("time_step_s"));
         return turned > 0.05 * (1 + 1e-12) ? "omega dt = " + std::to_string(turned) + ", expected at most 0.05" : "";
       }},
      {.id = "torsion_of_linear_fem",
       .summary = "Volume of a bar under the linear torsion field, and with a truly rotated end face",
       .citation = kPaper,
       .kind = Kind::ClosedForm,
       .validity = "volume_ratio: the field itself, any mesh; driven_volume_ratio: slender bar, end effects neglected "
                   "(some 2 % at length over width 8)",
       .uncertainty = kRounding,
       .abscissa = "angle_deg",
       .parameters = {angle("rotation of the far end relative to the root")},
       .outputs = {{"volume_ratio", "1", "1 + twist^2 / 3"}, {"driven_volume_ratio", "1", "1 + sin^2(twist) / 3"}},
       .compute = [](const Values& v) -> std::vector<double> {
         const double twist = radians(v.at("angle_deg"));
         return {linear_torsion_volume(twist), linear_driven_torsion_volume(twist)};
       }},
      {.id = "centrifugal_strain",
       .summary = "Largest axial strain of a slender bar that spins about its centre",
       .citation = "Timoshenko & Goodier, Theory of Elasticity, 3rd ed., art. 32",
       .kind = Kind::ClosedForm,
       .validity = "slender bar, small strain",
       .uncertainty = 1e-2,
       .abscissa = "",
       .parameters = {angular_velocity(), positive("radius_m", "m", 0.1, "half length"), young_modulus(), density()},
       .outputs = {{"strain", "1", "rho omega^2 R^2 / (2 E)"}},
       .compute = [](const Values& v) -> std::vector<double> {
         return {centrifugal_strain(v.at("young_modulus_pa"), v.at("density_kg_m3"), v.at("angular_velocity_rad_s"),
                                    v.at("radius_m"))};
       },
       .violation = [](const Values& v) -> std::string {
         const double strain = centrifugal_strain(v.at("young_modulus_pa"), v.at("density_kg_m3"),
                                                  v.at("angular_velocity_rad_s"), v.at("radius_m"));
         return strain > 0.01 ? "strain " + std::to_string(strain) + ", expected at most 0.01" : "";
       }},
      {.id = "rotated_normal_error",
       .summary = "Error of a surface normal that is rotated with R instead of mapped by the inverse transpose of F",
       .citation = "Derived for this suite from Müller & Gross 2004, section 5.1",
       .kind = Kind::ClosedForm,
       .validity = "F = diag(stretch, 1, 1), normal in the xy plane between 0 and 90 degrees",
       .uncertainty = kRounding,
       .abscissa = "stretch",
       .parameters = {positive("stretch", "1", 2.0, "stretch along x"),
                      {"normal_angle_deg", "deg", 45.0, "angle of the normal from x", 0.0, 90.0}},
       .outputs = {{"error_deg", "deg", "angle between the two normals"}},
       .compute = [](const Values& v) -> std::vector<double> {
         return {degrees(rotated_normal_error(v.at("stretch"), radians(v.at("normal_angle_deg"))))};
       }},
      {.id = "condition_number_bound",
       .summary = "Bound on the condition number of M + dt^2 K' at every pose",
       .citation =
           "Weyl's inequality and the elementwise bound on K' (rotations leave an element's spectrum unchanged)",
       .kind = Kind::ExactInvariant,
       .validity = "no damping matrix; linear and warped elasticity; stiffness_bound = max_i sum_e lambda_max(K_e)",
       .uncertainty = kRounding,
       .abscissa = "",
       .parameters = {positive("smallest_mass_kg", "kg", 1.0, "smallest lumped mass"),
                      positive("largest_mass_kg", "kg", 1.0, "largest lumped mass"),
                      {"time_step_s", "s", 0.01, "time step", 0.0, kInfinity},
                      {"stiffness_bound_n_m", "N/m", 1e4, "pose-independent bound on the stiffness", 0.0, kInfinity}},
       .outputs = {{"condition_bound", "1", "(m_max + dt^2 bound) / m_min"}},
       .compute = [](const Values& v) -> std::vector<double> {
         return {condition_number_bound(v.at("smallest_mass_kg"), v.at("largest_mass_kg"), v.at("time_step_s"),
                                        v.at("stiffness_bound_n_m"))};
       },
       .violation = [](const Values& v) -> std::string {
         return v.at("largest_mass_kg") < v.at("smallest_mass_kg") ? "the largest mass is below the smallest" : "";
       }},
  };
}

}  // namespace deformbench::references

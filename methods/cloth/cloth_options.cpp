// SPDX-License-Identifier: BSD-3-Clause
#include "methods/cloth/cloth_options.hpp"

namespace deformbench::cloth {
ParameterSpec cloth_parameters() {
  const ClothOptions defaults;
  ParameterInfo safety{"safety", "1", defaults.safety, "Substep over the longest stable one at rest", 0.0, 10.0};
  safety.minimum_is_exclusive = true;
  ParameterInfo poisson{"membrane_poisson_ratio",           "1",  defaults.membrane_poisson_ratio,
                        "Poisson's ratio of the triangles", -1.0, 1.0};
  poisson.minimum_is_exclusive = poisson.maximum_is_exclusive = true;
  ParameterSpec spec{
      {"substeps", "1", (long long)defaults.substeps,
       "Steps per time step of the scene; 0: as many as `safety` asks for", 0.0, 1e7},
      safety,
      {"mass_damping_1_s", "1/s", defaults.mass_damping, "Force −γ m v on every vertex.", 0.0},
      {"stretch_stiffness_n_per_m", "N/m", defaults.stretch_stiffness,
       "Of the spring along every edge of a mesh, 0: none; springs that a scene lists have 1/compliance.", 0.0},
      {"membrane_stiffness_n_per_m", "N/m", defaults.membrane_stiffness,
       "Young's modulus times thickness of triangles of St. Venant–Kirchhoff material, 0: none", 0.0},
      poisson,
      {"bend_stiffness_j", "J", defaults.bend_stiffness,
       "B of hinges, W = ½ B θ² |e|²/(A1 + A2) for small angles, 0: none; the flexural rigidity of a sheet that bends "
       "about one direction. [B05] §2",
       0.0},
      choice_parameter(
          "bend_form", "half_angle", {"half_angle", "angle"},
          "W = 4 B (1 − cos(θ/2)) |e|²/(A1 + A2), whose force has sin(θ/2), [B05] §3; or ½ B θ² |e|²/(A1 + A2)"),
      choice_parameter("bend_rest_angles", "of_shape", {"of_shape", "flat"},
                       "Rest angles of hinges: those of the rest shape, or zero"),
      choice_parameter("bend_sine", "robust", {"robust", "printed"},
                       "sin(θ/2) as ±½ |n1 − n2|, or as ±√(½ (1 − n1·n2)), which is zero below θ = √ε. [B05] §3"),
      choice_parameter("bend_precision", "double", {"double", "float"}, "Arithmetic of normals and sines of hinges"),
      choice_parameter("bend_gradient", "modes", {"modes", "cosine", "automatic"},
                       "∂θ/∂x in closed form [BMF03], by differentiating cos θ = n1·n2, or automatically. [B05] §4"),
      {"stretch_damping_s", "s", defaults.stretch_damping,
       "k_d of springs, triangles and tetrahedra: force −k_d (∂C/∂x)ᵀ Ċ where W = ½ C·C. [B05] §5", 0.0},
      {"bend_damping_s", "s", defaults.bend_damping, "k_d of hinges", 0.0}};
  for (ParameterInfo& info : motion_parameters()) spec.push_back(std::move(info));
  for (ParameterInfo& info : collision::collision_parameters()) spec.push_back(std::move(info));
  return spec;
}

ClothOptions cloth_options(const Parameters& parameters) {
  ClothOptions options;
  options.substeps = int(parameters.integer("substeps"));
  options.safety = parameters.real("safety");
  options.mass_damping = parameters.real("mass_damping_1_s");
  options.stretch_stiffness = parameters.real("stretch_stiffness_n_per_m");
  options.membrane_stiffness = parameters.real("membrane_stiffness_n_per_m");
  options.membrane_poisson_ratio = parameters.real("membrane_poisson_ratio");
  options.bend_stiffness = parameters.real("bend_stiffness_j");
  options.hinge.form = parameters.text("bend_form") == "angle" ? HingeForm::Angle : HingeForm::HalfAngle;
  options.hinge.sine = parameters.text("bend_sine") == "printed" ? SineFormula::Printed : SineFormula::Robust;
  options.hinge.precision = parameters.text("bend_precision") == "float" ? SinePrecision::Float : SinePrecision::Double;
  const std::string& gradient = parameters.text("bend_gradient");
  options.hinge.gradient = gradient == "cosine"      ? AngleGradient::Cosine
                           : gradient == "automatic" ? AngleGradient::Automatic
                                                     : AngleGradient::Modes;
  options.hinge.is_flat_at_rest = parameters.text("bend_rest_angles") == "flat";
  options.stretch_damping = parameters.real("stretch_damping_s");
  options.bend_damping = parameters.real("bend_damping_s");
  options.motion = motion_options(parameters);
  options.collisions = collision::collision_options(parameters);
  return options;
}

}  // namespace deformbench::cloth

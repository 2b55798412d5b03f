// SPDX-License-Identifier: BSD-3-Clause
#include "methods/meshless/meshless_options.hpp"

namespace deformbench::meshless {

ParameterSpec meshless_parameters() {
  const MeshlessOptions defaults;
  const auto real = [](const char* name, const char* unit, double value, double minimum, std::optional<double> maximum,
                       const char* doc) {
    return ParameterInfo{
        .name = name, .unit = unit, .default_value = value, .doc = doc, .minimum = minimum, .maximum = maximum};
  };
  const auto choice = [](const char* name, std::vector<std::string> choices, const char* doc) {
    const std::string first = choices.front();
    return ParameterInfo{.name = name, .unit = "", .default_value = first, .doc = doc, .choices = std::move(choices)};
  };
  return {
      real("support_factor", "1", defaults.cloud.support_factor, 1.0, 10.0,
           "Support h_i of a node over the longest edge at its vertex, where the scene gives no supports; [PKAGDG05] "
           "§5: twice the farthest adjacent "
           "sample"),
      choice("node_masses", {"consistent", "as_printed", "kernel_sum"},
             "Mass of a node: its share of the body's mass by h_i³; or 4/3 π h_i³ ρ, [PKAGDG05] §4, which counts "
             "overlaps; "
             "or ρ times the volume from the kernel sum"),
      choice("strain", {"green", "twice_green"},
             "½ (FᵀF − I), [PKAGDG05] §2, or FᵀF − I, [MKNPGA04] eq. 2, whose energy is four times as large"),
      real("volume_stiffness_pa", "Pa", defaults.elastic.volume_stiffness, 0.0, {},
           "k_v of the energy density ½ k_v (det F − 1)², [MKNPGA04] §3.3"),
      {.name = "substeps",
       .unit = "1",
       .default_value = static_cast<long long>(defaults.substeps),
       .doc = "Steps of leap-frog in one time step; 0: as many as `safety` asks for",
       .minimum = 0.0,
       .maximum = 1e7},
      real("safety", "1", defaults.safety, 1e-3, 10.0,
           "Substep over the largest stable one about rest, 2/ω_max by power iteration"),
      real("mass_damping_1_s", "1/s", defaults.mass_damping, 0.0, {}, "α of the damping force −α M v"),
      {.name = "reversed_after_steps",
       .unit = "1",
       .default_value = 0LL,
       .doc = "Time steps after which all velocities change their sign, so that a reversible run goes back; 0: never",
       .minimum = 0.0,
       .maximum = 1e9},
      {.name = "shape_points",
       .unit = "1",
       .default_value = 0LL,
       .doc = "Random points at which the arrays `shape_…` sample the shape functions of [PKAGDG05] eq. 1, in the box "
              "of the skin or of the nodes, a third of them on its faces",
       .minimum = 0.0,
       .maximum = 1e6},
  };
}

MeshlessOptions meshless_options(const Parameters& parameters) {
  MeshlessOptions options;
  options.cloud.support_factor = parameters.real("support_factor");
  const std::string& masses = parameters.text("node_masses");
  options.cloud.masses = masses == "as_printed"   ? NodeMasses::AsPrinted
                         : masses == "kernel_sum" ? NodeMasses::KernelSum
                                                  : NodeMasses::Consistent;
  options.elastic.strain = parameters.text("strain") == "green" ? Strain::Green : Strain::TwiceGreen;
  options.elastic.volume_stiffness = parameters.real("volume_stiffness_pa");
  options.substeps = int(parameters.integer("substeps"));
  options.safety = parameters.real("safety");
  options.mass_damping = parameters.real("mass_damping_1_s");
  options.reversed_after = parameters.integer("reversed_after_steps");
  options.shape_points = int(parameters.integer("shape_points"));
  return options;
}

}  // namespace deformbench::meshless

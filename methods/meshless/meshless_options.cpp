// SPDX-License-Identifier: BSD-3-Clause
#include "methods/meshless/meshless_options.hpp"

#include <numbers>

namespace deformbench::meshless {

ParameterSpec meshless_parameters() {
  const MeshlessOptions defaults;
  ParameterSpec spec{
      real_parameter(
          "support_factor", "1", defaults.cloud.support_factor, 1.0, 10.0,
          "Support h_i of a node over the longest edge at its vertex, where the scene gives no supports; [PKAGDG05] "
          "§5: twice the farthest adjacent "
          "sample"),
      real_parameter(
          "rank_threshold", "1", defaults.cloud.rank_threshold, 1e-12, 0.5,
          "Eigenvalues of A_i, [PKAGDG05] eq. 2, below this share of the largest count as zero, so that a node to "
          "which "
          "a crack has left next to no neighbours in a direction has no strain along it"),
      choice_parameter(
          "node_masses", "consistent", {"consistent", "as_printed", "kernel_sum"},
          "Mass of a node: its share of the body's mass by h_i³; or 4/3 π h_i³ ρ, [PKAGDG05] §4, which counts "
          "overlaps; "
          "or ρ times the volume from the kernel sum"),
      choice_parameter("strain", "green", {"green", "twice_green"},
                       "½ (FᵀF − I), [PKAGDG05] §2, or FᵀF − I, [MKNPGA04] eq. 2, whose energy is four times as large"),
      non_negative_parameter("volume_stiffness_pa", "Pa", defaults.elastic.volume_stiffness,
                             "k_v of the energy density ½ k_v (det F − 1)², [MKNPGA04] §3.3"),
      choice_parameter(
          "weights", "transparency", {"transparency", "visibility", "plain"},
          "How cracks change the weights of pairs, [PKAGDG05] §2.1: lower as the crossing is farther behind the front; "
          "0; not at all"),
      real_parameter(
          "opacity", "1", defaults.weights.opacity, 1e-3, 1e3,
          "κ of transparent weights: nodes come apart where the crossing is κ h/2 behind the front, or less"),
      non_negative_parameter(
          "surfel_radius_m", "m", 0.0,
          "Radius of the surfels on the skin and on the faces of cracks, [PKAGDG05] §3.1; 0: no surfels"),
      real_parameter("crease_angle_deg", "1", 40.0, 0.0, 180.0,
                     "Triangles of the skin that meet at a larger angle belong to different sheets, in degrees"),
      choice_parameter(
          "plasticity", "none", {"none", "strain_state", "multiplicative"},
          "Whether nodes flow where the deviator of their elastic strain exceeds `plastic_yield`: [OBH02] §3; or "
          "with F = F_e F_p and logarithmic strains, for solids that flow far"),
      non_negative_parameter("plastic_yield", "1", defaults.plasticity.yield,
                             "γ₁: elastic strain deviator without flow"),
      non_negative_parameter(
          "plastic_cap", "1", defaults.plasticity.cap,
          "γ₂: largest norm of the plastic strain of a node; of multiplicative flow, most that a node flows in all"),
      non_negative_parameter(
          "rebase_flow", "1", defaults.rebase_flow,
          "The shape becomes the reference, with neighbours found in it, at the start of a time step in which a node "
          "has flowed so much since the last time, [PKAGDG05] §5, highly plastic materials; 0: never. Of "
          "multiplicative flow alone"),
      choice_parameter(
          "rebase_supports", "kept", {"kept", "stretched"},
          "Supports in a new reference: those before, which keeps m/h³; or longer by the largest stretch since, so "
          "that a node reaches whom it did, up to four times those at first"),
      non_negative_parameter(
          "contact_stiffness", "1", defaults.contact_stiffness,
          "Penalty stiffness of a node against planes and rigid bodies, over E h; [PKAGDG05] §5 gives no number"),
      choice_parameter(
          "body_contact", "none", {"none", "surfels"},
          "Whether pieces collide with each other and with themselves: by surfels behind sheets, [PKAGDG05] §5"),
      non_negative_parameter(
          "body_contact_stiffness", "1", defaults.body_contact.stiffness,
          "Pressure of a sheet on what is at a depth d behind it, over E d/h; [PKAGDG05] §5 gives no number"),
      real_parameter(
          "self_contact_apart", "1", defaults.body_contact.apart, 0.0, 1e3,
          "Surfels of one piece collide that are farther apart at rest than this, in largest supports, and than eight "
          "of their radii"),
      {.name = "rigid_pieces_below",
       .unit = "1",
       .default_value = static_cast<long long>(defaults.rigid_pieces_below),
       .doc = "Pieces of fewer nodes than this become rigid bodies, [PKAGDG05] §6; 0: none",
       .minimum = 0.0,
       .maximum = 1e6},
      choice_parameter(
          "resampling", "none", {"none", "cracks", "all"},
          "Which nodes are split where Ω, their weights over those without cracks, is too small, [PKAGDG05] §4: those "
          "that a crack has taken weight from, or all, as printed"),
      real_parameter("omega_min", "1", defaults.resampling.rule.least_sum, 0.0, 1e3, "Ω_min"),
      real_parameter(
          "min_support_ratio", "1", defaults.resampling.least_support_ratio, 0.0, 1.0,
          "A node is not split where its parts had less than this share of the smallest support at the start"),
      choice_parameter(
          "split_node", "stays", {"stays", "replaced"},
          "Whether a node that is split stays, so that n + 1 nodes share its mass, or n new ones take its place"),
      choice_parameter("split_supports", "density", {"density", "kept"},
                       "Supports of the parts: h s^(-1/3) of s parts, [PKAGDG05] §4, which keeps m/h³; or h"),
      choice_parameter(
          "split_places", "balanced", {"balanced", "anywhere"},
          "Places of new nodes, at random in the support: in the body, not behind a crack, with the centre where it "
          "was; or anywhere, as printed"),
      {.name = "substeps",
       .unit = "1",
       .default_value = static_cast<long long>(defaults.substeps),
       .doc = "Steps of leap-frog in one time step; 0: as many as `safety` asks for",
       .minimum = 0.0,
       .maximum = 1e7},
      real_parameter("safety", "1", defaults.safety, 1e-3, 10.0,
                     "Substep over the largest stable one about rest, 2/ω_max by power iteration"),
      non_negative_parameter("mass_damping_1_s", "1/s", defaults.mass_damping, "α of the damping force −α M v"),
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
  add_crack_parameters(spec);
  return spec;
}

MeshlessOptions meshless_options(const Parameters& parameters) {
  MeshlessOptions options;
  options.cloud.support_factor = parameters.real("support_factor");
  options.cloud.rank_threshold = parameters.real("rank_threshold");
  const std::string& masses = parameters.text("node_masses");
  options.cloud.masses = masses == "as_printed"   ? NodeMasses::AsPrinted
                         : masses == "kernel_sum" ? NodeMasses::KernelSum
                                                  : NodeMasses::Consistent;
  options.elastic.strain = parameters.text("strain") == "green" ? Strain::Green : Strain::TwiceGreen;
  options.elastic.volume_stiffness = parameters.real("volume_stiffness_pa");
  const std::string& weights = parameters.text("weights");
  options.weights.kind = weights == "plain"        ? Weights::Plain
                         : weights == "visibility" ? Weights::Visibility
                                                   : Weights::Transparency;
  options.weights.opacity = parameters.real("opacity");
  options.surfels.radius = parameters.real("surfel_radius_m");
  options.surfels.crease_angle = parameters.real("crease_angle_deg") * std::numbers::pi / 180.0;
  const std::string& plasticity = parameters.text("plasticity");
  options.plasticity = {plasticity != "none", parameters.real("plastic_yield"), parameters.real("plastic_cap"),
                        plasticity == "multiplicative" ? PlasticFlow::Multiplicative : PlasticFlow::Additive};
  options.rebase_flow = parameters.real("rebase_flow");
  options.has_stretched_supports = parameters.text("rebase_supports") == "stretched";
  options.contact_stiffness = parameters.real("contact_stiffness");
  options.body_contact = {parameters.text("body_contact") == "surfels", parameters.real("body_contact_stiffness"),
                          parameters.real("self_contact_apart")};
  options.rigid_pieces_below = int(parameters.integer("rigid_pieces_below"));
  const std::string& resampling = parameters.text("resampling");
  options.resampling.where = resampling == "none"     ? Resampling::None
                             : resampling == "cracks" ? Resampling::Cracks
                                                      : Resampling::All;
  options.resampling.least_support_ratio = parameters.real("min_support_ratio");
  ResamplingOptions& rule = options.resampling.rule;
  rule.least_sum = parameters.real("omega_min");
  rule.node = parameters.text("split_node") == "stays" ? SplitNode::Stays : SplitNode::Replaced;
  rule.supports = parameters.text("split_supports") == "density" ? SplitSupports::KeepDensity : SplitSupports::Kept;
  rule.places = parameters.text("split_places") == "balanced" ? SplitPlaces::Balanced : SplitPlaces::Anywhere;
  options.substeps = int(parameters.integer("substeps"));
  options.safety = parameters.real("safety");
  options.mass_damping = parameters.real("mass_damping_1_s");
  options.reversed_after = parameters.integer("reversed_after_steps");
  options.shape_points = int(parameters.integer("shape_points"));
  options.cracks = crack_setup(parameters);
  return options;
}

}  // namespace deformbench::meshless

// SPDX-License-Identifier: BSD-3-Clause
#include "methods/pbd/register_pbd.hpp"

#include <algorithm>

#include "methods/pbd/options/pbd_options.hpp"
#include "methods/pbd/pbd_simulation.hpp"
#include "methods/pbd/solid/neo_hookean_solid.hpp"
#include "methods/pbd/sweeps/sweep.hpp"

namespace deformbench::pbd {
namespace {

Support supports(const Scene& scene, const Parameters& parameters, bool is_compliant) {
  if (scene.vertex_count() == 0 && scene.rigid_bodies.empty())
    return Support::no("the scene has no tetrahedra, cloth, particles or rigid bodies");
  if (scene.particles.is_solid())
    return Support::no("the particles are the nodes of a solid, expected particles that constraints hold together");
  const bool has_tetrahedra = scene.tet_mesh.element_count() > 0;
  if (!has_tetrahedra && !scene.traction_loads.empty()) return Support::no("traction loads act on tetrahedra only");
  if (!scene.heat_sources.empty())
    return Support::no("heat sources change the stiffness of finite elements, position based dynamics has none");
  if (!scene.cracks.empty()) return Support::no("position based dynamics takes no initial cracks");
  if (is_compliant && parameters.text("order") == "jacobi" && parameters.flag("jacobi_average"))
    return Support::no("multipliers cannot be averaged: order 'jacobi' of xpbd needs jacobi_average false");
  const PbdOptions options = pbd_options(parameters, is_compliant);
  if (const std::string refusal = sweep_refusal(options); !refusal.empty()) return Support::no(refusal);
  if (options.contact_compliance > 0.0) {
    if (!has_tetrahedra && scene.cloth.triangle_count() == 0)
      return Support::no("contact_compliance_m_per_pa needs a surface: the scene has neither cloth nor tetrahedra");
    if (options.detection == Detection::Continuous)
      return Support::no("contact_compliance_m_per_pa lets vertices sink in, where detection 'continuous' sees none");
    const auto rebounds = [](const auto& obstacle) { return obstacle.restitution != 0.0; };
    if (std::ranges::any_of(scene.colliders, rebounds) || std::ranges::any_of(scene.rigid_bodies, rebounds))
      return Support::no("contact_compliance_m_per_pa takes no restitution: contacts give back what they store");
    if (options.velocity_update == VelocityUpdate::AsPrinted)
      return Support::no("contact_compliance_m_per_pa is no part of velocity_update 'as_printed'");
  }
  if (has_tetrahedra && is_compliant && options.solid_constraints == SolidConstraints::NeoHookean)
    if (const std::string refusal = neo_hookean_refusal(options); !refusal.empty()) return Support::no(refusal);
  return Support::yes();
}

MethodDescriptor descriptor(bool is_compliant, std::string id, std::string summary, Citation paper) {
  MethodDescriptor method;
  method.id = std::move(id);
  method.summary = std::move(summary);
  method.paper = std::move(paper);
  method.parameters = pbd_parameters(is_compliant);
  method.supports = [is_compliant](const Scene& scene, const Parameters& parameters) {
    return supports(scene, parameters, is_compliant);
  };
  method.create = [is_compliant](const Scene& scene, const Parameters& parameters, const RunContext& context) {
    return make_pbd_simulation(scene, pbd_options(parameters, is_compliant), context);
  };
  // Measured by tests/methods, which bounds each within a factor of two.
  method.known_violations = {{"angular_momentum",
                              "corrections have no torque about the predicted positions, velocities belong to those of "
                              "the start",
                              "PBD-08", is_compliant ? 0.16 : 0.15}};
  return method;
}

}  // namespace

void register_pbd(Registry& registry) {
  registry.add(descriptor(false, "pbd",
                          "Position based dynamics: positions are projected on constraints, one after the other",
                          {"MHHR07",
                           "M. Müller, B. Heidelberger, M. Hennix, J. Ratcliff: Position Based Dynamics, "
                           "Journal of Visual Communication and Image Representation 18(2), 2007"}));
  registry.add(
      descriptor(true, "xpbd",
                 "Extended position based dynamics: compliances with multipliers, whatever Δt and iterations, and "
                 "small steps [MSL19]",
                 {"MMC16",
                  "M. Macklin, M. Müller, N. Chentanez: XPBD: Position-Based Simulation of Compliant "
                  "Constrained Dynamics, Motion in Games 2016"}));
}

}  // namespace deformbench::pbd

// SPDX-License-Identifier: BSD-3-Clause
#include "methods/cloth/register_cloth.hpp"

#include "methods/cloth/cloth_options.hpp"
#include "methods/cloth/cloth_simulation.hpp"

namespace deformbench::cloth {
namespace {

Support supports(const Scene& scene, const Parameters& parameters) {
  if (scene.vertex_count() == 0) return Support::no("the scene has no cloth, particles or tetrahedra");
  if (scene.particles.is_solid())
    return Support::no("the particles are the nodes of a solid, expected particles that springs hold together");
  for (const model::PositionConstraint& constraint : scene.constraints)
    if (constraint.kind != model::ConstraintKind::Distance || constraint.compliance <= 0.0 || constraint.is_inequality)
      return Support::no("springs have a compliance: expected distance constraints with compliance > 0");
  if (!scene.traction_loads.empty() && scene.tet_mesh.element_count() == 0)
    return Support::no("traction loads act on tetrahedra only");
  if (!scene.heat_sources.empty()) return Support::no("heat sources change the stiffness of finite elements only");
  if (!scene.cracks.empty()) return Support::no("cloth by forces takes no initial cracks");
  for (const model::RigidBody& body : scene.rigid_bodies)
    if (!body.is_kinematic())
      return Support::no("cloth by forces pushes no bodies: expected bodies with a given motion");
  if (!scene.attachments.empty()) return Support::no("cloth by forces has no attachments to bodies");
  if (parameters.text("scheme") == "implicit")
    for (const model::PlaneCollider& plane : scene.colliders)
      if (plane.restitution != 0.0)
        return Support::no("contact as a constraint of the implicit scheme knows no restitution");
  if (parameters.real("strain_limit") > 0.0 || parameters.real("shortening_limit") > 0.0)
    if (const std::string refusal = model::roller_refusal(scene.prescribed, "limits of strain"); !refusal.empty())
      return Support::no(refusal);
  return Support::yes();
}

}  // namespace

void register_cloth(Registry& registry) {
  MethodDescriptor method;
  method.id = "force_cloth";
  method.summary =
      "Cloth by forces: springs, membrane triangles and hinges, with explicit and half-implicit steps; tetrahedra too";
  method.paper = {"B05", "R. Bridson: Cloth, plasticity and fracture, lecture of CS 533D, UBC, winter 2005"};
  method.parameters = cloth_parameters();
  method.supports = supports;
  method.create = [](const Scene& scene, const Parameters& parameters, const RunContext& context) {
    return std::make_unique<ClothSimulation>(scene, cloth_options(parameters), context);
  };
  method.known_violations = {{"settles",
                              "without damping the energy of a swing stays, and moves into bending that little resists",
                              "IVM-06", 9.0}};
  registry.add(std::move(method));
}

}  // namespace deformbench::cloth

// SPDX-License-Identifier: BSD-3-Clause
#include "methods/meshless/register_meshless.hpp"

#include "methods/meshless/meshless_simulation.hpp"

namespace deformbench::meshless {
namespace {

Support supports(const Scene& scene, const Parameters& parameters) {
  if (scene.tet_mesh.element_count() == 0 && !scene.particles.is_solid())
    return Support::no("the scene has no tetrahedra, whose vertices are the nodes, and no nodes of a solid");
  if (parameters.text("resampling") != "none" && !scene.particles.is_solid())
    return Support::no("nodes at the vertices of tetrahedra are not resampled");
  if (scene.particles.is_solid() && scene.materials.size() > 1)
    return Support::no("nodes of a solid have one material");
  if (!scene.attachments.empty()) return Support::no("no attachments to rigid bodies");
  for (const model::RigidBody& body : scene.rigid_bodies) {
    if (!body.is_kinematic()) return Support::no("no rigid body with a mass");
    if (body.shape.kind == model::ShapeKind::Mesh)
      return Support::no("of rigid bodies spheres, capsules and boxes: one is a mesh");
    if (body.restitution != 0.0) return Support::no("rigid bodies have no restitution: penalty forces are elastic");
  }
  for (const model::PlaneCollider& plane : scene.colliders)
    if (plane.restitution != 0.0) return Support::no("planes have no restitution: penalty forces are elastic");
  if (parameters.integer("rigid_pieces_below") > 0 && parameters.text("resampling") != "none")
    return Support::no("small pieces are either rigid or resampled");
  if (parameters.text("body_contact") != "none" && !(parameters.real("surfel_radius_m") > 0.0))
    return Support::no("bodies collide by their surfels: surfel_radius_m must be above 0");
  if (!scene.constraints.empty()) return Support::no("no position constraints");
  if (!scene.heat_sources.empty()) return Support::no("no heat sources");
  if (parameters.text("crack_stress") != "none" && scene.skin.triangle_count() == 0 &&
      scene.tet_mesh.element_count() == 0)
    return Support::no("cracks need the surface of the body: a skin, or that of a mesh of tetrahedra");
  if (parameters.real("rebase_flow") > 0.0) {
    if (parameters.text("body_contact") != "none" || parameters.integer("rigid_pieces_below") > 0)
      return Support::no("a new reference goes neither with contact of bodies nor with rigid pieces");
    if (!scene.particles.is_solid()) return Support::no("nodes at the vertices of tetrahedra get no new reference");
    if (parameters.text("plasticity") == "strain_state")
      return Support::no("a new reference needs multiplicative flow, or none");
    if (!scene.traction_loads.empty()) return Support::no("tractions are of the first reference");
    for (const model::InitialCrack& crack : scene.cracks)
      if (crack.grows()) return Support::no("cracks that grow by prescription do so in the first reference");
    const std::string& stress = parameters.text("crack_stress");
    if (stress == "given" || stress == "wandering")
      return Support::no("a given stress is a field of the first reference");
    for (const double bound : parameters.list("crack_hard_box_m"))
      if (bound != 0.0) return Support::no("a hard box is one of the first reference");
  }
  return Support::yes();
}

}  // namespace

void register_meshless(Registry& registry) {
  MethodDescriptor method;
  method.id = "meshless";
  method.summary = "Meshless elastic solid: moving least squares on the vertices of the mesh, explicit leap-frog";
  method.paper = {"PKAGDG05",
                  "M. Pauly, R. Keiser, B. Adams, P. Dutré, M. Gross, L. J. Guibas: Meshless Animation of Fracturing "
                  "Solids, ACM Transactions on Graphics 24(3), 2005"};
  method.parameters = meshless_parameters();
  method.supports = supports;
  method.create = [](const Scene& scene, const Parameters& parameters, const RunContext& context) {
    MeshlessOptions options = meshless_options(parameters);
    options.seed = options.cracks.seed = context.seed;
    return std::make_unique<MeshlessSimulation>(scene, options, context.threads, context.time_phases);
  };
  method.known_violations = {{"settles", "a scheme without damping keeps the energy of a swing", "IVM-06", 24.0}};
  registry.add(std::move(method));
}

}  // namespace deformbench::meshless

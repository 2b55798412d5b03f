// SPDX-License-Identifier: BSD-3-Clause
#include "methods/fem/nonlinear/register_nonlinear.hpp"

#include "methods/fem/body/contact.hpp"
#include "methods/fem/nonlinear/make_nonlinear.hpp"
#include "methods/fem/nonlinear/surface_contact.hpp"
#include "methods/fem/shared_parameters.hpp"
#include "methods/model/error.hpp"
#include "methods/model/hexahedra.hpp"
#include "methods/model/subdivision.hpp"

namespace deformbench::nonlinear {
namespace {

using namespace fem;

/// Why elements of several tetrahedra are impossible; empty if they are possible.
std::string elements_refusal(const Scene& scene, const NonlinearOptions& options) {
  if (options.elements == Elements::Linear) return {};
  const bool is_quadratic = options.elements == Elements::Quadratic;
  const std::string name = is_quadratic ? "quadratic elements" : "hexahedra";
  const std::size_t parts = is_quadratic ? 8 : 6;
  if (options.fracture) return name + " exclude fracture, which splits ordinary tetrahedra";
  for (std::size_t e = 0; e < scene.element_material.size(); ++e)
    if (scene.element_material[e] != scene.element_material[e / parts * parts])
      return name + " have one material each, tetrahedron " + std::to_string(e) +
             " has another one than the first of its " + (is_quadratic ? "eight" : "six");
  try {
    if (is_quadratic)
      model::quadratic_tetrahedra(scene.tet_mesh);
    else
      model::hexahedra(scene.tet_mesh);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

/// Why self_contact barrier is impossible; empty if it is possible.
std::string self_contact_refusal(const Scene& scene, const NonlinearOptions& options) {
  if (options.explicit_steps)
    return "self_contact barrier is a potential that implicit steps minimise, explicit schemes have none";
  if (options.newton.fixed_iterations > 0) return "self_contact barrier needs the line search of newton_iterations 0";
  if (options.fracture) return "self_contact barrier keeps the surface it began with: it excludes fracture";
  if (!is_within_solve(options.contact_rule) && (!scene.colliders.empty() || !scene.rigid_bodies.empty()))
    return "self_contact barrier excludes contact with obstacles after the solve, which may push parts into each other";
  return surface_refusal(scene, options.newton.potential);
}

MethodDescriptor nonlinear_descriptor(NonlinearMethod kind, std::string id, std::string summary, Citation paper) {
  const auto supports = [](const Scene& scene, const Parameters& parameters) {
    const NonlinearOptions options = nonlinear_options(parameters);
    if (!scene.heat_sources.empty()) return Support::no("nonlinear finite elements do not support heat sources");
    const bool has_obstacles = !scene.colliders.empty() || !scene.rigid_bodies.empty();
    if (options.explicit_steps && is_within_solve(options.contact_rule))
      return Support::no("contact_rule penalty is a potential of implicit steps, scheme '" + parameters.text("scheme") +
                         "' has none");
    const bool acts_after = !options.explicit_steps && !is_within_solve(options.contact_rule);
    if (acts_after && options.newton.scheme != ImplicitScheme::Euler && has_obstacles)
      return Support::no("scheme '" + parameters.text("scheme") +
                         "' supports colliders and rigid bodies by contact_rule "
                         "penalty, or default with newton_iterations 0");
    if (options.newton.hessian == HessianRule::TrustRegion && options.newton.fixed_iterations > 0)
      return Support::no("hessian trust_region judges iterations by the objective, and needs newton_iterations 0");
    Support support =
        fem_support(scene, !options.explicit_steps && options.newton.solver.direct, options.has_self_contact);
    if (support.supported)
      if (const std::string refusal = elements_refusal(scene, options); !refusal.empty()) return Support::no(refusal);
    if (support.supported && options.has_self_contact)
      if (const std::string refusal = self_contact_refusal(scene, options); !refusal.empty())
        return Support::no(refusal);
    if (support.supported && acts_after) support.reason = contact_caveat(scene, options.newton.mass_damping);
    return support;
  };
  const auto create = [](const Scene& scene, const Parameters& parameters, const RunContext& context) {
    return make_nonlinear_simulation(scene, nonlinear_options(parameters), context);
  };
  return {std::move(id), std::move(summary), std::move(paper), nonlinear_parameters(kind), supports, create};
}

}  // namespace

void register_nonlinear(Registry& registry) {
  // Sizes as measured by tests/methods, which checks them within a factor of two.
  const KnownViolation swinging{"settles", "a scheme without damping keeps the energy of a swing", "IVM-06", 9.0};
  MethodDescriptor explicit_fem = nonlinear_descriptor(
      NonlinearMethod::Explicit, "explicit_fem", "Nonlinear finite elements, explicit integration",
      {"OH99", "J. F. O'Brien, J. K. Hodgins: Graphical Modeling and Animation of Brittle Fracture, SIGGRAPH 1999"});
  explicit_fem.known_violations = {swinging};
  registry.add(std::move(explicit_fem));
  MethodDescriptor implicit_fem = nonlinear_descriptor(
      NonlinearMethod::Implicit, "implicit_fem", "Nonlinear finite elements, implicit steps by Newton's method",
      {"BW98", "D. Baraff, A. Witkin: Large Steps in Cloth Simulation, SIGGRAPH 1998"});
  implicit_fem.known_violations = {
      {"angular_momentum", "implicit Euler takes the share (ωΔt)² of a spin in every step", "IVM-01", 0.18}};
  registry.add(std::move(implicit_fem));
  MethodDescriptor invertible_fem = nonlinear_descriptor(
      NonlinearMethod::Invertible, "invertible_fem",
      "Nonlinear finite elements with laws that are continued through inversion, explicit or implicit",
      {"ITF04",
       "G. Irving, J. Teran, R. Fedkiw: Invertible Finite Elements for Robust Simulation of Large Deformation, SCA "
       "2004"});
  invertible_fem.known_violations = {swinging};
  registry.add(std::move(invertible_fem));
}

}  // namespace deformbench::nonlinear

// SPDX-License-Identifier: BSD-3-Clause
#include "methods/fem/register_fem.hpp"

#include "methods/fem/body/contact.hpp"
#include "methods/fem/make_fem.hpp"
#include "methods/fem/shared_parameters.hpp"

namespace deformbench::fem {
namespace {

MethodDescriptor descriptor(Warping warping, std::string id, std::string summary, Citation paper) {
  const auto supports = [warping](const Scene& scene, const Parameters& parameters) {
    if (warping == Warping::Vertex && !scene.heat_sources.empty())
      return Support::no("vertex warping does not support heat sources");
    Support support = fem_support(scene, parameters.text("solver") == "direct");
    if (support.supported && !is_within_solve(fem_options(warping, parameters).contact_rule))
      support.reason = contact_caveat(scene, parameters.real("mass_damping_1_s"));
    return support;
  };
  const auto create = [warping](const Scene& scene, const Parameters& parameters, const RunContext& context) {
    return make_fem_simulation(scene, fem_options(warping, parameters), context);
  };
  return {std::move(id), std::move(summary), std::move(paper), fem_parameters(warping), supports, create};
}

}  // namespace

void register_fem(Registry& registry) {
  const Citation mg04{"MG04", "M. Müller, M. Gross: Interactive Virtual Materials, Graphics Interface 2004"};
  // Sizes as measured by tests/methods, which checks them within a factor of two.
  const KnownViolation damped_spin{
      "angular_momentum", "implicit Euler with the rotations of the step's start damps a spin", "IVM-01", 9.2e-6};
  registry.add(descriptor(
      Warping::None, "linear_fem",
      "Linear elasticity on tetrahedra, implicit Euler with one solve per step; the matrix is constant", mg04));
  MethodDescriptor warped =
      descriptor(Warping::Element, "warped_fem",
                 "Warped stiffness: linear elasticity in the rotated frame of every element", mg04);
  warped.known_violations = {damped_spin};
  registry.add(std::move(warped));
  MethodDescriptor vertex = descriptor(
      Warping::Vertex, "vertex_warped_fem",
      "The predecessor of warped stiffness: one rotation per vertex; its forces do not sum to zero (ghost forces)",
      {"MDMJC02", "M. Müller, J. Dorsey, L. McMillan, R. Jagnow, B. Cutler: Stable Real-Time Deformations, SCA 2002"});
  vertex.known_violations = {{"linear_momentum", "forces warped by vertex do not sum to zero", "IVM-11", 0.020},
                             {"angular_momentum", "nor do their torques", "IVM-11", 5.0e-3}};
  registry.add(std::move(vertex));
}

}  // namespace deformbench::fem

// SPDX-License-Identifier: BSD-3-Clause
#include "methods/fem/nonlinear/make_nonlinear.hpp"

#include "methods/fem/fem_simulation.hpp"
#include "methods/fem/nonlinear/hexahedral_elasticity.hpp"
#include "methods/fem/nonlinear/quadratic_elasticity.hpp"

namespace deformbench::fem {

std::unique_ptr<Simulation> make_nonlinear_simulation(const Scene& scene, const NonlinearOptions& options,
                                                      const RunContext& context) {
  Cliques elements;
  if (options.elements == Elements::Quadratic) elements = model::quadratic_tetrahedra(scene.tet_mesh);
  if (options.elements == Elements::Hexahedra) elements = model::hexahedra(scene.tet_mesh);
  auto simulation = std::make_unique<FemSimulation<double>>(scene, context, elements);
  Body<double>& body = simulation->body();
  body.state.contact_rule = options.contact_rule;
  std::unique_ptr<NonlinearElasticity<double>> elasticity;
  if (options.elements == Elements::Quadratic) {
    elasticity = std::make_unique<QuadraticElasticity>(options.law, body, elements);
  } else if (options.elements == Elements::Hexahedra) {
    elasticity = std::make_unique<HexahedralElasticity>(options.law, body, elements);
  } else {
    auto part = make_hyperelasticity(options.law, body,
                                     options.fracture ? std::optional(options.fracture->threshold) : std::nullopt);
    if (options.fracture)
      simulation->set_fracture(std::make_unique<Fracture<double>>(body, *part, *options.fracture, context.seed));
    elasticity = std::move(part);
  }
  if (options.explicit_steps) {
    auto integrator = std::make_unique<ExplicitIntegrator>(body, *elasticity, *options.explicit_steps);
    simulation->set_parts(std::move(elasticity), std::move(integrator), {});
  } else {
    auto integrator = std::make_unique<Newton>(body, *elasticity, options.newton);
    const LinearSystem<double>* system = &integrator->system();
    simulation->set_parts(std::move(elasticity), std::move(integrator), {system});
  }
  return simulation;
}

}  // namespace deformbench::fem

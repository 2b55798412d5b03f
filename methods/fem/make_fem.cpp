// SPDX-License-Identifier: BSD-3-Clause
#include "methods/fem/make_fem.hpp"

#include "methods/fem/elasticity/vertex_warped_elasticity.hpp"
#include "methods/fem/fem_simulation.hpp"

namespace deformbench::fem {
namespace {

template <class T>
std::unique_ptr<Simulation> compose(const Scene& scene, const FemOptions& options, const RunContext& context) {
  auto simulation = std::make_unique<FemSimulation<T>>(scene, context);
  Body<T>& body = simulation->body();
  body.state.contact_rule = options.contact_rule;
  const double scale = options.integrator.matrix_scale(scene.time_step);
  std::unique_ptr<AffineElasticity<T>> elasticity;
  if (options.warping == Warping::Vertex) {
    elasticity = std::make_unique<VertexWarpedElasticity<T>>(body, scale);
  } else {
    WarpedElasticityOptions warped{
        options.rotation, options.warping == Warping::None, options.plastic, {}, options.stress};
    if (options.fracture) warped.fracture_threshold = options.fracture->threshold;
    auto part = std::make_unique<WarpedElasticity<T>>(body, warped, scale);
    if (options.fracture)
      simulation->set_fracture(std::make_unique<Fracture<T>>(body, *part, *options.fracture, context.seed));
    elasticity = std::move(part);
  }
  ImplicitEulerOptions settings = options.integrator;
  settings.check_residual = context.check_residual;
  auto integrator = std::make_unique<LinearlyImplicitEuler<T>>(body, *elasticity, settings);
  const LinearSystem<T>* system = &integrator->system();
  simulation->set_parts(std::move(elasticity), std::move(integrator), {system});
  return simulation;
}

}  // namespace

std::unique_ptr<Simulation> make_fem_simulation(const Scene& scene, const FemOptions& options,
                                                const RunContext& context) {
  if (options.single_precision) return compose<float>(scene, options, context);
  return compose<double>(scene, options, context);
}

}  // namespace deformbench::fem

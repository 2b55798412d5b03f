// SPDX-License-Identifier: BSD-3-Clause
#include "methods/fem/fem_simulation.hpp"

#include "methods/fem/cracking_body.hpp"

namespace deformbench::fem {

std::unique_ptr<Simulation> make_fem_simulation(const Scene& scene, const FemOptions& options,
                                                const RunContext& context) {
  if (options.fracture) {
    if (options.single_precision) return std::make_unique<CrackingBody<float>>(scene, options, context);
    return std::make_unique<CrackingBody<double>>(scene, options, context);
  }
  if (options.single_precision) return std::make_unique<ImplicitEuler<float>>(scene, options, context);
  return std::make_unique<ImplicitEuler<double>>(scene, options, context);
}

}  // namespace deformbench::fem

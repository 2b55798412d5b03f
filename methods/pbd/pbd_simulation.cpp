// SPDX-License-Identifier: BSD-3-Clause
#include "methods/pbd/pbd_simulation.hpp"

#include "methods/pbd/pbd_body.hpp"
#include "methods/pbd/tearing_body.hpp"

namespace deformbench::pbd {

std::unique_ptr<Simulation> make_pbd_simulation(const Scene& scene, const PbdOptions& options,
                                                const RunContext& context,
                                                std::vector<std::unique_ptr<Constraint>> own) {
  if (options.tear_stretch > 0.0 && scene.cloth.triangle_count() > 0)
    return std::make_unique<TearingBody>(scene, options, context, std::move(own));
  return std::make_unique<PbdBody>(scene, options, context, std::move(own));
}

}  // namespace deformbench::pbd

// SPDX-License-Identifier: BSD-3-Clause
#include "methods/pbd/pbd_simulation.hpp"

#include "methods/pbd/pbd_body.hpp"

namespace deformbench::pbd {

std::unique_ptr<Simulation> make_pbd_simulation(const Scene& scene, const PbdOptions& options, const RunContext& context,
                                                std::vector<std::unique_ptr<Constraint>> own) {
  return std::make_unique<PbdBody>(scene, options, context, std::move(own));
}

}  // namespace deformbench::pbd

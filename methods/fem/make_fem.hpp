// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "methods/fem/fem_options.hpp"
#include "methods/method.hpp"

namespace deformbench::fem {

/// Composes the parts that the options name. The scene is copied.
std::unique_ptr<Simulation> make_fem_simulation(const Scene& scene, const FemOptions& options,
                                                const RunContext& context);

}  // namespace deformbench::fem

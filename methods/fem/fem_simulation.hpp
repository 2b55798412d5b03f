// SPDX-License-Identifier: BSD-3-Clause
// Implicit Euler with one linear solve per step, [MG04] §2.2 and §6, for linear, element-warped and vertex-warped
// elasticity: (M + Δt C + Δt² K') v⁺ = M v − Δt (K'x + f0' − f_ext), x⁺ = x + Δt v⁺, C = αM + βK'.
#pragma once

#include <memory>

#include "methods/fem/fem_options.hpp"
#include "methods/method.hpp"

namespace deformbench::fem {

/// Has all facets of facets.hpp. The scene is copied.
std::unique_ptr<Simulation> make_fem_simulation(const Scene& scene, const FemOptions& options,
                                                const RunContext& context);

}  // namespace deformbench::fem

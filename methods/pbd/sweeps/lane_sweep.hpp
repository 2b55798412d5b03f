// SPDX-License-Identifier: BSD-3-Clause
// Stretch and bend constraints in packs as wide as the machine's registers: list scheduled with the result of the
// sequential sweep, or coloured on several threads. The corrected weighting, the signed angle, gradients at p.
#pragma once

#include <memory>

#include "methods/pbd/sweeps/sweep.hpp"

namespace deformbench::pbd {

/// Order forward or symmetric (list scheduled, one thread) or coloured (`threads` of them; the result depends on none
/// of it).
std::unique_ptr<Sweep> make_lane_sweep(const MeshConstraints& constraints, const Eigen::VectorXd& inverse_masses,
                                       const PbdOptions& options, int threads);

}  // namespace deformbench::pbd

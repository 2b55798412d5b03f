// SPDX-License-Identifier: BSD-3-Clause
// SIMD sweep over stretch and bend constraints in packs of register width: list scheduled with the result of the
// sequential sweep, or coloured on several threads. Corrected weighting, signed angle, gradients at p only.
#pragma once

#include <memory>

#include "methods/pbd/sweeps/sweep.hpp"

namespace deformbench::pbd {

/// Order forward or symmetric (list scheduled, one thread) or coloured (`threads`; the result does not depend on their
/// number).
std::unique_ptr<Sweep> make_lane_sweep(const MeshConstraints& constraints, const Eigen::VectorXd& inverse_masses,
                                       const PbdOptions& options, int threads);

}  // namespace deformbench::pbd

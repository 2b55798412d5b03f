// SPDX-License-Identifier: BSD-3-Clause
// Interface of one iteration over the stretch and bend constraints of a mesh. Use run for a whole step; or load,
// iterate and store per iteration if other constraints come in between.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "methods/pbd/options/pbd_options.hpp"
#include "methods/pbd/sweeps/mesh_constraints.hpp"

namespace deformbench::pbd {

/// Coloured sweeps of fewer vertices run on one thread.
inline constexpr int kVerticesForThreads = 1200;

class Sweep {
 public:
  virtual ~Sweep() = default;
  /// Start of a step. Compliant solver: sets Δt of the (sub)step and resets multipliers.
  virtual void begin_step(double time_step) = 0;
  /// GradientsAt::Start only: x_n, n×3, m. Called after begin_step.
  virtual void set_start(const Points& /*positions*/) {}
  virtual void load(const Points& positions) = 0;
  virtual void iterate() = 0;
  virtual void store(Points& positions) const = 0;
  /// load, `count` consecutive iterations, store: threads are started only once.
  virtual void run(Points& positions, int count) {
    load(positions);
    for (int k = 0; k < count; ++k) iterate();
    store(positions);
  }
};

/// Why these options are not supported, one line; empty if they are. Coloured and single precision support only the
/// corrected weighting, the signed angle and gradients at the predicted positions.
std::string sweep_refusal(const PbdOptions& options);

/// Copies `inverse_masses` (n, 1/kg; 0 if held) and constraints. `seed` is for SweepOrder::Random; only Coloured uses
/// threads. Execution::Scheduled falls back to sequential if there is no schedule (orders other than forward and
/// symmetric, printed variants), with the same result. Throws InputError with sweep_refusal.
std::unique_ptr<Sweep> make_sweep(const MeshConstraints& constraints, const Eigen::VectorXd& inverse_masses,
                                  const PbdOptions& options, std::uint64_t seed, int threads);

}  // namespace deformbench::pbd

// SPDX-License-Identifier: BSD-3-Clause
// One Gauss–Seidel iteration over the stretch and bend constraints of a mesh, in its different ways of being carried
// out. All of a step: run; or load, iterate and store again and again, where other constraints take turns.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "methods/pbd/pbd_options.hpp"
#include "methods/pbd/sweeps/mesh_constraints.hpp"

namespace deformbench::pbd {

/// Coloured sweeps of fewer vertices run on one thread.
inline constexpr int kVerticesForThreads = 1200;

class Sweep {
 public:
  virtual ~Sweep() = default;
  /// Compliant solver: Δt of the (sub)step, and multipliers set to zero. Called at the start of a step.
  virtual void begin_step(double time_step) = 0;
  /// GradientsAt::Start only: x_n, n×3, m. Called after begin_step.
  virtual void set_start(const Points& /*positions*/) {}
  virtual void load(const Points& positions) = 0;
  virtual void iterate() = 0;
  virtual void store(Points& positions) const = 0;
  /// load, `count` iterations with nothing between them, store: threads are called together but once.
  virtual void run(Points& positions, int count) {
    load(positions);
    for (int k = 0; k < count; ++k) iterate();
    store(positions);
  }
};

/// Why there is no sweep with these options, one line; empty when there is. Coloured and single precision know the
/// corrected weighting, the signed angle and gradients at the predicted positions only.
std::string sweep_refusal(const PbdOptions& options);

/// `inverse_masses` (n, 1/kg; 0 is held) and constraints are copied. `seed` is for SweepOrder::Random. Threads are used
/// by Coloured alone. Execution::Scheduled where there is no schedule (orders other than forward and symmetric,
/// variants as printed) is sequential: the result is the same. Throws InputError with sweep_refusal.
std::unique_ptr<Sweep> make_sweep(const MeshConstraints& constraints, const Eigen::VectorXd& inverse_masses,
                                  const PbdOptions& options, std::uint64_t seed, int threads);

}  // namespace deformbench::pbd

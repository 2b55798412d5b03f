// SPDX-License-Identifier: BSD-3-Clause
#include "methods/pbd/sweeps/sweep.hpp"

#include "methods/model/error.hpp"
#include "methods/pbd/sweeps/lane_sweep.hpp"
#include "methods/pbd/sweeps/sequential_sweep.hpp"

namespace deformbench::pbd {

namespace {

bool is_plain(const PbdOptions& options) {
  return options.mass_weighting == MassWeighting::Corrected && options.bend_angle == BendAngle::Signed &&
         options.gradients_at == GradientsAt::Predicted;
}

bool has_schedule(const PbdOptions& options) {
  return options.order == SweepOrder::Forward || options.order == SweepOrder::Symmetric;
}

}  // namespace

std::string sweep_refusal(const PbdOptions& options) {
  if (options.is_compliant && options.mass_weighting == MassWeighting::AsPrinted)
    return "mass_weighting: got as_printed, expected corrected for the compliant solver";
  if (options.order == SweepOrder::Coloured && !is_plain(options))
    return "order: got coloured, expected another one beside mass_weighting or bend_angle as_printed or gradients_at "
           "start";
  if (options.precision == Precision::Single) {
    if (!is_plain(options))
      return "precision: got float, expected double beside mass_weighting or bend_angle as_printed or gradients_at "
             "start";
    if (options.order != SweepOrder::Coloured && (!has_schedule(options) || options.execution != Execution::Scheduled))
      return "precision: got float, expected double unless the order is coloured, or forward or symmetric and "
             "scheduled";
  }
  return {};
}

std::unique_ptr<Sweep> make_sweep(const MeshConstraints& constraints, const Eigen::VectorXd& inverse_masses,
                                  const PbdOptions& options, std::uint64_t seed, int threads) {
  if (const std::string refusal = sweep_refusal(options); !refusal.empty()) throw InputError(refusal);
  if (options.order == SweepOrder::Coloured ||
      (has_schedule(options) && options.execution == Execution::Scheduled && is_plain(options)))
    return make_lane_sweep(constraints, inverse_masses, options, threads);
  return std::make_unique<SequentialSweep>(constraints, inverse_masses, options, seed);
}

}  // namespace deformbench::pbd

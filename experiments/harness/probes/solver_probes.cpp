// SPDX-License-Identifier: BSD-3-Clause
// The method's report of its last step.
#include <limits>

#include "experiments/harness/probes/channel_table.hpp"

namespace deformbench::harness {
namespace {

constexpr double kNotAsked = std::numeric_limits<double>::quiet_NaN();

ChannelEntry reported(ChannelSpec spec, ScalarMeasure measure) {
  spec.source = "method";
  return scalar_channel(std::move(spec), std::move(measure));
}

}  // namespace

std::vector<ChannelEntry> solver_channels() {
  std::vector<ChannelEntry> channels = {
      reported({"solver_iterations", "1", "count", "Linear solver iterations of the step, all solves together."},
               [](const ProbeInput& input) { return double(input.report.iterations); }),
      reported({"solver_residual", "1", "relative residual",
                "|b − A v| / |b| of the step's last solve, as the solver knows it."},
               [](const ProbeInput& input) { return input.report.residual; }),
      reported({"solver_true_residual", "1", "relative residual",
                "|b − A v| / |b| of the step's last solve, formed anew by the method's model in double precision; not "
                "a number "
                "where the method cannot, and at the start."},
               [](const ProbeInput& input) { return input.report.true_residual.value_or(kNotAsked); }),
      reported(
          {"solver_converged", "1", "flag",
           "1 where the step's last solve met its tolerance, 0 where it did not, not a number where none was "
           "asked for."},
          [](const ProbeInput& input) { return input.report.converged ? double(*input.report.converged) : kNotAsked; }),
      reported({"solves", "1", "count", "Linear systems solved in the step."},
               [](const ProbeInput& input) { return double(input.report.solves); }),
      reported({"assemblies", "1", "count", "System matrices assembled in the step."},
               [](const ProbeInput& input) { return double(input.report.assemblies); }),
      reported({"substeps", "1", "count", "Substeps of the step."},
               [](const ProbeInput& input) { return double(input.report.substeps); }),
  };
  for (const WorkItem& item : kWorkItems)
    channels.push_back(reported({std::string("work_") + item.name, "1", "count",
                                 std::string(item.definition) +
                                     " in the step; not a number at the start, and where the method does not count."},
                                [count = item.count](const ProbeInput& input) {
                                  return input.report.work ? double(*input.report.work.*count) : kNotAsked;
                                }));
  return channels;
}

}  // namespace deformbench::harness

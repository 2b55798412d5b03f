// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/probes/iteration_channels.hpp"

#include <limits>

namespace deformbench::harness {
namespace {

template <IterationQuantity quantity>
double value_of(const Iteration& row) {
  return row[quantity];
}

template <IterationQuantity quantity>
IterationChannel asked_for(ChannelSpec spec) {
  spec.source = "method";
  return {std::move(spec), false, quantity, value_of<quantity>};
}

std::vector<IterationChannel> with_work(std::vector<IterationChannel> channels) {
  for (const WorkItem& item : kWorkItems)
    channels.push_back({{std::string("work_") + item.name, "1", "count",
                         std::string(item.definition) +
                             " since the step began, up to this iteration; not a number where the method does not "
                             "count.",
                         "method"},
                        false,
                        {},
                        [count = item.count](const Iteration& row) {
                          return row.work ? double(*row.work.*count) : std::numeric_limits<double>::quiet_NaN();
                        }});
  return channels;
}

IterationChannel always(const char* name, const char* what, double (*value)(const Iteration&)) {
  ChannelSpec spec{name, "1", "count", what, "method"};
  spec.type = ScalarType::Int64;
  return {std::move(spec), true, {}, value};
}

}  // namespace

const std::vector<IterationChannel>& iteration_channels() {
  using enum IterationQuantity;
  static const std::vector<IterationChannel> channels = with_work({
      always("iteration", "Number of the iteration in its substep; 0 is where the iterations start from.",
             [](const Iteration& row) { return double(row.iteration); }),
      always("substep", "Substep that the iteration belongs to, from 0.",
             [](const Iteration& row) { return double(row.substep); }),
      always("iteration_kind",
             "What iterates: 0 Newton's method, 1 conjugate gradients, 2 projections of constraints, 3 another kind, "
             "as the method counts it.",
             [](const Iteration& row) { return double(int(row.kind)); }),
      {{"elapsed_seconds", "s", "wall time",
        "Time since the step began, without that which looking at the iterations took.", "method"},
       false,
       {},
       [](const Iteration& row) { return row.seconds; }},
      asked_for<Objective>({"objective", "J", "energy",
                            "Objective of the problem that the (sub)step minimises, up to a constant of the (sub)step: "
                            "incremental potential, or the quadratic of one linear solve."}),
      asked_for<GradientNorm>(
          {"gradient_norm", "N", "force",
           "Norm of the objective's gradient by the positions at the end of the (sub)step, over free "
           "components."}),
      asked_for<LinearIterations>({"linear_iterations", "1", "count",
                                   "Iterations of linear solvers since the step began, up to this iteration."}),
      asked_for<NewtonDecrement>(
          {"newton_decrement", "J", "energy",
           "−gᵀd with the gradient g and Newton's step d from this iterate, twice the decrease that the quadratic "
           "model predicts; not a number where no step was solved for."}),
      asked_for<StretchViolationRms>({"stretch_violation_rms", "1", "strain",
                                      "Root mean square of length/rest length − 1 over the stretch constraints."}),
      asked_for<StretchViolationMax>({"stretch_violation_max", "1", "strain",
                                      "Largest magnitude of length/rest length − 1 of a stretch constraint."}),
  });
  return channels;
}

std::vector<std::string> iteration_channel_names() {
  std::vector<std::string> names;
  for (const IterationChannel& channel : iteration_channels()) names.push_back(channel.spec.name);
  return names;
}

}  // namespace deformbench::harness

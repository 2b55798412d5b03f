// SPDX-License-Identifier: BSD-3-Clause
// The example methods of docs/add_a_method.md in the suites that run over every method: a plug-in, and a program, of
// which every simulation is a process.
#include "experiments/harness/outside/outside_methods.hpp"

#include "tests/methods/method_suite.hpp"

namespace deformbench::tests {
namespace {

[[maybe_unused]] const bool added = [] {
  Configuration descent{"vertex_block_descent", "vertex_block_descent"};
  descent.add = [](const Registry& built_in) {
    return harness::with_outside_methods(built_in, {{EXAMPLE_PLUGIN}, {}});
  };
  const KnownViolation spin{"angular_momentum", "implicit Euler takes the share (ωΔt)² of a spin in every step",
                            "IVM-01", 0.18};
  descent.known_violations = {
      {"linear_momentum", "a vertex moves at a time: in a stiff body much is left after the sweeps", "CLYY24", 0.16},
      spin};
  Configuration projective{"projective_dynamics", "projective_dynamics"};
  projective.add = [](const Registry& built_in) {
    return harness::with_outside_methods(built_in, {{}, {PYTHON_EXECUTABLE " " EXAMPLE_PROGRAM}});
  };
  projective.known_violations = {spin};
  outside_configurations() = {descent, projective};
  return true;
}();

}  // namespace
}  // namespace deformbench::tests

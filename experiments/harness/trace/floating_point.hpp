// SPDX-License-Identifier: BSD-3-Clause
// The floating-point environment of this thread: a library built with -Ofast, or code that sets the rounding mode,
// changes the bits of all later results.
#pragma once

#include <string>
#include <utility>

namespace deformbench::harness {

/// Deviations from the IEEE 754 defaults, e.g. "rounds upward, flushes subnormal results to zero"; empty if none.
/// Found by computing, hence independent of the processor.
std::string floating_point_changes();

/// Restores the defaults and returns the deviations.
std::string restore_floating_point();

/// Protects the harness from changes of the environment by a method.
class KeptFloatingPoint {
 public:
  KeptFloatingPoint() { look(); }
  /// Returns the result of `call`; the defaults are restored afterwards, also after an exception.
  template <class Call>
  auto during(Call&& call) {
    const struct AtEnd {
      KeptFloatingPoint& kept;
      ~AtEnd() { kept.look(); }
    } at_end{*this};
    return call();
  }
  /// Last deviations found; empty if none.
  const std::string& changes() const { return changes_; }

 private:
  void look() {
    std::string changes = restore_floating_point();
    if (!changes.empty()) changes_ = std::move(changes);
  }
  std::string changes_;
};

}  // namespace deformbench::harness

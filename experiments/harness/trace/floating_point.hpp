// SPDX-License-Identifier: BSD-3-Clause
// The floating-point environment of this thread: a library built with -Ofast, or code that sets the rounding, changes
// the bits of whatever is computed after it.
#pragma once

#include <string>
#include <utility>

namespace deformbench::harness {

/// What differs from the default of IEEE 754, as "rounds upward, flushes subnormal results to zero"; empty if nothing
/// does. Found by calculating, so that it holds for every kind of processor.
std::string floating_point_changes();

/// Sets the default, and returns what differed from it.
std::string restore_floating_point();

/// The harness calculates as always whatever the code of a method sets.
class KeptFloatingPoint {
 public:
  KeptFloatingPoint() { look(); }
  /// What `call` returns; the default holds again when it ends, by an exception too.
  template <class Call>
  auto during(Call&& call) {
    const struct AtEnd {
      KeptFloatingPoint& kept;
      ~AtEnd() { kept.look(); }
    } at_end{*this};
    return call();
  }
  /// What calls have changed so far; empty if nothing.
  const std::string& changes() const { return changes_; }

 private:
  void look() {
    std::string changes = restore_floating_point();
    if (!changes.empty()) changes_ = std::move(changes);
  }
  std::string changes_;
};

}  // namespace deformbench::harness
